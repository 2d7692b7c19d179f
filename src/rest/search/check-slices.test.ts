import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest, type Rest } from '../../../test/open-rest.ts'

// Answers of Elasticsearch 6.8.23.
describe('slices of a scroll over indices of several shards', () => {
  let rest: Rest

  const ask = async (method: string, path: string, body: object = {}): Promise<{ status: number; json: never }> => {
    const answer = await askBackend(rest.backend, method, path, body)
    return { status: answer.status, json: JSON.parse(String(answer.body)) as never }
  }

  const slice = async (index: string, id: number, max: number, field?: string): Promise<string[]> => {
    const body = { slice: { id, max, ...(field === undefined ? {} : { field }) }, sort: 'a' }
    const { json } = await ask('POST', `/${index}/_search?scroll=1s&size=100`, body)
    return (json as { hits: { hits: { _id: string }[] } }).hits.hits.map(({ _id }) => _id)
  }

  beforeAll(async () => {
    rest = await openRest('Elasticsearch_6.8')
    for (const [name, shards] of [
      ['five', 5],
      ['one', 1],
    ] as const) {
      await ask('PUT', `/${name}`, { settings: { number_of_shards: shards } })
      for (let i = 1; i <= 12; i++) await ask('PUT', `/${name}/_doc/${i}`, { a: i, s: 'x' })
      await ask('POST', `/${name}/_refresh`)
    }
  })

  afterAll(() => rest.close())

  it('are whole shards', async () => {
    expect(await slice('five', 0, 2)).toEqual(['2', '3', '4', '6', '11'])
    expect(await slice('five', 1, 2)).toEqual(['1', '5', '7', '8', '9', '10', '12'])
    expect(await slice('five', 0, 3)).toEqual(['1', '7'])
    expect(await slice('five', 1, 3)).toEqual(['3', '5', '8', '9', '10', '11', '12'])
    expect(await slice('five', 2, 3)).toEqual(['2', '4', '6'])
    expect(await slice('five', 0, 5)).toEqual([])
    expect(await slice('five', 1, 5)).toEqual(['5', '8', '9', '10', '12'])
  })

  it.each([
    ['five', 2],
    ['five', 7],
    ['five', 13],
    ['one', 3],
    ['five,one', 2],
    ['five,one', 7],
  ])('hold each document of %s once when there are %i', async (index, max) => {
    const found: string[] = []
    for (let id = 0; id < max; id++) found.push(...(await slice(index, id, max)))
    const all = await ask('POST', `/${index}/_search?size=100`)
    const expected = (all.json as { hits: { hits: { _id: string }[] } }).hits.hits.map(({ _id }) => _id)
    expect(found.sort()).toEqual(expected.sort())
  })

  it('stay what they were in a large index while documents go', async () => {
    await ask('PUT', '/many', { settings: { refresh_interval: '-1' } })
    const lines = Array.from({ length: 5_000 }, (_, i) => `{"index":{"_id":"${i}"}}\n{"a":${i}}\n`)
    await askBackend(rest.backend, 'POST', '/many/_doc/_bulk?refresh=true', lines.join(''))
    const sizes = async (field: string): Promise<number[]> => {
      const asked = [0, 1, 2].map((id) =>
        ask('POST', '/many/_search?scroll=1s&size=1', { slice: { id, max: 3, field } }),
      )
      return (await Promise.all(asked)).map(({ json }) => (json as { hits: { total: number } }).hits.total)
    }
    const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one)
    for (const field of ['_id', 'a']) {
      const first = await sizes(field)
      expect(sum(first)).toBe(5_000)
      for (let i = 0; i < 3; i++) expect(await sizes(field)).toEqual(first)
    }
    await ask('POST', '/many/_delete_by_query?refresh=true', { query: { range: { a: { lt: 1_000 } } } })
    for (const field of ['_id', 'a']) {
      for (let i = 0; i < 3; i++) expect(sum(await sizes(field))).toBe(4_000)
    }
  })

  it('are told by a field that has numbers', async () => {
    const refused = async (field: string) =>
      (await ask('POST', '/five/_search?scroll=1s', { slice: { id: 0, max: 7, field } })).json
    expect(await refused('nope')).toMatchObject({
      error: { root_cause: [{ type: 'illegal_argument_exception', reason: 'field nope not found' }] },
    })
    for (const field of ['s', 's.keyword']) {
      expect(await refused(field)).toMatchObject({
        error: { root_cause: [{ reason: `cannot load numeric doc values on ${field}` }] },
        status: 400,
      })
    }
    expect((await slice('five', 0, 2, 'a')).length).toBe(5)
  })
})
