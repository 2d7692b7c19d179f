import {
  type DictionaryColumns,
  type DictionaryMeta,
  ENTRY_UNITS,
  FEATURE_HAS_READING,
  FEATURE_SPACE_PENALTY,
} from './dictionary-columns.ts'
import { type Feature, formatFeature } from './feature.ts'
import { buildTrie } from './word-trie.ts'

/** One line of a lexicon. */
export interface LexiconEntry {
  readonly surface: string
  readonly leftId: number
  readonly rightId: number
  readonly cost: number
  readonly feature: Feature
  /** Costs more behind a space. */
  readonly spacePenalty: boolean
  /** Reading where it differs from the surface. */
  readonly reading: string | undefined
}

/** Connection costs by context ids: `costs[leftId * rightSize + rightId]`. */
export interface ConnectionMatrix {
  readonly leftSize: number
  readonly rightSize: number
  readonly costs: Int16Array
}

/** Everything a dictionary is made of, in the lexicon's order. */
export interface Lexicon {
  readonly meta: DictionaryMeta
  readonly entries: readonly LexiconEntry[]
  readonly matrix: ConnectionMatrix
  /**
   * Leave out entries that can never win: same surface, classes and penalty as one that is cheaper or earlier.
   * False keeps all: nori looks at how many paths are alive.
   */
  readonly prune: boolean
  /** See `DictionaryColumns.unitTraits`; empty for seunjeon. */
  readonly unitTraits: Uint16Array
}

/**
 * Turns a lexicon into columns.
 *
 * @throws {RangeError} when it has more than 65,536 distinct features
 */
export function buildColumns(lexicon: Lexicon): DictionaryColumns {
  const { matrix, meta } = lexicon
  const leftClasses = classesOf(matrix, 'left', lexicon.entries)
  const rightClasses = classesOf(matrix, 'right', lexicon.entries)
  const bySurface = groupBySurface(lexicon.entries)
  if (lexicon.prune) for (const group of bySurface.values()) pruneLosers(group, leftClasses, rightClasses)
  const words = [...bySurface.keys()].sort()
  const groups = words.map((word) => bySurface.get(word)!)
  const { columns: trie, order } = buildTrie(
    words,
    groups.map((group) => group.length),
  )
  const entries = [...order].flatMap((word) => groups[word]!)
  const pool = new FeaturePool()
  const rows = new Uint16Array(entries.length * ENTRY_UNITS)
  entries.forEach((entry, i) => {
    rows.set([leftClasses[entry.leftId]!, rightClasses[entry.rightId]!, entry.cost, pool.add(entry)], i * ENTRY_UNITS)
  })
  const readings: string[] = []
  const readingEntries: number[] = []
  entries.forEach((entry, i) => {
    if (entry.reading === undefined) return
    readingEntries.push(i)
    readings.push(entry.reading)
  })
  const readingStarts = new Uint32Array(readings.length + 1)
  readings.forEach((reading, i) => {
    readingStarts[i + 1] = readingStarts[i]! + reading.length
  })
  return {
    ...trie,
    meta: Buffer.from(JSON.stringify(meta)),
    entries: rows,
    connectionCosts: classCosts(matrix, leftClasses, rightClasses),
    leftClasses,
    rightClasses,
    features: Buffer.from(pool.lines.join('\n')),
    featureFlags: Uint8Array.from(pool.flags),
    readingEntries: Uint32Array.from(readingEntries),
    readingStarts,
    readingUnits: Uint16Array.from(readings.join('').split(''), (unit) => unit.charCodeAt(0)),
    unitTraits: lexicon.unitTraits,
  }
}

function groupBySurface(entries: readonly LexiconEntry[]): Map<string, LexiconEntry[]> {
  const groups = new Map<string, LexiconEntry[]>()
  for (const entry of entries) {
    const group = groups.get(entry.surface)
    if (group === undefined) groups.set(entry.surface, [entry])
    else group.push(entry)
  }
  return groups
}

function pruneLosers(group: LexiconEntry[], leftClasses: Uint16Array, rightClasses: Uint16Array): void {
  if (group.length === 1) return
  const winners = new Map<string, LexiconEntry>()
  const key = (e: LexiconEntry): string => `${leftClasses[e.leftId]},${rightClasses[e.rightId]},${e.spacePenalty}`
  for (const entry of group) {
    const best = winners.get(key(entry))
    if (best === undefined || entry.cost < best.cost) winners.set(key(entry), entry)
  }
  const kept = group.filter((entry) => winners.get(key(entry)) === entry)
  group.splice(0, group.length, ...kept)
}

/** Features by line and flags, numbered as they come; the commonest lexicon has some ten thousand. */
class FeaturePool {
  readonly lines: string[] = []
  readonly flags: number[] = []
  readonly #numbers = new Map<string, number>()

  add(entry: LexiconEntry): number {
    const line = formatFeature(entry.feature)
    const flags =
      (entry.spacePenalty ? FEATURE_SPACE_PENALTY : 0) | (entry.reading === undefined ? 0 : FEATURE_HAS_READING)
    const key = `${flags} ${line}`
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const number = this.lines.length
    if (number > 0xffff) throw new RangeError('the lexicon has more than 65536 distinct features')
    this.#numbers.set(key, number)
    this.lines.push(line)
    this.flags.push(flags)
    return number
  }
}

function classesOf(matrix: ConnectionMatrix, side: 'left' | 'right', entries: readonly LexiconEntry[]): Uint16Array {
  const { leftSize, rightSize, costs } = matrix
  const size = side === 'left' ? leftSize : rightSize
  const uses = new Uint32Array(size)
  for (const entry of entries) uses[side === 'left' ? entry.leftId : entry.rightId]!++
  const idsByCosts = new Map<string, number[]>()
  for (let id = 0; id < size; id++) {
    let line: Int16Array
    if (side === 'left') line = costs.slice(id * rightSize, (id + 1) * rightSize)
    else {
      line = new Int16Array(leftSize)
      for (let left = 0; left < leftSize; left++) line[left] = costs[left * rightSize + id]!
    }
    const key = Buffer.from(line.buffer).toString('latin1')
    const ids = idsByCosts.get(key)
    if (ids === undefined) idsByCosts.set(key, [id])
    else ids.push(id)
  }
  const total = (ids: number[]): number => ids.reduce((sum, id) => sum + uses[id]!, 0)
  const ranked = [...idsByCosts.values()].map((ids) => ({ ids, uses: total(ids) })).sort((a, b) => b.uses - a.uses)
  const classes = new Uint16Array(size)
  ranked.forEach(({ ids }, number) => {
    for (const id of ids) classes[id] = number
  })
  return classes
}

function classCosts(matrix: ConnectionMatrix, leftClasses: Uint16Array, rightClasses: Uint16Array): Int16Array {
  const lefts = representatives(leftClasses)
  const rights = representatives(rightClasses)
  const costs = new Int16Array(lefts.length * rights.length)
  for (let left = 0; left < lefts.length; left++) {
    for (let right = 0; right < rights.length; right++) {
      costs[left * rights.length + right] = matrix.costs[lefts[left]! * matrix.rightSize + rights[right]!]!
    }
  }
  return costs
}

function representatives(classes: Uint16Array): number[] {
  const ids: number[] = []
  classes.forEach((number, id) => {
    ids[number] ??= id
  })
  return ids
}
