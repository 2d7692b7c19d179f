import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openRest, type Rest } from '../../../test/open-rest.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'

/** More than are searched for a page at first. */
const DOCUMENTS = 9_000

vi.mock(import('./sought-hits.ts'), async (original) => ({
  ...(await original()),
  soughtAtOnce: (pageSize: number) => Math.max(1_000, pageSize),
}))

// Segments that are joined between two searches leave other statistics and other numbers of documents.
vi.mock(import('../../engine/index/merge-policy.ts'), async (original) => ({
  ...(await original()),
  chooseQuietMerge: () => undefined,
}))

interface Page {
  readonly _scroll_id: string
  readonly hits: {
    readonly total: number | { readonly value: number }
    readonly max_score: number | null
    readonly hits: readonly {
      readonly _id: string
      readonly _score: number | null
      readonly sort?: readonly unknown[]
    }[]
  }
}

const VERSIONS: readonly EngineVersion[] = ['Elasticsearch_6.8', 'Elasticsearch_7.10', 'OpenSearch_2.19']

describe.each(VERSIONS)('pages of a scroll, %s', (version) => {
  let rest: Rest

  beforeAll(async () => {
    rest = await openRest(version)
    await rest.ask('PUT', '/few', { settings: { 'index.max_result_window': 20_000 } })
    const properties = { g: { type: 'keyword' } }
    for (const index of ['many', 'other']) {
      await rest.ask('PUT', `/${index}`, {
        settings: { number_of_shards: 1, 'index.max_result_window': 20_000 },
        mappings: version === 'Elasticsearch_6.8' ? { _doc: { properties } } : { properties },
      })
      // Segments of several bulks, with documents removed and written again.
      for (let from = 0; from < DOCUMENTS; from += 3_000) {
        const lines = Array.from({ length: 3_000 }, (_, k) => {
          const i = from + k
          return `{"index":{"_id":"${index}${i}","_type":"_doc"}}\n{"n":${i},"g":"g${i % 997}","t":"${i % 7 === 0 ? 'fox' : 'dog'} ${i % 3}"}\n`
        })
        const typed = version === 'Elasticsearch_6.8' ? lines : lines.map((line) => line.replace(',"_type":"_doc"', ''))
        expect((await rest.ask('POST', `/${index}/_bulk?refresh=true`, typed.join(''))).json).toMatchObject({
          errors: false,
        })
      }
      await rest.ask('POST', `/${index}/_forcemerge?max_num_segments=2`)
      await rest.ask('POST', `/${index}/_delete_by_query?refresh=true`, {
        query: { range: { n: { gte: 500, lt: 700 } } },
      })
    }
    await rest.ask('PUT', '/few/_doc/1?refresh=true', { n: 5 })
    await rest.ask('POST', '/_aliases', {
      actions: [{ add: { index: 'many', alias: 'foxes', filter: { match: { t: 'fox' } } } }],
    })
  }, 60_000)

  afterAll(() => rest.close())

  /** All pages of a scroll; `between` runs behind the first. */
  async function scrolled(path: string, body: object, between = async (): Promise<void> => {}): Promise<Page[]> {
    const pages: Page[] = [(await rest.ask('POST', `/${path}/_search?scroll=1m`, body)).json]
    await between()
    while ((pages.at(-1) as Page).hits.hits.length > 0) {
      const { _scroll_id: scroll_id } = pages.at(-1) as Page
      pages.push((await rest.ask('POST', '/_search/scroll', { scroll: '1m', scroll_id })).json)
    }
    return pages
  }

  it.each([
    ['everything', 'many', {}],
    ['everything of several indices', 'few,many,other', {}],
    ['by documents', 'many', { sort: ['_doc'] }],
    ['by documents of several indices', 'other,few,many', { sort: ['_doc'], query: { match: { t: 'fox' } } }],
    ['by documents, with scores', 'many', { sort: ['_doc'], track_scores: true, query: { match: { t: 'fox' } } }],
    ['of few matches far from each other', 'many,other', { sort: ['_doc'], query: { term: { n: 8_999 } } }],
    ['of a constant score', 'many', { query: { constant_score: { filter: { match: { t: 'fox' } }, boost: 3 } } }],
    ['of a filter', 'many', { sort: ['_doc'], post_filter: { match: { t: 'fox' } } }],
    ['of an alias with a filter', 'foxes', {}],
    ['of a slice', 'many', { sort: ['_doc'], slice: { id: 1, max: 3 } }],
    ['of a slice of several indices', 'many,other', { slice: { id: 0, max: 2 } }],
    ['by score', 'many', { query: { match: { t: 'fox 1' } } }],
    ['by score, of several indices', 'many,few,other', { query: { match: { t: 'fox 1' } }, min_score: 0.1 }],
    ['by score, some weighed', 'many,other', { query: { match: { t: 'dog 1' } }, indices_boost: [{ other: 2 }] }],
    ['the worst score first', 'many', { query: { match: { t: 'fox 1' } }, sort: [{ _score: 'asc' }] }],
    ['by a field', 'many', { sort: [{ n: 'desc' }] }],
    ['by a field that few have', 'few,many', { sort: [{ k: { order: 'desc', unmapped_type: 'long' } }] }],
    ['by a field, of a slice', 'many,other', { sort: [{ n: 'asc' }], slice: { id: 1, max: 2 } }],
    ['by texts', 'many,few,other', { sort: [{ g: { order: 'desc', unmapped_type: 'keyword' } }] }],
    ['by texts and numbers', 'other,many', { sort: [{ g: 'asc' }, { n: 'desc' }] }],
    ['by a text and the score', 'many', { sort: [{ g: 'asc' }, '_score'], query: { match: { t: 'fox 2' } } }],
    ['by a field, filtered', 'other,many', { sort: ['n'], post_filter: { match: { t: 'dog' } }, track_scores: true }],
    ['by a script', 'many', { sort: [{ _script: { type: 'number', script: "doc['n'].value % 7" } }] }],
  ])('show what one search shows: %s', async (_what, path, body) => {
    const inOne: Page = (await rest.ask('POST', `/${path}/_search?scroll=1m`, { ...body, size: 20_000 })).json
    const pages = await scrolled(path, { ...body, size: 700 })
    const shown = pages.flatMap(({ hits }) => hits.hits.map(({ _id, _score, sort }) => [_id, _score, sort]))
    expect(shown).toEqual(inOne.hits.hits.map(({ _id, _score, sort }) => [_id, _score, sort]))
    expect(shown.length).toBeGreaterThan(0)
    for (const { hits } of pages) expect([hits.total, hits.max_score]).toEqual([inOne.hits.total, inOne.hits.max_score])
  })

  it.each(['_doc', 'n'])('go on without an index that is removed between them, by %s', async (sort) => {
    await rest.ask('PUT', '/gone', version === 'Elasticsearch_6.8' ? { settings: { number_of_shards: 1 } } : {})
    for (let i = 0; i < 5; i++) await rest.ask('PUT', `/gone/_doc/${i}?refresh=true`, { n: i })
    const pages = await scrolled(
      'few,gone,many',
      { sort: [sort], size: 3 + 700, query: { range: { n: { lt: 2_000 } } } },
      async () => {
        await rest.ask('DELETE', '/gone')
      },
    )
    const total = (page: Page | undefined): number => {
      const of = page?.hits.total as number | { value: number }
      return typeof of === 'number' ? of : of.value
    }
    expect([total(pages[0]), total(pages.at(-1))]).toEqual([1_806, 1_801])
    const ids = pages.slice(1).flatMap(({ hits }) => hits.hits.map(({ _id }) => _id))
    expect(ids.some((id) => !id.startsWith('many'))).toBe(false)
    expect(new Set(ids).size).toBe(1_806 - 703)
  })

  it('are each shown once where several are asked for at the same time', async () => {
    const first: Page = (await rest.ask('POST', '/many/_search?scroll=1m', { sort: ['n'], size: 900 })).json
    const { _scroll_id: scroll_id } = first
    const asked = Array.from({ length: 10 }, () => rest.ask('POST', '/_search/scroll', { scroll: '1m', scroll_id }))
    const later: Page[] = (await Promise.all(asked)).map(({ json }) => json)
    const shown = [first, ...later].flatMap(({ hits }) => hits.hits.map(({ sort }) => sort?.[0] as number))
    expect(shown).toEqual(Array.from({ length: DOCUMENTS }, (_, n) => n).filter((n) => n < 500 || n >= 700))
  })

  it('that are being found are found though the scroll is cleared', async () => {
    const { _scroll_id: scroll_id }: Page = (
      await rest.ask('POST', '/many/_search?scroll=1m', { sort: ['n'], size: 1_000 })
    ).json
    const next = rest.ask('POST', '/_search/scroll', { scroll: '1m', scroll_id })
    await rest.ask('DELETE', '/_search/scroll', { scroll_id })
    const found: Page = (await next).json
    expect(found.hits.hits).toHaveLength(1_000)
    expect((await rest.ask('POST', '/_search/scroll', { scroll: '1m', scroll_id })).status).toBe(404)
  })
})
