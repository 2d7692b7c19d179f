import type { WriteResult } from '../../engine/index/document-operation.ts'
import type { StoredDocument } from '../../engine/index/index-searcher.ts'
import type { IndexMapping } from '../../engine/mapping/index-mapping.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { replicaCount } from '../indices/shard-counts.ts'
import type { Json } from '../json/json-writer.ts'
import { ignoredFields } from './ignored-fields.ts'
import { renderSource, type SourceFilter, visibleSource, WHOLE_SOURCE } from './source-filter.ts'
import { stopsAtRouting, storedFields } from './stored-fields.ts'

/**
 * What a write answers.
 *
 * @param isShared  true: it came to its shard with others, whose refresh and copies it shares though it changes nothing
 */
export function renderWrite(
  index: IndexMetadata,
  result: WriteResult & { ok: true },
  dialect: Dialect,
  refreshed: boolean,
  isShared = false,
): { readonly [name: string]: Json } {
  const noop = result.result === 'noop'
  const isAlone = noop && !isShared
  const copies = 1 + replicaCount(index)
  return {
    _index: index.name,
    ...(dialect.showsType ? { _type: result.type } : {}),
    _id: result.id,
    _version: result.version,
    result: result.result,
    ...(refreshed && !isAlone ? { forced_refresh: true } : {}),
    _shards: isAlone ? { total: 0, successful: 0, failed: 0 } : { total: copies, successful: 1, failed: 0 },
    ...(noop && (dialect.typed || isOfNone(result))
      ? {}
      : { _seq_no: result.seqNo, _primary_term: result.primaryTerm }),
  }
}

/** Headers of a write that made a document: where it is. @param routing  what it was routed by */
export function createdHeaders(
  { name }: IndexMetadata,
  { result, type, id }: WriteResult & { ok: true },
  routing: string | undefined,
): { readonly headers?: { readonly location: string } } {
  if (result !== 'created') return {}
  const path = `/${formEncoded(name)}/${formEncoded(type)}/${formEncoded(id)}`
  return { headers: { location: routing === undefined ? path : `${path}?routing=${formEncoded(routing)}` } }
}

/** As forms write it, which is what the real servers do to paths, too. */
const formEncoded = (text: string): string =>
  encodeURIComponent(text).replace(/%20|[!'()~]/g, (found) =>
    found === '%20' ? '+' : `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** What a write answers whose document a pipeline dropped. @param creates  whether there was to be no document before */
export function droppedWrite(
  dialect: Dialect,
  index: string,
  type: string,
  id: string | undefined,
  creates: boolean,
): { readonly [name: string]: Json } {
  return {
    _index: index,
    ...(dialect.showsType ? { _type: type } : {}),
    _id: id ?? 'auto-generated',
    // That there be none, or whatever there be; 6.8 does not say which.
    _version: creates && !dialect.typed ? -4 : -3,
    result: 'noop',
    _shards: { total: 0, successful: 0, failed: 0 },
  }
}

/** HTTP status of a write. */
export function writeStatus(result: WriteResult & { ok: true }): number {
  return result.result === 'created' ? 201 : result.result === 'not_found' ? 404 : 200
}

/** A document that a get found, and the mapping that says what of it may be seen. */
export interface FoundDocument {
  readonly document: StoredDocument
  readonly mapping: IndexMapping
}

/** What a get is asked to show. */
export interface GetOptions {
  readonly source: SourceFilter | undefined
  readonly storedFields: readonly string[] | undefined
}

/**
 * `_routing` and `_ignored`, where a document has them.
 *
 * @param names  of stored fields that are asked for: without them 7.x and later stop at one behind the routing, before
 *   what was passed over ({@link stopsAtRouting})
 */
export function storedMetadata(
  { document, mapping }: FoundDocument,
  names: readonly string[] = [],
): { readonly [name: string]: Json } {
  const { routing } = document
  if (routing === undefined) return ignoredFields(document, mapping)
  return names.length === 0 && stopsAtRouting(document, mapping)
    ? { _routing: routing }
    : { _routing: routing, ...ignoredFields(document, mapping) }
}

/**
 * What a get answers.
 *
 * @param type   as the request names it; undefined: whatever type the document has
 * @param found  undefined: there is no such document
 */
export function renderGet(
  { index, type, id }: { readonly index: string; readonly type: string | undefined; readonly id: string },
  found: FoundDocument | undefined,
  dialect: Dialect,
  options: GetOptions,
): { readonly [name: string]: Json } {
  const shownType = type === undefined || type === '_all' ? (found?.document.type ?? type ?? null) : type
  const _type = dialect.showsType ? shownType : undefined
  if (found === undefined) return { _index: index, _type, _id: id, found: false }
  const { document, mapping } = found
  const { storedFields: names } = options
  const filter = options.source ?? (names === undefined || names.includes('_source') ? WHOLE_SOURCE : undefined)
  const source = filter?.enabled ? visibleSource(document, mapping) : undefined
  const fields = names === undefined ? undefined : storedFields(document, names, mapping, false)
  return {
    _index: index,
    _type,
    _id: id,
    _version: document.version,
    _seq_no: document.seqNo,
    _primary_term: document.primaryTerm,
    // Where neither source nor stored fields are asked for, the real server does not read what stands beside them.
    ...(filter?.enabled || (names !== undefined && names.length > 0) ? storedMetadata(found, names) : {}),
    found: true,
    _source:
      source === undefined || filter === undefined ? undefined : renderSource(source, filter, mapping.engineVersion),
    fields,
  }
}

/** Whether an update left it at there being no document. */
export const isOfNone = ({ result, version }: WriteResult & { ok: true }): boolean =>
  result === 'noop' && version === -1
