import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EmbeddedEngine, openEngine } from '../embedded-engine.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import type { Query } from '../search/queries/query.ts'
import { queryDocuments } from '../search/query-documents.ts'
import { searchDocuments } from '../search/search-documents.ts'
import { AggregationRun } from './aggregation-run.ts'
import type { AggregationDefinition, AggregationNode } from './aggregation-tree.ts'

const VERSION = 'OpenSearch_2.19'
const DOCS = 600

let engine: EmbeddedEngine
let dataDir: string
/** Segments as they were written, segments with deletions, and both together. */
let views: readonly (readonly IndexSearcher[])[]

const PROPERTIES = {
  n: { type: 'integer' },
  many: { type: 'integer' },
  f: { type: 'double' },
  mixed: { type: 'double' },
  big: { type: 'long' },
  d: { type: 'date' },
  b: { type: 'boolean' },
  k: { type: 'keyword' },
  s: { type: 'keyword' },
  /** Few different lists: documents are counted by them. */
  few: { type: 'keyword' },
}

function sourceOf(i: number): object {
  let seed = (i + 1) * 2_654_435_761
  const next = (below: number): number => {
    seed = (Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return ((seed >>> 8) & 0xffff) % below
  }
  return {
    n: next(40) - 10,
    ...(next(3) > 0 ? { many: Array.from({ length: next(4) }, () => next(12) * 3) } : {}),
    ...(next(2) > 0 ? { f: next(1000) / 8 - 20 } : {}),
    // Whole in some segments only.
    mixed: i < 300 ? next(50) : next(500) / 10,
    big: next(5) > 0 ? next(1_000_000) * 4_000_000 : 7,
    ...(next(4) > 0 ? { d: Date.UTC(1995 + next(8), next(12), 1 + next(28), next(24)) } : {}),
    b: next(2) > 0,
    k: Array.from({ length: next(4) }, () => `k${next(9)}`),
    ...(next(3) > 0 ? { s: `s${next(60)}` } : {}),
    few: [[], ['k1'], ['k3', 'k1'], ['k1', 'k2', 's5'], ['zz']][next(5)],
  }
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'chaja-aggregations-'))
  engine = await openEngine({ dataDir, engineVersion: VERSION, log: () => {} })
  for (const index of ['whole', 'worn']) {
    await engine.createIndex(index, { settings: {}, aliases: {}, mappings: { _doc: { properties: PROPERTIES } } })
    for (let from = 0; from < DOCS; from += 150) {
      const operations = Array.from({ length: 150 }, (_, j) => ({
        kind: 'index' as const,
        type: '_doc',
        id: String(from + j),
        versionType: 'internal' as const,
        source: Buffer.from(JSON.stringify(sourceOf(from + j + (index === 'worn' ? 10_000 : 0)))),
      }))
      await engine.write(index, operations, true)
    }
  }
  const deletions = Array.from({ length: 60 }, (_, j) => ({
    kind: 'delete' as const,
    type: '_doc',
    id: String(j * 5),
    versionType: 'internal' as const,
  }))
  await engine.write('worn', deletions, true)
  const [whole, worn] = [engine.searcher('whole'), engine.searcher('worn')]
  views = [[whole], [worn], [whole, worn]]
})

afterAll(async () => {
  for (const searcher of views[2] ?? []) searcher.release()
  await engine.close()
  rmSync(dataDir, { recursive: true })
})

const numbers = fc.constantFrom('n', 'many', 'f', 'mixed', 'big', 'd', 'b', 'nothing')
const strings = fc.constantFrom('k', 's', 'few')
const numeric = fc
  .record(
    { field: numbers, missing: fc.constantFrom<number | string>(0, 5, -7, 1_000_000_000_000) },
    { requiredKeys: ['field'] },
  )
  .map((one) => (one.field === 'b' && one.missing !== undefined ? { ...one, missing: 'true' } : one))
const order = fc.constantFrom(
  [{ by: 'count', ascending: false }] as const,
  [
    { by: 'count', ascending: false },
    { by: 'key', ascending: true },
  ] as const,
  [{ by: 'count', ascending: true }] as const,
  [{ by: 'key', ascending: true }] as const,
  [{ by: 'key', ascending: false }] as const,
)
const terms: fc.Arbitrary<AggregationDefinition> = fc
  .record({
    kind: fc.constant('terms' as const),
    source: fc.oneof(
      numeric,
      fc.record({ field: strings, missing: fc.constantFrom('k3', 'zz') }, { requiredKeys: ['field'] }),
    ),
    size: fc.constantFrom(1, 3, 10, 100),
    shardSize: fc.constant(undefined),
    shardMinDocCount: fc.constant(0),
    minDocCount: fc.constantFrom(0, 1, 1, 1, 4),
    order,
    filter: fc.constantFrom(undefined, undefined, { include: [1, 2, 7, 'k1', 'k2', 's5'].map(String) }),
    showsBucketErrors: fc.constant(false),
  })
  // Texts are no numbers, and what is no date cannot be filtered as one.
  .map((one) => ({ ...one, filter: ['k', 's', 'few'].includes(one.source.field) ? one.filter : undefined }))
const histogram: fc.Arbitrary<AggregationDefinition> = fc.record({
  kind: fc.constant('histogram' as const),
  source: fc.record(
    { field: fc.constantFrom('n', 'many', 'f', 'mixed'), missing: fc.constant(3) },
    { requiredKeys: ['field'] },
  ),
  interval: fc.constantFrom(0.5, 1, 7, 100),
  offset: fc.constantFrom(0, 0.25),
  keyed: fc.constant(false),
  minDocCount: fc.constantFrom(0, 1, 3),
  order: fc.constantFrom([{ by: 'key', ascending: true }] as const, [{ by: 'count', ascending: false }] as const),
  extendedBounds: fc.constantFrom(undefined, { min: -5, max: 30 }),
  hardBounds: fc.constantFrom(undefined, undefined, { min: 2, max: 20 }),
})
const dates: fc.Arbitrary<AggregationDefinition> = fc.record({
  kind: fc.constant('date_histogram' as const),
  name: fc.constant('a'),
  source: fc.record(
    {
      field: fc.constant('d'),
      timeZone: fc.constantFrom('Asia/Seoul', 'Europe/Berlin', '-03:30'),
      missing: fc.constant(0),
    },
    { requiredKeys: ['field'] },
  ),
  interval: fc.constantFrom(
    { kind: 'calendar', unit: 'month' } as const,
    { kind: 'calendar', unit: 'year' } as const,
    { kind: 'fixed', millis: 90 * 86_400_000 } as const,
  ),
  offset: fc.constantFrom(0, 6 * 3_600_000),
  keyed: fc.constant(false),
  minDocCount: fc.constantFrom(0, 1, 2),
  order: fc.constant([{ by: 'key', ascending: true }] as const),
  extendedBounds: fc.constant(undefined),
})
const autoDates: fc.Arbitrary<AggregationDefinition> = fc.record({
  kind: fc.constant('auto_date_histogram' as const),
  source: fc.record(
    { field: fc.constant('d'), timeZone: fc.constantFrom('Asia/Seoul', '-03:30'), missing: fc.constant(0) },
    { requiredKeys: ['field'] },
  ),
  buckets: fc.constantFrom(1, 2, 5, 20, 300),
  minimumUnit: fc.constantFrom(undefined, 'day' as const, 'year' as const),
})
const ranges: fc.Arbitrary<AggregationDefinition> = fc.record({
  kind: fc.constant('range' as const),
  source: fc.record(
    { field: fc.constantFrom('n', 'many', 'f', 'mixed'), missing: fc.constant(3) },
    { requiredKeys: ['field'] },
  ),
  ranges: fc.array(
    fc.record({
      key: fc.constant(undefined),
      from: fc.constantFrom(undefined, -3, 2, 9.5),
      to: fc.constantFrom(undefined, 2, 12, 12.25),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  keyed: fc.constant(false),
})
const QUERIES: readonly Query[] = [
  { kind: 'match_all' },
  { kind: 'match_all' },
  { kind: 'term', field: 'k', value: 'k1' },
  { kind: 'range', field: 'n', gte: 3, relation: 'intersects' },
  { kind: 'term', field: 'k', value: 'absent' },
  {
    kind: 'bool',
    must: [],
    should: [],
    filter: [],
    mustNot: [{ kind: 'term', field: 'k', value: 'k2' }],
    adjustPureNegative: true,
  },
]
const filters: fc.Arbitrary<AggregationDefinition> = fc.oneof(
  fc.record({ kind: fc.constant('filter' as const), query: fc.constantFrom(...QUERIES) }),
  fc.record({
    kind: fc.constant('filters' as const),
    filters: fc
      .array(fc.constantFrom(...QUERIES), { minLength: 1, maxLength: 3 })
      .map((chosen) => chosen.map((query, i) => ({ key: `f${i}`, query }))),
    keyed: fc.constant(true),
    otherKey: fc.constantFrom(undefined, 'rest'),
  }),
)
const metrics: fc.Arbitrary<AggregationDefinition> = fc.oneof(
  fc.record({
    kind: fc.constant('stats' as const),
    metric: fc.constantFrom('avg', 'sum', 'min', 'max', 'stats', 'extended_stats' as const),
    source: numeric,
    sigma: fc.constant(2),
  }),
  fc.record({ kind: fc.constant('value_count' as const), source: fc.record({ field: fc.oneof(numbers, strings) }) }),
  fc.record({
    kind: fc.constant('cardinality' as const),
    source: fc.record({ field: fc.oneof(numbers, strings) }),
    precisionThreshold: fc.constantFrom(3, 100, 3000),
  }),
)
const { tree } = fc.letrec<{ tree: AggregationNode[]; node: AggregationNode }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 2, depthSize: 'medium' },
    metrics.map((definition) => node(definition, [])),
    fc
      .tuple(fc.oneof(terms, histogram, dates, autoDates, ranges, filters), tie('tree'))
      .map(([definition, inside]) => node(definition, inside)),
  ),
  tree: fc.array(tie('node'), { maxLength: 2 }),
}))

/** Source of a `composite`, without its name. */
const part = fc
  .record({
    from: fc.oneof(
      fc.record({ source: numeric, rounding: fc.constantFrom({ kind: 'none' }, { kind: 'histogram', interval: 4 }) }),
      fc.record({ source: fc.record({ field: strings }), rounding: fc.constant({ kind: 'none' }) }),
      fc.record({
        source: fc.record(
          { field: fc.constant('d'), timeZone: fc.constant('Asia/Seoul') },
          { requiredKeys: ['field'] },
        ),
        rounding: fc.constantFrom(
          { kind: 'date_histogram', interval: { kind: 'calendar', unit: 'month' }, offset: 0 },
          { kind: 'date_histogram', interval: { kind: 'fixed', millis: 1e10 }, offset: 3_600_000 },
        ),
      }),
    ),
    ascending: fc.boolean(),
    missingBucket: fc.boolean(),
  })
  // Booleans are refused there.
  .filter(({ from }) => from.source.field !== 'b' || from.rounding.kind !== 'histogram')
  .map(({ from, ...rest }) => ({ ...from, ...rest }))
const composite = fc
  .record({
    parts: fc.array(part, { minLength: 1, maxLength: 3 }),
    size: fc.constantFrom(1, 5, 30, 10_000),
    inside: fc.array(metrics, { maxLength: 1 }),
  })
  .map(({ parts, size, inside }) => {
    const sources = parts.map((one, i) => ({ name: `s${i}`, ...one }))
    const definition = { kind: 'composite', sources, size, after: undefined } as AggregationDefinition
    return node(
      definition,
      inside.map((metric) => node(metric, [])),
    )
  })

function node(definition: AggregationDefinition, inside: AggregationNode[]): AggregationNode {
  return { name: '', metadata: undefined, definition, inside: { aggregations: named(inside), pipelines: [] } }
}

const named = (nodes: readonly AggregationNode[]): AggregationNode[] =>
  nodes.map((one, i) => ({ ...one, name: `a${i}` }))

const queries = fc.constantFrom(...QUERIES)

/** More fine buckets than are kept, of several buckets around. */
const FINE_IN_MONTHS = node(
  {
    kind: 'date_histogram',
    name: 'a',
    source: { field: 'd' },
    interval: { kind: 'calendar', unit: 'month' },
    offset: 0,
    keyed: false,
    minDocCount: 0,
    order: [{ by: 'key', ascending: true }],
    extendedBounds: undefined,
  } as AggregationDefinition,
  [node({ kind: 'auto_date_histogram', source: { field: 'd' }, buckets: 1, minimumUnit: undefined }, [])],
)

const NOTHING_INSIDE = { aggregations: [], pipelines: [] }

function run(
  searchers: readonly IndexSearcher[],
  query: Query,
  nodes: readonly AggregationNode[],
  plain: boolean,
  memoryBytes?: number,
): string {
  const now = Date.UTC(2020, 1, 1)
  const collector = new AggregationRun(
    { aggregations: nodes, pipelines: [] },
    {
      searchers,
      engineVersion: VERSION,
      now,
      maxBuckets: 65_535,
      ...(memoryBytes === undefined ? {} : { memoryBytes }),
      plain,
      matches: (one, { searcher, segmentOrdinal }) =>
        queryDocuments(one, searcher, { engineVersion: VERSION, now }).bits(segmentOrdinal),
      asked: () => undefined,
    },
  )
  try {
    searchDocuments(
      searchers,
      { query, from: 0, size: 0, sort: [], trackScores: false, trackTotalHits: true, collectors: [collector] },
      VERSION,
    )
    return JSON.stringify(collector.finish(), (_, value: unknown) =>
      typeof value === 'number' && !Number.isFinite(value) ? String(value) : value,
    )
  } catch (error) {
    return String(error)
  }
}

describe('aggregations', () => {
  it('keep no more than there is memory for: buckets, and what scripts collect', () => {
    const [searchers] = views
    const withMemory = (definition: unknown, memoryBytes: number): string => {
      const definitions = [definition as AggregationDefinition]
      const nodes = definitions.map((one) => ({
        name: 'a',
        metadata: undefined,
        definition: one,
        inside: NOTHING_INSIDE,
      }))
      return run(searchers as readonly IndexSearcher[], { kind: 'match_all' }, nodes, false, memoryBytes)
    }
    const script = (source: string) => ({ script: { kind: 'inline', lang: 'painless', source }, params: {} })
    const collecting = (map: string) => ({
      kind: 'scripted_metric',
      init: script('state.l = []'),
      map: script(map),
      combine: script('return state.l.size()'),
      reduce: script('return 1'),
      params: {},
    })
    const ranges = [...Array(20).keys()].map((from) => ({ from }))
    const buckets = { kind: 'range', source: { field: 'n' }, ranges, keyed: false }
    expect(withMemory(buckets, 5_000)).toMatch('[request] Data too large')
    expect(withMemory(buckets, 10_000)).not.toMatch('Data too large')
    const keeping = 'for (int i = 0; i < 10; i++) state.l.add(i * 0.5);'
    expect(withMemory(collecting(keeping), 200_000)).toMatch('[request] Data too large')
    expect(withMemory(collecting(keeping), 1_000_000)).not.toMatch('Data too large')
    expect(withMemory(collecting(`${keeping} state.l.clear()`), 20_000)).not.toMatch(/Data too large/)
  })

  it('are the same by short cuts as value by value', () => {
    fc.assert(
      fc.property(
        fc.nat(2),
        queries,
        fc.oneof({ arbitrary: tree, weight: 3 }, composite.map(Array.of)),
        (view, query, nodes) => {
          const searchers = views[view] as readonly IndexSearcher[]
          const aggregations = named(nodes)
          expect(run(searchers, query, aggregations, false)).toBe(run(searchers, query, aggregations, true))
        },
      ),
      { numRuns: 400, examples: [[0, { kind: 'match_all' }, [FINE_IN_MONTHS]]] },
    )
  })
})
