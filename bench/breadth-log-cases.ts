/**
 * What OpenSearch Benchmark's workload `big5` asks of logs, and two kinds of its `geonames` and `nyc_taxis`, of made-up logs.
 *
 * @source the operations of opensearch-project/opensearch-benchmark-workloads (Apache-2.0), told anew
 */
import { type Make, random, search } from './breadth-cases.ts'
import type { Preparation } from './breadth-more-cases.ts'

const LOGS = 'breadth-logs'
const DOCUMENTS = 40_000
const BATCH = 1_000
const FIRST = Date.parse('2022-12-31T00:00:00Z')
const DAY = 86_400_000

const COLOURS = 'fuschia indigo solar rattle coral lunar silver amber crimson jade'.split(' ')
const THINGS = 'shoulder dagger shark runner bear jackal monkey spire crest tongue glove'.split(' ')
const REGIONS = 'us-east-1 us-west-2 eu-west-1 ap-northeast-2 ap-southeast-1'.split(' ')
const PROCESSES = 'kernel systemd sshd cron dhclient amazon-ssm-agent rsyslogd'.split(' ')

const keyword = { type: 'keyword', ignore_above: 1024 }
const object = (properties: object): object => ({ type: 'object', properties })

const mappings = {
  date_detection: false,
  properties: {
    '@timestamp': { type: 'date' },
    message: { type: 'match_only_text' },
    aws: object({ cloudwatch: object({ log_stream: keyword }) }),
    cloud: object({ region: keyword }),
    log: object({ file: object({ path: keyword }) }),
    meta: object({ file: keyword }),
    metrics: object({ size: { type: 'long' }, tmin: { type: 'long' } }),
    process: object({ name: keyword }),
    event: object({ id: keyword }),
  },
}

function logs(): object[] {
  const next = random(42)
  const pick = (list: readonly string[]): string => list[Math.floor(next() * list.length)] as string
  return Array.from({ length: DOCUMENTS }, () => {
    const time = new Date(FIRST + Math.floor(next() * 8 * DAY)).toISOString()
    const process = pick(PROCESSES)
    const words = Array.from({ length: 8 + Math.floor(next() * 20) }, () => pick(THINGS)).join(' ')
    return {
      '@timestamp': time,
      message: `${time} ${process}: ${words} ${Math.floor(next() * 1e5)}`,
      aws: { cloudwatch: { log_stream: pick(COLOURS) + pick(THINGS) } },
      cloud: { region: pick(REGIONS) },
      log: { file: { path: `/var/log/messages/${pick(COLOURS)}${pick(THINGS)}` } },
      meta: { file: `${time.slice(0, 10)}/${pick(THINGS)}` },
      metrics: { size: Math.floor(next() ** 3 * 4000) - 5, tmin: Math.floor(next() * 1000) },
      process: { name: process },
      event: { id: String(Math.floor(next() * 1e12)) },
    }
  })
}

export function logPreparations(): Preparation[] {
  const lines = logs().map((log, i) => `{"index":{"_id":"${i}"}}\n${JSON.stringify(log)}\n`)
  return [
    { method: 'DELETE', path: `/${LOGS}` },
    {
      method: 'PUT',
      path: `/${LOGS}`,
      body: { settings: { number_of_shards: 1, number_of_replicas: 0, codec: 'best_compression' }, mappings },
    },
    ...Array.from({ length: DOCUMENTS / BATCH }, (_, i) => ({
      method: 'POST',
      path: `/${LOGS}/_bulk`,
      body: lines.slice(i * BATCH, (i + 1) * BATCH).join(''),
    })),
    { method: 'POST', path: `/${LOGS}/_refresh` },
  ]
}

const times = (gte: string, lt: string): object => ({ range: { '@timestamp': { gte, lt } } })
const sizes = (gte: number, lte: number): object => ({ range: { 'metrics.size': { gte, lte } } })
const twoDays = times('2023-01-01T00:00:00', '2023-01-03T00:00:00')
const tenHours = times('2023-01-03T00:00:00', '2023-01-03T10:00:00')
const byTerm = (field: string, order = 'asc'): object => ({ terms: { field, order } })
const kernel = { match: { 'process.name': 'kernel' } }
const message = { query_string: { query: 'message: monkey jackal bear' } }
const edges = (...at: number[]): object[] => [
  { to: at[0] },
  ...at.slice(1).map((to, i) => ({ from: at[i], to })),
  { from: at.at(-1) },
]
const metrics = {
  tmin: { min: { field: 'metrics.tmin' } },
  tavg: { avg: { field: 'metrics.size' } },
  tmax: { max: { field: 'metrics.size' } },
}

function composite(query: object, sources: object[]): object {
  return { size: 0, query, aggs: { a: { composite: { sources } } } }
}

function autoDates(ranges: object[], buckets: number, aggs?: object): object {
  const dates = { auto_date_histogram: { field: '@timestamp', buckets }, ...(aggs && { aggs }) }
  return { size: 0, aggs: { a: { range: { field: 'metrics.size', ranges }, aggs: { dates } } } }
}

function significant(field: string, of: string): object {
  const inside = { s: { significant_terms: { field: of } } }
  return { size: 0, track_total_hits: false, query: twoDays, aggs: { a: { terms: { field }, aggs: inside } } }
}

const byDate = (calendar_interval: string, more: object = {}): object => ({
  a: { date_histogram: { field: '@timestamp', calendar_interval, ...more } },
})

const SEARCHES: Readonly<Record<string, object>> = {
  term: search({ term: { 'log.file.path': { value: '/var/log/messages/fuschiashoulder' } } }),
  range: search(twoDays),
  'range of numbers': search(sizes(20, 200)),
  'keyword in range': search({ bool: { must: [twoDays, kernel] } }),
  'by hour': { size: 0, aggs: byDate('hour') },
  'by minute': { size: 0, query: twoDays, aggs: byDate('minute') },
  'by day of a zone': { size: 0, query: twoDays, aggs: byDate('day', { time_zone: 'America/New_York' }) },
  'newest first': search({ match_all: {} }, { sort: [{ '@timestamp': 'desc' }] }),
  'newest first, after': search(
    { match_all: {} },
    { track_total_hits: false, sort: [{ '@timestamp': 'desc' }], search_after: ['2023-01-06T23:59:58.000Z'] },
  ),
  'oldest kernel first': search(kernel, { track_total_hits: false, sort: [{ '@timestamp': 'asc' }] }),
  'largest first': search({ match_all: {} }, { track_total_hits: false, sort: [{ 'metrics.size': 'desc' }] }),
  'kernel by file': search(kernel, { track_total_hits: false, sort: [{ 'meta.file': 'asc' }] }),
  'significant processes of streams': significant('aws.cloudwatch.log_stream', 'process.name'),
  'significant streams of processes': significant('process.name', 'aws.cloudwatch.log_stream'),
  'process and range': search({ bool: { must: [{ term: { 'process.name': 'systemd' } }, sizes(1, 100)] } }),
  'stream or range': search({
    bool: { should: [{ term: { 'aws.cloudwatch.log_stream': 'indigodagger' } }, sizes(10, 20)] },
  }),
  'ranges > auto dates': autoDates(edges(-10, 10, 100, 1000, 2000), 20),
  'ranges > auto dates > metrics': autoDates(edges(100, 1000, 2000), 10, metrics),
  multi_terms: {
    size: 0,
    query: times('2023-01-05T00:00:00', '2023-01-05T05:00:00'),
    aggs: { a: { multi_terms: { terms: [{ field: 'process.name' }, { field: 'cloud.region' }] } } },
  },
  'composite of three': composite(tenHours, [
    { p: byTerm('process.name', 'desc') },
    { r: byTerm('cloud.region') },
    { s: byTerm('aws.cloudwatch.log_stream') },
  ]),
  'composite by day': composite({ match_all: {} }, [
    { d: { date_histogram: { field: '@timestamp', calendar_interval: 'day' } } },
  ]),
  'terms of streams': { size: 0, aggs: { a: { terms: { field: 'aws.cloudwatch.log_stream', size: 500 } } } },
  query_string: search(message),
  'query_string in range, oldest first': search(
    { bool: { must: [tenHours, message] } },
    { sort: [{ '@timestamp': 'asc' }] },
  ),
  phrase: search({ match_phrase: { message: 'monkey jackal' } }),
  'histogram > stats': {
    size: 0,
    query: { bool: { filter: sizes(0, 49) } },
    aggs: {
      a: {
        histogram: { field: 'metrics.size', interval: 1 },
        aggs: { s: { stats: { field: 'metrics.tmin' } } },
      },
    },
  },
  decay: search({
    function_score: { functions: [{ gauss: { '@timestamp': { origin: '2023-01-03', scale: '1d' } } }] },
  }),
  field_value_factor: search({
    function_score: {
      query: sizes(1, 4000),
      functions: [{ field_value_factor: { field: 'metrics.size', modifier: 'log1p' } }],
    },
  }),
  'cardinality of ids': { size: 0, aggs: { a: { cardinality: { field: 'event.id' } } } },
}

export function logCases(): Record<string, Make> {
  return Object.fromEntries(
    Object.entries(SEARCHES).map(([name, body]): [string, Make] => [
      `logs: ${name}`,
      () => ({ path: `/${LOGS}/_search?request_cache=false`, body }),
    ]),
  )
}
