import type { KoreanDictionary } from './korean-dictionary.ts'
import { readSeunjeonFeature } from './seunjeon-feature.ts'
import type { UserWord } from './user-lexicon.ts'

/** What reading a list of user words gave. */
export interface SeunjeonUserWords {
  readonly words: readonly UserWord[]
  /** Lines no word could be read from, as given, and why. */
  readonly rejected: readonly { readonly line: string; readonly reason: string }[]
}

/**
 * Reads the lines of `user_words` or of the file `user_dict_path` names.
 *
 * A line is `word`, `word,cost`, or `surface,left,right,cost,feature…` as in mecab-ko-dic. In the first two an unescaped
 * plus sign separates the parts of a compound. Lines at the head of the list that start with `#` are comments. Spaces
 * count for nothing.
 */
export function readSeunjeonUserWords(lines: readonly string[], dictionary: KoreanDictionary): SeunjeonUserWords {
  const first = lines.findIndex((line) => !line.startsWith('#'))
  const words: UserWord[] = []
  const rejected: { line: string; reason: string }[] = []
  for (const line of first === -1 ? [] : lines.slice(first)) {
    const word = readLine(line.replaceAll(' ', ''), dictionary)
    if (typeof word === 'string') rejected.push({ line, reason: word })
    else words.push(word)
  }
  return { words, rejected }
}

function readLine(line: string, dictionary: KoreanDictionary): UserWord | string {
  if (line === '') return 'it is empty'
  const fields = line.split(',')
  if (fields.length <= 2) return readShort(fields[0]!, fields[1], dictionary)
  if (fields.length <= 4)
    return `it has ${fields.length} fields: a word, a word and a cost, or a full entry is expected`
  const [surface, left, right, cost, ...features] = fields as [string, string, string, string, ...string[]]
  for (const number of [left, right, cost]) if (!isInt16(number)) return `[${number}] is not a 16-bit number`
  if (surface === '') return 'the word is empty'
  if (
    dictionary.columns.leftClasses[Number(left)] === undefined ||
    dictionary.columns.rightClasses[Number(right)] === undefined
  ) {
    return `the dictionary has no context ids [${left}] and [${right}]`
  }
  const read = readSeunjeonFeature(surface, features)
  if (read === undefined) return `[${features[0]}] has a tag that is not known`
  return { surface, leftId: Number(left), rightId: Number(right), cost: Number(cost), ...read }
}

function readShort(word: string, cost: string | undefined, dictionary: KoreanDictionary): UserWord | string {
  if (cost !== undefined && !isInt16(cost)) return `[${cost}] is not a 16-bit number`
  const parts = word.split(/(?<!\\)\+/).map((part) => part.replaceAll('\\+', '+'))
  const surface = parts.join('')
  if (surface === '') return 'the word is empty'
  if (parts.includes('')) return 'a part of the compound is empty'
  const { leftId, rightId } = dictionary.meta.userWord
  // The raw text counts, with its plus signs and backslashes, as in the original.
  const defaultCost = 1000 - 100 * word.length
  let end = 0
  return {
    surface,
    leftId,
    rightId,
    cost: cost === undefined ? defaultCost : Number(cost),
    spacePenalty: false,
    feature:
      parts.length === 1
        ? { type: 'MORPHEME', tags: ['NNG'], parts: undefined }
        : {
            type: 'COMPOUND',
            tags: ['NNG'],
            parts: parts.map((part) => {
              const start = end
              end += part.length
              return { tag: 'NNG', start, end, text: undefined }
            }),
          },
  }
}

function isInt16(text: string): boolean {
  return /^[-+]?\d{1,5}$/.test(text) && Number(text) >= -0x8000 && Number(text) <= 0x7fff
}
