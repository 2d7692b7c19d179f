import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../../test/open-rest.ts'

let rest: Rest

beforeAll(async () => {
  rest = await openRest('OpenSearch_2.19')
})

afterAll(() => rest.close())

const fields = (count: number, field: object = { type: 'keyword' }) => ({
  properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, field])),
})
const refused = {
  status: 400,
  json: {
    error: { type: 'illegal_argument_exception', reason: 'Limit of total fields [1000] has been exceeded' },
  },
}

describe('the limit of total fields', () => {
  it.each([1_001, 20_000])('is told of a new index of %d fields', async (count) => {
    expect(await rest.ask('PUT', '/a', { mappings: fields(count) })).toMatchObject(refused)
  })

  it('is told of fields that are added, deep ones and those of fields too', async () => {
    await rest.ask('PUT', '/b', {})
    for (const mapping of [
      fields(20_000),
      { properties: { o: { type: 'object', ...fields(20_000) } } },
      { properties: { t: { type: 'text', fields: fields(20_000).properties } } },
    ]) {
      expect(await rest.ask('PUT', '/b/_mapping', mapping)).toMatchObject(refused)
    }
  })

  it('is told before what is wrong with a field where there are far too many of them', async () => {
    const wrong = await rest.ask('PUT', '/c', { mappings: fields(1_001, { type: 'no such' }) })
    expect(wrong.json).toMatchObject({ error: { type: 'mapper_parsing_exception' } })
    expect(await rest.ask('PUT', '/c', { mappings: fields(20_000, { type: 'no such' }) })).toMatchObject(refused)
  })

  it('counts as many as an index allows', async () => {
    const settings = { 'index.mapping.total_fields.limit': 12_000 }
    expect((await rest.ask('PUT', '/d', { settings, mappings: fields(12_000) })).status).toBe(200)
  })
})
