import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EngineVersion } from '../../src/engine/engine-version.ts'
import { ARN, denying, type PolicyDomain, startPolicyDomain } from './policy-domain.ts'

/*
 * What a caller is told must be the same whether a denied index is there or not; and nothing that is shared by all indices may be
 * made so that it takes effect on a denied one.
 */

type Ask = readonly [method: string, target: string, body?: object | string]

const json = (body: object | string | undefined) =>
  body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
const lines = (...values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')

async function started(engineVersion: EngineVersion, hasSecret: boolean): Promise<PolicyDomain> {
  const running = await startPolicyDomain('chaja', false, engineVersion)
  const { domain, send } = running
  domain.access.store.policy = denying([
    'secret*',
    '.ds-hidden*',
    ...['_ingest/pipeline', '_scripts', '_template', '_index_template', '_component_template'].map(
      (folder) => `${folder}/secret*`,
    ),
  ])
  await new Promise((resolve) => setTimeout(resolve, 400))
  const set = async (...[method, target, body]: Ask) => {
    const answer = await send(domain.admin, { method, target, ...json(body) })
    expect(answer.status, `${method} ${target} ${answer.body}`).toBeLessThan(300)
  }
  await set('PUT', '/_snapshot/kept', { type: 'fs', settings: { location: 'kept' } })
  await set('PUT', '/public/_doc/1', { a: 'x' })
  await set('PUT', '/public/_doc/2?refresh=true', { a: 'x' })
  await set('PUT', '/public-000001')
  await set('PUT', '/public-000001/_alias/turning')
  const hasStreams = engineVersion === 'OpenSearch_2.19'
  const names = ['secret-stream*', 'hidden-stream*']
  if (hasStreams) await set('PUT', '/_index_template/streams', { index_patterns: names, data_stream: {}, priority: 99 })
  if (!hasSecret) return running
  if (hasStreams) {
    await set('PUT', '/secret-stream/_create/1?refresh=true', { '@timestamp': 1, a: 'hidden' })
    await set('PUT', '/hidden-stream/_create/1?refresh=true', { '@timestamp': 1, a: 'hidden' })
  }
  await set('PUT', '/secret/_doc/1?refresh=true', { a: 'hidden' })
  await set('PUT', '/secret-closed')
  await set('PUT', '/secret/_alias/both')
  await set('PUT', '/public/_alias/both')
  await set('PUT', '/secret-closed/_alias/shut')
  await set('PUT', '/secret/_alias/sole')
  await set('POST', '/secret-closed/_close')
  return running
}

/** Asked by name of `secret`, in every place that takes a name. */
function asks(name: string, typed: boolean): Ask[] {
  const _type = typed ? { _type: '_doc' } : {}
  const item = { _index: name, ..._type, _id: '1' }
  const terms = { terms: { a: { index: name, ...(typed ? { type: '_doc' } : {}), id: '1', path: 'a' } } }
  const query = { query: terms }
  const path = encodeURIComponent(name)
  return [
    ['GET', `/${path}/_doc/1`],
    ['PUT', `/${path}/_doc/1`, { a: 1 }],
    ['POST', `/${path}/_bulk`, lines({ delete: { ..._type, _id: '1' } })],
    ['GET', `/${path}/_search?ignore_unavailable=true`],
    ['GET', `/public,${path}/_search?ignore_unavailable=true`],
    ['POST', '/_bulk', lines({ index: item }, { a: 1 })],
    ['POST', '/public/_bulk', lines({ update: item }, { doc: {} })],
    ['POST', '/_mget', { docs: [item] }],
    ['POST', '/_mtermvectors', { docs: [item] }],
    ['POST', '/_msearch', lines({ index: name }, {})],
    ['POST', '/public/_msearch', lines({ index: [name, 'public'], ignore_unavailable: true }, {})],
    ['POST', '/public/_search', query],
    ['POST', '/public/_count', query],
    ['POST', '/public/_delete_by_query', query],
    ['POST', '/public/_validate/query', query],
    ['POST', '/public/_search', { post_filter: terms }],
    ['POST', '/public/_search', { aggs: { a: { filter: terms } } }],
    ['POST', '/public/_search', { highlight: { fields: { a: { highlight_query: terms } } } }],
    ['POST', '/public/_search/template', { source: query }],
    [
      'POST',
      '/public/_search',
      { query: { percolate: { field: 'q', index: name, ...(typed ? { type: '_doc' } : {}), id: '1' } } },
    ],
    ['POST', '/public/_search', { query: { more_like_this: { fields: ['a'], like: [item] } } }],
    [
      'POST',
      '/public/_search',
      { query: { wrapper: { query: Buffer.from(JSON.stringify(terms)).toString('base64') } } },
    ],
    ['POST', '/_reindex', { source: { index: name }, dest: { index: 'public' } }],
    ['POST', '/_reindex', { source: { index: 'public' }, dest: { index: name } }],
    ['POST', '/_aliases', { actions: [{ add: { index: name, alias: 'a' } }] }],
    ['POST', '/_aliases', { actions: [{ remove: { index: name, alias: 'a' } }] }],
    ['POST', '/_aliases', { actions: [{ remove_index: { index: name } }] }],
    ['POST', '/_aliases', { actions: [{ add: { index: 'public', alias: 'filtered', filter: terms } }] }],
    ['GET', `/_cat/indices/${path}`],
    ['GET', `/_cat/count/${path}`],
    ['GET', `/_cat/shards/${path}`],
    ['GET', `/_cat/segments/${path}`],
    ['GET', `/_cat/recovery/${path}`],
    ['GET', `/_cluster/health/${path}?timeout=1ms`],
    ['POST', '/_cluster/allocation/explain', { index: name, shard: 0, primary: true }],
    ['GET', `/_analyze?index=${path}`, { text: 'a' }],
    ['PUT', '/_snapshot/kept/one', { indices: name, include_global_state: false }],
    [
      'PUT',
      '/_snapshot/kept/one',
      { indices: `public,${name}`, ignore_unavailable: true, include_global_state: false },
    ],
  ]
}

/** Asked of the name itself alone: of a data stream whose indices are denied it tells nothing. */
const asksOfName = (name: string): Ask[] => [
  ['PUT', `/${encodeURIComponent(name)}`],
  ['POST', `/${encodeURIComponent(name)}/_bulk?records=none`, 'records'],
]

/** What is asked of data streams, of which one or what is behind it is denied. */
const STREAM_ASKS: readonly Ask[] = [
  ...['secret-stream', 'hidden-stream', '*', '_all', 'hidden*', '*stream'].flatMap((name): Ask[] => [
    ['GET', `/_data_stream/${name}`],
    ['GET', `/_data_stream/${name}/_stats`],
    ['DELETE', `/_data_stream/${name}`],
    ['GET', `/_resolve/index/${name === '_all' ? '*' : name}`],
  ]),
  ['GET', '/_data_stream'],
  ['GET', '/_data_stream/_stats'],
  ['PUT', '/_data_stream/secret-stream'],
  ['PUT', '/_data_stream/hidden-stream'],
  ['PUT', '/_data_stream/hidden-stream-next'],
  ['POST', '/hidden-stream/_rollover'],
  ['POST', '/secret-stream/_rollover'],
  ['POST', '/hidden-stream-next/_doc', { '@timestamp': 1 }],
  ['POST', '/_bulk', lines({ create: { _index: 'hidden-stream-next' } }, { '@timestamp': 1 })],
  ['GET', '/.ds-secret*/_search'],
  ['GET', '/.ds*/_search'],
  ['GET', '/*/_search'],
  ['GET', '/_cat/indices'],
  ['DELETE', '/.ds-secret-stream-*'],
  ['DELETE', '/_index_template/streams'],
  ['PUT', '/_index_template/streams', { index_patterns: ['hidden-stream*'] }],
]

/** Names that somebody makes an index reachable by; one that may not be looked at may not be taken. */
const TAKEN: readonly Ask[] = [
  ['POST', '/_aliases', { actions: [{ add: { index: 'public', alias: 'secret' } }] }],
  ['PUT', '/public/_alias/secret'],
  ['PUT', '/public/_alias/secret-next'],
  ['PUT', '/public-next', { aliases: { secret: {} } }],
  ['POST', '/turning/_rollover', { aliases: { 'secret-next': {} } }],
  ['PUT', '/_template/mine', { index_patterns: ['public*'], aliases: { secret: {} } }],
  ['PUT', '/_template/mine', { index_patterns: ['public*'], aliases: { 'sec{index}': {} } }],
]

/** What would put somebody's own index behind aliases of a denied one, and make it the one that is written to. */
const REACHED: readonly Ask[] = [
  ...['sole', 'both'].flatMap((alias): Ask[] => [
    ['POST', '/_aliases', { actions: [{ add: { index: 'public', alias, is_write_index: true } }] }],
    ['PUT', `/public/_alias/${alias}`],
    ['PUT', '/public-next', { aliases: { [alias]: {} } }],
    ['POST', '/turning/_rollover', { aliases: { [alias]: {} } }],
    ['PUT', '/public/_shrink/public-next', { aliases: { [alias]: {} } }],
    ['PUT', '/_template/mine', { index_patterns: ['public*'], aliases: { [alias]: {} } }],
  ]),
]

/** What is asked of a snapshot that has the denied index, or has not. */
const OF_SNAPSHOT: readonly Ask[] = [
  ['POST', '/_snapshot/kept/whole/_restore', { indices: 'secret' }],
  ['POST', '/_snapshot/kept/whole/_restore', { indices: 'secret', ignore_unavailable: true }],
  ['POST', '/_snapshot/kept/whole/_restore', { indices: 'public', rename_pattern: '.+', rename_replacement: 'secret' }],
  ['PUT', '/_snapshot/kept/whole/_clone/part', { indices: 'secret' }],
]

/** What is shared by all indices, made so that it would change what becomes of a denied one. */
const SHARED: readonly Ask[] = [
  ['PUT', '/_template/mine', { index_patterns: ['secret*'] }],
  ['PUT', '/_template/mine', { index_patterns: ['public*', 's*'] }],
  ['PUT', '/_template/mine', { index_patterns: ['*'] }],
  ['PUT', '/_template/mine', { index_patterns: ['secret-one'] }],
  ['PUT', '/_index_template/mine', { index_patterns: ['secret*'], priority: 5 }],
  ['PUT', '/_index_template/theirs', { index_patterns: ['public*'] }],
  ['DELETE', '/_index_template/theirs'],
  ['PUT', '/_component_template/theirs', { template: { settings: { number_of_replicas: 0 } } }],
  ['DELETE', '/_template/theirs'],
  ['DELETE', '/_template/*'],
  ['PUT', '/_template/theirs', { index_patterns: ['public*'] }],
  ['PUT', '/_ingest/pipeline/mine', { processors: [{ set: { field: '_index', value: 'public' } }] }],
  ['PUT', '/_ingest/pipeline/mine', { processors: [{ script: { source: "ctx['_in' + 'dex'] = 'public'" } }] }],
  ['PUT', '/_scripts/routing', { script: { lang: 'painless', source: "ctx._index = 'public'" } }],
  ...['used', 'run', 'to-come'].flatMap((name): Ask[] => [
    ['PUT', `/_ingest/pipeline/${name}`, { processors: [{ drop: {} }] }],
    ['DELETE', `/_ingest/pipeline/${name}`],
  ]),
  ['DELETE', '/_ingest/pipeline/us*'],
  ['PUT', '/_search/pipeline/to-come', { response_processors: [] }],
]

describe.each(['Elasticsearch_6.8', 'OpenSearch_2.19'] as const)('somebody who is denied an index of %s', (version) => {
  let there: PolicyDomain
  let absent: PolicyDomain
  beforeAll(async () => {
    there = await started(version, true)
    absent = await started(version, false)
  })
  afterAll(async () => {
    await there.close()
    await absent.close()
  })
  const send = (running: PolicyDomain, [method, target, body]: Ask) =>
    running.send(running.alice, { method, target, ...json(body) })
  const named = (list: readonly Ask[]) =>
    list.map((ask) => [`${ask[0]} ${ask[1]} ${JSON.stringify(ask[2] ?? '')}`, ask] as const)
  const typed = version === 'Elasticsearch_6.8'

  it.each(named(['secret', '<secret>'].flatMap((name) => [...asks(name, typed), ...asksOfName(name)])))(
    'is refused the same whether it is there or not: %s',
    async (_name, ask) => {
      const answers = [await send(there, ask), await send(absent, ask)]
      for (const { status, body } of answers) expect(status, body).toBe(403)
      expect(answers[0]?.body).toBe(answers[1]?.body)
    },
  )

  const STREAM = ['.ds-secret-stream-000001', 'secret-stream']
  it.runIf(!typed).each(named(STREAM.flatMap((name) => [...asks(name, typed), ...asksOfName(name)])))(
    'is refused a data stream, and an index behind it, the same: %s',
    async (_name, ask) => {
      const answers = [await send(there, ask), await send(absent, ask)]
      for (const { status, body } of answers) expect(status, body).toBe(403)
      expect(answers[0]?.body).toBe(answers[1]?.body)
    },
  )

  it.runIf(!typed).each(named([...asks('hidden-stream', typed), ...STREAM_ASKS]))(
    'is refused a data stream for what is behind it: %s',
    async (_name, ask) => {
      const { status, body } = await send(there, ask)
      expect(status, body).toBe(403)
    },
  )

  it.each(named(TAKEN))('cannot take its name: %s', async (_name, ask) => {
    for (const running of [there, absent]) {
      const { status, body } = await send(running, ask)
      expect(status, body).toBe(403)
    }
  })

  it.each(named(REACHED))('cannot take what is written by an alias of it: %s', async (_name, ask) => {
    const { status, body } = await send(there, ask)
    expect(status, body).toBe(403)
  })

  it('is not told what a snapshot has of it', async () => {
    for (const { domain, send } of [there, absent]) {
      const indices = ['public', 'secret']
      const answer = await send(domain.admin, {
        method: 'PUT',
        target: '/_snapshot/kept/whole?wait_for_completion=true',
        body: JSON.stringify({ indices, ignore_unavailable: true, include_global_state: false }),
      })
      expect(answer.status, answer.body).toBe(200)
    }
    for (const ask of OF_SNAPSHOT) {
      // Versions before 7 clone no snapshots.
      if (typed && ask[1].includes('_clone')) continue
      const answers = [await send(there, ask), await send(absent, ask)]
      for (const { status, body } of answers) expect(status, body).toBe(403)
      expect(answers[0]?.body).toBe(answers[1]?.body)
    }
    const collision = { rename_pattern: '.+', rename_replacement: 'same' }
    for (const into of [collision, { ...collision, rename_replacement: 'sole', indices: 'public' }]) {
      const { status, body } = await send(there, ['POST', '/_snapshot/kept/whole/_restore', into])
      expect(status, body).toBe(403)
    }
  })

  it.runIf(!typed)('is not told of templates that are not to be read', async () => {
    const { domain } = there
    const set = async (...[method, target, body]: Ask) => {
      const answer = await there.send(domain.admin, { method, target, ...json(body) })
      expect(answer.status, `${target} ${answer.body}`).toBeLessThan(300)
    }
    const index_patterns = ['secret*', 'public-t*']
    const mine: Ask[] = [
      ['PUT', '/_index_template/mine', { index_patterns: ['public-t*'], priority: 1 }],
      ['PUT', '/_template/mine', { index_patterns: ['public-t*'] }],
    ]
    await set('PUT', '/_template/secret-t', { index_patterns })
    await set('PUT', '/_index_template/secret-t', { index_patterns, priority: 2 })
    for (const ask of mine) {
      const { status, body, headers } = await send(there, ask)
      expect(status, body).toBe(200)
      expect(JSON.stringify([body, headers])).not.toContain('secret')
    }
    const rival = await send(there, ['PUT', '/_index_template/mine', { index_patterns: ['public-t*'], priority: 2 }])
    expect(rival.status, rival.body).toBe(403)
    for (const name of ['mine', 'secret-t'])
      for (const folder of ['_template', '_index_template']) await set('DELETE', `/${folder}/${name}`)
  })

  it('is not told of it by what is wrong with an alias', async () => {
    for (const ask of [
      ['GET', '/both/_doc/1'],
      ['PUT', '/both/_doc/1', { a: 1 }],
      ['POST', '/_mget', { docs: [{ _index: 'both', _id: '1' }] }],
      ['GET', '/shut/_doc/1'],
      ['GET', '/shut/_search'],
      ['PUT', '/shut/_doc/1', { a: 1 }],
      ['POST', '/shut/_rollover'],
      ['POST', '/both/_rollover'],
      ['POST', '/sole/_rollover'],
      ['GET', '/_analyze?index=both', { text: 'a' }],
      ['PUT', '/sole'],
      ['PUT', '/public/_shrink/sole', {}],
      ['POST', '/turning/_rollover/sole'],
      ['POST', '/_reindex', { source: { index: 'public' }, dest: { index: 'both' } }],
      ['POST', '/_reindex', { source: { index: 'public' }, dest: { index: '<both>' } }],
    ] as const) {
      const { status, body } = await send(there, ask)
      expect(status, `${ask[0]} ${ask[1]} ${body}`).toBe(403)
    }
  })

  it('is not told of it by what was kept of a search of somebody else', async () => {
    const { domain } = there
    const properties = { q: { type: 'percolator' }, k: { type: 'keyword' } }
    const stored = { q: { terms: { k: { index: 'secret', ...(typed ? { type: '_doc' } : {}), id: '1', path: 'a' } } } }
    const search = { size: 0, query: { percolate: { field: 'q', document: { k: 'hidden' } } } }
    for (const [method, target, body] of [
      ['PUT', '/public-alerts', { mappings: typed ? { _doc: { properties } } : { properties } }],
      ['PUT', '/public-alerts/_doc/1?refresh=true', stored],
      ['POST', '/public-alerts/_search', search],
      ['POST', '/public-alerts/_search', search],
    ] as const) {
      const answer = await there.send(domain.admin, { method, target, ...json(body) })
      expect(answer.status, answer.body).toBeLessThan(300)
    }
    const { status, body } = await send(there, ['POST', '/public-alerts/_search', search])
    expect(status, body).toBe(403)
  })

  it('is not told what its pipeline makes of a document', async () => {
    const { domain } = there
    for (const [method, target, body] of [
      ['PUT', '/_ingest/pipeline/telling', { processors: [{ fail: { message: 'hidden' } }] }],
      ['PUT', '/secret/_settings', { 'index.default_pipeline': 'telling' }],
    ] as const)
      expect((await there.send(domain.admin, { method, target, ...json(body) })).status).toBe(200)
    const { status, body } = await send(there, ['PUT', '/sole/_doc/1', { a: 1 }])
    expect(status, body).toBe(403)
  })

  it('does not try out what is stored and not to be read', async () => {
    for (const processor of [
      { pipeline: { name: 'secret-p' } },
      { pipeline: { name: '{{kind}}' } },
      { foreach: { field: 'a', processor: { script: { id: 'secret-s' } } } },
    ]) {
      const tried = { pipeline: { processors: [processor] }, docs: [{ _source: {} }] }
      const { status, body } = await send(there, ['POST', '/_ingest/pipeline/_simulate', tried])
      expect(status, body).toBe(403)
    }
  })

  it.skipIf(typed)('makes no template of parts that are denied, nor learns whether there are such', async () => {
    const { domain } = there
    const put = { method: 'PUT', target: '/_component_template/secret-part', ...json({ template: {} }) }
    expect((await there.send(domain.admin, put)).status).toBe(200)
    for (const part of ['secret-part', 'secret-none']) {
      const template = { index_patterns: ['public-*'], composed_of: [part], priority: 50 }
      const { status, body } = await send(there, ['PUT', '/_index_template/mine', template])
      expect(status, body).toBe(403)
    }
  })

  it('makes nothing that would change what becomes of it', async () => {
    const { domain } = there
    const set = async (...[method, target, body]: Ask) => {
      const answer = await there.send(domain.admin, { method, target, ...json(body) })
      expect(answer.status, `${target} ${answer.body}`).toBeLessThan(300)
    }
    await set('PUT', '/_template/theirs', { index_patterns: ['sec*'] })
    if (!typed) {
      await set('PUT', '/_component_template/theirs', { template: {} })
      await set('PUT', '/_index_template/theirs', { index_patterns: ['sec*'], composed_of: ['theirs'] })
    }
    await set('PUT', '/_scripts/routing', { script: { lang: 'painless', source: "ctx._index = 'x'" } })
    await set('PUT', '/_ingest/pipeline/theirs', {
      processors: [{ script: { id: 'routing' } }, { pipeline: { name: 'run' } }],
    })
    for (const name of ['used', 'run', 'to-come'])
      await set('PUT', `/_ingest/pipeline/${name}`, { processors: [{ fail: { message: 'hidden' } }] })
    const naming = { default_pipeline: 'to-come', ...(typed ? {} : { 'search.default_pipeline': 'to-come' }) }
    await set('PUT', '/_template/naming', { index_patterns: ['sec*'], settings: naming })
    await set('PUT', '/secret/_settings', { 'index.default_pipeline': 'used' })
    for (const ask of SHARED) {
      const { status, body } = await send(there, ask)
      // To 6.x it is no more than the name of an index that cannot be.
      if (typed && /^\/_(index_template|component_template|search)/.test(ask[1]) && (status === 400 || status === 405))
        continue
      expect(status, `${ask[0]} ${ask[1]} ${JSON.stringify(ask[2])} ${body}`).toBe(403)
    }
    await set('PUT', '/secret/_settings', { 'index.default_pipeline': '_none' })
    for (const ask of [
      ['PUT', '/_template/own', { index_patterns: ['public-*'], aliases: { reading: {}, 'all-{index}': {} } }],
      ['DELETE', '/_template/own'],
      ['PUT', '/_ingest/pipeline/own', { processors: [{ trim: { field: 'a' } }] }],
      ['PUT', '/_scripts/own', { script: { lang: 'painless', source: 'ctx.x = 1' } }],
      ['DELETE', '/_ingest/pipeline/own'],
      ['PUT', '/public/_alias/own'],
    ] as const) {
      const { status, body } = await send(there, ask)
      expect(status, `${ask[0]} ${ask[1]} ${body}`).toBe(200)
    }
  })

  it('is told of work on it that it is done, and not what it is about', async () => {
    const { domain } = there
    const admin = async (method: string, target: string, body?: object) => {
      const answer = await there.send(domain.admin, { method, target, ...json(body) })
      expect(answer.status, `${target} ${answer.body}`).toBe(200)
      return JSON.parse(answer.body)
    }
    const { task } = await admin('POST', '/_reindex?wait_for_completion=false&requests_per_second=0.1', {
      source: { index: 'public', size: 1 },
      dest: { index: 'secret' },
    })
    const { task: done } = await admin('POST', '/secret/_delete_by_query?wait_for_completion=false', {
      query: { match_none: {} },
    })
    await admin('GET', `/_tasks/${done}?wait_for_completion=true`)
    // What it says it writes to is another name, and what it fails at is nothing it says.
    const { task: byAlias } = await admin('POST', '/_reindex?wait_for_completion=false', {
      source: { index: 'public' },
      dest: { index: 'sole', op_type: 'create' },
    })
    const { task: elsewhere } = await admin('POST', '/_reindex?wait_for_completion=false', {
      source: { index: 'public', query: { ids: { values: ['1'] } } },
      dest: { index: 'public-made', op_type: 'create' },
      script: { source: "ctx._index = 'secret'" },
    })
    for (const one of [byAlias, elsewhere]) {
      const { response } = await admin('GET', `/_tasks/${one}?wait_for_completion=true`)
      expect(JSON.stringify(response.failures)).toContain('secret')
    }
    for (const target of [
      '/_tasks?detailed=true',
      '/_tasks?detailed=true&group_by=none',
      '/_cat/tasks?detailed=true',
    ]) {
      const { status, body } = await send(there, ['GET', target])
      expect(status, body).toBe(200)
      expect(body).not.toContain('secret')
    }
    for (const ask of [
      ['GET', `/_tasks/${task}`],
      ['GET', `/_tasks/${done}`],
      ['GET', `/_tasks/${byAlias}`],
      ['GET', `/_tasks/${elsewhere}`],
      ['POST', `/_tasks/${task}/_cancel`],
      ['POST', '/_tasks/_cancel'],
      ['POST', `/_reindex/${task}/_rethrottle?requests_per_second=-1`],
    ] as const) {
      const { status, body } = await send(there, ask)
      // What was over before it was asked for is neither told of nor stopped.
      if (ask[1] !== `/_tasks/${done}` && status === 404) continue
      expect(status, `${ask[1]} ${body}`).toBe(403)
    }
    expect(await admin('GET', `/_tasks/${done}`)).not.toHaveProperty('indices')
    await admin('POST', '/_tasks/_cancel')
  })
})

describe('somebody who is allowed one index', () => {
  it('is refused names that are not, whether they are there or not', async () => {
    const running = await startPolicyDomain('chaja')
    const { domain, send, alice } = running
    const user = (name: string) => ({ AWS: `arn:aws:iam::111122223333:user/${name}` })
    domain.access.store.policy = JSON.stringify({
      Version: '2012-10-17',
      Statement: [
        { Effect: 'Allow', Principal: user('admin'), Action: 'es:*', Resource: '*' },
        {
          Effect: 'Allow',
          Principal: user('alice'),
          Action: 'es:*',
          Resource: [`${ARN}/_*`, `${ARN}/public`, `${ARN}/public/*`, `${ARN}/mine-*`],
        },
      ],
    })
    await new Promise((resolve) => setTimeout(resolve, 400))
    for (const target of [
      '/public/_doc/1?refresh=true',
      '/other/_doc/1?refresh=true',
      '/mine-1/_doc/1',
      '/mine-2/_doc/1',
    ])
      await send(domain.admin, { method: 'PUT', target, body: '{"a":"x"}' })
    for (const target of ['/public/_alias/mine', '/other/_alias/theirs'])
      await send(domain.admin, { method: 'PUT', target })
    for (const target of [
      '/_alias',
      '/_alias/theirs',
      '/_alias/mine,theirs',
      '/_alias/*',
      '/_alias/_all',
      '/_alias/t*',
    ])
      expect((await send(alice, { method: 'GET', target })).status, target).toBe(403)
    for (const name of ['other', 'another'])
      for (const [method, target, body] of asks(name, true)) {
        const answer = await send(alice, { method, target, ...json(body) })
        expect(answer.status, `${method} ${target} ${JSON.stringify(body)} ${answer.body}`).toBe(403)
      }
    for (const name of ['other', 'another', 'mine-2'])
      for (const [method, target, body] of [
        ['GET', `/_cat/shards/public*,-${name}`],
        ['GET', `/mine-*,-${name}/_search`],
        ['POST', '/_msearch', lines({ index: `mine-*,-${name}` }, {})],
        ['POST', '/_msearch/template', lines({ index: `mine-*,-${name}` }, { source: {} })],
      ] as const) {
        const answer = await send(alice, { method, target, ...json(body) })
        expect(answer.status, `${target} ${answer.body}`).toBe(200)
        expect(answer.body).not.toContain('exception')
      }
    for (const [method, target, body] of [
      ['POST', '/_bulk', lines({ index: { _index: 'public', _type: '_doc', _id: '2' } }, { a: 'x' })],
      ['GET', '/_cat/indices/public'],
      ['GET', '/public/_search'],
      ['GET', '/_cluster/health/public'],
      ['GET', '/_alias/mine'],
      ['GET', '/_alias/m*,-theirs'],
      ['HEAD', '/_alias/mine'],
      ['PUT', '/_ingest/pipeline/own', { processors: [{ trim: { field: 'a' } }] }],
    ] as const) {
      const answer = await send(alice, { method, target, ...json(body) })
      expect(answer.status, `${target} ${answer.body}`).toBe(200)
    }
    await running.close()
  })
})
