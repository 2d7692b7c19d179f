import type { BulkLine } from '../client/bulk.ts'
import { ClientError } from '../client/client-error.ts'
import type { DomainClient } from '../client/domain-client.ts'
import type { DocumentKeyForm } from '../digest/document-key.ts'
import { DocumentSetDigest } from '../digest/document-set-digest.ts'
import type { DocumentBatch, DocumentSource } from './document-reader.ts'
import type { TransferDocument } from './transfer-document.ts'

/** First line of a page: {@link DocumentSetDigest.toText} of its documents, the index' highest sequence number before it was read. */
interface PageHead {
  readonly count: number
  readonly next: number | null
  readonly last: number
  readonly digest?: string
}

/** What a page is asked for. */
interface ReadyOptions {
  readonly pageSize: number
  /** Where the documents go. */
  readonly destination: string
  /** Lines carry types. */
  readonly typed: boolean
  /** What documents of the digest are told apart by; undefined: none is wanted. */
  readonly key: DocumentKeyForm | undefined
}

/** Documents as a chaja domain gives them: lines that `_bulk` takes, looked at one by one only where something goes wrong. */
export class ReadyBatch implements DocumentBatch {
  readonly part = 0
  /** Where its documents go. */
  readonly index: string
  readonly position: number
  readonly count: number
  /** Of its documents; undefined when none is wanted. */
  readonly digest: DocumentSetDigest | undefined
  readonly #lines: Buffer
  #documents: readonly TransferDocument[] | undefined

  constructor(
    head: PageHead,
    lines: Buffer,
    { index, position }: { readonly index: string; readonly position: number },
  ) {
    this.index = index
    this.position = position
    this.count = head.count
    this.digest = head.digest === undefined ? undefined : DocumentSetDigest.fromText(head.digest)
    this.#lines = lines
  }

  /** The documents one by one, read when first asked for. */
  get documents(): readonly TransferDocument[] {
    this.#documents ??= this.bulkLines().map(({ start, end }) => {
      const middle = this.#lines.indexOf(LINE_BREAK, start)
      const { index } = JSON.parse(this.#lines.toString('utf8', start, middle)) as { readonly index: LineTarget }
      return {
        index: this.index,
        type: index._type,
        id: index._id,
        routing: index.routing,
        version: VERSION.exec(this.#lines.toString('latin1', start, middle))?.[1],
        source: this.#lines.subarray(middle + 1, end - 1),
      }
    })
    return this.#documents
  }

  /** The lines as they are sent. @throws {ClientError} when there are not as many as the page says */
  bulkLines(): BulkLine[] {
    const lines: BulkLine[] = []
    const memory = this.#lines
    const target = { _index: this.index }
    for (let start = 0; start < memory.length; ) {
      const middle = memory.indexOf(LINE_BREAK, start)
      const last = middle < 0 ? -1 : memory.indexOf(LINE_BREAK, middle + 1)
      if (last < 0) break
      lines.push({ position: lines.length, action: 'index', target, memory, start, end: last + 1 })
      start = last + 1
    }
    if (lines.length !== this.count || (lines.at(-1)?.end ?? 0) !== memory.length)
      throw new ClientError('response', `the source answered ${lines.length} of ${this.count} documents`)
    return lines
  }
}

interface LineTarget {
  readonly _type?: string
  readonly _id: string
  readonly routing?: string
}

const LINE_BREAK = 0x0a
/** Digits of a version, which is the last but one member: versions go up to 2^63. */
const VERSION = /"version":(\d+),"version_type":"external_gte"\}\}$/

/** Documents of a chaja domain's index, in batches that are ready to be sent on ({@link ReadyBatch}). */
export class ReadySource implements DocumentSource {
  readonly resumable = true
  readonly #client: DomainClient
  readonly #index: string
  readonly #options: ReadyOptions

  constructor(client: DomainClient, index: string, options: ReadyOptions) {
    this.#client = client
    this.#index = index
    this.#options = options
  }

  /** Whether the server has such a thing for the index, and allows it. */
  async isThere(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#page(-1, 1, signal)
      return true
    } catch (error) {
      if (error instanceof ClientError && (error.status === undefined ? error.kind === 'response' : error.status < 500))
        return false
      throw error
    }
  }

  async parts(): Promise<readonly number[]> {
    return [0]
  }

  async *read(
    _part: number,
    after: number | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<ReadyBatch, void, undefined> {
    // Up to what was there at first, then what was written since; not what is written from now on, which may never end.
    let end: number | undefined
    let isLastRound = false
    for (let position = after ?? -1; ; ) {
      const { head, lines } = await this.#page(position, this.#options.pageSize, signal)
      end ??= head.last
      position = head.next ?? Math.max(position, head.last)
      if (head.count > 0) yield new ReadyBatch(head, lines, { index: this.#options.destination, position })
      if (head.next === null) return
      if (head.next < end) continue
      if (isLastRound) return
      isLastRound = true
      end = head.last
    }
  }

  async #page(after: number, size: number, signal: AbortSignal): Promise<{ head: PageHead; lines: Buffer }> {
    const { typed, key } = this.#options
    const path =
      `/${encodeURIComponent(this.#index)}/_documents?after=${after}&size=${size}` +
      `${typed ? '&types=true' : ''}${key === undefined ? '' : `&key=${key}`}`
    const { body } = await this.#client.request<Uint8Array>('GET', path, undefined, {
      signal,
      raw: true,
      timeoutMs: 120_000,
    })
    const answer = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    const end = answer.indexOf(LINE_BREAK)
    const head = readHead(answer.toString('utf8', 0, Math.max(0, end)), key !== undefined)
    if (head === undefined)
      throw new ClientError('response', `[${this.#index}] cannot be read: ${answer.toString('utf8', 0, 200)}`)
    return { head, lines: answer.subarray(end + 1) }
  }
}

/** Undefined when it is something else. */
function readHead(line: string, withDigest: boolean): PageHead | undefined {
  try {
    const head = JSON.parse(line) as PageHead
    const digest = DocumentSetDigest.fromText(head.digest ?? '')
    const isWhole = Number.isSafeInteger(head.count) && Number.isSafeInteger(head.last)
    const isNext = head.next === null || Number.isSafeInteger(head.next)
    return isWhole && isNext && (!withDigest || digest?.count === head.count) ? head : undefined
  } catch {
    return undefined
  }
}
