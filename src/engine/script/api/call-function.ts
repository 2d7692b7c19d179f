import { unbox } from '../boxing.ts'
import { fault } from '../script-fault.ts'
import type { ScriptFunction } from '../script-function.ts'
import type { ScriptValue } from '../script-value.ts'

/** What a lambda that tests answers. @throws {ScriptFault} class_cast_exception */
export function tested(test: ScriptFunction | null, ...args: ScriptValue[]): boolean {
  return unbox(called(test).invoke(...args), 'boolean', false) as boolean
}

/** What a lambda that makes an int answers. @throws {ScriptFault} class_cast_exception */
export function intOf(make: ScriptFunction | null, ...args: ScriptValue[]): number {
  return unbox(called(make).invoke(...args), 'int', false) as number
}

/** What a lambda that makes a long answers. @throws {ScriptFault} class_cast_exception */
export function longOf(make: ScriptFunction | null, ...args: ScriptValue[]): bigint {
  return unbox(called(make).invoke(...args), 'long', false) as bigint
}

/** What a lambda that makes a double answers. @throws {ScriptFault} class_cast_exception */
export function doubleOf(make: ScriptFunction | null, ...args: ScriptValue[]): number {
  return unbox(called(make).invoke(...args), 'double', false) as number
}

/** A lambda that must be there. @throws {ScriptFault} null_pointer_exception */
export function called(made: ScriptFunction | null): ScriptFunction {
  if (made === null) throw fault('NullPointerException', null)
  return made
}
