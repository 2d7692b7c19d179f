import { documentKey } from '../../digest/document-key.ts'
import { DocumentSetDigest } from '../../digest/document-set-digest.ts'
import type { DocumentName } from '../../engine/store/document-record.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import {
  packedSource,
  readForm,
  readKeyForm,
  readRecordWalk,
  walkDocuments,
  walkRecords,
} from '../indices/record-walk.ts'
import { dictionaryId } from '../indices/source-dictionary.ts'

/**
 * `GET /<index>/_digest?key=id&after=-1&size=50000`: what `chaja transfer` compares sides by, made where the documents are
 * instead of reading them all back; of what is on disk, whether or not it can be searched yet. No other server has it.
 *
 * Answers `{count, digest, next}`: of the documents whose sequence numbers are above `after`, about the first `size`;
 * `digest` is {@link DocumentSetDigest.toText}, `next` what to go on after, or null at the end.
 *
 * With `form=records` it is of the sources as they are stored ({@link DocumentSetDigest.addPacked}), and `dictionary` the id of
 * what they are compressed with: with the same dictionary the same digest is of the same documents, and another one says nothing.
 */
export const indicesDigest: EndpointHandler = async (request, context) => {
  const key = readKeyForm(request)
  const walk = readRecordWalk(request, context, { api: '_digest', defaultSize: 50_000, maxSize: 500_000 })
  const digest = new DocumentSetDigest()
  const keyOf = ({ type, id }: DocumentName) => documentKey(key, { index: walk.index, type, id })
  const isEnough = () => false
  const isPacked = readForm(request) === 'records'
  const next = isPacked
    ? await walkRecords(walk, request, context, {
        visit: (stored) => digest.addPacked(keyOf(stored.record), packedSource(stored)),
        isEnough,
      })
    : await walkDocuments(walk, request, context, {
        visit: (document) => digest.add(keyOf(document), document.source),
        isEnough,
      })
  const dictionary = isPacked ? dictionaryId(context.engine.dictionary(walk.index)) : undefined
  return { status: 200, json: { count: digest.count, digest: digest.toText(), next, dictionary } }
}
