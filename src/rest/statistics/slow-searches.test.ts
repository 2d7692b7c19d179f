import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LogLine, SlowLog } from '../../../test/slow-log.ts'

let slow: SlowLog
let lines: readonly LogLine[] = []

beforeAll(async () => {
  slow = await SlowLog.open('Elasticsearch_6.8', 'index.search.slowlog', 'slow search')
  for (const id of [1, 2, 3]) await slow.rest.ask('PUT', `/slow/_doc/${id}?refresh=true`, { a: 'x' })
})
afterAll(() => slow.rest.close())

/** {@link SlowLog.told}, in short. */
async function told(settings: object, ask: () => Promise<unknown>): Promise<readonly string[]> {
  lines = await slow.told(settings, ask)
  return lines.map(({ level, message }) => `${level} ${message}`)
}

const query = { query: { match: { a: 'x' } } }
const search = () => slow.rest.ask('POST', '/slow/_search', query)

it('tells of searches that take longer than their index says, by phase and level', async () => {
  expect(await told({ level: 'trace' }, search)).toEqual([])
  const threshold = { query: { warn: '1h', info: '0ms', debug: '0ms' }, fetch: { trace: '0ms' } }
  expect(await told({ threshold }, search)).toEqual(['info slow search: query', 'debug slow search: fetch'])
  expect(lines[0]?.fields).toEqual({ index: 'slow', tookMillis: expect.any(Number), source: JSON.stringify(query) })
  expect(await told({ threshold }, () => slow.rest.ask('POST', '/slow/_count', query))).toEqual([
    'info slow search: query',
  ])
  const lists = `{}\n${JSON.stringify(query)}\n`
  expect((await told({ level: 'trace' }, () => slow.rest.ask('POST', '/slow/_msearch', lists))).length).toBe(2)
})

it('tells of each page of a scroll', async () => {
  const pages = async () => {
    const { json }: { json: { _scroll_id?: string } } = await slow.rest.ask(
      'POST',
      '/slow/_search?scroll=1m&size=1',
      query,
    )
    await slow.rest.ask('POST', '/_search/scroll', { scroll: '1m', scroll_id: json._scroll_id })
  }
  expect(await told({ threshold: { query: { warn: '0ms' } } }, pages)).toEqual([
    'warn slow search: query',
    'warn slow search: query',
  ])
})

it('tells of none below the level asked for, and of none where that is taken back', async () => {
  const threshold = { query: { warn: '1h', info: '0ms' }, fetch: { trace: '0ms' } }
  expect(await told({ level: 'WARN', threshold }, search)).toEqual([])
  expect(await told({ level: 'info', threshold }, search)).toEqual(['info slow search: query'])
  expect(
    await told({ level: null, threshold: { query: { info: -1, debug: null }, fetch: { trace: null } } }, search),
  ).toEqual([])
})
