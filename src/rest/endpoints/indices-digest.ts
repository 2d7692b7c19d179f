import { setImmediate as nextTurn } from 'node:timers/promises'
import { DOCUMENT_KEY_FORMS, type DocumentKeyForm, documentKey } from '../../digest/document-key.ts'
import { DocumentSetDigest } from '../../digest/document-set-digest.ts'
import { STRICT_EXPAND_OPEN_FORBID_CLOSED } from '../../engine/metadata/indices-options.ts'
import { ServiceError } from '../../errors.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { checkBlocks } from '../indices/index-blocks.ts'
import { expandIndices } from '../indices/index-names.ts'
import type { EndpointRequest } from '../rest-request.ts'

/** Documents of one answer when nothing is asked for, and at most. */
const DEFAULT_SIZE = 50_000
const MAX_SIZE = 500_000

/** Documents hashed in one piece. */
const SLICE = 200

/**
 * `GET /<index>/_digest?key=id&after=-1&size=50000`: what `chaja transfer` compares sides by, made where the documents are
 * instead of reading them all back; of what is on disk, whether or not it can be searched yet. No other server has it.
 *
 * Answers `{count, digest, next}`: of the documents whose sequence numbers are above `after`, about the first `size`;
 * `digest` is {@link DocumentSetDigest.toText}, `next` what to go on after, or null at the end.
 */
export const indicesDigest: EndpointHandler = async (request, context) => {
  const key = keyForm(request)
  const size = request.parameters.integer('size', DEFAULT_SIZE)
  if (size < 1 || size > MAX_SIZE) throw illegal(`[size] must be from 1 to ${MAX_SIZE} but was [${size}]`)
  let next = Number(request.parameters.long('after') ?? -1)
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN_FORBID_CLOSED, '_digest')
  const [index, ...more] = indices
  // Through an alias a part of the documents might be all that the caller is to see.
  if (index === undefined || more.length > 0 || index.name !== request.path['index']) {
    throw illegal('a digest is made of one index, by its own name')
  }
  checkBlocks(indices, 'read', context.engine.version)
  const digest = new DocumentSetDigest()
  while (!request.signal.aborted) {
    const page = await context.engine.documentsAfter(index.name, next, Math.min(SLICE, size - digest.count))
    for (const { type, id, source } of page.documents) {
      if (source === undefined) throw illegal(`[${index.name}] keeps no sources`)
      digest.add(documentKey(key, { index: index.name, type, id }), source)
    }
    if (page.last === undefined) return { status: 200, json: answer(digest, null) }
    next = page.last
    if (digest.count >= size) break
    await nextTurn()
  }
  return { status: 200, json: answer(digest, next) }
}

function answer(digest: DocumentSetDigest, next: number | null) {
  return { count: digest.count, digest: digest.toText(), next }
}

function keyForm(request: EndpointRequest): DocumentKeyForm {
  const given = request.parameters.text('key', 'id')
  const form = DOCUMENT_KEY_FORMS.find((known) => known === given)
  if (form === undefined) throw illegal(`[key] must be one of [${DOCUMENT_KEY_FORMS.join(', ')}] but was [${given}]`)
  return form
}

function illegal(reason: string): ServiceError {
  return new ServiceError('illegal_argument_exception', reason)
}
