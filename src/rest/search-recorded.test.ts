import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../test/ask-backend.ts'
import { openRest, type Rest } from '../../test/open-rest.ts'
import type { Backend } from '../backend.ts'
import type { EngineVersion } from '../engine/engine-version.ts'

// What real servers answered to searches with aggregations, suggestions and queries of all kinds; recorded by
// `node record.mjs URL FILE` in aggregation-dsl/vectors (for all folders' files).

interface Recorded {
  readonly server: string
  /** Mappings stand under a type. */
  readonly typed: boolean
  readonly settings: object
  readonly mapping: object
  readonly documents: readonly object[]
  readonly cases: readonly {
    readonly name: string
    readonly body: object
    readonly parameters?: string
    readonly answer: {
      /** From `"hits":` on. */
      readonly text?: string
      readonly error?: { readonly type: string; readonly reason: string }
    }
  }[]
}

const FILES: readonly (readonly [file: string, version: EngineVersion])[] = [
  ['aggregation-dsl/vectors/elasticsearch-6.8.json', 'Elasticsearch_6.8'],
  ['aggregation-dsl/vectors/opensearch-2.19.json', 'OpenSearch_2.19'],
  ['suggest-dsl/vectors/elasticsearch-6.8.json', 'Elasticsearch_6.8'],
  ...readdirSync(new URL('query-dsl/vectors', import.meta.url)).map(
    (file) =>
      [
        `query-dsl/vectors/${file}`,
        file.includes('opensearch') ? 'OpenSearch_2.19' : 'Elasticsearch_6.8',
      ] as const satisfies [string, EngineVersion],
  ),
]

async function ask(
  backend: Backend,
  method: string,
  path: string,
  body: string,
): Promise<{ status: number; text: string }> {
  const answer = await askBackend(backend, method, path, body)
  return { status: answer.status, text: String(answer.body) }
}

describe.each(FILES)('searches of %s', (file, version) => {
  const recorded = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as Recorded
  let rest: Rest

  beforeAll(async () => {
    rest = await openRest(version)
    const { typed, settings, mapping, documents } = recorded
    const mappings = typed ? { _doc: mapping } : mapping
    const created = await ask(
      rest.backend,
      'PUT',
      '/recorded',
      JSON.stringify({ settings: { number_of_shards: 1, number_of_replicas: 0, ...settings }, mappings }),
    )
    expect(created.status, created.text).toBe(200)
    const lines = documents.flatMap((document, i) => [
      JSON.stringify({ index: { _index: 'recorded', ...(typed ? { _type: '_doc' } : {}), _id: String(i) } }),
      JSON.stringify(document),
    ])
    const loaded = await ask(rest.backend, 'POST', '/_bulk?refresh=true', `${lines.join('\n')}\n`)
    expect(loaded.text).toContain('"errors":false')
  })

  afterAll(() => rest.close())

  it.each(recorded.cases.map((one) => [one.name, one] as const))(
    'answers %s as the real server does',
    async (_, one) => {
      const { text } = await ask(
        rest.backend,
        'POST',
        `/recorded/_search${one.parameters ?? ''}`,
        JSON.stringify(one.body),
      )
      if (one.answer.text !== undefined) {
        expect(text.slice(text.indexOf('"hits":'))).toBe(one.answer.text)
        return
      }
      const { error } = JSON.parse(text) as { error: { root_cause: { type: string; reason: string }[] } }
      const { type, reason } = error.root_cause[0] as { type: string; reason: string }
      expect({ type, reason: reason.replace(/\[\d+:\d+\] /g, '') }).toEqual(one.answer.error)
    },
  )
})
