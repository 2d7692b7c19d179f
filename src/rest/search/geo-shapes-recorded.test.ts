import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest, type Rest } from '../../../test/open-rest.ts'

// What real servers answer about shapes; recorded by `node record-geo-shapes.mjs URL 6|2 FILE` in vectors.

interface Fault {
  readonly type: string
  readonly reason: string
}

interface Recorded {
  readonly properties: object
  readonly documents: readonly {
    readonly source: object
    readonly answer: { readonly status: number; readonly fault?: readonly Fault[] }
  }[]
  readonly queries: readonly {
    readonly query: object
    readonly answer: { readonly status: number; readonly ids?: readonly string[]; readonly fault?: readonly Fault[] }
  }[]
}

interface Rendered extends Fault {
  readonly caused_by?: Rendered
  readonly failed_shards?: readonly { readonly reason: Rendered }[]
}

/** An error and its causes, without what only tells where in a text they are. */
function faultOf(error: Rendered): Fault[] {
  const chain: Fault[] = []
  for (let at: Rendered | undefined = error.failed_shards?.[0]?.reason ?? error; at !== undefined; at = at.caused_by) {
    const reason = at.reason
      .replace(/\[\d+:\d+\] /g, '')
      .replace(/^failed to create query: .*$/s, 'failed to create query')
      .replace(/ at \d+:\d+$/, '')
    chain.push({ type: at.type, reason })
  }
  return chain
}

describe.each([
  ['Elasticsearch_6.8', 'geo-shapes-elasticsearch-6.8.json'],
  ['OpenSearch_2.19', 'geo-shapes-opensearch-2.19.json'],
] as const)('shapes as %s answers about them', (engineVersion, file) => {
  const recorded = JSON.parse(readFileSync(new URL(`vectors/${file}`, import.meta.url), 'utf8')) as Recorded
  let rest: Rest

  const ask = async (method: string, path: string, body?: object) => {
    const answer = await askBackend(rest.backend, method, path, body === undefined ? undefined : JSON.stringify(body))
    return { status: answer.status, body: JSON.parse(String(answer.body)) as Record<string, unknown> }
  }

  beforeAll(async () => {
    rest = await openRest(engineVersion)
    const mapping = { properties: recorded.properties }
    const mappings = engineVersion === 'Elasticsearch_6.8' ? { _doc: mapping } : mapping
    const settings = { number_of_shards: 1, number_of_replicas: 0 }
    expect((await ask('PUT', '/recorded', { settings, mappings })).status).toBe(200)
  })

  afterAll(() => rest.close())

  it('indexes and refuses documents as recorded, and finds those recorded', async () => {
    for (const [id, { source, answer }] of recorded.documents.entries()) {
      const { status, body } = await ask('PUT', `/recorded/_doc/${id}`, source)
      const given = status < 300 ? { status } : { status, fault: faultOf(body['error'] as Rendered) }
      expect(given, JSON.stringify(source)).toEqual(answer)
    }
    await ask('POST', '/recorded/_refresh')
    for (const { query, answer } of recorded.queries) {
      const { status, body } = await ask('POST', '/recorded/_search', { query, size: 1000, _source: false })
      const hits = (body['hits'] as { hits: { _id: string }[] } | undefined)?.hits ?? []
      const ids = hits.map(({ _id }) => _id).sort()
      const given = status === 200 ? { status, ids } : { status, fault: faultOf(body['error'] as Rendered) }
      // A fault of the caller's is a 400 here, whatever the real server stumbled over.
      const expected = answer.status === 500 ? { ...answer, status: 400 } : answer
      expect(given, JSON.stringify(query)).toEqual(expected)
    }
  })
})
