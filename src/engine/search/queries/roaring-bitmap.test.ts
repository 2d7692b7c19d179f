import { describe, expect, it } from 'vitest'
import { roaringValues } from './roaring-bitmap.ts'

const bytes = (...parts: (readonly number[])[]): Uint8Array => Uint8Array.from(parts.flat())
const two = (...numbers: readonly number[]): number[] => numbers.flatMap((n) => [n & 0xff, n >>> 8])

describe('roaringValues', () => {
  it('reads lists, as RoaringBitmap writes them', () => {
    expect([...roaringValues(Buffer.from('OjAAAAEAAAAAAAEAEAAAAAEAAgA=', 'base64'))]).toEqual([1, 2])
  })

  it('reads runs and takes numbers beyond 2^31 for negative ones', () => {
    const run = bytes(two(12347, 0), [1], two(0xffff, 2), two(1, 0xfffd, 2))
    expect([...roaringValues(run)]).toEqual([-3, -2, -1])
  })

  it('reads sets of bits', () => {
    const bits = new Uint8Array(8192).fill(0xff)
    const set = bytes(two(12346, 0, 1, 0, 0, 0xffff), [16, 0, 0, 0], [...bits])
    expect(roaringValues(set)).toHaveLength(65_536)
  })

  it.each(['', 'xx', 'OjAAAAEAAAAAAAEA'])('refuses what is none: %j', (text) => {
    expect(() => roaringValues(Buffer.from(text, 'base64'))).toThrow('Failed to deserialize the bitmap.')
  })
})
