import { fault } from '../script-fault.ts'
import { unbox } from '../values/boxing.ts'
import type { ScriptFunction } from '../values/script-function.ts'
import { classNameOf, type ScriptValue } from '../values/script-value.ts'

/** What a lambda answers as a primitive. @throws {ScriptFault} class_cast_exception, null_pointer_exception */
function answered(value: ScriptValue, type: 'boolean' | 'int' | 'long' | 'double'): unknown {
  if (value !== null && (type === 'boolean') !== (typeof value === 'boolean')) {
    const boxed = classNameOf(value)
    throw fault('ClassCastException', `Cannot cast ${boxed} to ${BOXES[type]}`)
  }
  return unbox(value, type, false)
}

const BOXES = {
  boolean: 'java.lang.Boolean',
  int: 'java.lang.Integer',
  long: 'java.lang.Long',
  double: 'java.lang.Double',
} as const

/** What a lambda that tests answers. @throws {ScriptFault} class_cast_exception */
export function tested(test: ScriptFunction | null, ...args: ScriptValue[]): boolean {
  return answered(called(test).invoke(...args), 'boolean') as boolean
}

/** What a lambda that makes an int answers. @throws {ScriptFault} class_cast_exception */
export function intOf(make: ScriptFunction | null, ...args: ScriptValue[]): number {
  return answered(called(make).invoke(...args), 'int') as number
}

/** What a lambda that makes a long answers. @throws {ScriptFault} class_cast_exception */
export function longOf(make: ScriptFunction | null, ...args: ScriptValue[]): bigint {
  return answered(called(make).invoke(...args), 'long') as bigint
}

/** What a lambda that makes a double answers. @throws {ScriptFault} class_cast_exception */
export function doubleOf(make: ScriptFunction | null, ...args: ScriptValue[]): number {
  return answered(called(make).invoke(...args), 'double') as number
}

/** A lambda that must be there. @throws {ScriptFault} null_pointer_exception */
export function called(made: ScriptFunction | null): ScriptFunction {
  if (made === null) throw fault('NullPointerException', null)
  return made
}
