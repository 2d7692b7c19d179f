import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EmbeddedEngine, openEngine } from '../embedded-engine.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import type { DocsCollector } from './docs-collector.ts'
import type { Query } from './queries/query.ts'
import { searchDocuments } from './search-documents.ts'
import type { SearchRequest, SearchResult, SortKey } from './search-request.ts'

const DOCS = 11_000

let engine: EmbeddedEngine
let searcher: IndexSearcher
let dataDir: string

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'chaja-shortcuts-'))
  engine = await openEngine({ dataDir, engineVersion: 'OpenSearch_2.19', log: () => {} })
  const number = { type: 'integer' }
  await engine.createIndex('i', {
    settings: {},
    aliases: {},
    mappings: { _doc: { properties: { t: { type: 'text' }, n: number, all: number, several: number } } },
  })
  for (let from = 0; from < DOCS; from += 5500) {
    const operations = Array.from({ length: Math.min(5500, DOCS - from) }, (_, j) => {
      const i = from + j
      const source = {
        t: `every ${i % 2 === 0 ? 'second' : ''} ${i % 9 === 0 ? 'ninth' : ''} ${i % 500 === 0 ? 'rare' : ''}`,
        ...(i % 13 === 0 ? {} : { n: (i * 7919) % 101 }),
        all: (i * 104_729) % 3001,
        several: [(i * 31) % 77, (i * 17) % 91],
      }
      return {
        kind: 'index' as const,
        type: '_doc',
        id: String(i),
        versionType: 'internal' as const,
        source: Buffer.from(JSON.stringify(source)),
      }
    })
    await engine.write('i', operations, true)
  }
  const deletions = Array.from({ length: 200 }, (_, j) => ({
    kind: 'delete' as const,
    type: '_doc',
    id: String(j * 23),
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

/** Wants to see every match, so that no shortcut may be taken. */
const watcher: DocsCollector = { needsScores: false, segment: () => () => {} }

function search(request: SearchRequest, collectors: readonly DocsCollector[]): SearchResult {
  return searchDocuments([searcher], { ...request, collectors }, 'OpenSearch_2.19')
}

const word = fc.constantFrom('every', 'second', 'ninth', 'rare', 'none')
const term = word.map((value): Query => ({ kind: 'term', field: 't', value }))
const query = fc.oneof(
  term,
  fc.constant<Query>({ kind: 'match_all' }),
  term.map((filter): Query => ({ kind: 'constant_score', filter })),
  fc.tuple(term, term).map(
    ([a, b]): Query => ({
      kind: 'bool',
      must: [],
      should: [],
      filter: [a],
      mustNot: [b],
      adjustPureNegative: true,
    }),
  ),
)
const sortKey = fc.record({
  kind: fc.constant('field' as const),
  field: fc.constantFrom('n', 'all', 'several'),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  missing: fc.constantFrom('_last' as const, '_last' as const, '_first' as const),
})

describe('shortcuts of a search', () => {
  it('find and count what a search that looks at every match does', () => {
    fc.assert(
      fc.property(
        query,
        fc.array<SortKey>(sortKey, { maxLength: 1 }),
        fc.constantFrom(0, 0, 7, 300, 6000, 20_000),
        fc.constantFrom(0, 1, 10),
        (q, sort, from, size) => {
          const request: SearchRequest = {
            query: q,
            from,
            size,
            sort,
            trackScores: false,
            trackTotalHits: true,
            collectors: [],
          }
          const plain = search(request, [watcher])
          // Some shortcuts want to see a query a second time.
          search(request, [])
          const quick = search(request, [])
          expect(quick.hits).toEqual(plain.hits)
          expect(quick.total).toEqual(plain.total)
          expect(quick.maxScore).toEqual(plain.maxScore)
        },
      ),
      { numRuns: 300 },
    )
  })
})
