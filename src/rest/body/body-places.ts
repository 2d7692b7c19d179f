import { type ErrorType, type Place, ServiceError } from '../../errors.ts'
import { findToken, type TextPlace } from '../../find-token.ts'

/** How the real servers tell where a fault lies, by the error's type; all others do not. */
const TELLERS: Readonly<Partial<Record<ErrorType, (error: ServiceError, place: TextPlace) => ServiceError>>> = {
  named_object_not_found_exception: inReason,
  parsing_exception: ({ type, reason, detail }, { line, column: col }) =>
    new ServiceError(type, reason, { ...detail, metadata: { line, col, ...detail.metadata } }),
  x_content_parse_exception: inReason,
}

/** Faults whose reasons tell it at their ends. */
const TELLING_BEHIND: readonly (readonly [RegExp, (place: TextPlace) => string])[] = [
  [/^query malformed, empty clause found$/, ({ line, column }) => ` at [${line}:${column}]`],
  [/^Can't get text on a \w+$/, ({ line, column }) => ` at ${line}:${column}`],
]

function tellerOf({ type, reason }: ServiceError): (typeof TELLERS)[ErrorType] {
  const behind = TELLING_BEHIND.find(([reasons]) => reasons.test(reason))?.[1]
  if (behind === undefined) return TELLERS[type]
  return ({ detail }, place) => new ServiceError(type, reason + behind(place), detail)
}

function inReason({ type, reason, detail }: ServiceError, { line, column }: TextPlace): ServiceError {
  return new ServiceError(type, `[${line}:${column}] ${reason}`, detail)
}

/**
 * The texts that a request's values were parsed from. Parsers know no lines and columns: where an error is answered the text is gone
 * through once more, for the token that the error names.
 */
export class BodyPlaces {
  /** Whether a byte order mark counts among the columns: it does not in 6.x. */
  readonly #countsMarks: boolean
  readonly #parsed: { readonly text: Buffer | string; readonly root: unknown }[] = []

  constructor({ typed }: { readonly typed: boolean }) {
    this.#countsMarks = !typed
  }

  /** Remembers what a value was parsed from; what is noted last counts. */
  note(text: Buffer | string, root: unknown): void {
    this.#parsed.push({ text, root })
  }

  /** The error as it is answered: it and its causes tell where in the body they lie, where that is known. */
  locate(error: ServiceError): ServiceError {
    const { cause, rootCause, failures } = error.detail
    const inner = cause && this.locate(cause)
    const tell = tellerOf(error)
    const place = tell === undefined || error.detail.hidesPlace ? undefined : error.place
    const found = place ? this.#find(place) : undefined
    // Where it quotes its cause, it quotes the place, too; one that has a place says the same of its own accord.
    const quotes = tell === undefined || (found === undefined && cause?.reason === error.reason)
    const reason = cause && inner && quotes ? error.reason?.replace(cause.reason, () => inner.reason) : error.reason
    const located = new ServiceError(error.type, reason, {
      ...error.detail,
      cause: inner,
      rootCause: rootCause && this.locate(rootCause),
      failures: failures?.map((failure) => ({ index: failure.index, error: this.locate(failure.error) })),
    })
    return tell === undefined || found === undefined ? located : tell(located, found)
  }

  #find(place: Place): TextPlace | undefined {
    for (const { text, root } of this.#parsed.toReversed()) {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text
      const hasMark = bytes[0] === 0xef && !this.#countsMarks
      const found = findToken(hasMark ? bytes.subarray(3) : bytes, root, place)
      if (found !== undefined) return found
    }
    return undefined
  }
}
