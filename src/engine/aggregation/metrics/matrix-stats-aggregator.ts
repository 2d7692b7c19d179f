import { setOwn } from '../../../set-own.ts'
import { inJavaHashOrder } from '../../java/java-hash-order.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { MatrixFieldStats, MatrixStatsResult } from '../aggregation-result.ts'
import { Aggregator } from '../aggregator.ts'
import type { DocBatch } from '../doc-batch.ts'
import { NumericInput } from '../values/numeric-input.ts'
import type { ValuesSourceConfig } from '../values/values-source.ts'

/** `matrix_stats`: moments of several fields and how they go together. */
export interface MatrixStatsDefinition {
  readonly kind: 'matrix_stats'
  /** The fields, each once. */
  readonly sources: readonly (ValuesSourceConfig & { readonly field: string })[]
  /** Which of several values of a document counts. */
  readonly mode: 'avg' | 'min' | 'max' | 'sum' | 'median'
}

/** One pass over documents that have all of the fields. */
export class MatrixStatsAggregator extends Aggregator {
  readonly needsScores = false
  readonly #mode: MatrixStatsDefinition['mode']
  readonly #fields: readonly string[]
  readonly #inputs: readonly NumericInput[]
  readonly #isOfSeveral: boolean
  /** Of the index that is being seen, by bucket. */
  #moments: RunningMoments[] = []
  /** Of those before it. */
  #ended: RunningMoments[] = []

  constructor(definition: MatrixStatsDefinition, context: AggregationContext) {
    super()
    const byField = new Map(definition.sources.map((source) => [source.field, source]))
    // The order of the fields decides how sums of products are rounded: since 7.x that of a map made for so many.
    const isOlder = context.engineVersion === 'Elasticsearch_6.8'
    const capacity = isOlder ? 16 : 2 ** Math.ceil(Math.log2(Math.max(1, definition.sources.length)))
    const inputs = inJavaHashOrder([...byField.keys()], capacity).map((field) => ({
      field,
      input: new NumericInput(context, byField.get(field) as ValuesSourceConfig, undefined),
    }))
    // A field that no index maps is passed over.
    const mapped = inputs.filter(({ input }) => !input.isUnmapped)
    this.#inputs = mapped.map(({ input }) => input)
    const fields = mapped.map(({ field }) => field)
    this.#mode = definition.mode
    this.#fields = fields
    this.#isOfSeveral = context.searchers.length > 1
  }

  override finishIndex(): void {
    if (!this.#isOfSeveral) return
    const own = this.#moments
    this.#moments = []
    own.forEach((moments, bucket) => {
      const before = this.#ended[bucket]
      if (before === undefined) this.#ended[bucket] = moments
      else before.merge(moments)
    })
  }

  openSegment(segment: SegmentScope): void {
    for (const input of this.#inputs) input.openSegment(segment)
  }

  collect(batch: DocBatch): void {
    const mode = this.#mode
    if (this.#inputs.length === 0) return
    const columns = this.#inputs.map((input) => input.values(batch))
    const at = new Int32Array(columns.length)
    const values = new Float64Array(columns.length)
    for (let i = 0; i < batch.count; i++) {
      const doc = batch.docs[i] as number
      const bucket = batch.buckets[i] as number
      let complete = true
      for (let f = 0; f < columns.length; f++) {
        const column = columns[f]!
        const from = at[f] as number
        let to = from
        while (to < column.count && column.docs[to] === doc && column.buckets[to] === bucket) to++
        at[f] = to
        if (from === to) complete = false
        else values[f] = combined(column.values.subarray(from, to), mode)
      }
      if (!complete) continue
      this.#moments[bucket] ??= new RunningMoments(columns.length)
      this.#moments[bucket].add(values)
    }
  }

  build(bucket: number): MatrixStatsResult {
    const moments = this.#moments[bucket] ?? this.#ended[bucket]
    if (moments === undefined) return { kind: 'matrix_stats', docCount: 0, fields: [] }
    const fields = this.#fields
    return {
      kind: 'matrix_stats',
      docCount: moments.count,
      fields: inJavaHashOrder(fields).map((name) => moments.stats(fields.indexOf(name), fields)),
    }
  }
}

/** A document's one value: of several, what the mode makes of them (ascending). */
function combined(values: Float64Array, mode: MatrixStatsDefinition['mode']): number {
  const { length } = values
  if (length === 1) return values[0] as number
  switch (mode) {
    case 'min':
      return values[0] as number
    case 'max':
      return values[length - 1] as number
    case 'median':
      return length % 2 === 1
        ? (values[length >> 1] as number)
        : ((values[(length >> 1) - 1] as number) + (values[length >> 1] as number)) / 2
    case 'sum':
    case 'avg': {
      let sum = 0
      for (let i = 0; i < length; i++) sum += values[i] as number
      return mode === 'sum' ? sum : sum / length
    }
  }
}

/**
 * Sums of powers of distances from the running means, and of products.
 *
 * @source Pébay, «Formulas for robust, one-pass parallel computation of covariances and arbitrary-order statistical moments»
 */
class RunningMoments {
  count = 0
  readonly #sums: Float64Array
  readonly #means: Float64Array
  readonly #m2: Float64Array
  readonly #m3: Float64Array
  readonly #m4: Float64Array
  readonly #deltas: Float64Array
  /** Of field i and j > i, at i · size + j. */
  readonly #products: Float64Array

  constructor(size: number) {
    this.#sums = new Float64Array(size)
    this.#means = new Float64Array(size)
    this.#m2 = new Float64Array(size)
    this.#m3 = new Float64Array(size)
    this.#m4 = new Float64Array(size)
    this.#deltas = new Float64Array(size)
    this.#products = new Float64Array(size * size)
  }

  add(values: Float64Array): void {
    const n = ++this.count
    const size = values.length
    for (let f = 0; f < size; f++) {
      const value = values[f] as number
      this.#sums[f]! += value
      this.#deltas[f] = value * n - (this.#sums[f] as number)
      if (n === 1) {
        this.#means[f] = value
        continue
      }
      const d = value - (this.#means[f] as number)
      this.#means[f]! += d / n
      const dn = d / n
      const t1 = d * dn * (n - 1)
      const m2 = this.#m2[f] as number
      this.#m2[f] = m2 + t1
      const m3 = this.#m3[f] as number
      this.#m3[f] = m3 + (t1 * dn * (n - 2) - 3 * dn * m2)
      const dn2 = dn * dn
      this.#m4[f]! += t1 * dn2 * (n * n - 3 * n + 3) + 6 * dn2 * m2 - 4 * dn * m3
    }
    if (n === 1) return
    for (let a = 0; a < size; a++) {
      for (let b = a + 1; b < size; b++) {
        this.#products[a * size + b]! += (1 / (n * (n - 1))) * (this.#deltas[a] as number) * (this.#deltas[b] as number)
      }
    }
  }

  /** Adds those of another index, in the real server's steps. */
  merge(other: RunningMoments): void {
    const size = this.#means.length
    const [nA, nB] = [this.count, other.count]
    const n = nA + nB
    const n2 = n * n
    for (let f = 0; f < size; f++) {
      const [meanA, m2A, m3A, m4A] = this.#of(f)
      const [meanB, m2B, m3B, m4B] = other.#of(f)
      this.#means[f] = (nA * meanA + nB * meanB) / n
      this.#deltas[f] = (other.#sums[f] as number) / nB - (this.#sums[f] as number) / nA
      this.#sums[f]! += other.#sums[f] as number
      const d = meanB - meanA
      const d2 = d * d
      const d3 = d * d2
      const d4 = d2 * d2
      this.#m2[f] = m2A + m2B + (d2 * nA * nB) / n
      this.#m3[f] = m3A + m3B + (d3 * nA * nB * (nA - nB)) / n2 + (3 * d * (nA * m2B - nB * m2A)) / n
      const spread = m4A + m4B + (d4 * nA * nB * (nA * nA - nA * nB + nB * nB)) / (n2 * n)
      this.#m4[f] = spread + (6 * d2 * (nA * nA * m2B + nB * nB * m2A)) / n2 + (4 * d * (nA * m3B - nB * m3A)) / n
    }
    const factor = (nA * nB) / n
    for (let a = 0; a < size; a++) {
      for (let b = a + 1; b < size; b++) {
        const together = factor * (this.#deltas[a] as number) * (this.#deltas[b] as number)
        this.#products[a * size + b]! += (other.#products[a * size + b] as number) + together
      }
    }
    this.count = n
  }

  #of(f: number): readonly [mean: number, m2: number, m3: number, m4: number] {
    return [this.#means[f], this.#m2[f], this.#m3[f], this.#m4[f]] as [number, number, number, number]
  }

  stats(f: number, fields: readonly string[]): MatrixFieldStats {
    const n = this.count
    const m2 = this.#m2[f] as number
    const covariance: Record<string, number> = {}
    const correlation: Record<string, number> = {}
    for (const name of inJavaHashOrder(fields)) {
      const other = fields.indexOf(name)
      setOwn(covariance, name, this.#covariance(f, other))
      setOwn(correlation, name, other === f ? 1 : this.#correlation(f, other))
    }
    return {
      name: fields[f] as string,
      count: n,
      mean: this.#means[f] as number,
      variance: m2 / (n - 1),
      skewness: (Math.sqrt(n) * (this.#m3[f] as number)) / powThreeHalves(m2),
      kurtosis: (n * (this.#m4[f] as number)) / (m2 * m2),
      covariance,
      correlation,
    }
  }

  #covariance(a: number, b: number): number {
    if (a === b) return (this.#m2[a] as number) / (this.count - 1)
    const size = this.#means.length
    return (this.#products[Math.min(a, b) * size + Math.max(a, b)] as number) / (this.count - 1)
  }

  #correlation(a: number, b: number): number {
    const deviation = (f: number): number => Math.sqrt((this.#m2[f] as number) / (this.count - 1))
    const together = deviation(Math.min(a, b)) * deviation(Math.max(a, b))
    // What never varies goes with nothing, however rounding has it.
    return together === 0 ? Number.NaN : this.#covariance(a, b) / together
  }
}

/** x^1.5, correctly rounded as Java's Math.pow nearly always is: the square root's error, known exactly, goes in. */
function powThreeHalves(x: number): number {
  const root = Math.sqrt(x)
  if (!(x > 1e-100 && x < 1e100)) return x ** 1.5
  const [square, squareError] = exactProduct(root, root)
  const rootError = (x - square - squareError) / (2 * root)
  const [product, productError] = exactProduct(x, root)
  return product + (productError + x * rootError)
}

/** A product and what rounding took from it (Dekker). */
function exactProduct(a: number, b: number): readonly [product: number, error: number] {
  const product = a * b
  const [aHigh, aLow] = halves(a)
  const [bHigh, bLow] = halves(b)
  return [product, aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow)]
}

function halves(a: number): readonly [high: number, low: number] {
  const scaled = a * 134_217_729
  const high = scaled - (scaled - a)
  return [high, a - high]
}
