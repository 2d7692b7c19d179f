import { luceneGeneration } from '../analysis/automaton/lucene-generation.ts'
import type { EngineVersion } from '../engine-version.ts'
import { inJavaHashOrder } from '../java-hash-order.ts'
import { LucenePriorityQueue } from '../lucene-priority-queue.ts'
import { countBits, countCommonBits } from '../search/lucene/bit-set.ts'
import type { Query } from '../search/query.ts'
import type { AggregationContext } from './aggregation-context.ts'
import type { SignificanceHeuristic, TermFrequencies } from './significance-heuristic.ts'
import { significance } from './significance-heuristic.ts'
import { scriptedSignificance } from './significance-script.ts'

/** What significant terms and significant text have in common. */
export interface SignificantThresholds {
  readonly size: number
  /** Terms a shard sends. */
  readonly shardSize: number
  readonly minDocCount: number
  /** Documents a term has on a shard that sends it. */
  readonly shardMinDocCount: number
  readonly heuristic: SignificanceHeuristic
  /** Documents that terms are compared with; undefined: all. */
  readonly background: Query | undefined
}

/** A term that stands out. */
export interface SignificantChoice {
  readonly bucket: number
  readonly score: number
  readonly backgroundCount: number
}

/** Counts of documents that foregrounds are compared with. */
export class Background {
  readonly size: number
  readonly engineVersion: EngineVersion
  readonly #context: AggregationContext
  readonly #query: Query | undefined

  constructor(context: AggregationContext, query: Query | undefined) {
    this.engineVersion = context.engineVersion
    this.#context = context
    this.#query = query
    // Deleted documents count, as they do in the frequencies of terms.
    this.size =
      query === undefined
        ? context.searchers.reduce((sum, { maxDoc }) => sum + maxDoc, 0)
        : this.#count(undefined, query)
  }

  /** What a bucket is told to be compared with: one without documents with all that there are, whatever the query. */
  toldSize(bucket: number): number {
    if (bucket >= 0) return this.size
    const segments = this.#context.searchers.flatMap((searcher) => searcher.segments)
    return segments.reduce(
      (sum, { liveDocs, maxDoc }) => sum + (liveDocs === undefined ? maxDoc : countBits(liveDocs)),
      0,
    )
  }

  /** Documents with an indexed term, of the indices that tell them. */
  ofTerm(path: string, term: Uint8Array, isTold: (searcherOrdinal: number) => boolean = () => true): number {
    let count = 0
    const query = this.#query
    this.#context.searchers.forEach((searcher, searcherOrdinal) => {
      if (!isTold(searcherOrdinal)) return
      searcher.segments.forEach((reader, segmentOrdinal) => {
        const terms = reader.field(searcher.mapping.field(path)?.path ?? path)?.terms
        const ordinal = terms?.find(term) ?? -1
        if (terms === undefined || ordinal < 0) return
        if (query === undefined) {
          count += terms.docFreq(ordinal)
          return
        }
        const scope = { reader, searcher, searcherOrdinal, segmentOrdinal }
        const bits = new Uint32Array((reader.maxDoc + 31) >>> 5)
        terms.addDocs(ordinal, bits)
        const { liveDocs } = reader
        if (liveDocs !== undefined) for (let i = 0; i < bits.length; i++) bits[i]! &= liveDocs[i] as number
        count += countCommonBits(bits, this.#context.matches(query, scope))
      })
    })
    return count
  }

  /** Documents that match a query, of the indices that tell them. */
  ofQuery(query: Query, isTold?: (searcherOrdinal: number) => boolean): number {
    return this.#count(this.#query, query, isTold)
  }

  #count(first: Query | undefined, second: Query, isTold: (searcherOrdinal: number) => boolean = () => true): number {
    let count = 0
    this.#context.searchers.forEach((searcher, searcherOrdinal) => {
      if (!isTold(searcherOrdinal)) return
      searcher.segments.forEach((reader, segmentOrdinal) => {
        const scope = { reader, searcher, searcherOrdinal, segmentOrdinal }
        let bits = this.#context.matches(second, scope)
        const { liveDocs } = reader
        if (liveDocs !== undefined) bits = bits.map((word, i) => word & (liveDocs[i] as number))
        count += first === undefined ? countBits(bits) : countCommonBits(bits, this.#context.matches(first, scope))
      })
    })
    return count
  }
}

/**
 * Which of several indices have documents in which bucket. Only they tell how many documents with its term they have in
 * all: what it is compared with is the sum of that.
 */
export class Tellers {
  readonly #met: ReadonlySet<number>[]
  readonly #counts: number[] = []
  #searcher = 0
  #isSettled = true

  constructor(searcherCount: number) {
    this.#met = Array.from({ length: searcherCount }, () => new Set<number>())
  }

  /** To be called before documents of an index are counted. */
  enter(searcherOrdinal: number, bucketCount: number, count: (bucket: number) => number): void {
    if (searcherOrdinal !== this.#searcher) this.settle(bucketCount, count)
    this.#searcher = searcherOrdinal
    this.#isSettled = false
  }

  /** To be called once all are counted. */
  settle(bucketCount: number, count: (bucket: number) => number): void {
    if (this.#isSettled) return
    this.#isSettled = true
    const met = this.#met[this.#searcher] as Set<number>
    for (let bucket = 0; bucket < bucketCount; bucket++) {
      const counted = count(bucket)
      if (counted > (this.#counts[bucket] ?? 0)) met.add(bucket)
      this.#counts[bucket] = counted
    }
  }

  tells(searcherOrdinal: number, bucket: number): boolean {
    return this.#met[searcherOrdinal]?.has(bucket) === true
  }
}

/**
 * The terms of a foreground that stand out most. Which of equally significant ones stay, and in which order, is left to
 * chance in the real server: its shards' and its coordinator's heaps decide, which are followed here.
 *
 * @param candidates  buckets in the order in which a shard goes through them
 */
export function chooseSignificant(
  candidates: Iterable<number>,
  thresholds: SignificantThresholds,
  options: {
    readonly subsetSize: number
    readonly background: Background
    readonly count: (bucket: number) => number
    readonly backgroundCount: (bucket: number) => number
    readonly keyText: (bucket: number) => string
  },
): SignificantChoice[] {
  const { size, shardSize, minDocCount, shardMinDocCount, heuristic } = thresholds
  const { subsetSize, background, count, backgroundCount, keyText } = options
  const scoreOf =
    heuristic.kind === 'script'
      ? scriptedSignificance(heuristic.script, background.engineVersion)
      : (frequencies: TermFrequencies) => significance(heuristic, frequencies)
  // Of equals the last to come stayed until Lucene 9.
  const keepsFirst = luceneGeneration(background.engineVersion) >= 9
  const isLess = (a: SignificantChoice, b: SignificantChoice): boolean => a.score < b.score
  const ofShard = new LucenePriorityQueue(shardSize, isLess)
  for (const bucket of candidates) {
    const subsetFreq = count(bucket)
    if (subsetFreq < shardMinDocCount) continue
    const supersetFreq = backgroundCount(bucket)
    const score = scoreOf({ subsetFreq, subsetSize, supersetFreq, supersetSize: background.size })
    const choice = { bucket, score, backgroundCount: supersetFreq }
    if (keepsFirst) ofShard.offerGreater(choice)
    else ofShard.offer(choice)
  }
  const byKey = new Map(ofShard.drain().map((choice) => [keyText(choice.bucket), choice]))
  const chosen = new LucenePriorityQueue(Math.min(size, byKey.size), isLess)
  for (const key of inJavaHashOrder([...byKey.keys()])) {
    const choice = byKey.get(key) as SignificantChoice
    if (!(choice.score > 0) || count(choice.bucket) < minDocCount) continue
    if (keepsFirst) chosen.offerGreater(choice)
    else chosen.offer(choice)
  }
  return chosen.drain()
}
