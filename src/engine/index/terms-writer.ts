import { GrowableBytes, GrowableInt32Array } from './growable-array.ts'
import { PostingsWriter } from './postings-format.ts'
import type { TermsDirectory } from './segment-directory.ts'
import type { SegmentFileWriter } from './segment-file.ts'

/** Writes a field's term dictionary and postings, terms in ascending byte order. */
export class TermsWriter {
  readonly #hasFreqs: boolean
  readonly #hasPositions: boolean
  readonly #bytes = new GrowableBytes(4096)
  readonly #ends = new GrowableInt32Array()
  readonly #docFreqs = new GrowableInt32Array()
  readonly #totalTermFreqs = new GrowableInt32Array()
  readonly #starts = new GrowableInt32Array()
  readonly #positionStarts = new GrowableInt32Array()
  readonly #postings: PostingsWriter
  sumDocFreq = 0
  sumTotalTermFreq = 0

  constructor(options: { readonly hasFreqs: boolean; readonly hasPositions: boolean }) {
    this.#hasFreqs = options.hasFreqs
    this.#hasPositions = options.hasPositions
    this.#postings = new PostingsWriter(options)
  }

  get size(): number {
    return this.#ends.length
  }

  /** Where the positions of a term are appended before it is added, see {@link PostingsWriter.positions}. */
  get positions(): GrowableBytes {
    return this.#postings.positions
  }

  /** Writes the next term, which is `bytes` in [from, to); its postings as {@link PostingsWriter.write} takes them. */
  add(bytes: Uint8Array, from: number, to: number, docs: GrowableInt32Array, freqs: GrowableInt32Array): void {
    const count = docs.length
    this.#bytes.appendRange(bytes, from, to)
    this.#ends.push(this.#bytes.length)
    this.#docFreqs.push(count)
    let total = count
    if (this.#hasFreqs) {
      total = 0
      for (let i = 0; i < count; i++) total += freqs.values[i] as number
      this.#totalTermFreqs.push(total)
    }
    this.sumDocFreq += count
    this.sumTotalTermFreq += total
    if (this.#hasPositions) this.#positionStarts.push(this.#postings.positionsStart)
    this.#starts.push(this.#postings.write(docs.values, freqs.values, count))
  }

  finish(file: SegmentFileWriter): TermsDirectory {
    const offsets = new Uint32Array(this.#ends.length + 1)
    offsets.set(this.#ends.view(), 1)
    return {
      hasFreqs: this.#hasFreqs,
      hasPositions: this.#hasPositions,
      bytes: file.add(this.#bytes.view()),
      offsets: file.add(offsets),
      docFreqs: file.add(unsigned(this.#docFreqs)),
      ...(this.#hasFreqs ? { totalTermFreqs: file.add(unsigned(this.#totalTermFreqs)) } : {}),
      starts: file.add(unsigned(this.#starts)),
      ...(this.#hasPositions ? { positionStarts: file.add(unsigned(this.#positionStarts)) } : {}),
      words: file.add(this.#postings.words.view()),
      ...(this.#hasPositions ? { positions: file.add(this.#postings.positions.view()) } : {}),
    }
  }
}

const unsigned = ({ values, length }: GrowableInt32Array): Uint32Array => new Uint32Array(values.buffer, 0, length)
