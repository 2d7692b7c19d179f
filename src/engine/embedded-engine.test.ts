import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { copyAsCrashed } from '../../test/durability/crashed-copy.ts'
import { ServiceError } from '../errors.ts'
import { type EmbeddedEngine, openEngine } from './embedded-engine.ts'
import type { DocumentOperation, WriteResult } from './index/document-operation.ts'
import type { IndexSearcher } from './index/index-searcher.ts'
import { SegmentBuffer } from './index/segment-buffer.ts'
import { SegmentFiles } from './index/segment-files.ts'
import { LmdbStore } from './store/lmdb-store.ts'

const root = mkdtempSync(join(tmpdir(), 'chaja-engine-'))
let folders = 0
const opened: EmbeddedEngine[] = []
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close()
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function open(folder = join(root, String(folders++))): Promise<EmbeddedEngine> {
  const engine = await openEngine({ dataDir: folder, engineVersion: 'Elasticsearch_6.8', log: () => {} })
  opened.push(engine)
  return engine
}

async function withIndex(settings: Record<string, string> = { 'index.refresh_interval': '-1' }) {
  const folder = join(root, String(folders++))
  const engine = await open(folder)
  await engine.createIndex('i', { settings, mappings: {}, aliases: {} })
  return { engine, folder }
}

const reopen = async (engine: EmbeddedEngine, folder: string) => {
  opened.splice(opened.indexOf(engine), 1)
  await engine.close()
  return open(folder)
}

const put = (id: string, source: unknown = {}, more: Partial<DocumentOperation> = {}): DocumentOperation =>
  ({
    kind: 'index',
    type: '_doc',
    id,
    source: Buffer.from(JSON.stringify(source)),
    versionType: 'internal',
    ...more,
  }) as DocumentOperation
const remove = (id: string, type = '_doc'): DocumentOperation => ({ kind: 'delete', type, id, versionType: 'internal' })

function ids(view: IndexSearcher): string[] {
  const found: string[] = []
  for (const segment of view.segments) {
    for (let doc = 0; doc < segment.maxDoc; doc++) {
      if (segment.liveDocs && ((segment.liveDocs[doc >>> 5] as number) & (1 << (doc & 31))) === 0) continue
      const { type, id } = view.document(segment, doc)
      found.push(`${type}/${id}`)
    }
  }
  return found.sort()
}

function visible(engine: EmbeddedEngine): string[] {
  const view = engine.searcher('i')
  const found = ids(view)
  view.release()
  return found
}

const ok = (result: WriteResult | undefined) => {
  if (!result?.ok) throw result?.error ?? new Error('no result')
  return result
}

describe('the embedded engine', () => {
  it('refreshes an index that is removed meanwhile without a fault', async () => {
    const { engine } = await withIndex()
    const text = 'some words here '
    const many = Array.from({ length: 100 }, (_, i) => put(`a${i}`, { text: text.repeat(600) }))
    await engine.write('i', many, false)
    const first = engine.refresh('i')
    // So much that a thread has it already, and a little behind it.
    await engine.write('i', [put('b', { text: text.repeat(2e4) }), put('c', { text: text.repeat(2e4) })], false)
    await engine.write('i', [put('d', { text })], false)
    const second = engine.refresh('i')
    const merge = engine.forceMerge('i', { maxNumSegments: 1, onlyExpungeDeletes: false })
    await Promise.all([first, second, merge, engine.deleteIndices(['i'])])
  })

  it('shows with the next refresh what one that failed had taken', async () => {
    const { engine } = await withIndex()
    const text = 'some words here '.repeat(600)
    await engine.write('i', [put('a0'), put('b')], true)
    await engine.write('i', [remove('b'), ...Array.from({ length: 9 }, (_, i) => put(`a${i}`, { text }))], false)
    const finish = vi.spyOn(SegmentBuffer.prototype, 'finish').mockRejectedValueOnce(new Error('the thread ended'))
    const documents = vi.spyOn(LmdbStore.prototype, 'documents').mockImplementationOnce(() => {
      throw new ServiceError('no_shard_available_action_exception', 'the store is being opened anew')
    })
    await expect(engine.refresh('i')).rejects.toThrow('being opened anew')
    finish.mockRestore()
    documents.mockRestore()
    await engine.write('i', [put('c')], false)
    await engine.refresh('i')
    expect(visible(engine)).toEqual([...Array.from({ length: 9 }, (_, i) => `_doc/a${i}`), '_doc/c'])
  })

  it('shows a write to a get at once and to a search after a refresh', async () => {
    const { engine } = await withIndex()
    const writing = engine.write('i', [put('1', { a: 1 })], false)
    expect(engine.get('i', '_doc', '1', { realtime: true })?.version).toBe(1)
    await writing
    expect(engine.get('i', '_doc', '1', { realtime: false })).toBeUndefined()
    expect(visible(engine)).toEqual([])
    await engine.refresh('i')
    expect(visible(engine)).toEqual(['_doc/1'])
    expect(String(engine.get('i', undefined, '1', { realtime: false })?.source)).toBe('{"a":1}')
    await engine.write('i', [put('1', { a: 2 })], false)
    expect(String(engine.get('i', '_doc', '1', { realtime: false })?.source)).toBe('{"a":1}')
    expect(String(engine.get('i', '_doc', '1', { realtime: true })?.source)).toBe('{"a":2}')
  })

  it('answers wait_for when the write can be found', async () => {
    const { engine } = await withIndex({ 'index.refresh_interval': '50ms' })
    await engine.write('i', [put('1')], 'wait_for')
    expect(visible(engine)).toEqual(['_doc/1'])
    const { engine: never } = await withIndex()
    await never.write('i', [put('1')], 'wait_for')
    expect(visible(never)).toEqual(['_doc/1'])
  })

  it('keeps documents of one id apart by type, and their versions over a restart', async () => {
    const { engine, folder } = await withIndex()
    await engine.write(
      'i',
      [put('1', { a: 1 }), put('1', { b: 1 }, { type: 'book' }), put('1', { b: 2 }, { type: 'book' })],
      false,
    )
    await engine.write('i', [remove('1')], true)
    expect(visible(engine)).toEqual(['book/1'])
    const again = await reopen(engine, folder)
    expect(visible(again)).toEqual(['book/1'])
    expect(again.get('i', '_doc', '1', { realtime: true })).toBeUndefined()
    expect(again.get('i', 'book', '1', { realtime: true })).toMatchObject({ version: 2, seqNo: 2 })
    // A deleted document's version goes on for a while.
    expect(ok((await again.write('i', [put('1')], false))[0])).toMatchObject({
      result: 'created',
      version: 3,
      seqNo: 4,
    })
  })

  it('refuses a term that is too long, keeps nothing of its document and uses up its number', async () => {
    const { engine, folder } = await withIndex()
    const mappings = {
      properties: { k: { type: 'keyword' }, n: { type: 'nested', properties: { k: { type: 'keyword' } } } },
    }
    await engine.putMapping(new Map([['i', '_doc']]), mappings)
    const long = '라'.repeat(11_000)
    const results = await engine.write(
      'i',
      [put('1', { a: 1, k: long }), put('2', { n: [{ k: 'a' }, { k: long }] }), put('3')],
      true,
    )
    expect(results.map((r) => (r.ok ? r.seqNo : r.error.type))).toEqual([
      'illegal_argument_exception',
      'illegal_argument_exception',
      2,
    ])
    const [first] = results
    if (first?.ok !== false) throw new Error('taken')
    expect(first.error.reason).toContain(
      `immense term in field="k" (whose UTF8 encoding is longer than the max length 32766), all of which were skipped.  Please correct the analyzer to not produce such terms.  The prefix of the first immense term is: '[-21, -99, -68, -21`,
    )
    expect(first.error.reason).toContain("]...', original message: bytes can be at most 32766 in length; got 33000")
    expect((first.error.cause as ServiceError).type).toBe('max_bytes_length_exceeded_exception')
    expect(engine.get('i', '_doc', '1', { realtime: true })).toBeUndefined()
    expect(visible(engine)).toEqual(['_doc/3'])
    const view = engine.searcher('i')
    expect(view.numDocs).toBe(1)
    view.release()
    const again = await reopen(engine, folder)
    expect(visible(again)).toEqual(['_doc/3'])
  })

  it('keeps an index that is made while one of its name is still being closed and deleted', async () => {
    const { engine, folder } = await withIndex()
    await engine.write('i', [put('old', { text: 'before' })], false)
    const closing = engine.closeIndices(['i'])
    const deleting = engine.deleteIndices(['i'])
    await engine.createIndex('i', { settings: {}, mappings: {}, aliases: {} })
    ok((await engine.write('i', [put('new')], false))[0])
    await Promise.all([closing, deleting])
    ok((await engine.write('i', [put('newer')], true))[0])
    expect(visible(engine)).toEqual(['_doc/new', '_doc/newer'])
    const again = await reopen(engine, folder)
    expect(visible(again)).toEqual(['_doc/new', '_doc/newer'])
  })

  it('moves a name from an index to an alias as one: whenever it crashes, it is one or the other', async () => {
    const folder = join(root, String(folders++))
    const crashed: string[] = []
    let watching = false
    const engine = await openEngine({ dataDir: folder, engineVersion: 'Elasticsearch_6.8', log: () => {} }, () => {
      if (!watching) return
      crashed.push(join(root, String(folders++)))
      copyAsCrashed(folder, crashed.at(-1) as string)
    })
    opened.push(engine)
    for (const name of ['i', 'j']) await engine.createIndex(name, { settings: {}, mappings: {}, aliases: {} })
    watching = true
    const metadata = {}
    await engine.updateAliases([
      { kind: 'add', index: 'j', alias: 'i', metadata },
      { kind: 'remove_index', index: 'i' },
    ])
    await engine.close()
    expect(crashed.length).toBeGreaterThan(1)
    for (const copy of [...crashed, folder]) {
      const { indices } = await open(copy)
      expect([...indices.keys(), ...Object.keys(indices.get('j')?.aliases ?? {})].sort()).toEqual(['i', 'j'])
    }
  })

  it('refuses a type whose name cannot be, and takes ids of any length', async () => {
    const { engine, folder } = await withIndex()
    const long = 'x'.repeat(3_000)
    const [refused] = await engine.write('i', [put('1', {}, { type: long })], false)
    expect((refused as { error: ServiceError }).error.type).toBe('invalid_type_name_exception')
    ok((await engine.write('i', [put(long, { a: 1 })], false))[0])
    const again = await reopen(engine, folder)
    expect(ok((await again.write('i', [remove(long)], false))[0]).version).toBe(2)
  })

  it('starts without an index that cannot be opened, until it can be', async () => {
    const { engine, folder } = await withIndex()
    const synonyms = join(folder, 'config', 'synonyms.txt')
    const write = () => {
      mkdirSync(join(folder, 'config'), { recursive: true })
      writeFileSync(synonyms, 'a, b')
    }
    write()
    const settings = {
      'index.analysis.filter.f.type': 'synonym',
      'index.analysis.filter.f.synonyms_path': 'synonyms.txt',
      'index.analysis.analyzer.default.tokenizer': 'standard',
      'index.analysis.analyzer.default.filter': ['f'],
    }
    await engine.createIndex('files', { settings, mappings: {}, aliases: {} })
    for (const name of ['i', 'files']) ok((await engine.write(name, [put('1', { text: 'a' })], false))[0])
    rmSync(synonyms)
    const again = await reopen(engine, folder)
    const get = (name: string) => again.get(name, '_doc', '1', { realtime: true })?.version
    expect(get('i')).toBe(1)
    for (let tries = 0; tries < 2; tries++) {
      expect(again.indices.get('files')).toMatchObject({ state: 'open', unavailable: { isMetadataLost: false } })
      expect(() => get('files')).toThrow('No shard available for [files]: ')
      await expect(again.write('files', [put('2', {})], false)).rejects.toThrow('No shard available')
      await expect(again.openIndices(['files'])).rejects.toThrow('synonyms.txt')
    }
    write()
    await again.openIndices(['files'])
    expect(get('files')).toBe(1)
    expect(again.indices.get('files')).not.toHaveProperty('unavailable')
  })

  it('lets a held view see what it saw, sources included', async () => {
    const { engine } = await withIndex()
    await engine.write('i', [put('1', { v: 1 }), put('2', { v: 1 })], true)
    const view = engine.searcher('i')
    await engine.write('i', [put('1', { v: 2 }), remove('2')], true)
    await engine.flush('i')
    for (const most of [0, -1]) await engine.forceMerge('i', { maxNumSegments: most, onlyExpungeDeletes: false })
    await engine.forceMerge('i', { maxNumSegments: 1, onlyExpungeDeletes: false })
    await engine.flush('i')
    expect(ids(view)).toEqual(['_doc/1', '_doc/2'])
    const [place] = view.locate('_doc', '1')
    const segment = view.segments[place?.segment ?? 0]
    if (segment === undefined) throw new Error('no segment')
    expect(String(view.document(segment, place?.doc ?? 0).source)).toBe('{"v":1}')
    view.release()
    expect(visible(engine)).toEqual(['_doc/1'])
  })

  it('loses nothing when merges are forced while documents are written, replaced and refreshed', async () => {
    const { engine, folder } = await withIndex({ 'index.refresh_interval': '10ms' })
    const write = async () => {
      for (let i = 0; i < 150; i++) {
        await engine.write(
          'i',
          [put(String(i % 60), { i }), ...(i % 7 === 0 ? [remove(String((i + 3) % 60))] : [])],
          i % 3 === 0,
        )
      }
    }
    const merge = async () => {
      for (let i = 0; i < 12; i++) {
        await engine.forceMerge('i', { maxNumSegments: 1 + (i % 3), onlyExpungeDeletes: i % 4 === 0 })
      }
    }
    await Promise.all([write(), merge(), merge()])
    await engine.refresh('i')
    const expected = Array.from({ length: 60 }, (_, i) => String(i))
      .filter((id) => engine.get('i', '_doc', id, { realtime: true }) !== undefined)
      .map((id) => `_doc/${id}`)
      .sort()
    expect(visible(engine)).toEqual(expected)
    const again = await reopen(engine, folder)
    expect(visible(again)).toEqual(expected)
  })

  it('flushes what was written while another flush was under way, too', async () => {
    const { engine } = await withIndex()
    await engine.write('i', [put('a')], false)
    let go = () => {}
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    const { write } = SegmentFiles.prototype
    const spy = vi.spyOn(SegmentFiles.prototype, 'write').mockImplementationOnce(async function (
      this: SegmentFiles,
      ...file
    ) {
      await held
      return write.apply(this, file)
    })
    const first = engine.flush('i')
    await engine.write('i', [put('b')], false)
    const next = engine.flush('i')
    go()
    await first
    expect(engine.stats('i').unflushed.operations).toBe(1)
    await next
    expect(engine.stats('i').unflushed.operations).toBe(0)
    expect(visible(engine)).toEqual(['_doc/a', '_doc/b'])
    spy.mockRestore()
  })

  it('shows large writes as they were, whatever is replaced, deleted and flushed while they are laid out', async () => {
    const { engine, folder } = await withIndex()
    const text = (i: number) => Array.from({ length: 30 }, (_, w) => `word${(i * 7 + w * w) % 900}`).join(' ')
    const model = new Map<string, number>()
    const bulk = (from: number, count: number, round: number) => {
      const operations: DocumentOperation[] = []
      for (let i = from; i < from + count; i++) {
        const id = String(i % 3_000)
        if (i % 11 === round % 11) {
          operations.push(remove(id))
          model.delete(id)
        } else {
          operations.push(put(id, { text: text(i), round }))
          model.set(id, round)
        }
      }
      return engine.write('i', operations, false)
    }
    for (let round = 0; round < 4; round++) {
      await bulk(round * 1_300, 2_500, round)
      const refreshing = engine.refresh('i')
      const flushing = round % 2 === 0 ? engine.flush('i') : Promise.resolve()
      // What is written meanwhile waits for the refresh after.
      const writing = bulk(round * 900, 700, round + 100)
      await Promise.all([refreshing, writing, flushing])
      await engine.refresh('i')
      expect(visible(engine)).toEqual([...model.keys()].map((id) => `_doc/${id}`).sort())
    }
    await bulk(0, 2_000, 7)
    const again = await reopen(engine, folder)
    expect(visible(again)).toEqual([...model.keys()].map((id) => `_doc/${id}`).sort())
    for (const [id, round] of model) {
      const { source } = again.get('i', '_doc', id, { realtime: true }) ?? {}
      expect(JSON.parse(String(source)).round).toBe(round)
    }
  })

  it('opens what was closed with all that was written, and forgets what was deleted', async () => {
    const { engine, folder } = await withIndex()
    await engine.write('i', [put('1')], false)
    await Promise.all([engine.closeIndices(['i']), engine.openIndices(['i']).catch(() => {})])
    await engine.openIndices(['i'])
    expect(visible(engine)).toEqual(['_doc/1'])
    await engine.closeIndices(['i'])
    expect(() => engine.get('i', '_doc', '1', { realtime: true })).toThrow(ServiceError)
    const closed = await reopen(engine, folder)
    expect(closed.indices.get('i')?.state).toBe('close')
    await closed.openIndices(['i'])
    expect(visible(closed)).toEqual(['_doc/1'])
    const uuid = closed.indices.get('i')?.uuid as string
    const writing = closed.write('i', [put('2')], false)
    await closed.deleteIndices(['i'])
    await writing
    expect(existsSync(join(folder, 'indices', uuid))).toBe(false)
    await closed.createIndex('i', { settings: {}, mappings: {}, aliases: {} })
    expect(closed.get('i', '_doc', '1', { realtime: true })).toBeUndefined()
    // Files of an index that a crash left behind.
    mkdirSync(join(folder, 'indices', 'left-over'))
    const last = await reopen(closed, folder)
    expect(readdirSync(join(folder, 'indices'))).toEqual([last.indices.get('i')?.uuid])
  })

  it('takes no writes for a folder that is gone, and goes on reading', async () => {
    const { engine, folder } = await withIndex()
    ok((await engine.write('i', [put('1', { a: 1 })], true))[0])
    rmSync(folder, { recursive: true })
    // The first may be taken by the log, which is open; by the next one the tables are asked.
    await engine.write('i', [put('2')], false).catch(() => {})
    await expect
      .poll(() => engine.write('i', [put('3')], false).catch((e: ServiceError) => e.type))
      .toBe('cluster_block_exception')
    expect(visible(engine)).toContain('_doc/1')
    expect(engine.get('i', '_doc', '1', { realtime: true })?.source).toEqual(Buffer.from('{"a":1}'))
  })
})
