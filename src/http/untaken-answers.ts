import type { ServerResponse } from 'node:http'
import type { HttpDialect } from './http-dialect.ts'
import { InFlightBytes } from './in-flight-bytes.ts'

/** Smaller answers are the system's to hold: it takes about as much of each connection. */
const HELD_FROM_BYTES = 64 * 1024

/** How much may be held, and for how long whatever comes. */
export interface UntakenLimits {
  /** All large answers that were given and not taken. */
  readonly maxUntakenBytes: number
  /** So long nobody is cut off, even where there is no room for another answer. */
  readonly takingMs: number
}

/**
 * Large answers that were given and that their clients have not taken off their connections yet: memory that others decide about.
 *
 * Where there is no room for another, those that have been there for longest go, with their connections; where none has
 * been there for long, the new one is refused. An answer that is alone may have any size.
 */
export class UntakenAnswers {
  readonly #bytes: InFlightBytes
  readonly #limits: UntakenLimits
  readonly #onCutOff: (bytes: number, ms: number) => void
  /** The oldest first. */
  readonly #held = new Map<ServerResponse, { readonly bytes: number; readonly since: number }>()

  /** @param onCutOff  called when an answer goes, with its size and how long it has been there */
  constructor(limits: UntakenLimits, dialect: HttpDialect, onCutOff: (bytes: number, ms: number) => void) {
    this.#bytes = new InFlightBytes(limits.maxUntakenBytes, dialect, '<http_response>')
    this.#limits = limits
    this.#onCutOff = onCutOff
  }

  /**
   * To be told of each answer before it is sent, and of its end by {@link release}.
   *
   * @throws {WireError} circuit_breaking_exception when there is no room for it
   */
  hold(response: ServerResponse, bytes: number): void {
    if (bytes < HELD_FROM_BYTES) return
    const now = performance.now()
    for (const [other, { since, bytes: held }] of this.#held) {
      if (this.#bytes.hasRoomFor(bytes) || now - since < this.#limits.takingMs) break
      other.destroy()
      this.release(other)
      this.#onCutOff(held, Math.round(now - since))
    }
    this.#bytes.add(bytes, this.#held.size === 0)
    this.#held.set(response, { bytes, since: now })
  }

  /** Of one that was taken, or whose client has gone; of others it is no matter. */
  release(response: ServerResponse): void {
    const held = this.#held.get(response)
    if (held === undefined) return
    this.#held.delete(response)
    this.#bytes.release(held.bytes)
  }
}
