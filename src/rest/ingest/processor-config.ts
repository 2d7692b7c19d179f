import { castFailure } from '../../engine/java/java-class-text.ts'
import { javaText } from '../../engine/mapping/java-text.ts'
import { type ErrorType, ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { exactMember } from '../body/exact-json.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { classOf, type Value } from './ingest-document.ts'

type Body = { readonly [name: string]: JsonValue }

/** The configuration of a processor or pipeline, read member by member; what nobody asked for is refused at the end. */
export class ProcessorConfig {
  /** Undefined for a pipeline. */
  readonly type: string | undefined
  readonly tag: string | undefined
  readonly #body: Body
  /** Whether it is read as 6.x does. */
  readonly hasHeader: boolean
  readonly #read = new Set<string>()

  /**
   * @param hasHeader  whether faults tell of their processor in a header; false: beside their reason, as since 7.x
   * @param tellsTag   whether they tell its tag
   */
  constructor(type: string | undefined, body: Body, hasHeader = true, tellsTag = true) {
    this.type = type
    this.#body = body
    this.hasHeader = hasHeader
    const { tag } = body
    this.tag = tellsTag && typeof tag === 'string' ? tag : undefined
  }

  raw(name: string): JsonValue | undefined {
    this.#read.add(name)
    const value = this.#body[name]
    return value === null ? undefined : value
  }

  /** Whether it is named, be it as null. */
  names(name: string): boolean {
    return Object.hasOwn(this.#body, name)
  }

  /** @throws {ServiceError} parse_exception */
  required(name: string): JsonValue {
    const value = this.raw(name)
    if (value === undefined) throw this.fault(name, 'required property is missing')
    return value
  }

  /** A value whose numbers are told from each other as Java does. @throws {ServiceError} parse_exception */
  exact(name: string): unknown {
    return exactMember(this.#body, name, this.required(name))
  }

  optionalText(name: string): string | undefined {
    const value = this.raw(name)
    if (value === undefined || typeof value === 'string') return value
    throw this.fault(name, `property isn't a string, but of type [${classOf(value as Value)}]`)
  }

  /** A text, or an int as a text. @throws {ServiceError} parse_exception */
  textOrInteger(name: string): string | undefined {
    const value = this.raw(name)
    if (value === undefined || typeof value === 'string') return value
    const found = classOf(value as Value)
    if (found === 'java.lang.Integer') return String(value)
    throw this.fault(name, `property isn't a string or int, but of type [${found}]`)
  }

  text(name: string, fallback?: string): string {
    const value = this.optionalText(name) ?? fallback
    if (value === undefined) throw this.fault(name, 'required property is missing')
    return value
  }

  boolean(name: string, fallback: boolean): boolean {
    const value = this.raw(name)
    if (value === undefined) return fallback
    if (typeof value === 'boolean') return value
    throw this.fault(name, `property isn't a boolean, but of type [${classOf(value as Value)}]`)
  }

  optionalList(name: string): readonly JsonValue[] | undefined {
    const value = this.raw(name)
    if (value === undefined || Array.isArray(value)) return value
    throw this.fault(name, `property isn't a list, but of type [${classOf(value as Value)}]`)
  }

  /**
   * A list's item that Java takes for a text without looking.
   *
   * @param onNull  what Java would call, as it says where there is nothing to call it of
   * @throws {ServiceError} exception
   */
  castToText(item: JsonValue, onNull: string): string {
    if (typeof item === 'string') return item
    if (item === null) {
      const reason = `Cannot invoke "${onNull} is null`
      throw this.failure('null_pointer_exception', 'java.lang.NullPointerException', reason)
    }
    const reason = castFailure(classOf(item as Value), 'java.lang.String')
    throw this.failure('class_cast_exception', 'java.lang.ClassCastException', reason)
  }

  /**
   * An item of `properties`, in upper case.
   *
   * @param known     those there are
   * @param variable  what Java keeps it in, as it says where there is nothing in it
   * @throws {ServiceError} exception for what is no text, parse_exception for another
   */
  property(item: JsonValue, known: readonly string[], variable: string): string {
    const name = this.castToText(item, `String.toUpperCase(java.util.Locale)" because "${variable}"`)
    const property = name.toUpperCase()
    if (known.includes(property)) return property
    const reason = `illegal property value [${name}]. valid values are [${known.join(', ')}]`
    throw this.fault('properties', reason)
  }

  list(name: string): readonly JsonValue[] {
    const value = this.optionalList(name)
    if (value === undefined) throw this.fault(name, 'required property is missing')
    return value
  }

  optionalMap(name: string): Body | undefined {
    const value = this.raw(name)
    if (value === undefined || isObject(value)) return value
    throw this.fault(name, `property isn't a map, but of type [${classOf(value as Value)}]`)
  }

  /** @throws {ServiceError} parse_exception */
  map(name: string): Body {
    const value = this.optionalMap(name)
    if (value === undefined) throw this.fault(name, 'required property is missing')
    return value
  }

  integer(name: string, fallback: number): number {
    const value = this.raw(name)
    if (value === undefined) return fallback
    const text = javaText(value)
    if (/^[+-]?\d+$/.test(text) && Math.abs(Number(text)) < 2 ** 31) return Number(text)
    throw this.fault(name, `property cannot be converted to an int [${text}]`)
  }

  double(name: string): number {
    const text = String(this.required(name))
    const number = text.trim() === '' ? Number.NaN : Number(text)
    if (Number.isNaN(number)) throw this.fault(name, `property cannot be converted to a double [${text}]`)
    return number
  }

  /** A complaint of the server's own about the whole: of a Java class, with a type of its own. @param inner  what led to it */
  failure(type: ErrorType, javaClassName: string, reason: string, inner?: ServiceError): ServiceError {
    const cause = new ServiceError(type, reason, inner === undefined ? {} : { cause: inner })
    return this.within(new ServiceError('exception', `${javaClassName}: ${reason}`, { cause, status: 400 }))
  }

  /** Names nobody read. */
  unread(): string[] {
    return Object.keys(this.#body).filter((name) => !this.#read.has(name))
  }

  /** A complaint about a property. */
  fault(property: string | undefined, reason: string): ServiceError {
    const text = property === undefined ? reason : `[${property}] ${reason}`
    return this.within(new ServiceError('parse_exception', text), property)
  }

  /** A fault as one of this processor, and of a property of it. */
  within(error: ServiceError, property?: string): ServiceError {
    const place = {
      ...(this.type === undefined ? {} : { processor_type: this.type }),
      ...(this.tag === undefined ? {} : { processor_tag: this.tag }),
      ...(property === undefined ? {} : { property_name: property }),
    }
    if (Object.keys(place).length === 0) return error
    const { metadata } = error.detail
    if (!this.hasHeader) return error.with({ metadata: { ...metadata, ...place } })
    return error.with({ metadata: { ...metadata, header: { ...(metadata?.['header'] as object), ...place } } })
  }
}
