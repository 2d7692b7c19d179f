import fc from 'fast-check'
import { expect, test } from 'vitest'
import { crc32, crc32Range } from './crc32.ts'

/** Bit by bit, as it is defined. */
function plainCrc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return ~crc >>> 0
}

test('it is the remainder that is defined, of short bytes and of long ones', () => {
  expect(crc32(Buffer.from('123456789'))).toBe(0xcbf43926)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      expect(crc32(bytes)).toBe(plainCrc32(bytes))
    }),
  )
})

test('that of a part follows on that of the bytes before it', () => {
  const parts = fc.tuple(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }), fc.nat(20))
  fc.assert(
    fc.property(parts, ([before, bytes, more]) => {
      const whole = Buffer.concat([before, bytes, Buffer.alloc(more, 7)])
      const to = before.length + bytes.length
      expect(crc32Range(whole, before.length, to, crc32(before))).toBe(plainCrc32(whole.subarray(0, to)))
    }),
  )
})
