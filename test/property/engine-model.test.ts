import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type EmbeddedEngine, openEngine } from '../../src/engine/embedded-engine.ts'
import type { DocumentOperation, VersionType, WriteResult } from '../../src/engine/index/document-operation.ts'
import { NO_MORE_DOCS, type NumericDocValues, type SegmentReader } from '../../src/engine/index/segment-reader.ts'
import { copyAsCrashed } from '../durability/crashed-copy.ts'

/** What a plain map knows of a document. */
interface Entry {
  readonly version: number
  readonly seqNo: number
  readonly source: Record<string, unknown> | undefined
}

type Model = Map<string, Entry>

const TYPES = ['_doc', 'book']
const id = fc.constantFrom('1', '2', '3', '4', '5', 'é')
const body = fc.record(
  {
    tag: fc.constantFrom('a', 'b', 'c'),
    n: fc.integer({ min: 0, max: 9 }),
    o: fc.record({ x: fc.nat(3) }, { noNullPrototype: true }),
  },
  { requiredKeys: [], noNullPrototype: true },
)
const at = { type: fc.constantFrom(...TYPES), id }
const write = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('index' as const), ...at, body }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('create' as const), ...at, body }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete' as const), ...at }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('update' as const), ...at, body, upsert: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('external' as const),
      ...at,
      body,
      version: fc.integer({ min: 1, max: 12 }),
      versionType: fc.constantFrom<VersionType>('external', 'external_gte'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('cas' as const), ...at, body, right: fc.boolean() }),
  },
)
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never

/** @param mostWrites  of a step  @param writing  how often steps write, where others are 9 together */
const stepsOf = (mostWrites: number, writing: number) =>
  fc.oneof(
    {
      weight: writing,
      arbitrary: fc.record({ do: fc.constant('write' as const), writes: fc.array(write, { maxLength: mostWrites }) }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('refresh' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('flush' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('merge' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('crash' as const) }) },
  )
const step = stepsOf(6, 8)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const key = (type: string, docId: string) => `${type}/${docId}`

function operationOf(w: Write, model: Model): DocumentOperation {
  const base = { type: w.type, id: w.id, versionType: 'internal' as const }
  switch (w.kind) {
    case 'index':
    case 'create':
      return { ...base, kind: w.kind, source: Buffer.from(JSON.stringify(w.body)) }
    case 'delete':
      return { ...base, kind: 'delete' }
    case 'update':
      return { ...base, kind: 'update', doc: w.body, docAsUpsert: w.upsert, detectNoop: true }
    case 'external':
      return {
        ...base,
        kind: 'index',
        source: Buffer.from(JSON.stringify(w.body)),
        version: w.version,
        versionType: w.versionType,
      }
    case 'cas': {
      const seqNo = (model.get(key(w.type, w.id))?.seqNo ?? 0) + (w.right ? 0 : 1)
      return { ...base, kind: 'index', source: Buffer.from(JSON.stringify(w.body)), ifSeqNo: seqNo, ifPrimaryTerm: 1 }
    }
  }
}

/** What must come of a write, told by the plain rules; changes the model. */
function expectedOf(w: Write, model: Model, result: WriteResult): string {
  const k = key(w.type, w.id)
  const entry = model.get(k)
  const exists = entry?.source !== undefined
  const version = (entry?.version ?? 0) + 1
  const seqNo = result.ok ? result.seqNo : -1
  const put = (source: Record<string, unknown> | undefined, at = version) =>
    model.set(k, { version: at, seqNo, source })
  switch (w.kind) {
    case 'create':
      if (exists) return 'version_conflict_engine_exception'
      put(w.body)
      return `created ${version}`
    case 'index':
      put(w.body)
      return `${exists ? 'updated' : 'created'} ${version}`
    case 'delete':
      put(undefined)
      return `${exists ? 'deleted' : 'not_found'} ${version}`
    case 'update': {
      if (!exists) {
        if (!w.upsert) return 'document_missing_exception'
        put(w.body)
        return `created ${version}`
      }
      const before = entry.source as Record<string, unknown>
      const merged = { ...before, ...w.body }
      if (before['o'] !== undefined && w.body.o !== undefined) merged['o'] = { ...(before['o'] as object), ...w.body.o }
      if (JSON.stringify(sorted(merged)) === JSON.stringify(sorted(before))) return `noop ${entry.version}`
      put(merged)
      return `updated ${version}`
    }
    case 'external': {
      const current = entry?.version
      const refused =
        current !== undefined && (w.versionType === 'external' ? current >= w.version : current > w.version)
      if (refused) return 'version_conflict_engine_exception'
      put(w.body, w.version)
      return `${exists ? 'updated' : 'created'} ${w.version}`
    }
    case 'cas':
      // 6.x compares with a delete too, as long as it is known.
      if (entry === undefined || !w.right) return 'version_conflict_engine_exception'
      put(w.body)
      return `${exists ? 'updated' : 'created'} ${version}`
  }
}

const sorted = (value: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))

function checkRealtime(engine: EmbeddedEngine, model: Model): void {
  for (const [k, entry] of model) {
    const [type, docId] = k.split('/') as [string, string]
    const found = engine.get('i', type, docId, { realtime: true })
    expect(found && { version: found.version, seqNo: found.seqNo, source: JSON.parse(String(found.source)) }).toEqual(
      entry.source === undefined ? undefined : entry,
    )
  }
}

/** The fields that there are from the start: an index can be sorted by none that comes later. */
const MAPPINGS = Object.fromEntries(TYPES.map((type) => [type, { properties: { n: { type: 'integer' } } }]))

/** What a search sees: every live document once, in order, and the postings that lead to it. */
function checkView(engine: EmbeddedEngine, model: Model, isSorted: boolean): void {
  const view = engine.searcher('i')
  try {
    const found = new Map<string, Entry>()
    const byTag = new Map<string, number>()
    let last = -1
    for (const segment of view.segments) {
      const numbers = Array.from({ length: segment.maxDoc }, (_, doc) => segment.seqNo(doc))
      expect(Math.min(...numbers)).toBeGreaterThan(last)
      last = Math.max(...numbers)
      if (isSorted) expect(numbersOf(segment)).toEqual(numbersOf(segment).sort((a, b) => b - a))
      else expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
      for (let doc = 0; doc < segment.maxDoc; doc++) {
        if (segment.liveDocs !== undefined && ((segment.liveDocs[doc >>> 5] as number) & (1 << (doc & 31))) === 0)
          continue
        const { type, id: docId, version, seqNo, source } = view.document(segment, doc)
        expect(found.has(key(type, docId)), `${type}/${docId} twice`).toBe(false)
        found.set(key(type, docId), { version: Number(version), seqNo, source: JSON.parse(String(source)) })
        expect(view.locate(type, docId)).toHaveLength(1)
      }
      const terms = segment.field('tag.keyword')?.terms
      for (let ordinal = 0; terms !== undefined && ordinal < terms.size; ordinal++) {
        const cursor = terms.postings(ordinal)
        for (let doc = cursor.nextDoc(); doc !== NO_MORE_DOCS; doc = cursor.nextDoc()) {
          if (segment.liveDocs !== undefined && ((segment.liveDocs[doc >>> 5] as number) & (1 << (doc & 31))) === 0)
            continue
          const tag = terms.termText(ordinal)
          byTag.set(tag, (byTag.get(tag) ?? 0) + 1)
        }
      }
    }
    const live = [...model].filter(([, e]) => e.source !== undefined)
    expect(sorted(Object.fromEntries(found))).toEqual(sorted(Object.fromEntries(live)))
    expect(view.numDocs).toBe(live.length)
    const tags = new Map<string, number>()
    for (const [, { source }] of live) {
      const tag = source?.['tag'] as string | undefined
      if (tag !== undefined) tags.set(tag, (tags.get(tag) ?? 0) + 1)
    }
    expect(sorted(Object.fromEntries(byTag))).toEqual(sorted(Object.fromEntries(tags)))
  } finally {
    view.release()
  }
}

/** What documents have as `n`; -1: nothing. */
function numbersOf(segment: SegmentReader): number[] {
  const column = segment.field('n')?.docValues as NumericDocValues | undefined
  return Array.from({ length: segment.maxDoc }, (_, doc) => {
    const isThere = column?.present === undefined || ((column.present[doc >>> 5] as number) & (1 << (doc & 31))) !== 0
    return column !== undefined && isThere ? (column.values[doc] as number) : -1
  })
}

const open = (dataDir: string) => openEngine({ dataDir, engineVersion: 'Elasticsearch_6.8', log: () => {} })

/** Writes one after the other, or as many at once as need not know what came of each other. */
async function writeAll(
  engine: EmbeddedEngine,
  writes: readonly Write[],
  model: Model,
  isBulk: boolean,
): Promise<void> {
  let waiting: Write[] = []
  const send = async () => {
    const sent = waiting
    waiting = []
    const operations = sent.map((w) => operationOf(w, model))
    const results = sent.length === 0 ? [] : await engine.write('i', operations, false)
    for (const [n, w] of sent.entries()) {
      const result = results[n] as WriteResult
      const outcome = result.ok ? `${result.result} ${result.version}` : result.error.type
      expect(outcome).toBe(expectedOf(w, model, result))
    }
  }
  for (const w of writes) {
    if (w.kind === 'cas') await send()
    waiting.push(w)
    if (!isBulk) await send()
  }
  await send()
}

async function expectAlike(steps: readonly Step[], isSorted: boolean, isBulk: boolean): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'chaja-model-'))
  let folder = join(root, '0')
  let engine = await open(folder)
  try {
    const order = { 'index.sort.field': 'n', 'index.sort.order': 'desc' }
    // The model knows the versions of what was deleted however long ago.
    const settings = { 'index.refresh_interval': '-1', 'index.gc_deletes': '1d', ...(isSorted ? order : {}) }
    await engine.createIndex('i', { settings, mappings: MAPPINGS, aliases: {} })
    const model: Model = new Map()
    let refreshed: Model = new Map()
    for (const [n, s] of steps.entries()) {
      switch (s.do) {
        case 'write':
          await writeAll(engine, s.writes, model, isBulk)
          break
        case 'refresh':
          await engine.refresh('i')
          refreshed = new Map(model)
          break
        case 'flush':
          await engine.flush('i')
          refreshed = new Map(model)
          break
        case 'merge':
          await engine.forceMerge('i', { maxNumSegments: 1, onlyExpungeDeletes: false })
          refreshed = new Map(model)
          break
        case 'crash':
        case 'reopen': {
          // What is on disk now is what a kill would leave: a copy is opened.
          if (s.do === 'reopen') await engine.close()
          const before = folder
          folder = join(root, String(n + 1))
          copyAsCrashed(before, folder)
          if (s.do === 'crash') await engine.close()
          rmSync(before, { recursive: true })
          engine = await open(folder)
          refreshed = new Map(model)
        }
      }
      checkRealtime(engine, model)
      // In a run this long a flush that nobody asked for may have shown what was written.
      if (!isBulk || s.do !== 'write') checkView(engine, refreshed, isSorted)
    }
  } finally {
    await engine.close()
    rmSync(root, { recursive: true, force: true })
  }
}

/** Of the long form; a million or more before a release. */
const OPERATIONS = Number(process.env['CHAJA_CASES'] ?? 10_000)
const SEED = Number(process.env['CHAJA_SEED'] ?? Date.now() % 1_000_000)
/** Of each seed. */
const STEPS = 400

describe('the engine', () => {
  it('does what a plain map does, over refreshes, flushes, merges, restarts and crashes', {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), fc.boolean(), (steps, isSorted) =>
        expectAlike(steps, isSorted, false),
      ),
      { numRuns: Number(process.env['CHAJA_RUNS'] ?? 40) },
    )
  })

  it(`does so over ${OPERATIONS} operations, bulk after bulk, with few restarts`, {
    timeout: 3_600_000 * 24,
  }, async () => {
    for (let left = OPERATIONS, seed = SEED; left > 0; seed++) {
      const steps = fc.sample(stepsOf(60, 300), { seed, numRuns: STEPS })
      try {
        await expectAlike(steps, seed % 2 === 1, true)
      } catch (error) {
        throw new Error(`CHAJA_SEED=${seed}: ${(error as Error).message}`, { cause: error })
      }
      left -= steps.reduce((sum, s) => sum + (s.do === 'write' ? s.writes.length : 0), 0)
    }
  })
})
