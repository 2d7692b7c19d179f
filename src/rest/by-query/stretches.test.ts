import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../../test/open-rest.ts'

let rest: Rest

beforeAll(async () => {
  rest = await openRest('OpenSearch_2.19')
  for (const index of ['a', 'b']) {
    for (let segment = 0; segment < 3; segment++) {
      const lines = Array.from({ length: 700 }, (_, i) => {
        const n = segment * 700 + i
        return `{"index":{"_id":"${n}"}}\n{"n":${n},"t":"${n % 3 === 0 ? 'fizz' : 'none'} ${n % 5 === 0 ? 'buzz' : 'nil'}"}\n`
      })
      await rest.ask('POST', `/${index}/_bulk?refresh=true`, lines.join(''))
    }
    await rest.ask('DELETE', `/${index}/_doc/15?refresh=true`)
  }
})

afterAll(() => rest.close())

const script = (source: string) => ({ script: { script: { source } } })

describe('what a call by query goes through', () => {
  it.each([
    ['everything', { match_all: {} }],
    ['a word', { match: { t: 'fizz' } }],
    ['a phrase', { match_phrase: { t: 'fizz buzz' } }],
    ['a range', { range: { n: { gte: 100, lt: 1_900 } } }],
    ['what a script finds', script("doc['n'].value % 7 == 3")],
    ['all but some', { bool: { must_not: [{ match: { t: 'buzz' } }], filter: [script("doc['n'].value > 5")] } }],
  ])('is what a search finds, each document once: %s', async (_, query) => {
    const counted = (await rest.ask('POST', '/a,b/_count', { query })).json as { count: number }
    for (const slices of [1, 3]) {
      const update = { query, script: { source: "ctx.op = 'noop'" } }
      const { json } = await rest.ask('POST', `/a,b/_update_by_query?slices=${slices}`, update)
      expect(json).toMatchObject({ total: counted.count, noops: counted.count, failures: [] })
    }
    const bySort = await rest.ask('POST', '/_reindex', {
      source: { index: 'a,b', query, sort: { n: 'asc' } },
      dest: { index: 'c' },
    })
    expect(bySort.json).toMatchObject({ total: counted.count })
    const inOrder = await rest.ask('POST', '/_reindex', { source: { index: 'a', query }, dest: { index: 'd' } })
    expect(inOrder.json).toMatchObject({ failures: [] })
  })
})
