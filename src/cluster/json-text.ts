const QUOTE = 0x22
const BACKSLASH = 0x5c
const NEAR_BYTES = 24

/** Finds where a text of JSON ends whose bytes come in pieces. */
export class JsonText {
  #isEscaped = false

  /** Where the quote stands that ends the text under way; -1 when it is in a chunk to come. */
  endIn(chunk: Buffer, from: number): number {
    let at = this.#isEscaped ? from + 1 : from
    // Most are short, and found sooner than by a call.
    const near = this.#isEscaped ? at : Math.min(at + NEAR_BYTES, chunk.length)
    this.#isEscaped = false
    for (; at < near && chunk[at] !== BACKSLASH; at++) if (chunk[at] === QUOTE) return at
    for (;;) {
      const quote = chunk.indexOf(QUOTE, at)
      const end = quote < 0 ? chunk.length : quote
      let backslashes = 0
      while (end - 1 - backslashes >= at && chunk[end - 1 - backslashes] === BACKSLASH) backslashes++
      const isEscaped = backslashes % 2 === 1
      if (quote < 0) {
        this.#isEscaped = isEscaped
        return -1
      }
      if (!isEscaped) return quote
      at = quote + 1
    }
  }
}
