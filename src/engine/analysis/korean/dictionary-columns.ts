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
  /**
   * Rows of {@link ENTRY_UNITS}: left class, right class, cost (signed, as its low 16 bits), feature. Together, as they
   * are read together: a row lies in one line of the processor's cache.
   */
  readonly entries: Uint16Array
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

/** Units of an entry in {@link DictionaryColumns.entries}, and where its right class, cost and feature stand. */
export const ENTRY_UNITS = 4
export const ENTRY_RIGHT = 1
export const ENTRY_COST = 2
export const ENTRY_FEATURE = 3

/** The word costs 3000 more after a space (endings, particles, suffixes, the copula). */
export const FEATURE_SPACE_PENALTY = 1

/** The entries of the feature have a reading other than their surface. */
export const FEATURE_HAS_READING = 2

/** What a word costs more behind a space when its feature has {@link FEATURE_SPACE_PENALTY}. */
export const SPACE_PENALTY = 3000
