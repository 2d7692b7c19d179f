import { ServiceError } from '../../errors.ts'

/** What the real servers say of terms, shapes and documents that are still to be looked up, where they do not wait for them: here nothing waits. */
export const neverFetched = (): ServiceError =>
  new ServiceError('illegal_state_exception', 'async actions are left after rewrite')
