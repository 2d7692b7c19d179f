import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest, type Rest } from '../../../test/open-rest.ts'

/** As the door denies. */
class AccessDenial extends Error {
  override readonly name = 'AccessDenial'
}

describe('what queries look up', () => {
  let rest: Rest
  const lookup = { terms: { k: { index: 'secret', id: '1', path: 'k' } } }
  const like = {
    more_like_this: {
      fields: ['t'],
      like: { _index: 'secret', _id: '1' },
      include: true,
      min_term_freq: 1,
      min_doc_freq: 1,
    },
  }

  async function ask(method: string, path: string, body: object | string, mayRead = true): Promise<string> {
    const answer = await askBackend(rest.backend, method, path, body, (indices) => {
      if (!mayRead && indices.includes('secret')) throw new AccessDenial('not allowed')
    })
    return String(answer.body)
  }

  beforeAll(async () => {
    rest = await openRest('OpenSearch_2.19')
    const index = (name: string, id: string, document: object): Promise<string> =>
      ask('PUT', `/${name}/_doc/${id}?refresh=true`, document)
    await ask('PUT', '/open', { mappings: { properties: { k: { type: 'keyword' } } } })
    await ask('PUT', '/alerts', { mappings: { properties: { k: { type: 'keyword' }, q: { type: 'percolator' } } } })
    await index('secret', '1', { k: ['a'], t: 'quick brown' })
    await index('open', '1', { k: 'a', t: 'quick fox' })
    await index('open', '2', { k: 'b', t: 'lazy dog' })
    await index('alerts', '1', { q: { bool: { filter: [lookup] } } })
    await ask('POST', '/_aliases', {
      actions: [{ add: { index: 'open', alias: 'some', filter: like } }],
    })
  })

  afterAll(() => rest.close())

  const asked: readonly (readonly [what: string, path: string, body: object | string])[] = [
    ['a query', '/open/_search', { query: lookup }],
    ['a query of likeness', '/open/_search', { query: like }],
    ['a count', '/open/_count', { query: lookup }],
    ['an aggregation', '/open/_search', { size: 0, aggs: { a: { filter: lookup } } }],
    ['a post_filter', '/open/_search', { post_filter: lookup }],
    ['a search of several', '/_msearch', `{"index":"open"}\n${JSON.stringify({ query: lookup })}\n`],
    ['a highlight', '/open/_search', { highlight: { fields: { t: { highlight_query: lookup } } } }],
    ['a query in base64', '/open/_search', { query: { wrapper: { query: btoa(JSON.stringify(lookup)) } } }],
    ['a percolation', '/alerts/_search', { query: { percolate: { field: 'q', index: 'secret', id: '1' } } }],
    ['a stored query', '/alerts/_search', { query: { percolate: { field: 'q', document: { k: 'a' } } } }],
    [
      'the query of a suggested phrase',
      '/open/_search',
      {
        suggest: {
          s: {
            text: 'lazi',
            phrase: {
              field: 't',
              confidence: 0,
              collate: { query: { source: JSON.stringify({ bool: { should: [lookup] } }) } },
            },
          },
        },
      },
    ],
    ["an alias's filter", '/some/_search', {}],
  ]

  it.each(asked)('must be allowed to the caller in %s', async (_, path, body) => {
    await expect(ask('POST', path, body, false)).rejects.toThrow('not allowed')
    expect(await ask('POST', path, body)).not.toContain('"error"')
  })

  it('is what it is when the search runs, whatever was answered before', async () => {
    const total = async (path: string, body: object): Promise<unknown> =>
      (JSON.parse(await ask('POST', path, body)) as { hits: { total: { value: number } } }).hits.total.value
    const body = { size: 0, query: lookup }
    expect([await total('/open/_search', body), await total('/some/_search', { size: 0 })]).toEqual([1, 1])
    await ask('PUT', '/secret/_doc/1?refresh=true', { k: ['a', 'b'], t: 'quick lazy' })
    expect([await total('/open/_search', body), await total('/some/_search', { size: 0 })]).toEqual([2, 2])
  })
})
