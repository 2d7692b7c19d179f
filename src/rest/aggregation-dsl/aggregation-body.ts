import type { EngineVersion } from '../../engine/engine-version.ts'
import { doubleOfText, notNumeric } from '../../engine/mapping/types/number-value.ts'
import type { Query } from '../../engine/search/queries/query.ts'
import type { SortKey } from '../../engine/search/search-request.ts'
import { type ErrorType, ServiceError, type ServiceErrorDetail } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { failedField, inField, notBuilt, parseFault, placed } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { BOOLEAN, NUMBER, OBJECT, STRING } from '../body/member-tokens.ts'
import { noObjectBehind, objectAt } from '../body/object-at.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { readInt } from '../body/read-int.ts'
import { readLong } from '../body/read-long.ts'
import { tokenBoolean } from '../body/token-boolean.ts'
import { tokenText } from '../body/token-text.ts'
import { unknownField } from '../body/unknown-field.ts'
import { parsingException } from '../parsing-exception.ts'
import type { QueryContext } from '../query-dsl/query-reader.ts'

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
  return parsingException(reason)
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
    return this.text(field, (text) => text)
  }

  /** A text, read by a function as in {@link read}. */
  text<T>(field: string, read: (text: string) => T): T | undefined {
    return this.ofTokens(field, STRING, (value) => read(value as string))
  }

  /** A double, as a number or as text. @param check  looks at it; what it throws is of the member, as in {@link read} */
  number(field: string, check?: (value: number) => number): number | undefined {
    return this.scalar(field, (value) => checked(readDouble(value), check))
  }

  /** An int, as a number or as text; fractions are cut off. */
  integer(field: string, check?: (value: number) => number): number | undefined {
    return this.scalar(field, (value) => checked(readInt(value, this.isLegacy), check))
  }

  /** An int that tells what is wrong with it itself, as parsers of the old kind read it. */
  plainInteger(field: string): number | undefined {
    const value = this.raw(field)
    return value === undefined ? undefined : readInt(value, this.isLegacy)
  }

  /** A long, as a number or as text; fractions are cut off. */
  long(field: string, check?: (value: number) => number): number | undefined {
    return this.scalar(field, (value) => checked(Number(readLong(value, this.isLegacy)), check))
  }

  /** `true` or `false`, plain or as text; an empty text is false. */
  boolean(field: string): boolean | undefined {
    return this.ofTokens(field, BOOLEAN, tokenBoolean)
  }

  /** A number or a text, read by a function as in {@link read}. */
  scalar<T>(field: string, read: (value: JsonValue) => T): T | undefined {
    return this.ofTokens(field, NUMBER, read)
  }

  /** Several doubles, or one alone. */
  doubles(field: string): number[] | undefined {
    return this.ofTokens(field, [...NUMBER, 'START_ARRAY'], (value) =>
      Array.isArray(value) ? readItems(value, readDouble) : [readDouble(value)],
    )
  }

  /** Several texts, or one alone. */
  strings(field: string): string[] | undefined {
    return this.ofTokens(field, [...STRING, 'START_ARRAY'], (value) =>
      Array.isArray(value) ? readItems(value, tokenText) : [value as string],
    )
  }

  object(field: string): JsonObject | undefined {
    return this.ofTokens(field, OBJECT, (value) => value as JsonObject)
  }

  /** An object with a parser of its own, by whose name its faults are told. @param type  that name */
  members<T>(field: string, type: string, read: (body: AggregationBody) => T): T | undefined {
    return this.ofTokens(field, OBJECT, (value) => {
      const body = this.part(value as JsonObject, type)
      return body.readAll(() => read(body))
    })
  }

  /** An object or a list, read by a function as in {@link read}. */
  objects<T>(field: string, read: (value: JsonValue) => T): T | undefined {
    return this.ofTokens(field, [...OBJECT, 'START_ARRAY'], read)
  }

  /** Objects, or one alone (`declareObjectArray`). @param read  reads the item of a list; single values count as such */
  objectList<T>(field: string, read: (list: readonly JsonValue[], index: number) => T): T[] | undefined {
    return this.objects(field, (value) => {
      const list = Array.isArray(value) ? value : [value]
      return readItems(list, (_, i) => read(list, i))
    })
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

  /** True or false that tells what is wrong with it itself, as parsers of the old kind read it. */
  plainBoolean(field: string): boolean | undefined {
    const value = this.raw(field)
    return value === undefined ? undefined : tokenBoolean(value)
  }

  /**
   * A member with a parser of its own, which tells itself what is wrong and goes by the member's name.
   *
   * @throws {ServiceError} x_content_parse_exception
   */
  own<T>(field: string, read: (body: AggregationBody) => T): T | undefined {
    this.#known.add(field)
    if (!Object.hasOwn(this.#json, field)) return undefined
    const body = this.part(objectAt(field, this.#json, field), field)
    const made = body.readAll(() => read(body))
    // Behind an object in a list it goes on with what follows the list.
    if (Array.isArray(this.#json[field])) throw noObjectBehind(field, this.#json, field)
    return made
  }

  /**
   * Looks at each member as parsers of the old kind do: they ask what token a value begins with, and for the name then.
   *
   * @param members  names by tokens
   * @param refused  what is said of any other; where it is left out, that depends on whether there are names to a token
   * @throws {ServiceError} parsing_exception
   */
  checkTokens(
    members: Readonly<Record<string, readonly string[]>>,
    refused?: (field: string, token: string) => string,
  ): void {
    for (const [field, value] of Object.entries(this.#json)) {
      const token = tokenName(value)
      const names = members[token]
      if (names?.includes(field)) continue
      const reason =
        names === undefined
          ? `Unexpected token ${token} in [${this.name}].`
          : `Unknown key for a ${token} in [${this.name}]: [${field}].`
      throw this.at(field, parsingError(refused?.(field, token) ?? reason))
    }
  }

  /**
   * Looks for the members that something is made from, as parsers do that make it when they met the last of them: what is
   * missing is told once all were read, and none of them is wrong.
   */
  require(fields: readonly string[]): void {
    const missing = fields.filter((field) => !this.has(field))
    if (missing.length > 0) this.refuse(this.atEnd(illegalArgument(`Required [${missing.join(', ')}]`)))
  }

  /** Makes something of such members: what is wrong with it is told of the one that was met last. */
  build<T>(fields: readonly string[], make: () => T): T {
    try {
      return make()
    } catch (error) {
      const last = Object.keys(this.#json).findLast((field) => fields.includes(field))
      throw error instanceof ServiceError && last !== undefined ? this.failed(last, notBuilt(this.type, error)) : error
    }
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
    return unknownField(this.type, field, this.isLegacy, this.#known, this.#json)
  }

  /** Whether it is asked for 6.x' words. */
  get isLegacy(): boolean {
    return this.context.engineVersion === 'Elasticsearch_6.8'
  }

  /** A member of one of some tokens. Null is a token, too: few members may be that. */
  ofTokens<T>(field: string, tokens: readonly string[], read: (value: JsonValue) => T): T | undefined {
    this.#known.add(field)
    if (!Object.hasOwn(this.#json, field)) return undefined
    const value = this.#json[field] ?? null
    if (!tokens.includes(tokenName(value))) throw this.wrongToken(field, value)
    return inField(this.type, field, () => read(value), this.#json)
  }
}

function readItems<T>(list: readonly JsonValue[], read: (item: JsonValue, index: number) => T): T[] {
  return list.map((item, i) =>
    placed(list, i, () => {
      if (!Array.isArray(item)) return read(item, i)
      throw new ServiceError('illegal_state_exception', `expected value but got [${tokenName(item)}]`)
    }),
  )
}

const checked = (value: number, check?: (value: number) => number): number =>
  check === undefined ? value : check(value)

/** @throws {ServiceError} number_format_exception, json_parse_exception for what is neither a number nor text */
export function readDouble(value: JsonValue): number {
  if (typeof value === 'boolean' || typeof value === 'object') throw notNumeric(value)
  return typeof value === 'string' ? doubleOfText(value) : Number(value)
}
