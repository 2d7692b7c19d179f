import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeIdEntry, encodeIdEntry } from './id-entry.ts'
import { decodeMetadata, encodeMetadata } from './metadata-value.ts'
import { idKey, metadataKey } from './record-keys.ts'

const flipped = (bytes: Buffer, bit: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[bit >>> 3] = (copy[bit >>> 3] as number) ^ (1 << (bit & 7))
  return copy
}

describe('a value of the metadata table', () => {
  it('is read as it was written, names of any length too', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 900 }), fc.jsonValue(), (name, value) => {
        const key = metadataKey(name)
        expect(decodeMetadata(key, encodeMetadata(key, name, value))).toEqual([name, JSON.parse(JSON.stringify(value))])
      }),
    )
  })

  it('is told of when a bit of it flipped, or when it stands under another name', () => {
    const key = metadataKey('index/logs')
    const bytes = encodeMetadata(key, 'index/logs', { settings: { a: 1 } })
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      expect(() => decodeMetadata(key, flipped(bytes, bit)), `bit ${bit}`).toThrow(
        'checksum failed: the entry [index/logs] of the store is damaged on disk',
      )
    }
    expect(() => decodeMetadata(metadataKey('index/logt'), bytes)).toThrow('is damaged')
  })

  it('is read without a checksum, as earlier versions wrote it', () => {
    expect(decodeMetadata(metadataKey('settings'), Buffer.from('{"a":"b"}'))).toEqual(['settings', { a: 'b' }])
  })
})

describe('the entry of an id', () => {
  const key = idKey(3, '_doc', 'a')
  const number = fc.nat(2 ** 31 - 1)

  it('is read as it was written, and told of when a bit of it flipped', () => {
    fc.assert(
      fc.property(number, number, fc.nat(9), fc.boolean(), fc.nat(), (seqNo, version, primaryTerm, deleted, n) => {
        const entry = { seqNo, version, primaryTerm, deleted }
        const bytes = encodeIdEntry(key, entry)
        expect(decodeIdEntry(key, bytes)).toEqual(entry)
        // (One with a flip may look like one of an earlier version, which had no checksum.)
        const damaged = flipped(bytes, n % (bytes.length * 8))
        expect(() => decodeIdEntry(key, damaged, true)).toThrow('the entry of an id is damaged')
        expect(() => decodeIdEntry(idKey(3, '_doc', 'b'), bytes, true)).toThrow('the entry of an id is damaged')
      }),
    )
  })

  it('is read without a checksum, as earlier versions wrote it', () => {
    const entry = { seqNo: 70_000, version: 300, primaryTerm: 1, deleted: true }
    const bytes = encodeIdEntry(key, entry)
    expect(decodeIdEntry(key, bytes.subarray(0, -4))).toEqual(entry)
    const first = Buffer.alloc(25)
    first.writeDoubleLE(70_000, 0)
    first.writeDoubleLE(300, 8)
    first.writeDoubleLE(1, 16)
    first[24] = 1
    expect(decodeIdEntry(key, first)).toEqual(entry)
  })
})
