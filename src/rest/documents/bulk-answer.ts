import { autoId } from '../../engine/index/auto-id.ts'
import type { WriteResult } from '../../engine/index/document-operation.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { shardOf } from '../../engine/metadata/shard-routing.ts'
import { ServiceError } from '../../errors.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { withIndex } from '../endpoints/index-document.ts'
import { renderCause } from '../errors/error-response.ts'
import { replicaCount } from '../indices/shard-counts.ts'
import { type Json, writeJson } from '../json/json-writer.ts'
import type { BulkItem } from './bulk-items.ts'
import { droppedWrite, isOfNone, renderWrite, writeStatus } from './document-response.ts'
import { updatedDocument } from './updated-document.ts'

/** What became of an item. */
export interface BulkItemResult {
  /** Undefined: there is no such index. */
  readonly metadata: IndexMetadata | undefined
  readonly result: WriteResult | ServiceError
}

/** An item's answer. */
export interface RenderedBulkItem {
  readonly json: Json
  readonly failed: boolean
}

/** Whether nothing came of an item. */
export function hasFailed({ ingested }: BulkItem, { metadata, result }: BulkItemResult): boolean {
  return result instanceof ServiceError || !result.ok || (metadata === undefined && ingested !== 'dropped')
}

/** Answers one item. @param refreshed  whether the bulk makes its writes visible at once */
export function renderBulkItem(
  dialect: Dialect,
  item: BulkItem,
  { metadata, result }: BulkItemResult,
  refreshed: boolean,
): RenderedBulkItem {
  if (item.ingested === 'dropped' && !(result instanceof ServiceError) && result.ok) {
    const creates = item.action === 'create'
    const answer = droppedWrite(dialect, metadata?.name ?? item.index, item.type, result.id, creates)
    return { json: { [item.action]: { ...answer, status: 200 } }, failed: false }
  }
  if (!(result instanceof ServiceError) && result.ok && metadata !== undefined) {
    return {
      json: {
        [item.action]: {
          ...renderWrite(metadata, { ...result, type: item.type }, dialect, refreshed, true),
          ...(item.action === 'update' ? updatedDocument(result, item.source, item.fields, dialect.engineVersion) : {}),
          status: writeStatus(result),
        },
      },
      failed: false,
    }
  }
  const error =
    result instanceof ServiceError
      ? result
      : result.ok
        ? new ServiceError('exception', 'the index is gone')
        : result.error
  const id = result instanceof ServiceError ? item.id : result.id
  const routing = item.operation?.routing ?? id ?? ''
  const shown =
    metadata === undefined ? error : withIndex(error, metadata, shardOf(metadata, dialect.engineVersion, routing))
  return {
    json: {
      [item.action]: {
        _index: item.hidesIndex ? null : (metadata?.name ?? item.index),
        ...(dialect.showsType ? { _type: item.hidesIndex && dialect.typed ? null : item.type } : {}),
        // A shard's refusal comes when the document has its id already.
        _id: id ?? (error.type === 'cluster_block_exception' ? autoId() : null),
        status: error.status,
        error: renderCause(shown),
      },
    },
    failed: true,
  }
}

/** Whether an update asks for the document as it leaves it. */
function showsDocument({ action, source, fields }: BulkItem): boolean {
  return action === 'update' && (source?.enabled === true || fields !== undefined)
}

/** Texts that stand in JSON as they are. */
const PLAIN = /^[ !#-[\]-~]*$/

const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : writeJson(text))

/**
 * What {@link renderBulkItem} answers, as text, put together without objects on the way; undefined for items that failed
 * or show their document.
 */
export function bulkItemText(
  dialect: Dialect,
  item: BulkItem,
  { metadata, result }: BulkItemResult,
  refreshed: boolean,
): string | undefined {
  if (result instanceof ServiceError || !result.ok || metadata === undefined) return undefined
  if (showsDocument(item) || item.ingested === 'dropped' || isOfNone(result)) return undefined
  const noop = result.result === 'noop'
  const copies = 1 + replicaCount(metadata)
  const type = dialect.showsType ? `"_type":${quoted(item.type)},` : ''
  const refresh = refreshed ? '"forced_refresh":true,' : ''
  const number = noop && dialect.typed ? '' : `"_seq_no":${result.seqNo},"_primary_term":${result.primaryTerm},`
  return `{"${item.action}":{"_index":${quoted(metadata.name)},${type}"_id":${quoted(result.id)},"_version":${result.version},"result":"${result.result}",${refresh}"_shards":{"total":${copies},"successful":1,"failed":0},${number}"status":${writeStatus(result)}}}`
}
