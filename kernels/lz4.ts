/* src/engine/store/lz4-dictionary.ts and lz4-code.ts in AssemblyScript: the same bytes, in a third of the time. What is coded is restored
 * in one pass, by 64 bits at a time, without the block between. Sources that are not put into codes are left to the plain way.
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

/** Copies forwards, up to seven bytes more than asked for; bytes that are copied may be copied again. */
function copy(to: usize, source: usize, length: u32): void {
  const end = to + length
  if (to - source >= 8) {
    for (; to < end; to += 8, source += 8) store<u64>(to, load<u64>(source))
  } else {
    for (; to < end; to++, source++) store<u8>(to, load<u8>(source))
  }
}

/** The bits of a symbol's code, by the bits ahead: its own, and from the ninth on how many of them there are. */
function ahead(codes: usize, bits: u64): u32 {
  return load<u16>(codes + (((bits as usize) & ((1 << MOST_BITS) - 1)) << 1))
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
  const codedEnd = CODED + codedLength
  let to = slot + dictionaryLength
  // Bits that were loaded and not taken yet; above them stand some of those that will be loaded again.
  let bits: u64 = 0
  let count: u32 = 0
  let from: usize = CODED
  while (true) {
    // Of 56 bits and more a token takes 12.
    bits |= load<u64>(from) << (count as u64)
    from += (63 - count) >>> 3
    count |= 56
    let entry = ahead(tokens, bits)
    bits >>= (entry >>> 8) as u64
    count -= entry >>> 8
    const token = entry & 0xff
    let run = token >>> 4
    if (run === LITTLE) {
      for (let byte: u32 = 255; byte === 255 && run <= length; run += byte) {
        bits |= load<u64>(from) << (count as u64)
        from += (63 - count) >>> 3
        count |= 56
        byte = (bits as u32) & 255
        bits >>= 8
        count -= 8
      }
    }
    const till = to + run
    if (till > end) return 0
    while (to < till) {
      bits |= load<u64>(from) << (count as u64)
      from += (63 - count) >>> 3
      count |= 56
      const stop = min(till, to + 4)
      for (; to < stop; to++) {
        entry = ahead(literals, bits)
        bits >>= (entry >>> 8) as u64
        count -= entry >>> 8
        store<u8>(to, entry)
      }
    }
    // More than there is was taken.
    if (from * 8 - count > codedEnd * 8) return 0
    if (to === end) return 1
    bits |= load<u64>(from) << (count as u64)
    from += (63 - count) >>> 3
    count |= 56
    const distance = (bits as usize) & 0xffff
    bits >>= 16
    count -= 16
    let match = (token & LITTLE) + MIN_MATCH
    if ((token & LITTLE) === LITTLE) {
      for (let byte: u32 = 255; byte === 255 && match <= length + MIN_MATCH; match += byte) {
        bits |= load<u64>(from) << (count as u64)
        from += (63 - count) >>> 3
        count |= 56
        byte = (bits as u32) & 255
        bits >>= 8
        count -= 8
      }
    }
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
    const place = SEEN + (((hash >>> (32 - SEEN_BITS)) as usize) << 2)
    let known = load<i32>(place) - base
    store<i32>(place, base + at)
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
  let made: u64 = 0
  let width: u64 = 0
  let out: usize = CODED
  for (let at: usize = PACKED; at < end; ) {
    const token: u32 = load<u8>(at++)
    const entry = load<u32>(tokens + ((token as usize) << 2))
    made |= ((entry & 0xffff) as u64) << width
    width += entry >>> 16
    let run = token >>> 4
    if (run === LITTLE) {
      for (let byte: u32 = 255; byte === 255; run += byte) {
        byte = load<u8>(at++)
        made |= (byte as u64) << width
        width += 8
        // What is whole goes out; up to seven bits stay.
        store<u64>(out, made)
        out += (width >>> 3) as usize
        made >>= width & 56
        width &= 7
      }
    }
    for (const till = at + run; at < till; ) {
      store<u64>(out, made)
      out += (width >>> 3) as usize
      made >>= width & 56
      width &= 7
      const stop = min(till, at + 4)
      for (; at < stop; at++) {
        const literal = load<u32>(literals + ((load<u8>(at) as usize) << 2))
        made |= ((literal & 0xffff) as u64) << width
        width += literal >>> 16
      }
    }
    store<u64>(out, made)
    out += (width >>> 3) as usize
    made >>= width & 56
    width &= 7
    if (at >= end) break
    made |= (load<u16>(at) as u64) << width
    width += 16
    at += 2
    if ((token & LITTLE) !== LITTLE) continue
    for (let byte: u32 = 255; byte === 255; ) {
      byte = load<u8>(at++)
      made |= (byte as u64) << width
      width += 8
      store<u64>(out, made)
      out += (width >>> 3) as usize
      made >>= width & 56
      width &= 7
    }
  }
  store<u64>(out, made)
  return ((out - CODED) as u32) + (((width as u32) + 7) >>> 3)
}
