import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRest, type Rest } from '../../../test/open-rest.ts'

let rest: Rest
let lines: { readonly level: string; readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[] =
  []

beforeAll(async () => {
  const log = (level: string, fields: Readonly<Record<string, unknown>>, message: string) =>
    void lines.push({ level, message, fields })
  rest = await openRest('Elasticsearch_6.8', { log })
  for (const id of [1, 2, 3]) await rest.ask('PUT', `/slow/_doc/${id}?refresh=true`, { a: 'x' })
})
afterAll(() => rest.close())

/** What is told of while something is asked, with the index' settings so. */
async function told(settings: object, ask: () => Promise<unknown>) {
  const { status } = await rest.ask('PUT', '/slow/_settings', { 'index.search.slowlog': settings })
  expect(status).toBe(200)
  lines = []
  await ask()
  return lines.filter(({ message }) => message.startsWith('slow search')).map((line) => `${line.level} ${line.message}`)
}

const query = { query: { match: { a: 'x' } } }
const search = () => rest.ask('POST', '/slow/_search', query)

it('tells of searches that take longer than their index says, by phase and level', async () => {
  expect(await told({ level: 'trace' }, search)).toEqual([])
  const threshold = { query: { warn: '1h', info: '0ms', debug: '0ms' }, fetch: { trace: '0ms' } }
  expect(await told({ threshold }, search)).toEqual(['info slow search: query', 'debug slow search: fetch'])
  expect(lines[0]?.fields).toEqual({ index: 'slow', tookMillis: expect.any(Number), source: JSON.stringify(query) })
  expect(await told({ threshold }, () => rest.ask('POST', '/slow/_count', query))).toEqual(['info slow search: query'])
  const lists = `{}\n${JSON.stringify(query)}\n`
  expect((await told({ level: 'trace' }, () => rest.ask('POST', '/slow/_msearch', lists))).length).toBe(2)
})

it('tells of each page of a scroll', async () => {
  const pages = async () => {
    const { json }: { json: { _scroll_id?: string } } = await rest.ask('POST', '/slow/_search?scroll=1m&size=1', query)
    await rest.ask('POST', '/_search/scroll', { scroll: '1m', scroll_id: json._scroll_id })
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
