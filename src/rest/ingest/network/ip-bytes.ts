import { isIPv4, isIPv6 } from 'node:net'

/** The bytes of an IP address: 4 or 16, 4 too for one of version 4 written as one of version 6; undefined: it is none. */
export function ipBytes(text: string): Buffer | undefined {
  if (isIPv4(text)) return Buffer.from(text.split('.').map(Number))
  if (!isIPv6(text) || text.includes('%')) return undefined
  const bytes = Buffer.alloc(16)
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text)
  const plain = dotted === null ? text : `${dotted[1]}${hex(dotted[2], dotted[3])}:${hex(dotted[4], dotted[5])}`
  const [left = '', right] = plain.split('::')
  const groups = (part: string): number[] => (part === '' ? [] : part.split(':').map((one) => Number.parseInt(one, 16)))
  const first = groups(left)
  const last = right === undefined ? [] : groups(right)
  for (const [index, group] of first.entries()) bytes.writeUInt16BE(group, index * 2)
  for (const [index, group] of last.entries()) bytes.writeUInt16BE(group, (8 - last.length + index) * 2)
  const isMapped = bytes.subarray(0, 10).every((byte) => byte === 0) && bytes.readUInt16BE(10) === 0xffff
  return isMapped ? bytes.subarray(12) : bytes
}

function hex(high: string | undefined, low: string | undefined): string {
  return (Number(high) * 256 + Number(low)).toString(16)
}
