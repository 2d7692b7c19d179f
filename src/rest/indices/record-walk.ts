import { setImmediate as nextTurn } from 'node:timers/promises'
import { DOCUMENT_KEY_FORMS, type DocumentKeyForm } from '../../digest/document-key.ts'
import type { StoredDocument } from '../../engine/index/index-searcher.ts'
import { STRICT_EXPAND_OPEN_FORBID_CLOSED } from '../../engine/metadata/indices-options.ts'
import { ServiceError } from '../../errors.ts'
import type { RestContext } from '../endpoint-handler.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { checkBlocks } from './index-blocks.ts'
import { expandIndices } from './index-names.ts'

/** Documents looked at in one piece. */
const SLICE = 200

/** A document of a walk; an index that keeps no sources is refused. */
export type WalkedDocument = StoredDocument & { readonly source: Buffer }

/** What a call asks of an index' records, in the order of their sequence numbers. */
export interface RecordWalk {
  readonly index: string
  /** Sequence number behind which to begin. */
  readonly after: number
  /** Documents, about. */
  readonly size: number
}

/** Reads `after` and `size`, and judges whether the caller may read the index. */
export function readRecordWalk(
  request: EndpointRequest,
  context: RestContext,
  { api, defaultSize, maxSize }: { readonly api: string; readonly defaultSize: number; readonly maxSize: number },
): RecordWalk {
  const size = request.parameters.integer('size', defaultSize)
  if (size < 1 || size > maxSize) throw illegal(`[size] must be from 1 to ${maxSize} but was [${size}]`)
  const after = Number(request.parameters.long('after') ?? -1)
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN_FORBID_CLOSED, api)
  const [index, ...more] = indices
  // Through an alias a part of the documents might be all that the caller is to see.
  if (index === undefined || more.length > 0 || index.name !== request.path['index']) {
    throw illegal(`[${api}] is asked of one index, by its own name`)
  }
  checkBlocks(indices, 'read', context.engine.version)
  return { index: index.name, after, size }
}

/** What documents of a digest are told apart by. */
export function readKeyForm(request: EndpointRequest): DocumentKeyForm {
  const given = request.parameters.text('key', 'id')
  const form = DOCUMENT_KEY_FORMS.find((known) => known === given)
  if (form === undefined) throw illegal(`[key] must be one of [${DOCUMENT_KEY_FORMS.join(', ')}] but was [${given}]`)
  return form
}

/**
 * Shows documents as they are on disk, whether or not they can be searched yet; others are served in between.
 *
 * @param isEnough  asked now and then
 * @returns         what to go on after, or null at the end
 */
export async function walkRecords(
  { index, after, size }: RecordWalk,
  { signal }: EndpointRequest,
  { engine }: RestContext,
  { visit, isEnough }: { readonly visit: (document: WalkedDocument) => void; readonly isEnough: () => boolean },
): Promise<number | null> {
  let next = after
  for (let count = 0; !signal.aborted; await nextTurn()) {
    const { documents, last } = await engine.documentsAfter(index, next, Math.min(SLICE, size - count))
    for (const document of documents) {
      if (document.source === undefined) throw illegal(`[${index}] keeps no sources`)
      visit(document as WalkedDocument)
    }
    if (last === undefined) return null
    next = last
    count += documents.length
    if (count >= size || isEnough()) break
  }
  return next
}

function illegal(reason: string): ServiceError {
  return new ServiceError('illegal_argument_exception', reason)
}
