import { describe, expect, it } from 'vitest'
import { Router } from './router.ts'

describe('Router', () => {
  it('takes _doc for a type in 6.x, so that what follows may be an endpoint', () => {
    const route = new Router(true).route('POST', ['logs', '_doc', '_search'])
    expect(route).toMatchObject({ kind: 'found', endpoint: 'search', parameters: { index: 'logs', type: '_doc' } })
  })

  it('takes what follows _doc for an id in later versions', () => {
    const route = new Router(false).route('POST', ['logs', '_doc', '_search'])
    expect(route).toMatchObject({ kind: 'found', endpoint: 'index', parameters: { index: 'logs', id: '_search' } })
  })

  it.each([true, false])('finds documents by id (typed: %s)', (typed) => {
    const route = new Router(typed).route('GET', ['logs', '_doc', '1'])
    expect(route).toMatchObject({ kind: 'found', endpoint: 'get', parameters: { index: 'logs', id: '1' } })
  })
})
