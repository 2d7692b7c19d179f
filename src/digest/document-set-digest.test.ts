import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bucketOf } from './document-hash.ts'
import { DocumentSetDigest } from './document-set-digest.ts'

const digestOf = (documents: readonly (readonly [string, string])[]) => {
  const digest = new DocumentSetDigest()
  for (const [key, source] of documents) digest.add(key, Buffer.from(source))
  return digest
}

describe('DocumentSetDigest', () => {
  it('is the same in whatever order documents are read', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.string(),
            fc.jsonValue().map((v) => JSON.stringify({ v })),
          ),
        ),
        (documents) => {
          expect(digestOf(documents).hex).toBe(digestOf([...documents].reverse()).hex)
        },
      ),
    )
  })

  it('tells a changed, a missing and a doubled document', () => {
    const whole = digestOf([
      ['1', '{"a":1}'],
      ['2', '{"a":2}'],
    ])
    expect(digestOf([['1', '{"a":1}']]).hex).not.toBe(whole.hex)
    expect(
      digestOf([
        ['1', '{"a":1}'],
        ['2', '{"a":3}'],
      ]).hex,
    ).not.toBe(whole.hex)
    expect(
      digestOf([
        ['1', '{"a":1}'],
        ['2', '{"a":2}'],
        ['2', '{"a":2}'],
      ]).hex,
    ).not.toBe(whole.hex)
  })

  it('names the groups that differ', () => {
    const differing = digestOf([
      ['1', '{}'],
      ['2', '{}'],
    ]).differingBuckets(digestOf([['1', '{}']]))
    expect([...differing]).toEqual([bucketOf('2')])
  })

  it('sums as 64-bit integers do', () => {
    const half = fc.integer({ min: 0, max: 0xffff_ffff })
    fc.assert(
      fc.property(fc.array(fc.tuple(half, half)), (halves) => {
        const digest = new DocumentSetDigest()
        for (const [low, high] of halves) digest.addHash({ bucket: 3, low, high })
        const sum = halves.reduce((s, [low, high]) => BigInt.asUintN(64, s + (BigInt(high) << 32n) + BigInt(low)), 0n)
        expect(Buffer.from(digest.toText(), 'base64').readBigUInt64LE(24)).toBe(sum)
      }),
    )
  })

  it('goes on from what a checkpoint kept', () => {
    const begun = digestOf([['1', '{"a":1}']])
    const kept = DocumentSetDigest.fromText(begun.toText()) as DocumentSetDigest
    kept.add('2', Buffer.from('{"a":2}'))
    const whole = digestOf([
      ['2', '{"a":2}'],
      ['1', '{"a":1}'],
    ])
    expect([kept.hex, kept.count]).toEqual([whole.hex, 2])
    expect(DocumentSetDigest.fromText('')).toBeUndefined()
    expect(DocumentSetDigest.fromText('{}')).toBeUndefined()
  })
})
