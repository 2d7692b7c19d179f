import { ServiceError } from '../../errors.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import type { DocValues, SegmentReader } from '../index/segment-reader.ts'
import { formatAddress } from '../mapping/ip-address.ts'
import type { SortKey } from './search-request.ts'

/** A document's value for one sort key; null: it has none. */
export type SortValue = string | number | bigint | boolean | null

/** Reads a key's value of a document. */
export type SortReader = (doc: number, score: number) => SortValue

/**
 * How a sort key is read in each segment of an index.
 *
 * @throws {ServiceError} query_shard_exception «No mapping found for [x] in order to sort on», illegal_argument_exception for text
 */
export function sortReader(key: SortKey, searcher: IndexSearcher, _version: EngineVersion): (segment: SegmentReader) => SortReader {
  switch (key.kind) {
    case 'score':
      return () => (_, score) => score
    case 'doc':
      return (segment) => {
        const base = searcher.docBases[searcher.segments.indexOf(segment)] as number
        return (doc) => base + doc
      }
    case 'geo_distance':
      throw new ServiceError('illegal_argument_exception', 'sorting by [_geo_distance] is not supported by this domain', { inQueryPhase: true, index: searcher.indexName })
    case 'field':
      return fieldReader(key, searcher)
  }
}

function fieldReader(key: SortKey & { kind: 'field' }, searcher: IndexSearcher): (segment: SegmentReader) => SortReader {
  if (key.field === '_seq_no') return (segment) => (doc) => segment.seqNo(doc)
  if (key.field === '_id') return (segment) => (doc) => searcher.document(segment, doc).id
  if (key.field === '_type') return (segment) => (doc) => segment.typeNames[segment.typeOrdinals[doc] as number] ?? null
  const field = searcher.mapping.field(key.field)
  if (field === undefined) {
    if (key.unmappedType !== undefined) return () => () => null
    throw new ServiceError('query_shard_exception', `No mapping found for [${key.field}] in order to sort on`, {
      index: searcher.indexName,
      indexUuid: searcher.indexUuid,
      inQueryPhase: true,
    })
  }
  if (field.kind === 'text') {
    throw new ServiceError(
      'illegal_argument_exception',
      `Fielddata is disabled on text fields by default. Set fielddata=true on [${key.field}] in order to load fielddata in memory by uninverting the inverted index. Note that this can however use significant memory. Alternatively use a keyword field instead.`,
      { inQueryPhase: true, index: searcher.indexName },
    )
  }
  const last = key.mode === 'max' || (key.mode === undefined && key.order === 'desc')
  return (segment) => {
    const column = segment.field(field.path)?.docValues
    if (column === undefined) return () => null
    const at = valueIndex(column, key.mode === 'min' ? false : last)
    switch (column.kind) {
      case 'numeric': {
        const { values } = column
        if (key.mode === 'sum' || key.mode === 'avg' || key.mode === 'median') return (doc) => combined(column, doc, key.mode as 'sum')
        return (doc) => {
          const i = at(doc)
          return i < 0 ? null : (values[i] as number)
        }
      }
      case 'bigint':
        return (doc) => {
          const i = at(doc)
          return i < 0 ? null : (column.values[i] as bigint)
        }
      case 'ordinal': {
        const { dictionary, values } = column
        return (doc) => {
          const i = at(doc)
          if (i < 0) return null
          const ordinal = values[i] as number
          return field.kind === 'ip' ? formatAddress(dictionary.term(ordinal)) : dictionary.termText(ordinal)
        }
      }
      case 'binary':
        return () => null
    }
  }
}

function valueIndex(column: DocValues, last: boolean): (doc: number) => number {
  const { present, offsets } = column
  return (doc) => {
    if (present !== undefined && ((present[doc >>> 5] as number) & (1 << (doc & 31))) === 0) return -1
    if (offsets === undefined) return doc
    return last ? (offsets[doc + 1] as number) - 1 : (offsets[doc] as number)
  }
}

function combined(column: DocValues & { kind: 'numeric' }, doc: number, mode: 'sum' | 'avg' | 'median'): SortValue {
  const first = valueIndex(column, false)(doc)
  if (first < 0) return null
  const last = valueIndex(column, true)(doc)
  if (mode === 'median') {
    const middle = (first + last) >>> 1
    return (last - first) % 2 === 0 ? (column.values[middle] as number) : ((column.values[middle] as number) + (column.values[middle + 1] as number)) / 2
  }
  let sum = 0
  for (let i = first; i <= last; i++) sum += column.values[i] as number
  return mode === 'sum' ? sum : sum / (last - first + 1)
}

/** Order of two values under a key: negative when `a` comes first. Texts by code points, missing values where the key puts them. */
export function compareSortValues(a: SortValue, b: SortValue, key: SortKey): number {
  if (a === b) return 0
  if (a === null || b === null) {
    if (key.kind === 'field' && key.missing !== '_last' && key.missing !== '_first') {
      return compareSortValues(a ?? key.missing, b ?? key.missing, key)
    }
    const missingFirst = key.kind === 'field' && key.missing === '_first'
    return (a === null) === missingFirst ? -1 : 1
  }
  const order = typeof a === 'string' && typeof b === 'string' ? Buffer.compare(Buffer.from(a), Buffer.from(b)) : (a as number) < (b as number) ? -1 : 1
  return key.order === 'asc' ? order : -order
}
