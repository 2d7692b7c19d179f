import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { failedField, inField, parseFault, placed } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { NUMBER, OBJECT, STRING } from '../member-tokens.ts'
import type { JsonValue } from '../parse-json.ts'
import { readLong } from '../read-long.ts'
import { unknownField } from '../unknown-field.ts'

/** What a member may be, by the tokens that it is read from. */
const TOKENS = {
  text: STRING,
  float: NUMBER,
  texts: [...STRING, 'START_ARRAY'],
  long: NUMBER,
  object: OBJECT,
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
    read[key] =
      kind === 'float'
        ? float(name, key, json)
        : kind === 'long'
          ? inField(name, key, () => Number(readLong(value as JsonValue)), json)
          : value
  }
  const missing = required.filter((key) => read[key] === undefined)
  if (missing.length > 0) {
    throw new ServiceError('illegal_argument_exception', `Required [${missing.join(', ')}]`).at(json, undefined, 'end')
  }
  return read
}

/** What stands among texts is one, or a number or a truth that can be told as one. */
function checkText(value: unknown): void {
  const token = tokenName(value)
  if (value === null) throw new ServiceError('illegal_state_exception', `Can't get text on a ${token}`)
  if (typeof value === 'object') throw new ServiceError('illegal_state_exception', `expected value but got [${token}]`)
}

function float(name: string, key: string, json: { readonly [name: string]: unknown }): number {
  const value = json[key]
  const number = Math.fround(Number(value))
  if (value !== '' && !Number.isNaN(number)) return number
  throw failedField(
    name,
    key,
    new ServiceError('number_format_exception', value === '' ? 'empty String' : `For input string: "${String(value)}"`),
    json,
  )
}
