import { murmur64 } from '../../algorithms/murmur.ts'

/** Tokens in a row that must repeat to count as copied. */
const SEQUENCE = 6

/** Sequences remembered at most. */
const MAX_SEQUENCES = 500_000

/**
 * Finds passages that were in a text before (mail threads, boilerplate): each token is one byte of its hash, and six bytes
 * seen before are a copy. A document's texts follow one another without a gap.
 */
export class DuplicateSpotter {
  readonly #seen = new Set<string>()
  /** The last bytes of the document's texts so far. */
  #before = ''

  /** What comes is another document's. */
  startDocument(): void {
    this.#before = ''
  }

  /** Which tokens of a text are not part of a passage seen before, in order; those of the texts before it were answered. */
  fresh(terms: readonly string[]): string[] {
    const codes = terms.map((term) => String.fromCharCode(Number(murmur64(Buffer.from(term)) & 0xffn))).join('')
    const bytes = this.#before + codes
    const skipped = this.#before.length
    const copied = new Uint8Array(terms.length)
    for (let end = Math.max(SEQUENCE, skipped + 1); end <= bytes.length; end++) {
      const sequence = bytes.slice(end - SEQUENCE, end)
      if (this.#seen.has(sequence)) copied.fill(1, Math.max(0, end - SEQUENCE - skipped), end - skipped)
      else if (this.#seen.size < MAX_SEQUENCES) this.#seen.add(sequence)
    }
    this.#before = bytes.slice(1 - SEQUENCE)
    return terms.filter((_, i) => copied[i] === 0)
  }
}
