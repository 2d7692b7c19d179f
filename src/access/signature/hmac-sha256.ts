import * as crypto from 'node:crypto'

type OneShot = (algorithm: string, data: Uint8Array, encoding: 'hex') => string

const oneShot = (crypto as { hash?: OneShot }).hash
const BLOCK_BYTES = 64
const HASH_BYTES = 32
const encoder = new TextEncoder()
/** Longer texts take the plain way. */
const MAX_TEXT_LENGTH = 1024

/**
 * HMAC-SHA256 with one key, for many short texts.
 *
 * Two one-shot hashes over prepared buffers instead of `createHmac`: each of its objects holds native memory, and
 * collecting tens of thousands a second costs more than the hashing (measured: bench/DOOR.md).
 */
export class HmacSha256 {
  readonly #key: Buffer
  readonly #inner = Buffer.alloc(BLOCK_BYTES + MAX_TEXT_LENGTH)
  readonly #outer = Buffer.alloc(BLOCK_BYTES + HASH_BYTES)
  readonly #text = this.#inner.subarray(BLOCK_BYTES)
  /** What of `#inner` the last text filled: one client's texts to sign are all of one length. */
  #filled = this.#inner

  /** @param key  at most 64 bytes */
  constructor(key: Buffer) {
    if (key.length > BLOCK_BYTES) throw new RangeError('key longer than a block')
    this.#key = key
    this.#inner.fill(0x36, 0, BLOCK_BYTES)
    this.#outer.fill(0x5c, 0, BLOCK_BYTES)
    for (const [i, byte] of key.entries()) {
      this.#inner[i] = byte ^ 0x36
      this.#outer[i] = byte ^ 0x5c
    }
  }

  /** In lower-case hexadecimal. @param text  ASCII */
  hex(text: string): string {
    if (oneShot === undefined || text.length > MAX_TEXT_LENGTH) {
      return crypto.createHmac('sha256', this.#key).update(text).digest('hex')
    }
    const length = BLOCK_BYTES + encoder.encodeInto(text, this.#text).written
    if (this.#filled.length !== length) this.#filled = this.#inner.subarray(0, length)
    const inner = oneShot('sha256', this.#filled, 'hex')
    this.#outer.write(inner, BLOCK_BYTES, 'hex')
    return oneShot('sha256', this.#outer, 'hex')
  }
}
