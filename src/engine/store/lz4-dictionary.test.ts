import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Lz4Dictionary, MOST_SOURCE_BYTES } from './lz4-dictionary.ts'

/** Texts that repeat themselves, each other and the dictionary, near and far. */
const word = fc.constantFrom('{"title":"', '영화', 'a', 'abc', '0000000000', '\n', '","year":', 'x'.repeat(300), '라면')
const text = fc
  .array(fc.oneof(word, fc.string({ maxLength: 20 })), { maxLength: 120 })
  .map((words) => Buffer.from(words.join('')))
const dictionaries = [
  Buffer.alloc(0),
  Buffer.from('abc'),
  Buffer.from('{"title":"영화","year":0000000000abcdefgh'.repeat(300)),
]

describe('a dictionary', () => {
  it('gives back what it compressed', () => {
    const all = dictionaries.map((bytes) => new Lz4Dictionary(bytes))
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), fc.nat(2), (sources, which) => {
        const dictionary = all[which] as Lz4Dictionary
        const compressed = sources.map((source) => dictionary.compress(source, 10_000_000))
        for (const [i, bytes] of compressed.entries()) {
          const source = sources[i] as Buffer
          expect(dictionary.restore(bytes as Buffer, source.length).equals(source)).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('is no better than nothing for what has nothing in common, and says so', () => {
    const noise = createHash('shake256', { outputLength: 1000 }).update('noise').digest()
    expect(new Lz4Dictionary(Buffer.from('abc')).compress(noise)).toBeUndefined()
    const source = Buffer.from('{"title":"영화","year":2000} 영화')
    const dictionary = new Lz4Dictionary(source)
    const length = dictionary.compress(source)?.length as number
    expect(length).toBeLessThan(source.length / 2)
    expect(dictionary.compress(source, length - 1)).toBeUndefined()
  })

  it('compresses texts up to the longest, whatever their matches are apart', () => {
    const dictionary = new Lz4Dictionary(Buffer.from('begins like this '.repeat(60)))
    for (const filler of ['', 'x'.repeat(MOST_SOURCE_BYTES - 100)]) {
      const source = Buffer.from(`begins like this ${filler} begins like this begins like this`)
      const bytes = dictionary.compress(source) as Buffer
      expect(dictionary.restore(bytes, source.length).equals(source)).toBe(true)
    }
    expect(dictionary.compress(Buffer.alloc(MOST_SOURCE_BYTES + 1))).toBeUndefined()
  })

  it('says of what is damaged that it is, and never goes astray', () => {
    const dictionary = new Lz4Dictionary(dictionaries[2] as Buffer)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(400), (bytes, length) => {
        try {
          expect(dictionary.restore(bytes, length)).toHaveLength(length)
        } catch (error) {
          expect((error as Error).message).toContain('a compressed source is damaged')
        }
      }),
      { numRuns: 2_000 },
    )
  })
})
