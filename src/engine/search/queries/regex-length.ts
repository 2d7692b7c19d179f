import { illegalArgument } from '../../../illegal-argument.ts'

/** The setting that bounds regular expressions; 1,000 where it is not set. */
export const MAX_REGEX_LENGTH = 'index.max_regex_length'

/**
 * Refuses a regular expression that is too long.
 *
 * @param place  where it stands, in the real server's words
 * @throws {ServiceError} illegal_argument_exception
 */
export function checkRegexLength(regex: string, place: string, limit: number): void {
  if (regex.length <= limit) return
  throw illegalArgument(
    `The length of regex [${regex.length}] used in the ${place} has exceeded the allowed maximum of [${limit}]. This maximum can be set by changing the [${MAX_REGEX_LENGTH}] index level setting.`,
  )
}
