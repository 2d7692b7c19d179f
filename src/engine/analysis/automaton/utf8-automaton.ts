import { Automaton } from './automaton.ts'

/** Greatest code point of each length in bytes. */
const LENGTH_ENDS = [0x7f, 0x7ff, 0xffff, 0x10ffff] as const

/** A code point's bytes, and how many bits of it each byte holds. */
interface Encoded {
  readonly bytes: readonly number[]
  readonly bits: readonly number[]
}

/**
 * An automaton over the bytes of UTF-8 that accepts what one over code points does. Not deterministic.
 *
 * @source Lucene, UTF32ToUTF8: which states it makes decides what is too complex
 */
export function utf8Automaton(automaton: Automaton): Automaton {
  return automaton.size === 0 ? automaton : new Utf8Builder(automaton).build()
}

class Utf8Builder {
  readonly #source: Automaton
  readonly #result = new Automaton()

  constructor(source: Automaton) {
    this.#source = source
  }

  build(): Automaton {
    const source = this.#source
    const states = new Int32Array(source.size).fill(-1)
    states[0] = this.#result.addState(source.accepts(0))
    const waiting = [0]
    for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
      const transitions = source.transitions(state)
      for (let i = 0; i < transitions.length; i += 3) {
        const to = transitions[i + 2] as number
        if (states[to] === -1) {
          states[to] = this.#result.addState(source.accepts(to))
          waiting.push(to)
        }
        const low = encode(transitions[i] as number)
        const high = encode(transitions[i + 1] as number)
        this.#range(states[state] as number, states[to] as number, low, high, 0)
      }
    }
    return this.#result
  }

  #range(from: number, to: number, low: Encoded, high: Encoded, at: number): void {
    const result = this.#result
    const first = low.bytes[at] as number
    const last = high.bytes[at] as number
    if (first === last) {
      if (at === low.bytes.length - 1 && at === high.bytes.length - 1) {
        result.add(from, to, first, last)
        return
      }
      const next = result.addState()
      result.add(from, next, first)
      this.#range(next, to, low, high, at + 1)
    } else if (low.bytes.length === high.bytes.length) {
      if (at === low.bytes.length - 1) {
        result.add(from, to, first, last)
        return
      }
      this.#upward(from, to, low, at, false)
      if (last - first > 1) this.#all(from, to, first + 1, last - 1, low.bytes.length - at - 1)
      this.#upTo(from, to, high, at, false)
    } else {
      this.#upward(from, to, low, at, true)
      for (let length = low.bytes.length + 1 - at; length < high.bytes.length - at; length++) {
        const least = encode((LENGTH_ENDS[length - 2] as number) + 1)
        const greatest = encode(LENGTH_ENDS[length - 1] as number)
        this.#all(from, to, least.bytes[0] as number, greatest.bytes[0] as number, least.bytes.length - 1)
      }
      this.#upTo(from, to, high, at, true)
    }
  }

  /** All from a code point on that have its length and its first bytes; with `andMore`, greater ones at this byte too. */
  #upward(from: number, to: number, low: Encoded, at: number, andMore: boolean): void {
    const result = this.#result
    const byte = low.bytes[at] as number
    const greatest = byte | maskOf(low.bits[at] as number)
    if (at === low.bytes.length - 1) {
      result.add(from, to, byte, greatest)
      return
    }
    const next = result.addState()
    result.add(from, next, byte)
    this.#upward(next, to, low, at + 1, true)
    if (andMore && byte !== greatest) this.#all(from, to, byte + 1, greatest, low.bytes.length - at - 1)
  }

  /** All up to a code point that have its length and its first bytes; with `andLess`, lesser ones at this byte too. */
  #upTo(from: number, to: number, high: Encoded, at: number, andLess: boolean): void {
    const result = this.#result
    const byte = high.bytes[at] as number
    const bits = high.bits[at] as number
    if (at === high.bytes.length - 1) {
      result.add(from, to, byte & ~maskOf(bits), byte)
      return
    }
    // No character of two bytes begins with C0 or C1.
    const least = bits === 5 ? 0xc2 : byte & ~maskOf(bits)
    if (andLess && byte !== least) this.#all(from, to, least, byte - 1, high.bytes.length - at - 1)
    const next = result.addState()
    result.add(from, next, byte)
    this.#upTo(next, to, high, at + 1, true)
  }

  /** A byte of a range and any bytes that may follow it. */
  #all(from: number, to: number, first: number, last: number, following: number): void {
    const result = this.#result
    let state = from
    let least = first
    let greatest = last
    for (let left = following; left > 0; left--) {
      const next = result.addState()
      result.add(state, next, least, greatest)
      state = next
      least = 0x80
      greatest = 0xbf
    }
    result.add(state, to, least, greatest)
  }
}

function maskOf(bits: number): number {
  return (1 << bits) - 1
}

function encode(codePoint: number): Encoded {
  const more = (count: number): number[] =>
    Array.from({ length: count }, (_, i) => 0x80 | ((codePoint >> (6 * (count - 1 - i))) & 0x3f))
  if (codePoint < 0x80) return { bytes: [codePoint], bits: [7] }
  if (codePoint < 0x800) return { bytes: [0xc0 | (codePoint >> 6), ...more(1)], bits: [5, 6] }
  if (codePoint < 0x10000) return { bytes: [0xe0 | (codePoint >> 12), ...more(2)], bits: [4, 6, 6] }
  return { bytes: [0xf0 | (codePoint >> 18), ...more(3)], bits: [3, 6, 6, 6] }
}
