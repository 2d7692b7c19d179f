import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest, type Rest } from '../../../test/open-rest.ts'

describe('an answer of more buckets than there may be (6.8)', () => {
  let rest: Rest

  const ask = async (method: string, path: string, body: object = {}): Promise<{ status: number; json: never }> => {
    const answer = await askBackend(rest.backend, method, path, body)
    return { status: answer.status, json: JSON.parse(String(answer.body)) as never }
  }

  beforeAll(async () => {
    rest = await openRest('Elasticsearch_6.8')
    await ask('PUT', '/a/_doc/1', { year: 1950 })
    await ask('PUT', '/a/_doc/2', { year: 2015 })
    await ask('POST', '/a/_refresh')
  })

  afterAll(() => rest.close())

  const histogram = {
    size: 0,
    aggs: { x: { histogram: { field: 'year', interval: 0.00001, min_doc_count: 0 } } },
  }
  const error = { root_cause: [{ type: 'too_many_buckets_exception' }] }

  it('is the fault of the request where nobody set a limit: the real server dies of it', async () => {
    expect(await ask('POST', '/a/_search', histogram)).toMatchObject({ status: 400, json: { error } })
  })

  it('is answered as by the real server where somebody did', async () => {
    await ask('PUT', '/_cluster/settings', { transient: { 'search.max_buckets': 10 } })
    expect(await ask('POST', '/a/_search', histogram)).toMatchObject({ status: 503, json: { error } })
  })
})
