import { ServiceError } from '../../errors.ts'

/** What the real servers say of a query that looks something up where nothing waits for it. */
export function asyncActionsLeft(): ServiceError {
  return new ServiceError('illegal_state_exception', 'async actions are left after rewrite')
}
