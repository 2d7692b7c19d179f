/**
 * Aggregations and sorts without HTTP: µs of processor time a request, from parsed path to the answer's text.
 *
 *   npx tsx bench/aggregations.ts movies --keep DIR [--classes agg-histogram,stats] [--rounds N] [--version Elasticsearch_6.8]
 *   npx tsx bench/aggregations.ts nsmc --keep DIR --answers FILE      # writes every answer, to be compared with another commit's
 *   npx tsx bench/aggregations.ts movies --keep DIR --peer http://127.0.0.1:9202/INDEX   # the same answers as a real server's?
 *   node --cpu-prof --import tsx bench/aggregations.ts movies --keep DIR --classes agg-date-histogram --rounds 100
 *
 * Corpora and queries are those of the benchmark (`../shared/bench`), with further classes over the same queries: metrics,
 * aggregations inside others, calendars in zones, ranges. `hits` is the query alone with size 0: what is left when it is taken off
 * is the aggregation. «best» leaves out what other processes take: the quickest of all rounds, averaged over the queries.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadBenchCorpus, readBenchCorpus } from '../scripts/bench-corpus.ts'
import { openEngine } from '../src/engine/embedded-engine.ts'
import type { EngineVersion } from '../src/engine/engine-version.ts'
import { createRestBackend } from '../src/rest/rest-backend.ts'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    classes: { type: 'string' },
    keep: { type: 'string' },
    rounds: { type: 'string', default: '20' },
    version: { type: 'string', default: 'OpenSearch_2.19' },
    queries: { type: 'string', default: '50' },
    answers: { type: 'string' },
    peer: { type: 'string' },
    shared: { type: 'string', default: process.env['CHAJA_BENCH'] ?? '../shared/bench' },
  },
})
const kind = positionals[0] === 'nsmc' ? 'nsmc' : 'movies'
const version = flags.version as EngineVersion
const type = version === 'Elasticsearch_6.8' ? 'doc' : '_doc'
const fields =
  kind === 'movies'
    ? { text: 'extract', keyword: 'genres', wide: 'cast.keyword', number: 'year', date: 'released', width: 10 }
    : { text: 'review', keyword: 'movie_id', wide: 'author', number: 'rating', date: 'date', width: 1 }

interface Spec {
  readonly q: string
  readonly t: string
}
const specs = (
  JSON.parse(readFileSync(join(flags.shared, `queries/${kind}.json`), 'utf8')) as { classes: Record<string, Spec[]> }
).classes
const words = (name: string): string[] => (specs[name] ?? []).slice(0, Number(flags.queries)).map(({ q }) => q)
const match = (q: string): object => ({ match: { [fields.text]: q } })
const queries = words('agg-date-histogram').map(match)
const all = [{ match_all: {} }]
const half = [{ range: { [fields.number]: { gte: kind === 'movies' ? 1950 : 5 } } }]

const { keyword, wide, number, date, width } = fields
const aggregations: Readonly<Record<string, object>> = {
  'agg-terms': { terms: { field: keyword, size: 20 } },
  'agg-histogram': { histogram: { field: number, interval: width } },
  'agg-date-histogram': { date_histogram: { field: date, interval: kind === 'movies' ? 'year' : 'month' } },
  'terms-wide': { terms: { field: wide } },
  'terms-number': { terms: { field: number } },
  'date-day': { date_histogram: { field: date, interval: 'day', min_doc_count: 1 } },
  'date-zone': { date_histogram: { field: date, interval: 'month', time_zone: 'Asia/Seoul' } },
  'date-offset': { date_histogram: { field: date, interval: 'month', offset: '+6h' } },
  'date-fixed': { date_histogram: { field: date, interval: '30d' } },
  range: { range: { field: number, ranges: [{ to: 1950 }, { from: 5, to: 1990 }, { from: 1980 }] } },
  'date-range': { date_range: { field: date, ranges: [{ to: '1990-01-01' }, { from: '1980-01-01' }] } },
  avg: { avg: { field: number } },
  stats: { stats: { field: number } },
  'extended-stats': { extended_stats: { field: number } },
  cardinality: { cardinality: { field: keyword } },
  'cardinality-number': { cardinality: { field: date } },
  'value-count': { value_count: { field: keyword } },
  percentiles: { percentiles: { field: number } },
  missing: { missing: { field: date } },
  filters: {
    filters: { filters: { a: { range: { [number]: { gte: 1990 } } }, b: { range: { [number]: { lt: 9 } } } } },
  },
  'terms-avg': { terms: { field: keyword, size: 20 }, aggs: { b: { avg: { field: number } } } },
  'terms-by-avg': {
    terms: { field: keyword, order: { b: 'desc' } },
    aggs: { b: { avg: { field: number } } },
  },
  'terms-histogram': {
    terms: { field: keyword, size: 20 },
    aggs: { b: { histogram: { field: number, interval: width } } },
  },
  'histogram-stats': {
    histogram: { field: number, interval: width },
    aggs: { b: { stats: { field: number } } },
  },
  'date-terms': {
    date_histogram: { field: date, interval: 'year' },
    aggs: { b: { terms: { field: keyword, size: 3 } } },
  },
  'date-cardinality': {
    date_histogram: { field: date, interval: 'year' },
    aggs: { b: { cardinality: { field: keyword } } },
  },
  composite: {
    composite: { size: 20, sources: [{ g: { terms: { field: keyword } } }, { y: { terms: { field: number } } }] },
  },
}
const classes = new Map<string, readonly object[]>()
classes.set(
  'hits',
  queries.map((query) => ({ query, size: 0 })),
)
for (const [name, a] of Object.entries(aggregations)) {
  const aggs = { a }
  classes.set(
    name,
    queries.map((query) => ({ query, size: 0, aggs })),
  )
  classes.set(
    `${name}-all`,
    all.map((query) => ({ query, size: 0, aggs })),
  )
  classes.set(
    `${name}-half`,
    half.map((query) => ({ query, size: 0, aggs })),
  )
}
for (const order of ['asc', 'desc']) {
  classes.set(
    `sort-num-${order}`,
    words('sort-num').map((q) => ({ query: match(q), size: 10, _source: false, sort: [{ [number]: order }] })),
  )
  classes.set(
    `sort-num-all-${order}`,
    all.map((query) => ({ query, size: 10, _source: false, sort: [{ [number]: order }] })),
  )
  classes.set(
    `sort-date-num-${order}`,
    queries.map((query) => ({ query, size: 10, _source: false, sort: [{ [date]: order }, { [number]: 'asc' }] })),
  )
  classes.set(
    `sort-keyword-${order}`,
    queries.map((query) => ({ query, size: 10, _source: false, sort: [{ [keyword]: order }] })),
  )
  classes.set(
    `sort-score-num-${order}`,
    queries.map((query) => ({ query, size: 10, _source: false, sort: ['_score', { [number]: order }] })),
  )
}

const dataDir = flags.keep ?? mkdtempSync(join(tmpdir(), 'chaja-bench-'))
const engine = await openEngine({ dataDir, engineVersion: version, log: () => {} })
const index = `bench-${kind}`
if (!engine.indices.has(index)) await loadBenchCorpus(engine, index, type, readBenchCorpus(flags.shared, kind))
const backend = createRestBackend(engine, {
  log: () => {},
  publishAddress: () => '127.0.0.1:9200',
  clusterName: 'bench',
  dataDir,
})
const wanted = flags.classes?.split(',')
const answers: Record<string, string[]> = {}
for (const [name, bodies] of classes) {
  if (wanted !== undefined && !wanted.includes(name)) continue
  const texts = bodies.map((body) => Buffer.from(JSON.stringify(body)))
  answers[name] = []
  for (const text of texts) answers[name].push((await ask(text)).replace(/"took":\d+,/, ''))
  if (flags.peer !== undefined) await compare(name, texts, answers[name])
  if (flags.answers !== undefined || flags.peer !== undefined) continue
  const best = new Float64Array(texts.length).fill(Number.POSITIVE_INFINITY)
  const rounds = Number(flags.rounds) * (texts.length === 1 ? 20 : 1)
  const cpu = process.cpuUsage()
  for (let round = 0; round < rounds; round++) {
    for (const [i, text] of texts.entries()) {
      const started = performance.now()
      await ask(text)
      best[i] = Math.min(best[i] as number, performance.now() - started)
    }
  }
  const { user, system } = process.cpuUsage(cpu)
  const mean = (1000 * best.reduce((a, b) => a + b, 0)) / best.length
  const spent = (user + system) / (rounds * texts.length)
  console.log(
    `${name.padEnd(24)} ${mean.toFixed(0).padStart(6)} µs at best ${spent.toFixed(0).padStart(6)} µs of processor time`,
  )
}
if (flags.answers !== undefined) writeFileSync(flags.answers, JSON.stringify(answers, null, 1))
await backend.close()
await engine.close()
if (flags.keep === undefined) rmSync(dataDir, { recursive: true })

async function ask(body: Buffer): Promise<string> {
  const answer = await backend.handle({
    method: 'POST',
    segments: [index, '_search'],
    rawTarget: `/${index}/_search?request_cache=false`,
    query: new Map([['request_cache', 'false']]),
    headers: { 'content-type': 'application/json' },
    body,
    signal: new AbortController().signal,
    authorize: () => {},
    authorizeDomain: () => {},
  })
  if (answer.status !== 200) throw new Error(String(answer.body))
  return String(answer.body)
}

/** What must be equal: aggregations to the letter; of sorted hits the total and what they are sorted by. */
function essence(answer: string): string {
  const at = answer.indexOf('"aggregations":')
  if (at >= 0) return answer.slice(at)
  const { hits } = JSON.parse(answer) as { hits: { total: unknown; hits: { sort: unknown }[] } }
  return JSON.stringify([hits.total, hits.hits.map(({ sort }) => sort)])
}

async function compare(name: string, bodies: readonly Buffer[], ours: readonly string[]): Promise<void> {
  let same = 0
  let example = ''
  for (const [i, body] of bodies.entries()) {
    const answer = await fetch(`${flags.peer}/_search?request_cache=false`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const [own, theirs] = [essence(ours[i] as string), essence(await answer.text())]
    if (own === theirs) {
      same++
      continue
    }
    let at = 0
    while (own[at] === theirs[at]) at++
    const show = (text: string): string => text.slice(Math.max(0, at - 100), at + 150)
    example ||= `\n    ${body.toString()}\n    ours   …${show(own)}\n    theirs …${show(theirs)}`
  }
  console.log(`${name.padEnd(24)} ${same} of ${bodies.length} the same${example}`)
}
