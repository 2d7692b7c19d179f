import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LZ4_CODE_LENGTHS, Lz4Code, Lz4CodeSample } from './lz4-code.ts'
import { Lz4Dictionary, MOST_SOURCE_BYTES } from './lz4-dictionary.ts'
import { lz4Kernel } from './lz4-kernel.ts'

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

/** A code for what blocks of some texts are made of. */
function codeOf(texts: readonly string[]): Lz4Code {
  const dictionary = new Lz4Dictionary(Buffer.alloc(0))
  const sample = new Lz4CodeSample()
  for (const one of texts) sample.add(dictionary.compress(Buffer.from(one), 10_000_000) as Buffer)
  return sample.code()
}

const codes = [
  undefined,
  codeOf([]),
  codeOf(['{"title":"영화","year":2000}', '라면 영화 '.repeat(30)]),
  codeOf(['a'.repeat(30_000)]),
  codeOf([Array.from({ length: 3_000 }, (_, i) => String.fromCharCode(32 + ((Math.log2(i + 1) * 8) % 90))).join('')]),
]

describe('a dictionary', () => {
  it('gives back what it compressed', () => {
    const all = codes.flatMap((code) => dictionaries.map((bytes) => new Lz4Dictionary(bytes, code)))
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), fc.nat(all.length - 1), (sources, which) => {
        const dictionary = all[which] as Lz4Dictionary
        const compressed = sources.map((source) => dictionary.compress(source, 10_000_000))
        for (const [i, bytes] of compressed.entries()) {
          const source = sources[i] as Buffer
          expect(dictionary.restore(bytes as Buffer, source.length).equals(source)).toBe(true)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('makes the same bytes with its kernel as without, and gives the same back, in whatever order its slots are taken', () => {
    if (lz4Kernel() === undefined) throw new Error('npm run build makes the kernel')
    // More than there are slots for.
    const pairs = Array.from({ length: 90 }, (_, i) => {
      const bytes = Buffer.concat([dictionaries[i % 3] as Buffer, Buffer.from(`영화 ${i} `.repeat(i))])
      const code = codes[1 + (i % 4)]
      return [new Lz4Dictionary(bytes, code), new Lz4Dictionary(bytes, code, { isPlain: true })] as const
    })
    fc.assert(
      fc.property(text, fc.nat(89), fc.nat(1_000), (source, which, most) => {
        const [dictionary, plain] = pairs[which] as (typeof pairs)[number]
        const bytes = dictionary.compress(source, 10_000_000) as Buffer
        expect(bytes.equals(plain.compress(source, 10_000_000) as Buffer)).toBe(true)
        expect(dictionary.compress(source, most)?.length).toBe(plain.compress(source, most)?.length)
        expect(dictionary.restore(bytes, source.length).equals(source)).toBe(true)
        expect(plain.restore(bytes, source.length).equals(source)).toBe(true)
      }),
      { numRuns: 3_000 },
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

  it('gives back the same of what is cut off, whatever it gave back before', () => {
    const noise = (seed: string): Buffer =>
      Buffer.from(createHash('shake256', { outputLength: 600 }).update(seed).digest('hex').slice(0, 900))
    for (const code of codes) {
      const dictionary = new Lz4Dictionary(Buffer.from('abc'), code)
      const packed = (source: Buffer) => dictionary.compress(source, 10_000_000) as Buffer
      const [first, second, source] = [noise('first'), noise('second'), noise('source')]
      const whole = packed(source)
      const cut = (end: number, before: Buffer): string => {
        dictionary.restore(packed(before), before.length)
        try {
          return dictionary.restore(whole.subarray(0, end), source.length).toString()
        } catch (error) {
          return (error as Error).message
        }
      }
      for (let end = 1; end < whole.length; end += 7) expect(cut(end, first)).toBe(cut(end, second))
    }
  })

  it('takes less room with a code', () => {
    const of = (i: number) =>
      `{"title":"영화 ${i * 7919}","year":${1900 + (i % 120)},"text":"라면 ${(i * 31) % 97} 영화"}`
    const texts = Array.from({ length: 200 }, (_, i) => of(i))
    const room = (code: Lz4Code | undefined): number => {
      const dictionary = new Lz4Dictionary(Buffer.from(of(1000)), code)
      return texts.reduce((sum, one) => sum + (dictionary.compress(Buffer.from(one)) as Buffer).length, 0)
    }
    expect(room(codeOf(texts))).toBeLessThan(0.85 * room(undefined))
  })

  it.each(codes.map((code) => [code] as const))(
    'compresses texts up to the longest, whatever their matches are apart',
    (code) => {
      const dictionary = new Lz4Dictionary(Buffer.from('begins like this '.repeat(60)), code)
      for (const filler of ['', 'x'.repeat(MOST_SOURCE_BYTES - 100)]) {
        const source = Buffer.from(`begins like this ${filler} begins like this begins like this`)
        const bytes = dictionary.compress(source) as Buffer
        expect(dictionary.restore(bytes, source.length).equals(source)).toBe(true)
      }
      expect(dictionary.compress(Buffer.alloc(MOST_SOURCE_BYTES + 1))).toBeUndefined()
    },
  )

  it('says of what is damaged that it is, and never goes astray', () => {
    const all = codes.map((code) => new Lz4Dictionary(dictionaries[2] as Buffer, code))
    fc.assert(
      fc.property(fc.nat(4), fc.uint8Array({ maxLength: 60 }), fc.nat(400), (which, bytes, length) => {
        const dictionary = all[which] as Lz4Dictionary
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

describe('a code', () => {
  it('is known by its lengths', () => {
    for (const code of codes) {
      if (code === undefined) continue
      const known = new Lz4Dictionary(dictionaries[2] as Buffer, new Lz4Code(Uint8Array.from(code.lengths)))
      const source = Buffer.from('{"title":"영화","year":2000} 라면 #'.repeat(9))
      const bytes = new Lz4Dictionary(dictionaries[2] as Buffer, code).compress(source, 10_000) as Buffer
      expect(known.restore(bytes, source.length).equals(source)).toBe(true)
    }
  })

  it('is refused where lengths are none of a code', () => {
    const lengths = new Uint8Array(LZ4_CODE_LENGTHS).fill(8)
    expect(() => new Lz4Code(lengths)).not.toThrow()
    for (const wrong of [0, 7, 9, 200]) {
      expect(() => new Lz4Code(lengths.with(300, wrong))).toThrow('the code of an index is damaged')
    }
    expect(() => new Lz4Code(lengths.subarray(1))).toThrow('the code of an index is damaged')
  })
})
