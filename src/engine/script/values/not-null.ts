import { fault } from '../script-fault.ts'

/** The same value. @throws {ScriptFault} NullPointerException, as Java does where it follows a null */
export function notNull<T>(value: T | null): T {
  if (value === null) throw fault('NullPointerException', null)
  return value
}
