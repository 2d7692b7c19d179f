import { describe, expect, it } from 'vitest'
import {
  decodeDictionary,
  encodeDictionary,
  type LearnedDictionary,
  SourceDictionaries,
} from './source-dictionaries.ts'

const source = (i: number): Buffer =>
  Buffer.from(`{"title":"영화 ${i * 7919}","year":${1900 + (i % 120)},"text":"${'라면 영화 '.repeat(i % 30)}"}`)

describe('dictionaries of sources', () => {
  it('are learned once, with a code, and found again by who did not learn them', () => {
    const kept = new Map<number, unknown>()
    const table = {
      get: (indexNumber: number) =>
        decodeDictionary(JSON.parse(JSON.stringify(kept.get(indexNumber) ?? null)) ?? undefined),
      put: (indexNumber: number, learned: LearnedDictionary) => void kept.set(indexNumber, encodeDictionary(learned)),
    }
    const dictionaries = new SourceDictionaries(table)
    let i = 0
    while (dictionaries.learn(1, source(i)) === undefined) i++
    expect(i).toBeGreaterThan(50)
    expect(decodeDictionary(kept.get(1))?.codeLengths).toHaveLength(512)
    const compressed = dictionaries.get(1)?.compress(source(29)) as Buffer
    const others = new SourceDictionaries(table)
    expect(others.get(1)?.restore(compressed, source(29).length).equals(source(29))).toBe(true)
    expect(others.get(2)).toBeUndefined()
  })

  it('are taken over once, in the place of what is being learned', () => {
    const kept = new Map<number, LearnedDictionary>()
    const table = {
      get: (indexNumber: number) => kept.get(indexNumber),
      put: (indexNumber: number, learned: LearnedDictionary) => void kept.set(indexNumber, learned),
    }
    const dictionaries = new SourceDictionaries(table)
    expect(dictionaries.learn(1, source(1))).toBeUndefined()
    const learned = { bytes: source(29), codeLengths: new Uint8Array(512).fill(8) }
    expect(dictionaries.adopt(1, learned)).toBe(true)
    expect(kept.get(1)).toBe(learned)
    expect(dictionaries.learn(1, source(2))).toBe(dictionaries.get(1))
    expect(dictionaries.adopt(1, { ...learned, bytes: Buffer.from(learned.bytes) })).toBe(true)
    expect(dictionaries.adopt(1, { ...learned, codeLengths: undefined })).toBe(false)
    expect(dictionaries.adopt(1, { ...learned, bytes: source(28) })).toBe(false)
  })

  it('are read as older versions kept them', () => {
    const bytes = Buffer.from('{"title":"영화","year":2000}')
    const learned = { bytes, codeLengths: undefined }
    expect(decodeDictionary(encodeDictionary(learned))).toEqual(learned)
    expect(decodeDictionary(bytes.toString('base64'))).toEqual(learned)
  })

  it('are refused when they are damaged', () => {
    const kept = encodeDictionary({ bytes: Buffer.from('abc'), codeLengths: new Uint8Array(512).fill(8) })
    for (const wrong of [{ base64: 'YWJk' }, { code: 'AAAA' }, { code: undefined }]) {
      expect(() => decodeDictionary({ ...kept, ...wrong })).toThrow('the dictionary of an index is damaged')
    }
  })
})
