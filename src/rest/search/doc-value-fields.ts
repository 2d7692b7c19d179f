import { decimalValueFormat } from '../../engine/aggregation/value-format.ts'
import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import type { DocValues, SegmentReader } from '../../engine/index/segment-reader.ts'
import type { FieldMapping } from '../../engine/mapping/field-mapping.ts'
import { formatAddress } from '../../engine/mapping/ip-address.ts'
import { ServiceError } from '../../errors.ts'
import { JavaDouble, JavaFloat, type Json } from '../json/json-writer.ts'
import type { JsonValue } from '../parse-json.ts'
import { isObject } from '../rest-request.ts'

/** A column whose values a hit shows. */
export interface DocValueField {
  /** A path or a pattern with `*`. */
  readonly field: string
  /** A date or decimal format; undefined or `use_field_mapping`: the field's own. */
  readonly format: string | undefined
}

/** Reads `docvalue_fields`. @throws {ServiceError} */
export function parseDocValueFields(json: JsonValue | readonly string[] | undefined): readonly DocValueField[] {
  if (json === undefined || json === null) return []
  return (Array.isArray(json) ? (json as readonly JsonValue[]) : [json as JsonValue]).map((part) => {
    if (!isObject(part)) return { field: String(part), format: undefined }
    for (const key of Object.keys(part)) {
      if (key !== 'field' && key !== 'format') {
        throw new ServiceError(
          'x_content_parse_exception',
          `[docvalue_fields] unknown field [${key}], parser not found`,
        )
      }
    }
    if (part['field'] === undefined) throw new ServiceError('illegal_argument_exception', 'Required [field]')
    const format = part['format']
    return {
      field: String(part['field']),
      format: format === undefined || format === null || format === 'use_field_mapping' ? undefined : String(format),
    }
  })
}

/**
 * Values of the columns of one document, by field; a field named twice shows both.
 *
 * @throws {ServiceError} illegal_argument_exception for text fields and formats that do not fit
 */
export function docValueFields(
  fields: readonly DocValueField[],
  searcher: IndexSearcher,
  segment: SegmentReader,
  doc: number,
): { readonly [name: string]: Json[] } {
  const out: Record<string, Json[]> = {}
  const add = (path: string, values: readonly Json[]): void => {
    if (values.length > 0) out[path] = [...(out[path] ?? []), ...values]
  }
  for (const { field: name, format } of fields) {
    if (name === '_seq_no') add(name, [segment.seqNo(doc)])
    for (const path of name.includes('*') ? searcher.mapping.matchFields(name) : [name]) {
      const field = searcher.mapping.field(path)
      if (field === undefined) continue
      if (field.kind === 'text') {
        if (name.includes('*')) continue
        throw fielddataDisabled(path, searcher.indexName)
      }
      const column = segment.field(field.path)?.docValues
      if (column !== undefined) add(path, columnValues(column, doc, printer(field, format)))
    }
  }
  return out
}

function columnValues(column: DocValues, doc: number, print: (column: DocValues, index: number) => Json): Json[] {
  const { present, offsets } = column
  if (present !== undefined && ((present[doc >>> 5] as number) & (1 << (doc & 31))) === 0) return []
  const from = offsets === undefined ? doc : (offsets[doc] as number)
  const to = offsets === undefined ? doc + 1 : (offsets[doc + 1] as number)
  const values: Json[] = []
  for (let i = from; i < to; i++) values.push(print(column, i))
  return values
}

function printer(field: FieldMapping, format: string | undefined): (column: DocValues, index: number) => Json {
  switch (field.kind) {
    case 'date': {
      const date = format === undefined ? field.format : field.format.like(format)
      if (field.inNanos) return (column, i) => date.formatNanos(nanosAt(column, i))
      return (column, i) => date.format(numberAt(column, i), undefined)
    }
    case 'boolean':
      refuseFormat(field, format)
      return (column, i) => numberAt(column, i) !== 0
    case 'number': {
      if (format !== undefined) {
        const decimal = decimalValueFormat(format)
        return (column, i) => decimal.format(numberAt(column, i))
      }
      if (field.type === 'float' || field.type === 'half_float')
        return (column, i) => new JavaFloat(numberAt(column, i))
      if (field.type === 'double' || field.type === 'scaled_float')
        return (column, i) => new JavaDouble(numberAt(column, i))
      return (column, i) => (column.kind === 'bigint' ? (column.values[i] as bigint) : numberAt(column, i))
    }
    case 'geo_point':
      return (column, i) => {
        const bytes = (column as DocValues & { kind: 'binary' }).value(i)
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        return { lat: new JavaDouble(view.getFloat64(0, true)), lon: new JavaDouble(view.getFloat64(8, true)) }
      }
    case 'binary':
      return (column, i) => Buffer.from((column as DocValues & { kind: 'binary' }).value(i)).toString('base64')
    default:
      refuseFormat(field, format)
      return (column, i) => {
        if (column.kind !== 'ordinal') return numberAt(column, i)
        const ordinal = column.values[i] as number
        return field.kind === 'ip'
          ? formatAddress(column.dictionary.term(ordinal))
          : column.dictionary.termText(ordinal)
      }
  }
}

const numberAt = (column: DocValues, index: number): number =>
  column.kind === 'binary' ? Number.NaN : Number(column.values[index])

const nanosAt = (column: DocValues, index: number): bigint =>
  column.kind === 'bigint' ? (column.values[index] as bigint) : BigInt(numberAt(column, index))

function refuseFormat(field: FieldMapping, format: string | undefined): void {
  if (format === undefined) return
  throw new ServiceError(
    'illegal_argument_exception',
    `Field [${field.path}] of type [${field.kind}] does not support custom formats`,
    { inQueryPhase: true },
  )
}

/** A text field where a column is needed. */
export function fielddataDisabled(path: string, index: string): ServiceError {
  return new ServiceError(
    'illegal_argument_exception',
    `Fielddata is disabled on text fields by default. Set fielddata=true on [${path}] in order to load fielddata in memory by uninverting the inverted index. Note that this can however use significant memory. Alternatively use a keyword field instead.`,
    { inQueryPhase: true, index },
  )
}
