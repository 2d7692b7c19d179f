import { ServiceError } from '../../../errors.ts'
import { CharClassTokenizer } from './char-class-tokenizers.ts'
import { type CharacterTest, characterClass } from './java-char-classes.ts'

const CLASS_NAMES = new Set(['letter', 'digit', 'whitespace', 'punctuation', 'symbol'])
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\', n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

/**
 * A tokenizer that cuts at characters of a list: single ones, escapes (`\n`, `\u0041`) and classes of characters.
 *
 * @throws {ServiceError} runtime_exception for an entry that is none of these
 */
export function charGroupTokenizer(separators: readonly string[], maxTokenLength: number): CharClassTokenizer {
  const characters = new Set<number>()
  const tests: CharacterTest[] = []
  for (const separator of separators) {
    if (separator === '')
      throw new ServiceError('runtime_exception', '[tokenize_on_chars] cannot contain empty characters')
    if (separator.length === 1) characters.add(separator.charCodeAt(0))
    else if (separator.startsWith('\\')) characters.add(escapedCharacter(separator))
    else if (CLASS_NAMES.has(separator)) tests.push(characterClass(separator))
    else throw new ServiceError('runtime_exception', `Invalid escaped char in [${separator}]`)
  }
  return new CharClassTokenizer((codePoint) => !characters.has(codePoint) && !tests.some((test) => test(codePoint)), {
    maxTokenLength,
    hidesFrequency: true,
  })
}

function escapedCharacter(text: string): number {
  const kind = text[1] as string
  if (Object.hasOwn(ESCAPES, kind)) return (ESCAPES[kind] as string).charCodeAt(0)
  if (kind !== 'u') throw new ServiceError('runtime_exception', `Invalid escaped char ${kind} in [${text}]`)
  if (text.length > 6) throw new ServiceError('runtime_exception', `Invalid escaped char in [${text}]`)
  if (!/^[0-9a-fA-F]+$/.test(text.slice(2)))
    throw new ServiceError('number_format_exception', `For input string: "${text.slice(2)}"`)
  return Number.parseInt(text.slice(2), 16)
}
