import { describe, expect, it } from 'vitest'
import { type BitSet, setBit } from './bit-set.ts'
import { bitsDocSet } from './doc-set.ts'
import { keptDocSet } from './filter-cache.ts'
import type { Leaf } from './leaf.ts'

describe('the filter cache', () => {
  it('holds no memory of segments: its sets are kept when they are gone', () => {
    const maxDoc = 10_000
    const bits: BitSet = new Uint32Array(new SharedArrayBuffer(Math.ceil(maxDoc / 32) * 4))
    for (let doc = 0; doc < maxDoc; doc += 3) setBit(bits, doc)
    const leaf = { segment: { maxDoc, typeOrdinals: {} } } as unknown as Leaf
    const ask = () => keptDocSet('every third', leaf, () => bitsDocSet(bits))
    const [, , kept] = [ask(), ask(), ask()]
    if (kept?.kind !== 'bits') throw new Error('nothing is kept')
    expect(kept).toEqual(bitsDocSet(bits))
    expect(kept.bits.buffer).toBeInstanceOf(ArrayBuffer)
  })
})
