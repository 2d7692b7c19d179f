import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bucketOf, DocumentSetDigest } from './digest.ts'

const digestOf = (documents: readonly (readonly [string, string])[]) => {
  const digest = new DocumentSetDigest()
  for (const [key, source] of documents) digest.add(key, source)
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
})
