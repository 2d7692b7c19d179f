import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import type { Backend } from '../../backend.ts'
import { openEngine } from '../../engine/embedded-engine.ts'
import { createRestBackend } from '../rest-backend.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'chaja-percolate-'))
let backend: Backend

async function ask(method: string, path: string, body?: object | string) {
  const text = body === undefined || typeof body === 'string' ? (body ?? '') : JSON.stringify(body)
  return JSON.parse(String((await askBackend(backend, method, path, text)).body))
}

async function bulk(index: string, documents: readonly object[]): Promise<void> {
  const lines = documents.flatMap((document, i) => [
    { index: { _index: index, _type: '_doc', _id: String(i) } },
    document,
  ])
  const loaded = await ask('POST', '/_bulk?refresh=true', `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
  expect(
    loaded.errors,
    JSON.stringify(loaded.items.find((item: { index: { error?: object } }) => item.index.error)),
  ).toBe(false)
}

const PROPERTIES = {
  t: { type: 'text' },
  k: { type: 'keyword' },
  n: { type: 'integer' },
  d: { type: 'date' },
}

beforeAll(async () => {
  const log = (): void => {}
  const engine = await openEngine({ dataDir, engineVersion: 'Elasticsearch_6.8', log })
  backend = createRestBackend(engine, { log, publishAddress: () => '127.0.0.1:9200', clusterName: 'p', dataDir })
  const settings = { number_of_shards: 1, number_of_replicas: 0 }
  await ask('PUT', '/alerts', {
    settings,
    mappings: { _doc: { properties: { ...PROPERTIES, q: { type: 'percolator' } } } },
  })
  await ask('PUT', '/plain', { settings, mappings: { _doc: { properties: PROPERTIES } } })
})

afterAll(async () => {
  await backend.close()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('a percolator field', () => {
  // Answers of Elasticsearch 6.8.23.
  it.each([
    [{ term: { zz: 'x' } }, 'query_shard_exception', 'No field mapping can be found for the field with name [zz]'],
    [
      { query_string: { query: 'zz:x' } },
      'query_shard_exception',
      'No field mapping can be found for the field with name [zz]',
    ],
    [{ xx: {} }, 'parsing_exception', 'no [query] registered for [xx]'],
    ['abc', 'parsing_exception', '[_na] query malformed, must start with start_object'],
    [null, 'parsing_exception', '[_na] query malformed, must start with start_object'],
    [
      [{ match: { t: 'x' } }, { match: { t: 'y' } }],
      'illegal_argument_exception',
      'a document can only contain one percolator query',
    ],
    [{ term: { n: 'abc' } }, 'number_format_exception', 'For input string: "abc"'],
  ])('refuses %j', async (q, type, reason) => {
    const { error, status } = await ask('PUT', '/alerts/_doc/refused', { q })
    expect(status).toBe(400)
    expect(error).toMatchObject({ type: 'mapper_parsing_exception', reason: 'failed to parse', caused_by: { type } })
    expect(error.caused_by.reason).toContain(reason)
    const isOwn = type === 'query_shard_exception' || type === 'parsing_exception'
    expect(error.root_cause[0].type).toBe(isOwn ? type : 'mapper_parsing_exception')
  })

  it('refuses queries about related documents', async () => {
    const { error } = await ask('PUT', '/alerts/_doc/refused', {
      q: { bool: { must: [{ has_parent: { parent_type: 'x', query: { match_all: {} } } }] } },
    })
    expect(error.caused_by.reason).toBe('the [has_parent] query is unsupported inside a percolator query')
  })

  it('takes any field for exists queries, and instants that move', async () => {
    expect((await ask('PUT', '/alerts/_doc/e', { q: { exists: { field: 'zz' } } })).result).toBe('created')
    expect((await ask('PUT', '/alerts/_doc/n?refresh=true', { q: { range: { d: { gte: 'now-1d' } } } })).result).toBe(
      'created',
    )
    const ids = async (d: string): Promise<string[]> => {
      const found = await ask('POST', '/alerts/_search', { query: { percolate: { field: 'q', document: { d } } } })
      return found.hits.hits.map((hit: { _id: string }) => hit._id)
    }
    expect(await ids(new Date().toISOString())).toEqual(['n'])
    expect(await ids('2020-01-01')).toEqual([])
    await ask('DELETE', '/alerts/_doc/e')
    await ask('DELETE', '/alerts/_doc/n?refresh=true')
  })
})

const word = fc.constantFrom('quick', 'brown', 'fox', 'lazy', 'dog', 'jumps')
const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((list) => list.join(' '))
const { query } = fc.letrec<{ query: object }>((tie) => ({
  query: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    word.map((k) => ({ term: { k } })),
    words.map((t) => ({ match: { t } })),
    words.map((text) => ({ match: { t: { query: text, operator: 'and' } } })),
    words.map((t) => ({ match_phrase: { t } })),
    word.map((w) => ({ prefix: { k: w.slice(0, 2) } })),
    fc.integer({ min: 0, max: 5 }).map((n) => ({ range: { n: { gte: n } } })),
    words.map((text) => ({ multi_match: { query: text, fields: ['t', 'k^2'] } })),
    words.map((text) => ({ query_string: { query: text, fields: ['t'], default_operator: 'AND' } })),
    fc
      .record({
        must: fc.array(tie('query'), { maxLength: 2 }),
        should: fc.array(tie('query'), { maxLength: 3 }),
        filter: fc.array(tie('query'), { maxLength: 1 }),
        must_not: fc.array(tie('query'), { maxLength: 1 }),
        minimum_should_match: fc.integer({ min: 0, max: 2 }),
      })
      .map((bool) => ({ bool })),
    fc.array(tie('query'), { minLength: 1, maxLength: 3 }).map((queries) => ({ dis_max: { queries } })),
    tie('query').map((filter) => ({ constant_score: { filter } })),
    fc
      .tuple(tie('query'), tie('query'))
      .map(([positive, negative]) => ({ boosting: { positive, negative, negative_boost: 0.5 } })),
  ),
}))
const document = fc.record(
  { t: words, k: fc.array(word, { maxLength: 2 }), n: fc.integer({ min: 0, max: 5 }) },
  { requiredKeys: [] },
)

describe('percolate', () => {
  it('finds the queries that find the document, though it does not run those without its terms', async () => {
    const queries = fc.sample(query, { numRuns: 300, seed: 7 })
    const documents = fc.sample(document, { numRuns: 12, seed: 8 })
    await bulk(
      'alerts',
      queries.map((q) => ({ q })),
    )
    await bulk('plain', documents)
    const finders = documents.map((): string[] => [])
    for (const [i, one] of queries.entries()) {
      const found = await ask('POST', '/plain/_search', { query: one, size: 100 })
      for (const { _id } of found.hits.hits) finders[Number(_id)]?.push(String(i))
    }
    for (const [i, one] of documents.entries()) {
      const found = await ask('POST', '/alerts/_search', {
        query: { percolate: { field: 'q', document: one } },
        size: 1000,
      })
      const ids = found.hits.hits.map((hit: { _id: string }) => hit._id)
      expect(ids.sort(), JSON.stringify(one)).toEqual(finders[i]?.sort())
    }
    const slots = await ask('POST', '/alerts/_search', { query: { percolate: { field: 'q', documents } }, size: 1000 })
    for (const { _id, fields } of slots.hits.hits) {
      const found = finders.flatMap((ids, slot) => (ids.includes(_id) ? [slot] : []))
      expect(fields._percolator_document_slot).toEqual(found)
    }
  })

  it('looks terms up for the one who percolates', async () => {
    await ask('PUT', '/plain/_doc/list?refresh=true', { k: ['lazy'] })
    const terms = { k: { index: 'plain', type: '_doc', id: 'list', path: 'k' } }
    await ask('PUT', '/alerts/_doc/lookup?refresh=true', { q: { terms } })
    const isFound = async (k: string): Promise<boolean> => {
      const body = {
        query: {
          bool: { must: [{ percolate: { field: 'q', document: { k } } }], filter: [{ ids: { values: ['lookup'] } }] },
        },
      }
      return (await ask('POST', '/alerts/_search', body)).hits.total === 1
    }
    expect(await isFound('lazy')).toBe(true)
    expect(await isFound('dog')).toBe(false)
    await ask('PUT', '/plain/_doc/list?refresh=true', { k: ['dog'] })
    expect(await isFound('dog')).toBe(true)
    expect(await isFound('lazy')).toBe(false)
  })

  it('percolates a document of an index, of the version asked for', async () => {
    await ask('PUT', '/plain/_doc/own?refresh=true', { k: ['jumps'] })
    const named = { field: 'q', index: 'plain', type: '_doc', id: 'own' }
    const found = await ask('POST', '/alerts/_search', { query: { percolate: { ...named, version: 1 } } })
    expect(found.hits.total).toBeGreaterThan(0)
    const refused = await ask('POST', '/alerts/_search', { query: { percolate: { ...named, version: 7 } } })
    expect(refused.error.root_cause[0]).toMatchObject({
      type: 'version_conflict_engine_exception',
      reason: '[_doc][own]: version conflict, current version [1] is different than the one provided [7]',
    })
  })
})
