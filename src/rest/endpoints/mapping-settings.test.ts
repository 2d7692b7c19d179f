import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../../test/open-rest.ts'

// Answers are those of Elasticsearch 6.8.23.

describe('settings that mappings and queries read', () => {
  let rest: Rest
  let ask: Rest['ask']

  beforeEach(async () => {
    rest = await openRest('Elasticsearch_6.8')
    ask = rest.ask
  })

  afterEach(async () => {
    await rest.close()
  })

  it('hold as soon as they change', async () => {
    await ask('PUT', '/s', { settings: { 'index.mapping.total_fields.limit': 2 } })
    expect((await ask('PUT', '/s/_doc/1', { a: 1, b: 2, c: 3 })).status).toBe(400)
    await ask('PUT', '/s/_settings', { 'index.mapping.total_fields.limit': 20 })
    expect((await ask('PUT', '/s/_doc/1?refresh=true', { a: 'x', b: 'y', c: 3 })).status).toBe(201)
    const found = async (): Promise<number> => {
      const { json } = await ask('POST', '/s/_count', { query: { query_string: { query: 'y' } } })
      return (json as { count: number }).count
    }
    expect(await found()).toBe(1)
    await ask('PUT', '/s/_settings', { 'index.query.default_field': ['a', 'c*'] })
    expect(await ask('POST', '/s/_count', { query: { query_string: { query: 'y' } } })).toMatchObject({ status: 400 })
    await ask('PUT', '/s/_settings', { 'index.query.default_field': 'a' })
    expect(await found()).toBe(0)
  })
})
