import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  compressRecord,
  decodeDocumentRecord,
  decodeStoredRecord,
  encodeDocumentRecord,
  isCompressed,
  isFirstWrite,
} from './document-record.ts'
import { Lz4Dictionary } from './lz4-dictionary.ts'

const name = fc.string({ unit: 'binary', maxLength: 400 })

const dictionary = new Lz4Dictionary(Buffer.from([0, 1, 2, 3, 3, 2, 1, 0, 0, 0, 0, 0]))
const ROUTING = 2
const SOURCE = 4

describe('a document record', () => {
  it('reads back what was written, whatever the lengths of its parts', () => {
    fc.assert(
      fc.property(
        fc.record({
          type: name,
          id: name,
          routing: fc.option(fc.oneof(name, fc.constant('라'.repeat(40_000))), { nil: undefined }),
          version: fc.oneof(fc.maxSafeNat(), fc.bigInt(2n ** 53n, 2n ** 63n - 1n)),
          primaryTerm: fc.integer({ min: 1 }),
          replacedSeqNo: fc.integer({ min: -1, max: Number.MAX_SAFE_INTEGER }),
          tombstone: fc.boolean(),
          source: fc.option(
            fc.uint8Array({ maxLength: 300, max: 3 }).map((b) => Buffer.from(b)),
            { nil: undefined },
          ),
        }),
        (record) => {
          expect(decodeDocumentRecord(encodeDocumentRecord(record))).toEqual(record)
          const compressed = compressRecord(encodeDocumentRecord(record), dictionary)
          if (compressed === undefined) return
          expect(isCompressed(compressed)).toBe(true)
          expect(decodeDocumentRecord(compressed, () => dictionary)).toEqual(record)
          expect(() => decodeDocumentRecord(compressed)).toThrow('dictionary')
          const { record: kept, restoredBytes } = decodeStoredRecord(compressed)
          const stored = { bytes: kept.source as Buffer, restoredBytes, dictionary }
          expect(encodeDocumentRecord(record, stored).equals(compressed)).toBe(true)
        },
      ),
    )
  })

  it('of a first write is what would be written again', () => {
    const fields = { type: 'doc', id: '가', routing: 'r', version: 2n ** 60n, primaryTerm: 1, tombstone: false }
    const first = { ...fields, replacedSeqNo: -1, source: Buffer.alloc(300, '{}') }
    const plain = encodeDocumentRecord(first)
    for (const bytes of [plain, compressRecord(plain, dictionary) as Buffer]) {
      const { record, restoredBytes } = decodeStoredRecord(bytes, true)
      expect(isFirstWrite(bytes, record)).toBe(true)
      const stored = { bytes: record.source as Buffer, restoredBytes, dictionary }
      expect(encodeDocumentRecord({ ...record, source: first.source }, stored)).toEqual(bytes)
    }
    const others = [{ replacedSeqNo: 0 }, { primaryTerm: 2 }, { tombstone: true, source: undefined }]
    for (const other of others) {
      const bytes = encodeDocumentRecord({ ...first, ...other })
      expect(isFirstWrite(bytes, decodeStoredRecord(bytes).record)).toBe(false)
    }
    const unknown = Buffer.from(plain)
    unknown[0] = (unknown[0] as number) | 64
    expect(isFirstWrite(unknown, decodeStoredRecord(plain).record)).toBe(false)
  })

  it('tells of every bit that is not as it was', () => {
    const record = {
      ...{ type: '_doc', id: 'id1', routing: 'r', version: 7, primaryTerm: 1, replacedSeqNo: 2, tombstone: false },
      source: Buffer.from(`{"text":"${'영화 '.repeat(40)}"}`),
    }
    const plain = encodeDocumentRecord(record)
    for (const bytes of [plain, compressRecord(plain, dictionary) as Buffer]) {
      expect(decodeDocumentRecord(bytes, () => dictionary)).toEqual(record)
      // Bits of the flags that say which format it is are left out.
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        if (bit === 4 || bit === 7) continue
        const damaged = Buffer.from(bytes)
        damaged[bit >> 3]! ^= 1 << (bit & 7)
        expect(() => decodeDocumentRecord(damaged, () => dictionary)).toThrow('checksum failed')
      }
    }
  })

  it('is read as format 1 had it, too', () => {
    const bytes = Buffer.concat([
      Buffer.from([ROUTING | SOURCE, 4, 3, 0, 1, 0, 0, 0]),
      Buffer.from(Float64Array.of(7, 2 ** 40, 1).buffer),
      Buffer.from('_docid1r{"a":1}'),
    ])
    expect(decodeDocumentRecord(bytes)).toEqual({
      type: '_doc',
      id: 'id1',
      routing: 'r',
      version: 7,
      replacedSeqNo: 2 ** 40,
      primaryTerm: 1,
      tombstone: false,
      source: Buffer.from('{"a":1}'),
    })
  })
})
