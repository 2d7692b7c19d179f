import { setImmediate as nextTurn } from 'node:timers/promises'
import { DOCUMENT_KEY_FORMS, type DocumentKeyForm, documentKey } from '../../digest/document-key.ts'
import { DocumentSetDigest } from '../../digest/document-set-digest.ts'
import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import type { SegmentReader } from '../../engine/index/segment-reader.ts'
import { ServiceError } from '../../errors.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { openView } from '../search/search-view.ts'

/** Documents of one answer when nothing is asked for, and at most. */
const DEFAULT_SIZE = 50_000
const MAX_SIZE = 500_000

/** How long documents are hashed in one piece, in ms. */
const SLICE_MS = 3

/**
 * `GET /<index>/_digest?key=id&after=-1&size=50000`: what `chaja transfer` compares sides by, made where the documents are
 * instead of reading them all back. No other server has it.
 *
 * Answers `{count, digest, next}`: of the documents whose sequence numbers are above `after`, the first `size`; `digest` is
 * {@link DocumentSetDigest.toText}, `next` what to go on after, or null at the end.
 */
export const indicesDigest: EndpointHandler = async (request, context) => {
  const key = keyForm(request)
  const after = request.parameters.long('after') ?? -1
  const size = request.parameters.integer('size', DEFAULT_SIZE)
  if (size < 1 || size > MAX_SIZE) throw illegal(`[size] must be from 1 to ${MAX_SIZE} but was [${size}]`)
  const view = openView(request, context, '_digest')
  try {
    const [searcher, ...more] = view.searchers
    // Through an alias a part of the documents might be all that the caller is to see.
    if (searcher === undefined || more.length > 0 || searcher.indexName !== request.path['index']) {
      throw illegal('a digest is made of one index, by its own name')
    }
    const digest = new DocumentSetDigest()
    let sliceEnd = performance.now() + SLICE_MS
    let next: number | null = null
    for (const [segment, doc] of documentsAfter(searcher, after)) {
      if (digest.count === size) {
        next = segment.seqNo(doc) - 1
        break
      }
      const { type, id, source } = searcher.document(segment, doc)
      if (source === undefined) throw illegal(`[${searcher.indexName}] keeps no sources`)
      digest.add(documentKey(key, { index: searcher.indexName, type, id }), source)
      if (performance.now() < sliceEnd) continue
      await nextTurn()
      if (request.signal.aborted) break
      sliceEnd = performance.now() + SLICE_MS
    }
    return { status: 200, json: { count: digest.count, digest: digest.toText(), next } }
  } finally {
    view.release()
  }
}

function keyForm(request: EndpointRequest): DocumentKeyForm {
  const given = request.parameters.text('key', 'id')
  const form = DOCUMENT_KEY_FORMS.find((known) => known === given)
  if (form === undefined) throw illegal(`[key] must be one of [${DOCUMENT_KEY_FORMS.join(', ')}] but was [${given}]`)
  return form
}

/** Live documents behind a sequence number, in their order. */
function* documentsAfter({ segments }: IndexSearcher, after: number): Generator<[segment: SegmentReader, doc: number]> {
  for (const segment of segments) {
    const { liveDocs, rootDocs, maxDoc } = segment
    for (let doc = firstAfter(segment, after); doc < maxDoc; doc++) {
      const word = doc >>> 5
      const bit = 1 << (doc & 31)
      if (((liveDocs?.[word] ?? -1) & (rootDocs?.[word] ?? -1) & bit) !== 0) yield [segment, doc]
    }
  }
}

/** The first document behind a sequence number: they are in its order. */
function firstAfter(segment: SegmentReader, after: number): number {
  let low = 0
  let high = segment.maxDoc
  while (low < high) {
    const middle = (low + high) >>> 1
    if (segment.seqNo(middle) > after) high = middle
    else low = middle + 1
  }
  return low
}

function illegal(reason: string): ServiceError {
  return new ServiceError('illegal_argument_exception', reason)
}
