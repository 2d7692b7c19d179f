import { isIPv4, isIPv6 } from 'node:net'

/** A range of addresses: `203.0.113.0/24`, `2001:db8::/32`, or one address. */
export interface IpRange {
  readonly bytes: Uint8Array
  readonly prefixLength: number
}

/** Reads a range. @returns undefined when it is none */
export function parseIpRange(text: string): IpRange | undefined {
  const at = text.indexOf('/')
  const bytes = parseIp(at < 0 ? text : text.slice(0, at))
  if (bytes === undefined) return undefined
  const bits = bytes.length * 8
  if (at < 0) return { bytes, prefixLength: bits }
  const prefix = text.slice(at + 1)
  if (!/^\d{1,3}$/.test(prefix)) return undefined
  // Of an IPv4 address written as IPv6 the bits before it count: 96 of them.
  const isMapped = bits === 32 && text.includes(':')
  const prefixLength = Number(prefix) - (isMapped ? 96 : 0)
  return prefixLength < 0 || prefixLength > bits ? undefined : { bytes, prefixLength }
}

/** What counts as one caller: who has one address of IPv6 has the 2^64 beside it. */
export function networkOf(address: string): string {
  const bytes = parseIp(address)
  return bytes?.length === 16 ? Buffer.from(bytes.subarray(0, 8)).toString('hex') : address
}

/** Four or sixteen bytes; an IPv4 address written as IPv6 (`::ffff:203.0.113.1`) is the IPv4 one. */
export function parseIp(text: string): Uint8Array | undefined {
  if (isIPv4(text)) return Uint8Array.from(text.split('.'), Number)
  if (!isIPv6(text) || text.includes('%')) return undefined
  let address = text
  const embedded = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  if (embedded !== null) {
    const [a, b, c, d] = (embedded[2] as string).split('.').map(Number) as [number, number, number, number]
    address = `${embedded[1]}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  }
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups = [...before, ...new Array<string>(8 - before.length - after.length).fill('0'), ...after]
  const bytes = new Uint8Array(16)
  groups.forEach((group, i) => {
    const value = Number.parseInt(group, 16)
    bytes[2 * i] = value >> 8
    bytes[2 * i + 1] = value & 0xff
  })
  const isMapped = bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff
  return isMapped ? bytes.slice(12) : bytes
}

/** Does the range hold the address? Addresses of the other family are in none. */
export function rangeContains(range: IpRange, address: Uint8Array): boolean {
  if (address.length !== range.bytes.length) return false
  const whole = range.prefixLength >> 3
  for (let i = 0; i < whole; i++) if (address[i] !== range.bytes[i]) return false
  const rest = range.prefixLength & 7
  if (rest === 0) return true
  const mask = (0xff << (8 - rest)) & 0xff
  return ((address[whole] as number) & mask) === ((range.bytes[whole] as number) & mask)
}
