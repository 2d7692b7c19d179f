import * as crypto from 'node:crypto'
import type { SigningHash } from './signing-hash.ts'

// crypto.hash (Node 20.12) saves the stream object of createHash: about half the time for short texts.
const oneShot = (crypto as { hash?: (algorithm: string, data: Uint8Array | string, encoding: 'hex') => string }).hash

/** Hashes through node:crypto, at once. */
export const nodeHash = {
  sha256Hex(data: Uint8Array | string): string {
    return oneShot === undefined
      ? crypto.createHash('sha256').update(data).digest('hex')
      : oneShot('sha256', data, 'hex')
  },
  hmacSha256(key: Uint8Array | string, data: string): Buffer {
    return crypto.createHmac('sha256', key).update(data).digest()
  },
} as const satisfies SigningHash
