import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { denying, type PolicyDomain, startPolicyDomain } from './policy-domain.ts'

/*
 * Whoever may run what is stored and may not read it is not told what it says: by no fault, profile, explanation or second name.
 */

/** Stands in what is stored alone. */
const WORD = 'zebrafish'

type Ask = readonly [method: string, target: string, body?: object | string]

const sent = ([method, target, body]: Ask) => ({
  method,
  target,
  ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
})
const lines = (...values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')

const SCRIPT = `def ${WORD} = params.k; return doc['none'].value + ${WORD}.length()`
const UPDATE = `def ${WORD} = params.k; ctx._source.z = ${WORD}.length()`
const INGESTED = `def ${WORD} = ctx.none; ctx.x = ${WORD}.length()`

/** What runs a stored script or pipeline that fails, with the status that its owner gets too. */
function failing(typed: boolean): readonly Ask[] {
  const stored = (id: string) => ({ script: { id } })
  const item = { _index: 'public', ...(typed ? { _type: '_doc' } : {}), _id: '1' }
  return [
    ['POST', '/public/_search', { script_fields: { s: stored('secret-s') } }],
    ['POST', '/public/_search', { query: { script: stored('secret-s') } }],
    ['POST', '/public/_search', { query: { function_score: { script_score: stored('secret-s') } } }],
    ['POST', '/public/_search', { size: 0, aggs: { a: { terms: stored('secret-s') } } }],
    // Does not compile here.
    ['POST', '/public/_search', { query: { script: stored('secret-u') } }],
    ['POST', typed ? '/public/_doc/1/_update' : '/public/_update/1', stored('secret-u')],
    ['POST', '/_bulk', lines({ update: item }, stored('secret-u'))],
    ['POST', '/public/_update_by_query', stored('secret-u')],
    ['POST', '/_reindex', { source: { index: 'public' }, dest: { index: 'made' }, ...stored('secret-u') }],
    ['PUT', '/public/_doc/9?pipeline=secret-p', { a: 1 }],
    ['POST', '/_bulk?pipeline=secret-p', lines({ index: item }, { a: 1 })],
    ['POST', '/public/_update_by_query?pipeline=secret-p'],
    // Runs what may be read, which runs what may not.
    ['PUT', '/public/_doc/9?pipeline=running', { a: 1 }],
  ]
}

/** What shows a stored template: refused. */
const SHOWING: readonly Ask[] = [
  ['POST', '/public/_search/template', { id: 'secret-t', params: { q: 'match_all' }, profile: true }],
  ['POST', '/public/_search/template', { id: 'secret-t', params: { q: 'match_all' }, explain: true }],
  ['POST', '/public/_search/template', { id: 'secret-t', params: { q: 'none' } }],
  ['POST', '/public/_search/template', { id: 'secret-bad' }],
  ['POST', '/_msearch/template', lines({ index: 'public' }, { id: 'secret-t', params: { q: 'none' } })],
  ['POST', '/_msearch/template', lines({ index: 'public' }, { id: 'secret-t', params: {}, profile: true })],
  ['POST', '/_render/template', { id: 'secret-t' }],
  [
    'POST',
    '/public/_rank_eval',
    {
      templates: [{ id: 't', template: { id: 'secret-t' } }],
      requests: [{ id: 'r', template_id: 't', params: { q: 'none' }, ratings: [] }],
      metric: { precision: {} },
    },
  ],
]

describe.each(['Elasticsearch_6.8', 'OpenSearch_2.19'] as const)('what is stored in a domain of %s', (version) => {
  const typed = version === 'Elasticsearch_6.8'
  let running: PolicyDomain
  let threaded: PolicyDomain
  const alice = (ask: Ask, domain = running) => domain.send(domain.alice, sent(ask))
  const admin = (ask: Ask, { domain, send } = running) => send(domain.admin, sent(ask))

  async function started(isThreaded: boolean): Promise<PolicyDomain> {
    const one = await startPolicyDomain('chaja', isThreaded, version)
    one.domain.access.store.policy = denying([
      ...['_ingest/pipeline', '_search/pipeline', '_scripts', '_snapshot'].map((folder) => `${folder}/secret*`),
    ])
    await new Promise((resolve) => setTimeout(resolve, 400))
    const script = (source: string, lang = 'painless') => ({ script: { lang, source } })
    const asks: Ask[] = [
      ['PUT', '/public/_doc/1?refresh=true', { a: 1 }],
      ['PUT', '/public2/_doc/1?refresh=true', { a: 'x' }],
      ['PUT', '/_scripts/secret-s', script(SCRIPT)],
      ['PUT', '/_scripts/secret-u', script(UPDATE)],
      ['PUT', '/_scripts/secret-i', script(INGESTED)],
      ['PUT', '/_scripts/secret-t', script(`{"query":{"{{q}}":{"_name":"${WORD}"}}}`, 'mustache')],
      ['PUT', '/_scripts/secret-bad', script(`{"query":{"${WORD}":{}}}`, 'mustache')],
      ['PUT', '/_scripts/secret-r', script(`{"query":{"range":{"a":{"gte":"${WORD}"}}}}`, 'mustache')],
      ['PUT', '/_ingest/pipeline/secret-p', { processors: [{ script: { source: INGESTED } }] }],
      ['PUT', '/_ingest/pipeline/running', { processors: [{ script: { id: 'secret-i' } }] }],
      ['PUT', '/_snapshot/secret-r', { type: 'fs', settings: { location: 'kept' } }],
    ]
    if (!typed) {
      const query = { term: { a: 1 } }
      const filtered = (query: object) => ({ request_processors: [{ filter_query: { query } }] })
      asks.push(['PUT', '/_search/pipeline/secret-q', filtered(query)])
      asks.push(['PUT', '/_search/pipeline/secret-r', filtered({ range: { a: { gte: WORD } } })])
      asks.push(['PUT', '/_search/pipeline/secret-s', filtered({ script: script(SCRIPT) })])
    }
    for (const ask of asks) {
      const { status, body } = await admin(ask, one)
      expect(status, `${ask[1]} ${body}`).toBeLessThan(300)
    }
    return one
  }

  beforeAll(async () => {
    running = await started(false)
    threaded = await started(true)
  })
  afterAll(async () => {
    await running.close()
    await threaded.close()
  })

  it.each(failing(typed).map((ask) => [`${ask[0]} ${ask[1]} ${JSON.stringify(ask[2])}`, ask] as const))(
    'is not told by its fault: %s',
    async (_name, ask) => {
      const told = await admin(ask)
      expect(told.body).toContain(WORD)
      for (const domain of [running, threaded]) {
        const { status, body } = await alice(ask, domain)
        expect(body).not.toContain(WORD)
        expect(body).toContain('script_exception')
        expect(status, body).toBe(told.status)
      }
    },
  )

  it('is called by its name in faults while it runs', async () => {
    const search = { query: { script: { script: { id: 'secret-s' } } } }
    const { error } = JSON.parse((await admin(['POST', '/public/_search', search])).body)
    expect(error.root_cause[0]).toMatchObject({
      script: 'secret-s',
      script_stack: [expect.stringContaining(WORD), expect.any(String)],
    })
  })

  it.each(SHOWING.map((ask) => [JSON.stringify(ask), ask] as const))('is not shown: %s', async (_name, ask) => {
    for (const domain of [running, threaded]) {
      const { status, body } = await alice(ask, domain)
      expect(status, body).toBe(403)
      expect((await admin(ask, domain)).status).not.toBe(403)
    }
  })

  it('is run by who may not read it', async () => {
    const ask: Ask = ['POST', '/public/_search/template', { id: 'secret-t', params: { q: 'match_all' } }]
    for (const domain of [running, threaded]) expect((await alice(ask, domain)).status).toBe(200)
  })

  const partial: readonly Ask[] = [
    ['POST', '/public*/_search/template', { id: 'secret-r' }],
    ['POST', '/_msearch/template', lines({ index: 'public*' }, { id: 'secret-r' })],
    ['POST', '/public*/_search?search_pipeline=secret-r', {}],
  ]
  it.each(partial.slice(0, typed ? 2 : 3).map((ask) => [ask[1], ask] as const))(
    'is not told by the failure of one of several indices: %s',
    async (_name, ask) => {
      const told = await admin(ask)
      expect(told.body).toContain(WORD)
      for (const domain of [running, threaded]) {
        const { status, body } = await alice(ask, domain)
        expect(status, body).toBe(200)
        expect(body).not.toContain(WORD)
        expect(body).toMatch(/"reason":"what is wrong is told to who may read \[_.*\/secret-r\]"/)
        expect(body).toContain('"failed":')
      }
    },
  )

  const piped: readonly Ask[] = [
    ['POST', '/public/_search?search_pipeline=secret-r', {}],
    ['POST', '/public/_search?search_pipeline=secret-r&scroll=1m', {}],
    ['POST', '/public/_search?search_pipeline=secret-s', {}],
    ['POST', '/_msearch', lines({ index: 'public' }, { search_pipeline: 'secret-r' })],
  ]
  it.runIf(!typed).each(piped.map((ask) => [ask[1], ask] as const))(
    'is not told by the fault of a search: %s',
    async (_name, ask) => {
      expect((await admin(ask)).body).toContain(WORD)
      for (const domain of [running, threaded]) {
        const { status, body } = await alice(ask, domain)
        expect(status, body).toBe(403)
      }
    },
  )

  it('is not tried out by its name', async () => {
    const { status, body } = await admin(['POST', '/_scripts/painless/_execute', { script: { id: 'secret-s' } }])
    expect(status).toBe(400)
    expect(body).toContain('only inline scripts are supported')
  })

  it.runIf(!typed)('is not shown by the profile of a search', async () => {
    const target = '/public/_search?search_pipeline=secret-q'
    expect((await alice(['POST', target, {}])).status).toBe(200)
    for (const body of [{ profile: true }, { explain: true }]) {
      expect((await alice(['POST', target, body])).status).toBe(403)
      expect((await admin(['POST', target, body])).status).toBe(200)
    }
  })

  it.each(['kept', 'kept/data', '.', './kept/'])('is not reached by a second repository at [%s]', async (location) => {
    const ask: Ask = ['PUT', '/_snapshot/mine', { type: 'fs', settings: { location } }]
    expect((await alice(ask)).status).toBe(403)
    expect((await alice(['PUT', '/_snapshot/mine', { type: 'fs', settings: { location: 'own' } }])).status).toBe(200)
  })

  it('lies in folders whose names nobody is told', async () => {
    const { body } = await admin(['GET', '/_nodes/stats/fs'])
    expect(JSON.parse(body).nodes).toMatchObject(
      Object.fromEntries(
        Object.keys(JSON.parse(body).nodes).map((id) => [id, { fs: { data: [{ path: 'data/nodes/0' }] } }]),
      ),
    )
  })
})
