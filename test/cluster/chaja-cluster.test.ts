import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { type Domain, startDomain } from '../../src/domain.ts'
import { type Json, writeJson } from '../../src/rest/json/json-writer.ts'
import { type ServedCluster, serveCluster } from './served-cluster.ts'

/* A domain in front of another, which tells its state as a cluster does. */

/** Stands in what is stored alone. */
const WORD = 'zebrafish'

describe.each(['OpenSearch_2.19', 'Elasticsearch_6.8'])('a domain of %s behind another', (engineVersion) => {
  const typed = engineVersion === 'Elasticsearch_6.8'
  let data: string
  let behind: Domain
  let domain: ServedCluster

  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), 'chaja-behind-'))
    const flags = { data, port: 0, http: true, open: true, searchThreads: 0, engineVersion }
    behind = await startDomain(readConfig(flags, {}), pino({ level: 'silent' }))
    domain = await serveCluster([behind.url], {
      engineVersion,
      statements: [
        { Effect: 'Allow', Action: 'es:*', Resource: '$/*' },
        { Effect: 'Deny', Action: 'es:*', Resource: ['$/secret*', '$/_scripts/secret*', '$/_ingest/pipeline/secret*'] },
      ],
    })
    await ask('PUT', '/books/_doc/1?refresh=true', { a: 1 })
    await ask('PUT', '/secret/_doc/1?refresh=true', { a: 1 })
  })
  afterAll(async () => {
    await domain.stop()
    await behind.close()
    rmSync(data, { recursive: true, force: true })
  })

  async function ask(method: string, path: string, body?: object) {
    const response = await fetch(behind.url + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    expect(response.status, path).toBeLessThan(300)
    // biome-ignore lint/suspicious/noExplicitAny: any JSON
    return (await response.json()) as any
  }
  const stateId = async () => (await ask('GET', '/_cluster/state/version?filter_path=state_uuid')).state_uuid

  it('has another state when anything of it has changed, and the same while nothing has', async () => {
    const settings = { persistent: { 'cluster.routing.allocation.enable': 'all' } }
    const changes: [string, string, object?][] = [
      ['POST', '/_aliases', { actions: [{ add: { index: 'books', alias: 'reading' } }] }],
      ['PUT', '/books/_settings', { index: { refresh_interval: '7s' } }],
      ['PUT', '/books/_doc/2', { b: 'a new field' }],
      ['PUT', '/_ingest/pipeline/tidy', { processors: [] }],
      ['PUT', '/_ingest/pipeline/tidy', { processors: [], description: 'changed' }],
      ['DELETE', '/_ingest/pipeline/tidy'],
      ['PUT', '/_template/t', { index_patterns: ['t*'] }],
      ['PUT', '/_scripts/one', { script: { lang: 'painless', source: '1' } }],
      ['PUT', '/_cluster/settings', settings],
      ['PUT', '/made'],
      ['POST', '/made/_close'],
      ['DELETE', '/made'],
    ]
    const seen = new Set([await stateId()])
    for (const [method, path, body] of changes) {
      await ask(method, path, body)
      const id = await stateId()
      expect(seen, path).not.toContain(id)
      seen.add(id)
      await ask('PUT', '/books/_doc/3', { a: 3 })
      expect(await stateId(), path).toBe(id)
    }
  })

  it('is judged by aliases and pipelines as they are at the moment', async () => {
    await ask('POST', '/_aliases', { actions: [{ add: { index: 'books', alias: 'shelf' } }] })
    expect((await domain.ask('GET', '/shelf/_search')).status).toBe(200)
    await ask('POST', '/_aliases', { actions: [{ add: { index: 'secret', alias: 'shelf' } }] })
    expect((await domain.ask('GET', '/shelf/_search')).status).toBe(403)
    expect((await domain.ask('PUT', '/books/_doc/4', { a: 1 })).status).toBe(201)
    const moving = { processors: [{ set: { field: '_index', value: 'secret' } }] }
    await ask('PUT', '/_ingest/pipeline/moving', moving)
    expect((await domain.ask('PUT', '/books/_doc/4?pipeline=moving', { a: 1 })).status).toBe(403)
  })

  it('does not have what is stored quoted', async () => {
    const script = (source: string) => ({ script: { lang: 'painless', source } })
    await ask('PUT', '/_scripts/secret-s', script(`def ${WORD} = doc['none'].value; return ${WORD}`))
    await ask('PUT', '/_ingest/pipeline/secret-p', { processors: [script(`ctx.x = ctx.${WORD}.length()`)] })
    const wrong = { query: { script: { script: { id: 'secret-s' } } } }
    const piped = typed ? '/books/_doc/9?pipeline=secret-p' : '/books/_create/9?pipeline=secret-p'
    for (const [method, path, body, name] of [
      ['POST', '/books/_search', wrong, 'secret-s'],
      ['PUT', piped, { a: 1 }, 'secret-p'],
    ] as const) {
      const { status, text } = await domain.ask(method, path, body)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(text).not.toContain(WORD)
      if (status !== 403) expect(text).toContain(`"script":"${name}"`)
    }
  })

  it.skipIf(typed)('answers search templates as if it were asked for them itself', async () => {
    const templates = [
      { source: { size: '{{n}}' }, params: { n: 1 } },
      { source: { query: { term: { a: '{{n}}' } } }, params: { n: 9007199254740993n }, explain: true },
      // A value that would be a template itself.
      { source: '{"query":{"match":{"a":"{{q}}"}}}', params: { q: '{{x}} "' } },
      ...['{"size":', '{}{', '[]', '{{#a}}', '{{none}}', '{"size":-1}'].map((source) => ({ source })),
      { source: { script_fields: { s: { script: 'nowhere.a' } } } },
      { id: 'none' },
      {},
    ].map((template) => writeJson(template as Json))
    for (const path of ['/books/_search/template', '/books/_search/template?size=0&explain=true'])
      for (const template of templates) {
        const [direct, { status, text }] = await Promise.all([
          fetch(behind.url + path, { method: 'POST', body: template, headers: { 'content-type': 'application/json' } }),
          domain.ask('POST', path, template, { 'content-type': 'application/json' }),
        ])
        const plain = (answer: string) => answer.replace(/"took":\d+/, '')
        expect([status, plain(text)], template).toEqual([direct.status, plain(await direct.text())])
      }
  })

  it('takes blank lines for searches as it does', async () => {
    const headers = { 'content-type': 'application/x-ndjson' }
    const direct = await fetch(`${behind.url}/books/_msearch`, { method: 'POST', body: '{}\n\n', headers })
    const { status, json } = await domain.ask('POST', '/books/_msearch', '{}\n\n', headers)
    expect([status, json.error?.type]).toEqual([direct.status, JSON.parse(await direct.text()).error?.type])
  })

  it('tells of what is stored in its state', async () => {
    const { metadata } = await ask('GET', '/_cluster/state/metadata')
    expect(metadata.stored_scripts).toMatchObject({ one: { lang: 'painless', source: '1' } })
    expect(metadata.ingest.pipeline).toContainEqual({
      id: 'moving',
      config: { processors: [{ set: { field: '_index', value: 'secret' } }] },
    })
    const { json } = await domain.ask('GET', '/_cluster/state/metadata/books')
    expect(json.metadata.indices).toHaveProperty('books')
    expect(json.metadata).not.toHaveProperty('stored_scripts')
    expect(json.metadata).not.toHaveProperty('ingest')
  })
})
