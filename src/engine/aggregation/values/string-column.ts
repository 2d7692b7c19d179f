import type { SegmentReader } from '../../index/segment-reader.ts'
import { uninvertedColumn } from '../../index/uninverted-column.ts'
import type { SegmentScope } from '../aggregation-context.ts'
import { ComputedSegment } from './computed-segment.ts'
import type { StringColumn, TermList } from './string-terms.ts'

const typeColumns = new WeakMap<object, StringColumn>()
const idColumns = new WeakMap<object, StringColumn>()
const uidColumns = new WeakMap<object, StringColumn>()

/** The strings of a field or metadata field in a segment; undefined when no document has one. */
export function stringColumn(scope: SegmentScope, path: string): StringColumn | undefined {
  const { reader } = scope
  const computed = reader instanceof ComputedSegment ? reader.strings(path) : undefined
  if (computed !== undefined) return computed
  if (path === '_index') return constantColumn(reader.maxDoc, scope.searcher.indexName)
  // In OpenSearch that is a field like any other.
  if (path === '_type' && reader.field(path) === undefined) return typeColumn(reader)
  if (path === '_id') return nameColumn(scope, idColumns, ({ id }) => id)
  if (path === '_uid' && scope.searcher.mapping.engineVersion === 'Elasticsearch_6.8')
    return nameColumn(scope, uidColumns, ({ id }, type) => `${type}#${id}`)
  const field = reader.field(path)
  if (field === undefined) return undefined
  const { docValues } = field
  if (docValues?.kind === 'ordinal') {
    const { values, present, offsets, dictionary } = docValues
    return { values, present, offsets, terms: dictionary, dictionary }
  }
  const column = uninvertedColumn(field, reader.maxDoc)
  return column === undefined ? undefined : { ...column, terms: column.dictionary }
}

function constantColumn(maxDoc: number, text: string): StringColumn {
  return {
    values: new Uint8Array(maxDoc),
    present: undefined,
    offsets: undefined,
    terms: textList([text]),
    dictionary: undefined,
  }
}

function textList(texts: readonly string[]): TermList {
  const bytes = texts.map((text) => Buffer.from(text))
  return {
    size: texts.length,
    term: (ordinal) => bytes[ordinal] as Buffer,
    termText: (ordinal) => texts[ordinal] as string,
  }
}

function sortedByBytes(texts: Iterable<string>): string[] {
  return [...texts]
    .map((text) => ({ text, bytes: Buffer.from(text) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ text }) => text)
}

function typeColumn(reader: SegmentReader): StringColumn {
  const { typeOrdinals, typeNames } = reader
  const cached = typeColumns.get(typeOrdinals)
  if (cached !== undefined) return cached
  const sorted = sortedByBytes(typeNames)
  const rank = typeNames.map((name) => sorted.indexOf(name))
  const values = Uint16Array.from(typeOrdinals, (ordinal) => rank[ordinal] as number)
  const column = { values, present: undefined, offsets: undefined, terms: textList(sorted), dictionary: undefined }
  typeColumns.set(typeOrdinals, column)
  return column
}

/** What documents are called, each otherwise. */
function nameColumn(
  { reader, searcher }: SegmentScope,
  columns: WeakMap<object, StringColumn>,
  nameOf: (name: { readonly id: string }, type: string) => string,
): StringColumn {
  const cached = columns.get(reader.typeOrdinals)
  if (cached !== undefined) return cached
  const { maxDoc, rootDocs, liveDocs, typeNames, typeOrdinals } = reader
  const ids = new Array<string | undefined>(maxDoc)
  for (let doc = 0; doc < maxDoc; doc++) {
    const bit = 1 << (doc & 31)
    if (rootDocs !== undefined && ((rootDocs[doc >>> 5] as number) & bit) === 0) continue
    // Deleted documents' records may be gone.
    if (liveDocs !== undefined && ((liveDocs[doc >>> 5] as number) & bit) === 0) continue
    ids[doc] = nameOf(searcher.name(reader, doc), typeNames[typeOrdinals[doc] as number] as string)
  }
  const sorted = sortedByBytes(new Set(ids.filter((id) => id !== undefined)))
  const ordinals = new Map(sorted.map((id, ordinal) => [id, ordinal]))
  const values = new Uint32Array(maxDoc)
  const present = new Uint32Array((maxDoc + 31) >>> 5)
  for (let doc = 0; doc < maxDoc; doc++) {
    const id = ids[doc]
    if (id === undefined) continue
    values[doc] = ordinals.get(id) as number
    present[doc >>> 5] = (present[doc >>> 5] as number) | (1 << (doc & 31))
  }
  const column = { values, present, offsets: undefined, terms: textList(sorted), dictionary: undefined }
  columns.set(reader.typeOrdinals, column)
  return column
}
