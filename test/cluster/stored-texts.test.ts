import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakeCluster, type SeenRequest } from './fake-cluster.ts'
import { type ServedCluster, serveCluster } from './served-cluster.ts'

/*
 * What a cluster's faults quote of scripts, templates and pipelines is not told to who may not read these. Answers are as
 * Elasticsearch 6.8.23 and OpenSearch 2.19.3 word them.
 */

/** Stands in what is stored alone. */
const WORD = 'zebrafish'

const SCRIPT = `def ${WORD} = params.k; return doc['none'].value + ${WORD}.length()`
const PIPED = `def ${WORD} = ctx.none`
const TWICE = `${WORD} of two`

const METADATA = {
  indices: {
    books: { aliases: [], settings: { index: {} } },
    piped: { aliases: [], settings: { index: { search: { default_pipeline: 'secret-q' } } } },
  },
  stored_scripts: {
    'secret-s': { lang: 'painless', source: SCRIPT },
    open: { lang: 'painless', source: `${WORD} is told` },
    'secret-a': { lang: 'painless', source: TWICE },
    'secret-b': { lang: 'painless', source: TWICE },
    'secret-t': { lang: 'mustache', source: `{"query":{"term":{"a":"${WORD}"}}}` },
  },
  ingest: {
    pipeline: [
      { id: 'secret-p', config: { processors: [{ script: { source: PIPED } }] } },
      // Somebody's who would like to be told.
      { id: 'mine', config: { description: 'secret-s', processors: [] } },
    ],
  },
  search_pipeline: {
    pipeline: [{ id: 'secret-q', config: { request_processors: [{ script: { source: `${WORD}()` } }] } }],
  },
}

const fault = (script: string, more: object = {}) => ({
  type: 'script_exception',
  reason: 'runtime error',
  script_stack: ['LeafDocLookup.get(LeafDocLookup.java:81)', `return ${WORD}.length()`, '       ^---- HERE'],
  script,
  lang: 'painless',
  position: { offset: 1, start: 2, end: 3 },
  ...more,
})
const error = (script: string) => ({
  error: {
    root_cause: [fault(script)],
    type: 'search_phase_execution_exception',
    failed_shards: [{ shard: 0, reason: { type: 'query_shard_exception', caused_by: fault(script) } }],
  },
  status: 400,
})
const hits = (source: object) => ({ total: 1, hits: [{ _index: 'books', _id: '1', _source: source }] })
const failed = (script: string) => ({
  total: 2,
  successful: 1,
  failed: 1,
  failures: [{ shard: 0, reason: fault(script) }],
})
const lines = (...values: object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('')
const stored = (id: string) => ({ query: { script: { script: { id } } } })
const inline = (source: string) => ({ query: { script: { script: { source } } } })

describe.each(['OpenSearch_2.19', 'Elasticsearch_6.8'])('a cluster served as %s', (engineVersion) => {
  let cluster: FakeCluster
  let domain: ServedCluster
  let seen: SeenRequest
  let send: (response: ServerResponse) => void

  beforeAll(async () => {
    cluster = await FakeCluster.start({
      metadata: METADATA,
      handle: (request, response) => {
        seen = request
        send(response)
        return true
      },
    })
    domain = await serveCluster([cluster.url], {
      engineVersion,
      statements: [
        { Effect: 'Allow', Action: 'es:*', Resource: '$/*' },
        {
          Effect: 'Deny',
          Action: 'es:*',
          Resource: ['_scripts', '_ingest/pipeline', '_search/pipeline'].map((folder) => `$/${folder}/secret*`),
        },
      ],
    })
  })
  afterAll(async () => {
    await domain.stop()
    await cluster.stop()
  })

  /** Asks while the cluster answers so. */
  function ask(
    answer: object | string,
    method: string,
    path: string,
    body?: object | string,
    { status = 200, type = 'application/json', pieces = 1 } = {},
  ) {
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
    send = (response) => {
      if (pieces === 1) {
        response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text)
        return
      }
      response.writeHead(status, { 'content-type': type })
      const size = Math.ceil(text.length / pieces)
      for (let from = 0; from < text.length; from += size) response.write(text.slice(from, from + size))
      response.end()
    }
    return domain.ask(method, path, body)
  }

  it('does not quote a stored script in faults', async () => {
    const told = await ask(error('secret-s'), 'POST', '/books/_search', stored('secret-s'), { status: 400 })
    const hidden = {
      type: 'script_exception',
      reason: 'runtime error',
      script_stack: [],
      script: 'secret-s',
      lang: 'painless',
    }
    expect(told.status).toBe(400)
    expect(told.json).toEqual({
      error: {
        root_cause: [hidden],
        type: 'search_phase_execution_exception',
        failed_shards: [{ shard: 0, reason: { type: 'query_shard_exception', caused_by: hidden } }],
      },
      status: 400,
    })
  })

  it.each([
    ['secret-s', SCRIPT, 'secret-s'],
    ['secret-b', TWICE, 'secret-b'],
    ['unknown', TWICE, ''],
    ['unknown', `${WORD} stored by nobody`, ''],
    ['unknown', PIPED, 'secret-p'],
    ['unknown', `${WORD}()`, 'secret-q'],
  ])('calls a script that does not compile by its name: %s', async (id, script, name) => {
    const { text, json } = await ask(error(script), 'POST', '/books/_search', stored(id), { status: 400 })
    expect(text).not.toContain(WORD)
    expect(json.error.root_cause[0].script).toBe(name)
  })

  it('leaves what stands beside a script as it is, whatever it is called', async () => {
    const answer = JSON.stringify(error('secret-s')).replaceAll('"lang":', '"__proto__":{"a":1},"lang":')
    const { text } = await ask(answer, 'POST', '/books/_search', stored('secret-s'), { status: 400 })
    expect(text).not.toContain(WORD)
    expect(text.match(/"__proto__":\{"a":1\}/g)).toHaveLength(2)
  })

  it('quotes what the caller wrote or may read', async () => {
    for (const [script, body] of [
      ['open', stored('open')],
      [`${WORD} is told`, stored('open')],
      [`return ${WORD}.length()`, inline(`return ${WORD}.length()`)],
      [`é\n"return ${WORD}.length()"`, inline(`é\n"return ${WORD}.length()"`)],
    ] as const) {
      const answer = error(script)
      expect((await ask(answer, 'POST', '/books/_search', body, { status: 400 })).json).toEqual(answer)
    }
  })

  it('does not quote what is in no text of the caller, known to be stored or not', async () => {
    for (const body of [stored('secret-none'), inline('secret-none')]) {
      const { text, json } = await ask(error('secret-none'), 'POST', '/books/_search', body, { status: 400 })
      expect(text).not.toContain(WORD)
      expect(json.error.root_cause[0].script).toBe('secret-none')
    }
  })

  it('does not take the name of a script for a text of the caller', async () => {
    const body = { ...inline('secret-s'), aggs: { a: { terms: { script: { id: 'secret-s' } } } } }
    const { text } = await ask(error('secret-s'), 'POST', '/books/_search', body, { status: 400 })
    expect(text).not.toContain(WORD)
  })

  it.each([
    ['a search', '/books/_search', {}, { took: 1, _shards: failed('secret-s'), hits: hits({}) }],
    ['searches', '/books/_msearch', lines({}, {}), { responses: [error('secret-s'), { _shards: failed('secret-s') }] }],
    ['a count', '/books/_count', {}, { count: 1, _shards: failed('secret-s') }],
    [
      'a bulk',
      '/books/_bulk',
      lines({ index: {} }, { a: 1 }),
      { took: 1, errors: true, items: [{ index: { _index: 'books', status: 400, error: fault(SCRIPT) } }] },
    ],
    ['an update by query', '/books/_update_by_query', {}, { took: 1, failures: [{ id: '1', cause: fault(PIPED) }] }],
    [
      'a pipeline that is tried out',
      '/_ingest/pipeline/_simulate',
      { pipeline: {}, docs: [] },
      { docs: [{ error: fault(PIPED) }, { processor_results: [{ error: fault(PIPED) }] }] },
    ],
    ['parts of a fault', '/books/_msearch', lines({}, {}), { responses: [{ error: { script_stack: [WORD] } }] }],
    ['a text of a fault', '/books/_msearch', lines({}, {}), { responses: [{ error: { script: SCRIPT } }] }],
  ])('does not quote it where it succeeds in part: %s', async (_what, path, body, answer) => {
    for (const text of [JSON.stringify(answer), JSON.stringify(answer, null, 2)])
      for (const pieces of [1, 2, 7, 40]) {
        const told = await ask(text, 'POST', path, body, { pieces })
        expect(told.status).toBe(200)
        expect(told.text).not.toContain(WORD)
        expect(told.json).toBeDefined()
        expect(told.text.includes('\n')).toBe(text.includes('\n'))
      }
  })

  it('passes documents as they came', async () => {
    const document = { error: fault(SCRIPT), failures: [fault('secret-s')], n: 1.0 }
    const found = { took: 1, _shards: { total: 1 }, hits: hits(document), aggregations: { error: fault('secret-s') } }
    for (const [path, answer] of [
      ['/books/_search', found],
      ['/books/_doc/1', { _index: 'books', _source: document }],
      ['/books/_source/1', document],
      ['/_ingest/pipeline/mine', document],
    ] as const) {
      for (const pieces of [1, 5]) {
        const { json } = await ask(answer, 'GET', path, undefined, { pieces })
        expect(json).toMatchObject(answer)
      }
    }
  })

  it('lays out what it changes as the rest', async () => {
    const answer = JSON.stringify({ error: { a: 1, caused_by: { script_stack: [WORD], script: 'secret-s' } } }, null, 2)
    const { text } = await ask(answer, 'GET', '/books/_search?pretty', undefined, { status: 500 })
    expect(text).toBe(`{
  "error": {
    "a" : 1,
    "caused_by" : {
      "script_stack" : [ ],
      "script" : "secret-s"
    }
  }
}`)
  })

  it('tells of scripts in JSON alone', async () => {
    const yaml = { status: 400, type: 'application/yaml' }
    const refused = await ask(`script: "${WORD}"`, 'GET', '/books/_count', undefined, yaml)
    expect(refused.status).toBe(400)
    expect(refused.text).not.toContain(WORD)
    expect((await ask('error: "none"', 'GET', '/books/_count', undefined, yaml)).text).toBe('error: "none"')
  })

  it('asks for no traces, and for nothing compressed', async () => {
    send = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    await domain.ask('GET', '/books/_count?error_trace=true&pretty=true', undefined, { 'accept-encoding': 'gzip' })
    expect(seen.url).toBe('/books/_count?pretty=true')
    expect(seen.headers['accept-encoding']).toBeUndefined()
  })

  it('does not tell what is wrong with a template', async () => {
    const body = { source: {}, id: 'secret-t' }
    const partial = { took: 1, _shards: failed(WORD), hits: hits({}) }
    const told = await ask(partial, 'POST', '/books/_search/template', body)
    expect(told.json._shards.failures).toEqual([
      {
        shard: 0,
        reason: { type: 'script_exception', reason: 'what is wrong is told to who may read [_scripts/secret-t]' },
      },
    ])
    for (const status of [400, 500])
      expect((await ask(error(WORD), 'POST', '/books/_search/template', body, { status })).status).toBe(403)
    const own = { source: {}, id: 'open' }
    expect((await ask(partial, 'POST', '/books/_search/template', own)).text).not.toContain('what is wrong')
  })
})

describe('search pipelines of a cluster', () => {
  it('show in profiles, explanations and faults to who may read them', async () => {
    let answer: object = {}
    let status = 200
    const cluster = await FakeCluster.start({
      metadata: METADATA,
      handle: (_seen, response) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
        return true
      },
    })
    const domain = await serveCluster([cluster.url], {
      statements: [
        { Effect: 'Allow', Action: 'es:*', Resource: '$/*' },
        { Effect: 'Deny', Action: 'es:*', Resource: '$/_search/pipeline/secret*' },
      ],
    })
    const named = { search_pipeline: 'secret-q' }
    for (const [path, body] of [
      ['/books/_search?search_pipeline=secret-q&verbose_pipeline=true', {}],
      ['/books/_search?search_pipeline=secret-q&explain', {}],
      ['/books/_search', { ...named, profile: true }],
      ['/books/_search', { ...named, verbose_pipeline: true }],
      ['/piped/_search', { profile: true }],
      ['/pip*/_search?explain=true', {}],
      ['/_msearch', lines({ index: 'books' }, { ...named, explain: true })],
      ['/_msearch', lines({ index: 'piped' }, { profile: true })],
    ] as const)
      expect((await domain.ask('POST', path, body)).status, path).toBe(403)
    expect(cluster.seen).toEqual([])
    for (const path of [
      '/books/_search?profile=false',
      '/piped/_search',
      '/piped/_search?search_pipeline=_none&explain=true',
    ])
      expect((await domain.ask('POST', path, {})).status, path).toBe(200)
    answer = { responses: [{ error: { type: 'x', reason: WORD }, status: 400 }] }
    const reason = 'what is wrong is told to who may read [_search/pipeline/secret-q]'
    expect((await domain.ask('POST', '/_msearch', lines({ index: 'piped' }, {}))).json).toEqual({
      responses: [{ error: { root_cause: [{ type: 'x', reason }], type: 'x', reason }, status: 400 }],
    })
    status = 400
    expect((await domain.ask('POST', '/piped/_search', {})).status).toBe(403)
    expect((await domain.ask('POST', '/books/_search', {})).status).toBe(400)
    await domain.stop()
    await cluster.stop()
  })
})

describe('somebody who may post everything and read nothing', () => {
  it('is told no script, and runs no template', async () => {
    const cluster = await FakeCluster.start({
      metadata: METADATA,
      handle: (_seen, response) => {
        response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(error('secret-s')))
        return true
      },
    })
    const domain = await serveCluster([cluster.url], {
      statements: [{ Effect: 'Allow', Action: ['es:ESHttpPost'], Resource: '$/*' }],
    })
    expect((await domain.ask('POST', '/books/_search', stored('secret-s'))).text).not.toContain(WORD)
    const evaluated = { templates: [{ id: 't', template: { id: 'secret-t' } }] }
    expect((await domain.ask('POST', '/books/_rank_eval', evaluated)).status).toBe(403)
    expect((await domain.ask('POST', '/_msearch/template', lines({}, { id: 'secret-t' }))).status).toBe(403)
    await domain.stop()
    await cluster.stop()
  })
})
