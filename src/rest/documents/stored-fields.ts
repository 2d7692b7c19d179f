import { append } from '../../engine/algorithms/long-lists.ts'
import type { StoredDocument } from '../../engine/index/index-searcher.ts'
import { parseSource } from '../../engine/index/parse-source.ts'
import { javaDouble } from '../../engine/java/java-number-text.ts'
import type { FieldMapping, GeoPointField, NumberField, RangeField } from '../../engine/mapping/field-mapping.ts'
import {
  decodeGeoPoint,
  isPointArray,
  normalizeGeoPoint,
  parseGeoPoint,
} from '../../engine/mapping/geo/geo-point-value.ts'
import { IGNORED_FIELD } from '../../engine/mapping/ignored-field.ts'
import type { IndexMapping } from '../../engine/mapping/index-mapping.ts'
import type { IndexedValue } from '../../engine/mapping/parsed-document.ts'
import { formatAddress } from '../../engine/mapping/types/ip-address.ts'
import { isWholeType } from '../../engine/mapping/types/number-value.ts'
import { rangeText } from '../../engine/mapping/types/range-field-type.ts'
import { ServiceError } from '../../errors.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import { setOwn } from '../../set-own.ts'
import { JavaDouble, JavaFloat, type Json } from '../json/json-writer.ts'

/**
 * Values of fields mapped with `store: true`, taken from the source they were stored from: as their types read them,
 * those of multi-fields and of `copy_to` too. Undefined when none has any.
 *
 * @param takesPatterns  false: names are no patterns (documents got by id)
 */
export function storedFields(
  document: StoredDocument,
  names: readonly string[],
  mapping: IndexMapping,
  takesPatterns: boolean,
): { readonly [name: string]: Json } | undefined {
  if (document.source === undefined) return undefined
  const shown = new Map<string, FieldMapping>()
  for (const name of names) {
    if (mapping.isObject(name))
      throw new ServiceError('illegal_argument_exception', `field [${name}] isn't a leaf field`, {
        inQueryPhase: takesPatterns,
      })
    for (const path of takesPatterns && name.includes('*') ? mapping.matchFields(name) : [name]) {
      const field = mapping.field(path)
      // Of a document got by its id, names are those of fields alone, and no aliases.
      const isNamed = path === name ? takesPatterns || path === field?.path : matchWildcard(name, path)
      // What was passed over is shown beside the fields.
      if (field?.store && isNamed && field !== IGNORED_FIELD) shown.set(path, field)
    }
  }
  if (shown.size === 0) return undefined
  const source = parseSource(document.source)
  const root = rootFields(document, source, mapping)
  const out: Record<string, Json> = {}
  for (const [path, field] of shown) {
    const indexed = root.flatMap((one) => (one.field.path === field.path ? [one.value] : []))
    const values = storedValues(field, indexed, source)
    if (values.length > 0) setOwn(out, path, values)
  }
  return Object.keys(out).length > 0 ? out : undefined
}

/** The document taken apart; nothing where the mapping has come to refuse it. */
function rootFields(
  { type, id, source, routing }: StoredDocument,
  parsed: Readonly<Record<string, unknown>>,
  mapping: IndexMapping,
): readonly { readonly field: FieldMapping; readonly value: IndexedValue }[] {
  try {
    return mapping.parse(type, id, parsed, source, routing).documents.at(-1)?.fields ?? []
  } catch (error) {
    if (error instanceof ServiceError) return []
    throw error
  }
}

function storedValues(field: FieldMapping, indexed: readonly IndexedValue[], source: unknown): readonly Json[] {
  switch (field.kind) {
    case 'text':
    case 'keyword':
      return indexed as readonly string[]
    case 'number':
      if (isWholeType(field.type)) return indexed as readonly (number | bigint)[]
      return floats(field, indexed as readonly number[], source)
    case 'date':
      if (field.inNanos) return indexed.map((value) => field.format.formatNanos(BigInt(value as number | bigint)))
      return indexed.map((value) => field.format.format(Number(value), undefined))
    case 'boolean':
      return indexed.map((value) => value !== 0)
    case 'ip':
      return indexed.map((value) => formatAddress(value as Uint8Array))
    case 'binary':
      return indexed.map((value) => Buffer.from(value as Uint8Array).toString('base64'))
    case 'geo_point':
      return pointTexts(field, indexed as readonly Uint8Array[], source)
    case 'range':
      return rangeTexts(field, source as Json)
    case 'opaque':
      return valuesAt(source as Json, field.path.split('.'))
  }
}

/** Ranges are stored as Lucene prints them, their ends as they were given: `(1 : 5]`. */
function rangeTexts(field: RangeField, source: Json): string[] {
  return valuesAt(source, field.path.split('.')).flatMap((value) => {
    try {
      return [rangeText(value, field)]
    } catch (error) {
      if (error instanceof ServiceError) return []
      throw error
    }
  })
}

/** A half float is stored as the float that was given, a scaled one as its steps, which are divided where doc values are multiplied. */
function floats({ type, path, scalingFactor = 1 }: NumberField, indexed: readonly number[], source: unknown): Json[] {
  if (type === 'scaled_float')
    return indexed.map((value) => new JavaDouble(Math.round(value * scalingFactor) / scalingFactor))
  if (type !== 'float' && type !== 'half_float') return indexed.map((value) => new JavaDouble(value))
  const given = valuesAt(source as Json, path.split('.')).map(Number)
  const values = type === 'half_float' && given.length === indexed.length ? given : indexed
  return values.map((value) => new JavaFloat(Math.fround(value)))
}

/** Points are stored as they were given, before they are brought to the steps of the index. */
function pointTexts(field: GeoPointField, indexed: readonly Uint8Array[], source: unknown): string[] {
  const given = valuesAt(source as Json, field.path.split('.'), isPointArray).flatMap((value) => {
    try {
      const point = parseGeoPoint(value, true)
      return [field.ignoreMalformed ? normalizeGeoPoint(point) : point]
    } catch (error) {
      if (error instanceof ServiceError) return []
      throw error
    }
  })
  // Those of multi-fields, of `null_value` and the like stand elsewhere.
  const points = given.length === indexed.length ? given : indexed.map(decodeGeoPoint)
  return points.map(({ lat, lon }) => `${javaDouble(lat)}, ${javaDouble(lon)}`)
}

/**
 * Every value at a path, through arrays and dotted names alike.
 *
 * @param isValue  true for an array that is one value
 */
export function valuesAt(
  value: Json,
  path: readonly string[],
  isValue: (array: readonly unknown[]) => boolean = () => false,
): Json[] {
  if (Array.isArray(value) && !(path.length === 0 && isValue(value)))
    return (value as readonly Json[]).flatMap((v) => valuesAt(v, path, isValue))
  if (path.length === 0) return value === null || value === undefined ? [] : [value]
  if (typeof value !== 'object' || value === null) return []
  const members = value as Readonly<Record<string, Json>>
  const out: Json[] = []
  for (let length = 1; length <= path.length; length++) {
    const name = path.slice(0, length).join('.')
    if (Object.hasOwn(members, name)) append(out, valuesAt(members[name], path.slice(length), isValue))
  }
  return out
}

/** Whether the real server stops reading a document at a stored field behind its routing, before what was passed over: since 7.x. */
export function stopsAtRouting(document: StoredDocument, mapping: IndexMapping, isSourceLeft = false): boolean {
  if (document.routing === undefined || mapping.engineVersion === 'Elasticsearch_6.8') return false
  return isSourceLeft || storedFields(document, ['*'], mapping, true) !== undefined
}
