import { describe, expect, it } from 'vitest'
import { byte4ToInt, intToByte4 } from './small-float.ts'

describe('a length norm', () => {
  it('gives every byte back and never a longer length than was given', () => {
    for (let byte = 0; byte < 256; byte++) expect(intToByte4(byte4ToInt(byte))).toBe(byte)
    let before = 0
    for (let length = 0; length < 100_000; length++) {
      const byte = intToByte4(length)
      expect(byte).toBeGreaterThanOrEqual(before)
      if (byte4ToInt(byte) > length || byte > 255) expect.fail(`${length} became ${byte4ToInt(byte)}`)
      if (byte < 255 && byte4ToInt(byte + 1) <= length) expect.fail(`${length} fits the next byte`)
      before = byte
    }
    expect(intToByte4(39)).toBe(39)
    expect(intToByte4(0x7fffffff)).toBe(255)
  })
})
