import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRest, type Rest } from '../../../test/open-rest.ts'

let rest: Rest

beforeAll(async () => {
  rest = await openRest('OpenSearch_2.19')
})

afterAll(() => rest.close())

it.each([1_000, 30_000])('pipelines count each of %d documents of a bulk once', async (count) => {
  await rest.ask('PUT', `/_ingest/pipeline/p${count}`, { processors: [{ set: { field: 'a', value: 1 } }] })
  const lines = `{"index":{"_index":"i${count}","pipeline":"p${count}"}}\n${JSON.stringify({ t: 'x'.repeat(60) })}\n`
  await rest.ask('POST', '/_bulk', lines.repeat(count))
  const { json } = await rest.ask('GET', '/_nodes/stats/ingest')
  const [node] = Object.values((json as { nodes: Record<string, never> }).nodes)
  expect(node).toMatchObject({ ingest: { pipelines: { [`p${count}`]: { count } } } })
})
