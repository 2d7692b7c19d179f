import type { DocumentRecord } from './document-record.ts'

/** What a record costs beside its source: the object, its strings, its place in the map. */
const OVERHEAD_BYTES = 300

/** Of the records read while the cache is full, one in so many is kept. */
const KEPT_OF = 8

/** Sources are kept side by side in pieces of memory of so many bytes. */
const SLAB_BYTES = 128 * 1024

/**
 * Records read lately, up to so many bytes of them.
 *
 * A record never changes (a new write has a new sequence number), so none can be out of date. Two generations instead of
 * a list by age: what is read from the older one moves to the newer, and a full newer one becomes the older.
 *
 * Once it is full, only some of what is read gets in: where more is asked for by turns than there is room for, each would
 * otherwise push out the next one to be asked for, and live just long enough to cost the garbage collector most.
 *
 * Sources are copied: as they were read each would keep alive what memory it happens to lie in, with its neighbours.
 */
export class RecordCache {
  readonly #generationBytes: number
  /** Records by index number, then sequence number. */
  #newer = new Map<number, Map<number, DocumentRecord>>()
  #older = new Map<number, Map<number, DocumentRecord>>()
  #newerBytes = 0
  #slab = Buffer.alloc(0)
  #slabUsed = 0
  #offered = 0

  /** @param maxBytes  about how much memory the records may take */
  constructor(maxBytes: number) {
    this.#generationBytes = maxBytes / 2
  }

  get(indexNumber: number, seqNo: number): DocumentRecord | undefined {
    const record = this.#newer.get(indexNumber)?.get(seqNo)
    if (record !== undefined) return record
    const old = this.#older.get(indexNumber)?.get(seqNo)
    if (old !== undefined) this.#put(indexNumber, seqNo, old)
    return old
  }

  /** Takes a record that was read, or not: see above. */
  offer(indexNumber: number, seqNo: number, record: DocumentRecord): void {
    if (this.#older.size > 0 && ++this.#offered % KEPT_OF !== 0) return
    this.#put(indexNumber, seqNo, record)
  }

  #put(indexNumber: number, seqNo: number, record: DocumentRecord): void {
    const bytes = OVERHEAD_BYTES + (record.source?.length ?? 0)
    // One that would push out many others is not worth it.
    if (bytes > this.#generationBytes / 16) return
    if (this.#newerBytes + bytes > this.#generationBytes) {
      this.#older = this.#newer
      this.#newer = new Map()
      this.#newerBytes = 0
      this.#slabUsed = this.#slab.length
    }
    let ofIndex = this.#newer.get(indexNumber)
    if (ofIndex === undefined) {
      ofIndex = new Map()
      this.#newer.set(indexNumber, ofIndex)
    }
    ofIndex.set(seqNo, record.source === undefined ? record : { ...record, source: this.#copy(record.source) })
    this.#newerBytes += bytes
  }

  #copy(source: Buffer): Buffer {
    if (source.length > SLAB_BYTES / 8) return Buffer.from(source)
    if (this.#slabUsed + source.length > this.#slab.length) {
      this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
      this.#slabUsed = 0
    }
    const copy = this.#slab.subarray(this.#slabUsed, this.#slabUsed + source.length)
    copy.set(source)
    this.#slabUsed += source.length
    return copy
  }

  /** Forgets a record that is removed. */
  delete(indexNumber: number, seqNo: number): void {
    this.#newer.get(indexNumber)?.delete(seqNo)
    this.#older.get(indexNumber)?.delete(seqNo)
  }

  /** Forgets everything of an index. */
  deleteIndex(indexNumber: number): void {
    this.#newer.delete(indexNumber)
    this.#older.delete(indexNumber)
  }
}
