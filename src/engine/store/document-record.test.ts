import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeDocumentRecord, encodeDocumentRecord } from './document-record.ts'

const name = fc.string({ unit: 'binary', maxLength: 400 })

describe('a document record', () => {
  it('reads back what was written, whatever the lengths of its parts', () => {
    fc.assert(
      fc.property(
        fc.record({
          type: name,
          id: name,
          routing: fc.option(fc.oneof(name, fc.constant('라'.repeat(40_000))), { nil: undefined }),
          version: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
          primaryTerm: fc.integer({ min: 1 }),
          replacedSeqNo: fc.integer({ min: -1, max: Number.MAX_SAFE_INTEGER }),
          tombstone: fc.boolean(),
          source: fc.option(
            fc.uint8Array({ maxLength: 200 }).map((b) => Buffer.from(b)),
            { nil: undefined },
          ),
        }),
        (record) => {
          expect(decodeDocumentRecord(encodeDocumentRecord(record))).toEqual(record)
        },
      ),
    )
  })
})
