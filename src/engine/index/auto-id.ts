import { randomBytes } from 'node:crypto'

const machine = randomBytes(6)
let sequence = randomBytes(3).readUIntBE(0, 3)

/**
 * A new document id: 20 characters, URL-safe base64 of a time, this process and a counter, so that ids made one after
 * the other share most of their bytes.
 */
export function autoId(now: number = Date.now()): string {
  sequence = (sequence + 1) & 0xffffff
  const bytes = Buffer.allocUnsafe(15)
  bytes[0] = sequence & 0xff
  bytes[1] = (sequence >>> 16) & 0xff
  bytes.writeUIntBE(now, 2, 6)
  machine.copy(bytes, 8)
  bytes[14] = (sequence >>> 8) & 0xff
  return bytes.toString('base64url')
}
