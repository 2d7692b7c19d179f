/** A whole number of 64 bits as Java counts: a bigint beyond 2^53, where a number would be rounded, and a number else. */
export type Long = number | bigint

/** The form that a whole number has as a {@link Long}: equal ones are `===`. @param value  of 64 bits */
export function longOf(value: bigint): Long {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** The next one; the largest is followed by the smallest, as in Java. */
export function nextLong(value: Long): Long {
  return typeof value === 'number' && value < Number.MAX_SAFE_INTEGER
    ? value + 1
    : longOf(BigInt.asIntN(64, BigInt(value) + 1n))
}
