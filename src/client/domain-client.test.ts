import { describe, expect, it } from 'vitest'
import { ClientError } from './client-error.ts'
import type { Connection, WireRequest, WireResponse } from './connection.ts'
import { type ClientSettings, DomainClient, totalHits } from './domain-client.ts'
import { parseEndpoint } from './endpoint.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const json = (status: number, body: unknown): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json', 'x-amzn-requestid': 'r-1' },
  body: bytes(JSON.stringify(body)),
})

/** Answers from a list, in order; the last one again and again. */
class ScriptedConnection implements Connection {
  readonly sent: WireRequest[] = []
  readonly #answers: (WireResponse | ClientError)[]

  constructor(...answers: (WireResponse | ClientError)[]) {
    this.#answers = answers
  }

  async send(request: WireRequest): Promise<WireResponse> {
    this.sent.push(request)
    const answer = this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0]
    if (answer instanceof ClientError) throw answer
    return answer as WireResponse
  }

  close(): void {}
}

const client = (connection: Connection, settings: Partial<ClientSettings> = {}) =>
  new DomainClient({ endpoint: parseEndpoint('https://search.example'), connection, ...settings })

const broken = new ClientError('connection', 'cannot reach search.example:443: reset', { type: 'ECONNRESET' })

describe('DomainClient', () => {
  it('addresses documents by any index, type and id', async () => {
    const connection = new ScriptedConnection(json(200, {}))
    await client(connection).get('a', 't', "가/b c?#'*()!%")
    expect(connection.sent[0]?.target).toBe('/a/t/%EA%B0%80%2Fb%20c%3F%23%27%2A%28%29%21%25')
    await expect(client(connection).get('a', 't', '')).rejects.toThrow('must not be empty')
    await expect(client(connection).get('a', undefined as never, '1')).rejects.toThrow('must not be empty')
    await expect(client(connection).put('a', 't', '1', undefined as never)).rejects.toThrow('no document to put')
  })

  it('searches everything, an index, or a type of it', async () => {
    const connection = new ScriptedConnection(json(200, {}))
    const c = client(connection)
    await c.search({})
    await c.search({}, { index: 'a,b' })
    await c.search({}, { index: 'a', type: 't' })
    await c.search({}, { type: 't' })
    expect(connection.sent.map((r) => r.target)).toEqual([
      '/_search',
      '/a%2Cb/_search',
      '/a/t/_search',
      '/_all/t/_search',
    ])
  })

  it('signs with credentials that are asked for before each request', async () => {
    const connection = new ScriptedConnection(json(200, {}))
    let turn = 0
    const c = client(connection, {
      region: 'eu-west-1',
      credentials: async () => ({ accessKeyId: `K${++turn}`, secretAccessKey: 's', sessionToken: `t${turn}` }),
    })
    await c.request('GET', '/')
    await c.request('GET', '/')
    expect(connection.sent.map((r) => r.headers['x-amz-security-token'])).toEqual(['t1', 't2'])
    expect(connection.sent[1]?.headers['authorization']).toMatch(
      /^AWS4-HMAC-SHA256 Credential=K2\/\d{8}\/eu-west-1\/es\/aws4_request, SignedHeaders=host;x-amz-date;x-amz-security-token, /,
    )
    expect(() => client(connection, { credentials: async () => ({ accessKeyId: 'k', secretAccessKey: 's' }) })).toThrow(
      'a region is needed',
    )
  })

  it('repeats what may be repeated: reads and writes by id after a broken connection, anything after 429', async () => {
    const get = new ScriptedConnection(broken, json(503, {}), json(200, { ok: true }))
    expect((await client(get).request('GET', '/')).body).toEqual({ ok: true })
    expect(get.sent).toHaveLength(3)

    const post = new ScriptedConnection(broken, json(200, {}))
    await expect(client(post).request('POST', '/a/t', {})).rejects.toBe(broken)
    const busy = new ScriptedConnection(json(429, {}), json(201, {}))
    expect((await client(busy).request('POST', '/a/t', {})).status).toBe(201)
    const search = new ScriptedConnection(broken, json(200, {}))
    await client(search).search({})
    expect(search.sent).toHaveLength(2)
  })

  it('gives up after the retries it was given, and not before', async () => {
    const connection = new ScriptedConnection(json(503, { error: 'busy' }))
    await expect(client(connection, { maxRetries: 1 }).request('GET', '/')).rejects.toMatchObject({ status: 503 })
    expect(connection.sent).toHaveLength(2)
    const refused = new ScriptedConnection(json(400, {}))
    await expect(client(refused).request('GET', '/')).rejects.toMatchObject({ status: 400 })
    expect(refused.sent).toHaveLength(1)
  })

  it('says of a write that is refused when it is sent again that it may have been done the first time', async () => {
    const exists = json(400, { error: { type: 'resource_already_exists_exception', reason: 'index [a] exists' } })
    const put = client(new ScriptedConnection(broken, exists))
    await expect(put.createIndex('a')).rejects.toMatchObject({
      status: 400,
      type: 'resource_already_exists_exception',
      reason: 'index [a] exists (the answer to its first sending was lost, which may have done it)',
    })
    const refused = client(new ScriptedConnection(json(429, {}), exists))
    await expect(refused.createIndex('a')).rejects.toMatchObject({ reason: 'index [a] exists' })
    const read = client(new ScriptedConnection(broken, json(404, { error: 'none' })))
    await expect(read.request('GET', '/a')).rejects.toMatchObject({ reason: 'none' })
  })

  it('reads how long a server asks to be left alone, in seconds or by its own clock', async () => {
    const ask = (headers: Record<string, string>) =>
      client(new ScriptedConnection({ status: 503, headers, body: bytes('') }), { maxRetries: 0 })
        .request('GET', '/')
        .catch((error: ClientError) => error.retryAfterMs)
    const date = 'Sun, 22 Nov 2020 10:00:00 GMT'
    expect(await ask({ 'retry-after': '7' })).toBe(7_000)
    expect(await ask({ 'retry-after': 'Sun, 22 Nov 2020 10:00:30 GMT', date })).toBe(30_000)
    for (const none of ['Sun, 22 Nov 2020 09:00:00 GMT', 'soon', '-1', ''])
      expect(await ask({ 'retry-after': none, date }), none).toBeUndefined()
  })

  it('tells a refusal by status, type, reason and request id, whoever wrote it', async () => {
    const engine = new ScriptedConnection(
      json(404, { error: { type: 'index_not_found_exception', reason: 'no such index' }, status: 404 }),
    )
    await expect(client(engine).request('GET', '/a')).rejects.toMatchObject({
      kind: 'response',
      status: 404,
      type: 'index_not_found_exception',
      reason: 'no such index',
      requestId: 'r-1',
      message: '404 index_not_found_exception: no such index',
    })
    const edge = new ScriptedConnection(json(403, { Message: 'User: anonymous is not authorized' }))
    await expect(client(edge).request('GET', '/')).rejects.toMatchObject({
      status: 403,
      reason: 'User: anonymous is not authorized',
    })
    const proxy = new ScriptedConnection({ status: 400, headers: {}, body: bytes('<html>no</html>') })
    await expect(client(proxy).request('GET', '/')).rejects.toMatchObject({ status: 400, reason: 'no' })
  })

  it('answers not_found when there is nothing to delete, and throws when there is no index', async () => {
    const gone = new ScriptedConnection(json(404, { _id: '1', result: 'not_found' }))
    expect(await client(gone).delete('a', 't', '1')).toMatchObject({ result: 'not_found' })
    const none = new ScriptedConnection(json(404, { error: { type: 'index_not_found_exception', reason: 'none' } }))
    await expect(client(none).delete('a', 't', '1')).rejects.toThrow('index_not_found_exception')
  })

  it('clears a scroll, also when the walk is left in the middle', async () => {
    const page = json(200, { _scroll_id: 's1', hits: { hits: [{ _id: '1' }, { _id: '2' }] } })
    const connection = new ScriptedConnection(page)
    for await (const hit of client(connection).scroll({}, { index: 'a' })) {
      if (hit._id === '2') break
    }
    const last = connection.sent.at(-1) as WireRequest
    expect([last.method, last.target, new TextDecoder().decode(last.body)]).toEqual([
      'DELETE',
      '/_search/scroll',
      '{"scroll_id":["s1"]}',
    ])
  })

  it('counts hits in either form', () => {
    const answer = (total: never) => ({ took: 1, timed_out: false, hits: { total, max_score: null, hits: [] } })
    expect(totalHits(answer(3 as never))).toBe(3)
    expect(totalHits(answer({ value: 3, relation: 'gte' } as never))).toBe(3)
    expect(totalHits(answer(null as never))).toBe(0)
  })

  it('leads no path out of itself', async () => {
    const connection = new ScriptedConnection(json(200, {}))
    const c = client(connection)
    await c.delete('a', 't', '..')
    await c.put('a', 't', '.', {}, { refresh: 'wait_for', routing: 'a b+c' })
    await c.request('GET', '/영화/_search?q=제목:"이름" #1')
    expect(connection.sent.map((r) => r.target)).toEqual([
      '/a/t/%2E%2E',
      '/a/t/%2E?refresh=wait_for&routing=a%20b%2Bc',
      '/%EC%98%81%ED%99%94/_search?q=%EC%A0%9C%EB%AA%A9:%22%EC%9D%B4%EB%A6%84%22%20%231',
    ])
    for (const path of ['/a/..', '/a/../b', '/./a', 'a'])
      await expect(c.request('DELETE', path)).rejects.toMatchObject({ kind: 'configuration' })
    await expect(c.request('G T', '/')).rejects.toMatchObject({ kind: 'configuration' })
    await expect(c.get('a', 't', '\ud800')).rejects.toMatchObject({ kind: 'configuration' })
  })

  it('repeats anything that surely did not arrive, and nothing that cannot succeed', async () => {
    const refused = new ClientError('connection', 'cannot reach', { type: 'ECONNREFUSED' })
    const post = new ScriptedConnection(refused, json(201, {}))
    expect((await client(post).request('POST', '/a/t', {})).status).toBe(201)
    const throttled = new ScriptedConnection(
      json(403, { Message: 'Request throttled due to too many requests' }),
      json(201, {}),
    )
    expect((await client(throttled).request('POST', '/a/t', {})).status).toBe(201)
    for (const type of ['SELF_SIGNED_CERT_IN_CHAIN', 'ERR_TLS_CERT_ALTNAME_INVALID', 'EPROTO', 'CERT_HAS_EXPIRED']) {
      const untrusted = new ScriptedConnection(new ClientError('connection', 'cannot reach', { type }))
      await expect(client(untrusted).request('GET', '/')).rejects.toMatchObject({ type })
      expect(untrusted.sent).toHaveLength(1)
    }
  })

  it("signs by the server's clock, once it has refused this machine's", async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString()
    const late = json(403, { message: 'Signature expired: 2 is now earlier than 3 (4 - 5 min.)' })
    const connection = new ScriptedConnection({ ...late, headers: { ...late.headers, date } }, json(200, {}))
    const c = client(connection, {
      region: 'eu-west-1',
      credentials: async () => ({ accessKeyId: 'k', secretAccessKey: 's' }),
    })
    await c.request('POST', '/a/t', {})
    await c.request('GET', '/')
    const hour = (at: number) => connection.sent[at]?.headers['x-amz-date']?.slice(0, 11)
    expect(hour(1)).not.toBe(hour(0))
    expect(hour(2)).toBe(hour(1))
  })

  it('asks for new keys when the server says that these have ended', async () => {
    const connection = new ScriptedConnection(
      json(403, { message: 'The security token included in the request is expired' }),
      json(200, { ok: true }),
    )
    const asked: unknown[] = []
    const c = client(connection, {
      region: 'eu-west-1',
      credentials: async (expired) => {
        asked.push(expired?.sessionToken)
        return { accessKeyId: 'k', secretAccessKey: 's', sessionToken: expired === undefined ? 'old' : 'new' }
      },
    })
    expect((await c.request('POST', '/a/t', {})).body).toEqual({ ok: true })
    expect(asked).toEqual([undefined, 'old'])
    expect(connection.sent.map((r) => r.headers['x-amz-security-token'])).toEqual(['old', 'new'])
  })

  it('sends the name and password of its URL in place of a signature', async () => {
    const connection = new ScriptedConnection(json(200, {}))
    const c = client(connection, {
      endpoint: parseEndpoint('https://elastic:secret@search.example'),
      region: 'eu-west-1',
      credentials: async () => ({ accessKeyId: 'k', secretAccessKey: 's' }),
    })
    await c.request('GET', '/')
    expect(connection.sent[0]?.headers).toMatchObject({
      authorization: `Basic ${btoa('elastic:secret')}`,
      host: 'search.example',
    })
  })

  it('says what a refusal was caused by, which index is missing, and which document', async () => {
    const cases: [number, unknown, string][] = [
      [
        400,
        { error: { type: 'mapper_parsing_exception', reason: 'failed to parse', caused_by: { reason: 'not a date' } } },
        '400 mapper_parsing_exception: failed to parse: not a date',
      ],
      [
        404,
        { error: { type: 'index_not_found_exception', reason: 'no such index', index: 'films' } },
        '404 index_not_found_exception: no such index [films]',
      ],
      [
        400,
        {
          error: {
            type: 'resource_already_exists_exception',
            reason: 'index [films/uuid] already exists',
            index: 'films',
          },
        },
        '400 resource_already_exists_exception: index [films/uuid] already exists',
      ],
      [404, { _index: 'films', _type: 'film', _id: '7', found: false }, '404: no document [7] in [films]'],
      // 6.8 of an analyzer that is not there.
      [
        400,
        {
          error: {
            root_cause: [
              { type: 'remote_transport_exception', reason: '[wRqPLiN][127.0.0.1:9300][indices:admin/analyze[s]]' },
            ],
            type: 'illegal_argument_exception',
            reason: 'failed to find global analyzer [nope]',
          },
        },
        '400 illegal_argument_exception: failed to find global analyzer [nope]',
      ],
    ]
    for (const [status, body, message] of cases)
      await expect(client(new ScriptedConnection(json(status, body))).request('GET', '/')).rejects.toMatchObject({
        message,
      })
    const page = '<html><head><title>504</title></head><body><h1>504 Gateway Time-out</h1></body></html>'
    const proxy = new ScriptedConnection({ status: 504, headers: {}, body: bytes(page) })
    await expect(client(proxy, { maxRetries: 0 }).request('GET', '/')).rejects.toMatchObject({
      message: '504: 504 Gateway Time-out',
    })
  })

  it('calls an answer that is no JSON what it is', async () => {
    const half = { ...json(200, {}), body: bytes('{"a":') }
    await expect(client(new ScriptedConnection(half)).request('GET', '/')).rejects.toMatchObject({
      kind: 'response',
      message: '200: the answer is not JSON: {"a":',
    })
  })

  it('takes neither a redirection nor a page for success', async () => {
    const headers = { 'content-type': 'text/html', location: 'https://elsewhere.example/' }
    const moved = client(new ScriptedConnection({ status: 301, headers, body: bytes('<h1>Moved</h1>') }))
    const page = client(new ScriptedConnection({ status: 200, headers, body: bytes('<h1>Sign in</h1>') }))
    for (const call of [
      (c: DomainClient) => c.get('i', 't', '1'),
      (c: DomainClient) => c.put('i', 't', '1', {}),
      (c: DomainClient) => c.delete('i', 't', '1'),
      (c: DomainClient) => c.search({}),
      (c: DomainClient) => c.createIndex('i'),
      (c: DomainClient) => c.scroll({}).next(),
    ]) {
      await expect(call(moved)).rejects.toThrow('301: the server redirects to https://elsewhere.example/')
      await expect(call(page)).rejects.toThrow('200: the answer is not JSON: <h1>Sign in')
    }
    await expect(page.request('CONNECT', '/')).rejects.toThrow('[CONNECT] is no HTTP method')
  })

  it('says in its own words what callers in JavaScript leave out', async () => {
    const none = undefined as never
    const some = client(new ScriptedConnection(json(200, {})))
    const cycle: Record<string, unknown> = {}
    cycle['a'] = cycle
    for (const [call, words] of [
      [some.request(none, '/'), '[undefined] is no HTTP method'],
      [some.request('GET', none), 'the path [undefined] must begin with /'],
      [some.request('GET', '/', undefined, { timeoutMs: Number.NaN }), 'timeoutMs must be a number above 0'],
      [some.put('i', 't', '1', cycle), 'the body cannot be written as JSON: Converting circular structure'],
      [some.put('i', 't', '1', () => 1), 'the body cannot be written as JSON: it is a function'],
    ] as const)
      await expect(call).rejects.toMatchObject({ kind: 'configuration', reason: expect.stringContaining(words) })
    const keys = { endpoint: parseEndpoint('h'), connection: new ScriptedConnection(), region: 'r' }
    for (const credentials of [async () => none, async () => ({ accessKeyId: '', secretAccessKey: 's' })])
      await expect(new DomainClient({ ...keys, credentials }).request('GET', '/')).rejects.toThrow('credentials lack')
    for (const host of [none, '']) expect(() => parseEndpoint(host)).toThrow('there is no host')
  })

  it('shows no password that a server repeats', async () => {
    const endpoint = parseEndpoint('https://elastic:secret@h')
    const refusal = json(403, { message: `Authorization=${endpoint.basic}` })
    const asked = new DomainClient({ endpoint, connection: new ScriptedConnection(refusal) }).request('GET', '/')
    await expect(asked).rejects.toMatchObject({
      message: '403: Authorization=Basic …',
      body: { message: 'Authorization=Basic …' },
    })
  })

  it('waits as long as it can where no timeout is wanted', async () => {
    const waits: number[] = []
    const connection: Connection = {
      send: async (_, { timeoutMs }) => {
        waits.push(timeoutMs)
        return json(200, {})
      },
      close: () => {},
    }
    await client(connection).request('GET', '/', undefined, { timeoutMs: Number.POSITIVE_INFINITY })
    expect(waits).toEqual([2 ** 31 - 1])
  })

  it('leaves the rest of a page alone once a walk is aborted', async () => {
    const hits = ['1', '2', '3'].map((_id) => ({ _id }))
    const connection = new ScriptedConnection(json(200, { _scroll_id: 's', hits: { hits } }), json(200, {}))
    const abortion = new AbortController()
    const seen: string[] = []
    const walk = async () => {
      for await (const hit of client(connection).scroll({}, { signal: abortion.signal })) {
        seen.push(hit._id)
        abortion.abort(new Error('enough'))
      }
    }
    await expect(walk()).rejects.toThrow('enough')
    expect(seen).toEqual(['1'])
    expect(connection.sent.at(-1)?.method).toBe('DELETE')
  })

  it('takes no answer for an object, or for a page of a scroll, that is none', async () => {
    for (const body of [null, [], 5])
      await expect(client(new ScriptedConnection(json(200, body))).search({})).rejects.toThrow(
        `200: the answer is no JSON object: ${JSON.stringify(body)}`,
      )
    for (const page of [{}, { hits: {} }, { hits: { hits: [{ _id: '1' }] } }])
      await expect(
        client(new ScriptedConnection(json(200, page)))
          .scroll({})
          .next(),
      ).rejects.toThrow('no page of')
  })

  it('ends a scroll with an error when a page lacks hits of a shard', async () => {
    const page = { _scroll_id: 's', _shards: { total: 2, successful: 1, failed: 1 }, hits: { hits: [{ _id: '1' }] } }
    const connection = new ScriptedConnection(json(200, page))
    await expect(client(connection).scroll({}).next()).rejects.toThrow('1 shards failed')
    expect(connection.sent.at(-1)?.method).toBe('DELETE')
  })
})
