import { expect, it } from 'vitest'
import { openRest } from '../../../test/open-rest.ts'

// biome-ignore lint/suspicious/noExplicitAny: members of an answer
type Answer = any

it("keeps a node's counters where indices are closed or removed", async () => {
  const rest = await openRest('Elasticsearch_7.10')
  try {
    const ofNode = async (): Promise<Answer> => {
      const { nodes }: Answer = (await rest.ask('GET', '/_nodes/stats/indices')).json
      return (Object.values(nodes)[0] as Answer).indices
    }
    for (const name of ['gone', 'shut', 'open']) {
      await rest.ask('PUT', `/${name}/_doc/1?refresh`, { a: 1 })
      await rest.ask('GET', `/${name}/_doc/1`)
      await rest.ask('GET', `/${name}/_search`)
    }
    const before = await ofNode()
    expect(before.docs.count).toBe(3)
    await rest.ask('DELETE', '/gone')
    await rest.ask('POST', '/shut/_close')
    const after = await ofNode()
    expect(after.docs.count).toBe(1)
    expect(after.indexing.index_total).toBe(3)
    expect(after.get.exists_total).toBe(3)
    expect(after.search.query_total).toBe(3)
    expect(after.refresh.total).toBeGreaterThanOrEqual(before.refresh.total)
    const { _all: all }: Answer = (await rest.ask('GET', '/_stats')).json
    expect(all.total.indexing.index_total).toBe(1)
  } finally {
    await rest.close()
  }
})
