/**
 * Are the scores the same, to the last bit? Loads a corpus into the engine (in this process) and into a real server, and
 * compares total, ids and scores of every query of the benchmark, and of further queries that it does not have.
 *
 *   npx tsx scripts/compare-search.ts movies http://127.0.0.1:9206            Elasticsearch 6.8
 *   npx tsx scripts/compare-search.ts nsmc http://127.0.0.1:9202 OpenSearch_2.19
 *   npx tsx scripts/compare-search.ts movies http://127.0.0.1:9206 --classes fuzzy,phrase --keep DIR --time
 *
 * With `--keep` the engine's data stay in a folder and are used again; with `--time` each class is run for a second and
 * its queries per second in process are shown.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openEngine } from '../src/engine/embedded-engine.ts'
import type { EngineVersion } from '../src/engine/engine-version.ts'
import { searchDocuments } from '../src/engine/search/search-documents.ts'
import type { SearchRequest } from '../src/engine/search/search-request.ts'
import { parseQuery } from '../src/rest/query-dsl/parse-query.ts'
import { parseSort } from '../src/rest/search/search-sort.ts'
import { loadBenchCorpus, readBenchCorpus } from './bench-corpus.ts'
import { extraQueries } from './compare-search-queries.ts'
import { sharedTool } from './shared-tool.ts'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    classes: { type: 'string' },
    keep: { type: 'string' },
    time: { type: 'boolean' },
    rounds: { type: 'string' },
    'only-time': { type: 'boolean' },
  },
})
const [kind = 'movies', server = 'http://127.0.0.1:9206', version = 'Elasticsearch_6.8'] = positionals
const tool = sharedTool('bench')
const index = `srch_${kind}`
const type = version === 'Elasticsearch_6.8' ? 'doc' : '_doc'
const { toBody } = (await import(join(tool, 'lib/dsl.mjs'))) as { toBody: (spec: unknown, extra: object) => Body }
const corpus = readBenchCorpus(tool, kind)
const { lines, mapping } = corpus

interface Body {
  readonly query: Record<string, unknown>
  readonly size: number
  readonly from?: number
  readonly sort?: unknown
  readonly aggs?: unknown
  readonly post_filter?: unknown
  readonly min_score?: number
  readonly search_after?: readonly (string | number)[]
}
interface Answer {
  readonly total: number
  readonly hits: readonly { readonly id: string; readonly score: number; readonly sort: unknown }[]
}

const dataDir = flags.keep ?? mkdtempSync(join(tmpdir(), 'chaja-compare-search-'))
const engine = await openEngine({ dataDir, engineVersion: version as EngineVersion, log: () => {} })
if (!engine.indices.has(index)) await loadBenchCorpus(engine, index, type, corpus)
if (!flags['only-time']) await loadServer()

const queries = JSON.parse(readFileSync(join(tool, `queries/${kind}.json`), 'utf8')) as {
  classes: Record<string, unknown[]>
}
const classes = new Map<string, readonly Body[]>()
for (const [name, specs] of Object.entries(queries.classes)) {
  if (name.startsWith('agg')) continue
  classes.set(
    name,
    specs.map((spec) => toBody(spec, {})),
  )
}
for (const [name, bodies] of Object.entries(extraQueries(kind, queries.classes)))
  classes.set(name, bodies as readonly Body[])
const wanted = flags.classes?.split(',')
let failures = 0
for (const [name, bodies] of classes) {
  if (wanted !== undefined && !wanted.includes(name)) continue
  if (!flags['only-time']) failures += await compareClass(name, bodies)
  if (flags.time || flags['only-time']) time(name, bodies)
}
await engine.close()
if (flags.keep === undefined) rmSync(dataDir, { recursive: true })
process.exitCode = failures > 0 ? 1 : 0

async function loadServer(): Promise<void> {
  const count = await fetch(`${server}/${index}/_count`)
  if (count.status === 200 && ((await count.json()) as { count: number }).count === lines.length) return
  await fetch(`${server}/${index}`, { method: 'DELETE' })
  const typed = type === 'doc'
  const created = await call('PUT', `/${index}`, {
    settings: { number_of_shards: 1, number_of_replicas: 0 },
    mappings: typed ? { doc: mapping } : mapping,
  })
  if (created['error'] !== undefined) throw new Error(JSON.stringify(created))
  for (let i = 0; i < lines.length; i += 1000) {
    const body = lines
      .slice(i, i + 1000)
      .map((line) => `${JSON.stringify({ index: { _id: (JSON.parse(line) as { id: string }).id } })}\n${line}\n`)
      .join('')
    const path = typed ? `/${index}/doc/_bulk` : `/${index}/_bulk`
    const answer = await fetch(server + path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body,
    })
    if (((await answer.json()) as { errors: boolean }).errors) throw new Error('bulk failed')
  }
  await call('POST', `/${index}/_refresh`)
}

async function call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(server + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as Record<string, unknown>
}

async function compareClass(name: string, bodies: readonly Body[]): Promise<number> {
  let totals = 0
  let scores = 0
  let ids = 0
  const examples: string[] = []
  for (const body of bodies) {
    const theirs = await askServer(body)
    let ours: Answer
    try {
      ours = askEngine(body)
    } catch (error) {
      if (theirs === undefined) {
        totals++
        scores++
        ids++
      } else examples.push(`${JSON.stringify(body.query)}: ${(error as Error).message}`)
      continue
    }
    if (theirs === undefined) {
      examples.push(`${JSON.stringify(body.query)}: the server refuses it`)
      continue
    }
    const sameTotal = ours.total === theirs.total
    const rank =
      ours.hits.length === theirs.hits.length
        ? ours.hits.findIndex((h, i) => differs(h, theirs.hits[i] as Answer['hits'][number]))
        : 0
    if (sameTotal) totals++
    if (rank < 0) scores++
    if (ours.hits.every((h, i) => h.id === theirs.hits[i]?.id)) ids++
    if (!sameTotal || rank >= 0) {
      const show = (a: Answer) =>
        `${a.total} [${a.hits.map((h) => `${h.id}:${h.score}${h.sort === undefined ? '' : JSON.stringify(h.sort)}`).join(' ')}]`
      examples.push(`${JSON.stringify(body)}\n      ours   ${show(ours)}\n      theirs ${show(theirs)}`)
    }
  }
  const share = (n: number) => `${((100 * n) / bodies.length).toFixed(1)} %`
  console.log(`${name.padEnd(20)} totals ${share(totals)}  scores ${share(scores)}  same ids and order ${share(ids)}`)
  for (const example of examples.slice(0, 3)) console.log(`    ${example.slice(0, 1500)}`)
  return bodies.length * 2 - totals - scores
}

function differs(a: Answer['hits'][number], b: Answer['hits'][number]): boolean {
  if (a.sort !== undefined || b.sort !== undefined) {
    const rounded = (values: unknown): string =>
      JSON.stringify(values, (_, v: unknown) => (typeof v === 'number' && !Number.isInteger(v) ? Math.fround(v) : v))
    return rounded(a.sort) !== rounded(b.sort)
  }
  return Math.fround(a.score) !== Math.fround(b.score)
}

async function askServer(body: Body): Promise<Answer | undefined> {
  const extra = type === 'doc' ? {} : { track_total_hits: true }
  const answer = await call('POST', `/${index}/_search`, { ...body, ...extra, _source: false })
  if (answer['error'] !== undefined) return undefined
  const { total, hits } = answer['hits'] as {
    total: number | { value: number }
    hits: { _id: string; _score: number; sort?: unknown }[]
  }
  return {
    total: typeof total === 'number' ? total : total.value,
    hits: hits.map((h) => ({ id: h._id, score: h._score, sort: h.sort })),
  }
}

function requestOf(body: Body): SearchRequest {
  const context = { unknownQuery: (n: string) => `unknown query ${n}` } as never
  return {
    query: parseQuery(body.query as never, context),
    ...(body.post_filter === undefined ? {} : { postFilter: parseQuery(body.post_filter as never, context) }),
    ...(body.min_score === undefined ? {} : { minScore: body.min_score }),
    ...(body.search_after === undefined ? {} : { searchAfter: body.search_after }),
    from: body.from ?? 0,
    size: body.size,
    sort: parseSort(body.sort as never, context),
    trackScores: false,
    trackTotalHits: true,
    collectors: [],
  }
}

function askEngine(body: Body): Answer {
  const searcher = engine.searcher(index)
  try {
    const result = searchDocuments([searcher], requestOf(body), version as EngineVersion)
    return {
      total: result.total?.value ?? -1,
      hits: result.hits.map((h) => ({
        id: searcher.document(searcher.segments[h.segment] as never, h.doc).id,
        score: h.score,
        sort: h.sortValues?.map((v) => (typeof v === 'bigint' ? Number(v) : v)),
      })),
    }
  } finally {
    searcher.release()
  }
}

function time(name: string, bodies: readonly Body[]): void {
  const searcher = engine.searcher(index)
  const requests = bodies.map(requestOf)
  const rounds = Number(flags.rounds ?? 40)
  const run = (body: SearchRequest): number => {
    const from = performance.now()
    searchDocuments([searcher], body, version as EngineVersion)
    return performance.now() - from
  }
  const first = requests.map(run)
  const times = requests.map(() => [] as number[])
  for (let round = 0; round < rounds; round++) for (const [i, body] of requests.entries()) times[i]?.push(run(body))
  searcher.release()
  // The quickest of all rounds leaves out what other processes take.
  const micros = (list: readonly number[]): string =>
    ((1000 * list.reduce((a, b) => a + b, 0)) / list.length).toFixed(0).padStart(6)
  const sorted = times.map((list) => list.sort((a, b) => a - b))
  const best = micros(sorted.map((list) => list[0] as number))
  const middle = micros(sorted.map((list) => list[list.length >> 1] as number))
  console.log(
    `${name.padEnd(20)} ${best} µs a query in process at best, ${middle} in the middle, ${micros(first)} the first time`,
  )
}
