/* src/engine/store/lz4-dictionary.ts and lz4-code.ts in AssemblyScript: the same bytes, in a half to a third of the time. What is coded is
 * restored in one pass, by 64 bits at a time, without the block between. Sources that are not put into codes are left to the plain way.
 *
 * At the start of the memory is what one source at a time needs; behind it stand slots of a dictionary each (lz4-kernel.ts).
 */

const SEEN: usize = 0
const CODED: usize = 1 << 14
const PACKED: usize = 1 << 17

// A slot: the dictionary with the source behind it, and the tables for it.
const POSITIONS: usize = 0x20100
const TOKENS_AHEAD: usize = POSITIONS + 0x10000
const LITERALS_AHEAD: usize = TOKENS_AHEAD + 0x2000
const TOKENS_OF: usize = LITERALS_AHEAD + 0x2000
const LITERALS_OF: usize = TOKENS_OF + 0x400

const MOST_BITS: u32 = 12
const MOST_DISTANCE: i32 = 65_535
const MIN_MATCH: u32 = 4
const LEAST_MATCH: i32 = 5
const LAST_LITERALS: i32 = 5
const MATCH_LIMIT: i32 = 12
const LITTLE: u32 = 15
const HURRY_BITS: i32 = 5
const MISSES_TO_HURRY: i32 = 1 << (HURRY_BITS + 1)
const HASH_BITS: u32 = 15
const SEEN_BITS: u32 = 12
const HASH_FACTOR: u32 = 0x9e37_79b1

/** What is less than this is of an earlier source. */
let seenFrom: i32 = 1

// Bits on their way: of what is restored those that were loaded and not taken yet, above which stand some of those that will be loaded
// again; of what is coded those that were made and not stored yet. Loops over literals keep them to themselves.
let bits: u64 = 0
let count: u32 = 0
let place: usize = CODED

function beginBits(): void {
  bits = 0
  count = 0
  place = CODED
}

/** Loads bits: 56 and more are there. */
function fill(): void {
  bits |= load<u64>(place) << (count as u64)
  place += (63 - count) >>> 3
  count |= 56
}

function take(width: u32): u32 {
  const value = (bits as u32) & ((1 << width) - 1)
  bits >>= width as u64
  count -= width
  return value
}

/** The bits of a symbol's code, by the bits ahead: its own, and from the ninth on how many of them there are. */
function ahead(codes: usize, bits: u64): u32 {
  return load<u16>(codes + (((bits as usize) & ((1 << MOST_BITS) - 1)) << 1))
}

/** A count that four bits were too few for, up to the first that is more than `most`. */
function takeMore(most: u32): u32 {
  let sum: u32 = LITTLE
  for (let byte: u32 = 255; byte === 255 && sum <= most; sum += byte) {
    fill()
    byte = take(8)
  }
  return sum
}

/** Takes literals for the places in [to, till). */
function takeLiterals(codes: usize, to: usize, till: usize): void {
  let own = bits
  let left = count
  let from = place
  while (to < till) {
    own |= load<u64>(from) << (left as u64)
    from += (63 - left) >>> 3
    left |= 56
    const stop = min(till, to + 4)
    for (; to < stop; to++) {
      const entry = ahead(codes, own)
      own >>= (entry >>> 8) as u64
      left -= entry >>> 8
      store<u8>(to, entry)
    }
  }
  bits = own
  count = left
  place = from
}

/** Copies forwards, up to seven bytes more than asked for; bytes that are copied may be copied again. */
function copy(to: usize, source: usize, length: u32): void {
  const end = to + length
  if (to - source >= 8) {
    for (; to < end; to += 8, source += 8) store<u64>(to, load<u64>(source))
  } else {
    for (; to < end; to++, source++) store<u8>(to, load<u8>(source))
  }
}

/**
 * Restores what was coded behind the dictionary of a slot.
 *
 * @param codedLength  bytes at CODED, behind which eight are there
 * @returns            1; 0 when they are damaged
 */
export function restore(slot: usize, dictionaryLength: u32, codedLength: u32, length: u32): u32 {
  const tokens = slot + TOKENS_AHEAD
  const literals = slot + LITERALS_AHEAD
  const end = slot + dictionaryLength + length
  const codedBits = (CODED + codedLength) * 8
  let to = slot + dictionaryLength
  beginBits()
  while (true) {
    fill()
    const entry = ahead(tokens, bits)
    take(entry >>> 8)
    const run = (entry & 0xf0) >>> 4
    const till = to + (run === LITTLE ? takeMore(length) : run)
    if (till > end) return 0
    takeLiterals(literals, to, till)
    to = till
    // More than there is was taken.
    if (place * 8 - count > codedBits) return 0
    if (to === end) return 1
    fill()
    const distance: usize = take(16)
    const little = entry & LITTLE
    const match = MIN_MATCH + (little === LITTLE ? takeMore(length) : little)
    if (distance === 0 || distance > to - slot || to + match > end) return 0
    copy(to, to - distance, match)
    to += match
  }
}

/**
 * Compresses what stands behind the dictionary of a slot, and puts it into codes.
 *
 * @returns how many bytes it is, from CODED on
 */
export function compress(slot: usize, dictionaryLength: i32, length: i32): u32 {
  return encode(slot, PACKED + pack(slot, dictionaryLength, dictionaryLength + length))
}

/** Packs the bytes of a slot in [begin, end) into PACKED; answers how many that are. */
function pack(slot: usize, begin: i32, end: i32): u32 {
  if (seenFrom + end > 1 << 30) {
    memory.fill(SEEN, 0, 4 << SEEN_BITS)
    seenFrom = 1
  }
  const base = seenFrom
  seenFrom += end
  const positions = slot + POSITIONS
  let out: usize = PACKED
  let anchor = begin
  let misses: i32 = 0
  for (let at = begin; at < end - MATCH_LIMIT; ) {
    const word = load<u32>(slot + at)
    const hash: u32 = word * HASH_FACTOR
    const seenAt = SEEN + (((hash >>> (32 - SEEN_BITS)) as usize) << 2)
    let known = load<i32>(seenAt) - base
    store<i32>(seenAt, base + at)
    if (known < 0 || at - known > MOST_DISTANCE || load<u32>(slot + known) !== word) {
      known = (load<u16>(positions + (((hash >>> (32 - HASH_BITS)) as usize) << 1)) as i32) - 1
      if (known < 0 || at - known > MOST_DISTANCE || load<u32>(slot + known) !== word) {
        misses++
        at += misses < MISSES_TO_HURRY ? 1 : misses >>> HURRY_BITS
        continue
      }
    }
    misses = 0
    let first = known
    let start = at
    while (start > anchor && first > 0 && load<u8>(slot + start - 1) === load<u8>(slot + first - 1)) {
      start--
      first--
    }
    const next =
      at + MIN_MATCH + sameBytes(slot + at + MIN_MATCH, slot + known + MIN_MATCH, end - LAST_LITERALS - at - MIN_MATCH)
    if (next - start < LEAST_MATCH) {
      at++
      continue
    }
    const match: u32 = next - start - MIN_MATCH
    out = putLiterals(out, slot + anchor, start - anchor, min(match, LITTLE))
    store<u16>(out, (start - first) as u16)
    out += 2
    if (match >= LITTLE) out = putMore(out, match - LITTLE)
    at = next
    anchor = next
  }
  return (putLiterals(out, slot + anchor, end - anchor, 0) - PACKED) as u32
}

/** How many bytes are the same from two places on, at most so many. */
function sameBytes(a: usize, b: usize, most: i32): i32 {
  let same: i32 = 0
  for (; same < most; same += 8) {
    const differs = load<u64>(a + same) ^ load<u64>(b + same)
    if (differs !== 0) return min(most, same + ((ctz(differs) as i32) >>> 3))
  }
  return most
}

/** A token and its literals; answers where they end. */
function putLiterals(out: usize, source: usize, length: u32, match: u32): usize {
  store<u8>(out++, (min(length, LITTLE) << 4) | match)
  if (length >= LITTLE) out = putMore(out, length - LITTLE)
  for (let i: usize = 0; i < length; i += 8) store<u64>(out + i, load<u64>(source + i))
  return out + length
}

/** What of a count is more than 15. */
function putMore(out: usize, left: u32): usize {
  for (; left >= 255; left -= 255) store<u8>(out++, 255)
  store<u8>(out++, left)
  return out
}

/** Codes the block at PACKED; answers how many bytes it is coded. */
function encode(slot: usize, end: usize): u32 {
  const tokens = slot + TOKENS_OF
  const literals = slot + LITERALS_OF
  beginBits()
  for (let at: usize = PACKED; at < end; ) {
    const token: u32 = load<u8>(at++)
    const entry = load<u32>(tokens + ((token as usize) << 2))
    put(entry & 0xffff, entry >>> 16)
    let run = token >>> 4
    if (run === LITTLE) {
      for (let byte: u32 = 255; byte === 255; run += byte) {
        byte = load<u8>(at++)
        put(byte, 8)
      }
    }
    codeLiterals(literals, at, at + run)
    at += run
    if (at >= end) break
    put(load<u16>(at), 16)
    at += 2
    if ((token & LITTLE) !== LITTLE) continue
    for (let byte: u32 = 255; byte === 255; ) {
      byte = load<u8>(at++)
      put(byte, 8)
    }
  }
  return ((place - CODED) as u32) + ((count + 7) >>> 3)
}

/** Puts so many bits, 16 at most, behind the others; what is whole is stored for good, up to seven bits stay. */
function put(value: u32, width: u32): void {
  bits |= (value as u64) << (count as u64)
  count += width
  store<u64>(place, bits)
  place += (count >>> 3) as usize
  bits >>= (count & 56) as u64
  count &= 7
}

/** Puts the codes of the literals in [at, till). */
function codeLiterals(codes: usize, at: usize, till: usize): void {
  let own = bits
  let width: u64 = count
  let to = place
  while (at < till) {
    const stop = min(till, at + 4)
    for (; at < stop; at++) {
      const entry = load<u32>(codes + ((load<u8>(at) as usize) << 2))
      own |= ((entry & 0xffff) as u64) << width
      width += entry >>> 16
    }
    store<u64>(to, own)
    to += (width >>> 3) as usize
    own >>= width & 56
    width &= 7
  }
  bits = own
  count = width as u32
  place = to
}
