import { ClientError } from '../client/client-error.ts'
import type { DomainClient } from '../client/domain-client.ts'
import { FILE_HEADER } from './file-header.ts'
import { fileLineBytes } from './file-lines.ts'
import { readableIndex, type ServerInfo } from './server.ts'
import { waitWhileStarting } from './starting-cluster.ts'
import { type HitPage, readDocumentLine, readHitPage, type TransferDocument } from './transfer-document.ts'

/** Documents read together, and where reading goes on behind them. */
export interface DocumentBatch {
  readonly count: number
  readonly documents: readonly TransferDocument[]
  /** Which part of the source this belongs to: a shard's number, or 0. */
  readonly part: number
  /** What to give {@link DocumentSource.read} to go on behind this batch. */
  readonly position: number
}

/** Where documents come from, in parts that are each read in a fixed order. */
export interface DocumentSource {
  /** Parts there are: shard numbers, or [0]. */
  parts(): Promise<readonly number[]>
  /**
   * Reads a part.
   *
   * @param after  the position of the last batch that is done; undefined: from the start
   */
  read(part: number, after: number | undefined, signal: AbortSignal): AsyncGenerator<DocumentBatch, void, undefined>
  /** Whether `read` can go on in the middle without reading again what came before. */
  readonly resumable: boolean
  /** Where batches have digests of their documents as they are stored: what those are compressed with. */
  readonly digestOf?: string | undefined
}

/** What an answer should weigh; pages of bigger documents get shorter. */
const PAGE_BYTES = 8 * 1024 * 1024
/** Documents of a first page, before their size is known: some are of many megabytes. */
const FIRST_PAGE = 16
/** A scroll keeps the size of its first page. */
const SCROLL_PAGE = 1_000
/** Pages asked for and not yet used, so that the server reads the next while the last is dealt with. */
const PAGES_AHEAD = 3

/** How an index is read. */
export interface IndexSourceOptions {
  readonly pageSize: number
  /** Told when the cluster is waited for. */
  readonly onNote?: (line: string) => void
}

/** Documents of an index. */
export class IndexSource implements DocumentSource {
  readonly resumable: boolean
  /** Shards are asked for by number; set by {@link parts}. */
  #byShard = true
  /** Searches leave out the index' pipeline; set by {@link parts}. */
  #pastPipeline = false
  readonly #client: DomainClient
  readonly #index: string
  readonly #server: ServerInfo
  /** {@link parts} knows whether the index lets so many be asked for. */
  #pageSize: number
  readonly #onNote: (line: string) => void

  constructor(client: DomainClient, index: string, server: ServerInfo, options: IndexSourceOptions) {
    this.#client = client
    this.#index = index
    this.#server = server
    this.#pageSize = options.pageSize
    this.#onNote = options.onNote ?? (() => {})
    this.resumable = server.seqNoOrder
  }

  async parts(): Promise<readonly number[]> {
    if (!this.#server.seqNoOrder) return [0]
    const { shards, maxResultWindow, hasPipeline } = await readableIndex(this.#client, this.#index)
    this.#byShard = shards !== undefined
    this.#pastPipeline = hasPipeline
    this.#pageSize = Math.min(this.#pageSize, maxResultWindow)
    return shards ?? [0]
  }

  read(part: number, after: number | undefined, signal: AbortSignal): AsyncGenerator<DocumentBatch, void, undefined> {
    return this.#server.seqNoOrder ? this.#readShard(part, after, signal) : this.#readScroll(signal)
  }

  /**
   * A shard by sequence number: every write of a shard has its own, so windows of them neither skip nor repeat, several
   * can be asked for at once, and a run can go on where it stopped. Documents written meanwhile come later in the order
   * and are read too.
   */
  async *#readShard(
    shard: number,
    after: number | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<DocumentBatch, void, undefined> {
    const query = [
      ...(this.#byShard ? [`preference=_shards:${shard}`] : []),
      ...(this.#pastPipeline ? ['search_pipeline=_none'] : []),
    ]
    const path = `/${encodeURIComponent(this.#index)}/_search?${query.join('&')}`
    const last = await this.#lastSeqNo(path, signal)
    const windows: { readonly after: number; readonly to: number; readonly size: number; page: Promise<HitPage> }[] = []
    let size = Math.min(FIRST_PAGE, this.#pageSize)
    let span = size
    let asked = after ?? -1
    let known = false
    for (;;) {
      // The first page goes alone: it tells how many documents the next ones may have.
      while (asked < last && windows.length < (known ? PAGES_AHEAD : 1)) {
        const to = Math.min(last, asked + span)
        const page = this.#window(path, { after: asked, to, size }, signal)
        page.catch(() => {})
        windows.push({ after: asked, to, size, page })
        asked = to
      }
      const window = windows.shift()
      if (window === undefined) break
      let found = 0
      let bytes = 0
      let position = window.after
      for (let next = window.page; ; ) {
        const page = await next
        const count = page.documents.length
        found += count
        bytes += page.bytes
        // A window of more numbers than a page has documents may go on behind a full page.
        const more = count === window.size && (page.lastSort as number) < window.to
        position = more ? (page.lastSort as number) : window.to
        if (count > 0) yield { count, documents: page.documents, part: shard, position }
        if (!more) break
        next = this.#window(path, { after: position, to: window.to, size: window.size }, signal)
      }
      known = true
      if (found > 0) size = this.#nextSize(size, bytes / found)
      // Where most numbers are those of documents replaced or deleted since, windows get wider.
      span = found < (window.to - window.after) / 2 ? 2 * span : size
    }
    // What was written since; not what is written from now on, which may never end.
    const end = await this.#lastSeqNo(path, signal)
    for (let position = Math.max(asked, last); position < end; ) {
      const page = await this.#window(path, { after: position, to: end, size }, signal)
      const { documents } = page
      if (documents.length === 0) return
      position = page.lastSort as number
      yield { count: documents.length, documents, part: shard, position }
    }
  }

  #nextSize(size: number, documentBytes: number): number {
    return Math.max(1, Math.min(this.#pageSize, 4 * size, Math.floor(PAGE_BYTES / documentBytes)))
  }

  /** The highest sequence number of a document; -1 when there is none. */
  async #lastSeqNo(path: string, signal: AbortSignal): Promise<number> {
    const asked = { size: 1, _source: false, sort: [{ _seq_no: 'desc' }] }
    const { body } = await this.#patiently(signal, () =>
      this.#client.request<{
        readonly hits: { readonly hits: readonly { readonly sort?: readonly number[] }[] }
      }>('POST', path, asked, { signal }, true),
    )
    const [hit] = body.hits.hits
    if (hit === undefined) return -1
    if (typeof hit.sort?.[0] !== 'number')
      throw new ClientError('response', 'the source sorts by _seq_no but does not answer it')
    return hit.sort[0]
  }

  /** The first `size` documents whose sequence numbers are above `after` and not above `to`. */
  async #window(
    path: string,
    window: { readonly after: number; readonly to: number; readonly size: number },
    signal: AbortSignal,
  ): Promise<HitPage> {
    const { after, to, size } = window
    const query = { range: { _seq_no: { gt: after, lte: to } } }
    const asked = { size, version: true, query, sort: [{ _seq_no: 'asc' }] }
    const page = await this.#patiently(signal, () => this.#page(path, asked, signal))
    if (page.documents.length === 0) return page
    if (page.lastSort === undefined)
      throw new ClientError('response', 'the source sorts by _seq_no but does not answer it')
    if (!page.rising || page.lastSort <= after)
      throw new ClientError('response', `[${this.#index}] has several documents of one sequence number in a shard`)
    return page
  }

  /** A walk without order, for servers that do not sort by sequence number; it cannot be gone on with. */
  async *#readScroll(signal: AbortSignal): AsyncGenerator<DocumentBatch, void, undefined> {
    let position = 0
    let scrollId: string | undefined
    try {
      let page = await this.#page(
        `/${encodeURIComponent(this.#index)}/_search?scroll=5m`,
        { size: Math.min(this.#pageSize, SCROLL_PAGE), version: true, sort: ['_doc'] },
        signal,
      )
      while (page.documents.length > 0) {
        const { documents } = page
        scrollId = page.scrollId
        position += documents.length
        yield { count: documents.length, documents, part: 0, position }
        page = await this.#page('/_search/scroll', { scroll: '5m', scroll_id: scrollId }, signal)
      }
      scrollId = page.scrollId ?? scrollId
    } finally {
      if (scrollId !== undefined) {
        await this.#client.request('DELETE', '/_search/scroll', { scroll_id: [scrollId] }).catch(() => {})
      }
    }
  }

  /** One page; a page that lacks a shard's documents is an error, never a shorter answer. */
  async #page(path: string, body: object, signal: AbortSignal): Promise<HitPage> {
    const options = { signal, raw: true, timeoutMs: 120_000 }
    const answer = await this.#client.request<Uint8Array>('POST', path, body, options, true)
    const { buffer, byteOffset, byteLength } = answer.body
    const page = this.#hits(Buffer.from(buffer, byteOffset, byteLength))
    if (page.failedShards > 0 || page.timedOut) {
      const reason = `the source could not read all of [${this.#index}]: ${page.failedShards} shards failed`
      throw new ClientError('response', reason, { status: 503 })
    }
    return page
  }

  /** Asks again what a source could not answer that was starting meanwhile. */
  async #patiently<R>(signal: AbortSignal, ask: () => Promise<R>): Promise<R> {
    for (;;) {
      try {
        return await ask()
      } catch (error) {
        if (!(error instanceof ClientError && error.status === 503)) throw error
        const waiting = { name: `[${this.#index}]`, onNote: this.#onNote, signal }
        if (!(await waitWhileStarting(this.#client, this.#index, waiting))) throw error
      }
    }
  }

  #hits(answer: Buffer): HitPage {
    try {
      return readHitPage(answer)
    } catch (cause) {
      const reason = `[${this.#index}] cannot be read: ${(cause as Error).message}`
      throw new ClientError('response', `${reason}: ${answer.toString('utf8', 0, 200)}`, { cause })
    }
  }
}

/** Documents of an NDJSON file; a position is the number of lines read. */
export class FileSource implements DocumentSource {
  readonly resumable = true
  readonly #path: string
  readonly #gzip: boolean
  readonly #pageSize: number

  constructor(path: string, options: { readonly gzip: boolean; readonly pageSize: number }) {
    this.#path = path
    this.#gzip = options.gzip
    this.#pageSize = options.pageSize
  }

  async parts(): Promise<readonly number[]> {
    return [0]
  }

  async *read(
    _part: number,
    after: number | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<DocumentBatch, void, undefined> {
    let line = 0
    let bytes = 0
    let documents: TransferDocument[] = []
    for await (const lines of fileLineBytes(this.#path, this.#gzip)) {
      signal.throwIfAborted()
      for (const text of lines) {
        line++
        if (line <= (after ?? 0) || isBlank(text) || isHeader(text)) continue
        documents.push(this.#document(text, line))
        bytes += text.length
        if (documents.length >= this.#pageSize || bytes >= PAGE_BYTES) {
          yield { count: documents.length, documents, part: 0, position: line }
          documents = []
          bytes = 0
        }
      }
    }
    if (documents.length > 0) yield { count: documents.length, documents, part: 0, position: line }
  }

  #document(bytes: Buffer, line: number): TransferDocument {
    try {
      return readDocumentLine(bytes)
    } catch (cause) {
      const why = otherForm(bytes) ?? (cause as Error).message
      throw new ClientError('response', `line ${line} of ${this.#path} is no document: ${why}`, { cause })
    }
  }
}

/** What a line is that other kinds of files begin with, and what to do; undefined for anything else. */
function otherForm(line: Buffer): string | undefined {
  if (line[0] === 0x1f && line[1] === 0x8b) return 'it is compressed: let the name of the file end in .gz'
  if (line.includes(0)) return 'it is UTF-16, not UTF-8'
  const text = line.toString('latin1', 0, 100).trimStart()
  if (text.startsWith('[')) return 'it is an array: expected one document a line'
  if (/^\{\s*"(index|create|update|delete)"\s*:\s*\{/.test(text)) return 'it is a bulk request: chaja bulk takes it'
  return undefined
}

function isBlank(line: Buffer): boolean {
  return line.length === 0 || ((line[0] as number) <= 0x20 && line.toString('latin1').trim() === '')
}

const HEADER = Buffer.from(FILE_HEADER)

/** The line that holds the index' schema. */
function isHeader(line: Buffer): boolean {
  return line.length > HEADER.length && line.subarray(0, HEADER.length).equals(HEADER)
}
