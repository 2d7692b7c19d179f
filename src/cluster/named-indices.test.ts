import { describe, expect, it } from 'vitest'
import { type JsonValue, parseJson } from '../rest/body/parse-json.ts'
import { namedIndices } from './named-indices.ts'

const named = (body: JsonValue) => [...namedIndices(body).names].sort()

describe('namedIndices', () => {
  it('finds names wherever they stand', () => {
    expect(named({ query: { terms: { index: { index: 'a', id: '1', path: 'p' } } } })).toEqual(['a'])
    expect(named({ docs: [{ _index: 'a' }, { _index: 'b,c' }], x: { indices: ['d', 'e'] } })).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
    ])
    expect(named({ indices_boost: [{ a: 1 }, { b: 2 }] })).toEqual(['a', 'b'])
    expect(named({ indices_boost: { a: 1 } })).toEqual(['a'])
    expect(named({ index: 123 })).toEqual(['123'])
  })

  it('takes what fields are to be for no names, unless it is all a lookup needs', () => {
    expect(named({ query: { term: { index: 'a' } }, sort: [{ index: 'asc' }] })).toEqual([])
    expect(named({ query: { terms: { term: { index: 'a', id: '1', path: 'p' } } } })).toEqual(['a'])
    expect(named({ termvectors: { doc: { index: 'a' }, _index: 'b' } })).toEqual(['b'])
  })

  it('tells numbers that the cluster may read as another text', () => {
    const parsed = (text: string) => namedIndices(parseJson(text))
    expect(parsed('{"index":2024.10}').isOpaque).toBe(true)
    expect(parsed('{"index":[1e5]}').isOpaque).toBe(true)
    expect([...parsed('{"index":[2024]}').names]).toEqual(['2024'])
  })

  it('knows where shapes are unless it is said', () => {
    expect(named({ geo_shape: { f: { indexed_shape: { id: '1' } } } })).toEqual(['shapes'])
    expect(named({ geo_shape: { f: { indexed_shape: { id: '1', index: 'mine' } } } })).toEqual(['mine'])
  })

  it('looks into wrapped queries, and tells those it cannot read', () => {
    const wrap = (text: string) => ({ wrapper: { query: Buffer.from(text).toString('base64') } })
    expect(named(wrap('{"terms":{"f":{"index":"a"}}}'))).toEqual(['a'])
    expect(named(wrap(JSON.stringify(wrap('{"x":{"_index":"b"}}'))))).toEqual(['b'])
    for (const unread of ['---\nterms: {}', '{"index":"a","index":"b"}', '{"index":1e5}'])
      expect(namedIndices(wrap(unread)).isOpaque).toBe(true)
  })

  it('tells names that are filled in elsewhere', () => {
    expect(namedIndices({ index: '{{name}}' }).isOpaque).toBe(true)
    expect(namedIndices({ suggest: { p: { phrase: { collate: { query: { source: '{}' } } } } } }).isOpaque).toBe(true)
    expect(namedIndices({ query: { match: { title: '{{x}}' } } }).isOpaque).toBe(false)
  })
})
