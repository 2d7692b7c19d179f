import type { Feature } from './feature.ts'
import type { KoreanDictionary } from './korean-dictionary.ts'
import { buildTrie, WordTrie } from './word-trie.ts'

/** One word of a user dictionary. */
export interface UserWord {
  readonly surface: string
  readonly leftId: number
  readonly rightId: number
  readonly cost: number
  readonly spacePenalty: boolean
  readonly feature: Feature
}

/** User words laid out for look-up; entries are numbered by word, those of one word in the order given. */
export class UserLexicon {
  readonly trie: WordTrie
  /** Classes of the dictionary the words stand beside. */
  readonly left: Uint16Array
  readonly right: Uint16Array
  readonly cost: Int32Array
  readonly spacePenalty: Uint8Array
  readonly features: readonly Feature[]

  /** @throws {RangeError} naming the word whose context id the dictionary does not have */
  constructor(words: readonly UserWord[], dictionary: KoreanDictionary) {
    const bySurface = new Map<string, UserWord[]>()
    for (const word of words) {
      const group = bySurface.get(word.surface)
      if (group === undefined) bySurface.set(word.surface, [word])
      else group.push(word)
    }
    const surfaces = [...bySurface.keys()].sort()
    const groups = surfaces.map((surface) => bySurface.get(surface)!)
    const { columns, order } = buildTrie(
      surfaces,
      groups.map((group) => group.length),
    )
    const entries = [...order].flatMap((i) => groups[i]!)
    const { leftClasses, rightClasses } = dictionary.columns
    for (const { surface, leftId, rightId } of entries) {
      if (leftClasses[leftId] === undefined || rightClasses[rightId] === undefined) {
        throw new RangeError(`[${surface}] has context ids [${leftId}] and [${rightId}], which the dictionary lacks`)
      }
    }
    this.trie = new WordTrie(columns)
    this.left = Uint16Array.from(entries, (word) => leftClasses[word.leftId]!)
    this.right = Uint16Array.from(entries, (word) => rightClasses[word.rightId]!)
    this.cost = Int32Array.from(entries, (word) => word.cost)
    this.spacePenalty = Uint8Array.from(entries, (word) => (word.spacePenalty ? 1 : 0))
    this.features = entries.map((word) => word.feature)
  }
}
