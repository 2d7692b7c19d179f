import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest, type Rest } from '../../../test/open-rest.ts'

// Answers are those of Elasticsearch 6.8.23.

const some = { mappings: { some: { properties: { k: { type: 'keyword' } } } } }
const none = { mappings: {} }
const missing = (types: string) => ({
  status: 404,
  json: { status: 404, error: { type: 'type_missing_exception', reason: `type[[${types}]] missing`, index: '_all' } },
})

describe('mappings of types', () => {
  let rest: Rest

  async function ask(method: string, path: string, body?: object): Promise<{ status: number; json: never }> {
    const answer = await askBackend(rest.backend, method, path, body)
    return { status: answer.status, json: JSON.parse(String(answer.body)) as never }
  }

  beforeEach(async () => {
    rest = await openRest('Elasticsearch_6.8')
    await ask('PUT', '/typed', some)
    await ask('PUT', '/bare')
  })

  afterEach(() => rest.close())

  it.each([
    ['*', { typed: some }],
    ['_all', { typed: some }],
    ['so*', { typed: some }],
    ['some', { typed: some }],
  ])('of %s are there', async (types, json) => {
    expect(await ask('GET', `/typed/_mapping/${types}`)).toEqual({ status: 200, json })
  })

  it.each(['*', '_all'])('of %s are there for an index without any', async (types) => {
    expect(await ask('GET', `/bare/_mapping/${types}`)).toEqual({ status: 200, json: { bare: none } })
  })

  it.each([
    ['some,not*', '[not*]'],
    ['so*,not*', '[not*]'],
    ['*,nope', '[nope]'],
  ])('of %s are there but for some', async (types, left) => {
    const json = { error: `type ${left} missing`, status: 404, typed: some }
    expect(await ask('GET', `/typed/_mapping/${types}`)).toEqual({ status: 404, json })
    expect(await ask('GET', `/typed,bare/_mapping/${types}`)).toEqual({ status: 404, json })
    expect(await ask('GET', `/bare/_mapping/${types}`)).toMatchObject(missing(types))
  })

  it.each(['not*', 'nope', 'a,b*', '_all,nope'])('of %s are missing', async (types) => {
    expect(await ask('GET', `/typed/_mapping/${types}`)).toMatchObject(missing(types))
    expect(await ask('GET', `/bare/_mapping/${types}`)).toMatchObject(missing(types))
  })
})
