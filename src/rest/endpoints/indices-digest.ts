import { documentKey } from '../../digest/document-key.ts'
import { DocumentSetDigest } from '../../digest/document-set-digest.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { readKeyForm, readRecordWalk, walkRecords } from '../indices/record-walk.ts'

/**
 * `GET /<index>/_digest?key=id&after=-1&size=50000`: what `chaja transfer` compares sides by, made where the documents are
 * instead of reading them all back; of what is on disk, whether or not it can be searched yet. No other server has it.
 *
 * Answers `{count, digest, next}`: of the documents whose sequence numbers are above `after`, about the first `size`;
 * `digest` is {@link DocumentSetDigest.toText}, `next` what to go on after, or null at the end.
 */
export const indicesDigest: EndpointHandler = async (request, context) => {
  const key = readKeyForm(request)
  const walk = readRecordWalk(request, context, { api: '_digest', defaultSize: 50_000, maxSize: 500_000 })
  const digest = new DocumentSetDigest()
  const next = await walkRecords(walk, request, context, {
    visit: ({ type, id, source }) => digest.add(documentKey(key, { index: walk.index, type, id }), source),
    isEnough: () => false,
  })
  return { status: 200, json: { count: digest.count, digest: digest.toText(), next } }
}
