import { ServiceError } from '../../errors.ts'

/** What the aggregations of one search keep on the heap: where that were too much, V8 would end the process. */
export class RequestMemory {
  readonly #limit: number
  #used = 0

  /** @param limit  in bytes */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** What may still be taken, in bytes. */
  get left(): number {
    return this.#limit - this.#used
  }

  /**
   * Counts what is kept from now on.
   *
   * @param bytes  estimated; negative: given back
   * @throws {ServiceError} circuit_breaking_exception
   */
  take(bytes: number): void {
    this.check(bytes)
    this.#used += bytes
  }

  /** @throws {ServiceError} circuit_breaking_exception where so much more would be too much */
  check(bytes: number): void {
    const wanted = this.#used + bytes
    if (wanted > this.#limit) throw requestTooLarge(wanted, this.#limit)
  }
}

/**
 * What the real servers' request breaker says of aggregations that multiply beyond what memory holds.
 *
 * @param wanted  bytes, and so is the limit
 */
export function requestTooLarge(wanted: number, limit: number): ServiceError {
  return new ServiceError(
    'circuit_breaking_exception',
    `[request] Data too large, data for [<reused_arrays>] would be [${wanted}/${sizeText(wanted)}], which is larger than the limit of [${limit}/${sizeText(limit)}]`,
    { inQueryPhase: true, metadata: { bytes_wanted: wanted, bytes_limit: limit } },
  )
}

/** As the real servers' messages tell sizes: one decimal, cut off, unless it is none. */
function sizeText(bytes: number): string {
  const unit = Math.max(0, Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1))
  return `${Math.floor((bytes / 1024 ** unit) * 10) / 10}${UNITS[unit]}`
}

const UNITS = ['b', 'kb', 'mb', 'gb', 'tb']
