import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { REST_API } from '../../src/rest/rest-api.ts'
import { ARN, denying as policy, type PolicyDomain as Running, type Sent, startPolicyDomain } from './policy-domain.ts'

/** What a caller asks of a domain where the index `secret` is denied to everybody but the administrator. */
interface Ask extends Sent {
  readonly name: string
  /** The domain has no such feature (yet): then a clear refusal is the answer, and nothing is touched. */
  readonly orNotOffered?: true
}

const FORBIDDEN: readonly Ask[] = [
  { name: 'the index itself', method: 'GET', target: '/secret' },
  { name: 'deleting the index', method: 'DELETE', target: '/secret' },
  { name: 'deleting it by a wildcard', method: 'DELETE', target: '/sec*' },
  { name: 'deleting it among others', method: 'DELETE', target: '/secret,public' },
  { name: 'a document', method: 'GET', target: '/secret/_doc/1' },
  { name: 'a document, the index escaped', method: 'GET', target: '/%73ecret/_doc/1' },
  { name: 'a document behind doubled slashes', method: 'GET', target: '//secret//_doc//1' },
  { name: 'a document through an alias', method: 'GET', target: '/alias-of-secret/_doc/1' },
  { name: 'its source through an alias', method: 'GET', target: '/alias-of-secret/_doc/1/_source' },
  { name: 'whether it exists, through an alias', method: 'HEAD', target: '/alias-of-secret/_doc/1' },
  { name: 'writing through an alias', method: 'PUT', target: '/alias-of-secret/_doc/9', body: '{"a":1}' },
  { name: 'updating through an alias', method: 'POST', target: '/alias-of-secret/_doc/1/_update', body: '{"doc":{}}' },
  { name: 'deleting through an alias', method: 'DELETE', target: '/alias-of-secret/_doc/1' },
  { name: 'a search of all', method: 'GET', target: '/_search' },
  { name: 'a search of _all', method: 'GET', target: '/_all/_search' },
  { name: 'a search of *', method: 'GET', target: '/*/_search' },
  { name: 'a search of a wildcard', method: 'GET', target: '/s*/_search' },
  { name: 'a search of an escaped wildcard', method: 'GET', target: '/s%2A/_search' },
  { name: 'a search of a list', method: 'GET', target: '/public,secret/_search' },
  { name: 'a search of a list with the comma escaped', method: 'GET', target: '/public%2Csecret/_search' },
  { name: 'a search of an alias', method: 'GET', target: '/alias-of-secret/_search' },
  { name: 'a search of an alias by wildcard', method: 'GET', target: '/alias-of-*/_search' },
  { name: 'a search that takes its scroll', method: 'POST', target: '/s*/_search?scroll=1m' },
  { name: 'a count', method: 'GET', target: '/s*/_count' },
  { name: 'the mapping', method: 'GET', target: '/_mapping' },
  { name: 'the mapping through an alias', method: 'GET', target: '/alias-of-secret/_mapping' },
  { name: 'the settings', method: 'GET', target: '/_all/_settings' },
  { name: 'changing the settings of all', method: 'PUT', target: '/_settings', body: '{"index.number_of_replicas":0}' },
  { name: 'closing by wildcard', method: 'POST', target: '/s*/_close' },
  { name: 'opening by wildcard', method: 'POST', target: '/s*/_open?expand_wildcards=open,closed' },
  { name: 'a refresh', method: 'POST', target: '/s*/_refresh' },
  { name: 'a force merge of all', method: 'POST', target: '/_forcemerge' },
  { name: 'its statistics', method: 'GET', target: '/s*/_stats' },
  { name: 'field capabilities', method: 'GET', target: '/s*/_field_caps?fields=*' },
  {
    name: 'analysis with its analyzers',
    method: 'GET',
    target: '/_analyze?index=secret',
    body: '{"text":"a"}',
  },
  {
    name: 'analysis with its analyzers through an alias',
    method: 'GET',
    target: '/alias-of-secret/_analyze',
    body: '{"text":"a"}',
  },
  { name: 'an explanation', method: 'GET', target: '/alias-of-secret/_doc/1/_explain?q=a' },
  { name: 'term vectors', method: 'GET', target: '/alias-of-secret/_doc/1/_termvectors' },
  {
    name: '_bulk, an item',
    method: 'POST',
    target: '/_bulk',
    body: '{"delete":{"_index":"secret","_type":"_doc","_id":"1"}}\n',
  },
  {
    name: "_bulk, an item against the path's index",
    method: 'POST',
    target: '/public/_bulk',
    body: '{"delete":{"_index":"secret","_type":"_doc","_id":"1"}}\n',
  },
  {
    name: '_bulk, the last of many items',
    method: 'POST',
    target: '/_bulk',
    body: `${'{"index":{"_index":"public","_type":"_doc"}}\n{}\n'.repeat(20)}{"index":{"_index":"secret","_type":"_doc"}}\n{}\n`,
  },
  {
    name: '_bulk, an alias',
    method: 'POST',
    target: '/_bulk',
    body: '{"delete":{"_index":"alias-of-secret","_type":"_doc","_id":"1"}}\n',
  },
  {
    name: '_mget, a document',
    method: 'POST',
    target: '/_mget',
    body: '{"docs":[{"_index":"secret","_type":"_doc","_id":"1"}]}',
  },
  {
    name: "_mget, against the path's index",
    method: 'POST',
    target: '/public/_mget?refresh=true',
    body: '{"docs":[{"_id":"1"},{"_index":"secret","_type":"_doc","_id":"1"}]}',
  },
  {
    name: '_mget, an alias',
    method: 'GET',
    target: '/_mget',
    body: '{"docs":[{"_index":"alias-of-secret","_type":"_doc","_id":"1"}]}',
  },
  { name: '_msearch, a header', method: 'POST', target: '/_msearch', body: '{"index":"secret"}\n{}\n' },
  { name: '_msearch, a list', method: 'POST', target: '/public/_msearch', body: '{"index":["public","secret"]}\n{}\n' },
  { name: '_msearch, a wildcard', method: 'POST', target: '/_msearch', body: '{"index":"s*"}\n{}\n' },
  { name: '_msearch, an alias', method: 'POST', target: '/_msearch', body: '{"index":"alias-of-secret"}\n{}\n' },
  { name: '_msearch of all', method: 'POST', target: '/_msearch', body: '{}\n{}\n' },
  {
    name: '_aliases, adding one',
    method: 'POST',
    target: '/_aliases',
    body: '{"actions":[{"add":{"index":"secret","alias":"open"}}]}',
  },
  {
    name: '_aliases, by wildcard',
    method: 'POST',
    target: '/_aliases',
    body: '{"actions":[{"add":{"index":"s*","alias":"open"}}]}',
  },
  {
    name: '_aliases, removing one',
    method: 'POST',
    target: '/_aliases',
    body: '{"actions":[{"remove":{"index":"secret","alias":"alias-of-secret"}}]}',
  },
  {
    name: '_aliases, removing the index',
    method: 'POST',
    target: '/_aliases',
    body: '{"actions":[{"remove_index":{"index":"secret"}}]}',
  },
  { name: 'an alias by its own call', method: 'PUT', target: '/s*/_alias/open' },
  { name: 'dropping an alias by wildcard', method: 'DELETE', target: '/_all/_alias/alias-of-secret' },
  {
    name: 'a terms lookup',
    method: 'POST',
    target: '/public/_search',
    body: '{"query":{"terms":{"a":{"index":"secret","type":"_doc","id":"1","path":"a"}}}}',
    orNotOffered: true,
  },
  {
    name: 'a terms lookup in the source parameter',
    method: 'GET',
    target: `/public/_search?source_content_type=application/json&source=${encodeURIComponent('{"query":{"bool":{"filter":[{"terms":{"a":{"index":"secret","type":"_doc","id":"1","path":"a"}}}]}}}')}`,
    orNotOffered: true,
  },
  {
    name: 'a terms lookup in an alias filter',
    method: 'PUT',
    target: '/public/_alias/filtered',
    body: '{"filter":{"terms":{"a":{"index":"secret","type":"_doc","id":"1","path":"a"}}}}',
    orNotOffered: true,
  },
  {
    name: 'more_like_this of a foreign document',
    method: 'POST',
    target: '/public/_search',
    body: '{"query":{"more_like_this":{"fields":["a"],"like":[{"_index":"secret","_type":"_doc","_id":"1"}]}}}',
    orNotOffered: true,
  },
  {
    name: 'geo_shape of a foreign document',
    method: 'POST',
    target: '/public/_search',
    body: '{"query":{"geo_shape":{"g":{"indexed_shape":{"index":"secret","type":"_doc","id":"1","path":"g"}}}}}',
  },
  {
    name: '_reindex out of it',
    method: 'POST',
    target: '/_reindex',
    body: '{"source":{"index":"secret"},"dest":{"index":"public"}}',
  },
  {
    name: '_reindex into it',
    method: 'POST',
    target: '/_reindex',
    body: '{"source":{"index":"public"},"dest":{"index":"secret"}}',
  },
  {
    name: '_delete_by_query',
    method: 'POST',
    target: '/s*/_delete_by_query',
    body: '{"query":{"match_all":{}}}',
  },
  { name: '_update_by_query', method: 'POST', target: '/alias-of-secret/_update_by_query' },
  {
    name: '_mtermvectors',
    method: 'POST',
    target: '/_mtermvectors',
    body: '{"docs":[{"_index":"secret","_type":"_doc","_id":"1"}]}',
  },
  {
    name: 'validating a query by wildcard',
    method: 'GET',
    target: '/s*/_validate/query?explain=true&q=a',
  },
  { name: 'rollover', method: 'POST', target: '/writes/_rollover/secret', body: '{}' },
  { name: 'shrink', method: 'POST', target: '/public/_shrink/secret', body: '{}' },
  {
    name: 'split',
    method: 'POST',
    target: '/public/_split/secret',
    body: '{"settings":{"index.number_of_shards":10}}',
  },
  { name: '_cat/indices', method: 'GET', target: '/_cat/indices/secret' },
  { name: '_cat/count', method: 'GET', target: '/_cat/count/secret' },
  { name: '_cluster/health', method: 'GET', target: '/_cluster/health/secret' },
  { name: '_cluster/health with its indices', method: 'GET', target: '/_cluster/health?level=indices' },
  { name: '_cat/indices without a name', method: 'GET', target: '/_cat/indices' },
  { name: '_cat/aliases', method: 'GET', target: '/_cat/aliases' },
  { name: '_cat/shards', method: 'GET', target: '/_cat/shards/secret' },
  { name: '_cat/segments', method: 'GET', target: '/_cat/segments/secret' },
  { name: '_cat/recovery', method: 'GET', target: '/_cat/recovery/secret' },
  { name: 'statistics of all', method: 'GET', target: '/_stats' },
  { name: 'shards of all', method: 'GET', target: '/_search_shards' },
  { name: 'segments of all', method: 'GET', target: '/_segments' },
  {
    name: 'an explanation of its allocation',
    method: 'POST',
    target: '/_cluster/allocation/explain',
    body: '{"index":"secret","shard":0,"primary":true}',
  },
  { name: '_cluster/state', method: 'GET', target: '/_cluster/state/metadata/secret' },
  { name: 'a snapshot of all', method: 'PUT', target: '/_snapshot/kept/new?wait_for_completion=true' },
  { name: 'a snapshot of it', method: 'PUT', target: '/_snapshot/kept/new', body: '{"indices":"secret"}' },
  {
    name: 'a snapshot of an alias',
    method: 'POST',
    target: '/_snapshot/kept/new',
    body: '{"indices":["alias-of-*"],"include_global_state":false}',
  },
  {
    name: 'restoring it under another name',
    method: 'POST',
    target: '/_snapshot/kept/all/_restore',
    body: '{"indices":"secret","rename_pattern":"secret","rename_replacement":"mine"}',
  },
  {
    name: 'restoring all under other names',
    method: 'POST',
    target: '/_snapshot/kept/all/_restore?wait_for_completion=true',
    body: '{"rename_pattern":"(.+)","rename_replacement":"my-$1"}',
  },
  {
    name: 'restoring another index as it',
    method: 'POST',
    target: '/_snapshot/kept/all/_restore',
    body: '{"indices":"public","rename_pattern":"public","rename_replacement":"secret"}',
  },
  { name: 'what a snapshot has of it', method: 'GET', target: '/_snapshot/kept/_all' },
  { name: 'a table of snapshots of it', method: 'GET', target: '/_cat/snapshots/kept' },
  { name: 'how far a snapshot of it is', method: 'GET', target: '/_snapshot/kept/all/_status' },
  { name: 'deleting a snapshot of it', method: 'DELETE', target: '/_snapshot/kept/all' },
]

/** What must still work for the same caller. */
const ALLOWED: readonly Ask[] = [
  { name: 'another index', method: 'GET', target: '/public/_search' },
  { name: 'a list that leaves it out', method: 'GET', target: '/*,-secret/_search' },
  { name: 'a wildcard that does not meet it', method: 'GET', target: '/pub*/_search' },
  { name: 'a bulk of other indices', method: 'POST', target: '/_bulk', body: bulkOf('public', 'public2') },
  {
    name: 'a document of another',
    method: 'POST',
    target: '/_mget',
    body: '{"docs":[{"_index":"public","_type":"_doc","_id":"1"}]}',
  },
  { name: '_msearch elsewhere', method: 'POST', target: '/public/_msearch', body: '{}\n{}\n' },
  { name: 'the health of the whole', method: 'GET', target: '/_cluster/health' },
  { name: 'statistics of another', method: 'GET', target: '/public/_stats' },
  { name: 'making an index', method: 'PUT', target: '/public3', body: '{}' },
  {
    name: 'a snapshot of another',
    method: 'PUT',
    target: '/_snapshot/kept/mine?wait_for_completion=true',
    body: '{"indices":"public","include_global_state":false}',
  },
  { name: 'that snapshot', method: 'GET', target: '/_snapshot/kept/mine' },
  {
    name: 'restoring another',
    method: 'POST',
    target: '/_snapshot/kept/all/_restore?wait_for_completion=true',
    body: '{"indices":"public","rename_pattern":"public","rename_replacement":"restored","include_aliases":false}',
  },
]

function bulkOf(...indices: string[]): string {
  return indices.map((index) => `{"index":{"_index":"${index}","_type":"_doc","_id":"1"}}\n{"a":"x"}\n`).join('')
}

/** Puts the indices there (again), as the administrator. */
async function prepare({ domain, send }: Running): Promise<void> {
  await send(domain.admin, { method: 'DELETE', target: '/*' })
  const body = bulkOf('public', 'secret')
  expect((await send(domain.admin, { method: 'POST', target: '/_bulk?refresh=true', body })).status).toBe(200)
  const alias = await send(domain.admin, { method: 'PUT', target: '/secret/_alias/alias-of-secret' })
  expect(alias.status).toBe(200)
  expect((await send(domain.admin, { method: 'PUT', target: '/public/_alias/writes' })).status).toBe(200)
  const repository = '{"type":"fs","settings":{"location":"kept"}}'
  expect((await send(domain.admin, { method: 'PUT', target: '/_snapshot/kept', body: repository })).status).toBe(200)
  // Once made it is there the next time.
  await send(domain.admin, { method: 'PUT', target: '/_snapshot/kept/all?wait_for_completion=true' })
}

async function state({ domain, send }: Running): Promise<string> {
  const asked = ['/secret/_search', '/secret/_mapping', '/secret/_settings', '/secret/_alias']
  const answers = await Promise.all(asked.map((target) => send(domain.admin, { method: 'GET', target })))
  return answers.map(({ body }) => body.replace(/"took":\d+/, '')).join('\n')
}

describe.each([
  ['an index and all below it', ['secret', 'secret/*'], false],
  ['all below an index', ['secret/*'], false],
  ['an index, where search threads search,', ['secret', 'secret/*'], true],
] as const)('a Deny of %s', (_, denied, threaded) => {
  let running: Running
  let before: string
  beforeAll(async () => {
    running = await startPolicyDomain('chaja', threaded)
    running.domain.access.store.policy = policy(denied)
    await new Promise((resolve) => setTimeout(resolve, 400))
    await prepare(running)
    before = await state(running)
  })
  afterAll(() => running.close())

  it.each(FORBIDDEN.map((ask) => [ask.name, ask] as const))('holds for %s', async (_name, ask) => {
    const answer = await running.send(running.alice, ask)
    if (ask.orNotOffered && answer.status === 400 && /not supported|no handler found|unknown query/.test(answer.body)) {
      expect(answer.body).not.toContain('"hits"')
    } else expect(answer.status, answer.body).toBe(403)
    if (ask.method !== 'HEAD' && answer.status === 403) expect(answer.body).toContain('with an explicit deny')
    expect(await state(running)).toBe(before)
  })

  it.each(ALLOWED.map((ask) => [ask.name, ask] as const))('leaves %s alone', async (_name, ask) => {
    const answer = await running.send(running.alice, ask)
    expect(answer.status, answer.body).toBe(200)
    expect(answer.body).not.toContain('secret')
  })

  it('holds for the scroll of somebody else', async () => {
    const { domain, send, alice } = running
    const opened = await send(domain.admin, { method: 'POST', target: '/secret/_search?scroll=1m' })
    const id = (JSON.parse(opened.body) as { _scroll_id: string })._scroll_id
    const body = JSON.stringify({ scroll_id: id })
    for (const method of ['GET', 'POST', 'DELETE']) {
      const stolen = await send(alice, { method, target: '/_search/scroll', body })
      expect(stolen.status, `${method} ${stolen.body}`).toBe(403)
    }
    expect((await send(alice, { method: 'GET', target: `/_search/scroll?scroll_id=${id}` })).status).toBe(403)
    expect((await send(domain.admin, { method: 'POST', target: '/_search/scroll', body })).status).toBe(200)
  })
})

/** Values for the parameters of paths beside `{index}`. */
const VALUES: Readonly<Record<string, string>> = {
  type: '_doc',
  id: '1',
  name: 'alias-of-*',
  alias: 'alias-of-secret',
  fields: '*',
  metric: '_all',
  index_metric: '_all',
  node_id: '_all',
  target: 'copy',
  new_index: 'copy',
  block: 'write',
}

describe('no endpoint', () => {
  let running: Running
  let before: string
  beforeAll(async () => {
    running = await startPolicyDomain('chaja')
    running.domain.access.store.policy = policy(['secret', 'secret/*'])
    await new Promise((resolve) => setTimeout(resolve, 400))
    await prepare(running)
    const hidden = '{"hidden_field":"hidden-words"}'
    await running.send(running.domain.admin, { method: 'PUT', target: '/secret/_doc/1?refresh=true', body: hidden })
    before = await state(running)
  })
  afterAll(() => running.close())

  it.each(Object.entries(REST_API))('tells or changes anything of a denied index: %s', async (_endpoint, { paths }) => {
    for (const [path, ...methods] of paths) {
      const named = path.includes('{index}')
      for (const index of named ? ['secret', 'alias-of-secret', 's*', '_all', 'public,secret'] : ['']) {
        for (const method of methods) {
          const target = path.replace('{index}', index).replace(/\{(\w+)\}/g, (_, name: string) => VALUES[name] ?? 'x')
          for (const body of method === 'GET' || method === 'HEAD' ? [undefined] : [undefined, '{}']) {
            const answer = await running.send(running.alice, {
              method,
              target,
              ...(body === undefined ? {} : { body }),
            })
            const said = `${method} ${target} ${answer.status} ${answer.body.slice(0, 300)}`
            expect(answer.status, said).not.toBe(500)
            expect(answer.body, said).not.toContain('hidden')
            if (answer.status < 300) expect(answer.body, said).not.toMatch(/(?<!-of-)\bsecret\b/)
          }
        }
      }
    }
    expect(await state(running)).toBe(before)
  })
})

it('a Deny of a path holds for what a query says of it', async () => {
  const { domain, alice, send, close } = await startPolicyDomain('chaja')
  domain.access.store.policy = policy(['_cat/indices/*', '_nodes/stats/*'])
  await new Promise((resolve) => setTimeout(resolve, 400))
  await send(domain.admin, { method: 'PUT', target: '/public' })
  const statusOf = async (target: string) => (await send(alice, { method: 'GET', target })).status
  expect(await statusOf('/_cat/indices')).toBe(200)
  for (const target of ['/_cat/indices/public', '/_cat/indices?index=public', '/_nodes/stats?metric=os'])
    expect(await statusOf(target), target).toBe(403)
  await close()
})

/** What the domain does not have, or refuses for its form before it looks at any index. */
const NOTHING_TOUCHED = /not supported|no handler found|unknown query|source alias is a concrete index/

const file = join(import.meta.dirname, '../../../shared/security/policy-cases.json')
const data = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { cases: [] }
const cases = (data.cases as (Ask & Record<string, unknown>)[]).filter((c) => c['group'] === 'url-forms')
if (cases.length === 0) console.log('skipped: policy cases need ../shared/security')

describe.skipIf(cases.length === 0).each(['chaja', 'aws'] as const)('the cases of URL forms, compat %s', (compat) => {
  let running: Running
  let current = ''
  beforeAll(async () => {
    running = await startPolicyDomain(compat)
  })
  afterAll(() => running.close())

  it.each(cases.map((c) => [`${c['id']} ${c['why']}`, c] as const))('%s', async (_name, c) => {
    const { domain, send, alice } = running
    await prepare(running).catch(async () => {
      domain.access.store.policy = policy(['secret', 'secret/*'])
      await new Promise((resolve) => setTimeout(resolve, 400))
      await prepare(running)
    })
    let body = c.body
    if (body?.includes('<a scroll of secret>')) {
      const opened = await send(domain.admin, { method: 'POST', target: '/secret/_search?scroll=1m' })
      body = JSON.stringify({ scroll_id: JSON.parse(opened.body)._scroll_id })
    }
    const text = JSON.stringify(c['policy'])
    // The administrator, who prepares, is let in beside what the case says.
    const { Statement } = JSON.parse(text)
    const administrator = {
      Effect: 'Allow',
      Principal: { AWS: 'arn:aws:iam::111122223333:user/admin' },
      Action: 'es:*',
      Resource: `${ARN}/*`,
    }
    const inForce = text.replace('"Principal":"*"', '"Principal":{"AWS":"arn:aws:iam::111122223333:user/alice"}')
    const patched = { ...JSON.parse(inForce), Statement: [...JSON.parse(inForce).Statement, administrator] }
    expect(Statement.length).toBeGreaterThan(0)
    if (JSON.stringify(patched) !== current) {
      current = JSON.stringify(patched)
      domain.access.store.policy = current
      await new Promise((resolve) => setTimeout(resolve, 400))
    }
    const answer = await send(alice, {
      method: c.method,
      target: c['path'] as string,
      ...(body === undefined ? {} : { body }),
    })
    const expected = compat === 'aws' ? (c['aws'] ?? c['expect']) : c['expect']
    if ((c['orStatus'] as number[] | undefined)?.includes(answer.status)) return
    if (answer.status === 400 && NOTHING_TOUCHED.test(answer.body)) return
    if (expected === 'deny') expect(answer.status, answer.body).toBe(403)
    else expect(answer.status, answer.body).not.toBe(403)
  })
})
