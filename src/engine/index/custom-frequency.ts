import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { SegmentTextField } from './segment-field.ts'

/** Occurrences that a document may claim for the words of a field: each is kept as one. */
const MOST_CLAIMED = 2 ** 16

/**
 * Whether a field keeps a frequency that a text gives one of its words. Refused where a field keeps positions too, or no
 * frequencies (Lucene's words).
 *
 * @param claimed  occurrences that the document claims in the field so far
 * @throws {ServiceError} illegal_state_exception; illegal_argument_exception for too many
 */
export function keepsFrequency({ path, indexOptions, typeName }: SegmentTextField, claimed: number): boolean {
  if (typeName === 'match_only_text') return false
  if (indexOptions !== 'freqs') {
    const reason = indexOptions === 'docs' ? 'must index term freq' : 'cannot index positions'
    const text = `field "${path}": ${reason} while using custom TermFrequencyAttribute`
    throw new ServiceError('illegal_state_exception', text)
  }
  if (claimed > MOST_CLAIMED)
    throw illegalArgument(`field "${path}": term frequencies of more than [${MOST_CLAIMED}] together are not supported`)
  return true
}
