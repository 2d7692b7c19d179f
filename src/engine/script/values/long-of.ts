const long = new BigInt64Array(1)
/** The same eight bytes, low half first (as on all machines that Node runs on). */
const halves = new Int32Array(long.buffer)

/** `BigInt(value)` of a whole number, and `value` if it is one already: a tenth of what the built-in function takes. */
export function longOf(value: number | bigint): bigint {
  if (typeof value === 'bigint') return value
  halves[0] = value
  halves[1] = Math.floor(value / 2 ** 32)
  return long[0] as bigint
}

/** `Number(value)` of a Java long, likewise. */
export function numberOfLong(value: bigint): number {
  long[0] = value
  // Both halves are exact, so that the sum alone is rounded.
  return (halves[1] as number) * 2 ** 32 + ((halves[0] as number) >>> 0)
}
