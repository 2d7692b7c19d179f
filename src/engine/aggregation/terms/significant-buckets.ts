import { LucenePriorityQueue } from '../../algorithms/lucene-priority-queue.ts'
import { luceneGeneration } from '../../analysis/automaton/lucene-generation.ts'
import type { EngineVersion } from '../../engine-version.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import { inJavaHashOrder } from '../../java/java-hash-order.ts'
import { countBits, countCommonBits } from '../../search/lucene/bit-set.ts'
import type { Query } from '../../search/queries/query.ts'
import type { AggregationContext } from '../aggregation-context.ts'
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
  readonly docCount: number
  readonly backgroundCount: number
}

/** Counts of documents that foregrounds are compared with, index by index. */
export class Background {
  readonly engineVersion: EngineVersion
  readonly #context: AggregationContext
  readonly #query: Query | undefined
  readonly #sizes: readonly number[]

  constructor(context: AggregationContext, query: Query | undefined) {
    this.engineVersion = context.engineVersion
    this.#context = context
    this.#query = query
    // Deleted documents count, as they do in the frequencies of terms.
    this.#sizes = context.searchers.map(({ maxDoc }, index) =>
      query === undefined ? maxDoc : this.#count(index, undefined, query),
    )
  }

  /** Documents of an index. */
  size(index: number): number {
    return this.#sizes[index] as number
  }

  /** Documents that there are in an index, whatever the query: what a bucket without documents is told to be compared with. */
  wholeSize(index: number): number {
    const segments = this.#context.searchers[index]?.segments ?? []
    return segments.reduce(
      (sum, { liveDocs, maxDoc }) => sum + (liveDocs === undefined ? maxDoc : countBits(liveDocs)),
      0,
    )
  }

  /** Documents of an index with an indexed term. */
  ofTerm(index: number, path: string, term: Uint8Array): number {
    let count = 0
    const query = this.#query
    const searcher = this.#context.searchers[index] as IndexSearcher
    searcher.segments.forEach((reader, segmentOrdinal) => {
      const terms = reader.field(searcher.mapping.field(path)?.path ?? path)?.terms
      const ordinal = terms?.find(term) ?? -1
      if (terms === undefined || ordinal < 0) return
      if (query === undefined) {
        count += terms.docFreq(ordinal)
        return
      }
      const scope = { reader, searcher, searcherOrdinal: index, segmentOrdinal }
      const bits = new Uint32Array((reader.maxDoc + 31) >>> 5)
      terms.addDocs(ordinal, bits)
      const { liveDocs } = reader
      if (liveDocs !== undefined) for (let i = 0; i < bits.length; i++) bits[i]! &= liveDocs[i] as number
      count += countCommonBits(bits, this.#context.matches(query, scope))
    })
    return count
  }

  /** Documents of an index that match a query. */
  ofQuery(index: number, query: Query): number {
    return this.#count(index, this.#query, query)
  }

  #count(index: number, first: Query | undefined, second: Query): number {
    let count = 0
    const searcher = this.#context.searchers[index] as IndexSearcher
    searcher.segments.forEach((reader, segmentOrdinal) => {
      const scope = { reader, searcher, searcherOrdinal: index, segmentOrdinal }
      let bits = this.#context.matches(second, scope)
      const { liveDocs } = reader
      if (liveDocs !== undefined) bits = bits.map((word, i) => word & (liveDocs[i] as number))
      count += first === undefined ? countBits(bits) : countCommonBits(bits, this.#context.matches(first, scope))
    })
    return count
  }
}

/** What {@link chooseSignificant} compares. */
export interface Foreground {
  /** Indices that map the field and have the bucket around the terms. */
  readonly indices: readonly number[]
  readonly subsetSize: (index: number) => number
  readonly background: Background
  readonly count: (index: number, bucket: number) => number
  readonly backgroundCount: (index: number, bucket: number) => number
  readonly keyText: (bucket: number) => string
}

/** The terms of a foreground that stand out most, and how large it and its background are. */
export interface SignificantTerms {
  readonly chosen: readonly SignificantChoice[]
  readonly subsetSize: number
  readonly supersetSize: number
}

/**
 * The terms of a foreground that stand out most. Each index tells its own, which are counted where they are told. Which of
 * equally significant ones stay, and in which order, is left to chance in the real server: its shards' and its coordinator's
 * heaps decide, which are followed here.
 *
 * @param candidates  buckets in the order in which a shard goes through them
 */
export function chooseSignificant(
  candidates: ArrayLike<number> & Iterable<number>,
  { size, shardSize, minDocCount, shardMinDocCount, heuristic }: SignificantThresholds,
  { indices, subsetSize: sizeIn, background, count, backgroundCount, keyText }: Foreground,
): SignificantTerms {
  const scoreOf =
    heuristic.kind === 'script'
      ? scriptedSignificance(heuristic.script, background.engineVersion)
      : (frequencies: TermFrequencies) => significance(heuristic, frequencies)
  // Of equals the last to come stayed until Lucene 9.
  const keepsFirst = luceneGeneration(background.engineVersion) >= 9
  const isLess = (a: SignificantChoice, b: SignificantChoice): boolean => a.score < b.score
  const best = (choices: Iterable<SignificantChoice>, size: number): SignificantChoice[] => {
    const queue = new LucenePriorityQueue(size, isLess)
    for (const choice of choices) {
      if (keepsFirst) queue.offerGreater(choice)
      else queue.offer(choice)
    }
    return queue.drain()
  }
  const scored = (
    bucket: number,
    subsetFreq: number,
    supersetFreq: number,
    sizes: Pick<TermFrequencies, 'subsetSize' | 'supersetSize'>,
  ): SignificantChoice => {
    const score = scoreOf({ subsetFreq, supersetFreq, ...sizes })
    return { bucket, score, docCount: subsetFreq, backgroundCount: supersetFreq }
  }
  const told = new Map<string, SignificantChoice[]>()
  let subsetSize = 0
  let supersetSize = 0
  for (const index of indices) {
    const sizes = { subsetSize: sizeIn(index), supersetSize: background.size(index) }
    subsetSize += sizes.subsetSize
    supersetSize += sizes.supersetSize
    const ofIndex = function* (): Iterable<SignificantChoice> {
      for (const bucket of candidates) {
        const subsetFreq = count(index, bucket)
        if (subsetFreq === 0 || subsetFreq < shardMinDocCount) continue
        yield scored(bucket, subsetFreq, backgroundCount(index, bucket), sizes)
      }
    }
    for (const choice of best(ofIndex(), shardSize)) {
      const key = keyText(choice.bucket)
      const others = told.get(key)
      if (others === undefined) told.set(key, [choice])
      else others.push(choice)
    }
  }
  const reduced = function* (): Iterable<SignificantChoice> {
    for (const key of inJavaHashOrder([...told.keys()])) {
      const parts = told.get(key) as SignificantChoice[]
      const sum = (member: 'docCount' | 'backgroundCount'): number =>
        parts.reduce((whole, part) => whole + part[member], 0)
      const { bucket } = parts[0] as SignificantChoice
      const choice = scored(bucket, sum('docCount'), sum('backgroundCount'), { subsetSize, supersetSize })
      if (choice.score > 0 && choice.docCount >= minDocCount) yield choice
    }
  }
  return { chosen: best(reduced(), Math.min(size, told.size)), subsetSize, supersetSize }
}
