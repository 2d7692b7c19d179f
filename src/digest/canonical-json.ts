import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  expectByte,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  skipSpace,
  skipString,
  skipValue,
} from './raw-json.ts'

/** Deeper than any server takes. */
const MAX_DEPTH = 1_000
/** Shorter stretches are moved quicker byte by byte than by a call. */
const SHORT = 32
/** Views of the writer's memory up to this length are kept: making one takes longer than most documents. */
const VIEWS = 8 * 1024

/**
 * Writes JSON in one form for all ways to write it: members sorted by name (the last of a name), no spaces, strings with
 * the fewest escapes. Numbers keep their characters: `1.0` and `1` are told apart, as a server would.
 *
 * One writer is used for many texts, one after the other: its memory stays.
 */
export class CanonicalJsonWriter {
  #out: Buffer = Buffer.allocUnsafeSlow(64 * 1024)
  /** Its beginnings, by length. */
  #views: Buffer[] = []
  #at = 0
  #from: Uint8Array = this.#out
  /** Where reading stands. */
  #i = 0

  /**
   * Puts a text and NUL before the canonical form of a JSON value.
   *
   * @param prefix  undefined: nothing before it, not even NUL
   * @returns       the writer's own memory, good until the next call
   * @throws {SyntaxError} when the value is broken off or nested too deeply; it is not checked beyond that
   */
  write(prefix: string | undefined, json: Uint8Array): Buffer {
    // A canonical form is no longer than the text: escapes shrink, blanks go. But a byte that is no UTF-8 becomes three.
    // As much again is room to sort in.
    const most = 2 * (((prefix?.length ?? 0) + json.length) * 3 + 64)
    if (this.#out.length < most) {
      this.#out = Buffer.allocUnsafeSlow(2 * most)
      this.#views = []
    }
    this.#at = 0
    if (prefix !== undefined) {
      this.#at = this.#out.write(prefix, 'utf8')
      this.#out[this.#at++] = 0
    }
    this.#from = json
    this.#i = skipSpace(json, 0)
    this.#value(0)
    const length = this.#at
    if (length >= VIEWS) return this.#out.subarray(0, length)
    this.#views[length] ??= this.#out.subarray(0, length)
    return this.#views[length] as Buffer
  }

  #value(depth: number): void {
    if (depth > MAX_DEPTH) throw new SyntaxError('JSON is nested deeper than 1,000 levels')
    switch (this.#from[this.#i]) {
      case OPEN_BRACE:
        this.#object(depth)
        return
      case OPEN_BRACKET:
        this.#array(depth)
        return
      case QUOTE:
        this.#string()
        return
      default: {
        const end = skipValue(this.#from, this.#i)
        this.#copy(this.#i, end)
        this.#i = end
      }
    }
  }

  #array(depth: number): void {
    const json = this.#from
    this.#put(OPEN_BRACKET)
    this.#i = skipSpace(json, this.#i + 1)
    while (json[this.#i] !== CLOSE_BRACKET) {
      this.#value(depth + 1)
      this.#i = skipSpace(json, this.#i)
      if (json[this.#i] === COMMA) {
        this.#put(COMMA)
        this.#i = skipSpace(json, this.#i + 1)
      } else expectByte(json, this.#i, CLOSE_BRACKET)
    }
    this.#put(CLOSE_BRACKET)
    this.#i++
  }

  /** Members are written as they come and, unless they came in order, moved to their places afterwards. */
  #object(depth: number): void {
    const json = this.#from
    this.#put(OPEN_BRACE)
    this.#i = skipSpace(json, this.#i + 1)
    const first = this.#at
    // By member: where it begins, where its name ends, where it ends.
    const places: number[] = []
    let sorted = true
    while (json[this.#i] !== CLOSE_BRACE) {
      const start = this.#at
      this.#string()
      const nameEnd = this.#at
      this.#i = skipSpace(json, this.#i)
      expectByte(json, this.#i, COLON)
      this.#put(COLON)
      this.#i = skipSpace(json, this.#i + 1)
      this.#value(depth + 1)
      const count = places.length
      if (sorted && count > 0)
        sorted = this.#compareNames(places[count - 3] as number, places[count - 2] as number, start, nameEnd) < 0
      places.push(start, nameEnd, this.#at)
      this.#i = skipSpace(json, this.#i)
      if (json[this.#i] === COMMA) {
        this.#put(COMMA)
        this.#i = skipSpace(json, this.#i + 1)
      } else expectByte(json, this.#i, CLOSE_BRACE)
    }
    if (!sorted) this.#sortMembers(first, places)
    this.#put(CLOSE_BRACE)
    this.#i++
  }

  #sortMembers(first: number, places: readonly number[]): void {
    const order = this.#orderOf(places)
    // The members are moved behind what is written, and from there to their places.
    const out = this.#out
    const away = this.#at - first
    out.copyWithin(this.#at, first, this.#at)
    let at = first
    for (const m of order) {
      if (at > first) out[at++] = COMMA
      const start = (places[m] as number) + away
      const end = (places[m + 2] as number) + away
      if (end - start > SHORT) {
        out.copyWithin(at, start, end)
        at += end - start
      } else for (let k = start; k < end; k++) out[at++] = out[k] as number
    }
    this.#at = at
  }

  /** Places of the members sorted by name; of several with one name the last. */
  #orderOf(places: readonly number[]): number[] {
    const compare = (a: number, b: number) =>
      this.#compareNames(places[a] as number, places[a + 1] as number, places[b] as number, places[b + 1] as number)
    const order: number[] = []
    if (places.length > 3 * 24) {
      for (let m = 0; m < places.length; m += 3) order.push(m)
      order.sort(compare)
      return order.filter((m, k) => k + 1 === order.length || compare(m, order[k + 1] as number) !== 0)
    }
    for (let m = 0; m < places.length; m += 3) {
      let k = order.length
      let difference = 1
      while (k > 0) {
        difference = compare(order[k - 1] as number, m)
        if (difference <= 0) break
        k--
      }
      if (k > 0 && difference === 0) order[k - 1] = m
      else {
        for (let j = order.length; j > k; j--) order[j] = order[j - 1] as number
        order[k] = m
      }
    }
    return order
  }

  /** Compares two names that are written already, quotes and all, by their bytes. */
  #compareNames(a: number, aEnd: number, b: number, bEnd: number): number {
    const out = this.#out
    const length = Math.min(aEnd - a, bEnd - b)
    for (let k = 0; k < length; k++) {
      const difference = (out[a + k] as number) - (out[b + k] as number)
      if (difference !== 0) return difference
    }
    return aEnd - a - (bEnd - b)
  }

  #string(): void {
    const json = this.#from
    const out = this.#out
    const start = this.#i
    const { length } = json
    expectByte(json, start, QUOTE)
    let at = this.#at
    out[at++] = QUOTE
    for (let k = start + 1; k < length; k++) {
      const c = json[k] as number
      if (c === BACKSLASH) {
        this.#escaped(start, skipString(json, start))
        return
      }
      out[at++] = c
      if (c === QUOTE) {
        this.#at = at
        this.#i = k + 1
        return
      }
    }
    throw new SyntaxError('JSON ends in the middle of a string')
  }

  #escaped(start: number, end: number): void {
    const text = Buffer.from(this.#from.buffer, this.#from.byteOffset + start, end - start).toString('utf8')
    this.#at += this.#out.write(JSON.stringify(JSON.parse(text)), this.#at, 'utf8')
    this.#i = end
  }

  #copy(start: number, end: number): void {
    const json = this.#from
    const out = this.#out
    let at = this.#at
    for (let k = start; k < end; k++) out[at++] = json[k] as number
    this.#at = at
  }

  #put(byte: number): void {
    this.#out[this.#at++] = byte
  }
}
