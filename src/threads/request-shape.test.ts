import { describe, expect, it } from 'vitest'
import type { BackendRequest } from '../backend.ts'
import { mayBeLargeRead, requestShape } from './request-shape.ts'

function shape(path: string, body: unknown, query: Record<string, string> = {}): number | undefined {
  const request = {
    segments: path.split('/').slice(1),
    query: new Map(Object.entries(query)),
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  }
  return requestShape(request as unknown as BackendRequest)
}

const match = (text: string) => ({ query: { match: { title: text } } })

describe('the shape of a request', () => {
  it('is the same whatever is searched for', () => {
    expect(shape('/a/_search', match('one'))).toBe(shape('/a/_search', match('quite "another" \\ text: {}')))
    expect(shape('/a/_search', '{"query":{"match":{"title":"x"}}}')).toBe(
      shape('/a/_search', '{ "query" :\n{"match" : {"title": "yy"}} }'),
    )
    expect(shape('/a/_search', { size: 10 })).toBe(shape('/a/_search', { size: 20 }))
  })

  it('is that of a search, also by a template or to be rated', () => {
    for (const path of ['/_search/template', '/a/_search/template', '/_msearch/template', '/a/_rank_eval', '/_count'])
      expect(shape(path, match('x'))).toBeDefined()
    for (const path of ['/_index_template/template', '/a/_doc/template', '/template', '/_render/template'])
      expect(shape(path, match('x'))).toBeUndefined()
  })

  it('differs by index, fields, structure, parameters, and the size of numbers', () => {
    const shapes = [
      shape('/a/_search', match('x')),
      shape('/b/_search', match('x')),
      shape('/a/_count', match('x')),
      shape('/a/_search', { query: { match: { body: 'x' } } }),
      shape('/a/_search', { query: { match_phrase: { title: 'x' } } }),
      shape('/a/_search', match('x'), { q: 'x' }),
      shape('/a/_search', { size: 10 }),
      shape('/a/_search', { size: 10_000 }),
      shape('/a/_search', { aggs: { a: { terms: { field: 'x' } } } }),
      shape('/a/_search', ''),
    ]
    expect(new Set(shapes).size).toBe(shapes.length)
  })

  it('is none where it is no search, or one that is gone on with', () => {
    expect(shape('/a/doc/1', '')).toBeUndefined()
    expect(shape('/', '')).toBeUndefined()
    expect(shape('/a/_bulk', '')).toBeUndefined()
    expect(shape('/a/_search', match('x'), { scroll: '1m' })).toBeUndefined()
  })

  it('takes broken bodies', () => {
    for (const body of ['{"', '{"a', '"\\', '{"a\\"', '"""":', '가나다', '\0\u00ff']) {
      expect(typeof shape('/a/_search', body)).toBe('number')
    }
  })
})

describe('a read that may turn out to be large', () => {
  const isOne = (method: string, path: string): boolean => {
    const [segments = '', query = ''] = path.slice(1).split('?')
    const request = { method, segments: segments.split('/'), query: new URLSearchParams(query) }
    return mayBeLargeRead(request as unknown as BackendRequest)
  }

  it('takes documents or mappings apart', () => {
    for (const path of [
      '/a/_doc/1?_source=n',
      '/a/t/1?filter_path=_id',
      '/a/_source/1',
      '/a/t/1/_source',
      '/a/_mapping',
    ])
      expect(isOne('GET', path)).toBe(true)
    for (const path of ['/a/_mget', '/a/_termvectors/1', '/a/_explain/1', '/a/_validate/query', '/_field_caps'])
      expect(isOne('POST', path)).toBe(true)
  })

  it('is none that writes, or shows a document as it is', () => {
    for (const path of ['/a/_doc/1', '/a/t/1', '/', '/_cat/indices?v', '/a/_search?scroll=1m', '/_search/scroll?x=1'])
      expect(isOne('GET', path)).toBe(false)
    for (const path of [
      '/a/_mapping',
      '/a/_mapping/t',
      '/a/_mappings',
      '/a/_doc/1?refresh',
      '/a/_bulk',
      '/a/_update/1',
    ])
      expect(isOne('POST', path)).toBe(false)
    expect(isOne('PUT', '/a/_mapping')).toBe(false)
    expect(isOne('DELETE', '/a/_doc/1?refresh')).toBe(false)
  })
})
