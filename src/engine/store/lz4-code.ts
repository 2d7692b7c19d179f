import { damagedRecord } from './damaged-record.ts'

/* A block of LZ4's format (lz4-dictionary.ts) with codes of Huffman's for its tokens and its literals, shorter ones for those
 * that a sample has often; distances and what is more of a count stay as they are. Bits are filled from the lowest on.
 */

/** The longest code. */
const MOST_BITS = 12
const SYMBOLS = 256
/** So many lengths are a code: in bits, those of the tokens' codes, then those of the literals'. */
export const LZ4_CODE_LENGTHS = 2 * SYMBOLS

const LITTLE = 15
const MIN_MATCH = 4

/** The codes of one kind of symbols. */
interface Codes {
  /** By symbol: its bits, and from the seventeenth on how many. */
  readonly of: Uint32Array
  /** By the bits ahead: the symbol, and from the ninth on how many of them are its code. */
  readonly ahead: Uint16Array
}

/** Bytes that stay as they are. */
const PLAIN = codesOf(new Uint8Array(SYMBOLS).fill(8), true)

/** What is decoded, and zeros behind it. */
let scratch = new Uint8Array(1024)

/** Makes blocks of LZ4's shorter, and gives them back. */
export class Lz4Code {
  /** All there is to know of it. */
  readonly lengths: Uint8Array
  readonly #tokens: Codes
  readonly #literals: Codes

  /** @throws {ServiceError} corrupt_index_exception for lengths that no code has */
  constructor(lengths: Uint8Array) {
    this.lengths = lengths
    this.#tokens = codesOf(lengths.subarray(0, SYMBOLS))
    this.#literals = codesOf(lengths.subarray(SYMBOLS))
  }

  /** Symbols of tokens and of literals by the bits ahead, codes of both by symbol (lz4-kernel.ts). */
  get tables(): readonly (Uint16Array | Uint32Array)[] {
    return [this.#tokens.ahead, this.#literals.ahead, this.#tokens.of, this.#literals.of]
  }

  /**
   * Codes a block.
   *
   * @param out  room for one and a half times the block, and four bytes
   * @returns    how many bytes it is coded
   */
  encode(block: Uint8Array, end: number, out: Uint8Array): number {
    const tokens = this.#tokens.of
    const literals = this.#literals.of
    let bits = 0
    let count = 0
    let to = 0
    for (let at = 0; at < end; ) {
      const start = at
      const { from, till, next } = sequenceAt(block, at, end)
      at = next
      // One place for all that is put: to call something for each symbol takes twice the time.
      for (let i = start; i < next; i++) {
        const codes = i >= from && i < till ? literals : i === start ? tokens : PLAIN.of
        const code = codes[block[i] as number] as number
        bits |= (code & 0xffff) << count
        count += code >>> 16
        if (count < 16) continue
        out[to++] = bits
        out[to++] = bits >>> 8
        bits >>>= 16
        count -= 16
      }
    }
    for (; count > 0; count -= 8, bits >>>= 8) out[to++] = bits
    return to
  }

  /**
   * Gives a block back.
   *
   * @param length  how many bytes the block is of: with them it ends
   * @param block   room for it
   * @returns       how many bytes it has
   * @throws {ServiceError} corrupt_index_exception when what was coded is damaged
   */
  decode(coded: Uint8Array, length: number, block: Uint8Array): number {
    const bits = new BitReader(coded)
    const tokens = this.#tokens.ahead
    const literals = this.#literals.ahead
    let to = 0
    for (let made = 0; ; ) {
      const token = bits.symbol(tokens)
      block[to++] = token
      let run = token >>> 4
      if (run === LITTLE) {
        for (let more = 255; more === 255; run += more) {
          more = bits.symbol(PLAIN.ahead)
          block[to++] = more
        }
      }
      made += run
      // Room for the literals and for all that may follow them.
      const isLost = made > length || bits.isPast || to + run + length / 255 + 4 > block.length
      if (isLost) throw damagedRecord('a compressed source')
      bits.symbols(literals, block, to, to + run)
      to += run
      if (made === length) {
        // Literals that are not there would be what was decoded before, of whichever index.
        if (bits.isPast) throw damagedRecord('a compressed source')
        return to
      }
      const distance = bits.short()
      block[to++] = distance
      block[to++] = distance >>> 8
      made += (token & LITTLE) + MIN_MATCH
      if ((token & LITTLE) !== LITTLE) continue
      for (let more = 255; more === 255 && made <= length; made += more) {
        more = bits.symbol(PLAIN.ahead)
        block[to++] = more
      }
    }
  }
}

/** Reads bits, and zeros behind the end. */
class BitReader {
  readonly #bytes: Uint8Array
  readonly #end: number
  #at = 0
  #bits = 0
  #count = 0

  constructor(bytes: Uint8Array) {
    if (scratch.length < bytes.length + 4) scratch = new Uint8Array(2 * bytes.length)
    scratch.set(bytes)
    scratch.fill(0, bytes.length, bytes.length + 4)
    this.#bytes = scratch
    this.#end = bytes.length
  }

  /** Whether more was read than there is, and the zeros behind it. */
  get isPast(): boolean {
    return this.#at > this.#end + 4
  }

  symbol(ahead: Uint16Array): number {
    if (this.#count < MOST_BITS) this.#fill()
    const entry = ahead[this.#bits & ((1 << MOST_BITS) - 1)] as number
    this.#bits >>>= entry >>> 8
    this.#count -= entry >>> 8
    return entry & 0xff
  }

  /** {@link symbol} for each place in [from, to) of `out`; the inner loop. */
  symbols(ahead: Uint16Array, out: Uint8Array, from: number, to: number): void {
    const bytes = this.#bytes
    let at = this.#at
    let bits = this.#bits
    let count = this.#count
    for (let i = from; i < to; i++) {
      if (count < MOST_BITS) {
        bits |= ((bytes[at] as number) | ((bytes[at + 1] as number) << 8)) << count
        at += 2
        count += 16
      }
      const entry = ahead[bits & ((1 << MOST_BITS) - 1)] as number
      bits >>>= entry >>> 8
      count -= entry >>> 8
      out[i] = entry
    }
    this.#at = at
    this.#bits = bits
    this.#count = count
  }

  /** Sixteen bits. */
  short(): number {
    if (this.#count < 16) this.#fill()
    const value = this.#bits & 0xffff
    this.#bits >>>= 16
    this.#count -= 16
    return value
  }

  #fill(): void {
    this.#bits |= ((this.#bytes[this.#at] as number) | ((this.#bytes[this.#at + 1] as number) << 8)) << this.#count
    this.#at += 2
    this.#count += 16
  }
}

/** Where the literals of a sequence begin and end, and the next one begins. */
function sequenceAt(
  block: Uint8Array,
  start: number,
  end: number,
): { readonly from: number; readonly till: number; readonly next: number } {
  const token = block[start] as number
  let at = start + 1
  let run = token >>> 4
  if (run === LITTLE) {
    do run += block[at] as number
    while (block[at++] === 255)
  }
  const till = at + run
  let next = till
  if (till < end) {
    next += 2
    if ((token & LITTLE) === LITTLE) while (block[next++] === 255);
  }
  return { from: at, till, next }
}

/** The canonical codes of some lengths. */
function codesOf(lengths: Uint8Array, isPlain = false): Codes {
  const of = new Uint32Array(SYMBOLS)
  const ahead = new Uint16Array(1 << MOST_BITS)
  let next = 0
  for (let length = 1; length <= MOST_BITS; length++) {
    for (let symbol = 0; symbol < SYMBOLS; symbol++) {
      if (lengths[symbol] !== length) continue
      const code = isPlain ? symbol : reversed(next, length)
      next++
      of[symbol] = code | (length << 16)
      for (let at = code; at < ahead.length; at += 1 << length) ahead[at] = symbol | (length << 8)
    }
    next *= 2
  }
  // Every symbol has a code, and all that may stand ahead is one's.
  if (next !== 2 << MOST_BITS || of.includes(0)) throw damagedRecord('the code of an index')
  return { of, ahead }
}

/** The lowest bits of a number the other way round. */
function reversed(value: number, count: number): number {
  let out = 0
  for (let i = 0; i < count; i++) out |= ((value >>> i) & 1) << (count - 1 - i)
  return out
}

/** Counts what blocks are made of, for a code that suits their like. */
export class Lz4CodeSample {
  readonly #tokens = new Float64Array(SYMBOLS)
  readonly #literals = new Float64Array(SYMBOLS)

  add(block: Uint8Array): void {
    for (let at = 0; at < block.length; ) {
      const { from, till, next } = sequenceAt(block, at, block.length)
      this.#tokens[block[at] as number]!++
      for (let i = from; i < till; i++) this.#literals[block[i] as number]!++
      at = next
    }
  }

  code(): Lz4Code {
    const lengths = new Uint8Array(LZ4_CODE_LENGTHS)
    lengths.set(codeLengths(this.#tokens))
    lengths.set(codeLengths(this.#literals), SYMBOLS)
    return new Lz4Code(lengths)
  }
}

interface Tree {
  readonly weight: number
  readonly symbols: readonly number[]
}

/** Huffman's lengths for symbols of some frequencies, {@link MOST_BITS} at most; those that never came have a code too. */
function codeLengths(frequencies: Float64Array): Uint8Array {
  for (let least = 1 / 4; ; least *= 2) {
    const lengths = new Uint8Array(SYMBOLS)
    const leaves = Array.from(
      frequencies,
      (frequency, symbol): Tree => ({
        weight: Math.max(frequency, least),
        symbols: [symbol],
      }),
    ).sort((a, b) => b.weight - a.weight)
    // What is joined weighs more each time, so that the first of them is the lightest.
    const joined: Tree[] = []
    const lightest = (): Tree => {
      const [leaf, tree] = [leaves.at(-1), joined[0]]
      const isLeaf = tree === undefined || (leaf !== undefined && leaf.weight <= tree.weight)
      return (isLeaf ? leaves.pop() : joined.shift()) as Tree
    }
    while (leaves.length + joined.length > 1) {
      const [a, b] = [lightest(), lightest()]
      const symbols = [...a.symbols, ...b.symbols]
      for (const symbol of symbols) lengths[symbol]!++
      joined.push({ weight: a.weight + b.weight, symbols })
    }
    // Seldom ones count for more the next time, until their codes are short enough.
    if (Math.max(...lengths) <= MOST_BITS) return lengths
  }
}
