import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EmbeddedEngine, openEngine } from '../embedded-engine.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import type { Query } from './queries/query.ts'
import { countDocuments, searchDocuments } from './search-documents.ts'
import type { SearchRequest } from './search-request.ts'

const WORDS = ['ant', 'bee', 'cat', 'dog', 'elk', 'fox']
const DOCS = 400

let engine: EmbeddedEngine
let searcher: IndexSearcher
let dataDir: string

/** Words of document i: few and often the same, so that clauses meet. */
function wordsOf(i: number): string[] {
  let seed = (i + 1) * 2_654_435_761
  const next = (below: number): number => {
    seed = (Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return ((seed >>> 8) & 0xffff) % below
  }
  return Array.from({ length: 1 + next(9) }, () => WORDS[Math.min(next(WORDS.length), next(WORDS.length))] as string)
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'chaja-search-'))
  engine = await openEngine({ dataDir, engineVersion: 'Elasticsearch_6.8', log: () => {} })
  await engine.createIndex('i', {
    settings: {},
    aliases: {},
    mappings: { doc: { properties: { t: { type: 'text' }, n: { type: 'integer' }, k: { type: 'keyword' } } } },
  })
  for (let from = 0; from < DOCS; from += 90) {
    const operations = Array.from({ length: Math.min(90, DOCS - from) }, (_, j) => ({
      kind: 'index' as const,
      type: 'doc',
      id: String(from + j),
      versionType: 'internal' as const,
      source: Buffer.from(
        JSON.stringify({ t: wordsOf(from + j).join(' '), n: (from + j) % 17, k: wordsOf(from + j)[0] }),
      ),
    }))
    await engine.write('i', operations, true)
  }
  const deletions = Array.from({ length: 40 }, (_, j) => ({
    kind: 'delete' as const,
    type: 'doc',
    id: String(j * 7),
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

const request = (query: Query, options: Partial<SearchRequest> = {}): SearchRequest => ({
  query,
  from: 0,
  size: DOCS,
  sort: [],
  trackScores: false,
  trackTotalHits: true,
  collectors: [],
  ...options,
})

/** Hits by document number in the view, best first. */
function found(query: Query, options: Partial<SearchRequest> = {}): { total: number; hits: [number, number][] } {
  const result = searchDocuments([searcher], request(query, options), 'Elasticsearch_6.8')
  return {
    total: result.total?.value ?? -1,
    hits: result.hits.map(({ segment, doc, score }) => [(searcher.docBases[segment] as number) + doc, score]),
  }
}

/** Scores of all matches, the plain way: words by themselves, the rest by the rules of Lucene 7 put together. */
function plain(query: Query, filtering = false): Map<number, number> {
  switch (query.kind) {
    case 'bool': {
      if (query.must.length + query.filter.length + query.should.length + query.mustNot.length === 0)
        return plain({ kind: 'match_all' })
      const must = query.must.map((q) => plain(q, filtering))
      const filter = query.filter.map((q) => plain(q, true))
      const should = query.should.map((q) => plain(q, filtering))
      const mustNot = query.mustNot.map((q) => plain(q, true))
      const required = [...must, ...filter]
      const strict = filtering && should.length > 0
      const least =
        query.minimumShouldMatch !== undefined
          ? Number(query.minimumShouldMatch)
          : strict || (required.length === 0 && should.length > 0)
            ? 1
            : 0
      const out = new Map<number, number>()
      for (const [doc] of plain({ kind: 'match_all' })) {
        if (required.some((scores) => !scores.has(doc)) || mustNot.some((scores) => scores.has(doc))) continue
        const matching = should.filter((scores) => scores.has(doc))
        if (matching.length < least) continue
        if (required.length === 0 && matching.length === 0 && should.length > 0) continue
        const sum = (list: Map<number, number>[]): number =>
          Math.fround(list.reduce((total, scores) => total + (scores.get(doc) as number), 0))
        if (query.mustNot.length > 0 && required.length + should.length === 0) out.set(doc, 1)
        else
          out.set(
            doc,
            required.length === 0
              ? sum(matching)
              : matching.length === 0
                ? sum(must)
                : Math.fround(sum(must) + sum(matching)),
          )
      }
      return out
    }
    case 'dis_max': {
      const parts = query.queries.map((q) => plain(q, filtering))
      const out = new Map<number, number>()
      for (const doc of new Set(parts.flatMap((scores) => [...scores.keys()]))) {
        out.set(doc, Math.max(...parts.map((scores) => scores.get(doc) ?? Number.NEGATIVE_INFINITY)))
      }
      return out
    }
    case 'constant_score':
      return new Map([...plain(query.filter, true)].map(([doc]) => [doc, 1]))
    default:
      return new Map(found(query).hits)
  }
}

const word: fc.Arbitrary<Query> = fc.constantFrom(...WORDS).map((value) => ({ kind: 'term', field: 't', value }))
const range: fc.Arbitrary<Query> = fc
  .tuple(fc.nat(16), fc.nat(8))
  .map(([from, width]) => ({ kind: 'range', field: 'n', gte: from, lte: from + width, relation: 'intersects' }))
const phrase: fc.Arbitrary<Query> = fc
  .tuple(fc.constantFrom(...WORDS), fc.constantFrom(...WORDS), fc.nat(2))
  .map(([a, b, slop]) => ({ kind: 'match_phrase', field: 't', text: `${a} ${b}`, slop, zeroTermsQuery: 'none' }))
const leaf = fc.oneof({ weight: 4, arbitrary: word }, range, phrase)

function treeOf(depth: number): fc.Arbitrary<Query> {
  if (depth === 0) return leaf
  const inner = treeOf(depth - 1)
  const some = (most: number): fc.Arbitrary<Query[]> => fc.array(inner, { maxLength: most })
  const bool: fc.Arbitrary<Query> = fc
    .tuple(
      some(2),
      some(3),
      some(2),
      fc.array(leaf, { maxLength: 1 }),
      fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
    )
    .map(([must, should, filter, mustNot, least]) => ({
      kind: 'bool',
      must,
      should,
      filter,
      mustNot,
      adjustPureNegative: true,
      ...(least === undefined || should.length === 0 ? {} : { minimumShouldMatch: String(least) }),
    }))
  return fc.oneof(
    { weight: 4, arbitrary: bool },
    fc
      .array(inner, { minLength: 1, maxLength: 2 })
      .map((queries): Query => ({ kind: 'dis_max', queries, tieBreaker: 0 })),
    inner.map((filter): Query => ({ kind: 'constant_score', filter })),
    leaf,
  )
}

const ranked = (scores: Map<number, number>): [number, number][] =>
  [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0])

describe('a search', () => {
  it('finds, scores and counts what the plain rules do, whichever way it takes', () => {
    fc.assert(
      fc.property(treeOf(2), fc.nat(12), fc.nat(5), (query, size, from) => {
        const expected = ranked(plain(query))
        const all = found(query)
        expect(all.hits.map(([doc]) => doc).sort((a, b) => a - b)).toEqual(
          expected.map(([doc]) => doc).sort((a, b) => a - b),
        )
        for (const [doc, score] of expected)
          expect(near(all.hits.find(([d]) => d === doc)?.[1] as number, score)).toBe(true)
        expect(all.total).toBe(expected.length)
        expect(all.hits).toEqual(ranked(new Map(all.hits)))
        // A page is a stretch of the whole, and counting is counting.
        expect(found(query, { from, size }).hits).toEqual(all.hits.slice(from, from + size))
        expect(countDocuments([searcher], query, 'Elasticsearch_6.8')).toBe(expected.length)
      }),
      { numRuns: 300 },
    )
  })

  it('sorts by a number and by a word, and goes on after a hit', () => {
    const query: Query = { kind: 'term', field: 't', value: 'ant' }
    for (const sort of [
      [{ kind: 'field', field: 'n', order: 'desc', missing: '_last' }],
      [
        { kind: 'field', field: 'k', order: 'asc', missing: '_last' },
        { kind: 'field', field: 'n', order: 'asc', missing: '_last' },
      ],
    ] as const) {
      const all = searchDocuments([searcher], request(query, { sort }), 'Elasticsearch_6.8').hits
      const page = searchDocuments([searcher], request(query, { sort, size: 7 }), 'Elasticsearch_6.8').hits
      expect(page).toEqual(all.slice(0, 7))
      const last = page.at(-1)?.sortValues
      const after = searchDocuments(
        [searcher],
        request(query, { sort, size: 7, ...(last === undefined ? {} : { searchAfter: last }) }),
        'Elasticsearch_6.8',
      ).hits
      const rest = all
        .filter((hit) => JSON.stringify(hit.sortValues) !== JSON.stringify(last))
        .filter((hit) => all.indexOf(hit) > 6)
      expect(after).toEqual(rest.slice(0, 7))
    }
  })

  it('puts every document in one slice and every group in one hit', () => {
    const query: Query = { kind: 'match_all' }
    const slices = [0, 1, 2].map((id) => found(query, { slice: { id, max: 3, field: '_id' } }).hits.map(([doc]) => doc))
    expect(slices.flat().sort((a, b) => a - b)).toEqual(found(query).hits.map(([doc]) => doc))
    const groups = searchDocuments(
      [searcher],
      request({ kind: 'term', field: 't', value: 'ant' }, { collapse: { field: 'k' } }),
      'Elasticsearch_6.8',
    )
    const values = groups.hits.map((hit) => hit.collapseValue)
    expect(new Set(values).size).toBe(values.length)
    expect(groups.total?.value).toBe(found({ kind: 'term', field: 't', value: 'ant' }).total)
  })
})

/** Equal but for the last digit of a float: sums of the same scores may be rounded in another order. */
const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a))
