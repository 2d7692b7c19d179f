import { nodeHash } from '../signature/node-hash.ts'

/* A value of identities.mdb, text: a checksum, a blank, JSON. The checksum is the first 16 hexadecimal digits of the SHA-256
 * of the key, a line feed and the JSON, so that no value passes for another's.
 */

const CHECKSUM_LENGTH = 16

/** Lays a value out. */
export function encodeIdentityValue(key: string, value: unknown): string {
  const json = JSON.stringify(value)
  return `${checksum(`${key}\n${json}`)} ${json}`
}

/** Reads the JSON of a value; undefined when it is not as it was written. */
export function decodeIdentityValue(key: string, text: string): { readonly value: unknown } | undefined {
  const json = text.slice(CHECKSUM_LENGTH + 1)
  if (text !== `${checksum(`${key}\n${json}`)} ${json}`) return undefined
  return { value: JSON.parse(json) }
}

/* Which entries there are, and with which values, in two numbers that do not depend on their order. */

/** What an entry adds to the number of names. */
export const nameSum = (key: string): bigint => BigInt(`0x${checksum(key)}`)

/** What an entry adds to the number of values: its checksum as it is stored. */
export function valueSum(text: string): bigint {
  const digits = text.slice(0, CHECKSUM_LENGTH)
  return /^[0-9a-f]{16}$/.test(digits) ? BigInt(`0x${digits}`) : 0n
}

const checksum = (text: string): string => nodeHash.sha256Hex(text).slice(0, CHECKSUM_LENGTH)
