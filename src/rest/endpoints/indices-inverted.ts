import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { writeIndex } from '../indices/index-names.ts'
import { readRecordIndex } from '../indices/record-walk.ts'
import { RawJson } from '../json/json-writer.ts'

/** What a part of a segment has at most. */
const PART_BYTES = 8 * 1024 * 1024

/**
 * What an index' documents were inverted into, which `chaja transfer` moves with them where both sides invert alike. No other
 * server has it.
 *
 * `GET /<index>/_inverted`: `{"fingerprint","segments":[{"name","min_seq_no","max_seq_no","docs","size_in_bytes"}]}`. Segments are
 * good in an index that has the same fingerprint; null: in no other.
 *
 * `GET /<index>/_inverted/<name>?offset=0`: a line `{"id","size_in_bytes"}`, then some of its bytes; the others are asked for by that
 * id, with the `offset` behind those that came. 404 once the segment is gone.
 */
export const indicesGetInverted: EndpointHandler = async (request, context) => {
  const index = readRecordIndex(request, context, '_inverted')
  const { segments } = context.engine
  const { segment } = request.path
  if (segment === undefined) {
    const offers = segments.offers(index).map(({ name, minSeqNo, maxSeqNo, docs, sizeBytes }) => ({
      name,
      min_seq_no: minSeqNo,
      max_seq_no: maxSeqNo,
      docs,
      size_in_bytes: sizeBytes,
    }))
    return { status: 200, json: { fingerprint: segments.fingerprint(index) ?? null, segments: offers } }
  }
  const part = await segments.give(index, segment, request.parameters.integer('offset', 0), PART_BYTES)
  if (part === undefined)
    throw new ServiceError('resource_not_found_exception', `[${index}] has no segment [${segment}]`)
  const head = JSON.stringify({ id: part.id, size_in_bytes: part.sizeBytes })
  return {
    status: 200,
    json: new RawJson(Buffer.from(`${head}\n`), part.bytes),
    headers: { 'content-type': 'application/octet-stream' },
  }
}

/**
 * `PUT /<index>/_inverted/<id>?offset=0&size=…`: some bytes of a segment of `size` bytes, whose documents come next, as records
 * (`POST /<index>/_bulk?records=…&segment=<id>&at=<place of the first>`). Only who may do everything is believed what is in it.
 */
export const indicesPutInverted: EndpointHandler = async (request, context) => {
  request.authorizeDomain('PUT')
  const { index, segment } = request.path as { readonly index: string; readonly segment: string }
  const { parameters, body } = request
  const size = parameters.integer('size')
  if (size === undefined) throw illegalArgument('[size] is missing')
  const { name } = await writeIndex(request, context, index, { create: false })
  context.engine.segments.take(name, segment, { offset: parameters.integer('offset', 0), sizeBytes: size, bytes: body })
  return { status: 200, json: { acknowledged: true } }
}
