import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest, type Rest } from '../../../test/open-rest.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'

interface Recorded {
  readonly cases: readonly { readonly body: string; readonly status: number; readonly answer: string }[]
}

const { cases } = JSON.parse(
  readFileSync(new URL('vectors/search-templates-6.8.json', import.meta.url), 'utf8'),
) as Recorded

function domain(engineVersion: EngineVersion) {
  let rest: Rest
  const text = async (
    method: string,
    path: string,
    body?: object | string,
  ): Promise<{ status: number; text: string }> => {
    const answer = await askBackend(rest.backend, method, path, body)
    return { status: answer.status, text: String(answer.body) }
  }
  beforeAll(async () => {
    rest = await openRest(engineVersion)
    await text('PUT', '/a/_doc/1?refresh=true', { a: 1, t: 'hello world' })
  })
  afterAll(() => rest.close())
  const ask = async (
    method: string,
    path: string,
    body?: object | string,
  ): Promise<{ status: number; json: never }> => {
    const answer = await text(method, path, body)
    return { status: answer.status, json: JSON.parse(answer.text) as never }
  }
  return { ask, text }
}

/** What the domain does not say as 6.8 does: places in a body, identities of Java's objects, and that a caller's fault is the server's. */
function comparable(answer: string): string {
  return answer
    .replace(/"reason":"\[\d+:\d+\] /g, '"reason":"')
    .replace('"status":500}', '"status":400}')
    .replace(/"general_script_exception","reason":"Error running .*/s, '"general_script_exception"')
    .replace(/"caused_by":\{"type":"access_control_exception".*|"caused_by":\{[^}]*partial templates.*/s, '')
}

describe('a search template (6.8)', () => {
  const { ask, text } = domain('Elasticsearch_6.8')

  it.each(cases)('becomes of $body what the real server makes of it', async ({ body, status, answer }) => {
    const made = await text('POST', '/_render/template', body)
    expect(comparable(made.text)).toBe(comparable(answer))
    expect(made.status).toBe(status === 500 ? 400 : status)
  })

  it('is stored, shown and removed', async () => {
    const source = { query: { match: { t: '{{q}}' } }, size: '{{s}}{{^s}}3{{/s}}' }
    expect((await ask('PUT', '/_scripts/s', { script: { lang: 'mustache', source } })).json).toEqual({
      acknowledged: true,
    })
    expect((await ask('GET', '/_scripts/s')).json).toEqual({
      _id: 's',
      found: true,
      script: {
        lang: 'mustache',
        source: '{"query":{"match":{"t":"{{q}}"}},"size":"{{s}}{{^s}}3{{/s}}"}',
        options: { content_type: 'application/json; charset=UTF-8' },
      },
    })
    expect((await text('POST', '/_render/template/s', { params: { q: 'x"y\n', s: 5 } })).text).toBe(
      '{"template_output":{"query":{"match":{"t":"x\\"y\\n"}},"size":"5"}}',
    )
    const found = await ask('POST', '/a/_search/template', { id: 's', params: { q: 'hello' } })
    expect(found.json).toMatchObject({ hits: { total: 1, hits: [{ _id: '1' }] } })
    expect((await ask('DELETE', '/_scripts/s')).json).toEqual({ acknowledged: true })
    expect(await ask('DELETE', '/_scripts/s')).toMatchObject({
      status: 404,
      json: { error: { reason: 'stored script [s] does not exist and cannot be deleted' } },
    })
    expect(await ask('POST', '/_render/template/s', {})).toMatchObject({
      status: 404,
      json: {
        error: { type: 'resource_not_found_exception', reason: 'unable to find script [s] in cluster state' },
      },
    })
  })

  it('is stored by itself too', async () => {
    await ask('PUT', '/_scripts/t', { template: { query: { match_all: {} } } })
    await ask('PUT', '/_scripts/u', { query: { match_all: {} } })
    const script = { lang: 'mustache', source: '{"query":{"match_all":{}}}' }
    for (const id of ['t', 'u'])
      expect((await ask('GET', `/_scripts/${id}`)).json).toEqual({ _id: id, found: true, script })
  })

  it('writes values as its media type wants them', async () => {
    const shown = async (content_type: string) => {
      await ask('PUT', '/_scripts/m', { script: { lang: 'mustache', source: '{{a}}', options: { content_type } } })
      return (await text('POST', '/_render/template/m', { params: { a: 'x"y z' } })).text
    }
    expect(await shown('text/plain')).toBe('{"template_output":x"y z}')
    expect(await shown('application/x-www-form-urlencoded')).toBe('{"template_output":x%22y+z}')
    expect(await shown('foo/bar')).toContain('No encoder found for MIME type [foo/bar]')
  })

  it.each([
    ['x', { script: { lang: 'nolang', source: '1' } }, 'unable to put stored script with unsupported lang [nolang]'],
    ['x', { script: { source: '1' } }, 'must specify lang for stored script'],
    ['x', { script: {} }, 'must specify lang for stored script'],
    ['x', { script: 'abc' }, 'unexpected token [VALUE_STRING], expected [{, <source>]'],
    [
      'x',
      { script: { lang: 'mustache', source: 'a', options: { foo: 'foo/bar' } } },
      'illegal compiler options [{foo=foo/bar}] specified',
    ],
    [
      'a%23b',
      { script: { lang: 'mustache', source: 'a' } },
      "Validation Failed: 1: id cannot contain '#' for stored script;",
    ],
    ['x/search', { script: { lang: 'mustache', source: 'a' } }, 'failed to parse/compile stored script [x]'],
    ['x/template', { script: { lang: 'mustache', source: '{{#a}}' } }, 'failed to parse/compile stored script [x]'],
  ])('is not stored as %s of %j', async (id, body, reason) => {
    expect(await ask('PUT', `/_scripts/${id}`, body)).toMatchObject({ status: 400, json: { error: { reason } } })
  })

  it('searches, explains where it is asked to, and fails as its search does', async () => {
    const template = (body: object) => ask('POST', '/a/_search/template', body)
    const source = { query: { match: { t: '{{q}}' } } }
    const explained = await template({ source, params: { q: 'hello' }, explain: true })
    expect(explained.json).toMatchObject({ hits: { hits: [{ _explanation: { details: [{}] } }] } })
    expect(await template({ source: '{"query":{"foo":{}}}' })).toMatchObject({
      status: 400,
      json: { error: { type: 'parsing_exception', reason: 'no [query] registered for [foo]' } },
    })
    expect(await template({ source: '{{x}}' })).toMatchObject({
      json: { error: { reason: 'Expected [START_OBJECT] but found [null]' } },
    })
    expect(await template({ params: {} })).toMatchObject({
      json: {
        error: { reason: "Validation Failed: 1: template is missing;2: template's script type is missing;" },
      },
    })
    expect((await template({ source: '{}', profile: true })).json).toHaveProperty('profile.shards')
    expect((await ask('POST', '/none/_search/template', { source: '{}' })).status).toBe(404)
    expect((await ask('POST', '/a/_search/template')).json).toMatchObject({
      error: { reason: 'request body or source parameter is required' },
    })
  })

  it('stands beside others in one request', async () => {
    const lines = [
      { index: 'a' },
      { source: '{"query":{"match":{"t":"{{q}}"}}}', params: { q: 'hello' } },
      { index: 'a' },
      { id: 'nope' },
      { index: 'a' },
      { source: '{{#a}}' },
      { index: 'none' },
      { source: '{"size":0}' },
    ]
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    const { json } = await ask('POST', '/_msearch/template', body)
    expect(json).toMatchObject({
      responses: [
        { hits: { total: 1 } },
        { error: { type: 'resource_not_found_exception', reason: 'unable to find script [nope] in cluster state' } },
        { error: { type: 'general_script_exception', caused_by: { reason: "Failed to close 'a' tag at line 1" } } },
        { error: { type: 'index_not_found_exception' } },
      ],
    })
    expect((json as { responses: object[] }).responses.every((response) => !('status' in response))).toBe(true)
    expect(await ask('POST', '/a/_msearch/template', '{}\n{"params":{}}\n')).toMatchObject({
      status: 400,
      json: { error: { type: 'illegal_argument_exception', reason: 'Malformed search template' } },
    })
  })

  it('does not go on for ever', async () => {
    const depth = 12
    const source = `${'{{#l}}'.repeat(depth)}x${'{{/l}}'.repeat(depth)}`
    const answer = await ask('POST', '/_render/template', { source, params: { l: Array(50).fill(1) } })
    expect(answer).toMatchObject({ status: 400, json: { error: { type: 'general_script_exception' } } })
  })
})

describe('a search template (OpenSearch 2.19)', () => {
  const { ask } = domain('OpenSearch_2.19')

  it('is refused with what is wrong with it', async () => {
    expect(await ask('POST', '/_render/template', { source: '{{#a}}' })).toMatchObject({
      status: 400,
      json: {
        error: {
          type: 'script_exception',
          reason: "Failed to close 'a' tag @[query-template:1]",
          script_stack: [],
          script: '{{#a}}',
          lang: 'mustache',
        },
      },
    })
  })

  it('is stored as a script only', async () => {
    expect(await ask('PUT', '/_scripts/x', { template: { query: {} } })).toMatchObject({
      status: 400,
      json: { error: { type: 'parsing_exception', reason: 'unexpected field [template], expected [script]' } },
    })
    await ask('PUT', '/_scripts/x', { script: { lang: 'mustache', source: '{"query":{"match":{"t":"{{q}}"}}}' } })
    const found = await ask('POST', '/a/_search/template', { id: 'x', params: { q: 'world' } })
    expect(found.json).toMatchObject({ hits: { total: { value: 1 }, hits: [{ _id: '1' }] } })
    expect((await ask('POST', '/_msearch/template', '{}\n{"id":"x"}\n')).json).toMatchObject({
      took: expect.any(Number),
      responses: [{ hits: { total: { value: 0 } } }],
    })
  })
})
