import { castFailure } from '../../java/java-class-text.ts'
import { fault } from '../script-fault.ts'
import { longOf, numberOfLong } from './long-of.ts'
import { ScriptObject } from './script-object.ts'
import { boxedType, type ScriptType } from './script-type.ts'
import { Box, classNameOf, type ScriptValue } from './script-value.ts'

/** A value of a known type as one whose type is not known. */
export function box(type: ScriptType, value: unknown): ScriptValue {
  switch (type) {
    case 'byte':
    case 'short':
    case 'char':
    case 'float':
    case 'double':
      return new Box(type, value as number)
    case 'void':
      return null
    default:
      return value as ScriptValue
  }
}

/** Whether values of a type change when they are boxed. */
export function isBoxedOtherwise(type: ScriptType): boolean {
  return type === 'byte' || type === 'short' || type === 'char' || type === 'float' || type === 'double'
}

/** What a numeric value is promoted to; undefined: it is no number. */
export function numericType(value: ScriptValue): 'int' | 'long' | 'float' | 'double' | undefined {
  if (typeof value === 'number') return 'int'
  if (typeof value === 'bigint') return 'long'
  if (!(value instanceof Box)) return undefined
  return value.kind === 'double' || value.kind === 'float' ? value.kind : 'int'
}

const LONG_MAX = 9223372036854775807n
const LONG_MIN = -9223372036854775808n

/** A number as Java's casts narrow it: what does not fit is cut off, fractions are dropped, from decimals by clamping. */
export function convertNumber(value: number | bigint, to: ScriptType): number | bigint {
  switch (to) {
    case 'double':
      return typeof value === 'bigint' ? numberOfLong(value) : value
    case 'float':
      return Math.fround(Number(value))
    case 'long': {
      if (typeof value === 'bigint') return value
      if (Number.isSafeInteger(value)) return longOf(value)
      if (Number.isNaN(value)) return 0n
      if (value >= 2 ** 63) return LONG_MAX
      if (value <= -(2 ** 63)) return LONG_MIN
      return BigInt(Math.trunc(value))
    }
    default:
      return narrow(toInt(value), to)
  }
}

function toInt(value: number | bigint): number {
  if (typeof value === 'bigint') return Number(BigInt.asIntN(32, value))
  if (value >= 2147483647) return 2147483647
  if (value <= -2147483648) return -2147483648
  return value | 0
}

function narrow(value: number, to: ScriptType): number {
  if (to === 'byte') return (value << 24) >> 24
  if (to === 'short') return (value << 16) >> 16
  return to === 'char' ? value & 0xffff : value
}

const RANK: Readonly<Record<string, number>> = { byte: 1, short: 2, char: 2, int: 3, long: 4, float: 5, double: 6 }

function primitiveOf(value: ScriptValue): string | undefined {
  if (typeof value === 'number') return 'int'
  if (typeof value === 'bigint') return 'long'
  return value instanceof Box ? value.kind : undefined
}

/** The number in a boxed value. */
export function numberIn(value: ScriptValue): number | bigint {
  return typeof value === 'number' || typeof value === 'bigint' ? value : (value as Box).value
}

/** A value's type as messages about casts name it: `long` for Long. */
function shownType(value: ScriptValue): string {
  const own = typeof value === 'boolean' ? 'boolean' : primitiveOf(value)
  return own ?? classNameOf(value).replaceAll('$', '.')
}

/**
 * A value whose type is not known as one of a primitive type.
 *
 * @param isExplicit  whether the script asks for it by a cast, which narrows
 * @param isBoxed     whether it is to be of the type's class
 * @throws {ScriptFault} class_cast_exception, null_pointer_exception
 */
export function unbox(value: ScriptValue, to: ScriptType, isExplicit: boolean, isBoxed = false): unknown {
  if (to === 'int' && typeof value === 'number') return value
  if (value === null) throw fault('NullPointerException', 'Cannot invoke "Object.getClass()" because "value" is null')
  if (to === 'boolean') {
    if (typeof value === 'boolean') return value
    const [how, type] = isBoxed ? ['cannot implicitly cast', 'java.lang.Boolean'] : ['cannot cast', 'boolean']
    throw fault('ClassCastException', `${how} def [${shownType(value)}] to ${type}`)
  }
  const own = primitiveOf(value)
  if (own === to) return numberIn(value)
  if (own !== undefined) {
    const isWider = (RANK[own] as number) < (RANK[to] as number) && to !== 'char'
    if (isWider || isExplicit) return convertNumber(numberIn(value), to)
  } else if (to === 'char' && isExplicit && typeof value === 'string') return charOf(value)
  const how = isExplicit ? 'explicitly' : 'implicitly'
  const type = isBoxed ? `java.lang.${boxedType(to)}` : to
  throw fault('ClassCastException', `cannot ${how} cast def [${shownType(value)}] to ${type}`)
}

/** A value that is to be a text. @param isExplicit  whether the script casts it itself */
export function notText(value: ScriptValue, isExplicit = false): Error {
  const how = isExplicit ? 'explicitly' : 'implicitly'
  return fault('ClassCastException', `cannot ${how} cast def [${shownType(value)}] to java.lang.String`)
}

/** The char that a text of one char is. @throws {ScriptFault} class_cast_exception */
export function charOf(text: string): number {
  if (text.length === 1) return text.charCodeAt(0)
  throw fault('ClassCastException', 'cannot cast java.lang.String with length not equal to one to char')
}

/** Java's words for an object that is of another class. */
export function notOf(value: ScriptValue, javaName: string): Error {
  const name = value instanceof ScriptObject ? value.className : classNameOf(value)
  // Of fields' dates, which are the server's, it says less.
  const isOwn = name.startsWith('org.')
  return fault('ClassCastException', isOwn ? `Cannot cast ${name} to ${javaName}` : castFailure(name, javaName))
}
