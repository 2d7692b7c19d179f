import { hasBit } from '../search/lucene/bit-set.ts'
import type { AggregationContext, SegmentScope } from './aggregation-context.ts'
import type { StringStatsResult } from './aggregation-result.ts'
import { Aggregator } from './aggregator.ts'
import { BucketObjects } from './bucket-numbers.ts'
import type { DocBatch } from './doc-batch.ts'
import { StringInput, type StringLeaf } from './string-input.ts'
import { resolveValuesSource, unsupportedField, type ValuesSource, type ValuesSourceConfig } from './values-source.ts'

/** `string_stats`: lengths of texts and the spread of their characters. */
export interface StringStatsDefinition {
  readonly kind: 'string_stats'
  readonly source: ValuesSourceConfig
  readonly showDistribution: boolean
}

interface Tally {
  count: number
  totalLength: number
  minLength: number
  maxLength: number
  readonly characters: Map<string, number>
}

/** Lengths of texts and how often each of their characters occurs. */
export class StringStatsAggregator extends Aggregator {
  readonly needsScores = false
  readonly #showDistribution: boolean
  readonly #input: StringInput
  readonly #tallies = new BucketObjects<Tally>(() => ({
    count: 0,
    totalLength: 0,
    minLength: Number.MAX_SAFE_INTEGER,
    maxLength: 0,
    characters: new Map(),
  }))
  #leaf: StringLeaf | undefined

  constructor(definition: StringStatsDefinition, context: AggregationContext) {
    super()
    this.#showDistribution = definition.showDistribution
    const options = { wanted: 'any', engineVersion: context.engineVersion, now: context.now } as const
    const sources = context.searchers.map((searcher) => resolveValuesSource(searcher, definition.source, options))
    context.searchers.forEach((searcher, i) => {
      const found = sources[i] as ValuesSource
      if (found.kind !== 'string' && found.kind !== 'unmapped')
        throw unsupportedField(definition.source, searcher, found, 'string_stats')
    })
    this.#input = new StringInput(context, sources)
  }

  openSegment(segment: SegmentScope): void {
    this.#leaf = this.#input.leaf(segment)
  }

  collect({ docs, buckets, count }: DocBatch): void {
    const { column, map, missing } = this.#leaf as StringLeaf
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number
      const has = column !== undefined && (column.present === undefined || hasBit(column.present, doc))
      const from = !has ? 0 : column.offsets === undefined ? doc : (column.offsets[doc] as number)
      const to = !has ? 0 : column.offsets === undefined ? doc + 1 : (column.offsets[doc + 1] as number)
      if (from === to && missing >= 0) this.#add(buckets[i] as number, missing)
      for (let at = from; at < to; at++) {
        const ordinal = column!.values[at] as number
        this.#add(buckets[i] as number, map === undefined ? ordinal : (map[ordinal] as number))
      }
    }
  }

  build(bucket: number): StringStatsResult {
    const tally = this.#tallies.get(bucket)
    const empty = { kind: 'string_stats', count: 0, minLength: 0, maxLength: 0, avgLength: 0, entropy: 0 } as const
    const distribution = this.#showDistribution ? [] : undefined
    if (tally === undefined) return { ...empty, distribution }
    const { count, totalLength, minLength, maxLength, characters } = tally
    const shares = [...characters].map(([character, times]) => [character, times / totalLength] as const)
    let entropy = 0
    for (const [, share] of shares) entropy -= (share * Math.log(share)) / Math.log(2)
    return {
      kind: 'string_stats',
      count,
      minLength,
      maxLength,
      avgLength: totalLength / count,
      entropy,
      distribution: this.#showDistribution ? shares.sort((a, b) => b[1] - a[1]) : undefined,
    }
  }

  #add(bucket: number, ordinal: number): void {
    const text = this.#input.text(ordinal)
    const tally = this.#tallies.at(bucket)
    tally.count++
    tally.totalLength += text.length
    tally.minLength = Math.min(tally.minLength, text.length)
    tally.maxLength = Math.max(tally.maxLength, text.length)
    for (const character of text) tally.characters.set(character, (tally.characters.get(character) ?? 0) + 1)
  }
}
