import { javaHash } from '../../java/java-hash-order.ts'
import { javaDouble, javaFloat } from '../../java/java-number-text.ts'
import { ScriptObject } from './script-object.ts'

/** What a {@link Box} holds. */
export type BoxKind = 'byte' | 'short' | 'char' | 'float' | 'double'

/** A number of Java that is neither Integer nor Long; a `char` by its UTF-16 code unit. */
export class Box {
  readonly kind: BoxKind
  readonly value: number

  constructor(kind: BoxKind, value: number) {
    this.kind = kind
    this.value = value
  }
}

/**
 * A value of a script where its type is known only at run time (`def`, `Object`, members of collections): Java's Integer
 * is a whole JavaScript number, Long a bigint, Double and the other primitives a {@link Box}.
 */
export type ScriptValue = null | boolean | number | bigint | string | Box | ScriptObject

/** A Double. */
export function doubleBox(value: number): Box {
  return new Box('double', value)
}

const BOX_CLASS: Readonly<Record<BoxKind, string>> = {
  byte: 'java.lang.Byte',
  short: 'java.lang.Short',
  char: 'java.lang.Character',
  float: 'java.lang.Float',
  double: 'java.lang.Double',
}

/** Java's name of a value's class; `null` for null. */
export function classNameOf(value: ScriptValue): string {
  switch (typeof value) {
    case 'number':
      return 'java.lang.Integer'
    case 'bigint':
      return 'java.lang.Long'
    case 'string':
      return 'java.lang.String'
    case 'boolean':
      return 'java.lang.Boolean'
    default:
      if (value === null) return 'null'
      return value instanceof Box ? BOX_CLASS[value.kind] : value.className
  }
}

/** A value as Java's `String.valueOf` says it. */
export function textOf(value: ScriptValue): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return String(value)
  if (value instanceof ScriptObject) return value.toText()
  switch (value.kind) {
    case 'char':
      return String.fromCharCode(value.value)
    case 'double':
      return javaDouble(value.value)
    case 'float':
      return javaFloat(value.value)
    case 'byte':
    case 'short':
      return String(value.value)
  }
}

/** Java's `Objects.equals`: an Integer equals no Long. */
export function isEqualValue(left: ScriptValue, right: ScriptValue): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || left === null) return false
  if (left instanceof Box) {
    return right instanceof Box && left.kind === right.kind && Object.is(left.value, right.value)
  }
  return left.isEqual(right)
}

const bits = new DataView(new ArrayBuffer(8))

/** Java's `hashCode()` of a value; 0 for null. */
export function hashOf(value: ScriptValue): number {
  switch (typeof value) {
    case 'number':
      return value
    case 'bigint':
      return longHash(value)
    case 'string':
      return javaHash(value)
    case 'boolean':
      return value ? 1231 : 1237
    default:
      if (value === null) return 0
      if (value instanceof ScriptObject) return value.hash()
      if (value.kind === 'double') {
        bits.setFloat64(0, value.value)
        return bits.getInt32(0) ^ bits.getInt32(4)
      }
      if (value.kind === 'float') {
        bits.setFloat32(0, value.value)
        return bits.getInt32(0)
      }
      return value.value
  }
}

/** Java's `Long.hashCode`. */
export function longHash(value: bigint): number {
  const unsigned = BigInt.asUintN(64, value)
  return Number(BigInt.asIntN(32, unsigned ^ (unsigned >> 32n)))
}

/** What stands for a value as key of a map or member of a set: equal values have the same. */
export function keyOf(value: ScriptValue): unknown {
  if (typeof value === 'string') return value.charCodeAt(0) === 0 ? `\0s${value}` : value
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Box) return `\0${value.kind}${javaDouble(value.value)}`
  return value.key()
}

/** A key as text, for keys of what consists of several values. */
export function keyText(value: ScriptValue): string {
  const key = keyOf(value)
  const text = typeof key === 'object' && key !== null ? identityOf(key) : String(key)
  return `${typeof key}${text.length}:${text}`
}

const identities = new WeakMap<object, number>()
let lastIdentity = 0

function identityOf(object: object): string {
  let identity = identities.get(object)
  if (identity === undefined) {
    identity = ++lastIdentity
    identities.set(object, identity)
  }
  return `@${identity}`
}
