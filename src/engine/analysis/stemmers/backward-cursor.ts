/**
 * A word that is read from its end: what Snowball's programs do in `backwardmode`, for stemmers whose suffixes are tried
 * in many orders. What was deleted stays so when the way there turns out to be wrong, as it does there.
 */
export class BackwardCursor {
  word: string
  /** Letters already passed, counted from the end. */
  position = 0
  /** Where what `delete` takes away begins, counted from the end. */
  #mark = 0

  constructor(word: string) {
    this.word = word
  }

  /** The letter in front of the cursor, or further on; `''` beyond the beginning. */
  at(distance: number): string {
    return this.word[this.word.length - 1 - this.position - distance] ?? ''
  }

  /** Goes past the longest of the texts that ends here. */
  longest(texts: readonly string[]): boolean {
    let longest = ''
    const end = this.word.length - this.position
    for (const text of texts) if (text.length > longest.length && this.word.endsWith(text, end)) longest = text
    this.position += longest.length
    return longest !== ''
  }

  /** What the next `delete` takes away begins here. */
  mark(): true {
    this.#mark = this.position
    return true
  }

  /** Takes away what lies between the mark and the cursor. */
  delete(): true {
    const { length } = this.word
    this.word = this.word.slice(0, length - this.position) + this.word.slice(length - this.#mark)
    this.position = this.#mark
    return true
  }

  /** Goes back to a place and tries from there. */
  from(position: number, way: () => boolean): boolean {
    this.position = position
    return way()
  }

  /** The first of several ways that leads on. */
  first(...ways: readonly (() => boolean)[]): boolean {
    const { position } = this
    return ways.some((way) => this.from(position, way))
  }

  /** Goes a way, or stays here. */
  attempt(way: () => boolean): true {
    const { position } = this
    if (!way()) this.position = position
    return true
  }
}
