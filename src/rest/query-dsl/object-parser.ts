import { doubleOfText } from '../../engine/mapping/number-value.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { parseBoolean } from '../../parse-boolean.ts'
import { inField, parseFault, placed } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { BOOLEAN, NUMBER, OBJECT, STRING } from '../member-tokens.ts'
import type { JsonValue } from '../parse-json.ts'
import { readInt } from '../read-int.ts'
import { readLong } from '../read-long.ts'
import { unknownField } from '../unknown-field.ts'

/** What a member may be, by the tokens that it is read from. */
const TOKENS = {
  text: STRING,
  value: [...NUMBER, 'VALUE_BOOLEAN', 'VALUE_NULL'],
  float: NUMBER,
  int: NUMBER,
  boolean: BOOLEAN,
  texts: [...STRING, 'START_ARRAY'],
  long: NUMBER,
  object: OBJECT,
  objects: [...OBJECT, 'START_ARRAY'],
  source: [...OBJECT, 'START_ARRAY', ...BOOLEAN],
  'objects or null': [...OBJECT, 'START_ARRAY', 'VALUE_NULL'],
  place: [...OBJECT, 'START_ARRAY', ...NUMBER],
} satisfies Readonly<Record<string, readonly string[]>>

/** A member's kind; `place` is anything that may be a point. */
export type MemberKind = keyof typeof TOKENS

/**
 * Checks an object's members as the servers' object parsers do.
 *
 * @param name      the parser's, for messages
 * @param required  members it cannot do without
 * @returns         members as given; floats as 32-bit floats, longs as numbers
 * @throws {ServiceError} x_content_parse_exception, illegal_argument_exception
 */
export function parseMembers(
  name: string,
  json: unknown,
  members: Readonly<Record<string, MemberKind>>,
  required: readonly string[],
  isVersion6 = false,
): Readonly<Record<string, unknown>> {
  if (!isObject(json)) {
    throw new ServiceError('parsing_exception', `[${name}] query malformed, no start_object after query name`)
  }
  const read: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(json)) {
    const kind = Object.hasOwn(members, key) ? members[key] : undefined
    if (kind === undefined) {
      throw unknownField(name, key, isVersion6, Object.keys(members), json)
    }
    const token = tokenName(value)
    if (!TOKENS[kind].includes(token))
      throw parseFault(`[${name}] ${key} doesn't support values of type: ${token}`).at(json, key)
    if (kind === 'texts' && Array.isArray(value))
      inField(name, key, () => value.map((item, i) => placed(value, i, () => checkText(item))))
    if (kind !== 'place' && kind !== 'texts' && Array.isArray(value)) inField(name, key, () => checkItems(value))
    read[key] = memberOf(kind, name, key, json, isVersion6)
  }
  const missing = required.filter((key) => read[key] === undefined)
  if (missing.length > 0) {
    throw new ServiceError('illegal_argument_exception', `Required [${missing.join(', ')}]`).at(json, undefined, 'end')
  }
  return read
}

function memberOf(
  kind: MemberKind,
  name: string,
  key: string,
  json: { readonly [name: string]: unknown },
  isVersion6: boolean,
): unknown {
  const value = json[key]
  switch (kind) {
    case 'float':
      return inField(
        name,
        key,
        () => Math.fround(typeof value === 'string' ? doubleOfText(value) : Number(value)),
        json,
      )
    case 'long':
      return inField(name, key, () => Number(readLong(value as JsonValue)), json)
    case 'int':
      return inField(name, key, () => readInt(value as JsonValue, isVersion6), json)
    case 'boolean':
      return inField(name, key, () => value !== '' && parseBoolean(value), json)
    default:
      return value
  }
}

/** Lists stand in no list of objects. @throws {ServiceError} illegal_state_exception */
function checkItems(list: readonly unknown[]): void {
  const i = list.findIndex((item) => Array.isArray(item))
  if (i >= 0) throw new ServiceError('illegal_state_exception', 'expected value but got [START_ARRAY]').at(list, i)
}

/** What stands among texts is one, or a number or a truth that can be told as one. */
function checkText(value: unknown): void {
  const token = tokenName(value)
  if (value === null) throw new ServiceError('illegal_state_exception', `Can't get text on a ${token}`)
  if (typeof value === 'object') throw new ServiceError('illegal_state_exception', `expected value but got [${token}]`)
}
