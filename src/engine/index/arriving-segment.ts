import { setTimeout as pause } from 'node:timers/promises'
import type { IndexMapping } from '../mapping/index-mapping.ts'
import type { ValueSink } from '../mapping/value-sink.ts'
import type { SegmentPlace } from './document-operation.ts'
import { renumberSegment } from './renumber-segment.ts'
import type { RoutedSource, SegmentBuffer } from './segment-buffer.ts'
import { checkSegment, DamagedSegmentError } from './segment-file.ts'
import { StoredSegment } from './stored-segment.ts'

/** What writes go into until the next refresh. */
export type WriteBuffer = Pick<SegmentBuffer, keyof SegmentBuffer>

/** How long the next of its documents is waited for, before a segment is made of those that came. */
const PATIENCE_MS = 10_000

/** Values go nowhere: they are inverted already. */
const NOWHERE: ValueSink = { range: () => {}, value: () => {}, name: () => {} }

/**
 * A segment that another domain made of documents, which come behind it one by one: they are read, so that what is wrong with
 * them is told, and not inverted again. It is good once all of them have come in their order and nothing else was written
 * meanwhile; else they are in the store and in no segment, and one is made of them there.
 */
export class ArrivingSegment implements WriteBuffer {
  /** What it is called while it is on its way. */
  readonly id: string
  /** As it comes; undefined once its documents may. */
  #given: SharedArrayBuffer | undefined
  #givenBytes = 0
  /** With its documents numbered as they are here; undefined until they may come. */
  #segment: StoredSegment | undefined
  #mapping: IndexMapping | undefined
  #arrived = 0
  #isOver = false
  /** When the last of its documents came, or could. */
  #usedAt = performance.now()
  /** Those who wait for a document to be the next, by its place. */
  readonly #turns = new Map<number, () => void>()

  constructor(id: string, sizeBytes: number) {
    this.id = id
    this.#given = new SharedArrayBuffer(sizeBytes)
  }

  /** Bytes of it that are here. */
  get givenBytes(): number {
    return this.#givenBytes
  }

  /** @param bytes  those behind {@link givenBytes} */
  give(bytes: Uint8Array): void {
    if (this.#given === undefined) return
    new Uint8Array(this.#given).set(bytes, this.#givenBytes)
    this.#givenBytes += bytes.length
  }

  /**
   * Makes it ready for its documents.
   *
   * @param firstSeqNo  the number that the first of them will have
   * @param order       of the index' documents, as JSON; undefined: that of their writes
   * @throws {Error} when it is not whole, damaged, or in another order
   */
  async begin(firstSeqNo: number, mapping: IndexMapping, order: string | undefined): Promise<void> {
    const given = this.#given
    this.#given = undefined
    if (given?.byteLength !== this.#givenBytes) throw new DamagedSegmentError('it is not whole')
    await checkSegment(given)
    const segment = new StoredSegment(given, { trusted: true })
    if (segment.directory.order !== order) throw new DamagedSegmentError('its documents are in another order')
    this.#segment = new StoredSegment(await renumberSegment(segment, firstSeqNo), { trusted: true })
    this.#mapping = mapping
    this.#usedAt = performance.now()
    this.#tell()
  }

  /** True while more of its documents may be expected. */
  get isAwaited(): boolean {
    return !this.#isOver && performance.now() - this.#usedAt < PATIENCE_MS
  }

  /** Settles when the document at a place is the next, or when that is not to be waited for. */
  async turn(position: number): Promise<void> {
    if (this.#isOver || (this.#segment !== undefined && this.#arrived >= position)) return
    const isNext = new Promise<void>((resolve) => this.#turns.set(position, resolve))
    await Promise.race([isNext, pause(PATIENCE_MS, undefined, { ref: false })])
  }

  /** A document that says it is of a segment was written. */
  arrive(seqNo: number, { segment, position }: SegmentPlace): void {
    this.#usedAt = performance.now()
    const { minSeqNo } = (this.#segment as StoredSegment).directory
    if (segment !== this.id || position !== this.#arrived || seqNo !== minSeqNo + position) this.#isOver = true
    this.#arrived++
    // Rarely does anyone wait, and this is asked for every document.
    if (this.#turns.size > 0) this.#tell()
  }

  /** Whether all that was written up to a number is in it, by the mapping that the index has now. */
  isWhole(upTo: number, mapping: IndexMapping): boolean {
    return !this.#isOver && this.#isFilled && upTo === this.#segment?.directory.maxSeqNo && mapping === this.#mapping
  }

  get #isFilled(): boolean {
    if (this.#segment === undefined) return false
    const { minSeqNo, maxSeqNo } = this.#segment.directory
    return this.#arrived === maxSeqNo - minSeqNo + 1
  }

  #tell(): void {
    for (const [position, resolve] of this.#turns) {
      if (!this.#isOver && position > this.#arrived) continue
      this.#turns.delete(position)
      resolve()
    }
  }

  // As a buffer of writes:

  /** Even before the first of its documents: a refresh then does without it. */
  readonly isEmpty = false
  readonly isSmall = false

  /** Once there is nothing more to wait for. */
  get isFull(): boolean {
    return this.#isFilled || this.#isOver
  }

  add(): void {}

  addSource(_seqNo: number, { type, source }: RoutedSource, mapping: IndexMapping): boolean {
    return mapping.scan?.(type, source, NOWHERE) ?? false
  }

  addBatch(): void {}

  has(): boolean {
    return true
  }

  ship(): void {}

  room(): undefined {
    return undefined
  }

  async finish(): Promise<SharedArrayBuffer> {
    return this.finishHere()
  }

  finishHere(): SharedArrayBuffer {
    return (this.#segment as StoredSegment).bytes
  }

  discard(): void {
    this.#isOver = true
    this.#tell()
  }
}
