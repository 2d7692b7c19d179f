import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../../test/open-rest.ts'

const DOCUMENTS = 1_300
const PAGE = 600

let rest: Rest
beforeAll(async () => {
  rest = await openRest('OpenSearch_2.19')
  const lines = Array.from({ length: DOCUMENTS }, (_, n) => `{"index":{"_id":"${n}"}}\n{"n":${n}}\n`)
  await rest.ask('POST', '/a/_bulk?refresh=true', lines.join(''))
})
afterAll(() => rest.close())

interface Page {
  readonly _scroll_id: string
  readonly hits: { readonly total: object; readonly hits: readonly { readonly _source: { readonly n: number } }[] }
}

const begin = async (query = ''): Promise<Page> =>
  (await rest.ask('POST', `/a/_search?scroll=1m${query}`, { size: PAGE, sort: ['n'] })).json
const next = async ({ _scroll_id: scroll_id }: Page): Promise<Page> =>
  (await rest.ask('POST', '/_search/scroll', { scroll_id })).json
const shown = ({ hits }: Page): number[] => hits.hits.map(({ _source }) => _source.n)
const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)

describe('a scroll of pages that are shown in turns', () => {
  it('shows each hit once, in order', async () => {
    const first = await begin()
    const second = await next(first)
    const third = await next(second)
    expect(first.hits.total).toEqual({ value: DOCUMENTS, relation: 'eq' })
    expect(shown(first)).toEqual(numbers(0, PAGE))
    expect(shown(second)).toEqual(numbers(PAGE, 2 * PAGE))
    expect(shown(third)).toEqual(numbers(2 * PAGE, DOCUMENTS))
    expect(shown(await next(third))).toEqual([])
  })

  it('gives those who ask at once a page each', async () => {
    const first = await begin()
    const pages = await Promise.all([next(first), next(first)])
    expect(pages.map(shown)).toEqual([numbers(PAGE, 2 * PAGE), numbers(2 * PAGE, DOCUMENTS)])
  })

  it('shows a page whole where it is cleared meanwhile', async () => {
    const first = await begin('&filter_path=_scroll_id,hits')
    const second = next(first)
    const cleared = await rest.ask('DELETE', '/_search/scroll', { scroll_id: first._scroll_id })
    expect(cleared.json).toEqual({ succeeded: true, num_freed: 1 })
    expect(shown(await second)).toEqual(numbers(PAGE, 2 * PAGE))
    expect(await next(first)).toMatchObject({ status: 404 })
  })
})
