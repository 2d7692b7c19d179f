import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EngineLog } from '../engine.ts'
import type { DocumentRecord } from '../store/document-record.ts'
import type { LmdbStore } from '../store/lmdb-store.ts'
import type { DocumentOrder } from './document-order.ts'
import type { IndexWriter } from './index-writer.ts'
import { parseSource } from './parse-source.ts'
import type { SegmentBuffer } from './segment-buffer.ts'
import { SegmentBuilder } from './segment-builder.ts'
import { sortSegment } from './segment-merger.ts'

/** Tokens and values of a segment that is built again. */
const REBUILT_TOKENS = 4_000_000
/** Records read in one piece, where others are served in between. */
const SLICE = 200

/** Where the records are that segments are made of. */
export interface RecordIndexerOptions {
  readonly store: LmdbStore
  readonly indexNumber: number
  readonly indexName: string
  readonly log: EngineLog
  /** What a segment's documents are ordered by; undefined: their writes. */
  readonly order?: DocumentOrder | undefined
}

/** Makes segments of what is in the store: those that are damaged, and those that a crash kept from being written. */
export class RecordIndexer {
  readonly #o: RecordIndexerOptions
  readonly #writer: IndexWriter

  /** @param writer  whose mapping documents are read with, and add to */
  constructor(options: RecordIndexerOptions, writer: IndexWriter) {
    this.#o = options
    this.#writer = writer
  }

  /** Segments of the live records with `from <= seqNo < to`; `onDead` is told of the others. */
  *segments(
    from: number,
    to: number,
    onDead: (seqNo: number, record: DocumentRecord) => void = () => {},
  ): Generator<SharedArrayBuffer> {
    const { store, indexNumber } = this.#o
    let builder = new SegmentBuilder()
    for (const [seqNo, record] of store.documents(indexNumber, from, to)) {
      if (!this.#isAlive(seqNo, record)) {
        onDead(seqNo, record)
        continue
      }
      this.#add(builder, seqNo, record)
      if (builder.tokenCount < REBUILT_TOKENS) continue
      yield this.#finish(builder)
      builder = new SegmentBuilder()
    }
    if (builder.maxDoc > 0) yield this.#finish(builder)
  }

  /** {@link segments} that another thread makes, while others are served. @param newBuffer  makes what goes to the thread */
  async *segmentsElsewhere(
    from: number,
    to: number,
    newBuffer: () => SegmentBuffer,
  ): AsyncGenerator<SharedArrayBuffer, void, undefined> {
    const { store, indexNumber } = this.#o
    let buffer = newBuffer()
    try {
      for (let at = from; at < to; at += SLICE) {
        for (const [seqNo, record] of store.documents(indexNumber, at, Math.min(at + SLICE, to))) {
          if (!this.#isAlive(seqNo, record)) continue
          const source = record.source ?? Buffer.from('{}')
          if (!buffer.addSource(seqNo, { ...record, source }, this.#writer.mapping)) this.#add(buffer, seqNo, record)
        }
        buffer.ship()
        for (let room = buffer.room(); room !== undefined; room = buffer.room()) await room
        await nextTurn()
        if (!buffer.isFull) continue
        yield await buffer.finish()
        buffer = newBuffer()
      }
      if (!buffer.isEmpty) yield await buffer.finish()
    } finally {
      buffer.discard()
    }
  }

  /** A record that was replaced or deleted since is no longer what its id names. */
  #isAlive(seqNo: number, { tombstone, type, id }: DocumentRecord): boolean {
    return !tombstone && this.#o.store.getId(this.#o.indexNumber, type, id)?.seqNo === seqNo
  }

  /**
   * Goes through the records from a sequence number on, as they were written.
   *
   * @param onPart    called with a segment of what was added (undefined: nothing), and what was replaced or deleted
   * @param onDelete  called with every delete
   * @returns false when a record replaced one that is neither here nor in a segment: what that one replaced is unknown
   */
  replay(
    from: number,
    onPart: (segment: SharedArrayBuffer | undefined, deleted: readonly number[]) => void,
    onDelete: (seqNo: number, record: DocumentRecord) => void,
  ): boolean {
    const { store, indexNumber } = this.#o
    const seen = new Set<number>()
    let builder = new SegmentBuilder()
    let deleted: number[] = []
    const part = () => {
      onPart(builder.maxDoc > 0 ? this.#finish(builder) : undefined, deleted)
      builder = new SegmentBuilder()
      deleted = []
    }
    for (const [seqNo, record] of store.documents(indexNumber, from, this.#writer.maxSeqNo + 1)) {
      seen.add(seqNo)
      const { replacedSeqNo } = record
      if (replacedSeqNo >= from && !seen.has(replacedSeqNo)) return false
      if (replacedSeqNo >= 0) deleted.push(replacedSeqNo)
      if (record.tombstone) onDelete(seqNo, record)
      else this.#add(builder, seqNo, record)
      if (builder.tokenCount > REBUILT_TOKENS) part()
    }
    part()
    return true
  }

  #finish(builder: SegmentBuilder): SharedArrayBuffer {
    return sortSegment(builder.finish(), this.#o.order)
  }

  /** Adds a record to a segment; one that its mapping refuses now is kept without its fields rather than lost. */
  #add(builder: Pick<SegmentBuilder, 'add' | 'has'>, seqNo: number, record: DocumentRecord): void {
    const { type, id, routing } = record
    const source = record.source ?? Buffer.from('{}')
    try {
      const parsed = this.#writer.mapping.parse(type, id, parseSource(source), source, routing, true)
      this.#writer.updateMapping(type, parsed)
      builder.add(seqNo, type, parsed)
    } catch (error) {
      this.#o.log(
        'error',
        { index: this.#o.indexName, type, id, error: (error as Error).message },
        'a stored document can not be indexed, it is found by id only',
      )
      if (builder.has(seqNo)) return
      const documents = [{ nestedPath: undefined, fields: [], fieldNames: [] }]
      builder.add(seqNo, type, { documents, mappingUpdate: undefined })
    }
  }
}
