import { isIPv4, isIPv6 } from 'node:net'
import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'

/** Length of an address as it is indexed: IPv6, with IPv4 mapped into `::ffff:0:0/96`. */
export const ADDRESS_BYTES = 16

/**
 * Reads an address.
 *
 * @returns 16 bytes, IPv4 mapped into IPv6
 * @throws {ServiceError} illegal_argument_exception «'x' is not an IP string literal.»
 */
export function parseAddress(text: string): Uint8Array {
  const bytes = new Uint8Array(ADDRESS_BYTES)
  if (isIPv4(text)) {
    bytes[10] = 0xff
    bytes[11] = 0xff
    writeV4(text, bytes, 12)
    return bytes
  }
  if (!isIPv6(text) || text.includes('%')) throw illegalArgument(`'${text}' is not an IP string literal.`)
  let rest = text
  let end = ADDRESS_BYTES
  const lastColon = rest.lastIndexOf(':')
  if (rest.includes('.')) {
    writeV4(rest.slice(lastColon + 1), bytes, 12)
    rest = rest.slice(0, lastColon)
    // `::1.2.3.4` is cut behind its first colon, `1::1.2.3.4` likewise.
    if (rest.endsWith(':')) rest += ':'
    if (rest === ':') rest = '::'
    end = 12
  }
  const [before = '', after] = rest.split('::')
  const groups = (part: string): number[] =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16))
  const head = groups(before)
  const tail = after === undefined ? [] : groups(after)
  head.forEach((group, index) => {
    writeGroup(group, bytes, index * 2)
  })
  tail.forEach((group, index) => {
    writeGroup(group, bytes, end - (tail.length - index) * 2)
  })
  return bytes
}

/** An address as texts show it: `1.2.3.4` for mapped IPv4, RFC 5952 for the rest. */
export function formatAddress(bytes: Uint8Array): string {
  if (isMappedV4(bytes)) return bytes.subarray(12, 16).join('.')
  const groups = Array.from({ length: 8 }, (_, i) => ((bytes[i * 2] as number) << 8) | (bytes[i * 2 + 1] as number))
  let start = -1
  let length = 1
  for (let i = 0; i < 8; i++) {
    let run = 0
    while (i + run < 8 && groups[i + run] === 0) run++
    if (run > length) {
      start = i
      length = run
    }
    i += run
  }
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':')
  return start === -1 ? hex(groups) : `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`
}

/**
 * The address that a word of another index is taken for where only addresses are expected.
 *
 * @param word  its UTF-8 bytes
 * @throws {ServiceError} illegal_argument_exception unless they are as many as an address has
 */
export function wordAsAddress(word: Uint8Array): string {
  if (word.length === ADDRESS_BYTES) return formatAddress(word)
  if (word.length === 4) return word.join('.')
  const cause = new ServiceError('unknown_host_exception', 'addr is of illegal length')
  throw illegalArgument('encoded bytes are of incorrect length', cause)
}

/**
 * Reads `address/prefix` into the first and last address of the network.
 *
 * @throws {ServiceError} illegal_argument_exception
 */
export function parseNetwork(text: string): { readonly first: Uint8Array; readonly last: Uint8Array } {
  const [address, prefix = '', ...more] = text.split('/')
  if (address === undefined || prefix === '' || more.length > 0) {
    throw illegalArgument(`Expected [ip/prefix] but was [${text}]`)
  }
  const first = parseAddress(address)
  const isV4 = isIPv4(address)
  const bits = Number(prefix)
  if (!/^\d+$/.test(prefix) || bits > (isV4 ? 32 : 128)) {
    throw illegalArgument(
      `Illegal prefix length [${prefix}] in [${text}]. Must be 0-32 for IPv4 ranges, 0-128 for IPv6 ranges`,
    )
  }
  const kept = isV4 ? bits + 96 : bits
  const last = first.slice()
  for (let bit = kept; bit < ADDRESS_BYTES * 8; bit++) {
    const mask = 0x80 >> (bit & 7)
    first[bit >> 3] = (first[bit >> 3] as number) & ~mask
    last[bit >> 3] = (last[bit >> 3] as number) | mask
  }
  return { first, last }
}

/** The address after one (`step` 1) or before it (-1); undefined beyond the last or first. */
export function neighbourAddress(bytes: Uint8Array, step: 1 | -1): Uint8Array | undefined {
  const result = bytes.slice()
  for (let i = ADDRESS_BYTES - 1; i >= 0; i--) {
    const value = (result[i] as number) + step
    result[i] = value & 0xff
    if (value >= 0 && value <= 0xff) return result
  }
  return undefined
}

/** Whether an address of 16 bytes is one of version 4. */
export function isMappedV4(bytes: Uint8Array): boolean {
  for (let i = 0; i < 10; i++) if (bytes[i] !== 0) return false
  return bytes[10] === 0xff && bytes[11] === 0xff
}

function writeV4(text: string, bytes: Uint8Array, at: number): void {
  text.split('.').forEach((part, index) => {
    bytes[at + index] = Number(part)
  })
}

function writeGroup(group: number, bytes: Uint8Array, at: number): void {
  bytes[at] = group >> 8
  bytes[at + 1] = group & 0xff
}

/** An address of version 6 without the zone behind it (`fe80::1%eth0`), which versions after 6.x take and forget. */
export const withoutZone = (text: string): string =>
  text.includes('%') ? text.replace(/^([^%]*:[^%]*)%[^%]+$/, '$1') : text
