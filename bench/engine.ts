/**
 * The engine alone: µs per query of each class of the benchmark, in this process, on one thread, without HTTP and JSON.
 *
 *   npx tsx bench/engine.ts movies                                     Elasticsearch 6.8: totals always exact
 *   npx tsx bench/engine.ts nsmc --engine-version OpenSearch_2.19      totals exact up to 10,000
 *   npx tsx bench/engine.ts movies --classes phrase,match-and --rounds 40
 *   npx tsx bench/engine.ts movies --sources                           also reads the ten hits' sources, as the tantivy program does
 *   npx tsx bench/engine.ts movies --threshold 0                       track_total_hits: false
 *   node --cpu-prof --import tsx bench/engine.ts movies --classes match-or-high --rounds 300
 *
 * Corpus and queries are those of `../shared/bench` (36,273 films; 100,000 film reviews; 200 queries a class). The corpus is
 * loaded into a folder kept by `--data` (default: in the system's temporary folder) the first time. Each query is timed in
 * each round; shown is the mean over the queries of each one's quickest round (other processes' work falls out), of its
 * middle round, and of the first round, with cold code and caches. Equal work: what a search answers beside its hits' sources,
 * that is total, ids' places, scores and sort values.
 */
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadBenchCorpus, readBenchCorpus } from '../scripts/bench-corpus.ts'
import { sharedDir } from '../scripts/shared-tool.ts'
import { openEngine } from '../src/engine/embedded-engine.ts'
import type { EngineVersion } from '../src/engine/engine-version.ts'
import { searchDocuments } from '../src/engine/search/search-documents.ts'
import type { SearchRequest } from '../src/engine/search/search-request.ts'
import { parseQuery } from '../src/rest/query-dsl/parse-query.ts'
import { parseSort } from '../src/rest/search/search-sort.ts'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    classes: { type: 'string' },
    data: { type: 'string' },
    'engine-version': { type: 'string', default: 'Elasticsearch_6.8' },
    rounds: { type: 'string', default: '20' },
    sources: { type: 'boolean', default: false },
    threshold: { type: 'string' },
  },
})

interface Body {
  readonly query: unknown
  readonly size: number
  readonly from?: number
  readonly sort?: unknown
}

const [kind = 'movies'] = positionals
const version = flags['engine-version'] as EngineVersion
const tool = join(sharedDir, 'bench')
const index = kind
const dataDir = flags.data ?? join(tmpdir(), `chaja-bench-engine-${kind}-${version}`)
const engine = await openEngine({ dataDir, engineVersion: version, log: () => {} })
if (!engine.indices.has(index))
  await loadBenchCorpus(engine, index, version === 'Elasticsearch_6.8' ? 'doc' : '_doc', readBenchCorpus(tool, kind))

const { toBody } = (await import(join(tool, 'lib/dsl.mjs'))) as { toBody: (spec: unknown, extra: object) => Body }
const queries = JSON.parse(readFileSync(join(tool, `queries/${kind}.json`), 'utf8')) as {
  readonly classes: Record<string, readonly unknown[]>
}
const wanted = flags.classes?.split(',')
console.log(`${kind}, ${version}, ${engine.searcher(index).segments.length} segments, µs a query`)
console.log('| class | best | middle | first |\n|---|--:|--:|--:|')
for (const [name, specs] of Object.entries(queries.classes)) {
  // Aggregations and highlights are not the search's own work.
  if (name.startsWith('agg') || name === 'highlight') continue
  if (wanted === undefined || wanted.includes(name))
    time(
      name,
      specs.map((spec) => requestOf(toBody(spec, {}))),
    )
}
await engine.close()

function requestOf(body: Body): SearchRequest {
  const context = { unknownQuery: (name: string) => `unknown query ${name}` } as never
  const threshold = flags.threshold === undefined ? 10_000 : Number(flags.threshold)
  return {
    query: parseQuery(body.query as never, context),
    from: body.from ?? 0,
    size: body.size,
    sort: parseSort(body.sort as never, context),
    trackScores: false,
    trackTotalHits: version === 'Elasticsearch_6.8' ? true : threshold === 0 ? false : threshold,
    collectors: [],
  }
}

function time(name: string, requests: readonly SearchRequest[]): void {
  const searcher = engine.searcher(index)
  const run = (request: SearchRequest): number => {
    const from = performance.now()
    const { hits } = searchDocuments([searcher], request, version)
    if (flags.sources) for (const { segment, doc } of hits) searcher.document(searcher.segments[segment] as never, doc)
    return performance.now() - from
  }
  const first = requests.map(run)
  const times = requests.map(() => [] as number[])
  for (let round = 0; round < Number(flags.rounds); round++)
    for (const [i, request] of requests.entries()) times[i]?.push(run(request))
  searcher.release()
  const micros = (list: readonly number[]): string =>
    ((1000 * list.reduce((a, b) => a + b, 0)) / list.length).toFixed(1)
  const sorted = times.map((list) => list.sort((a, b) => a - b))
  const best = micros(sorted.map((list) => list[0] as number))
  const middle = micros(sorted.map((list) => list[list.length >> 1] as number))
  console.log(`| ${name} | ${best} | ${middle} | ${micros(first)} |`)
}
