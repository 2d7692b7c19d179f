import type { EngineVersion } from '../../engine/engine-version.ts'
import type { Query } from '../../engine/search/query.ts'
import type { SortKey } from '../../engine/search/search-request.ts'
import { type ErrorType, ServiceError, type ServiceErrorDetail } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { parseBoolean } from '../../parse-boolean.ts'
import { failedField, inField, parseFault, placed } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../parse-json.ts'
import type { QueryContext } from '../query-dsl/query-reader.ts'
import { unknownField } from '../unknown-field.ts'

/** What reading aggregations needs from the rest of a search request. */
export interface AggregationParseContext {
  readonly engineVersion: EngineVersion
  parseQuery(json: JsonValue): Query
  parseSort(json: JsonValue): readonly SortKey[]
  /** What reading queries and scripts takes. */
  readonly queries: QueryContext
}

export type JsonObject = { readonly [name: string]: JsonValue }

/** A ServiceError with its `reason`, as most parsing faults are. */
export function parsingError(reason: string): ServiceError {
  return new ServiceError('parsing_exception', reason)
}

export function illegalArgument(reason: string): ServiceError {
  return new ServiceError('illegal_argument_exception', reason)
}

/**
 * The body of one aggregation, read field by field; what was not asked for is refused at the end.
 */
export class AggregationBody {
  /** The aggregation's own name, for messages. */
  readonly name: string
  readonly type: string
  readonly context: AggregationParseContext
  /** What is wrong in a way that is told only when the aggregation is made in an index. */
  readonly faults: ServiceError[]
  readonly #json: JsonObject
  readonly #known = new Set<string>()
  #refusal: ServiceError | undefined

  constructor(
    json: JsonObject,
    type: string,
    name: string,
    context: AggregationParseContext,
    faults: ServiceError[] = [],
  ) {
    this.faults = faults
    this.#json = json
    this.type = type
    this.name = name
    this.context = context
  }

  /** The body of a part of the aggregation, whose {@link faults} are the aggregation's. */
  part(json: JsonObject, type: string): AggregationBody {
    return new AggregationBody(json, type, this.name, this.context, this.faults)
  }

  /** Notes a fault for later. @param isLate  see {@link ServiceError.detail} */
  note(type: ErrorType, reason: string, isLate: boolean, detail: ServiceErrorDetail = {}): void {
    this.faults.push(new ServiceError(type, reason, { ...detail, inQueryPhase: true, isLate }))
  }

  /** All members, for bodies that are something else as a whole (a query). */
  whole(): JsonObject {
    for (const field of Object.keys(this.#json)) this.#known.add(field)
    return this.#json
  }

  has(field: string): boolean {
    this.#known.add(field)
    return Object.hasOwn(this.#json, field) && this.#json[field] !== null
  }

  /** Whether a member is there and null. */
  isNull(field: string): boolean {
    return Object.hasOwn(this.#json, field) && this.#json[field] === null
  }

  /** A member as it is; null counts as absent. */
  raw(field: string): JsonValue | undefined {
    return this.has(field) ? this.#json[field] : undefined
  }

  /** A member read by a function, whose errors become the cause of «failed to parse field». */
  read<T>(field: string, read: (value: JsonValue) => T): T | undefined {
    const value = this.raw(field)
    return value === undefined ? undefined : inField(this.type, field, () => read(value), this.#json)
  }

  /** What is wrong with a member that is read to its end. */
  failed(field: string, cause: ServiceError): ServiceError {
    return failedField(this.type, field, cause.at(this.#json, field, 'end'))
  }

  /** A fault at the beginning of a member's value. */
  at(field: string, error: ServiceError): ServiceError {
    return error.at(this.#json, field)
  }

  /** A fault that shows once all members are read. */
  atEnd(error: ServiceError): ServiceError {
    return error.at(this.#json, undefined, 'end')
  }

  /** Makes something once all members are read: faults show there. */
  allRead<T>(make: () => T): T {
    return placed(this.#json, undefined, make, 'end')
  }

  string(field: string): string | undefined {
    const value = this.isNull(field) ? null : this.raw(field)
    if (value === undefined || typeof value === 'string') return value
    throw this.wrongToken(field, value)
  }

  /** A double, as a number or as text. */
  number(field: string): number | undefined {
    return this.#scalar(field, readDouble)
  }

  /** A whole number, as a number or as text; fractions are cut off. */
  integer(field: string): number | undefined {
    return this.#scalar(field, readInteger)
  }

  boolean(field: string): boolean | undefined {
    return this.#scalar(field, parseBoolean)
  }

  object(field: string): JsonObject | undefined {
    const value = this.raw(field)
    if (value === undefined || isObject(value)) return value
    throw this.wrongToken(field, value)
  }

  array(field: string): readonly JsonValue[] | undefined {
    const value = this.raw(field)
    if (value === undefined && this.#json[field] === null) throw this.wrongToken(field, null)
    if (value === undefined || Array.isArray(value)) return value
    throw this.wrongToken(field, value)
  }

  wrongToken(field: string, value: JsonValue): ServiceError {
    return this.at(field, parseFault(`[${this.type}] ${field} doesn't support values of type: ${tokenName(value)}`))
  }

  /** Notes what is wrong with all members together: it is told once they were read, and none of them is wrong. */
  refuse(fault: ServiceError): void {
    this.#refusal ??= fault
  }

  /** Makes something of all members. @throws {ServiceError} x_content_parse_exception for a member nobody asked for */
  readAll<T>(read: () => T): T {
    try {
      const made = read()
      this.end()
      return made
    } catch (error) {
      const isOfMember = error instanceof ServiceError && error.type === 'x_content_parse_exception'
      throw this.#refusal === undefined || isOfMember ? error : this.#refusal
    }
  }

  /** @throws {ServiceError} x_content_parse_exception for a member nobody asked for */
  end(): void {
    const unread = this.unread()
    if (unread !== undefined) throw this.unknown(unread)
    if (this.#refusal !== undefined) throw this.#refusal
  }

  /** The first member nobody has asked for so far. */
  unread(): string | undefined {
    return Object.keys(this.#json).find((field) => !this.#known.has(field))
  }

  /** What is said of a member that is none of the aggregation's. */
  unknown(field: string): ServiceError {
    const isLegacy = this.context.engineVersion === 'Elasticsearch_6.8'
    return unknownField(this.type, field, isLegacy, this.#known, this.#json)
  }

  #scalar<T>(field: string, read: (value: string | number | bigint | boolean) => T): T | undefined {
    const value = this.raw(field)
    if (value === undefined) return undefined
    if (typeof value === 'object' && value !== null) throw this.wrongToken(field, value)
    return this.read(field, (found) => read(found as string))
  }
}

/** @throws {ServiceError} number_format_exception */
export function readDouble(value: JsonValue): number {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value as string)
  if (typeof value === 'boolean' || (Number.isNaN(number) && value !== 'NaN')) {
    throw new ServiceError('number_format_exception', `For input string: "${String(value)}"`)
  }
  return number
}

/** @throws {ServiceError} number_format_exception, illegal_argument_exception */
export function readInteger(value: JsonValue): number {
  const number = readDouble(value)
  if (number > 2147483647 || number < -2147483648)
    throw illegalArgument(`Value [${String(value)}] is out of range for an integer`)
  if (typeof value === 'string' && !/^[-+]?\d+(\.0*)?$/.test(value)) {
    throw new ServiceError('number_format_exception', `For input string: "${value}"`)
  }
  return Math.trunc(number)
}
