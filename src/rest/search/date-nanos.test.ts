import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest, type Rest } from '../../../test/open-rest.ts'

// Answers as OpenSearch 2.19.3 gives them.

describe('date_nanos', () => {
  let rest: Rest

  async function ask(method: string, path: string, body?: object): Promise<string> {
    return String((await askBackend(rest.backend, method, path, body)).body)
  }
  const search = (body: object): Promise<string> => ask('POST', '/n/_search', { _source: false, ...body })
  async function total(query: object): Promise<number> {
    const answer = JSON.parse(await search({ query, size: 0 })) as {
      readonly hits: { readonly total: { value: number } }
    }
    return answer.hits.total.value
  }
  const sorts = (text: string): readonly string[] =>
    [...text.matchAll(/"sort":\[([^\]]*)\]/g)].map(([, value]) => value ?? '')

  beforeAll(async () => {
    rest = await openRest('OpenSearch_2.19')
    await ask('PUT', '/n', { mappings: { properties: { d: { type: 'date_nanos' } } } })
    await ask('PUT', '/n/_doc/1', { d: '2018-10-29T12:12:12.123456789Z' })
    await ask('PUT', '/n/_doc/2', { d: 1540815132999.5 })
    await ask('PUT', '/n/_doc/3?refresh', { d: ['2018-10-29T12:12:12.5Z', '2019-01-01'] })
  })
  afterAll(() => rest.close())

  it('tells nanoseconds apart in terms and ranges', async () => {
    expect(await total({ term: { d: '2018-10-29T12:12:12.123456789Z' } })).toBe(1)
    expect(await total({ term: { d: '2018-10-29T12:12:12.123' } })).toBe(0)
    expect(await total({ term: { d: '2018-10-29T12:12:12' } })).toBe(3)
    expect(
      await total({ range: { d: { gt: '2018-10-29T12:12:12.123456789Z', lte: '2018-10-29T12:12:12.999499999Z' } } }),
    ).toBe(1)
    expect(await total({ range: { d: { lte: 1540815132999 } } })).toBe(3)
  })
  it('sorts by them, and by milliseconds where asked', async () => {
    expect(sorts(await search({ sort: ['d'] }))).toEqual([
      '1540815132123456789',
      '1540815132500000000',
      '1540815132999500000',
    ])
    expect(sorts(await search({ sort: [{ d: { order: 'desc', numeric_type: 'date' } }] }))).toEqual([
      '1546300800000',
      '1540815132999',
      '1540815132123',
    ])
    expect(sorts(await search({ sort: ['d'], search_after: ['2018-10-29T12:12:12.500Z'] }))).toEqual([
      '1540815132999500000',
    ])
  })
  it('shows them in formats that have them', async () => {
    const formats = [
      'epoch_millis',
      'strict_date_optional_time_nanos',
      'strict_date_optional_time',
      'HH:mm:ss.SSSSSS',
      'epoch_second',
    ]
    const answer = await search({
      query: { ids: { values: ['1'] } },
      docvalue_fields: formats.map((format) => ({ field: 'd', format })),
    })
    expect(answer).toContain(
      '"d":["1540815132123.456789","2018-10-29T12:12:12.123456789Z","2018-10-29T12:12:12.123Z","12:12:12.123456","1540815132.123456789"]',
    )
  })
  it('aggregates milliseconds', async () => {
    const answer = await search({
      size: 0,
      aggs: { t: { terms: { field: 'd', order: { _key: 'asc' } } }, m: { max: { field: 'd' } } },
    })
    expect(answer).toContain('"m":{"value":1.5463008E12,"value_as_string":"2019-01-01T00:00:00.000Z"}')
    expect(answer).toContain('{"key":1540815132123,"key_as_string":"2018-10-29T12:12:12.123Z","doc_count":1}')
  })
  it('refuses what is before 1970 and after 2262', async () => {
    expect(await ask('PUT', '/n/_doc/9', { d: -1 })).toContain(
      'date[1969-12-31T23:59:59.999Z] is before the epoch in 1970 and cannot be stored in nanosecond resolution',
    )
    expect(await ask('PUT', '/n/_doc/9', { d: '2262-04-11T23:47:16.854775808Z' })).toContain(
      'date[2262-04-11T23:47:16.854775808Z] is after 2262-04-11T23:47:16.854775807 and cannot be stored in nanosecond resolution',
    )
    expect(await search({ query: { range: { d: { lte: '2270-10-29' } } } })).toContain(
      'date[2270-10-29T23:59:59.999999999Z] is after',
    )
  })
  it('survives a merge', async () => {
    await ask('PUT', '/n/_doc/4?refresh', { d: '2262-04-11T23:47:16.854775807Z' })
    await ask('POST', '/n/_forcemerge?max_num_segments=1')
    expect(sorts(await search({ sort: [{ d: 'desc' }], size: 1 }))).toEqual(['9223372036854775807'])
  })
})
