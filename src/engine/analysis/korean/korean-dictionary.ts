import { arraysIn, type SharedMemory } from '../../kernel.ts'
import {
  type DictionaryColumns,
  type DictionaryMeta,
  ENTRY_FEATURE,
  ENTRY_UNITS,
  FEATURE_HAS_READING,
} from './dictionary-columns.ts'
import { type Feature, parseFeature } from './feature.ts'
import { WordTrie } from './word-trie.ts'

/**
 * A dictionary ready to look up: words, costs and features of one lexicon. Immutable; one serves every tokenizer of
 * a process, and threads share its columns.
 */
export class KoreanDictionary {
  readonly columns: DictionaryColumns
  /** What the columns stand in, if it can be shared with kernels. */
  readonly memory: SharedMemory | undefined
  readonly meta: DictionaryMeta
  readonly trie: WordTrie
  /** Number of right classes: the stride of `columns.connectionCosts`. */
  readonly rightClassCount: number
  readonly leftClassCount: number
  readonly entryCount: number
  /** Left classes of the words of one unit, each once: those of trie node n from `unitLeftStarts[n]` to that of n + 1. */
  readonly unitLefts: Uint16Array
  readonly unitLeftStarts: Int32Array
  /** Lowest connection cost by left class. */
  readonly leastCosts: Int16Array
  /** Where the line of each feature begins; one more at the end. */
  readonly #featureStarts: Uint32Array
  readonly #features: (Feature | undefined)[] = []

  constructor(columns: DictionaryColumns, memory?: SharedMemory) {
    this.columns = columns
    this.memory = memory
    this.meta = JSON.parse(decodeUtf8(columns.meta)) as DictionaryMeta
    this.trie = new WordTrie(columns, memory)
    this.entryCount = columns.entries.length / ENTRY_UNITS
    this.rightClassCount = largest(columns.rightClasses) + 1
    this.leftClassCount = largest(columns.leftClasses) + 1
    const { lefts, starts } = unitLefts(this.trie, columns.entries)
    this.unitLefts = arraysIn(memory, Uint16Array)(lefts.length)
    this.unitLefts.set(lefts)
    this.unitLeftStarts = arraysIn(memory, Int32Array)(starts.length)
    this.unitLeftStarts.set(starts)
    this.leastCosts = arraysIn(memory, Int16Array)(this.leftClassCount)
    setLeastCosts(this.leastCosts, columns.connectionCosts)
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

function largest(values: Uint16Array): number {
  let max = 0
  for (const value of values) if (value > max) max = value
  return max
}

function unitLefts(trie: WordTrie, entries: Uint16Array): { lefts: number[]; starts: number[] } {
  const lefts: number[] = []
  const starts = [0]
  for (let node = 0; node < trie.firstLevelEnd; node++) {
    const from = lefts.length
    const last = trie.firstEntry(node + 1)
    for (let entry = trie.firstEntry(node); entry < last; entry++) {
      const left = entries[entry * ENTRY_UNITS]!
      if (lefts.indexOf(left, from) === -1) lefts.push(left)
    }
    starts.push(lefts.length)
  }
  return { lefts, starts }
}

function setLeastCosts(least: Int16Array, costs: Int16Array): void {
  const stride = costs.length / least.length
  for (let left = 0, i = 0; left < least.length; left++) {
    let lowest = 0x7fff
    for (const end = i + stride; i < end; i++) if (costs[i]! < lowest) lowest = costs[i]!
    least[left] = lowest
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
