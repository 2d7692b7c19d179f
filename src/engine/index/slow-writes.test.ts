import { afterAll, beforeAll, expect, it } from 'vitest'
import { SlowLog } from '../../../test/slow-log.ts'

let slow: SlowLog

beforeAll(async () => {
  slow = await SlowLog.open('OpenSearch_2.19', 'index.indexing.slowlog', 'slow write')
  await slow.rest.ask('PUT', '/slow', { mappings: { properties: { a: { type: 'text' } } } })
})
afterAll(() => slow.rest.close())

const told: SlowLog['told'] = (settings, ask) => slow.told(settings, ask)
const all = { threshold: { index: { warn: '1h', info: '0ms', trace: '0ms' } } }
const write = (body: object | string, path = '/slow/_doc/1?routing=r') => slow.rest.ask('PUT', path, body)

it('tells of writes that take longer than their index says', async () => {
  expect(await told({ level: 'trace' }, () => write({ a: 'x' }))).toEqual([])
  const [line, ...others] = await told(all, () => write('{ "a": "x \\" y",\n "n": 1.0 }'))
  expect(others).toEqual([])
  expect(line).toEqual({
    level: 'info',
    message: 'slow write',
    fields: { index: 'slow', tookMillis: expect.any(Number), id: '1', routing: 'r', source: '{"a":"x \\" y","n":1.0}' },
  })
  const source = async (settings: object, body: string) =>
    (await told({ ...all, ...settings }, () => write(body)))[0]?.fields['source']
  expect(await source({ source: 3 }, '{ "😀": 1 }')).toBe('{"')
  expect(await source({ source: true, reformat: false }, '{ "a": "x" }')).toBe('{ "a": "x" }')
  expect(await source({ source: false }, '{}')).toBeUndefined()
})

it('tells of each of a bulk that stores something, and of none below the level asked for', async () => {
  const bulk = [
    { index: { _id: '2' } },
    { a: 'x' },
    { create: { _id: '2' } },
    { a: 'x' },
    { update: { _id: '2' } },
    { doc: { a: 'y' } },
    { update: { _id: '2' } },
    { doc: { a: 'y' } },
    { delete: { _id: '2' } },
  ]
  const ask = () => slow.rest.ask('POST', '/slow/_bulk', `${bulk.map((line) => JSON.stringify(line)).join('\n')}\n`)
  const plain = { level: 'trace', source: null, reformat: null, ...all }
  expect((await told(plain, ask)).map(({ fields }) => fields['source'])).toEqual(['{"a":"x"}', '{"a":"y"}'])
  expect(await told({ ...plain, level: 'warn' }, ask)).toEqual([])
  expect(await told({ level: null, threshold: { index: { info: -1, trace: null } } }, ask)).toEqual([])
})

it('tells of documents that another thread reads once, with the time that takes', async () => {
  const words = `{"a":"${'word '.repeat(2 ** 18)}"}`
  const [line, ...others] = await told({ threshold: { index: { warn: '5ms' } } }, () => write(words, '/slow/_doc/3'))
  expect(others).toEqual([])
  expect(line?.fields['tookMillis']).toBeGreaterThan(5)
})
