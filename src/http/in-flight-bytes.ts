import type { HttpDialect } from './http-dialect.ts'
import { WireError } from './wire-error.ts'

/** Bytes of bodies that are being received or handled, with a ceiling: the real servers' in-flight breaker. */
export class InFlightBytes {
  readonly #limitBytes: number
  readonly #dialect: HttpDialect
  readonly #what: string
  #usedBytes = 0
  #refused = 0

  /** @param what  whose bytes they are, as the breaker says it */
  constructor(limitBytes: number, dialect: HttpDialect, what = '<http_request>') {
    this.#limitBytes = limitBytes
    this.#dialect = dialect
    this.#what = what
  }

  get usedBytes(): number {
    return this.#usedBytes
  }

  get limitBytes(): number {
    return this.#limitBytes
  }

  /** How often bytes were not added. */
  get refused(): number {
    return this.#refused
  }

  hasRoomFor(bytes: number): boolean {
    return this.#usedBytes + bytes <= this.#limitBytes
  }

  /**
   * Adds bytes.
   *
   * @param isForced  whether the ceiling means nothing to them
   * @throws {WireError} circuit_breaking_exception when they would exceed the ceiling; then nothing is added
   */
  add(bytes: number, isForced = false): void {
    const wanted = this.#usedBytes + bytes
    if (!this.hasRoomFor(bytes) && !isForced) {
      const limit = this.#limitBytes
      this.#refused++
      throw WireError.of(
        this.#dialect.breakerStatus,
        'circuit_breaking_exception',
        `[in_flight_requests] Data too large, data for [${this.#what}] would be [${wanted}/${sizeText(wanted)}], ` +
          `which is larger than the limit of [${limit}/${sizeText(limit)}]`,
        {
          bytes_wanted: wanted,
          bytes_limit: limit,
          ...(this.#dialect.breakerStatus === 429 ? { durability: 'TRANSIENT' } : {}),
        },
      )
    }
    this.#usedBytes = wanted
  }

  release(bytes: number): void {
    this.#usedBytes -= bytes
  }
}

/** A size as the real servers print it: one decimal, cut off, none when it is zero. */
function sizeText(bytes: number): string {
  for (const [unit, size] of [
    ['gb', 1024 ** 3],
    ['mb', 1024 ** 2],
    ['kb', 1024],
  ] as const) {
    if (bytes >= size) return `${Math.floor((bytes / size) * 10) / 10}${unit}`
  }
  return `${bytes}b`
}
