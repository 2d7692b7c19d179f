import type { SigningHash } from './signing-hash.ts'

const encoder = new TextEncoder()

/** Hashes through WebCrypto: in browsers, and in Node where nothing may come from node:crypto. */
export const webCryptoHash: SigningHash = {
  async sha256Hex(data) {
    const digest = await crypto.subtle.digest('SHA-256', bytesOf(data))
    let hex = ''
    for (const byte of new Uint8Array(digest)) hex += byte.toString(16).padStart(2, '0')
    return hex
  },
  async hmacSha256(key, data) {
    const imported = await crypto.subtle.importKey('raw', bytesOf(key), { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
    ])
    return new Uint8Array(await crypto.subtle.sign('HMAC', imported, bytesOf(data)))
  },
}

function bytesOf(data: Uint8Array | string): Uint8Array<ArrayBuffer> {
  return (typeof data === 'string' ? encoder.encode(data) : data) as Uint8Array<ArrayBuffer>
}
