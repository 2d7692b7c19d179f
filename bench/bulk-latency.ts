/**
 * How long small requests take while a bulk load and a heavy aggregation run: get by id and a one-term match, 8 clients,
 * at rest and under load.
 *
 *   npm run build && npx tsx bench/bulk-latency.ts [--seconds 8] [--bulk 1000]
 *
 * One server process, plain HTTP, one bulk client that sends the movies again and again to a second index, and one that
 * asks for an aggregation over all of them (--aggregation 0: none). These two are a process of their own, so that nobody
 * waits for them but for the server; all share the machine with it.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { removeDataDir, startDomain } from '../scripts/domain-process.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: process.env['CHAJA_BENCH_DATA'] ?? '../shared/bench/data/movies.ndjson.gz' },
    seconds: { type: 'string', default: '8' },
    bulk: { type: 'string', default: '1000' },
    clients: { type: 'string', default: '8' },
    aggregation: { type: 'string', default: '1' },
    /** What the process that loads is told: the domain. */
    load: { type: 'string' },
  },
})

const lines = gunzipSync(readFileSync(values.data)).toString().split('\n').filter(Boolean)
const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const domain = values.load === undefined ? await startDomain() : undefined
const url = domain?.url ?? (values.load as string)

function call(method: string, path: string, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const req = request(new URL(path, url), { method, agent, headers }, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        if ((res.statusCode ?? 500) < 300) resolve(text)
        else reject(new Error(`${method} ${path}: ${res.statusCode} ${text.slice(0, 200)}`))
      })
    })
    req.on('error', reject)
    req.end(body)
  })
}

function bulkBody(index: string, from: number, round: string): string {
  let body = ''
  for (let i = from; i < Math.min(from + Number(values.bulk), lines.length); i++) {
    body += `{"index":{"_index":"${index}","_type":"_doc","_id":"${round}${i}"}}\n${lines[i]}\n`
  }
  return body
}

async function load(index: string, stop: () => boolean): Promise<number> {
  let docs = 0
  for (let round = 0; !stop(); round++) {
    for (let from = 0; from < lines.length && !stop(); from += Number(values.bulk)) {
      await call('POST', '/_bulk', bulkBody(index, from, `${round}-`))
      docs += Math.min(Number(values.bulk), lines.length - from)
    }
  }
  return docs
}

/** Words of casts by their average year, every film counted: nothing a cache or an index answers. */
async function aggregate(stop: () => boolean): Promise<number> {
  const body = JSON.stringify({
    size: 0,
    aggs: {
      cast: {
        terms: { field: 'cast.keyword', size: 100 },
        aggs: { year: { avg: { field: 'year' } }, years: { histogram: { field: 'year', interval: 10 } } },
      },
    },
  })
  let count = 0
  for (; !stop(); count++) await call('POST', '/movies/_search?request_cache=false', body)
  return count
}

const quantile = (sorted: readonly number[], q: number) =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0).toFixed(2)

async function measure(name: string, send: () => Promise<unknown>): Promise<void> {
  const times: number[] = []
  const end = performance.now() + Number(values.seconds) * 1000
  const client = async () => {
    while (performance.now() < end) {
      const started = performance.now()
      await send()
      times.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: Number(values.clients) }, client))
  times.sort((a, b) => a - b)
  console.log(
    `${name}: ${Math.round(times.length / Number(values.seconds))}/s, p50 ${quantile(times, 0.5)} ms, ` +
      `p99 ${quantile(times, 0.99)} ms, max ${quantile(times, 1)} ms`,
  )
}

const get = () => call('GET', `/movies/_doc/0-${Math.floor(Math.random() * lines.length)}`)
const words = ['love', 'night', 'american', 'western', 'summer', 'house']
const match = () =>
  call('POST', '/movies/_search', `{"query":{"match":{"title":"${words[Math.floor(Math.random() * words.length)]}"}}}`)

/** What a process that loads has done by its end. */
interface Load {
  readonly docs: number
  readonly aggregations: number
  readonly seconds: number
}

/** Loads until its parent says so, and tells what it did. */
async function loadForParent(): Promise<void> {
  let stop = false
  process.once('message', () => {
    stop = true
  })
  const since = performance.now()
  const aggregating = values.aggregation === '0' ? Promise.resolve(0) : aggregate(() => stop)
  const [docs, aggregations] = await Promise.all([load('other', () => stop), aggregating])
  const done: Load = { docs, aggregations, seconds: (performance.now() - since) / 1000 }
  process.send?.(done)
}

async function compare(): Promise<void> {
  const started = performance.now()
  for (let from = 0; from < lines.length; from += Number(values.bulk)) {
    await call('POST', '/_bulk', bulkBody('movies', from, '0-'))
  }
  console.log(`bulk over HTTP, 1 client: ${Math.round((lines.length / (performance.now() - started)) * 1000)} docs/s`)
  await call('POST', '/movies/_refresh')
  for (const [name, send] of [
    ['get', get],
    ['match', match],
  ] as const) {
    await measure(`${name} at rest`, send)
    const loader = fork(new URL(import.meta.url).pathname, ['--load', url, ...process.argv.slice(2)])
    await measure(`${name} during a bulk load`, send)
    loader.send('stop')
    const [{ docs, aggregations, seconds }] = (await once(loader, 'message')) as [Load]
    loader.disconnect()
    console.log(`  (load: ${Math.round(docs / seconds)} docs/s, ${(aggregations / seconds).toFixed(1)} aggregations/s)`)
  }
}

try {
  await (domain === undefined ? loadForParent() : compare())
} finally {
  agent.destroy()
  await domain?.stop()
  if (domain !== undefined) removeDataDir(domain.dataDir)
}
