import { documentKey } from '../../digest/document-key.ts'
import { DocumentSetDigest } from '../../digest/document-set-digest.ts'
import { oneLine } from '../../digest/raw-json.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { readKeyForm, readRecordWalk, type WalkedDocument, walkRecords } from '../indices/record-walk.ts'
import { RawJson } from '../json/json-writer.ts'

/** What an answer should weigh at most, beside its last documents. */
const ENOUGH_BYTES = 8 * 1024 * 1024

/**
 * `GET /<index>/_documents?after=-1&size=2000&types=false&key=id`: the documents of an index as lines that `_bulk` of any
 * server takes, which is what `chaja transfer` sends on without looking at each; of what is on disk, whether or not it can be
 * searched yet. No other server has it.
 *
 * The first line is `{"count","next","last","digest"}`: how many documents follow (about the first `size` above the sequence
 * number `after`), what to go on after (null at the end), the index' highest sequence number before that and, where a `key` is
 * given, their digest ({@link DocumentSetDigest.toText}). Then, a document: `{"index":{"_id","version","version_type"}}`,
 * with `_type` where `types` are asked for and `routing` where it has one; and its source. `external_gte` keeps versions and
 * makes lines sent twice harmless.
 */
export const indicesDocuments: EndpointHandler = async (request, context) => {
  const key = request.parameters.has('key') ? readKeyForm(request) : undefined
  const types = request.parameters.boolean('types', false)
  const walk = readRecordWalk(request, context, { api: '_documents', defaultSize: 2_000, maxSize: 100_000 })
  const lines = new BulkLines(types)
  const digest = key === undefined ? undefined : new DocumentSetDigest()
  // Before the walk: at its end everything up to there has been passed.
  const { maxSeqNo: last } = context.engine.stats(walk.index)
  const next = await walkRecords(walk, request, context, {
    visit: (document) => {
      const { type, id, source } = document
      lines.add(document)
      if (key !== undefined) digest?.add(documentKey(key, { index: walk.index, type, id }), source)
    },
    isEnough: () => lines.bytes.length >= ENOUGH_BYTES,
  })
  const head = JSON.stringify({ count: lines.count, next, last, digest: digest?.toText() })
  return {
    status: 200,
    json: new RawJson(Buffer.from(`${head}\n`), lines.bytes),
    headers: { 'content-type': 'application/x-ndjson' },
  }
}

/** Lines of a bulk, in one piece of memory that grows. */
class BulkLines {
  count = 0
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
    const most = this.#length + 3 * head.length + source.length + 1
    if (most > this.#memory.length) {
      const memory = Buffer.allocUnsafe(2 * most)
      this.bytes.copy(memory)
      this.#memory = memory
    }
    const at = this.#length + this.#memory.write(head, this.#length)
    this.#memory.set(oneLine(source), at)
    this.#memory[at + source.length] = 0x0a
    this.#length = at + source.length + 1
    this.count++
  }
}
