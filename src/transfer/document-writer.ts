import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type BulkAnswer, type BulkLine, type BulkOutcome, type BulkSender, sendBulkLines } from '../client/bulk.ts'
import { ClientError } from '../client/client-error.ts'
import { type DomainClient, notJson } from '../client/domain-client.ts'
import { eachElement, eachMember, skipValue } from '../digest/raw-json.ts'
import { unwritable } from './checkpoint.ts'
import type { DocumentBatch } from './document-reader.ts'
import { FINAL_PIPELINE } from './load-settings.ts'
import type { MovingSegment } from './moving-segments.ts'
import type { ReadyBatch } from './ready-batch.ts'
import { countRecords, type RecordBatch } from './record-batch.ts'
import type { Settings } from './schema.ts'
import type { ServerInfo } from './server.ts'
import { documentLine, type TransferDocument } from './transfer-document.ts'

const compress = promisify(gzip)
const BULK_TIMEOUT_MS = 120_000
/** A destination that starts again is waited for, about a minute. */
const MAX_RETRIES = 12

/** A document that the destination would not take. */
export interface RejectedDocument {
  readonly document: TransferDocument
  /** Its place in the batch, from 0. */
  readonly position: number
  readonly status: number
  readonly type: string
  readonly reason: string
}

/** What became of a batch. */
export interface BatchOutcome {
  readonly written: number
  readonly rejected: readonly RejectedDocument[]
  readonly retries: number
  readonly bytes: number
  /** Length of a destination file behind this batch. */
  readonly fileBytes: number
  /** What was written in its place: records that were refused, as lines. */
  readonly instead?: DocumentBatch
}

/** Where documents go. */
export interface DocumentDestination {
  /** Writes a batch; settles when the destination has it for good. */
  write(documents: readonly TransferDocument[], signal: AbortSignal): Promise<BatchOutcome>
  /** Writes a batch as it is; where that can be done. */
  writeReady?(batch: ReadyBatch, signal: AbortSignal): Promise<BatchOutcome>
  /** The same of records. */
  writeRecords?(batch: RecordBatch, signal: AbortSignal): Promise<BatchOutcome>
  /** Forgets documents of an earlier run that will be written again: a file is cut, an index takes them anew. */
  restart(headerBytes: number): void
  /** Bytes written so far, for files. */
  readonly fileBytes: number
  close(): Promise<void>
}

/** Writes into an index over `_bulk`. */
export class IndexDestination implements DocumentDestination {
  readonly fileBytes = 0
  readonly #client: DomainClient
  readonly #server: ServerInfo
  readonly #maxBytes: number
  /** What is said of pipelines. */
  #pipeline: readonly string[] = []
  /** Records on their way. */
  readonly #underWay = new Set<Promise<unknown>>()
  /** The segment that records sent last are of, and when all before it are written: nothing comes between a segment's documents. */
  #segment: MovingSegment | undefined
  #before: Promise<unknown> = Promise.resolve()

  constructor(client: DomainClient, server: ServerInfo, options: { readonly maxBytes: number }) {
    this.#client = client
    this.#server = server
    this.#maxBytes = options.maxBytes
  }

  /**
   * Keeps documents from going through an index' default pipeline: they are to arrive as they are, and at the source may have
   * gone through it already.
   *
   * @returns  a line for each index that changes documents all the same, by a pipeline that no request can leave out
   */
  async leaveOutPipelines(indices: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
    const changing: string[] = []
    for (const index of indices) {
      const path = `/${encodeURIComponent(index)}/_settings/index.*_pipeline?flat_settings=true`
      const { body } = await this.#client
        .request<Record<string, { readonly settings: Settings }>>('GET', path, undefined, { signal })
        .catch(whereAllowed)
      for (const { settings } of Object.values(body)) {
        const last = settings[FINAL_PIPELINE] ?? '_none'
        if (last !== '_none') changing.push(`[${index}] puts documents through its ${FINAL_PIPELINE} [${last}]`)
        if ((settings['index.default_pipeline'] ?? '_none') !== '_none') this.#pipeline = ['pipeline=_none']
      }
    }
    return changing
  }

  write(documents: readonly TransferDocument[], signal: AbortSignal): Promise<BatchOutcome> {
    const lines = bulkLines(documents, this.#server.typed)
    return this.#write(lines, this.#sender('/_bulk'), () => documents, signal)
  }

  writeReady(batch: ReadyBatch, signal: AbortSignal): Promise<BatchOutcome> {
    const send = this.#sender(`/${encodeURIComponent(batch.index)}/_bulk`)
    return this.#write(batch.bulkLines(), send, () => batch.documents, signal)
  }

  /** Where some of them are refused all are sent again as lines, whose answer says which: what is there already stays as it is. */
  writeRecords(batch: RecordBatch, signal: AbortSignal): Promise<BatchOutcome> {
    const segment = batch.place?.segment
    if (segment !== this.#segment) this.#before = Promise.allSettled(this.#underWay)
    this.#segment = segment
    const written = this.#before.then(() => this.#writeRecords(batch, signal))
    this.#underWay.add(written)
    const done = () => this.#underWay.delete(written)
    written.then(done, done)
    return written
  }

  async #writeRecords(batch: RecordBatch, signal: AbortSignal): Promise<BatchOutcome> {
    const { index, dictionary, place } = batch
    const segment = (await place?.segment.isThere) === true ? place?.segment : undefined
    let at = place?.at ?? 0
    const path = `/${encodeURIComponent(index)}/_bulk`
    const send: BulkSender = async (body, options) => {
      const ofSegment = segment === undefined ? [] : [`segment=${segment.id}`, `at=${at}`]
      const query = [`records=${dictionary}`, 'filter_path=errors', ...ofSegment]
      const answer = await this.#sender(path, { query, count: countRecords })(body, options)
      if ('succeeded' in answer) at += answer.succeeded
      return answer
    }
    const documents = () => {
      throw SOME_REFUSED
    }
    try {
      // One after the other, so that it is known where each begins.
      return await this.#write(batch.bulkLines(), send, documents, signal, segment === undefined ? 2 : 1)
    } catch (error) {
      const isRefused = error instanceof ClientError && (error.status ?? 500) < 500 && !error.retryable
      if (!isRefused && error !== SOME_REFUSED) throw error
      const instead = await batch.asLines(signal)
      return { instead, ...(await this.writeReady(instead, signal)) }
    }
  }

  async #write(
    lines: readonly BulkLine[],
    send: BulkSender,
    documents: () => readonly TransferDocument[],
    signal: AbortSignal,
    concurrency = 2,
  ): Promise<BatchOutcome> {
    const rejected: RejectedDocument[] = []
    const summary = await sendBulkLines(lines, send, {
      maxBytes: this.#maxBytes,
      maxRetries: MAX_RETRIES,
      concurrency,
      signal,
      onOutcome: (outcome) => {
        if (outcome.error === undefined) return
        throwIfStanding(outcome)
        rejected.push(rejection(documents()[outcome.position] as TransferDocument, outcome))
      },
    })
    return { written: summary.succeeded, rejected, retries: summary.retries, bytes: summary.bytes, fileBytes: 0 }
  }

  readonly #sender =
    (
      path: string,
      { query = [], count }: { readonly query?: readonly string[]; readonly count?: (body: Uint8Array) => number } = {},
    ): BulkSender =>
    async (body, { signal }) => {
      const asked = [...query, ...this.#pipeline].join('&')
      const target = asked === '' ? path : `${path}?${asked}`
      const { status, body: answer } = await this.#client.request<Uint8Array>('POST', target, body, {
        contentType: 'application/x-ndjson',
        timeoutMs: BULK_TIMEOUT_MS,
        maxRetries: 0,
        raw: true,
        ...(signal === undefined ? {} : { signal }),
      })
      const json = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength)
      // An answer without items.
      if (count !== undefined) {
        if (json.includes('"errors":false')) return { succeeded: count(body) }
        throw SOME_REFUSED
      }
      try {
        return readBulkAnswer(json)
      } catch (cause) {
        throw notJson(status, json.toString('utf8'), cause)
      }
    }

  restart(): void {}

  async close(): Promise<void> {}
}

/**
 * A batch as lines of a bulk request, all in one piece of memory. `external_gte` keeps the source's version and makes a
 * batch sent twice harmless: an equal version is written again, a newer one at the destination is not overwritten.
 */
function bulkLines(documents: readonly TransferDocument[], typed: boolean): BulkLine[] {
  const heads = documents.map((document) => actionLine(document, typed))
  let most = 0
  for (const [i, { source }] of documents.entries()) most += 3 * (heads[i] as string).length + source.length + 1
  const body = Buffer.allocUnsafe(most)
  let at = 0
  return documents.map(({ index, type, id, source }, position) => {
    const start = at
    at += body.write(heads[position] as string, at)
    body.set(source, at)
    at += source.length
    body[at++] = 0x0a
    const target = { _index: index, _type: type, _id: id }
    return { position, action: 'index', target, memory: body, start, end: at }
  })
}

function actionLine({ index, type, id, routing, version }: TransferDocument, typed: boolean): string {
  const target =
    `{"index":{"_index":${JSON.stringify(index)}` +
    (typed ? `,"_type":${JSON.stringify(type ?? '_doc')}` : '') +
    `,"_id":${JSON.stringify(id)}` +
    (routing === undefined ? '' : `,"routing":${JSON.stringify(routing)}`) +
    (version === undefined ? '' : `,"version":${version},"version_type":"external_gte"`)
  return `${target}}}\n`
}

/** A bulk answer; one without errors is only counted, not parsed. */
function readBulkAnswer(json: Buffer): BulkAnswer {
  let errors = true
  let count = 0
  eachMember(json, 0, (nameStart, nameEnd, start) => {
    const name = json.toString('latin1', nameStart, nameEnd)
    if (name === 'items' && !errors) {
      return eachElement(json, start, (item) => {
        count++
        return skipValue(json, item)
      })
    }
    const end = skipValue(json, start)
    if (name === 'errors') errors = json.toString('latin1', start, end) !== 'false'
    return end
  })
  return errors ? (JSON.parse(json.toString('utf8')) as BulkAnswer) : { succeeded: count }
}

/** Thrown where not all records were taken. */
const SOME_REFUSED = new Error('some records were refused')

/** Errors of an index, not of a document: it is closed, gone, or may not be written to for the moment. */
const STANDING = /^(cluster_block|index_closed|index_not_found|security)_exception$/

/**
 * Ends the run where every document would be refused, or is refused for being one too many: once that is over, the run
 * goes on behind its checkpoint, and nothing was given up.
 */
function throwIfStanding({ index, status, error }: BulkOutcome): void {
  if (error === undefined || !(status === 429 || status === 503 || STANDING.test(error.type))) return
  throw new ClientError('response', `[${index}] takes no documents: ${error.type}: ${error.reason}`)
}

function rejection(document: TransferDocument, outcome: BulkOutcome): RejectedDocument {
  return {
    document,
    position: outcome.position,
    status: outcome.status,
    type: outcome.error?.type ?? 'unknown',
    reason: outcome.error?.reason ?? '',
  }
}

/** An index that is not there yet, or whose settings the caller may not see, tells nothing. */
function whereAllowed(error: unknown): { readonly body: Record<string, never> } {
  if (error instanceof ClientError && (error.status === 404 || error.status === 403)) return { body: {} }
  throw error
}

/** Writes an NDJSON file, each batch a gzip member of its own where it is compressed, so that it can be cut after any batch. */
export class FileDestination implements DocumentDestination {
  fileBytes: number
  readonly #path: string
  readonly #file: number
  readonly #gzip: boolean
  /** The last append; a failed one fails all that follow. */
  #tail: Promise<unknown> = Promise.resolve()

  /** @param keepBytes  what an earlier run finished; all behind it is cut off */
  constructor(path: string, options: { readonly gzip: boolean; readonly keepBytes: number }) {
    this.#path = path
    this.#file = openSync(path, options.keepBytes > 0 ? 'r+' : 'w')
    this.#gzip = options.gzip
    this.fileBytes = options.keepBytes
    ftruncateSync(this.#file, options.keepBytes)
  }

  /** Writes a line that is no document: the index' schema. */
  async writeHeader(header: object): Promise<void> {
    await this.#append(Buffer.from(`${JSON.stringify(header)}\n`))
  }

  restart(headerBytes: number): void {
    ftruncateSync(this.#file, headerBytes)
    this.fileBytes = headerBytes
  }

  async write(documents: readonly TransferDocument[]): Promise<BatchOutcome> {
    const end = await this.#append(Buffer.concat(documents.flatMap((d) => [documentLine(d), LINE_BREAK])))
    return { written: documents.length, rejected: [], retries: 0, ...end }
  }

  /** Appends behind all that was given before, compressed meanwhile beside it. */
  async #append(text: Buffer): Promise<{ readonly bytes: number; readonly fileBytes: number }> {
    const before = this.#tail
    const packed = this.#gzip ? compress(text) : Promise.resolve(text)
    const appended = Promise.all([packed, before]).then(([bytes]) => {
      try {
        let at = 0
        while (at < bytes.length) at += writeSync(this.#file, bytes, at, bytes.length - at, this.fileBytes + at)
        fsyncSync(this.#file)
      } catch (cause) {
        throw unwritable(this.#path, cause)
      }
      this.fileBytes += bytes.length
      return { bytes: bytes.length, fileBytes: this.fileBytes }
    })
    this.#tail = appended
    return appended
  }

  /** Closes the file, once what was given is written. */
  async close(): Promise<void> {
    await this.#tail.catch(() => {})
    closeSync(this.#file)
  }
}

const LINE_BREAK = Buffer.from('\n')
