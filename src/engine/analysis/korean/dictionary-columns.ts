import type { TrieColumns } from './word-trie.ts'

/** Which tokenizer's rules a dictionary's features follow. */
export type DictionaryKind = 'seunjeon' | 'nori'

/** Ids, cost and tag of unknown words of one character class. */
export interface UnknownWord {
  /** Left and right context ids, as in the source (not classes). */
  readonly leftId: number
  readonly rightId: number
  readonly cost: number
  readonly tag: string
}

/** What a dictionary is, beside its columns. */
export interface DictionaryMeta {
  readonly kind: DictionaryKind
  /** Name and version of the lexicon. */
  readonly origin: string
  /** Unknown words by class number (`unit-class.ts`). */
  readonly unknownWords: readonly UnknownWord[]
  /** Context ids of a user word: a common noun; the right id depends on whether its last syllable has a final consonant. */
  readonly userWord: {
    readonly leftId: number
    readonly rightId: number
    readonly rightIdWithFinal: number
    readonly rightIdWithoutFinal: number
  }
}

/**
 * A dictionary as columns; every array may be backed by shared memory.
 *
 * Context ids are replaced by classes: ids whose row (or column) of connection costs is equal share one. Class numbers
 * go by how many entries use them, so that the costs in use lie close together.
 */
export interface DictionaryColumns extends TrieColumns {
  /** {@link DictionaryMeta} as UTF-8 JSON. */
  readonly meta: Uint8Array
  readonly entryLeft: Uint16Array
  readonly entryRight: Uint16Array
  readonly entryCost: Int16Array
  readonly entryFeature: Uint16Array
  /** `costs[left * rightClasses + right]`: right class of the left word, left class of the right word. */
  readonly connectionCosts: Int16Array
  /** Class by left and by right context id. */
  readonly leftClasses: Uint16Array
  readonly rightClasses: Uint16Array
  /** Lines of `formatFeature`, UTF-8, joined by newlines. */
  readonly features: Uint8Array
  /** {@link FEATURE_SPACE_PENALTY} and {@link FEATURE_HAS_READING} by feature. */
  readonly featureFlags: Uint8Array
  /** Entries that have a reading, ascending. */
  readonly readingEntries: Uint32Array
  /** Where the reading of `readingEntries[i]` begins in `readingUnits`; one more at the end. */
  readonly readingStarts: Uint32Array
  readonly readingUnits: Uint16Array
  /** What nori asks of a UTF-16 unit, by unit: `unit-traits.ts`. Empty in seunjeon's dictionaries. */
  readonly unitTraits: Uint16Array
}

/** Name of a column of {@link DictionaryColumns}. */
export type ColumnName = keyof DictionaryColumns

/** The word costs 3000 more after a space (endings, particles, suffixes, the copula). */
export const FEATURE_SPACE_PENALTY = 1

/** The entries of the feature have a reading other than their surface. */
export const FEATURE_HAS_READING = 2

/** What a word costs more behind a space when its feature has {@link FEATURE_SPACE_PENALTY}. */
export const SPACE_PENALTY = 3000
