import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { koreanDictionaryFor } from './dictionaries.ts'
import { buildColumns, type Lexicon } from './dictionary-builder.ts'
import { encodeDictionary, readDictionaryFile } from './dictionary-file.ts'
import { openImage } from './dictionary-image.ts'
import { KoreanDictionary } from './korean-dictionary.ts'
import { UNIT_CLASSES } from './unit-class.ts'

const unknown = { leftId: 1, rightId: 1, cost: 5000, tag: 'UNKNOWN' }

const lexicon: Lexicon = {
  meta: {
    kind: 'nori',
    origin: 'test',
    unknownWords: UNIT_CLASSES.map(() => unknown),
    userWord: { leftId: 1, rightId: 1, rightIdWithFinal: 1, rightIdWithoutFinal: 2 },
  },
  entries: ['學校', '학교', '학', '교', '에서', '에', '학교'].map((surface, i) => ({
    surface,
    leftId: i % 3,
    rightId: (i + 1) % 3,
    cost: i * 1000 - 3000,
    feature: {
      type: 'MORPHEME',
      tags: [surface.startsWith('에') ? 'J' : 'NNG', surface.startsWith('에') ? 'J' : 'NNG'],
      parts: undefined,
    },
    spacePenalty: surface.startsWith('에'),
    reading: surface === '學校' ? '학교' : undefined,
  })),
  matrix: { leftSize: 3, rightSize: 3, costs: Int16Array.from([0, -5, 30000, 7, -32768, 32767, 1, 2, 3]) },
  prune: false,
  unitTraits: Uint16Array.from({ length: 0x10000 }, (_, unit) => unit % 7),
}

describe('a dictionary file', () => {
  let folder: string
  let file: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'chaja-dictionary-'))
    file = join(folder, 'test.dictionary')
    writeFileSync(file, encodeDictionary(buildColumns(lexicon)))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('gives every column back as it was built', () => {
    const built = buildColumns(lexicon)
    const read = openImage(readDictionaryFile(file)).columns
    for (const name of Object.keys(built) as (keyof typeof built)[]) {
      expect([...read[name]], name).toEqual([...built[name]])
    }
  })

  it('finds words, features and readings', () => {
    const dictionary = new KoreanDictionary(openImage(readDictionaryFile(file)).columns)
    const { trie, columns } = dictionary
    const find = (word: string): number[] => {
      let node = trie.roots[word.charCodeAt(0)]!
      for (let i = 1; i < word.length && node !== 0; i++) node = trie.child(node, word.charCodeAt(i))
      if (node === 0) return []
      const first = trie.firstEntry(node)
      return Array.from({ length: trie.firstEntry(node + 1) - first }, (_, i) => first + i)
    }
    // Two entries of one word keep the lexicon's order.
    expect(find('학교').map((entry) => (columns.entries[entry * 4 + 2]! << 16) >> 16)).toEqual([-2000, 3000])
    expect(find('에').map((entry) => dictionary.feature(dictionary.entryFeature(entry)).tags)).toEqual([['J', 'J']])
    expect(find('學校').map((entry) => dictionary.reading(entry))).toEqual(['학교'])
    expect(find('학교').map((entry) => dictionary.reading(entry))).toEqual([undefined, undefined])
    expect(find('학교에')).toEqual([])
    expect(find('').concat(find('서'))).toEqual([])
  })

  it('is refused when a byte of it changed, when it is cut off, and when it is something else', () => {
    const bytes = readFileSync(file)
    const broken = join(folder, 'broken.dictionary')
    const read = (content: Uint8Array) => () => {
      writeFileSync(broken, content)
      readDictionaryFile(broken)
    }
    for (const at of [20, 60, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      expect(read(changed)).toThrow('broken.dictionary: damaged')
    }
    expect(read(bytes.subarray(0, bytes.length - 10))).toThrow('damaged')
    expect(read(bytes.subarray(0, 30))).toThrow('not a dictionary')
    expect(read(Buffer.from('학교,1,2,3\n'.repeat(20)))).toThrow('not a dictionary')
    const newer = Buffer.from(bytes)
    newer.writeUInt32LE(99, 8)
    expect(read(newer)).toThrow('format 99')
  })

  it('of one tokenizer is refused for the other', () => {
    expect(() => koreanDictionaryFor('seunjeon', file)).toThrow('a nori dictionary, not a seunjeon one')
  })
})
