import { expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest } from '../../../test/open-rest.ts'

it('tells for each pool how many requests were its work', async () => {
  const rest = await openRest('Elasticsearch_7.10')
  const ask = (method: string, path: string, body?: string) => askBackend(rest.backend, method, path, body)
  await ask('PUT', '/a/_doc/1?refresh=true', '{"n":1}')
  await ask('DELETE', '/a/_doc/1')
  await ask('GET', '/a/_doc/1')
  await ask('POST', '/a/_search')
  await ask('POST', '/_analyze', '{"text":"a"}')
  await ask('POST', '/a/_refresh')
  await ask('POST', '/a/_nothing')
  const { body } = await ask(
    'GET',
    '/_cat/thread_pool/analyze,flush,get,refresh,search,write?h=name,completed&format=json',
  )
  expect(JSON.parse(String(body))).toEqual([
    { name: 'analyze', completed: '1' },
    { name: 'flush', completed: '0' },
    { name: 'get', completed: '1' },
    { name: 'refresh', completed: '1' },
    { name: 'search', completed: '1' },
    { name: 'write', completed: '2' },
  ])
  await rest.close()
})

it("tells of queues without a limit, and of OpenSearch's pools that count how long work waits", async () => {
  const rest = await openRest('OpenSearch_2.19')
  const { json } = await rest.ask(
    'GET',
    '/_cat/thread_pool/generic,search?h=name,queue_size,total_wait_time&format=json',
  )
  expect(json).toEqual([
    { name: 'generic', queue_size: '-1', total_wait_time: '-1' },
    { name: 'search', queue_size: '-1', total_wait_time: '0s' },
  ])
  await rest.close()
})
