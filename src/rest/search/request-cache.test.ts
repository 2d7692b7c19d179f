import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest, type Rest } from '../../../test/open-rest.ts'

let rest: Rest

beforeAll(async () => {
  rest = await openRest('OpenSearch_2.19')
})

afterAll(() => rest.close())

async function ask(
  method: string,
  path: string,
  body: object = {},
): Promise<{ aggregations: { sum: { value: number } } }> {
  const { body: answer } = await askBackend(rest.backend, method, path, Object.keys(body).length === 0 ? '' : body)
  return JSON.parse(String(answer)) as { aggregations: { sum: { value: number } } }
}

const sumOf = async (index: string): Promise<number> =>
  (await ask('POST', `/${index}/_search`, { size: 0, aggs: { sum: { sum: { field: 'n' } } } })).aggregations.sum.value

describe('answers kept of searches for no hits', () => {
  it('are given again, and no longer once a refresh shows other documents', async () => {
    await ask('PUT', '/numbers/_doc/1?refresh=true', { n: 1, color: 'red' })
    expect(await sumOf('numbers')).toBe(1)
    expect(await sumOf('numbers')).toBe(1)
    await ask('PUT', '/numbers/_doc/2?refresh=true', { n: 10, color: 'blue' })
    expect(await sumOf('numbers')).toBe(11)
    await ask('DELETE', '/numbers/_doc/1?refresh=true')
    expect(await sumOf('numbers')).toBe(10)
  })

  it('are not given where something is looked up elsewhere, however that is said', async () => {
    await ask('PUT', '/looking/_doc/1?refresh=true', { k: 'x', n: 1 })
    const terms = { terms: { 'k.keyword': { index: 'looked', id: '1', path: 'a' } } }
    const wrapper = { query: Buffer.from(JSON.stringify(terms)).toString('base64') }
    const aggs = { sum: { sum: { field: 'n' } } }
    const text = JSON.stringify({ size: 0, query: terms, aggs })
    const asked = [
      () => ask('POST', '/looking/_search', { size: 0, query: { wrapper }, aggs }),
      () => ask('GET', `/looking/_search?source_content_type=application/json&source=${encodeURIComponent(text)}`),
      async () => {
        const { body } = await askBackend(
          rest.backend,
          'POST',
          '/looking/_search',
          text.replace('"index"', '"\\u0069ndex"'),
        )
        return JSON.parse(String(body)) as { aggregations: { sum: { value: number } } }
      },
    ]
    for (const sought of ['x', 'y', 'x']) {
      await ask('PUT', '/looked/_doc/1?refresh=true', { a: sought })
      for (const search of asked) expect((await search()).aggregations.sum.value).toBe(sought === 'x' ? 1 : 0)
    }
  })

  it('are those of the name they were asked by, as it is defined now', async () => {
    await ask('PUT', '/shades/_doc/1?refresh=true', { n: 1, color: 'red' })
    await ask('PUT', '/shades/_doc/2?refresh=true', { n: 10, color: 'blue' })
    const alias = (color: string): object => ({
      actions: [{ add: { index: 'shades', alias: 'some', filter: { match: { color } } } }],
    })
    await ask('POST', '/_aliases', alias('red'))
    expect(await sumOf('shades')).toBe(11)
    expect(await sumOf('some')).toBe(1)
    await ask('POST', '/_aliases', alias('blue'))
    expect(await sumOf('some')).toBe(10)
  })
})
