import { describe, expect, it } from 'vitest'
import { Router } from './router.ts'

describe('Router', () => {
  it('takes _doc for a type in 6.x, so that what follows may be an endpoint', () => {
    const route = new Router(true).route('POST', ['logs', '_doc', '_search'])
    expect(route).toMatchObject({ kind: 'found', endpoint: 'search', parameters: { index: 'logs', type: '_doc' } })
  })

  it('takes what follows _doc for an endpoint in 7.x where it has the method, else for an id; always for an id in OpenSearch', () => {
    const routed = (method: string, ...router: ConstructorParameters<typeof Router>) =>
      new Router(...router).route(method, ['logs', '_doc', '_search'])
    expect(routed('POST', false)).toMatchObject({ endpoint: 'search', parameters: { index: 'logs', type: '_doc' } })
    expect(routed('PUT', false)).toMatchObject({ endpoint: 'index', parameters: { index: 'logs', id: '_search' } })
    expect(routed('POST', false, false)).toMatchObject({ endpoint: 'index', parameters: { id: '_search' } })
  })

  it.each([true, false])('finds documents by id (typed: %s)', (typed) => {
    const route = new Router(typed).route('GET', ['logs', '_doc', '1'])
    expect(route).toMatchObject({ kind: 'found', endpoint: 'get', parameters: { index: 'logs', id: '1' } })
  })

  // What OpenSearch 2.19 answers: «no handler found for uri […]».
  it.each([
    ['POST', '/logs/typ/1'],
    ['GET', '/logs/typ/1'],
    ['DELETE', '/logs/typ/1'],
    ['POST', '/logs/typ/_bulk'],
    ['POST', '/logs/typ/_search'],
    ['PUT', '/logs/_mapping/typ'],
    ['PUT', '/logs/_mapping/_doc'],
    ['GET', '/_all/_mapping/typ/field/x'],
    ['POST', '/logs/_doc/1/_update'],
    ['PUT', '/logs/_doc/1/_create'],
    ['GET', '/logs/_doc/1/_source'],
    ['PUT', '/logs/_doc/1/2'],
    ['POST', '/logs/typ'],
  ])('knows no types in the paths of OpenSearch: %s %s', (method, path) => {
    expect(new Router(false, false).route(method, path.split('/').slice(1))).toEqual({ kind: 'not_found' })
  })

  it.each([
    ['POST', '/logs/_update/1', 'update'],
    ['PUT', '/logs/_create/1', 'create'],
    ['GET', '/logs/_source/1', 'get_source'],
    ['POST', '/logs/_doc', 'index'],
    ['PUT', '/logs/_mapping', 'indices.put_mapping'],
    ['POST', '/logs/_explain/1', 'explain'],
  ])('knows the same without types: %s %s', (method, path, endpoint) => {
    expect(new Router(false, false).route(method, path.split('/').slice(1))).toMatchObject({ kind: 'found', endpoint })
  })
})
