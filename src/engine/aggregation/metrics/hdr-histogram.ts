import { ServiceError } from '../../../errors.ts'
import { javaDouble } from '../../java/java-number-text.ts'
import { faultInQueryPhase } from '../../search/query-phase.ts'

/**
 * Counts of values to so many significant digits, whatever their size: each power of two is cut into equal slices.
 *
 * A slice's greatest value lies one unit below the next slice; the unit follows the range of powers that the real histogram
 * would cover by then, which depends on the order values came in and is followed here.
 *
 * @source HdrHistogram's DoubleHistogram, auto-resizing
 */
export class HdrHistogram {
  readonly #half: number
  readonly #counts = new Map<number, number>()
  #zeros = 0
  #total = 0
  /** The covered range is [2^low, 2^high), and these two powers themselves: each value is held against them. */
  #low = 800
  #high = 803
  #lowest = 2 ** this.#low
  #beyond = 2 ** this.#high
  #ratio = 1
  #min = Infinity
  #max = 0

  readonly #roundsUp: boolean

  /**
   * @param digits    0…5
   * @param roundsUp  the number of values to pass is rounded up, as later versions of the real histogram do
   */
  constructor(digits: number, roundsUp: boolean) {
    this.#roundsUp = roundsUp
    this.#half = 2 ** (Math.ceil(Math.log2(2 * 10 ** digits)) - 1)
  }

  get count(): number {
    return this.#total
  }

  /** What it keeps on the heap, about. */
  get sizeBytes(): number {
    return 400 + this.#counts.size * 32
  }

  /** @throws {ServiceError} array_index_out_of_bounds_exception for a negative value */
  add(value: number): void {
    this.#total++
    if (value === 0) {
      this.#zeros++
      return
    }
    if (value < this.#lowest || value >= this.#beyond) this.#cover(value)
    if (value < this.#min) this.#min = value
    if (value > this.#max) this.#max = value
    const slice = this.#slice(value)
    this.#counts.set(slice, (this.#counts.get(slice) ?? 0) + 1)
  }

  /** Value at or below which a percentage of 0…100 of the values lie; NaN of nothing. */
  percentile(percent: number): number {
    if (this.#total === 0) return Number.NaN
    const share = (Math.min(percent, 100) / 100) * this.#total
    const exact = Math.ceil(Number(share.toPrecision(14)))
    const wanted = Math.max(1, this.#roundsUp ? exact : Math.trunc(share + 0.5))
    let seen = this.#zeros
    if (seen >= wanted) return 0
    for (const [slice, count] of this.#sorted()) {
      seen += count
      if (seen < wanted) continue
      return percent === 0 ? this.#start(slice) : this.#start(slice + 1) - 2 ** this.#low / this.#half
    }
    return Number.NaN
  }

  /** Percentage 0…100 of the values that are at or below a value; NaN of nothing. */
  rank(value: number): number {
    if (this.#total === 0) return Number.NaN
    // Counted in units of the covered range: what is less than one is none.
    if (Math.trunc((value * this.#half) / 2 ** this.#low) < 0) {
      throw new ServiceError('array_index_out_of_bounds_exception', 'Histogram recorded value cannot be negative.')
    }
    const limit = value < 2 ** this.#low ? -Infinity : this.#slice(value)
    let below = this.#zeros
    for (const [slice, count] of this.#counts) if (slice <= limit) below += count
    return Math.min(100, (100 * below) / this.#total)
  }

  #sorted(): [slice: number, count: number][] {
    return [...this.#counts].sort((a, b) => a[0] - b[0])
  }

  #slice(value: number): number {
    const exponent = binaryExponent(value)
    return exponent * this.#half + Math.floor((value / 2 ** exponent) * this.#half) - this.#half
  }

  #start(slice: number): number {
    const exponent = Math.floor(slice / this.#half)
    return 2 ** exponent * (1 + (slice - exponent * this.#half) / this.#half)
  }

  #cover(value: number): void {
    if (value < 0) {
      const range = `[${javaDouble(2 ** this.#low)}, ${javaDouble(2 ** this.#high)})`
      throw faultInQueryPhase(
        'array_index_out_of_bounds_exception',
        `The value ${javaDouble(value)} is out of bounds for histogram, current covered range ${range} cannot be extended any further.\nCaused by: java.lang.ArrayIndexOutOfBoundsException: Negative values cannot be recorded`,
      )
    }
    const isEmpty = this.#counts.size === 0
    while (value < 2 ** this.#low) {
      const shift = this.#shift(Math.ceil(2 ** this.#low / value) - 1)
      if (!isEmpty && this.#max >= 2 ** (this.#high - shift)) this.#grow(shift)
      this.#low -= shift
      this.#high -= shift
    }
    while (value >= 2 ** this.#high) {
      const shift = this.#shift(Math.ceil((value + ulp(value)) / 2 ** this.#high) - 1)
      if (!isEmpty && this.#min < 2 ** (this.#low + shift)) this.#grow(shift)
      else {
        this.#low += shift
        this.#high += shift
      }
    }
    this.#lowest = 2 ** this.#low
    this.#beyond = 2 ** this.#high
  }

  #grow(orders: number): void {
    this.#high += orders
    this.#ratio += orders
  }

  /** Orders of magnitude of a shift; no more at once than the range has. */
  #shift(factor: number): number {
    if (factor > 2 ** this.#ratio) return this.#ratio
    return Math.min(50, Math.floor(Math.log2(Math.max(1, Math.ceil(factor)))) + 1)
  }
}

const double = new Float64Array(1)
/** Its halves, the one with the exponent behind the other. */
const halves = new Uint32Array(double.buffer)

/** The power of two that a positive number is at least. */
function binaryExponent(value: number): number {
  double[0] = value
  const exponent = (halves[1] as number) >>> 20
  // Of the smallest numbers of all the exponent is not written down.
  return exponent === 0 ? binaryExponent(value * 2 ** 52) - 52 : exponent - 1023
}

function ulp(value: number): number {
  return 2 ** (binaryExponent(value) - 52)
}
