import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { parseBoolean } from '../../parse-boolean.ts'
import { inField, notBuilt, parseFault, placed } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { readInt } from '../body/read-int.ts'
import { tokenText } from '../body/token-text.ts'
import { unknownField } from '../body/unknown-field.ts'

/** What a member may be, by the tokens that it is read from. */
const TOKENS = {
  text: ['VALUE_STRING'],
  texts: ['VALUE_STRING', 'START_ARRAY'],
  integer: ['VALUE_NUMBER', 'VALUE_STRING'],
  boolean: ['VALUE_BOOLEAN', 'VALUE_STRING'],
  object: ['START_OBJECT'],
  objects: ['START_OBJECT', 'START_ARRAY'],
} as const

/** A member of an object that something is made from. */
export interface ConstructingField {
  readonly kind: keyof typeof TOKENS
  /** What it is made from; a member that is none of these is set afterwards. */
  readonly argument?: 'required' | 'optional'
  /** Reads an object (of `objects` each, undefined where the list ends instead). */
  readonly read?: (value: JsonValue | undefined) => unknown
  /** Looks at what was read so far, this member included. @throws {ServiceError} of the member */
  readonly check?: (members: Readonly<Record<string, unknown>>) => void
}

/** An object of a request that something is made from. */
export interface ConstructingShape<T> {
  /** For messages. */
  readonly name: string
  /** In the order in which missing ones are listed. */
  readonly fields: Readonly<Record<string, ConstructingField>>
  /** Makes it, of the members read. @throws {ServiceError} for what does not go together */
  readonly build: (members: Readonly<Record<string, unknown>>) => T
}

/** Whether a server words its complaints as 6.x does. */
export interface ParserDialect {
  readonly typed: boolean
}

/**
 * Reads an object as the servers' constructing parsers do: it is made as soon as all of its arguments were met, and what fails then is
 * told of the member that was met last; an object that misses some is made at its end.
 *
 * @param json  what stands in its place; undefined: a list ends there
 * @throws {ServiceError} x_content_parse_exception, illegal_argument_exception
 */
export function constructFrom<T>(shape: ConstructingShape<T>, json: JsonValue | undefined, dialect: ParserDialect): T {
  const { name, fields } = shape
  if (!isObject(json)) {
    const token = json === undefined ? 'END_ARRAY' : tokenName(json)
    throw parseFault(`[${name}] Expected START_OBJECT but was: ${token}`)
  }
  const members: Record<string, unknown> = {}
  const argumentNames = Object.keys(fields).filter((key) => fields[key]?.argument !== undefined)
  let missing = argumentNames.length
  for (const [key, value] of Object.entries(json)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined
    if (field === undefined) {
      throw unknownField(name, key, dialect.typed, Object.keys(fields), json)
    }
    const token = tokenName(value)
    if (!(TOKENS[field.kind] as readonly string[]).includes(token))
      throw parseFault(`[${name}] ${key} doesn't support values of type: ${token}`).at(json, key)
    inField(
      name,
      key,
      () => {
        members[key] = readField(field, value, dialect)
        placed(
          json,
          key,
          () => {
            field.check?.(members)
            if (field.argument !== undefined && --missing === 0) built(shape, members)
          },
          'end',
        )
      },
      json,
    )
  }
  const lacking = argumentNames.filter((key) => fields[key]?.argument === 'required' && !Object.hasOwn(members, key))
  return placed(
    json,
    undefined,
    () => {
      if (lacking.length > 0) throw illegalArgument(`Required [${lacking.join(', ')}]`)
      return built(shape, members)
    },
    'end',
  )
}

function built<T>({ name, build }: ConstructingShape<T>, members: Readonly<Record<string, unknown>>): T {
  try {
    return build(members)
  } catch (error) {
    throw error instanceof ServiceError ? notBuilt(name, error) : error
  }
}

function readField(field: ConstructingField, value: JsonValue, dialect: ParserDialect): unknown {
  switch (field.kind) {
    case 'text':
      return value
    case 'texts':
      return (Array.isArray(value) ? value : [value]).map(tokenText)
    case 'integer':
      return readInt(value, dialect.typed)
    case 'boolean':
      return parseBoolean(value)
    case 'object':
      return field.read?.(value)
    case 'objects':
      return (Array.isArray(value) ? objectsOf(value) : [value]).map((item) => field.read?.(item))
  }
}

/** What the parser of a list's objects is given: it looks at the token after one that begins no object. */
function objectsOf(items: readonly JsonValue[]): (JsonValue | undefined)[] {
  const objects: (JsonValue | undefined)[] = []
  for (let i = 0; i < items.length; i++) {
    if (!isObject(items[i])) i++
    objects.push(items[i])
  }
  return objects
}
