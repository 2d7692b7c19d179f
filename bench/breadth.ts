/**
 * Requests that the harness of ../shared/bench does not have, beside a real server: what does each cost, and is the answer
 * the same? One client, both servers by turns; ratios count, not times.
 *
 *   npm run build && npx tsx bench/breadth.ts --peer http://127.0.0.1:9200 [--docs 100000] [--only nested,geo] [--ms 400]
 *
 * The peer is an OpenSearch 2.19 with its modules. Documents are those of `generate.mjs` (`--data FILE`) with more fields, made up by their number.
 */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { parseArgs } from 'node:util'
import { removeDataDir, startDomain } from '../scripts/domain-process.ts'
import { breadthCases, type Draw, enriched, index, type Make, mapping, random } from './breadth-cases.ts'
import { logCases, logPreparations } from './breadth-log-cases.ts'
import { moreCases, preparations } from './breadth-more-cases.ts'

const { values } = parseArgs({
  options: {
    peer: { type: 'string' },
    'peer-pid': { type: 'string' },
    domain: { type: 'string' },
    'domain-pid': { type: 'string' },
    data: { type: 'string' },
    docs: { type: 'string', default: '100000' },
    only: { type: 'string' },
    ms: { type: 'string', default: '400' },
    turns: { type: 'string', default: '3' },
    loaded: { type: 'boolean', default: false },
  },
})
if (values.peer === undefined || values.data === undefined) throw new Error('--peer and --data are needed')

const agent = new Agent({ keepAlive: true })
interface Answer {
  readonly status: number
  readonly text: string
}

function call(
  base: string,
  method: string,
  path: string,
  body?: string | Buffer,
  type = 'application/json',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) }
    const req = request(base + path, { method, agent, headers }, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('end', () => resolve({ status: res.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
    })
    req.on('error', reject)
    req.end(body)
  })
}

const lines = readFileSync(values.data, 'utf8').split('\n').filter(Boolean).slice(0, Number(values.docs))

async function load(base: string): Promise<void> {
  await call(base, 'DELETE', `/${index}`)
  const created = await call(base, 'PUT', `/${index}`, JSON.stringify(mapping))
  if (created.status !== 200) throw new Error(created.text)
  const started = performance.now()
  for (let from = 0; from < lines.length; from += 1000) {
    let body = ''
    for (let i = from; i < Math.min(from + 1000, lines.length); i++) {
      body += `{"index":{"_id":"${i}"}}\n${enriched(lines[i] as string, i)}\n`
    }
    const { text } = await call(base, 'POST', `/${index}/_bulk`, body, 'application/x-ndjson')
    if (!text.slice(0, 200).includes('"errors":false')) throw new Error(text.slice(0, 500))
  }
  await call(base, 'POST', `/${index}/_refresh`)
  for (const { method, path, body } of [...preparations(lines), ...logPreparations()]) {
    const answer = await call(base, method, path, typeof body === 'object' ? JSON.stringify(body) : body, typeOf(path))
    // A peer without the module for processors is asked all else.
    if (path.startsWith('/_ingest') && answer.status >= 400) continue
    const isWrong = method !== 'DELETE' && (answer.status >= 400 || answer.text.slice(0, 100).includes('"errors":true'))
    if (isWrong) throw new Error(`${path}: ${answer.text.slice(0, 500)}`)
  }
  console.log(`${base}: ${Math.round(lines.length / ((performance.now() - started) / 1000))} documents a second`)
}

interface Made {
  readonly method: string
  readonly path: string
  readonly body?: string
}

/** What a class gives: a search, or one request or several in a row. */
interface Asked {
  readonly path?: string
  readonly method?: string
  readonly body?: object
  readonly lines?: readonly object[]
  readonly steps?: readonly Asked[]
  /** Pages of a scroll of everything that the body finds. */
  readonly scroll?: number
}

function requestOf({ path = '', method = 'POST', body, lines }: Asked): Made {
  if (lines !== undefined) return { method, path, body: lines.map((line) => `${JSON.stringify(line)}\n`).join('') }
  return body === undefined ? { method, path } : { method, path, body: JSON.stringify(body) }
}

/** @returns for each of the requests the calls it is made of, in a row */
function made(name: string, make: Make): (Made[] | Scroll)[] {
  const next = random(name.length * 7919 + 1)
  const draw: Draw = (list) => list[Math.floor(next() * list.length)] as never
  return Array.from({ length: 40 }, () => {
    const one = make(draw, next) as Asked
    if (one.scroll !== undefined) return { pages: one.scroll, body: JSON.stringify(one.body) }
    if (one.steps !== undefined) return one.steps.map(requestOf)
    if (one.path !== undefined) return [requestOf(one)]
    const uncached = 'aggs' in one ? '?request_cache=false' : ''
    return [{ method: 'POST', path: `/${index}/_search${uncached}`, body: JSON.stringify(one) }]
  })
}

interface Scroll {
  readonly pages: number
  readonly body: string
}

/** @returns the answer of the last call */
async function ask(base: string, calls: readonly Made[] | Scroll): Promise<Answer> {
  let last: Answer = { status: 0, text: '' }
  if ('pages' in calls) {
    last = await call(base, 'POST', `/${index}/_search?scroll=1m`, calls.body)
    const id = (answer: Answer): string => /"_scroll_id":"([^"]+)"/.exec(answer.text.slice(0, 2000))?.[1] as string
    for (let page = 1; page < calls.pages; page++) {
      last = await call(base, 'POST', '/_search/scroll', JSON.stringify({ scroll: '1m', scroll_id: id(last) }))
    }
    await call(base, 'DELETE', '/_search/scroll', JSON.stringify({ scroll_id: id(last) }))
    return last
  }
  for (const { method, path, body } of calls) last = await call(base, method, path, body, typeOf(path))
  return last
}

const typeOf = (path: string): string => (/_msearch|_bulk/.test(path) ? 'application/x-ndjson' : 'application/json')

interface Cost {
  /** The median wait, ms. */
  readonly wait: number
  /** The server's processor time a request, ms. */
  readonly cpu: number
}

/** Processor time of a process until now, ms. */
function processorTime(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(11, 13)
  return (Number(user) + Number(system)) * 10
}

/** Asks again and again for a time. */
async function timed(
  base: string,
  pid: number,
  requests: readonly (readonly Made[] | Scroll)[],
  ms: number,
): Promise<Cost> {
  const waits: number[] = []
  const before = processorTime(pid)
  const end = performance.now() + ms
  for (let i = 0; performance.now() < end || waits.length < 5; i++) {
    const started = performance.now()
    await ask(base, requests[i % requests.length] as Made[])
    waits.push(performance.now() - started)
    if (performance.now() > end + 10_000) break
  }
  const cpu = (processorTime(pid) - before) / waits.length
  waits.sort((a, b) => a - b)
  return { wait: waits[waits.length >> 1] as number, cpu }
}

interface Hit {
  readonly _id: string
  readonly _score: number | null
  readonly sort?: readonly unknown[]
}

/**
 * The ids of hits, those of one score or sort value by name: which of them comes first is up to segments. The last ones, of
 * which a page may hold but some, only by their number.
 */
function rankedIds(hits: readonly Hit[]): (string | number)[] {
  const rank = ({ _score, sort }: Hit): string => JSON.stringify(sort ?? Number(_score).toPrecision(6))
  const ranks = hits.map(rank)
  const last = ranks.at(-1)
  const isBefore = (_: Hit, place: number): boolean => ranks[place] !== last
  const ids = hits.filter(isBefore).map(({ _id }, place) => ({ id: _id, first: ranks.indexOf(ranks[place] as string) }))
  ids.sort((a, b) => a.first - b.first || (a.id < b.id ? -1 : 1))
  return [...ids.map(({ id }) => id), hits.length - ids.length]
}

/** Totals, ids and aggregations of an answer, without what differs from one time to the next. */
function comparable(text: string): string {
  const answer = JSON.parse(text) as {
    hits?: { total?: unknown; hits?: Hit[] }
    aggregations?: unknown
    suggest?: unknown
    count?: unknown
    error?: unknown
  }
  const { hits, aggregations, suggest, count, error } = answer
  return JSON.stringify({
    total: hits?.total,
    ids: hits?.hits && rankedIds(hits.hits),
    aggregations,
    suggest,
    count,
    error,
  })
}

const domain =
  values.domain === undefined ? await startDomain({ args: ['--engine-version', 'OpenSearch_2.19'] }) : undefined
const ours = domain?.url ?? (values.domain as string)
const theirs = values.peer
const sides = [
  [ours, domain?.pid ?? Number(values['domain-pid'])],
  [theirs, Number(values['peer-pid'])],
] as const
const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1] as number
if (!values.loaded) for (const base of [ours, theirs]) await load(base)

const only = values.only?.split(',')
for (const [name, make] of Object.entries({ ...breadthCases(lines), ...moreCases(lines), ...logCases() })) {
  if (only !== undefined && !only.some((part) => name.includes(part))) continue
  const requests = made(name, make)
  let same = 0
  let asked = 0
  let fault = ''
  if (!name.startsWith('update')) {
    for (const calls of requests.slice(0, 15)) {
      const [a, b] = await Promise.all([ours, theirs].map((base) => ask(base, calls)))
      asked++
      if (a !== undefined && b !== undefined && a.status === b.status && comparable(a.text) === comparable(b.text))
        same++
      if ((a?.status ?? 0) >= 400 || (b?.status ?? 0) >= 400)
        fault = `${a?.status} ${b?.status} ${(a?.status ?? 0) >= 400 ? a?.text.slice(0, 150) : b?.text.slice(0, 150)}`
    }
  }
  const ms = Number(values.ms)
  for (const [base, pid] of sides) await timed(base, pid, requests, ms)
  const costs: Cost[][] = []
  for (let turn = 0; turn < Number(values.turns); turn++) {
    const both: Cost[] = []
    for (const [base, pid] of sides) both.push(await timed(base, pid, requests, ms))
    costs.push(both)
  }
  const [cpu, wait] = (['cpu', 'wait'] as const).map((what) => {
    const [a, b] = [0, 1].map((side) => median(costs.map((both) => both[side]?.[what] ?? 0))) as [number, number]
    return `${(a / b).toFixed(2)} × (${a.toFixed(2)} / ${b.toFixed(2)} ms)`
  })
  console.log(`${name.padEnd(40)} processor ${cpu}, wait ${wait}, ${same} of ${asked} equal ${fault}`)
}
agent.destroy()
await domain?.stop()
if (domain !== undefined) removeDataDir(domain.dataDir)
