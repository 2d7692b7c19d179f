import { ServiceError } from '../../errors.ts'

/** Longest term, in bytes of UTF-8: Lucene's IndexWriter.MAX_TERM_LENGTH. */
const MAX_TERM_BYTES = 32_766

/** UTF-16 units that no term of too many bytes can have: a unit takes at most three. */
export const SAFE_TERM_UNITS = Math.floor(MAX_TERM_BYTES / 3)

/**
 * Refuses a term that is too long, in Lucene's words.
 *
 * @throws {ServiceError} illegal_argument_exception
 */
export function checkTerm(path: string, term: string): void {
  const length = Buffer.byteLength(term)
  if (length <= MAX_TERM_BYTES) return
  const prefix = [...new Int8Array(Buffer.from(term.slice(0, 30)).subarray(0, 30))].join(', ')
  const reason = `bytes can be at most ${MAX_TERM_BYTES} in length; got ${length}`
  throw new ServiceError(
    'illegal_argument_exception',
    `Document contains at least one immense term in field="${path}" (whose UTF8 encoding is longer than the max length ${MAX_TERM_BYTES}), all of which were skipped.  Please correct the analyzer to not produce such terms.  The prefix of the first immense term is: '[${prefix}]...', original message: ${reason}`,
    { cause: new ServiceError('max_bytes_length_exceeded_exception', reason) },
  )
}

/** Whether a document was refused for a term that is too long. */
export const isImmenseTermFault = ({ detail }: ServiceError): boolean =>
  detail.cause?.type === 'max_bytes_length_exceeded_exception'
