import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PackedSource } from '../../digest/document-hash.ts'
import { DOCUMENT_KEY_FORMS, type DocumentKeyForm } from '../../digest/document-key.ts'
import type { DocumentPage, StoredDocument } from '../../engine/index/index-searcher.ts'
import { STRICT_EXPAND_OPEN_FORBID_CLOSED } from '../../engine/metadata/indices-options.ts'
import { indexNotFound } from '../../engine/metadata/missing-index.ts'
import type { StoredRecord } from '../../engine/store/document-record.ts'
import type { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { RestContext } from '../endpoint-handler.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { checkBlocks } from './index-blocks.ts'
import { expandIndices } from './index-names.ts'

/** Documents looked at in one piece. */
const SLICE = 200

/** A document of a walk; an index that keeps no sources is refused. */
export type WalkedDocument = StoredDocument & { readonly source: Buffer }
/** The same as it is stored. */
export type WalkedRecord = StoredRecord & { readonly record: { readonly source: Buffer } }

/** What a call asks of an index' records, in the order of their sequence numbers. */
export interface RecordWalk {
  readonly index: string
  /** Sequence number behind which to begin. */
  readonly after: number
  /** Documents, about. */
  readonly size: number
  /** The last sequence number; undefined: the index'. */
  readonly to: number | undefined
}

/** Reads `after`, `size` and, where it may be given, `to`, and judges whether the caller may read the index. */
export function readRecordWalk(
  request: EndpointRequest,
  context: RestContext,
  { api, defaultSize, maxSize }: { readonly api: string; readonly defaultSize: number; readonly maxSize: number },
): RecordWalk {
  const size = request.parameters.integer('size', defaultSize)
  if (size < 1 || size > maxSize) throw illegalArgument(`[size] must be from 1 to ${maxSize} but was [${size}]`)
  const after = Number(request.parameters.long('after') ?? -1)
  const to = request.parameters.long('to')
  return { index: readRecordIndex(request, context, api), after, size, to: to === undefined ? undefined : Number(to) }
}

/** The name of the one index that records are asked of; judges whether the caller may read it. */
export function readRecordIndex(request: EndpointRequest, context: RestContext, api: string): string {
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN_FORBID_CLOSED, api)
  const [index, ...more] = indices
  // Through an alias a part of the documents might be all that the caller is to see.
  if (index === undefined || more.length > 0 || index.name !== request.path['index']) {
    throw illegalArgument(`[${api}] is asked of one index, by its own name`)
  }
  checkBlocks(indices, 'read', context.engine.version)
  return index.name
}

/** The form that documents are asked for in: themselves, or the records that they are stored as. */
export function readForm({ parameters }: EndpointRequest): 'documents' | 'records' {
  const form = parameters.text('form', 'documents')
  if (form === 'documents' || form === 'records') return form
  throw illegalArgument(`[form] must be one of [documents, records] but was [${form}]`)
}

/** What documents of a digest are told apart by. */
export function readKeyForm(request: EndpointRequest): DocumentKeyForm {
  const given = request.parameters.text('key', 'id')
  const form = DOCUMENT_KEY_FORMS.find((known) => known === given)
  if (form === undefined)
    throw illegalArgument(`[key] must be one of [${DOCUMENT_KEY_FORMS.join(', ')}] but was [${given}]`)
  return form
}

/** A record's source, for a digest. */
export function packedSource({ record, restoredBytes }: WalkedRecord): PackedSource {
  return { source: record.source, restoredBytes }
}

/** What a walk does with what it comes by. */
interface Walker<D> {
  readonly visit: (document: D) => void
  /** Asked now and then. */
  readonly isEnough: () => boolean
}

/**
 * Shows documents as they are on disk, whether or not they can be searched yet; others are served in between.
 *
 * @returns  what to go on after, or null at the end
 */
export function walkDocuments(
  walk: RecordWalk,
  request: EndpointRequest,
  context: RestContext,
  { visit, isEnough }: Walker<WalkedDocument>,
): Promise<number | null> {
  const { engine } = context
  return walkPages(walk, request, context, (after, limit) => engine.documentsAfter(walk.index, after, limit, walk.to), {
    visit: (document) => {
      if (document.source === undefined) throw keepsNone(walk)
      visit(document as WalkedDocument)
    },
    isEnough,
  })
}

/** {@link walkDocuments} with the records that they are stored as. */
export function walkRecords(
  walk: RecordWalk,
  request: EndpointRequest,
  context: RestContext,
  { visit, isEnough }: Walker<WalkedRecord>,
): Promise<number | null> {
  const { engine } = context
  return walkPages(walk, request, context, (after, limit) => engine.recordsAfter(walk.index, after, limit, walk.to), {
    visit: (stored) => {
      if (stored.record.source === undefined) throw keepsNone(walk)
      visit(stored as WalkedRecord)
    },
    isEnough,
  })
}

async function walkPages<D>(
  { index, after, size }: RecordWalk,
  { signal }: EndpointRequest,
  { engine }: RestContext,
  read: (after: number, limit: number) => Promise<DocumentPage<D>>,
  { visit, isEnough }: Walker<D>,
): Promise<number | null> {
  let next = after
  const uuid = engine.indices.get(index)?.uuid
  for (let count = 0; !signal.aborted; await nextTurn()) {
    const { documents, last } = await read(next, Math.min(SLICE, size - count))
    // Another of the name may have been made meanwhile.
    if (engine.indices.get(index)?.uuid !== uuid) throw indexNotFound(index, engine.version)
    for (const document of documents) visit(document)
    if (last === undefined) return null
    next = last
    count += documents.length
    if (count >= size || isEnough()) break
  }
  return next
}

function keepsNone({ index }: RecordWalk): ServiceError {
  return illegalArgument(`[${index}] keeps no sources`)
}
