import type { Long } from '../../engine/algorithms/long.ts'
import { type EngineVersion, packageOf } from '../../engine/engine-version.ts'
import type { IndexMapping } from '../../engine/mapping/index-mapping.ts'
import { doubleOfText, notBooleanToken, notNumeric } from '../../engine/mapping/types/number-value.ts'
import type { FindStoredScript } from '../../engine/search/script/search-script.ts'
import type { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { parseBoolean } from '../../parse-boolean.ts'
import { placed } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { readInt } from '../body/read-int.ts'
import { noText } from '../body/token-text.ts'
import type { Warnings } from '../deprecation/warnings.ts'
import { parsingException } from '../parsing-exception.ts'
import { loopOf, type MemberLoop } from './member-loops.ts'
import { writtenNumber } from './written-number.ts'

/** What query parsing needs to know of the version, and of documents that queries name. */
export interface QueryContext {
  readonly engineVersion: EngineVersion
  /** Reason for a query nobody knows. */
  readonly unknownQuery: (name: string) => string
  /** Looks up what queries take from the domain's own documents. */
  readonly lookup: QueryLookup
  /** Told the index in place of looking up terms, shapes and documents to percolate, where the real servers do not wait for them. */
  readonly passOver?: (index: string) => void
  /** Told of what is deprecated, where somebody is to hear of it. */
  readonly warnings?: Warnings
}

/** A document that a query names, by index, type (undefined: any) and id. */
export interface DocumentName {
  readonly index: string
  readonly type: string | undefined
  readonly id: string
  readonly routing: string | undefined
  /** The version that it must have. */
  readonly version?: Long
}

/** A document that a query named. */
export interface LookedUpDocument {
  /** The index itself, where an alias was named. */
  readonly index: string
  readonly type: string
  readonly routing: string | undefined
  /** Undefined when sources are not kept. */
  readonly source: Buffer | undefined
  /** What is stored of a field by itself; undefined: nothing. */
  readonly stored: (path: string) => readonly unknown[] | undefined
}

/** Reads what queries name. The caller must be allowed to read it, as with any other request. */
export interface QueryLookup {
  /** @throws {ServiceError} index_not_found_exception */
  document(name: DocumentName): LookedUpDocument | undefined
  /** @throws {ServiceError} index_not_found_exception */
  mapping(index: string): IndexMapping | undefined
  /** A stored script; undefined: there is none of that name. */
  script: FindStoredScript
  /** The one index of the request's path; undefined where it names none or several. */
  readonly index: string | undefined
  /** Whether anything was looked up so far: then an answer depends on more than the indices searched, and on who asks. */
  readonly hasLooked?: boolean
}

type JsonObject = { readonly [name: string]: unknown }

type Scalar = string | number | bigint | boolean

/** Reads one query's object member by member and complains of those nobody read. */
export class QueryReader {
  readonly name: string
  readonly #body: JsonObject
  readonly #engineVersion: EngineVersion | undefined
  readonly #loop: MemberLoop
  /** Members that are there and were read: few, so lists find them sooner than sets. */
  readonly #read: string[] = []
  /** Those that were read as objects or lists: their parser has met no value there. */
  readonly #containers: string[] = []

  /**
   * @param name           the query's name, for messages and for how its parser goes over members
   * @param engineVersion  needed where whole numbers are read
   */
  constructor(name: string, body: unknown, engineVersion?: EngineVersion) {
    this.name = name
    this.#engineVersion = engineVersion
    this.#loop = loopOf(name)
    if (!isObject(body)) throw parsingException(`[${name}] query malformed, no start_object after query name`)
    this.#body = body
  }

  /** What the real server's classes are in, where messages name one. */
  get packageName(): string {
    return packageOf(this.#engineVersion ?? 'Elasticsearch_6.8')
  }

  has(key: string): boolean {
    return this.#body[key] !== undefined
  }

  /** Whether a member stands behind another one, or there is no other. */
  isLater(key: string, other: string): boolean {
    const keys = Object.keys(this.#body)
    return keys.indexOf(key) > keys.indexOf(other)
  }

  raw(key: string): unknown {
    this.#read.push(key)
    return this.#body[key]
  }

  /** A member that is an object; what stands there instead is left unread. Of a list that is gone through, the last one. */
  object(key: string): JsonObject | undefined {
    const value = this.#body[key]
    const found =
      Array.isArray(value) && this.#loop.lists === 'pass'
        ? value.flat(Number.POSITIVE_INFINITY).findLast((item) => isObject(item))
        : value
    if (!isObject(found)) return undefined
    this.#read.push(key)
    this.#containers.push(key)
    return found
  }

  /** A member that is a list; what stands there instead is left unread. */
  list(key: string): readonly unknown[] | undefined {
    const value = this.#body[key]
    if (!Array.isArray(value)) return undefined
    this.#read.push(key)
    this.#containers.push(key)
    return value
  }

  /** A fault at a member's value. */
  at(key: string, error: ServiceError): ServiceError {
    return error.at(this.#body, key)
  }

  /** Reads a member's value; faults lie there unless they know better. */
  placed<T>(key: string, read: () => T): T {
    return placed(this.#body, key, read)
  }

  text(key: string): string | undefined {
    return this.#value(key, noText, (value, container, at) => String(writtenNumber(container, at, value)))
  }

  number(key: string): number | undefined {
    return this.#value(key, notNumeric, (value) => {
      if (typeof value === 'boolean') throw notNumeric(value)
      return typeof value === 'string' ? doubleOfText(value) : Number(value)
    })
  }

  /** A whole number of 32 bits; what is behind its point is cut off. */
  int(key: string): number | undefined {
    return this.#value(key, notNumeric, (value) =>
      // Texts are cast, which knows no range.
      typeof value === 'string'
        ? Math.trunc(Math.min(Math.max(doubleOfText(value) || 0, -0x80000000), 0x7fffffff)) + 0
        : readInt(value, this.#engineVersion === 'Elasticsearch_6.8'),
    )
  }

  boolean(key: string, fallback: boolean): boolean {
    const read = this.#value(key, notBooleanToken, (value) => {
      // Nothing is false to the real servers' parser.
      if (value === '') return false
      if (typeof value === 'number' || typeof value === 'bigint') throw notBooleanToken(value)
      return parseBoolean(value)
    })
    return read ?? fallback
  }

  /**
   * Reads a member that is to be a value.
   *
   * @param unreadable  the fault of what is none, where the query's parser does not look at that
   */
  #value<T>(
    key: string,
    unreadable: (value: unknown) => ServiceError,
    read: (value: Scalar, container: object, at: string | number) => T,
  ): T | undefined {
    // Most of what a query may say it does not.
    if (this.#body[key] === undefined || this.#containers.includes(key)) return undefined
    this.#read.push(key)
    return this.#each(this.#body, key, key, read, unreadable)
  }

  /** Reads what stands at a place; items of a list that the parser goes through count as members, the last one of them stays. */
  #each<T>(
    container: object,
    at: string | number,
    key: string,
    read: (value: Scalar, container: object, at: string | number) => T,
    unreadable?: (value: unknown) => ServiceError,
  ): T | undefined {
    const value = (container as { readonly [at: string | number]: unknown })[at]
    if (value === undefined) return undefined
    if (value !== null && typeof value !== 'object')
      return placed(container, at, () => read(value as Scalar, container, at))
    const { nulls, lists, objects } = this.#loop
    const course = value === null ? nulls : Array.isArray(value) ? lists : objects
    if (course === 'read' && unreadable !== undefined) throw unreadable(value).at(container, at)
    if (course !== 'pass' && course !== 'empty') throw this.unsupported(key, container, at)
    if (course === 'empty' && Object.keys(value as object).length > 0)
      throw parsingException(this.#loop.refusal(this.name, key, 'START_ARRAY')).at(value as object, 0)
    let last: T | undefined
    for (const i of Array.isArray(value) ? value.keys() : [])
      last = this.#each(value as object, i, key, read, unreadable) ?? last
    return last
  }

  /** `boost` and `_name`. @throws {ServiceError} illegal_argument_exception for a negative boost */
  base(): { boost?: number; name?: string } {
    const boost = this.number('boost')
    const name = this.text('_name')
    return { ...(boost === undefined ? {} : { boost }), ...(name === undefined ? {} : { name }) }
  }

  /** @throws {ServiceError} for the first member that was not read and that the query's parser does not pass over */
  done(): void {
    for (const key of Object.keys(this.#body)) {
      if (this.#read.includes(key)) continue
      this.#each(this.#body, key, key, (_value, container, at) => {
        throw this.unsupported(key, container, at)
      })
    }
  }

  /** The fault of a member that is not known, or not as what stands there. */
  unsupported(key: string, container: object = this.#body, at: string | number = key): ServiceError {
    const token = tokenName((container as { readonly [at: string | number]: unknown })[at])
    return parsingException(this.#loop.refusal(this.name, key, token)).at(container, at)
  }
}

/** What the parsers of queries of one field read where no object stands at it; others take a value, whatever it is. */
const BARE: Readonly<Record<string, 'text' | 'text or null' | 'value' | 'token' | 'nothing'>> = {
  match: 'text or null',
  match_phrase: 'text or null',
  match_phrase_prefix: 'text or null',
  match_bool_prefix: 'text or null',
  common: 'text or null',
  prefix: 'text or null',
  regexp: 'text or null',
  wildcard: 'text',
  term: 'value',
  fuzzy: 'token',
  span_term: 'token',
  range: 'nothing',
}

/**
 * Reads a `{ field: value }` query of one field, in the order in which its members stand there.
 *
 * @throws {ServiceError} for none or several
 */
export function oneField<T>(name: string, body: unknown, read: (field: string, value: unknown) => T): T {
  if (!isObject(body)) throw parsingException(`[${name}] query malformed, no start_object after query name`)
  let found: { readonly field: string; readonly result: T } | undefined
  const several = (field: string, other: string | null): ServiceError =>
    parsingException(`[${name}] query doesn't support multiple fields, found [${field}] and [${other}]`)
  for (const [key, given] of Object.entries(body)) {
    const value = isObject(given) ? given : passedOver(name, body, key)
    if (value === undefined) continue
    if (found !== undefined) throw several(found.field, key).at(body, key)
    const isText = BARE[name] === 'text' || (BARE[name] === 'text or null' && value !== null)
    if (isText && typeof value === 'object' && !isObject(value)) throw noText(value).at(body, key)
    if (Array.isArray(value) && BARE[name] === 'token') {
      // What follows on the list's beginning is one more value, whose name is known at its end alone.
      const isNamed = value.length === 0 || isObject(value[0])
      throw several(key, isNamed ? key : null).at(value, isNamed ? undefined : 0, isNamed ? 'end' : 'start')
    }
    found = { field: key, result: read(key, value) }
  }
  if (found === undefined) throw illegalArgument(UNNAMED[name] ?? 'field name is null or empty')
  checkFieldName(name, found.field)
  return found.result
}

/** What queries say of an empty name of a field, where it is not what the most say; undefined: they take it. */
const UNNAMED: Readonly<Record<string, string | undefined>> = {
  match: undefined,
  match_phrase: '[match_phrase] requires fieldName',
  match_phrase_prefix: undefined,
  match_bool_prefix: '[match_bool_prefix] requires fieldName',
  fuzzy: 'field name cannot be null or empty',
  terms: 'field name cannot be null.',
  geo_distance: 'fieldName must not be null or empty',
  geo_polygon: 'fieldName must not be null',
  intervals: undefined,
  span_gap: undefined,
}

/** Refuses an empty name of a field, once the query is read. @throws {ServiceError} illegal_argument_exception */
export function checkFieldName(query: string, field: string): void {
  const fault = query in UNNAMED ? UNNAMED[query] : 'field name is null or empty'
  if (field === '' && fault !== undefined) throw illegalArgument(fault)
}

/** What stands at a field that is no object; undefined: nothing that the query's parser looks at. */
function passedOver(name: string, body: JsonObject, key: string): unknown {
  const value = body[key]
  if (BARE[name] === 'nothing') return inList(name, body, key)
  if (BARE[name] !== 'value') return value
  if (value === null) return undefined
  if (!Array.isArray(value)) return value
  throw parsingException(`[${name}] query does not support array of values`).at(body, key)
}

/** Of a list that a parser goes through, its last object. @throws {ServiceError} for values in it */
function inList(name: string, container: object, at: string | number, key = at): JsonObject | undefined {
  const value = (container as { readonly [at: string | number]: unknown })[at]
  if (isObject(value)) return value
  if (value === null) return undefined
  if (!Array.isArray(value)) throw parsingException(`[${name}] query does not support [${key}]`).at(container, at)
  return value.reduce((last: JsonObject | undefined, _, i) => inList(name, value, i, key) ?? last, undefined)
}

/** The one field of a `{ field: value }` query. @throws {ServiceError} for none or several */
export function singleField(name: string, body: unknown): readonly [field: string, value: unknown] {
  return oneField(name, body, (field, value) => [field, value] as const)
}
