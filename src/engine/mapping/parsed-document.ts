import type { FieldMapping } from './field-mapping.ts'

/**
 * One value as the index takes it. By the field's kind:
 * text, keyword: string (keyword already normalized) · number, date (ms since 1970), boolean (0/1): number, or bigint
 * for a `long` not exact in a double and
 * for a `date_nanos` (nanoseconds since 1970) · ip: 16 bytes, IPv4 mapped into IPv6 · binary: bytes ·
 * geo_point: 16 bytes, lat then lon as little-endian doubles · range: 16 bytes, from then to as two little-endian
 * doubles (ip_range: 32 bytes) · geo_shape: as geo-shape/encode-shape.ts
 * writes it · any other opaque: the JSON value in UTF-8.
 */
export type IndexedValue = string | number | bigint | Uint8Array

/** A value and the field it belongs to; values of one field keep the order of the document. */
export interface ParsedField {
  readonly field: FieldMapping
  readonly value: IndexedValue
}

/** A Lucene document: a nested object or the root. */
export interface ParsedLuceneDocument {
  /** Path of the nested object; undefined for the root. */
  readonly nestedPath: string | undefined
  readonly fields: readonly ParsedField[]
  /** Paths (leaf fields and their objects) for `exists` on fields without doc values or norms. */
  readonly fieldNames: readonly string[]
}

/** A document taken apart by its mapping. */
export interface ParsedDocument {
  /** Nested objects in document order, each before the object around it; the root is last. */
  readonly documents: readonly ParsedLuceneDocument[]
  /** Mapping of the type after dynamic mapping, when this document added fields: to be made durable before the document. */
  readonly mappingUpdate: MappingUpdate | undefined
}

/** New fields that a document brought: a mapping to merge into the type. */
export interface MappingUpdate {
  readonly type: string
  /** `{ properties: { … } }` as `put_mapping` takes it. */
  readonly mapping: Readonly<Record<string, unknown>>
}
