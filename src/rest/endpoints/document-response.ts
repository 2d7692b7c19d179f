import type { WriteResult } from '../../engine/index/document-operation.ts'
import type { StoredDocument } from '../../engine/index/index-searcher.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { type Json, RawJson } from '../json/json-writer.ts'
import { filterSource, type SourceFilter, WHOLE_SOURCE } from './document-parameters.ts'

/** What a write answers. */
export function renderWrite(
  index: IndexMetadata,
  result: WriteResult & { ok: true },
  dialect: Dialect,
  refreshed: boolean,
): { readonly [name: string]: Json } {
  const noop = result.result === 'noop'
  const copies = 1 + Number(index.settings['index.number_of_replicas'] ?? 1)
  return {
    _index: index.name,
    ...(dialect.showsType ? { _type: dialect.typed ? result.type : '_doc' } : {}),
    _id: result.id,
    _version: result.version,
    result: result.result,
    ...(refreshed && !noop ? { forced_refresh: true } : {}),
    _shards: noop ? { total: 0, successful: 0, failed: 0 } : { total: copies, successful: 1, failed: 0 },
    ...(noop && dialect.typed ? {} : { _seq_no: result.seqNo, _primary_term: result.primaryTerm }),
  }
}

/** HTTP status of a write. */
export function writeStatus(result: WriteResult & { ok: true }): number {
  return result.result === 'created' ? 201 : result.result === 'not_found' ? 404 : 200
}

/** What a get answers; `document` undefined: not found. */
export function renderGet(
  index: string,
  type: string,
  id: string,
  document: StoredDocument | undefined,
  dialect: Dialect,
  options: { readonly source?: SourceFilter | undefined; readonly fields?: Json | undefined } = {},
): { readonly [name: string]: Json } {
  const head = { _index: index, ...(dialect.showsType ? { _type: document?.type ?? type } : {}), _id: id }
  if (document === undefined) return { ...head, found: false }
  const filter = options.source ?? WHOLE_SOURCE
  return {
    ...head,
    _version: document.version,
    _seq_no: document.seqNo,
    _primary_term: document.primaryTerm,
    ...(document.routing === undefined ? {} : { _routing: document.routing }),
    found: true,
    ...(filter.enabled && document.source !== undefined ? { _source: renderSource(document.source, filter) } : {}),
    ...(options.fields === undefined ? {} : { fields: options.fields }),
  }
}

/** A source as it was received, or the parts of it that a filter names. */
export function renderSource(source: Buffer, filter: SourceFilter): Json {
  const text = source.toString('utf8')
  if (filter.includes.length === 0 && filter.excludes.length === 0) return new RawJson(text)
  return filterSource(JSON.parse(text) as Json, filter)
}
