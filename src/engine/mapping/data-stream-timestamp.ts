import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { parseBoolean } from '../../parse-boolean.ts'
import { failedJsonCast } from './java-text.ts'
import { mapperParsing } from './mapping-errors.ts'
import type { ParsedLuceneDocument } from './parsed-document.ts'
import type { ValueSink } from './value-sink.ts'

type Json = Readonly<Record<string, unknown>>

/** `_data_stream_timestamp`: whether each document must have one time, and in which field. */
export interface DataStreamTimestamp {
  readonly enabled: boolean
  /** Full path. */
  readonly field: string
}

/** The field that holds a document's time unless another is named. */
export const DEFAULT_TIMESTAMP_FIELD = '@timestamp'

/** As an index has it that says nothing of it. */
export const NO_TIMESTAMP: DataStreamTimestamp = { enabled: false, field: DEFAULT_TIMESTAMP_FIELD }

/** @throws {ServiceError} mapper_parsing_exception, illegal_argument_exception, class_cast_exception */
export function readTimestamp(value: unknown): DataStreamTimestamp {
  if (!isObject(value)) throw illegalArgument('[_parent] must be an object containing [type]')
  const { enabled = false, timestamp_field: named = { name: DEFAULT_TIMESTAMP_FIELD }, ...unknown } = value
  for (const key of Object.keys(unknown))
    throw mapperParsing(`unknown parameter [${key}] on mapper [_data_stream_timestamp] of type [null]`)
  if (!isObject(named)) throw failedJsonCast(named, 'java.util.Map')
  const { name } = named
  if (typeof name !== 'string') throw illegalArgument('[timestamp_field] must have a [name]')
  return { enabled: parseBoolean(enabled), field: name }
}

/** As a mapping shows it. */
export function renderTimestamp({ enabled, field }: DataStreamTimestamp): Json {
  return { enabled, ...(field === DEFAULT_TIMESTAMP_FIELD ? {} : { timestamp_field: { name: field } }) }
}

/** Checks that a document has one time; anything with a column of numbers counts as one. @throws {ServiceError} mapper_parsing_exception */
export function checkTimestamp({ enabled, field: path }: DataStreamTimestamp, root: ParsedLuceneDocument): void {
  if (!enabled) return
  const times = root.fields.filter(({ field }) => field.path === path && hasNumbers(field))
  if (times.length === 1) return
  const reason = `documents must contain a single-valued timestamp field '${path}' of date type`
  throw mapperParsing('failed to parse', illegalArgument(reason))
}

/** Counts the times of a document on their way to another sink. */
export class TimestampCount implements ValueSink {
  readonly #path: string
  readonly #sink: ValueSink
  count = 0

  constructor({ field }: DataStreamTimestamp, sink: ValueSink) {
    this.#path = field
    this.#sink = sink
  }

  range(...range: Parameters<ValueSink['range']>): void {
    this.#sink.range(...range)
  }

  value(...[field, value]: Parameters<ValueSink['value']>): void {
    if (field.path === this.#path && hasNumbers(field)) this.count++
    this.#sink.value(field, value)
  }

  name(name: string): void {
    this.#sink.name(name)
  }
}

const NUMERIC: ReadonlySet<string> = new Set(['boolean', 'date', 'number'])

function hasNumbers({ kind, docValues }: Parameters<ValueSink['value']>[0]): boolean {
  return docValues && NUMERIC.has(kind)
}
