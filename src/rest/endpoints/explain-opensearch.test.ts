import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest, type Rest } from '../../../test/open-rest.ts'

// Answers are those of OpenSearch 2.19.3.

describe('explanations of OpenSearch', () => {
  let rest: Rest

  beforeAll(async () => {
    rest = await openRest('OpenSearch_2.19')
    await askBackend(rest.backend, 'PUT', '/e/_doc/1', '{"l":1,"t":"fox"}')
    await askBackend(rest.backend, 'PUT', '/e/_doc/2?refresh=true', '{"t":"dog"}')
  })

  afterAll(() => rest.close())

  it.each([
    [{ exists: { field: 'l' } }, 'ConstantScore(FieldExistsQuery [field=l])'],
    [{ range: { l: {} } }, 'ConstantScore(FieldExistsQuery [field=l])'],
    [{ terms: { l: [] } }, 'User requested "match_none" query.'],
  ])('call queries by their new names: %j', async (query, description) => {
    const answer = await askBackend(rest.backend, 'GET', '/e/_explain/1', JSON.stringify({ query }))
    expect(JSON.parse(String(answer.body))).toMatchObject({ explanation: { description } })
  })
})
