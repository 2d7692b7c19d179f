/**
 * Lucene's SmallFloat.intToByte4: a length norm in one byte, exact up to 39 and with four significant bits beyond.
 * @source Lucene 7, org.apache.lucene.util.SmallFloat
 */
export function intToByte4(value: number): number {
  if (value < FREE_VALUES) return value
  return FREE_VALUES + longToInt4(value - FREE_VALUES)
}

/** The length a norm byte stands for. */
export function byte4ToInt(byte: number): number {
  if (byte < FREE_VALUES) return byte
  return FREE_VALUES + int4ToLong(byte - FREE_VALUES)
}

function longToInt4(value: number): number {
  const bits = 32 - Math.clz32(value)
  if (bits < 4) return value
  const shift = bits - 4
  return ((value >>> shift) & 0x07) | ((shift + 1) << 3)
}

function int4ToLong(encoded: number): number {
  const bits = encoded & 0x07
  const shift = (encoded >>> 3) - 1
  return shift === -1 ? bits : (bits | 0x08) * 2 ** shift
}

/** 255 minus the encoding of the largest int. */
const FREE_VALUES = 255 - longToInt4(0x7fffffff)
