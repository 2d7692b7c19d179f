/** Reads a pattern from left to right. */
export class PatternReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  /** The character that comes next, as a text; empty at the end. */
  peek(): string {
    const point = this.#text.codePointAt(this.#at)
    return point === undefined ? '' : String.fromCodePoint(point)
  }

  /** The code point that comes next, which is passed. */
  next(): number {
    const point = this.#text.codePointAt(this.#at) as number
    this.#at += point > 0xffff ? 2 : 1
    return point
  }

  startsWith(text: string): boolean {
    return this.#text.startsWith(text, this.#at)
  }

  /** Passes a text if it comes next. */
  take(text: string): boolean {
    const isNext = this.startsWith(text)
    if (isNext) this.#at += text.length
    return isNext
  }

  /** What comes, from a distance on. */
  rest(distance: number): string {
    return this.#text.slice(this.#at + distance)
  }

  /** Passes code units. */
  skip(count: number): void {
    this.#at += count
  }
}
