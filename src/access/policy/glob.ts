/** One place of a pattern: a character code, or one of the two wildcards. */
const ANY_RUN = -1
const ANY_ONE = -2

/** A pattern with `*` (any run of characters, slashes too) and `?` (exactly one), matched in time |pattern| × |text| at most. */
export class Glob {
  readonly #codes: readonly number[]
  /** For a pattern without wildcards, or with one `*` at its end: what the text must be, or begin with. */
  readonly #literal: string | undefined
  readonly #isPrefix: boolean

  private constructor(codes: readonly number[]) {
    this.#codes = codes
    const firstWildcard = codes.findIndex((code) => code < 0)
    const plain = firstWildcard < 0
    this.#isPrefix = firstWildcard === codes.length - 1 && codes[firstWildcard] === ANY_RUN
    this.#literal = plain || this.#isPrefix ? toText(plain ? codes : codes.slice(0, -1)) : undefined
  }

  /** Reads a pattern. */
  static parse(pattern: string): Glob {
    return Glob.fromParts([{ text: pattern, literal: false }])
  }

  /** Joins parts, of which literal ones hold no wildcards whatever they contain. */
  static fromParts(parts: readonly { readonly text: string; readonly literal: boolean }[]): Glob {
    const codes: number[] = []
    for (const { text, literal } of parts) {
      for (let i = 0; i < text.length; i++) {
        const code = text.charCodeAt(i)
        if (!literal && code === 0x2a) {
          if (codes[codes.length - 1] !== ANY_RUN) codes.push(ANY_RUN)
        } else codes.push(!literal && code === 0x3f ? ANY_ONE : code)
      }
    }
    return new Glob(codes)
  }

  matches(text: string): boolean {
    if (this.#literal !== undefined) return this.#isPrefix ? text.startsWith(this.#literal) : text === this.#literal
    const codes = this.#codes
    let at = 0
    let place = 0
    // Where the last `*` stood, and how much of the text it has taken: only that one is ever tried anew.
    let star = -1
    let taken = 0
    while (at < text.length) {
      const code = codes[place]
      if (code === ANY_RUN) {
        star = place++
        taken = at
      } else if (code === ANY_ONE || code === text.charCodeAt(at)) {
        place++
        at++
      } else if (star >= 0) {
        place = star + 1
        at = ++taken
      } else return false
    }
    while (codes[place] === ANY_RUN) place++
    return place === codes.length
  }
}

function toText(codes: readonly number[]): string {
  let text = ''
  for (const code of codes) text += String.fromCharCode(code)
  return text
}
