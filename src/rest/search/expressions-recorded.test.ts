import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../../test/open-rest.ts'
import { DOCUMENTS, PLACES, PROPERTIES, shown } from './vectors/expression-cases.mjs'

interface Case {
  readonly place: string
  readonly source: string
  readonly params?: object
  readonly answers: Readonly<Record<string, unknown>>
}

// What real servers answer; recorded by record-expressions.mjs in vectors.
const CASES = JSON.parse(readFileSync(new URL('vectors/expressions.json', import.meta.url), 'utf8')) as Case[]

describe.each(['Elasticsearch_6.8', 'Elasticsearch_7.10', 'OpenSearch_2.19'] as const)(
  'expressions in %s',
  (version) => {
    let rest: Rest

    beforeAll(async () => {
      rest = await openRest(version)
      const isTyped = version === 'Elasticsearch_6.8'
      const mappings = isTyped ? { _doc: { properties: PROPERTIES } } : { properties: PROPERTIES }
      await rest.ask('PUT', '/expressions', { settings: { number_of_shards: 1 }, mappings })
      const lines = DOCUMENTS.map((document, id) => `{"index":{"_id":"${id}"}}\n${document}\n`)
      await rest.ask('POST', `/expressions/${isTyped ? '_doc/' : ''}_bulk?refresh`, lines.join(''))
    })
    afterAll(() => rest.close())

    it.each(CASES)('$place: $source $params', async ({ place, source, params, answers }) => {
      const script = { lang: 'expression', source, ...(params === undefined ? {} : { params }) }
      const { status, json } = await rest.ask('POST', '/expressions/_search', PLACES[place]?.(script))
      expect(shown(status, json)).toEqual(answers['all'] ?? answers[version])
    })

    it.each([
      ['too deep', '('.repeat(30_000)],
      ['too deep', `${'-'.repeat(60_000)}1`],
      ['too many parts', `1${'+1'.repeat(30_000)}`],
      ['too long', `1${' '.repeat(70_000)}`],
    ])('are refused where they are %s', async (_, source) => {
      for (const body of Object.values(PLACES)) {
        const { status } = await rest.ask('POST', '/expressions/_search', body({ lang: 'expression', source }))
        expect(status).toBe(400)
      }
    })

    it('are not stored for a place where they are too deep', async () => {
      const script = { lang: 'expression', source: '('.repeat(30_000) }
      const { status, json } = await rest.ask('PUT', '/_scripts/deep/score', { script })
      expect({ status, json }).toMatchObject({ status: 400, json: { error: { type: 'script_exception' } } })
    })

    it('run by the name that they are stored under', async () => {
      await rest.ask('PUT', '/_scripts/twice', { script: { lang: 'expression', source: "doc['n'].value * factor" } })
      const search = PLACES['field']?.({ id: 'twice', params: { factor: 2 } })
      const { json } = await rest.ask('POST', '/expressions/_search', search)
      const expected = [10, 2, 0, -14, 4294967294].map((value, id) => [String(id), value])
      expect(shown(200, json)).toEqual(expected)
    })
  },
)
