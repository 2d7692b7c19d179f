import type { LongArray, SegmentReader } from '../../index/segment-reader.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { DocBatch } from '../doc-batch.ts'
import { type NumericLeaf, numericLeaf, type ValueBatch } from './value-batch.ts'
import type { NumericSource, ValuesSource } from './values-source.ts'

/** Stands numbers in for longs beyond 2^53, so that they can be told apart: each value gets the next free number. */
export class ExactLongs {
  readonly #numbers = new Map<bigint, number>()
  readonly #values: bigint[] = []

  /** Whether some segment of the search has longs that are not exact in a double. */
  static needed(context: AggregationContext, sources: readonly ValuesSource[]): boolean {
    return context.searchers.some((searcher, i) => {
      const source = sources[i]
      return (
        source?.kind === 'numeric' &&
        ((source.isUnsigned && source.missing !== undefined) ||
          searcher.segments.some((reader) => reader.field(source.path)?.docValues?.kind === 'bigint'))
      )
    })
  }

  /** A long by the number that stands for it. */
  value(number: number): number | bigint {
    const value = this.#values[number] as bigint
    const double = Number(value)
    return Number.isSafeInteger(double) ? double : value
  }

  /** Like {@link numericLeaf}, with values replaced by their numbers (values of a document in any order). */
  leaf(segment: SegmentReader, { path, missing, isUnsigned }: NumericSource): NumericLeaf {
    const whole = (value: number): bigint => (isUnsigned ? BigInt.asUintN(64, javaLong(value)) : javaLong(value))
    const standIn = missing === undefined ? undefined : whole(missing)
    const column = segment.field(path)?.docValues
    if (column?.kind !== 'bigint') {
      const plain = numericLeaf(segment, path, missing)
      return {
        limit: Number.POSITIVE_INFINITY,
        gather: (batch, out) => {
          plain.gather(batch, out)
          for (let i = 0; i < out.count; i++) out.values[i] = this.number(whole(out.values[i] as number))
        },
      }
    }
    const { values, present, offsets } = column
    return {
      limit: Number.POSITIVE_INFINITY,
      gather: (batch, out) => this.#gather(batch, out, { values, present, offsets, missing: standIn }),
    }
  }

  #gather(
    batch: DocBatch,
    out: ValueBatch,
    column: {
      readonly values: LongArray
      readonly present: Uint32Array | undefined
      readonly offsets: Uint32Array | undefined
      readonly missing: bigint | undefined
    },
  ): void {
    const { values, present, offsets, missing } = column
    out.reset(batch)
    const { docs, buckets, scores, count } = batch
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number
      const bucket = buckets[i] as number
      const score = scores === undefined ? 0 : (scores[i] as number)
      const has = present === undefined || ((present[doc >>> 5] as number) & (1 << (doc & 31))) !== 0
      if (!has) {
        if (missing !== undefined) out.push(doc, bucket, score, this.number(missing))
        continue
      }
      const from = offsets === undefined ? doc : (offsets[doc] as number)
      const to = offsets === undefined ? doc + 1 : (offsets[doc + 1] as number)
      for (let at = from; at < to; at++) out.push(doc, bucket, score, this.number(values[at] as bigint))
    }
  }

  /** The number that stands for a long. */
  number(value: bigint): number {
    let number = this.#numbers.get(value)
    if (number === undefined) {
      number = this.#values.push(value) - 1
      this.#numbers.set(value, number)
    }
    return number
  }
}

/** A double as Java casts it to a long. */
function javaLong(value: number): bigint {
  const limit = 2n ** 63n
  const whole = BigInt(Math.trunc(value))
  return whole >= limit ? limit - 1n : whole < -limit ? -limit : whole
}
