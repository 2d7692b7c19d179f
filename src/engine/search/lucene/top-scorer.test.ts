import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EmbeddedEngine, openEngine } from '../../embedded-engine.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import { liveDocuments } from '../live-documents.ts'
import { createQuery } from '../queries/create-query.ts'
import type { BoolQuery, Query } from '../queries/query.ts'
import { TopScores } from '../sort/top-scores.ts'
import { SearchContext } from './search-context.ts'
import type { Weight } from './weight.ts'

const DOCS = 9000
/** From words that nearly all documents have to words that one in thousands has. */
const WORDS = Array.from({ length: 24 }, (_, i) => `w${i}`)

let engine: EmbeddedEngine
let searcher: IndexSearcher
let dataDir: string

/** Words of document i, more of the first ones than of the last. */
function wordsOf(i: number): string[] {
  let seed = (i + 1) * 2_654_435_761
  const next = (): number => {
    seed = (Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return ((seed >>> 8) & 0xffff) / 0x10000
  }
  const length = 1 + Math.floor(next() ** 3 * 40)
  return Array.from({ length }, () => WORDS[Math.floor(next() ** 4 * WORDS.length)] as string)
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'chaja-top-'))
  engine = await openEngine({ dataDir, engineVersion: 'OpenSearch_2.19', log: () => {} })
  await engine.createIndex('i', {
    settings: {},
    aliases: {},
    mappings: {
      _doc: {
        properties: { t: { type: 'text' }, u: { type: 'text' }, n: { type: 'integer' }, k: { type: 'keyword' } },
      },
    },
  })
  for (let from = 0; from < DOCS; from += 5000) {
    const operations = Array.from({ length: Math.min(5000, DOCS - from) }, (_, j) => {
      const words = wordsOf(from + j)
      const source = { t: words.join(' '), u: words.slice(0, 3).join(' '), n: (from + j) % 170, k: words[0] }
      return {
        kind: 'index' as const,
        type: '_doc',
        id: String(from + j),
        versionType: 'internal' as const,
        source: Buffer.from(JSON.stringify(source)),
      }
    })
    await engine.write('i', operations, true)
  }
  const deletions = Array.from({ length: 300 }, (_, j) => ({
    kind: 'delete' as const,
    type: '_doc',
    id: String(j * 11),
    versionType: 'internal' as const,
  }))
  await engine.write('i', deletions, true)
  searcher = engine.searcher('i')
})

afterAll(async () => {
  searcher.release()
  await engine.close()
  rmSync(dataDir, { recursive: true })
})

const word = fc.constantFrom(...WORDS, 'nowhere')
const field = fc.constantFrom('t', 't', 't', 'u')
const term = fc
  .tuple(field, word, fc.constantFrom(1, 1, 1, 2.5, 0))
  .map(([f, value, boost]): Query => ({ kind: 'term', field: f, value, boost }))
const filter = fc.oneof(
  term,
  fc.tuple(fc.nat(170), fc.nat(170)).map(([a, b]): Query => {
    return { kind: 'range', field: 'n', gte: Math.min(a, b), lte: Math.max(a, b), relation: 'intersects' }
  }),
)
const terms = (max: number) => fc.array(term, { minLength: 1, maxLength: max })
const phrase = fc.tuple(fc.array(word, { minLength: 2, maxLength: 3 }), fc.constantFrom(0, 0, 0, 1)).map(
  ([words, slop]): Query => ({
    kind: 'match_phrase',
    field: 't',
    text: words.join(' '),
    slop,
    zeroTermsQuery: 'none',
  }),
)
const bool = (parts: Partial<BoolQuery>): Query => ({
  kind: 'bool',
  must: [],
  should: [],
  filter: [],
  mustNot: [],
  adjustPureNegative: true,
  ...parts,
})
/** All of a query's documents with one score. */
const alike = fc
  .tuple(filter, fc.constantFrom(1, 1, 1.1, 2.5, 0))
  .map(([query, boost]): Query => ({ kind: 'constant_score', filter: query, boost }))
const alikes = fc.array(alike, { minLength: 1, maxLength: 4 })
const scored = fc.oneof(
  term,
  alikes.map((should) => bool({ should })),
  alikes.map((queries): Query => ({ kind: 'dis_max', queries, tieBreaker: 0 })),
  fc.tuple(alikes, alikes, term).map(([some, others, word]) => {
    const inside: Query = { kind: 'dis_max', queries: [bool({ should: others }), word], tieBreaker: 0 }
    return bool({ should: [...some, inside] })
  }),
  phrase,
  terms(5).map((should) => bool({ should })),
  terms(3).map((must) => bool({ must })),
  fc
    .tuple(fc.array(terms(3), { minLength: 1, maxLength: 3 }), fc.constantFrom(0, 0, 0.3))
    .map(([groups, tieBreaker]): Query => {
      return { kind: 'dis_max', queries: groups.map((should) => bool({ should })), tieBreaker }
    }),
)
const query = fc.oneof(
  { weight: 3, arbitrary: scored },
  {
    weight: 2,
    arbitrary: fc
      .tuple(scored, fc.array(filter, { maxLength: 2 }), fc.array(filter, { maxLength: 1 }))
      .map(([must, filters, mustNot]) => bool({ must: [must], filter: filters, mustNot })),
  },
)

interface Found {
  readonly count: number
  readonly hits: readonly { readonly doc: number; readonly score: number }[]
}

function byBulk(weight: Weight, context: SearchContext, size: number): Found {
  const top = new TopScores(size)
  let count = 0
  for (const leaf of context.leaves) {
    const sink = (docs: Int32Array, scores: Float32Array, n: number): boolean => {
      count += n
      top.addAll(docs, scores, n, leaf.docBase)
      return true
    }
    weight.bulkScorer(leaf)?.score(sink, liveDocuments(leaf.segment))
  }
  return { count, hits: top.sorted(0) }
}

function byTop(weight: Weight, context: SearchContext, size: number, limit: number): Found & { readonly used: number } {
  const top = new TopScores(size)
  let count = 0
  let used = 0
  for (const leaf of context.leaves) {
    const best = weight.topScorer(leaf)
    if (best === undefined) return { ...byBulk(weight, context, size), used: 0 }
    used++
    const sink = (docs: Int32Array, scores: Float32Array, n: number): boolean => {
      top.addAll(docs, scores, n, leaf.docBase)
      return true
    }
    count += best.collect(sink, liveDocuments(leaf.segment), () => top.threshold, limit - count)
  }
  return { count, hits: top.sorted(0), used }
}

describe('the ways to the best matches', () => {
  for (const engineVersion of ['OpenSearch_2.19', 'Elasticsearch_6.8'] as const) {
    it(`find what scoring every match finds, in ${engineVersion}`, () => {
      let used = 0
      fc.assert(
        fc.property(query, fc.constantFrom(1, 10, 10, 100), fc.constantFrom(0, 50, 1000), (q, size, limit) => {
          const context = new SearchContext(searcher, { engineVersion })
          const weight = createQuery(q, context).createWeight(context, 1, true)
          const all = byBulk(weight, context, size)
          const exact = byTop(weight, context, size, Number.POSITIVE_INFINITY)
          used += exact.used
          expect(exact.hits).toEqual(all.hits)
          expect(exact.count).toBe(all.count)
          const limited = byTop(weight, context, size, limit)
          expect(limited.hits).toEqual(all.hits)
          if (all.count <= limit) expect(limited.count).toBe(all.count)
          else expect(limited.count).toBeGreaterThan(limit)
        }),
        { numRuns: 300 },
      )
      expect(used).toBeGreaterThan(150)
    })
  }
})
