import type { BulkLine } from '../client/bulk.ts'
import { ClientError } from '../client/client-error.ts'
import { DocumentSetDigest } from '../digest/document-set-digest.ts'
import type { DocumentBatch } from './document-reader.ts'
import type { TransferDocument } from './transfer-document.ts'

interface LineTarget {
  readonly _type?: string
  readonly _id: string
  readonly routing?: string
}

/** Ends a line. */
export const LINE_BREAK = 0x0a
/** Digits of a version, which is the last but one member: versions go up to 2^63. */
const VERSION = /"version":(\d+),"version_type":"external_gte"\}\}$/

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
    head: { readonly count: number; readonly digest?: string },
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
