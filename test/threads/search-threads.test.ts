import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DomainProcess, removeDataDir, startDomain } from '../../scripts/domain-process.ts'

const THREADS = 2

let domain: DomainProcess
let log = ''

beforeAll(async () => {
  domain = await startDomain({ args: ['--search-threads', String(THREADS)] })
  domain.child.stderr?.on('data', (chunk: Buffer) => {
    log += String(chunk)
  })
  await eventually(async () => {
    const { json } = await call('GET', '/_nodes/stats/thread_pool')
    const [node] = Object.values(json['nodes'] as Record<string, { thread_pool: { search: { threads: number } } }>)
    return node?.thread_pool.search.threads === 1 + THREADS
  })
})

afterAll(() => {
  domain.child.kill('SIGKILL')
  removeDataDir(domain.dataDir)
})

interface LogLine {
  readonly level: number
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly json: Record<string, unknown>
}

/** One request over a connection of its own. */
function call(method: string, path: string, body?: object | string): Promise<Answer> {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': path.includes('_bulk') ? 'application/x-ndjson' : 'application/json' }
    const sent = httpRequest(domain.url + path, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const answer = Buffer.concat(chunks).toString()
        const isJson = response.headers['content-type']?.includes('json') === true && answer !== ''
        resolve({ status: response.statusCode ?? 0, text: answer, json: isJson ? JSON.parse(answer) : {} })
      })
    })
    sent.on('error', reject)
    sent.end(text)
  })
}

async function eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const until = Date.now() + 20_000
  while (!(await isSo())) {
    if (Date.now() > until) throw new Error('it never came to be')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function hits(path: string, body?: object): Promise<number> {
  const { json } = await call('POST', `${path}?filter_path=hits.total`, body)
  return ((json['hits'] as { total?: number })?.total ?? -1) as number
}

/** Asks the same over many connections at once, so that every thread is likely to be among those who answer. */
function ofAll(method: string, path: string, body?: object): Promise<Answer[]> {
  return Promise.all(Array.from({ length: 12 }, () => call(method, path, body)))
}

describe('search threads', () => {
  it('show a write to every client once it is acknowledged', async () => {
    for (let version = 1; version <= 30; version++) {
      await call('PUT', '/w/doc/x', { version })
      for (const { json } of await ofAll('GET', '/w/doc/x')) expect(json['_source']).toEqual({ version })
    }
    await call('DELETE', '/w/doc/x')
    for (const { status } of await ofAll('GET', '/w/doc/x')) expect(status).toBe(404)
  })

  it('take large documents apart as they were acknowledged last', async () => {
    const completed = async (): Promise<number> => {
      const { json } = await call('GET', '/_nodes/stats/thread_pool')
      const [node] = Object.values(json['nodes'] as Record<string, { thread_pool: { search: { completed: number } } }>)
      return node?.thread_pool.search.completed ?? 0
    }
    const text = 'word '.repeat(150_000)
    for (let version = 1; version <= 3; version++) {
      await call('PUT', '/large/doc/x', { version, text })
      const before = await completed()
      const answers = [
        await call('GET', '/large/doc/x?_source=version'),
        await call('GET', '/large/doc/x/_source?_source_includes=version'),
        await call('GET', '/large/doc/x?filter_path=_source.version'),
        await call('POST', '/large/doc/_mget', { docs: [{ _id: 'x', _source: 'version' }, { _id: 'y' }] }),
        await call('GET', '/large/doc/x/_termvectors?fields=version,text.keyword&field_statistics=false'),
      ]
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      const [got, source, filtered, many, vectors] = answers.map(({ json }) => json)
      expect(got).toMatchObject({ found: true, _version: version, _source: { version } })
      expect(source).toEqual({ version })
      expect(filtered).toEqual({ _source: { version } })
      expect(many).toMatchObject({ docs: [{ _source: { version } }, { found: false }] })
      expect(vectors).toMatchObject({ _version: version, found: true })
      expect(await completed()).toBe(before + answers.length)
    }
    expect((await call('GET', '/large/doc/x')).json).toMatchObject({ _source: { version: 3, text } })
    await call('DELETE', '/large/doc/x')
    expect((await call('GET', '/large/doc/x?_source=version')).status).toBe(404)
  })

  it('show a refresh to every search once it is acknowledged', async () => {
    for (let n = 1; n <= 30; n++) {
      await call('PUT', `/r/doc/${n % 7}?refresh=true`, { [`field${n}`]: `word${n}`, all: 'every' })
      const query = { query: { match: { [`field${n}`]: `word${n}` } } }
      expect(await Promise.all(Array.from({ length: 6 }, () => hits('/r/_search', query)))).toEqual(Array(6).fill(1))
      expect(await hits('/r/_search', { query: { match: { all: 'every' } } })).toBe(Math.min(n, 7))
    }
  })

  it('follow an index through its life', async () => {
    for (let round = 0; round < 5; round++) {
      await call('PUT', '/life', { mappings: { doc: { properties: { name: { type: 'keyword' } } } } })
      for (const { json } of await ofAll('POST', '/life/_search')) expect(json['hits']).toMatchObject({ total: 0 })
      await call('PUT', '/life/doc/1?refresh=true', { name: `round ${round}` })
      await call('POST', '/_aliases', { actions: [{ add: { index: 'life', alias: `alias${round}` } }] })
      const term = { query: { term: { name: `round ${round}` } } }
      for (const { json } of await ofAll('POST', `/alias${round}/_search`, term)) {
        expect(json['hits']).toMatchObject({ total: 1 })
      }
      await call('POST', '/life/_close')
      for (const { json } of await ofAll('GET', '/life/doc/1')) {
        expect(json['error']).toMatchObject({ type: 'index_closed_exception' })
      }
      await call('POST', '/life/_open')
      for (const { status } of await ofAll('GET', '/life/doc/1')) expect(status).toBe(200)
      await call('DELETE', '/life')
      for (const { json } of await ofAll('GET', '/life/doc/1')) {
        expect(json['error']).toMatchObject({ type: 'index_not_found_exception' })
      }
    }
  })

  it('join parents and children', async () => {
    const properties = { j: { type: 'join', relations: { question: 'answer' } }, n: { type: 'integer' } }
    await call('PUT', '/joined', { mappings: { doc: { properties } } })
    await call('PUT', '/joined/doc/q', { j: 'question' })
    for (let n = 1; n <= 10; n++) {
      await call('PUT', `/joined/doc/a${n}?routing=q&refresh=true`, { j: { name: 'answer', parent: 'q' }, n })
      const aggs = { a: { children: { type: 'answer' }, aggs: { n: { max: { field: 'n' } } } } }
      const query = {
        has_child: { type: 'answer', query: { match_all: {} }, min_children: n, inner_hits: { size: 0 } },
      }
      for (const { json } of await ofAll('POST', '/joined/_search', { query, aggs })) {
        expect(json).toMatchObject({
          hits: { total: 1, hits: [{ _id: 'q', inner_hits: { answer: { hits: { total: n } } } }] },
          aggregations: { a: { doc_count: n, n: { value: n } } },
        })
      }
    }
  })

  it('see settings that change', async () => {
    await call('PUT', '/windowed/doc/1?refresh=true', { a: 1 })
    expect((await call('POST', '/windowed/_search?from=20')).status).toBe(200)
    await call('PUT', '/windowed/_settings', { 'index.max_result_window': 15 })
    for (const { status } of await ofAll('POST', '/windowed/_search?from=20')) expect(status).toBe(400)
    await call('PUT', '/_cluster/settings', { transient: { 'search.max_buckets': 2 } })
    const aggs = { size: 0, aggs: { h: { range: { field: 'a', ranges: [{ to: 1 }, { to: 2 }, { to: 3 }] } } } }
    for (const { status } of await ofAll('POST', '/windowed/_search', aggs)) expect(status).toBe(503)
    await call('PUT', '/_cluster/settings', { transient: { 'search.max_buckets': null } })
    for (const { status } of await ofAll('POST', '/windowed/_search', aggs)) expect(status).toBe(200)
  })

  it('leave scrolls to the first thread', async () => {
    const lines = Array.from({ length: 100 }, (_, i) => `{"index":{"_id":"${i}"}}\n{"n":${i}}\n`).join('')
    await call('POST', '/scrolled/doc/_bulk?refresh=true', lines)
    const first = await call('POST', '/scrolled/_search?scroll=1m&size=7')
    const seen: string[] = []
    let page = first.json
    for (;;) {
      const { hits: found } = page['hits'] as { hits: { _id: string }[] }
      if (found.length === 0) break
      seen.push(...found.map(({ _id }) => _id))
      page = (await call('POST', '/_search/scroll', { scroll: '1m', scroll_id: page['_scroll_id'] })).json
    }
    expect(new Set(seen).size).toBe(100)
    expect(seen).toHaveLength(100)
  })

  it('keep a view whole while everything in it is replaced', async () => {
    const lines = (round: number) =>
      Array.from({ length: 200 }, (_, i) => `{"index":{"_id":"${i}"}}\n{"round":${round},"text":"all of them"}\n`).join(
        '',
      )
    // One by itself could come in the middle of a bulk.
    await call('PUT', '/replaced', { settings: { refresh_interval: '-1' } })
    await call('POST', '/replaced/doc/_bulk?refresh=true', lines(0))
    let replacing = true
    const replaced = (async () => {
      for (let round = 1; round <= 15; round++) await call('POST', '/replaced/doc/_bulk?refresh=true', lines(round))
      replacing = false
    })()
    while (replacing) {
      const answers = await Promise.all(
        Array.from({ length: 4 }, () =>
          call('POST', '/replaced/_search?size=200', { query: { match: { text: 'them' } } }),
        ),
      )
      for (const { status, json } of answers) {
        expect(status).toBe(200)
        const { total, hits: found } = json['hits'] as { total: number; hits: { _source: { round: number } }[] }
        expect(total).toBe(200)
        expect(new Set(found.map(({ _source }) => _source.round)).size).toBe(1)
      }
    }
    await replaced
  })

  it('answer with large documents whole', async () => {
    const text = '가나다 '.repeat(20_000)
    for (let i = 0; i < 10; i++) {
      const { json } = await call('PUT', `/large/doc/${i}`, { i, text })
      expect(json['result']).toBe('created')
    }
    await call('POST', '/large/_refresh')
    for (const { json } of await ofAll('POST', '/large/_search', { query: { term: { i: 3 } } })) {
      expect(json['hits']).toMatchObject({ hits: [{ _source: { i: 3, text } }] })
    }
  })

  it('make what the first thread gives up before it takes long', async () => {
    await call('PUT', '/long/_doc/1?refresh=true', { t: 'word other '.repeat(60_000) })
    const like = {
      more_like_this: { fields: ['t'], like: { _index: 'long', _id: '1' }, min_doc_freq: 1, include: true },
    }
    const highlight = { fields: { t: { type: 'plain', number_of_fragments: 1 } } }
    const asked = { _source: false, query: { match: { t: 'word' } }, highlight }
    for (const body of [asked, { _source: false, query: like }]) {
      // The first time nothing is known of their kind, later it is.
      for (let i = 0; i < 3; i++) {
        const { status, json } = await call('POST', '/long/_search', body)
        expect(status).toBe(200)
        expect((json['hits'] as { hits: readonly unknown[] }).hits).toHaveLength(1)
      }
    }
    await call('DELETE', '/long')
  })

  it('count what they answered', async () => {
    await call('PUT', '/counted/doc/1?refresh=true', { a: 1 })
    for (let i = 0; i < 5; i++) {
      await ofAll('GET', '/counted/doc/1')
      await ofAll('POST', '/counted/_search')
    }
    const { json } = await call('GET', '/counted/_stats/get,search')
    const { get, search } = (json['_all'] as { primaries: Record<string, Record<string, number>> }).primaries
    expect(get?.['total']).toBe(60)
    expect(search?.['query_total']).toBe(5 * 60)
  })

  it('word errors as the first thread does', async () => {
    for (const [method, path, body] of [
      ['POST', '/none/_search', {}],
      ['POST', '/shared/_search', { query: { nope: {} } }],
      ['POST', '/shared/_search?nope=1', {}],
      ['GET', '/shared/doc/2', undefined],
      ['POST', '/_nope', {}],
      ['PATCH', '/shared/doc/1', {}],
    ] as const) {
      const answers = await ofAll(method, path, body)
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    }
  })

  it('name the node of a fault by its address', async () => {
    // Long enough to be a thread's.
    const text = 'long '.repeat(100_000)
    const { json } = await call('POST', '/_analyze', { tokenizer: 'standard', filter: ['nosuch'], text })
    const error = json['error'] as { root_cause: [{ reason: string }] }
    const address = domain.url.replace('http://', '')
    expect(error.root_cause[0].reason).toContain(`][${address}][indices:admin/analyze[s]]`)
  })

  it('have taken part, and end with the domain', async () => {
    const { json } = await call('GET', '/_nodes/stats/thread_pool')
    const [node] = Object.values(json['nodes'] as Record<string, { thread_pool: { search: { completed: number } } }>)
    expect(node?.thread_pool.search.completed).toBeGreaterThan(0)
    expect(await domain.stop()).toBe(0)
    const lines = log.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as LogLine] : []))
    expect(lines.filter(({ level }) => level > 40)).toEqual([])
  })
})
