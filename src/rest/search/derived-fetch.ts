import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import type { SegmentReader } from '../../engine/index/segment-reader.ts'
import { createDateFormat } from '../../engine/mapping/dates/create-date-format.ts'
import type { FieldMapping } from '../../engine/mapping/field-mapping.ts'
import type { ScriptValue } from '../../engine/script/values/script-value.ts'
import { textOf } from '../../engine/script/values/script-value.ts'
import { indexedValues } from '../../engine/search/derived/derived-indexing.ts'
import { derivedValues } from '../../engine/search/derived/derived-values.ts'
import { EmittedPoint } from '../../engine/search/script/emit-functions.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { JavaDouble, type Json } from '../json/json-writer.ts'
import { scriptJson } from './script-json.ts'

/** Where a document stands whose derived values are read. */
export interface DerivedPosition {
  readonly segment: SegmentReader
  readonly doc: number
}

/**
 * The values of a derived field as `fields` shows them.
 *
 * @throws {ServiceError} illegal_argument_exception for a format, script_exception
 */
export function shownDerived(
  path: string,
  format: string | undefined,
  searcher: IndexSearcher,
  segment: SegmentReader,
  doc: number,
): readonly Json[] {
  const field = searcher.mapping.field(path)
  if (field?.derived === undefined || field.derived.isOff) return []
  if (format !== undefined) throw illegalArgument(`Field [${path}] of type [derived] doesn't support formats.`)
  const emitted = derivedValues(field, searcher).open(segment)(doc)
  return emitted.map((value) => shown(field, value))
}

function shown(field: FieldMapping, value: ScriptValue): Json {
  if (value === null) return null
  if (value instanceof EmittedPoint) return { lat: new JavaDouble(value.lat), lon: new JavaDouble(value.lon) }
  if (field.kind === 'date') {
    const [millis] = indexedValues(field, [value])
    const own = field.derived?.format ?? ''
    const format = own === '' ? field.format : createDateFormat(own, 'OpenSearch_2.19')
    return millis === undefined ? null : format.format(Number(millis))
  }
  return scriptJson(value)
}

/** The texts of a derived field that are highlighted. @throws {ServiceError} script_exception */
export function derivedTexts(
  field: FieldMapping,
  searcher: IndexSearcher,
  { segment, doc }: DerivedPosition,
): string[] {
  if (field.derived === undefined || field.derived.isOff) return []
  const emitted = derivedValues(field, searcher).open(segment)(doc)
  return emitted.filter((value) => value !== null).map(textOf)
}
