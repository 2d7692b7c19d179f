import { ClientError } from '../client/client-error.ts'
import type { DomainClient } from '../client/domain-client.ts'
import type { DocumentKeyForm } from '../digest/document-key.ts'
import { DocumentSetDigest } from '../digest/document-set-digest.ts'
import type { DocumentSource } from './document-reader.ts'
import type { MovingSegment } from './moving-segments.ts'
import { LINE_BREAK, ReadyBatch } from './ready-batch.ts'
import { RecordBatch } from './record-batch.ts'

/** First line of a page: {@link DocumentSetDigest.toText} of its documents, the index' highest sequence number before it was read. */
interface PageHead {
  readonly count: number
  readonly next: number | null
  readonly last: number
  readonly digest?: string
  /** Of records: id of what they are compressed with. */
  readonly dictionary?: string
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
  /** Id of what the destination restores sources with too: records are asked for; undefined: lines are. */
  readonly dictionary?: string | undefined
  /** Those that go before the records of their documents, in their order. */
  readonly segments?: readonly MovingSegment[]
}

/** Documents of a chaja domain's index, in batches that are ready to be sent on ({@link RecordBatch}, {@link ReadyBatch}). */
export class ReadySource implements DocumentSource {
  readonly resumable = true
  /** The one that it reads. */
  readonly index: string
  readonly #client: DomainClient
  readonly #options: ReadyOptions
  /** Undefined from the first records on that the destination would not have. */
  #dictionary: string | undefined
  readonly digestOf: string | undefined

  constructor(client: DomainClient, index: string, options: ReadyOptions) {
    this.#client = client
    this.index = index
    this.#options = options
    this.#dictionary = options.dictionary
    this.digestOf = options.dictionary
  }

  /** Whether the server has such a thing for the index, and allows it. */
  async isThere(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#page(-1, { size: 1 }, signal)
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
  ): AsyncGenerator<ReadyBatch | RecordBatch, void, undefined> {
    // Up to what was there at first, then what was written since; not what is written from now on, which may never end.
    let end: number | undefined
    let isLastRound = false
    let position = after ?? -1
    const segments = this.#segments(position)
    let segment = segments.shift()
    let place: RecordBatch['place']
    for (;;) {
      const from = position
      if (segment !== undefined && from >= segment.maxSeqNo) {
        segment = segments.shift()
        place = undefined
      }
      if (segment !== undefined && place === undefined && from >= segment.minSeqNo - 1) {
        await segment.begin(signal)
        place = { segment, at: 0 }
      }
      // A page is of one segment.
      const to = place === undefined ? segment && segment.minSeqNo - 1 : place.segment.maxSeqNo
      const { head, body } = await this.#page(from, { size: this.#options.pageSize, to }, signal)
      const next = head.next ?? to
      end ??= head.last
      position = next ?? Math.max(position, head.last)
      if (head.count > 0) yield this.#batch(head, body, { from, position, place })
      if (place !== undefined) place = { ...place, at: place.at + head.count }
      if (next === undefined) return
      if (next < end) continue
      if (isLastRound) return
      isLastRound = true
      end = head.last
    }
  }

  /** Those of which nothing was moved before. */
  #segments(after: number): MovingSegment[] {
    const { segments = [] } = this.#options
    return segments.filter(({ minSeqNo }) => minSeqNo > after)
  }

  #batch(
    head: PageHead,
    body: Buffer,
    {
      from,
      position,
      place,
    }: { readonly from: number; readonly position: number; readonly place: RecordBatch['place'] },
  ): ReadyBatch | RecordBatch {
    const { destination: index } = this.#options
    const lines = new ReadyBatch(head, body, { index, position })
    const { dictionary } = head
    if (dictionary === undefined) return lines
    const asLines = async (signal: AbortSignal): Promise<ReadyBatch> => {
      this.#dictionary = undefined
      const bodies: Buffer[] = []
      let count = 0
      // Lines weigh more: their pages may be shorter.
      for (let after: number | null = from; after !== null && after < position; ) {
        const page = await this.#page(after, { size: head.count }, signal)
        bodies.push(page.body)
        count += page.head.count
        after = page.head.next
      }
      return new ReadyBatch({ count }, Buffer.concat(bodies), { index, position })
    }
    return new RecordBatch(
      { position, count: head.count, digest: lines.digest, index, dictionary, place, asLines },
      body,
    )
  }

  async #page(
    after: number,
    { size, to }: { readonly size: number; readonly to?: number | undefined },
    signal: AbortSignal,
  ): Promise<{ head: PageHead; body: Buffer }> {
    const { typed, key } = this.#options
    const isPacked = this.#dictionary !== undefined
    const path =
      `/${encodeURIComponent(this.index)}/_documents?after=${after}&size=${size}${to === undefined ? '' : `&to=${to}`}` +
      `${isPacked ? '&form=records' : typed ? '&types=true' : ''}${key === undefined ? '' : `&key=${key}`}`
    const { body } = await this.#client.request<Uint8Array>('GET', path, undefined, {
      signal,
      raw: true,
      timeoutMs: 120_000,
    })
    const answer = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    const end = answer.indexOf(LINE_BREAK)
    const head = readHead(answer.toString('utf8', 0, Math.max(0, end)), key !== undefined)
    if (head === undefined)
      throw new ClientError('response', `[${this.index}] cannot be read: ${answer.toString('utf8', 0, 200)}`)
    return { head, body: answer.subarray(end + 1) }
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
