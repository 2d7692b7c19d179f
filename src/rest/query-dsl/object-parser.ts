import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { inField, parseFault, placed } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { BOOLEAN, NUMBER, OBJECT, STRING } from '../body/member-tokens.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { readFloat } from '../body/read-float.ts'
import { readInt } from '../body/read-int.ts'
import { readLong } from '../body/read-long.ts'
import { tokenBoolean } from '../body/token-boolean.ts'
import { noText } from '../body/token-text.ts'
import { unknownField } from '../body/unknown-field.ts'
import { parsingException } from '../parsing-exception.ts'

/** What a member may be, by the tokens that it is read from. */
const TOKENS = {
  text: STRING,
  float: NUMBER,
  texts: [...STRING, 'START_ARRAY'],
  long: NUMBER,
  int: NUMBER,
  boolean: BOOLEAN,
  object: OBJECT,
  objects: [...OBJECT, 'START_ARRAY'],
  source: [...OBJECT, 'START_ARRAY', ...BOOLEAN],
  'objects or null': [...OBJECT, 'START_ARRAY', 'VALUE_NULL'],
  place: [...OBJECT, 'START_ARRAY', ...NUMBER],
  switch: [...OBJECT, 'VALUE_BOOLEAN'],
  value: [...NUMBER, 'VALUE_BOOLEAN', 'VALUE_NULL'],
} satisfies Readonly<Record<string, readonly string[]>>

/** A member's kind; `place` is anything that may be a point, `switch` an object or whether there is one. */
export type MemberKind = keyof typeof TOKENS

/** A member and what is made of it; faults of that are told of the member. */
export interface ReadMember {
  readonly kind: MemberKind
  /** Takes what {@link parseMembers} answers for the kind. */
  readonly read: (value: never) => unknown
}

/**
 * Reads an object that is no query as {@link parseMembers} does.
 *
 * @throws {ServiceError} x_content_parse_exception
 */
export function parseObject(
  name: string,
  json: unknown,
  members: Readonly<Record<string, MemberKind | ReadMember>>,
  isLegacy: boolean,
): Readonly<Record<string, unknown>> {
  if (!isObject(json)) {
    const fault = parseFault(`[${name}] Expected START_OBJECT but was: ${tokenName(json)}`)
    throw Array.isArray(json) ? fault.at(json) : fault
  }
  return parseMembers(name, json, members, [], isLegacy)
}

/**
 * Checks an object's members as the servers' object parsers do.
 *
 * @param name      the parser's, for messages
 * @param required  members it cannot do without
 * @returns         members as given; floats as 32-bit floats, longs and ints as numbers, or what is made of them
 * @throws {ServiceError} x_content_parse_exception, illegal_argument_exception
 */
export function parseMembers(
  name: string,
  json: unknown,
  members: Readonly<Record<string, MemberKind | ReadMember>>,
  required: readonly string[],
  isVersion6 = false,
): Readonly<Record<string, unknown>> {
  if (!isObject(json)) {
    throw parsingException(`[${name}] query malformed, no start_object after query name`)
  }
  const read: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(json)) {
    const member = Object.hasOwn(members, key) ? members[key] : undefined
    if (member === undefined) {
      throw unknownField(name, key, isVersion6, Object.keys(members), json)
    }
    const { kind, read: make } = typeof member === 'string' ? { kind: member, read: undefined } : member
    const token = tokenName(value)
    if (!TOKENS[kind].includes(token))
      throw parseFault(`[${name}] ${key} doesn't support values of type: ${token}`).at(json, key)
    if (kind === 'texts' && Array.isArray(value))
      inField(name, key, () => value.map((item, i) => placed(value, i, () => checkText(item))))
    if (kind !== 'place' && kind !== 'texts' && Array.isArray(value)) inField(name, key, () => checkItems(value))
    read[key] = inField(
      name,
      key,
      () => {
        const plain = plainMember(kind, value, isVersion6)
        return make === undefined ? plain : make(plain as never)
      },
      json,
    )
  }
  const missing = required.filter((key) => read[key] === undefined)
  if (missing.length > 0) {
    throw illegalArgument(`Required [${missing.join(', ')}]`).at(json, undefined, 'end')
  }
  return read
}

function plainMember(kind: MemberKind, value: unknown, isLegacy: boolean): unknown {
  switch (kind) {
    case 'float':
      return readFloat(value)
    case 'long':
      return Number(readLong(value as JsonValue))
    case 'int':
      return readInt(value as JsonValue, isLegacy)
    case 'boolean':
      return tokenBoolean(value as JsonValue)
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
  if (Array.isArray(value)) throw new ServiceError('illegal_state_exception', `expected value but got [${token}]`)
  if (typeof value === 'object') throw noText(value)
}
