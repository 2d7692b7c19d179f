/**
 * A domain as it lives: writes over and over, bulks of ids in no order, searches and aggregations of many kinds, scrolls that are
 * left, requests that are given up, indices that come and go, snapshots, merges, closing and opening, all at once, for long.
 * Tells its memory every minute. What short loads do not meet: growth, and commits that are large.
 *
 *   npm run build && npm run load -- [--minutes 30] [--rate 60] [--seed N]
 *
 * Ends with `N passed, N failed`; a fault is an answer of the server's own fault (5xx), a line of its log that is an error, or, after a
 * kill -9 and a start, a document of those that were acknowledged and stay that is not there.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type DomainProcess, removeDataDir, startDomain } from './domain-process.ts'
import { Random } from './fuzz/random.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    rate: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})

const INDICES = ['m1', 'm2', 'm3', 'm4', 'm5']
/** Written to by bulks of new ids alone: what was acknowledged of it stays. */
const KEPT = 'kept'
const IDS = 5_000
const MOST_UNDER_WAY = 40
const MINUTE_MS = 60_000

const random = new Random(Number(values.seed))
const below = (end: number): number => random.whole(0, end - 1)
const pick = <T>(list: readonly T[]): T => random.pick(list)
const WORDS = Array.from({ length: 3_000 }, (_, i) => `w${((i * 7_919) % 100_000).toString(36)}`)
/** Some words are far more frequent than others. */
const word = (): string => WORDS[Math.floor((below(3_000) * below(3_000)) / 3_000)] as string
const words = (least: number, most: number): string =>
  Array.from({ length: least + below(most - least) }, word).join(' ')

const PROPERTIES = {
  title: { type: 'text', fields: { keyword: { type: 'keyword' } } },
  body: { type: 'text' },
  tags: { type: 'keyword' },
  at: { type: 'date' },
  place: { type: 'geo_point' },
  parts: { type: 'nested', properties: { a: { type: 'integer' }, b: { type: 'keyword' } } },
}

function madeUp(): object {
  return {
    title: words(3, 13),
    body: words(20, 100),
    year: 1900 + below(125),
    price: below(100_000) / 100,
    tags: [word(), word()],
    at: new Date(1.6e12 + below(1e7) * 1e4).toISOString(),
    on: below(2) === 0,
    place: { lat: below(180) - 90, lon: below(360) - 180 },
    parts: [1, 2].map(() => ({ a: below(10), b: word() })),
  }
}

const SEARCHES: readonly (() => object)[] = [
  () => ({ query: { match: { body: words(2, 3) } }, highlight: { fields: { body: {} } } }),
  () => ({ query: { term: { tags: word() } } }),
  () => ({
    query: { bool: { must: { match: { title: word() } }, filter: { range: { year: { gte: 1900 + below(100) } } } } },
  }),
  () => ({ query: { wildcard: { body: `*${word().slice(1, 3)}*` } } }),
  () => ({ query: { fuzzy: { title: word() } } }),
  () => ({ query: { range: { price: { lte: below(1_000) } } }, sort: [{ price: 'desc' }], size: 20 }),
  () => ({ sort: [{ 'title.keyword': 'asc' }], from: below(200) }),
  () => ({ query: { match_phrase: { body: words(2, 3) } } }),
  () => ({ query: { nested: { path: 'parts', query: { term: { 'parts.a': below(10) } }, inner_hits: {} } } }),
  () => ({ query: { geo_distance: { distance: '1000km', place: { lat: below(90), lon: below(180) } } } }),
  () => ({
    query: {
      function_score: { query: { match: { title: word() } }, script_score: { script: "doc['price'].value * 2" } },
    },
  }),
  () => ({ query: { terms: { tags: Array.from({ length: 30 }, word) } }, collapse: { field: 'year' } }),
  () => ({ suggest: { s: { text: `${word()}x`, term: { field: 'body' } } } }),
]
const AGGREGATIONS: readonly (() => object)[] = [
  () => ({ terms: { field: 'tags', size: 20 }, aggs: { p: { avg: { field: 'price' } } } }),
  () => ({ date_histogram: { field: 'at', interval: 'month' }, aggs: { c: { cardinality: { field: 'tags' } } } }),
  () => ({ percentiles: { field: 'price' } }),
  () => ({ geohash_grid: { field: 'place', precision: 2 } }),
  () => ({ nested: { path: 'parts' }, aggs: { b: { terms: { field: 'parts.b' } } } }),
  () => ({ composite: { sources: [{ t: { terms: { field: 'tags' } } }, { y: { terms: { field: 'year' } } }] } }),
  () => ({ significant_terms: { field: 'tags' } }),
]
const aggregation = (): object => ({
  size: 0,
  query: { range: { year: { gte: 1900 + below(100) } } },
  aggs: { a: pick(AGGREGATIONS)() },
})

let domain: DomainProcess
const faults: string[] = []
let asked = 0
let kept = 0

/** What is read of answers; of others nothing is there. */
interface Answer {
  readonly items?: readonly { readonly index: { readonly status: number } }[]
  readonly _scroll_id?: string
  readonly count?: number
  readonly nodes?: Readonly<Record<string, { readonly jvm: { readonly mem: { readonly heap_used_in_bytes: number } } }>>
}

async function call(
  method: string,
  path: string,
  body?: object | readonly object[],
  giveUpMs?: number,
): Promise<Answer> {
  const isList = Array.isArray(body)
  const text = isList ? body.map((line) => `${JSON.stringify(line)}\n`).join('') : JSON.stringify(body)
  asked++
  try {
    const response = await fetch(domain.url + path, {
      method,
      body: text ?? null,
      headers: { 'content-type': isList ? 'application/x-ndjson' : 'application/json' },
      signal: giveUpMs === undefined ? null : AbortSignal.timeout(giveUpMs),
    })
    const answer = await response.text()
    if (response.status >= 500) faults.push(`${method} ${path}: ${response.status} ${answer}`)
    return response.headers.get('content-type')?.startsWith('application/json') === true ? JSON.parse(answer) : {}
  } catch (error) {
    if (giveUpMs === undefined) faults.push(`${method} ${path}: ${error}`)
    return {}
  }
}

let made = 0
/** What is asked, by how often of a hundred. */
const KINDS: readonly (readonly [number, (index: string) => Promise<unknown>])[] = [
  [18, (index) => call('PUT', `/${index}/_doc/${below(IDS)}`, madeUp())],
  [4, (index) => call('POST', `/${index}/_doc/_bulk`, Array.from({ length: 200 }, overwritten).flat())],
  [1, keepMany],
  [15, (index) => call('GET', `/${index}/_doc/${below(IDS)}`)],
  [28, (index) => call('POST', `/${below(4) === 0 ? 'm*' : index}/_search`, pick(SEARCHES)())],
  [14, (index) => call('POST', `/${index}/_search`, aggregation())],
  [3, (index) => call('POST', `/${index}/_search`, aggregation(), 1 + below(5))],
  [2, scroll],
  [2, (index) => call('POST', `/${index}/_doc/${below(IDS)}/_update`, { script: 'ctx._source.year += 1' })],
  [
    1,
    (index) =>
      call('POST', `/${index}/_update_by_query?conflicts=proceed`, { query: { term: { year: 1900 + below(125) } } }),
  ],
  [1, (index) => call('POST', `/${index}/_delete_by_query?conflicts=proceed`, { query: { term: { tags: word() } } })],
  [2, comeAndGo],
  [3, (index) => call('POST', '/_msearch', Array.from({ length: 5 }, () => [{ index }, pick(SEARCHES)()]).flat())],
  [2, (index) => call('POST', `/${index}/_doc/_mget`, { ids: Array.from({ length: 20 }, () => String(below(IDS))) })],
  [2, () => call('GET', pick(['/_cat/indices', '/_nodes/stats', '/_cluster/health', '/_stats', '/_cat/segments']))],
  [2, (index) => call('POST', `/${index}/_refresh`)],
]

function overwritten(): object[] {
  const id = { _id: String(below(IDS)) }
  return below(10) === 0 ? [{ delete: id }] : [{ index: id }, madeUp()]
}

async function keepMany(): Promise<void> {
  const lines = Array.from({ length: 2_000 }, (_, i) => [{ index: { _id: randomUUID() } }, { i }]).flat()
  const { items = [] } = await call('POST', `/${KEPT}/_doc/_bulk`, lines)
  kept += items.filter(({ index }) => index.status === 201).length
}

async function scroll(index: string): Promise<void> {
  const { _scroll_id } = await call('POST', `/${index}/_search?scroll=1m`, { size: 50 })
  // Many are left where they are.
  if (below(2) === 0) await call('POST', '/_search/scroll', { scroll: '1m', scroll_id: _scroll_id })
}

async function comeAndGo(): Promise<void> {
  const name = `brief-${made++}`
  await call('PUT', `/${name}`, { mappings: { _doc: { properties: PROPERTIES } } })
  for (let id = 0; id < 3; id++) await call('PUT', `/${name}/_doc/${id}?refresh=true`, madeUp())
  await call('POST', `/${name}/_search`, aggregation())
  await call('DELETE', `/${name}`)
}

function next(): Promise<unknown> {
  let at = below(100)
  for (const [share, ask] of KINDS) {
    if (at < share) return ask(pick(INDICES))
    at -= share
  }
  return KINDS[0]?.[1](pick(INDICES)) as Promise<unknown>
}

async function eachMinute(minute: number): Promise<void> {
  await call('PUT', `/_snapshot/r/s${minute}?wait_for_completion=true`, { indices: `m1,m2,${KEPT}` })
  if (minute > 3) await call('DELETE', `/_snapshot/r/s${minute - 3}`)
  if (minute % 3 === 0) await call('POST', '/m3/_forcemerge?max_num_segments=1')
  if (minute % 4 === 0) {
    await call('POST', '/m4/_close')
    await call('POST', '/m4/_open')
  }
  const { nodes = {} } = await call('GET', '/_nodes/stats/jvm')
  const heap = Object.values(nodes).reduce((sum, { jvm }) => sum + jvm.mem.heap_used_in_bytes, 0)
  console.log(
    `${minute} min: ${asked} asked, resident ${residentMb(domain.pid)} MB, heap ${Math.round(heap / 2 ** 20)} MB, ` +
      `${readdirSync(`/proc/${domain.pid}/fd`).length} descriptors, ${kept} kept, ${faults.length} faults`,
  )
}

function residentMb(pid: number): number {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kib) / 1024)
}

/** Starts it; lines of its log that are errors are faults. */
async function start(dataDir?: string): Promise<DomainProcess> {
  const args = ['--engine-version', 'Elasticsearch_6.8', '--path-repo', repositories]
  const started = await startDomain({ args, ...(dataDir === undefined ? {} : { dataDir }) })
  for (const stream of [started.child.stdout, started.child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      for (const line of String(chunk).split('\n'))
        if (/"level":[56]0|^Error|internal error/.test(line)) faults.push(line)
    })
  return started
}

const repositories = mkdtempSync(join(tmpdir(), 'chaja-load-'))
console.log(`seed ${values.seed}`)
domain = await start()
try {
  for (const name of INDICES) await call('PUT', `/${name}`, { mappings: { _doc: { properties: PROPERTIES } } })
  await call('PUT', `/${KEPT}`, { settings: { number_of_shards: 1 } })
  await call('PUT', '/_snapshot/r', { type: 'fs', settings: { location: join(repositories, 'r') } })
  const underWay = new Set<Promise<unknown>>()
  const end = performance.now() + Number(values.minutes) * MINUTE_MS
  let minute = 0
  let nextMinute = performance.now() + MINUTE_MS
  while (performance.now() < end) {
    await sleep(1000 / Number(values.rate))
    if (underWay.size < MOST_UNDER_WAY) {
      const asking: Promise<unknown> = next().finally(() => underWay.delete(asking))
      underWay.add(asking)
    }
    if (performance.now() < nextMinute) continue
    nextMinute += MINUTE_MS
    const looking: Promise<unknown> = eachMinute(++minute).finally(() => underWay.delete(looking))
    underWay.add(looking)
  }
  await Promise.all(underWay)
  await domain.stop('SIGKILL')
  domain = await start(domain.dataDir)
  await call('POST', `/${KEPT}/_refresh`)
  const { count = 0 } = await call('GET', `/${KEPT}/_count`)
  if (count < kept) faults.push(`${kept} documents were acknowledged, ${count} are there`)
} finally {
  await domain.stop()
  removeDataDir(domain.dataDir)
  rmSync(repositories, { recursive: true, force: true })
}
for (const fault of new Set(faults)) console.log(fault.slice(0, 500))
console.log(faults.length === 0 ? '1 passed, 0 failed' : '0 passed, 1 failed')
process.exitCode = faults.length === 0 ? 0 : 1
