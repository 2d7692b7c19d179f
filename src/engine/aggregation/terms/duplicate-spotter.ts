import { murmur64 } from '../../murmur.ts'

/** Tokens in a row that must repeat to count as copied. */
const SEQUENCE = 6

/** Sequences remembered at most. */
const MAX_SEQUENCES = 500_000

/**
 * Finds passages that were in a text before (mail threads, boilerplate): each token is one byte of its hash, and six bytes
 * seen before are a copy.
 */
export class DuplicateSpotter {
  readonly #seen = new Set<string>()

  /** Which tokens of a text are not part of a passage seen before, in order. */
  fresh(terms: readonly string[]): string[] {
    const codes = terms.map((term) => String.fromCharCode(Number(murmur64(Buffer.from(term)) & 0xffn)))
    const copied = new Uint8Array(terms.length)
    for (let end = SEQUENCE; end <= codes.length; end++) {
      const sequence = codes.slice(end - SEQUENCE, end).join('')
      if (this.#seen.has(sequence)) copied.fill(1, end - SEQUENCE, end)
      else if (this.#seen.size < MAX_SEQUENCES) this.#seen.add(sequence)
    }
    return terms.filter((_, i) => copied[i] === 0)
  }
}
