import { ServiceError } from '../../errors.ts'

/** Bytes of memory that a value's JSON may take, about: more than a document that can be sent. */
const MOST_BYTES = 128 * 2 ** 20
/** Of a list or map by itself. */
const OBJECT_BYTES = 64
const MEMBER_BYTES = 4
const ENTRY_BYTES = 32

/** What writing one value as JSON may still take: what a script shares in many places is written in each of them. */
export class JsonAllowance {
  readonly #detail: { readonly inQueryPhase?: true }
  #left = MOST_BYTES

  /** @param detail  of the error */
  constructor(detail: { readonly inQueryPhase?: true } = {}) {
    this.#detail = detail
  }

  /** Counts a text. @throws {ServiceError} illegal_argument_exception when there is too much */
  text(text: string): string {
    this.#take(text.length)
    return text
  }

  /** Counts a list of so many members. @throws {ServiceError} as {@link text} */
  members(count: number): void {
    this.#take(OBJECT_BYTES + count * MEMBER_BYTES)
  }

  /** Counts a map of so many entries. @throws {ServiceError} as {@link text} */
  entries(count: number): void {
    this.#take(OBJECT_BYTES + count * ENTRY_BYTES)
  }

  #take(bytes: number): void {
    this.#left -= bytes
    if (this.#left >= 0) return
    const reason = `a script may not leave more than [${MOST_BYTES}] bytes of texts and collections`
    throw new ServiceError('illegal_argument_exception', reason, this.#detail)
  }
}
