import { failedBaseCast } from '../../engine/java/java-class-text.ts'
import { narrow } from '../../engine/mapping/types/number-value.ts'
import { JsonAllowance } from '../../engine/script/json-allowance.ts'
import { ScriptFault } from '../../engine/script/script-fault.ts'
import { box } from '../../engine/script/values/boxing.ts'
import { ScriptArray } from '../../engine/script/values/script-array.ts'
import { ScriptCollection } from '../../engine/script/values/script-collection.ts'
import { BigInteger } from '../../engine/script/values/script-json.ts'
import { ScriptMap } from '../../engine/script/values/script-map.ts'
import { Box, classNameOf, type ScriptValue } from '../../engine/script/values/script-value.ts'
import { faultInQueryPhase, illegalInQueryPhase } from '../../engine/search/query-phase.ts'
import { ScriptBytes } from '../../engine/search/script/script-bytes.ts'
import { ScriptGeoPoint } from '../../engine/search/script/script-geo-point.ts'
import type { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { JavaDouble, JavaFloat, type Json, RawJson } from '../json/json-writer.ts'

/** Objects in one another that are written. */
const MAX_DEPTH = 500

/** The values of a hit's field that a script gave: those of a collection, or the one. */
export function fieldValuesJson(value: ScriptValue): Json[] {
  const allowance = newAllowance()
  return value instanceof ScriptCollection
    ? [...membersOf(value)].map((member) => toJson(member, [value], allowance))
    : [toJson(value, [], allowance)]
}

/**
 * A script's value as an answer shows it.
 *
 * @throws {ServiceError} illegal_argument_exception for what is no JSON
 */
export function scriptJson(value: ScriptValue): Json {
  return toJson(value, [], newAllowance())
}

const newAllowance = (): JsonAllowance => new JsonAllowance({ inQueryPhase: true })

function toJson(value: ScriptValue, within: readonly ScriptValue[], allowance: JsonAllowance): Json {
  if (typeof value === 'string') return allowance.text(value)
  if (value === null || typeof value !== 'object') {
    return typeof value === 'bigint' ? narrow(value) : value
  }
  if (value instanceof Box) {
    if (value.kind === 'char') throw unknownValue(value)
    if (value.kind === 'float') return new JavaFloat(value.value)
    return value.kind === 'double' ? new JavaDouble(value.value) : value.value
  }
  if (within.includes(value) || within.length > MAX_DEPTH) {
    throw illegalInQueryPhase('Iterable object is self-referencing itself')
  }
  const inside = [...within, value]
  if (value instanceof ScriptMap) {
    const object: Record<string, Json> = {}
    const entries = membersOfMap(value)
    allowance.entries(entries.length)
    for (const { entryKey, value: member } of entries) {
      Object.defineProperty(object, allowance.text(keyText(entryKey)), {
        value: toJson(member, inside, allowance),
        enumerable: true,
        configurable: true,
        writable: true,
      })
    }
    return object
  }
  if (value instanceof ScriptCollection) {
    const members = [...membersOf(value)]
    allowance.members(members.length)
    return members.map((member) => toJson(member, inside, allowance))
  }
  if (value instanceof ScriptArray) {
    const { element, items } = value
    allowance.members(items.length)
    return items.map((item) => toJson(box(element, item), inside, allowance))
  }
  if (value instanceof BigInteger) return value.value
  if (value instanceof ScriptGeoPoint) return { lat: new JavaDouble(value.lat), lon: new JavaDouble(value.lon) }
  if (value instanceof ScriptBytes) return Buffer.from(value.bytes).toString('base64')
  if (value.isJsonNumber) return new RawJson(value.toText())
  if (value.isJsonText) return allowance.text(value.jsonText)
  throw unknownValue(value)
}

function keyText(key: ScriptValue): string {
  if (typeof key === 'string') return key
  if (key === null) throw illegalArgument('Field name cannot be null')
  throw failedBaseCast(classNameOf(key), 'java.lang.String')
}

function membersOf(value: ScriptCollection): ScriptValue[] {
  return refusing(() => [...value.values()])
}

function membersOfMap(value: ScriptMap): ReturnType<ScriptMap['ordered']> {
  return refusing(() => value.ordered())
}

/** What cannot be gone through cannot be shown. */
function refusing<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ScriptFault)) throw error
    throw faultInQueryPhase('unsupported_operation_exception', error.throwable.message as string)
  }
}

function unknownValue(value: ScriptValue): ServiceError {
  return illegalArgument(`cannot write xcontent for unknown value of type class ${classNameOf(value)}`)
}
