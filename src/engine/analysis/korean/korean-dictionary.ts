import type { SharedMemory } from '../../kernel.ts'
import {
  type DictionaryColumns,
  type DictionaryMeta,
  ENTRY_FEATURE,
  ENTRY_UNITS,
  FEATURE_HAS_READING,
} from './dictionary-columns.ts'
import { classCount, type DictionaryTables, dictionaryTables } from './dictionary-tables.ts'
import { type Feature, parseFeature } from './feature.ts'
import { WordTrie } from './word-trie.ts'

/**
 * A dictionary ready to look up: words, costs and features of one lexicon. Immutable; one serves every tokenizer of
 * a process, and threads share its columns.
 */
export class KoreanDictionary {
  readonly columns: DictionaryColumns
  readonly tables: DictionaryTables
  /** What both stand in, if it can be shared with kernels. */
  readonly memory: SharedMemory | undefined
  readonly meta: DictionaryMeta
  readonly trie: WordTrie
  /** Number of right classes: the stride of `columns.connectionCosts`. */
  readonly rightClassCount: number
  readonly leftClassCount: number
  readonly entryCount: number
  /** Where the line of each feature begins; one more at the end. */
  readonly #featureStarts: Uint32Array
  readonly #features: (Feature | undefined)[] = []

  /** @param image  what the columns stand in, if it is an image */
  constructor(
    columns: DictionaryColumns,
    image?: { readonly memory: SharedMemory; readonly tables: DictionaryTables },
  ) {
    this.columns = columns
    this.tables = image?.tables ?? dictionaryTables(columns)
    this.memory = image?.memory
    this.meta = JSON.parse(decodeUtf8(columns.meta)) as DictionaryMeta
    this.trie = new WordTrie(columns, this.tables)
    this.entryCount = columns.entries.length / ENTRY_UNITS
    this.rightClassCount = classCount(columns.rightClasses)
    this.leftClassCount = this.tables.leastCosts.length
    this.#featureStarts = lineStarts(columns.features, columns.featureFlags.length)
  }

  /** Number of an entry's feature. */
  entryFeature(entry: number): number {
    return this.columns.entries[entry * ENTRY_UNITS + ENTRY_FEATURE]!
  }

  /** The feature of that number, read on first use. */
  feature(number: number): Feature {
    const known = this.#features[number]
    if (known !== undefined) return known
    const starts = this.#featureStarts
    const line = this.columns.features.subarray(starts[number]!, starts[number + 1]! - 1)
    const feature = parseFeature(decodeUtf8(line))
    this.#features[number] = feature
    return feature
  }

  /** Whether entries of this one's feature have a reading: only then ask for it. */
  hasReading(entry: number): boolean {
    return (this.columns.featureFlags[this.entryFeature(entry)]! & FEATURE_HAS_READING) !== 0
  }

  /** Reading of an entry where it differs from the word, else undefined. */
  reading(entry: number): string | undefined {
    if (!this.hasReading(entry)) return undefined
    const entries = this.columns.readingEntries
    let low = 0
    let high = entries.length
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if (entries[middle]! <= entry) low = middle
      else high = middle
    }
    if (entries[low] !== entry) return undefined
    const starts = this.columns.readingStarts
    return String.fromCharCode(...this.columns.readingUnits.subarray(starts[low]!, starts[low + 1]!))
  }
}

/** Decodes a copy, as a decoder takes no shared memory. */
function decodeUtf8(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8')
}

function lineStarts(text: Uint8Array, count: number): Uint32Array {
  const starts = new Uint32Array(count + 1)
  for (let line = 1, start = 0; line < count; line++) {
    start = text.indexOf(0x0a, start) + 1
    starts[line] = start
  }
  // As if the last line ended in a line feed, too.
  starts[count] = text.length + 1
  return starts
}
