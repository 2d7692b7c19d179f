import { compareDoubles } from '../../algorithms/double-order.ts'
import { fault } from '../script-fault.ts'
import { notOf } from '../values/boxing.ts'
import type { ScriptFunction } from '../values/script-function.ts'
import { ScriptObject } from '../values/script-object.ts'
import { Box, classNameOf, type ScriptValue } from '../values/script-value.ts'
import { intOf } from './call-function.ts'

/** How two values stand to each other. */
export type Order = (left: ScriptValue, right: ScriptValue) => number

/** Java's `compareTo`, of values of one class. @throws {ScriptFault} class_cast_exception, null_pointer_exception */
export function naturalOrder(left: ScriptValue, right: ScriptValue): number {
  if (left === null || right === null) throw fault('NullPointerException', null)
  if (typeof left === 'string') {
    if (typeof right !== 'string') throw notOf(right, 'java.lang.String')
    return compareTexts(left, right)
  }
  if (typeof left === 'number' && typeof right === 'number') return left < right ? -1 : left > right ? 1 : 0
  if (typeof left === 'bigint' && typeof right === 'bigint') return left < right ? -1 : left > right ? 1 : 0
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right)
  if (left instanceof Box) {
    if (!(right instanceof Box) || right.kind !== left.kind) throw notOf(right, classNameOf(left))
    return left.kind === 'double' || left.kind === 'float'
      ? compareDoubles(left.value, right.value)
      : left.value - right.value
  }
  if (left instanceof ScriptObject) {
    const order = left.compare(right)
    if (order !== undefined) return order
    throw notOf(left, 'java.lang.Comparable')
  }
  throw notOf(right, classNameOf(left))
}

/** Java's `String.compareTo`. */
function compareTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let i = 0; i < length; i++) {
    const difference = left.charCodeAt(i) - right.charCodeAt(i)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** The order that a comparator says; null: the natural one. */
export function orderOf(comparator: ScriptFunction | null): Order {
  return comparator === null ? naturalOrder : (left, right) => intOf(comparator, left, right)
}
