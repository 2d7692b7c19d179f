import { ServiceError } from '../../../errors.ts'

/** Patterns that begin alike. */
interface Values {
  readonly next: Map<string, Values>
  /** How good (odd) or how bad (even) the places around the letters of a pattern are for a hyphen. */
  values: readonly number[] | undefined
}

/** Places where words can be hyphenated, by patterns (Liang's algorithm) that a file in FOP's format holds. */
export class HyphenationPatterns {
  readonly #root: Values = { next: new Map(), values: undefined }
  /** Letters by those that they count as. */
  readonly #classes = new Map<string, string>()
  /** Places in words that patterns are not asked about. */
  readonly #exceptions = new Map<string, readonly number[]>()

  /** @throws {ServiceError} illegal_argument_exception for what is no such file */
  constructor(file: string) {
    const xml = file.replace(/<!--[\s\S]*?-->/g, '')
    const text = (element: string): string[] => {
      const content = new RegExp(`<${element}>([\\s\\S]*?)</${element}>`).exec(xml)?.[1] ?? ''
      return unescaped(content.replace(/<hyphen[^>]*\/>/g, '-'))
        .split(/\s+/)
        .filter((word) => word !== '')
    }
    if (!/<hyphenation-info[\s>/]/.test(xml)) {
      throw new ServiceError('illegal_argument_exception', 'Exception while reading hyphenation_patterns_path.', {
        cause: new ServiceError('illegal_argument_exception', 'no [hyphenation-info] in the file'),
      })
    }
    for (const letters of text('classes')) {
      for (let i = 0; i < letters.length; i++) this.#classes.set(letters.charAt(i), letters.charAt(0))
    }
    const hyphen = /<hyphen-char\s+value="(.)"/.exec(xml)?.[1] ?? '-'
    for (const word of text('exceptions')) {
      const places: number[] = []
      let plain = ''
      for (const char of word) {
        if (char === hyphen) places.push(plain.length)
        else plain += char
      }
      this.#exceptions.set(plain, places)
    }
    for (const pattern of text('patterns')) this.#add(pattern)
  }

  /**
   * Places in a word where a hyphen may stand, and before and behind them its beginning and its end; undefined: nowhere.
   * What is no letter is left out at its ends; a word with such inside has no places.
   *
   * @param before, after  letters there must be
   */
  places(word: string, before: number, after: number): readonly number[] | undefined {
    let letters = ''
    let skipped = 0
    let isOver = false
    for (let i = 0; i < word.length; i++) {
      const letter = this.#classes.get(word.charAt(i))
      if (letter === undefined) {
        if (letters === '') skipped++
        else isOver = true
      } else if (isOver) return undefined
      else letters += letter
    }
    if (letters.length < before + after) return undefined
    const inside =
      this.#exceptions.get(letters)?.filter((place) => place >= before && place < letters.length - after) ??
      this.#found(letters, before, after)
    return inside.length === 0 ? undefined : [0, ...inside.map((place) => place + skipped), letters.length]
  }

  #found(word: string, before: number, after: number): number[] {
    const marked = `.${word}.`
    const best = new Uint8Array(marked.length + 1)
    for (let start = 0; start < marked.length; start++) {
      let node: Values | undefined = this.#root
      for (let at = start; at < marked.length; at++) {
        node = node.next.get(marked.charAt(at))
        if (node === undefined) break
        node.values?.forEach((value, i) => {
          if (value > (best[start + i] as number)) best[start + i] = value
        })
      }
    }
    const places: number[] = []
    for (let at = before; at <= word.length - after; at++) if (((best[at + 1] as number) & 1) === 1) places.push(at)
    return places
  }

  #add(pattern: string): void {
    const values = [0]
    let node = this.#root
    for (const char of pattern) {
      if (char >= '0' && char <= '9') {
        values[values.length - 1] = Number(char)
        continue
      }
      let next = node.next.get(char)
      if (next === undefined) {
        next = { next: new Map(), values: undefined }
        node.next.set(char, next)
      }
      node = next
      values.push(0)
    }
    node.values = values
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescaped(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole
    const code = Number.parseInt(hex ?? decimal, hex === undefined ? 10 : 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
