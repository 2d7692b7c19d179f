import { ServiceError } from '../../../errors.ts'
import type { FeaturePart } from './feature.ts'
import type { KoreanDictionary } from './korean-dictionary.ts'
import type { UserWord } from './user-lexicon.ts'

/** User words win over all others. */
const USER_WORD_COST = -100_000

/**
 * Reads nori's user dictionary: a word a line, or a word and the parts it is made of; `#` begins a comment. Of lines
 * with one word the first counts.
 *
 * @throws {ServiceError} illegal_argument_exception when the parts of a word are longer than the word
 */
export function readNoriUserDictionary(lines: readonly string[], dictionary: KoreanDictionary): UserWord[] {
  const words = new Map<string, UserWord>()
  const rules = lines.map((line) => line.replace(/#.*$/, '')).filter((rule) => /[^\0- ]/.test(rule))
  // As Java takes them apart: a line that begins with a blank begins with no word.
  const parted = rules.map((rule) => [rule, rule.replace(/[ \t-\r]+$/, '').split(/[ \t-\r]+/)] as const)
  // The first of their order is complained of.
  parted.sort(([, [left = '']], [, [right = '']]) => (left < right ? -1 : left > right ? 1 : 0))
  for (const [rule, [surface = '', ...parts]] of parted)
    if (!words.has(surface)) words.set(surface, toWord(rule, surface, parts, dictionary))
  return [...words.values()]
}

function toWord(rule: string, surface: string, texts: readonly string[], dictionary: KoreanDictionary): UserWord {
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (length > surface.length) {
    throw new ServiceError(
      'illegal_argument_exception',
      `Illegal user dictionary entry ${rule} - the segmentation is bigger than the surface form (${surface})`,
    )
  }
  const { leftId, rightId, rightIdWithFinal, rightIdWithoutFinal } = dictionary.meta.userWord
  // The last character of the line decides, not the word's.
  const last = rule.charCodeAt(rule.length - 1)
  const rightIdOfLast = hasFinalConsonant(last) ? rightIdWithFinal : rightIdWithoutFinal
  return {
    surface,
    leftId,
    rightId: isHangul(last) ? rightIdOfLast : rightId,
    cost: USER_WORD_COST,
    spacePenalty: false,
    feature: {
      type: texts.length === 0 ? 'MORPHEME' : 'COMPOUND',
      tags: ['NNG', 'NNG'],
      parts: texts.length === 0 ? undefined : cutParts(surface, texts, length),
    },
  }
}

/** Parts are lengths: their texts are cut from the word's start, their places laid out from its end. */
function cutParts(surface: string, texts: readonly string[], length: number): FeaturePart[] {
  let textStart = 0
  let start = surface.length - length
  return texts.map((given) => {
    const text = surface.slice(textStart, textStart + given.length)
    const part = { tag: 'NNG', start, end: start + given.length, text: start === textStart ? undefined : text }
    textStart += given.length
    start += given.length
    return part
  })
}

function isHangul(unit: number): boolean {
  return (unit >= 0x1100 && unit <= 0x11ff) || (unit >= 0x3130 && unit <= 0x318f) || (unit >= 0xac00 && unit <= 0xd7a3)
}

function hasFinalConsonant(unit: number): boolean {
  return (unit - 0xac00) % 28 !== 0
}
