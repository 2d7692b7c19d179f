import { javaDouble, javaFloat } from '../../java/java-number-text.ts'
import { JsonNumber } from '../../mapping/lossless-json.ts'
import { narrow } from '../../mapping/types/number-value.ts'
import { JsonAllowance } from '../json-allowance.ts'
import { fault } from '../script-fault.ts'
import { box, notOf } from './boxing.ts'
import { ScriptArray } from './script-array.ts'
import { ScriptCollection } from './script-collection.ts'
import { ScriptList } from './script-list.ts'
import { type MapOrder, ScriptMap } from './script-map.ts'
import { ScriptObject } from './script-object.ts'
import { classNameOf, doubleBox, type ScriptValue, textOf } from './script-value.ts'

const MAX_LONG = (1n << 63n) - 1n

/** Java's `BigInteger`, as numbers of a document beyond 64 bits are read. */
export class BigInteger extends ScriptObject {
  readonly value: bigint

  constructor(value: bigint) {
    super()
    this.value = value
  }

  get className(): string {
    return 'java.math.BigInteger'
  }

  override get number(): { readonly whole: bigint; readonly double: number } {
    return { whole: BigInt.asIntN(64, this.value), double: Number(this.value) }
  }

  override toText(): string {
    return String(this.value)
  }

  override isEqual(other: unknown): boolean {
    return other instanceof BigInteger && other.value === this.value
  }
}

/**
 * A JSON value as scripts see it; whole numbers are Integer, Long or BigInteger by their size, others Double.
 *
 * @param json   as `JSON.parse` or `parseLosslessJson` read it
 * @param order  of the maps: `linked` where the real server keeps the order (the source of an update), else `hash`
 * @param large  what a whole number beyond a Long becomes
 */
export function scriptValueOf(json: unknown, order: MapOrder = 'hash', large = bigInteger): ScriptValue {
  switch (typeof json) {
    case 'string':
    case 'boolean':
      return json
    case 'number':
      if (!Number.isInteger(json)) return doubleBox(json)
      if (json === (json | 0)) return json | 0
      return whole(BigInt(json), large)
    case 'bigint':
      return whole(json, large)
    case 'undefined':
      return null
    default:
      break
  }
  if (json === null) return null
  if (json instanceof JsonNumber) return json.text === '-0' ? 0 : doubleBox(json.value)
  if (Array.isArray(json)) return new ScriptList(json.map((item) => scriptValueOf(item, order, large)))
  if (json instanceof ScriptObject) return json
  const map = new ScriptMap(order)
  for (const [name, member] of Object.entries(json as object)) map.put(name, scriptValueOf(member, order, large))
  return map
}

/** A script's parameters: a map of its own, so that what it writes into them harms nobody. */
export function paramsMap(params: Readonly<Record<string, unknown>>): ScriptMap {
  return scriptValueOf(params) as ScriptMap
}

/** Parameters that a script cannot change, though it can what they hold. */
export function fixedParams(params: Readonly<Record<string, unknown>>): ScriptMap {
  const map = new ScriptMap('hash', 'java.util.Collections$UnmodifiableMap')
  for (const [name, value] of Object.entries(params)) map.put(name, scriptValueOf(value))
  return map.fix()
}

const bigInteger = (value: bigint): ScriptValue => new BigInteger(value)

function whole(value: bigint, large: (value: bigint) => ScriptValue): ScriptValue {
  return value >= -MAX_LONG - 1n && value <= MAX_LONG ? value : large(value)
}

/**
 * A script's value as JSON: numbers that JavaScript would print differently from Java (`1.0`) as {@link JsonNumber}, whole
 * ones beyond 2^53 as bigint.
 *
 * @throws {ScriptFault} illegal_argument_exception for what is no JSON or contains itself
 * @throws {ServiceError} illegal_argument_exception for too much of it
 */
export function jsonOfScript(value: ScriptValue): unknown {
  return toJson(value, [], new JsonAllowance())
}

function toJson(value: ScriptValue, within: readonly ScriptValue[], allowance: JsonAllowance): unknown {
  switch (typeof value) {
    case 'string':
      return allowance.text(value)
    case 'boolean':
    case 'number':
      return value
    case 'bigint':
      return narrow(value)
    default:
      break
  }
  if (value === null) return null
  if (!(value instanceof ScriptObject)) {
    if (value.kind === 'byte' || value.kind === 'short') return value.value
    if (value.kind === 'char') throw unknownValue(value)
    if (!Number.isFinite(value.value)) return textOf(value)
    return new JsonNumber(value.kind === 'float' ? javaFloat(value.value) : javaDouble(value.value))
  }
  if (within.includes(value) || within.length > 1_000) {
    throw fault('IllegalArgumentException', 'Iterable object is self-referencing itself')
  }
  const inside = [...within, value]
  if (value instanceof ScriptMap) {
    const object: Record<string, unknown> = {}
    allowance.entries(value.size())
    for (const entry of value.entries()) {
      Object.defineProperty(object, allowance.text(memberName(entry.entryKey)), {
        value: toJson(entry.value, inside, allowance),
        enumerable: true,
        configurable: true,
        writable: true,
      })
    }
    return object
  }
  if (value instanceof ScriptCollection) {
    allowance.members(value.size())
    return [...value.values()].map((item) => toJson(item, inside, allowance))
  }
  if (value instanceof ScriptArray) {
    const { element, items } = value
    if (element === 'byte') return allowance.text(Buffer.from(Uint8Array.from(items as number[])).toString('base64'))
    if (element === 'char') throw unknownValue(value)
    allowance.members(items.length)
    return items.map((item) => toJson(box(element, item), inside, allowance))
  }
  if (value instanceof BigInteger) return value.value
  if (value.isJsonNumber) return new JsonNumber(value.toText())
  if (value.isJsonText) return allowance.text(value.jsonText)
  throw unknownValue(value)
}

/** What a map's key is called in JSON. @throws {ScriptFault} class_cast_exception for what is no text */
function memberName(key: ScriptValue): string {
  if (key === null) throw fault('IllegalArgumentException', 'Field name cannot be null')
  if (typeof key !== 'string') throw notOf(key, 'java.lang.String')
  return key
}

function unknownValue(value: ScriptValue): Error {
  return fault(
    'IllegalArgumentException',
    `cannot write xcontent for unknown value of type class ${classNameOf(value)}`,
  )
}
