import { packedWords, unpackCounts, unpackDeltas } from './bit-packing.ts'
import { BLOCK_SIZE } from './postings-format.ts'
import { NO_MORE_DOCS, type PostingsCursor } from './segment-reader.ts'
import { unpackBlockCounts, unpackBlockDeltas } from './unpack-block.ts'

/** A field's postings as they stand in a segment. */
export interface PostingsData {
  readonly words: Int32Array
  readonly positions: Uint8Array | undefined
  readonly hasFreqs: boolean
}

/** Room for the documents of a block and their frequencies. */
export interface BlockRoom {
  readonly docs: Int32Array
  readonly freqs: Int32Array
}

/** Room for `length` documents, a whole block at most. */
export function blockRoom(length = BLOCK_SIZE): BlockRoom {
  // One allocation for both, no larger than needed: queries of many rare terms open many cursors.
  const room = new Int32Array(2 * length)
  return { docs: room.subarray(0, length), freqs: room.subarray(length) }
}

const NO_POSITIONS = new Int32Array(0)

/** Reads the postings of one term (layout: postings-format.ts), a block of 128 documents at a time. */
export class BlockPostingsCursor implements PostingsCursor {
  readonly cost: number
  readonly blockDocs: Int32Array
  readonly blockFreqs: Int32Array
  doc = -1
  readonly #data: PostingsData
  readonly #start: number
  readonly #positionsStart: number
  readonly #singleFreq: number
  readonly #blocks: number
  readonly #skipWidth: number
  /** Next block to decode. */
  #block = 0
  /** Documents in the decoded block, and the place of `doc` in it. */
  #size = 0
  #at = -1
  #lastDoc = -1
  #nextWord: number
  /** Frequencies are decoded when first asked for: where those of the block are; -1: decoded. */
  #freqWord = -1
  #freqBits = 0
  /** Positions are read lazily: the byte where those of document `#positionsAt` of the block begin. */
  #positionByte = 0
  #positionsAt = 0
  #positionBuffer = NO_POSITIONS

  /**
   * @param start  the term's address (postings-format.ts)
   * @param totalTermFreq  gives the frequency where there is one document
   * @param room  that of a cursor nobody reads any more
   */
  constructor(
    data: PostingsData,
    docFreq: number,
    totalTermFreq: number,
    start: number,
    positionsStart: number,
    room: BlockRoom = blockRoom(Math.min(docFreq, BLOCK_SIZE)),
  ) {
    this.blockDocs = room.docs
    this.blockFreqs = room.freqs
    this.#data = data
    this.cost = docFreq
    this.#start = start
    this.#positionsStart = positionsStart
    this.#singleFreq = totalTermFreq
    this.#blocks = Math.ceil(docFreq / BLOCK_SIZE)
    this.#skipWidth = this.#blocks === 1 ? 0 : data.positions === undefined ? 2 : 3
    this.#nextWord = start + this.#blocks * this.#skipWidth
  }

  get freq(): number {
    if (this.#freqWord >= 0) this.#decodeFreqs()
    return this.blockFreqs[this.#at] as number
  }

  nextBlock(needsFreqs = true): number {
    if (this.#block >= this.#blocks) {
      this.#size = 0
      this.doc = NO_MORE_DOCS
      return 0
    }
    this.#decodeBlock()
    if (needsFreqs && this.#freqWord >= 0) this.#decodeFreqs()
    // Leaves the cursor before the block's first document, for callers that mix both ways of reading.
    return this.#size
  }

  loadFreqs(): void {
    if (this.#freqWord >= 0) this.#decodeFreqs()
  }

  nextDoc(): number {
    if (++this.#at < this.#size) {
      this.doc = this.blockDocs[this.#at] as number
      return this.doc
    }
    if (this.#block >= this.#blocks) return this.#end()
    this.#decodeBlock()
    this.#at = 0
    this.doc = this.blockDocs[0] as number
    return this.doc
  }

  advance(target: number): number {
    if (this.#size === 0 || (this.blockDocs[this.#size - 1] as number) < target) {
      if (this.doc === NO_MORE_DOCS) return this.doc
      if (this.#skipWidth > 0) this.#skipTo(target)
      do {
        if (this.#block >= this.#blocks) return this.#end()
        this.#decodeBlock()
      } while ((this.blockDocs[this.#size - 1] as number) < target)
      this.#at = 0
    }
    let i = Math.max(this.#at, 0)
    const docs = this.blockDocs
    while ((docs[i] as number) < target) i++
    this.#at = i
    this.doc = docs[i] as number
    return this.doc
  }

  positions(): Int32Array {
    const bytes = this.#data.positions
    if (bytes === undefined) return NO_POSITIONS
    if (this.#freqWord >= 0) this.#decodeFreqs()
    let byte = this.#positionByte
    if (this.#positionsAt > this.#at) {
      byte = this.#blockPositions(this.#block - 1)
      this.#positionsAt = 0
    }
    // Each position ends with a byte whose high bit is clear.
    let left = 0
    for (; this.#positionsAt < this.#at; this.#positionsAt++) left += this.blockFreqs[this.#positionsAt] as number
    while (left > 0) if ((bytes[byte++] as number) < 0x80) left--
    this.#positionByte = byte
    const freq = this.freq
    if (this.#positionBuffer.length < freq) this.#positionBuffer = new Int32Array(Math.max(16, freq * 2))
    const out = this.#positionBuffer
    let position = 0
    for (let i = 0; i < freq; i++) {
      let value = bytes[byte++] as number
      if (value >= 0x80) {
        value &= 0x7f
        for (let shift = 7; ; shift += 7) {
          const next = bytes[byte++] as number
          value |= (next & 0x7f) << shift
          if (next < 0x80) break
        }
      }
      position += value
      out[i] = position
    }
    return out
  }

  #end(): number {
    this.#size = 0
    this.#at = -1
    this.doc = NO_MORE_DOCS
    return NO_MORE_DOCS
  }

  /** Moves on to the block that may hold `target`, by the skip table. */
  #skipTo(target: number): void {
    const { words } = this.#data
    const width = this.#skipWidth
    let low = this.#block
    let high = this.#blocks - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((words[this.#start + middle * width] as number) < target) low = middle + 1
      else high = middle
    }
    if (low === this.#block) return
    this.#block = low
    this.#lastDoc = words[this.#start + (low - 1) * width] as number
    this.#nextWord = this.#start + (words[this.#start + low * width + 1] as number)
  }

  #decodeBlock(): void {
    const block = this.#block++
    this.#at = -1
    this.#positionsAt = 0
    const { words, hasFreqs } = this.#data
    if (this.cost === 1) {
      this.#size = 1
      this.blockDocs[0] = this.#start
      this.blockFreqs[0] = hasFreqs ? this.#singleFreq : 1
      this.#positionByte = this.#positionsStart
      return
    }
    const size = block === this.#blocks - 1 ? this.cost - block * BLOCK_SIZE : BLOCK_SIZE
    this.#size = size
    this.#positionByte = this.#blockPositions(block)
    const header = words[this.#nextWord] as number
    const docBits = header & 0xff
    const freqBits = (header >>> 8) & 0xff
    let at = this.#nextWord + 1
    this.#lastDoc =
      size === BLOCK_SIZE
        ? unpackBlockDeltas(words, at, docBits, this.blockDocs, this.#lastDoc)
        : unpackDeltas(words, at, size, docBits, this.blockDocs, this.#lastDoc)
    at += packedWords(size, docBits)
    this.#freqWord = at
    this.#freqBits = freqBits
    this.#nextWord = at + packedWords(size, freqBits)
  }

  #decodeFreqs(): void {
    const size = this.#size
    const freqs = this.blockFreqs
    if (this.#freqBits === 0) freqs.fill(1, 0, size)
    else if (size === BLOCK_SIZE) unpackBlockCounts(this.#data.words, this.#freqWord, this.#freqBits, freqs)
    else unpackCounts(this.#data.words, this.#freqWord, size, this.#freqBits, freqs)
    this.#freqWord = -1
  }

  #blockPositions(block: number): number {
    if (this.#skipWidth !== 3) return this.#positionsStart
    return this.#positionsStart + (this.#data.words[this.#start + block * 3 + 2] as number)
  }
}
