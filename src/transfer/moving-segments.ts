import { randomUUID } from 'node:crypto'
import { ClientError } from '../client/client-error.ts'
import { LINE_BREAK } from './ready-batch.ts'
import type { IndexEnd } from './shared-dictionary.ts'

/** As `GET /<index>/_inverted` answers. */
interface Inverted {
  readonly fingerprint: string | null
  readonly segments: readonly {
    readonly name: string
    readonly min_seq_no: number
    readonly max_seq_no: number
    readonly size_in_bytes: number
  }[]
}

/** Smaller ones are as quickly made anew. */
const LEAST_BYTES = 64 * 1024
const TIMEOUT_MS = 120_000

/**
 * A segment of the source that the destination is given before its documents, which it then need not invert itself. Where that
 * cannot be done, its documents are moved as any others.
 */
export class MovingSegment {
  /** First and last sequence number of its documents at the source. */
  readonly minSeqNo: number
  readonly maxSeqNo: number
  /** What the destination calls it. */
  readonly id = randomUUID()
  readonly #name: string
  readonly #from: IndexEnd
  readonly #to: IndexEnd
  readonly #sending: Sending
  #isThere: Promise<boolean> = Promise.resolve(false)

  constructor(segment: Inverted['segments'][number], ends: readonly [IndexEnd, IndexEnd], sending: Sending) {
    this.minSeqNo = segment.min_seq_no
    this.maxSeqNo = segment.max_seq_no
    this.#name = segment.name
    this.#from = ends[0]
    this.#to = ends[1]
    this.#sending = sending
  }

  /** Settles with whether the destination has all of it. */
  get isThere(): Promise<boolean> {
    return this.#isThere
  }

  /** Begins to move it. Settles once what is alive in it is fixed: documents that are read from then on can be no others. */
  async begin(signal: AbortSignal): Promise<void> {
    if (this.#sending.isRefused) return
    try {
      const first = await this.#part(this.#name, 0, signal)
      this.#isThere = this.#move(first, signal).catch(() => {
        this.#sending.isRefused = true
        return false
      })
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
    }
  }

  async #move(first: Part, signal: AbortSignal): Promise<boolean> {
    let part = first
    for (let offset = 0; ; ) {
      for (let at = 0; at < part.bytes.length; at += this.#sending.maxBytes)
        await this.#put(part.bytes.subarray(at, at + this.#sending.maxBytes), offset + at, first.size, signal)
      offset += part.bytes.length
      if (offset >= first.size) return true
      part = await this.#part(first.id, offset, signal)
      if (part.bytes.length === 0) return false
    }
  }

  async #put(bytes: Uint8Array, offset: number, size: number, signal: AbortSignal): Promise<void> {
    const path = `${pathOf(this.#to)}/${this.id}?offset=${offset}&size=${size}`
    const options = { signal, contentType: 'application/octet-stream', timeoutMs: TIMEOUT_MS }
    await this.#to.client.request('PUT', path, bytes, options)
  }

  async #part(id: string, offset: number, signal: AbortSignal): Promise<Part> {
    const path = `${pathOf(this.#from)}/${encodeURIComponent(id)}?offset=${offset}`
    const { body } = await this.#from.client.request<Uint8Array>('GET', path, undefined, {
      signal,
      raw: true,
      timeoutMs: TIMEOUT_MS,
    })
    const end = body.indexOf(LINE_BREAK)
    try {
      const head = JSON.parse(new TextDecoder().decode(body.subarray(0, Math.max(0, end)))) as {
        readonly id: string
        readonly size_in_bytes: number
      }
      return { id: head.id, size: head.size_in_bytes, bytes: body.subarray(end + 1) }
    } catch (cause) {
      throw new ClientError('response', `[${this.#from.index}] gives no segments`, { cause })
    }
  }
}

/** How the segments of a transfer are sent. */
interface Sending {
  /** Largest request. */
  readonly maxBytes: number
  /** Whether the destination has refused one, as where the caller may not do everything. */
  isRefused: boolean
}

interface Part {
  readonly id: string
  /** Of the whole segment, bytes. */
  readonly size: number
  readonly bytes: Uint8Array
}

/** The segments of an index that another may be given, in the order of their documents; none where the two do not invert alike. */
export async function movingSegments(
  from: IndexEnd,
  to: IndexEnd,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<MovingSegment[]> {
  const ask = async (end: IndexEnd) =>
    (await end.client.request<Inverted>('GET', pathOf(end), undefined, { signal })).body
  try {
    const { fingerprint, segments } = await ask(from)
    if (typeof fingerprint !== 'string' || (await ask(to)).fingerprint !== fingerprint) return []
    const worthy = segments.filter((segment) => segment.size_in_bytes >= LEAST_BYTES)
    const sending = { maxBytes, isRefused: false }
    return worthy
      .map((segment) => new MovingSegment(segment, [from, to], sending))
      .sort((a, b) => a.minSeqNo - b.minSeqNo)
  } catch (error) {
    if (error instanceof ClientError && (error.status ?? 500) < 500) return []
    throw error
  }
}

const pathOf = ({ index }: IndexEnd): string => `/${encodeURIComponent(index)}/_inverted`
