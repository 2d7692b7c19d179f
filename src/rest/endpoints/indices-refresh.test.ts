import { expect, it } from 'vitest'
import { openRest } from '../../../test/open-rest.ts'

it.each([
  ['DELETE', '/c'],
  ['POST', '/c/_close'],
])('refreshes the other indices too when one is gone meanwhile (%s %s)', async (method, path) => {
  const rest = await openRest('Elasticsearch_6.8')
  for (const name of ['a', 'b', 'c', 'd']) {
    await rest.ask('PUT', `/${name}`, { settings: { refresh_interval: -1 } })
    // Large enough for another thread to make the segment: the requests below come in between.
    const lines = Array.from({ length: 300 }, (_, i) => `{"index":{}}\n{"text":"${'word '.repeat(100)}${i}"}\n`)
    await rest.ask('POST', `/${name}/_doc/_bulk`, lines.join(''))
  }
  const refreshed = rest.ask('POST', '/_refresh')
  const changed = rest.ask(method, path)
  expect((await refreshed).status).toBe(200)
  expect((await changed).status).toBe(200)
  for (const name of ['a', 'b', 'd'])
    expect((await rest.ask('GET', `/${name}/_search`)).json, name).toMatchObject({ hits: { total: 300 } })
  await rest.close()
})

it('refreshes for gets of several documents what an alias names', async () => {
  const rest = await openRest('Elasticsearch_6.8')
  await rest.ask('PUT', '/a', { settings: { refresh_interval: -1 }, aliases: { b: {} } })
  await rest.ask('PUT', '/a/_doc/1', { n: 1 })
  const { json } = await rest.ask('GET', '/b/_doc/_mget?refresh&realtime=false', { ids: ['1'] })
  expect(json).toMatchObject({ docs: [{ _id: '1', found: true }] })
  await rest.close()
})
