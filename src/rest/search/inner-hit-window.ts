import { ServiceError } from '../../errors.ts'
import type { InnerHitOptions } from './inner-hit-options.ts'

/** Inner hits of one hit at most. */
const MAX_WINDOW = 100

/** Refuses more inner hits than there may be. @throws {ServiceError} illegal_argument_exception */
export function checkInnerWindow({ from, size, name }: InnerHitOptions): void {
  if (from + size <= MAX_WINDOW) return
  throw new ServiceError(
    'illegal_argument_exception',
    `Inner result window is too large, the inner hit definition's [${name ?? 'null'}]'s from + size must be less than or equal to: [${MAX_WINDOW}] but was [${from + size}]. This limit can be set by changing the [index.max_inner_result_window] index level setting.`,
    { inQueryPhase: true },
  )
}
