import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HmacSha256 } from './hmac-sha256.ts'

describe('HmacSha256', () => {
  it('gives what node gives, whatever the lengths of key and text', () => {
    const text = fc.string({ unit: 'grapheme-ascii', maxLength: 2000 })
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.array(text, { maxLength: 4 }), (bytes, texts) => {
        const key = Buffer.from(bytes)
        const hmac = new HmacSha256(key)
        // One object for several texts, so that what a longer one left behind would show.
        for (const text of texts) {
          expect(hmac.hex(text)).toBe(createHmac('sha256', key).update(text).digest('hex'))
        }
      }),
    )
  })

  it('refuses a key longer than a block', () => {
    expect(() => new HmacSha256(Buffer.alloc(65))).toThrow(RangeError)
  })
})
