import { type DocumentKeyForm, documentKey } from '../../digest/document-key.ts'
import { DocumentSetDigest } from '../../digest/document-set-digest.ts'
import { oneLine } from '../../digest/raw-json.ts'
import type { DocumentName } from '../../engine/store/document-record.ts'
import { RECORD_LENGTH_BYTES } from '../documents/record-items.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import {
  packedSource,
  readForm,
  readKeyForm,
  readRecordWalk,
  type WalkedDocument,
  type WalkedRecord,
  walkDocuments,
  walkRecords,
} from '../indices/record-walk.ts'
import { dictionaryId } from '../indices/source-dictionary.ts'
import { RawJson } from '../json/json-writer.ts'

/** What documents of an answer should weigh at most, beside the last of them. */
const ENOUGH_BYTES = 8 * 1024 * 1024

/**
 * `GET /<index>/_documents?after=-1&size=2000&types=false&key=id`: the documents of an index as lines that `_bulk` of any
 * server takes, which is what `chaja transfer` sends on without looking at each; of what is on disk, whether or not it can be
 * searched yet. No other server has it.
 *
 * The first line is `{"count","next","last","digest"}`: how many documents follow (about the first `size` above the sequence
 * number `after`, up to the number `to` where it is given), what to go on after (null at the end), the index' highest sequence
 * number before that and, where a `key` is given, their digest ({@link DocumentSetDigest.toText}). Then, a document: `{"index":{"_id","version","version_type"}}`,
 * with `_type` where `types` are asked for and `routing` where it has one; and its source. `external_gte` keeps versions and
 * makes lines sent twice harmless.
 *
 * With `form=records` there follow, instead of lines, records as they are stored, as a bulk of another chaja domain takes them
 * (record-items.ts), and the first line has the `dictionary` of their sources; the digest is that of `GET /<index>/_digest?form=records`.
 */
export const indicesDocuments: EndpointHandler = async (request, context) => {
  const key = request.parameters.has('key') ? readKeyForm(request) : undefined
  const types = request.parameters.boolean('types', false)
  const walk = readRecordWalk(request, context, { api: '_documents', defaultSize: 2_000, maxSize: 100_000 })
  const isPacked = readForm(request) === 'records'
  const lines = new BulkLines(types)
  const digest = key === undefined ? undefined : new DocumentSetDigest()
  const isEnough = () => lines.weight >= ENOUGH_BYTES
  const keyOf = ({ type, id }: DocumentName) => documentKey(key as DocumentKeyForm, { index: walk.index, type, id })
  // Before the walk: at its end everything up to there has been passed.
  const last = context.engine.maxSeqNo(walk.index)
  const next = isPacked
    ? await walkRecords(walk, request, context, {
        visit: (stored) => {
          lines.addRecord(stored)
          digest?.addPacked(keyOf(stored.record), packedSource(stored))
        },
        isEnough,
      })
    : await walkDocuments(walk, request, context, {
        visit: (document) => {
          lines.add(document)
          digest?.add(keyOf(document), document.source)
        },
        isEnough,
      })
  const dictionary = isPacked ? dictionaryId(context.engine.dictionary(walk.index)) : undefined
  const head = JSON.stringify({ count: lines.count, next, last, digest: digest?.toText(), dictionary })
  return {
    status: 200,
    json: new RawJson(Buffer.from(`${head}\n`), lines.bytes),
    headers: { 'content-type': 'application/x-ndjson' },
  }
}

/** Lines of a bulk, in one piece of memory that grows. */
class BulkLines {
  count = 0
  /** Of documents as they are received at the other end. */
  weight = 0
  readonly #types: boolean
  #memory = Buffer.allocUnsafe(256 * 1024)
  #length = 0

  constructor(types: boolean) {
    this.#types = types
  }

  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#length)
  }

  add({ type, id, routing, version, source }: WalkedDocument): void {
    const typed = this.#types ? `"_type":${JSON.stringify(type)},` : ''
    const routed = routing === undefined ? '' : `"routing":${JSON.stringify(routing)},`
    const head = `{"index":{${typed}${routed}"_id":${JSON.stringify(id)},"version":${version},"version_type":"external_gte"}}\n`
    this.#reserve(3 * head.length + source.length + 1)
    const at = this.#length + this.#memory.write(head, this.#length)
    this.#memory.set(oneLine(source), at)
    this.#memory[at + source.length] = 0x0a
    this.#length = at + source.length + 1
    this.weight += head.length + source.length
    this.count++
  }

  /** Adds a record in the place of lines. */
  addRecord({ bytes, restoredBytes }: WalkedRecord): void {
    this.#reserve(RECORD_LENGTH_BYTES + bytes.length)
    const at = this.#memory.writeUInt32LE(bytes.length, this.#length)
    this.#memory.set(bytes, at)
    this.#length = at + bytes.length
    this.weight += Math.max(bytes.length, restoredBytes)
    this.count++
  }

  #reserve(bytes: number): void {
    const most = this.#length + bytes
    if (most <= this.#memory.length) return
    const memory = Buffer.allocUnsafe(2 * most)
    this.bytes.copy(memory)
    this.#memory = memory
  }
}
