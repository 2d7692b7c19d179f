import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { type Domain, startDomain } from '../../src/domain.ts'
import { keptBytes, leftByRounds } from './left-by-rounds.ts'

/*
 * What clients break off, and what fails in the middle, leaves nothing behind: neither memory nor files, tasks, scrolls or requests
 * under way. A longer look: CHAJA_CASES=10000 npx vitest run test/durability/kept-connections.test.ts
 */

const ROUNDS = Number(process.env['CHAJA_CASES'] ?? 8)
/** Of what a round leaves, where a collection leaves some of its own: a connection is several times that. (Node keeps a thousand parsers of HTTP.) */
const MOST_BYTES_A_ROUND = 2_048
const AT_ANY_RATE_BYTES = 3_000_000
/** Files that come and go by themselves: connections that are kept for the next call, segments. */
const FILES_AT_ANY_RATE = 6

const root = mkdtempSync(join(tmpdir(), 'chaja-kept-connections-'))
let domain: Domain
let port: number

beforeAll(async () => {
  const config = readConfig(
    {
      data: join(root, 'data'),
      port: '0',
      http: true,
      open: true,
      searchThreads: '1',
      pathRepo: [join(root, 'repositories')],
      engineVersion: 'OpenSearch_2.19',
    },
    {},
  )
  domain = await startDomain(config, pino({ level: 'silent' }))
  port = Number(new URL(domain.url).port)
  await ok('PUT', '/i', { mappings: { properties: { n: { type: 'integer' }, tag: { type: 'keyword' } } } })
  const text = 'some words of a text '.repeat(40)
  for (let from = 0; from < 10_000; from += 1_000)
    await ok(
      'POST',
      '/i/_bulk?refresh=true',
      Array.from(
        { length: 1_000 },
        (_, i) => `{"index":{"_id":"${from + i}"}}\n${JSON.stringify({ n: i, tag: `t${i % 97}`, text })}\n`,
      ).join(''),
    )
  await ok('PUT', '/_snapshot/r', { type: 'fs', settings: { location: 'r' } })
}, 120_000)

afterAll(async () => {
  await domain.close()
  rmSync(root, { recursive: true, force: true })
})

// biome-ignore lint/suspicious/noExplicitAny: the answers of many endpoints
async function ask(method: string, path: string, body?: object | string): Promise<{ status: number; json: any }> {
  const response = await fetch(domain.url + path, {
    method,
    headers: { 'content-type': path.includes('_bulk') ? 'application/x-ndjson' : 'application/json' },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, json: text.startsWith('{') ? JSON.parse(text) : text }
}

// biome-ignore lint/suspicious/noExplicitAny: the answers of many endpoints
async function ok(method: string, path: string, body?: object | string): Promise<any> {
  const { status, json } = await ask(method, path, body)
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`)
  return json
}

/** Sends bytes over a connection of its own, and breaks it off. @param after  once so many bytes came back, or so many milliseconds passed */
function brokenOff(bytes: string, after: { readonly bytes: number } | { readonly ms: number }): Promise<void> {
  return new Promise((resolve) => {
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let received = 0
    if ('ms' in after) setTimeout(() => socket.resetAndDestroy(), after.ms)
    socket.on('data', (chunk) => {
      received += chunk.length
      if ('bytes' in after && received >= after.bytes) socket.resetAndDestroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve())
  })
}

const request = (method: string, path: string, body: string, headers = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers || `Content-Length: ${Buffer.byteLength(body)}\r\n`}\r\n${body}`

/** Takes a second or so. */
const SLOW_QUERY = {
  script: { script: 'int s = 0; for (int i = 0; i < 3000; i++) { s += i % 7 } return s + doc.n.value < 0' },
}
const SLOW_SCRIPT = { source: 'int s = 0; for (int i = 0; i < 3000; i++) { s += i % 7 } ctx.op = "noop"' }

const slow =
  (path: string, more: object = {}) =>
  (n: number) =>
    brokenOff(request('POST', path, JSON.stringify({ query: SLOW_QUERY, ...more })), { ms: 5 + (n % 30) })

const BROKEN_OFF: Readonly<Record<string, (n: number) => Promise<void>>> = {
  'answers that are not taken': (n) =>
    brokenOff(request('GET', '/i/_search?size=10000', ''), { bytes: 1 + (n % 5) * 100_000 }),
  'bodies that end in the middle': async (n) => {
    const half = '{"index":{"_id":"1"}}\n{"n":1}\n'.repeat(1 + (n % 3) * 2_000)
    await brokenOff(request('POST', '/i/_bulk', half, 'Content-Length: 1000000\r\n'), { ms: 5 })
    await brokenOff(
      request('POST', '/i/_bulk', `${half.length.toString(16)}\r\n${half}\r\n`, 'Transfer-Encoding: chunked\r\n'),
      { ms: 5 },
    )
  },
  'heads that end in the middle, and what is none': async (n) => {
    await brokenOff('POST /i/_search HT', { ms: 2 })
    await brokenOff(`\u0016\u0003\u0001 no request ${n}\r\n\r\n`, { bytes: 1 })
    await brokenOff('', { ms: 1 })
  },
  'searches that nobody waits for': slow('/i/_search?request_cache=false'),
  'aggregations that nobody waits for': slow('/i/_search', { size: 0, aggs: { t: { terms: { field: 'tag' } } } }),
  'scrolls that nobody waits for': slow('/i/_search?scroll=1s', { sort: ['tag'] }),
  'updates by query that nobody waits for': slow('/i/_update_by_query', { script: SLOW_SCRIPT }),
  'deletions by query that nobody waits for': slow('/i/_delete_by_query'),
  'several searches that nobody waits for': (n) =>
    brokenOff(request('POST', '/_msearch', `{"index":"i"}\n${JSON.stringify({ query: SLOW_QUERY })}\n`.repeat(3)), {
      ms: 5 + (n % 30),
    }),
  'tasks that are cancelled': async () => {
    const { task } = await ok('POST', '/i/_update_by_query?wait_for_completion=false', {
      query: { match_all: {} },
      script: SLOW_SCRIPT,
    })
    await ok('POST', `/_tasks/${task}/_cancel`)
    await ok('GET', `/_tasks/${task}?wait_for_completion=true`)
    await ok('DELETE', `/.tasks/_doc/${task}`).catch(() => {})
  },
  'searches that are cancelled': async () => {
    const search = ask('POST', '/i/_search', { query: SLOW_QUERY })
    await sleep(5)
    await ok('POST', '/_tasks/_cancel?actions=*search*')
    await search
  },
  'snapshots that fail': async (n) => {
    if (n % 5 !== 0) return
    const location = join(root, 'repositories', `broken-${n}`)
    await ok('PUT', '/_snapshot/broken', { type: 'fs', settings: { location } })
    rmSync(join(location, 'data'), { recursive: true, force: true })
    writeFileSync(join(location, 'data'), '')
    await ask('PUT', `/_snapshot/broken/s-${n}?wait_for_completion=true`, { indices: 'i' })
    await ask('POST', `/_snapshot/broken/s-${n}/_restore?wait_for_completion=true`, {
      rename_pattern: '(.+)',
      rename_replacement: 'r-$1',
    })
    await ok('DELETE', '/_snapshot/broken')
    rmSync(location, { recursive: true, force: true })
  },
  'transfers that fail': async (n) => {
    await ok('PUT', `/to-${n}`, {})
    await brokenOff(request('GET', '/i/_documents?form=records&size=10000', ''), { bytes: 1 })
    await ask('PUT', `/to-${n}/_dictionary`, 'no dictionary')
    await ask('PUT', `/to-${n}/_inverted?segment=_1&length=1000&at=0`, 'no segment')
    await ask('POST', `/to-${n}/_bulk?records=v1`, 'no records')
    await ok('DELETE', `/to-${n}`)
  },
}

/** What is there once nothing is under way. */
async function kept() {
  const underWay = async () => {
    const { nodes } = await ok('GET', '/_tasks?actions=*search*,*byquery*,*bulk*,*snapshot*')
    return Object.keys(nodes).length
  }
  const openScrolls = async () => {
    const { nodes } = await ok('GET', '/_nodes/stats/indices/search')
    return (Object.values(nodes)[0] as { indices: { search: { open_contexts: number } } }).indices.search.open_contexts
  }
  for (const until = Date.now() + 20_000; (await underWay()) > 0 || (await openScrolls()) > 0; ) {
    if (Date.now() > until) throw new Error('a task or a scroll does not end')
    await sleep(50)
  }
  const bytes = await keptBytes(4, 100)
  const count = (folder: string) => readdirSync(`/proc/self/${folder}`).length
  return { bytes, files: count('fd'), threads: count('task') }
}

it.each(Object.entries(BROKEN_OFF))('%s leave nothing behind', { timeout: 3_600_000 }, async (what, round) => {
  const { bytes, files, threads } = await leftByRounds(ROUNDS, round, kept)
  if (process.env['CHAJA_SHOW'])
    console.log(`${what}: ${(bytes / ROUNDS).toFixed(0)} bytes a round, files ${files}, threads ${threads}`)
  expect(bytes, what).toBeLessThan(AT_ANY_RATE_BYTES + ROUNDS * MOST_BYTES_A_ROUND)
  expect(files, what).toBeLessThan(FILES_AT_ANY_RATE)
  expect(threads, what).toBeLessThan(4)
})
