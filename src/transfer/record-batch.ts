import type { BulkLine } from '../client/bulk.ts'
import { ClientError } from '../client/client-error.ts'
import type { DocumentSetDigest } from '../digest/document-set-digest.ts'
import type { DocumentBatch } from './document-reader.ts'
import type { MovingSegment } from './moving-segments.ts'
import type { ReadyBatch } from './ready-batch.ts'
import type { TransferDocument } from './transfer-document.ts'

/** A record's length stands before it, little-endian. */
const LENGTH_BYTES = 4

/** Documents as a chaja domain has them stored, for another that knows what they are compressed with. */
export class RecordBatch implements DocumentBatch {
  readonly part = 0
  readonly position: number
  readonly count: number
  /** Of its documents as they are stored; undefined when none is wanted. */
  readonly digest: DocumentSetDigest | undefined
  /** Where its documents go. */
  readonly index: string
  /** Id of what its sources are compressed with. */
  readonly dictionary: string
  /** The segment that its documents are in at the source, and where the first of them stands there; undefined: they come without. */
  readonly place: { readonly segment: MovingSegment; readonly at: number } | undefined
  /** The same documents as lines, asked for anew. */
  readonly asLines: (signal: AbortSignal) => Promise<ReadyBatch>
  readonly #records: Buffer

  constructor(
    head: Pick<RecordBatch, 'position' | 'count' | 'digest' | 'index' | 'dictionary' | 'place' | 'asLines'>,
    records: Buffer,
  ) {
    this.position = head.position
    this.count = head.count
    this.digest = head.digest
    this.index = head.index
    this.dictionary = head.dictionary
    this.place = head.place
    this.asLines = head.asLines
    this.#records = records
  }

  /** Only their lines tell them. */
  get documents(): readonly TransferDocument[] {
    throw new Error('records are not looked into')
  }

  /** The records as they are sent. @throws {ClientError} when there are not as many as the page says */
  bulkLines(): BulkLine[] {
    const lines: BulkLine[] = []
    const memory = this.#records
    const target = { _index: this.index }
    for (let start = 0; start + LENGTH_BYTES <= memory.length; ) {
      const end = start + LENGTH_BYTES + memory.readUInt32LE(start)
      if (end > memory.length) break
      lines.push({ position: lines.length, action: 'index', target, memory, start, end })
      start = end
    }
    if (lines.length !== this.count || (lines.at(-1)?.end ?? 0) !== memory.length)
      throw new ClientError('response', `the source answered ${lines.length} of ${this.count} records`)
    return lines
  }
}

/** How many records a body has. */
export function countRecords(body: Uint8Array): number {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  let count = 0
  for (let at = 0; at < bytes.length; at += LENGTH_BYTES + bytes.readUInt32LE(at)) count++
  return count
}
