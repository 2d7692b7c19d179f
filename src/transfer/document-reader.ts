import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ClientError } from '../client/client-error.ts'
import type { DomainClient } from '../client/domain-client.ts'
import { readableShards, type ServerInfo } from './server.ts'
import { type HitPage, readDocumentLine, readHitPage, type TransferDocument } from './transfer-document.ts'

/** Documents read together, and where reading goes on behind them. */
export interface DocumentBatch {
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
}

/** What an answer should weigh; pages of bigger documents get shorter. */
const PAGE_BYTES = 8 * 1024 * 1024
/** Documents of a first page, before their size is known. */
const FIRST_PAGE = 250
/** A scroll keeps the size of its first page. */
const SCROLL_PAGE = 1_000

/** Documents of an index. */
export class IndexSource implements DocumentSource {
  readonly resumable: boolean
  /** Shards are asked for by number; set by {@link parts}. */
  #byShard = true
  readonly #client: DomainClient
  readonly #index: string
  readonly #server: ServerInfo
  readonly #pageSize: number

  constructor(client: DomainClient, index: string, server: ServerInfo, options: { readonly pageSize: number }) {
    this.#client = client
    this.#index = index
    this.#server = server
    this.#pageSize = options.pageSize
    this.resumable = server.seqNoOrder
  }

  async parts(): Promise<readonly number[]> {
    if (!this.#server.seqNoOrder) return [0]
    const shards = await readableShards(this.#client, this.#index)
    this.#byShard = shards !== undefined
    return shards ?? [0]
  }

  read(part: number, after: number | undefined, signal: AbortSignal): AsyncGenerator<DocumentBatch, void, undefined> {
    return this.#server.seqNoOrder ? this.#readShard(part, after, signal) : this.#readScroll(signal)
  }

  /**
   * A shard by sequence number: every write of a shard has its own, so `search_after` neither skips nor repeats, and
   * a run can go on where it stopped. Documents written meanwhile come later in the order and are read too.
   */
  async *#readShard(
    shard: number,
    after: number | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<DocumentBatch, void, undefined> {
    const path = `/${encodeURIComponent(this.#index)}/_search${this.#byShard ? `?preference=_shards:${shard}` : ''}`
    let position = after
    let size = Math.min(FIRST_PAGE, this.#pageSize)
    for (;;) {
      const page = await this.#page(
        path,
        {
          size,
          version: true,
          query: { match_all: {} },
          sort: [{ _seq_no: 'asc' }],
          ...(position === undefined ? {} : { search_after: [position] }),
        },
        signal,
      )
      if (page.documents.length === 0) return
      if (page.lastSort === undefined)
        throw new ClientError('response', 'the source sorts by _seq_no but does not answer it')
      if (!page.rising || page.lastSort <= (position ?? -1)) {
        throw new ClientError('response', `[${this.#index}] has several documents of one sequence number in a shard`)
      }
      position = page.lastSort
      yield { documents: page.documents, part: shard, position }
      if (page.documents.length < size) return
      size = Math.max(1, Math.min(this.#pageSize, 4 * size, Math.floor((PAGE_BYTES * size) / page.bytes)))
    }
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
        scrollId = page.scrollId
        position += page.documents.length
        yield { documents: page.documents, part: 0, position }
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
    const answer = await this.#client.request<Uint8Array>(
      'POST',
      path,
      body,
      { signal, raw: true, timeoutMs: 120_000 },
      true,
    )
    const page = readHitPage(Buffer.from(answer.body).toString('utf8'))
    if (page.failedShards > 0 || page.timedOut) {
      throw new ClientError(
        'response',
        `the source could not read all of [${this.#index}]: ${page.failedShards} shards failed`,
        {
          status: 503,
        },
      )
    }
    return page
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
    let documents: TransferDocument[] = []
    for await (const text of fileLines(this.#path, this.#gzip)) {
      signal.throwIfAborted()
      line++
      if (line <= (after ?? 0) || text === '' || text.startsWith('{"chaja_index":')) continue
      try {
        documents.push(readDocumentLine(text))
      } catch (cause) {
        throw new ClientError('response', `line ${line} of ${this.#path} is no document: ${(cause as Error).message}`, {
          cause,
        })
      }
      if (documents.length >= this.#pageSize) {
        yield { documents, part: 0, position: line }
        documents = []
      }
    }
    if (documents.length > 0) yield { documents, part: 0, position: line }
  }
}

/**
 * Lines of a file, inflated when it is compressed.
 *
 * @param file  a path, or a stream that is open already (stdin)
 */
export async function* fileLines(file: string | Readable, gzip: boolean): AsyncGenerator<string, void, undefined> {
  const raw: Readable = typeof file === 'string' ? createReadStream(file) : file
  const stream = gzip ? raw.pipe(createGunzip()) : raw
  if (gzip) raw.once('error', (error) => stream.destroy(error))
  yield* createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })
}
