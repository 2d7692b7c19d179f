import { exportLoadedDictionaries } from '../analysis/korean/dictionaries.ts'
import type { IndexMapping } from '../mapping/index-mapping.ts'
import type { ParsedDocument } from '../mapping/parsed-document.ts'
import { ROUTING_FIELD } from '../mapping/routing-field.ts'
import { checkTerms, type DeferredAnalysis } from './deferred-analysis.ts'
import { DocumentBatchWriter } from './document-batch.ts'
import type { DocumentOrder } from './document-order.ts'
import { readField } from './portable-field.ts'
import { SegmentBuilder } from './segment-builder.ts'
import { sortSegment } from './segment-merger.ts'
import type { SegmentDraftHandle, SegmentThread } from './segment-thread.ts'
import type { PortableBatch } from './segment-thread-worker.ts'

/** Bytes of values from which on a batch goes to the thread. */
const BATCH_BYTES = 512 * 1024
/** Bytes of values up to which a segment is made on the spot: quicker than another thread, and no longer than a slice. */
const FEW_BYTES = 32 * 1024
/** Bytes of values kept before a segment is asked for. */
const FULL_BYTES = 24 * 1024 * 1024
/** Bytes that may wait for the thread. */
const WAITING_BYTES = 6 * 1024 * 1024
/** Tokens that say the same of what is inverted here. */
const FULL_TOKENS = 4_000_000

/** A document's source as it came, with its routing. */
export interface RoutedSource {
  readonly type: string
  readonly source: Buffer
  readonly routing: string | undefined
}

/**
 * What was written since the last refresh, on its way to be a segment: the values of its documents, handed batch by
 * batch to a thread that inverts them. Where the analysis must be done before a write is answered
 * ({@link DeferredAnalysis}), documents are inverted here, one by one.
 */
export class SegmentBuffer {
  readonly #thread: SegmentThread
  readonly #analysis: DeferredAnalysis | undefined
  readonly #builder: SegmentBuilder | undefined
  readonly #order: DocumentOrder | undefined
  readonly #writer = new DocumentBatchWriter()
  #draft: SegmentDraftHandle | undefined
  #shippedBytes = 0
  #docs = 0

  /**
   * @param analysis  undefined: documents are inverted as they come
   * @param order     what the segment's documents are ordered by; undefined: their writes
   */
  constructor(thread: SegmentThread, analysis: DeferredAnalysis | undefined, order?: DocumentOrder) {
    this.#order = order
    this.#thread = thread
    this.#analysis = analysis
    if (analysis === undefined) this.#builder = new SegmentBuilder()
  }

  get isEmpty(): boolean {
    return this.#docs === 0
  }

  /** True when it is time for a segment, asked for or not. */
  get isFull(): boolean {
    if (this.#builder !== undefined) return this.#builder.tokenCount > FULL_TOKENS
    return this.#shippedBytes + this.#writer.size > FULL_BYTES
  }

  /** True when the segment is made quickest at once, by {@link finishHere}. */
  get isSmall(): boolean {
    if (this.#builder !== undefined) return this.#builder.tokenCount <= FULL_TOKENS / 100
    if (this.#analysis?.multiplies === true) return this.#draft === undefined && this.#writer.size <= FEW_BYTES / 16
    return this.#draft === undefined && this.#writer.size <= FEW_BYTES
  }

  /**
   * Adds a document.
   *
   * @param seqNo  greater than any before
   * @throws {ServiceError} illegal_argument_exception when a term is too long; the document must be taken out of the
   *                        segment then, in which it may be
   */
  add(seqNo: number, type: string, document: ParsedDocument): void {
    if (this.#builder === undefined) {
      checkTerms(document, this.#analysis?.isChecked === true)
      this.#docs++
      this.#writer.add(seqNo, type, document)
    } else {
      this.#docs++
      this.#builder.add(seqNo, type, document)
    }
  }

  /**
   * Adds a document without taking it apart first, where that can be done.
   *
   * @returns false: it cannot, parse it and {@link add} it; nothing was changed
   */
  addSource(seqNo: number, { type, source, routing }: RoutedSource, mapping: IndexMapping): boolean {
    if (this.#analysis?.isChecked !== false || mapping.scan === undefined) return false
    const scan = mapping.scan
    const isAdded = this.#writer.addScanned(seqNo, type, source, (sink) => {
      if (!scan(type, source, sink)) return false
      if (routing !== undefined) sink.value(ROUTING_FIELD, routing)
      return true
    })
    if (!isAdded) return false
    this.#docs++
    return true
  }

  /** Adds a document that was taken apart in another thread; not where documents are inverted as they come. */
  addBatch(seqNo: number, batch: PortableBatch, { analyzers }: IndexMapping): void {
    this.#docs++
    const fields = batch.newFields.map((field) => readField(field, analyzers))
    this.#writer.addBatch(seqNo, batch, fields)
  }

  /** True when a document that could not be added is there in part. */
  has(seqNo: number): boolean {
    return this.#builder?.has(seqNo) ?? false
  }

  /** Hands over what has gathered once it is worth a message. */
  ship(): void {
    if (this.#analysis !== undefined && this.#writer.size >= BATCH_BYTES) this.#shipAll(this.#analysis)
  }

  /** Settles when the thread has caught up far enough to take more; undefined when it has. */
  room(): Promise<void> | undefined {
    const draft = this.#draft
    return draft !== undefined && draft.waitingBytes > WAITING_BYTES ? draft.progress() : undefined
  }

  /** Makes the segment in the thread; the buffer is used up. */
  async finish(): Promise<SharedArrayBuffer> {
    if (this.#builder !== undefined) return this.#thread.layOut(this.#builder.draft(), this.#order)
    if (this.#writer.docCount > 0) this.#shipAll(this.#analysis as DeferredAnalysis)
    const draft = this.#draft
    this.#draft = undefined
    return (draft as SegmentDraftHandle).seal(this.#order)
  }

  /** Makes the segment at once; only while {@link isSmall}. The buffer is used up. */
  finishHere(): SharedArrayBuffer {
    let builder = this.#builder
    if (builder === undefined) {
      builder = new SegmentBuilder()
      builder.addBatch(this.#writer.take())
    }
    return sortSegment(builder.finish(), this.#order)
  }

  /** Lets go of what the thread holds. */
  discard(): void {
    this.#draft?.drop()
    this.#draft = undefined
  }

  #shipAll(analysis: DeferredAnalysis): void {
    this.#draft ??= this.#thread.openDraft({ ...analysis, dictionaries: exportLoadedDictionaries() })
    const { size } = this.#writer
    this.#shippedBytes += size
    this.#draft.add(this.#writer.take(), size)
  }
}
