/** Words of 32 bits that `count` values of `bits` bits take. */
export function packedWords(count: number, bits: number): number {
  return (count * bits + 31) >>> 5
}

/** Bits that the largest of the values needs; 0 when all are 0. */
export function bitsNeeded(values: Int32Array, count: number): number {
  let all = 0
  for (let i = 0; i < count; i++) all |= values[i] as number
  return 32 - Math.clz32(all)
}

/** Packs `count` non-negative values of `bits` bits each into `words` from `at` on, low bits first. */
export function pack(values: Int32Array, count: number, bits: number, words: Int32Array, at: number): void {
  let word = 0
  let used = 0
  for (let i = 0; i < count; i++) {
    const value = values[i] as number
    word |= value << used
    used += bits
    if (used >= 32) {
      words[at++] = word
      used -= 32
      word = used === 0 ? 0 : value >>> (bits - used)
    }
  }
  if (used > 0) words[at] = word
}

/** The reverse of {@link pack}; `bits` 0 fills zeros. */
export function unpack(words: Int32Array, at: number, count: number, bits: number, out: Int32Array): void {
  if (bits === 0) {
    out.fill(0, 0, count)
    return
  }
  const mask = bits === 32 ? -1 : (1 << bits) - 1
  let word = words[at] as number
  let left = 32
  for (let i = 0; i < count; i++) {
    if (left >= bits) {
      out[i] = word & mask
      left -= bits
      // A shift by 32 would be a shift by 0: the word is used up then.
      word = left === 0 ? 0 : word >>> bits
      if (left === 0 && i + 1 < count) {
        word = words[++at] as number
        left = 32
      }
    } else {
      const next = words[++at] as number
      out[i] = (word | (next << left)) & mask
      const taken = bits - left
      word = next >>> taken
      left = 32 - taken
    }
  }
}

/**
 * {@link unpack}, then sums: each value is a step of one more than itself from the number before it.
 *
 * @param last  the number before the first
 * @returns     the last number
 */
export function unpackDeltas(
  words: Int32Array,
  at: number,
  count: number,
  bits: number,
  out: Int32Array,
  last: number,
): number {
  let number = last
  if (bits === 0) {
    for (let i = 0; i < count; i++) out[i] = ++number
    return number
  }
  const mask = bits === 32 ? -1 : (1 << bits) - 1
  let word = words[at] as number
  let used = 0
  for (let i = 0; i < count; i++) {
    let value = word >>> used
    used += bits
    if (used >= 32) {
      used -= 32
      word = words[++at] as number
      // The shift of a whole word, which would be one of none, has nothing to add.
      if (used > 0) value |= word << (bits - used)
    }
    number += (value & mask) + 1
    out[i] = number
  }
  return number
}

/** {@link unpack}, each value one more than itself; `bits` is not 0. */
export function unpackCounts(words: Int32Array, at: number, count: number, bits: number, out: Int32Array): void {
  const mask = bits === 32 ? -1 : (1 << bits) - 1
  let word = words[at] as number
  let used = 0
  for (let i = 0; i < count; i++) {
    let value = word >>> used
    used += bits
    if (used >= 32) {
      used -= 32
      word = words[++at] as number
      if (used > 0) value |= word << (bits - used)
    }
    out[i] = (value & mask) + 1
  }
}
