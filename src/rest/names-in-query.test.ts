import { describe, expect, it } from 'vitest'
import { namesInQuery, withNamesInQuery } from './names-in-query.ts'
import { type Route, Router } from './router.ts'

const router = new Router(false)

function asked(method: string, path: string, query: Record<string, string>, taken: readonly string[] = []) {
  const route = router.route(
    method,
    path.split('/').filter((s) => s !== ''),
  ) as Route & { kind: 'found' }
  const judged: string[] = []
  const authorize = (indices: readonly string[], api: string): void => {
    judged.push(...indices.map((index) => (api === '' ? index : `${index}/${api}`)))
  }
  const request = { query: new Map(Object.entries(query)), authorize }
  const paths = router.paths(route.endpoint)
  const { parameters } = withNamesInQuery(route, namesInQuery(route.endpoint, paths, new Set(taken)), paths, request)
  return { parameters, judged }
}

describe('withNamesInQuery', () => {
  it('judges what the query names as the path that names it', () => {
    expect(asked('GET', '/_search', { index: 'a,b' })).toEqual({
      parameters: { index: 'a,b' },
      judged: ['a,b/_search'],
    })
    expect(asked('GET', '/_cat/indices', { index: 'a' })).toEqual({
      parameters: { index: 'a' },
      judged: ['_cat/indices/a'],
    })
    expect(asked('DELETE', '/', { index: 'a' })).toEqual({ parameters: { index: 'a' }, judged: ['a'] })
    expect(asked('GET', '/_stats', { index: 'a', metric: 'docs' }).judged).toEqual(['a/_stats/docs'])
  })

  it('lets what the path says stand', () => {
    expect(asked('GET', '/a/_search', { index: 'b' })).toEqual({ parameters: { index: 'a' }, judged: [] })
  })

  it('leaves what the endpoint takes of the query, what is empty, and what has two readings', () => {
    expect(asked('GET', '/_cat/recovery', { index: 'a' }, ['index']).parameters).toEqual({})
    expect(asked('GET', '/_search', { index: '' }).parameters).toEqual({})
    expect(asked('GET', '/_search', { index: 'a/b' }).parameters).toEqual({})
  })

  it('passes on a denial', () => {
    const route = router.route('GET', ['_search']) as Route & { kind: 'found' }
    const authorize = (): never => {
      throw new Error('denied')
    }
    const request = { query: new Map([['index', 'a']]), authorize }
    const paths = router.paths('search')
    const said = namesInQuery('search', paths, new Set())
    expect(() => withNamesInQuery(route, said, paths, request)).toThrow('denied')
  })
})
