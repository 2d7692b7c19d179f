import type { EngineVersion } from '../../engine/engine-version.ts'
import type { Long } from '../../engine/long.ts'
import type { IndexMapping } from '../../engine/mapping/index-mapping.ts'
import { notBooleanToken, notNumeric } from '../../engine/mapping/number-value.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { parseBoolean } from '../../parse-boolean.ts'
import { placed } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import type { Warnings } from '../deprecation/warnings.ts'
import { writtenNumber } from './written-number.ts'

/** What query parsing needs to know of the version, and of documents that queries name. */
export interface QueryContext {
  readonly engineVersion: EngineVersion
  /** Reason for a query nobody knows. */
  readonly unknownQuery: (name: string) => string
  /** Looks up what queries take from the domain's own documents. */
  readonly lookup: QueryLookup
  /** Told in place of looking up terms and shapes, where the real servers do not wait for them. */
  readonly passOver?: () => void
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
}

/** Reads what queries name. The caller must be allowed to read it, as with any other request. */
export interface QueryLookup {
  /** @throws {ServiceError} index_not_found_exception */
  document(name: DocumentName): LookedUpDocument | undefined
  /** @throws {ServiceError} index_not_found_exception */
  mapping(index: string): IndexMapping | undefined
  /** A stored script; undefined: there is none of that name. */
  script(id: string): { readonly lang: string; readonly source: string } | undefined
  /** The one index of the request's path; undefined where it names none or several. */
  readonly index: string | undefined
  /** Whether anything was looked up so far: then an answer depends on more than the indices searched, and on who asks. */
  readonly hasLooked?: boolean
}

type JsonObject = { readonly [name: string]: unknown }

/** Queries that tell the token of a member that is no value. */
const VALUES_ONLY: ReadonlySet<string> = new Set([
  'match_none',
  'match',
  'match_phrase',
  'match_phrase_prefix',
  'match_bool_prefix',
  'multi_match',
  'terms',
  'exists',
  'query_string',
  'simple_query_string',
])

/** Queries that read a member as what it is to be, whatever stands there: null and lists, too. Others pass over null. */
const READS_ALL: ReadonlySet<string> = new Set([
  'term',
  'range',
  'prefix',
  'wildcard',
  'regexp',
  'dis_max',
  'span_term',
  'span_or',
  'span_not',
  'span_first',
  'span_containing',
  'span_within',
  'field_masking_span',
  'span_field_masking',
])

/** Reads one query's object member by member and complains of those nobody read. */
export class QueryReader {
  readonly name: string
  readonly #body: JsonObject
  readonly #read = new Set<string>()

  /** @param name  the query's name, for messages */
  constructor(name: string, body: unknown) {
    this.name = name
    if (!isObject(body))
      throw new ServiceError('parsing_exception', `[${name}] query malformed, no start_object after query name`)
    this.#body = body
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
    this.#read.add(key)
    return this.#body[key]
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
    const value = this.raw(key)
    this.#checkValue(key, value, 'text')
    if (value === undefined || value === null) return undefined
    if (typeof value === 'object') throw this.unsupported(key)
    return String(writtenNumber(this.#body, key, value))
  }

  number(key: string): number | undefined {
    const value = this.raw(key)
    this.#checkValue(key, value, 'number')
    if (value === undefined || value === null) return undefined
    if (typeof value === 'boolean') throw this.at(key, notNumeric(value))
    const isBlank = typeof value === 'string' && value.trim() === ''
    const number = isBlank ? Number.NaN : Number(value)
    if (typeof value !== 'object' && !Number.isNaN(number)) return number
    const reason = value === '' ? 'empty String' : `For input string: "${String(value)}"`
    const fault = new ServiceError('number_format_exception', reason)
    if (typeof value !== 'object') throw this.at(key, fault)
    const wrapped = new ServiceError('parsing_exception', `[${this.name}] failed to parse field [${key}]`, {
      cause: fault,
    })
    throw this.at(key, wrapped)
  }

  /** Looks at what stands where a value is to stand. @throws {ServiceError} where a query does not pass it over */
  #checkValue(key: string, value: unknown, wanted: 'text' | 'number' | 'boolean'): void {
    if (value === undefined || (value !== null && typeof value !== 'object')) return
    const token = tokenName(value)
    // Of lists and objects it tells that it does not know them there.
    const isNullOfSet = token === 'VALUE_NULL' && this.name === 'terms_set'
    if (isNullOfSet || VALUES_ONLY.has(this.name))
      throw this.at(
        key,
        new ServiceError('parsing_exception', `[${this.name}] unknown token [${token}] after [${key}]`),
      )
    if (!READS_ALL.has(this.name) || token === 'START_OBJECT') return
    if (wanted === 'number') throw this.at(key, notNumeric(value))
    throw this.at(
      key,
      wanted === 'text'
        ? new ServiceError('illegal_state_exception', `Can't get text on a ${token}`, { place: null })
        : notBooleanToken(value),
    )
  }

  boolean(key: string, fallback: boolean): boolean {
    const value = this.raw(key)
    this.#checkValue(key, value, 'boolean')
    if (value === undefined || value === null) return fallback
    if (typeof value === 'boolean') return value
    // Nothing is false to the real servers' parser.
    if (value === '') return false
    if (typeof value === 'number' || typeof value === 'bigint') throw this.at(key, notBooleanToken(value))
    return this.placed(key, () => parseBoolean(value))
  }

  /** `boost` and `_name`. @throws {ServiceError} illegal_argument_exception for a negative boost */
  base(): { boost?: number; name?: string } {
    const boost = this.number('boost')
    const name = this.text('_name')
    return { ...(boost === undefined ? {} : { boost }), ...(name === undefined ? {} : { name }) }
  }

  wasRead(key: string): boolean {
    return this.#read.has(key)
  }

  /** @throws {ServiceError} for the first member that was not read */
  done(): void {
    for (const key of Object.keys(this.#body)) if (!this.#read.has(key)) throw this.unsupported(key)
  }

  /** The first member nobody has asked for, if any. */
  unread(): string | undefined {
    return Object.keys(this.#body).find((key) => !this.#read.has(key))
  }

  unsupported(key: string, container: object = this.#body): ServiceError {
    return new ServiceError('parsing_exception', `[${this.name}] query does not support [${key}]`).at(container, key)
  }
}

/** The one field of a `{ field: value }` query. @throws {ServiceError} for none or several */
export function singleField(name: string, body: unknown): readonly [field: string, value: unknown] {
  if (!isObject(body))
    throw new ServiceError('parsing_exception', `[${name}] query malformed, no start_object after query name`)
  const [first, second] = Object.entries(body)
  if (first === undefined) throw new ServiceError('illegal_argument_exception', 'field name is null or empty')
  if (second !== undefined)
    throw new ServiceError(
      'parsing_exception',
      `[${name}] query doesn't support multiple fields, found [${first[0]}] and [${second[0]}]`,
    ).at(body, second[0])
  return first
}
