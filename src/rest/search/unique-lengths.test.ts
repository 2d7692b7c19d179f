import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest, type Rest } from '../../../test/open-rest.ts'

// Scores as OpenSearch 2.19.3 gives them.

describe('texts without frequencies', () => {
  let rest: Rest

  beforeAll(async () => {
    rest = await openRest('OpenSearch_2.19')
    await askBackend(rest.backend, 'PUT', '/u', {
      mappings: {
        properties: { t: { type: 'text', index_options: 'docs' }, f: { type: 'text', index_options: 'freqs' } },
      },
    })
    const texts = ['a a a b', 'a b c d', 'a', 'a a a a a a a a b b b b b c']
    for (const [i, t] of texts.entries()) await askBackend(rest.backend, 'PUT', `/u/_doc/${i + 1}?refresh`, { t, f: t })
  })
  afterAll(() => rest.close())

  it('are as long as they have different words', async () => {
    const scores = async (field: string): Promise<unknown> => {
      const answer = await askBackend(rest.backend, 'POST', '/u/_search', { query: { match: { [field]: 'a' } } })
      const { hits } = JSON.parse(String(answer.body)) as {
        readonly hits: { readonly hits: readonly { readonly _id: string; readonly _score: number }[] }
      }
      return hits.hits.map(({ _id, _score }) => [_id, _score])
    }
    expect(await scores('t')).toEqual([
      ['3', 0.13963442],
      ['1', 0.11474907],
      ['4', 0.09739208],
      ['2', 0.08459602],
    ])
    expect(await scores('f')).toEqual([
      ['1', 0.17711768],
      ['4', 0.17675067],
      ['3', 0.15914156],
      ['2', 0.12034406],
    ])
  })
})
