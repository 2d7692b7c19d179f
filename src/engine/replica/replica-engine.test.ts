import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ElsewhereError } from '../elsewhere-error.ts'
import { type EmbeddedEngine, openEngine } from '../embedded-engine.ts'
import type { Engine } from '../engine.ts'
import { LmdbStore } from '../store/lmdb-store.ts'
import { ReplicaEngine } from './replica-engine.ts'

let dataDir: string
let engine: EmbeddedEngine
let replica: ReplicaEngine
/** Commits fail while it is set. */
let failing = false

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'chaja-replica-'))
  failing = false
  engine = await openEngine({ dataDir, engineVersion: 'Elasticsearch_6.8', log: () => {} }, () => {
    if (failing) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  })
  replica = follow()
})

afterEach(async () => {
  await replica.close()
  await engine.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** A replica of the engine, in this thread. */
function follow(): ReplicaEngine {
  const { port1, port2 } = new MessageChannel()
  const feed = engine.feed((news) => port1.postMessage(news))
  port1.on('message', (view: number) => feed.released(view))
  port1.unref()
  return new ReplicaEngine({
    dataDir,
    engineVersion: engine.version,
    clusterUuid: engine.clusterUuid,
    nodeId: engine.nodeId,
    news: port2,
    clock: feed.clock.shared,
  })
}

it('sends elsewhere what searches an index whose opening it has half heard of', async () => {
  await engine.createIndex('i', { settings: {}, mappings: {}, aliases: {} })
  await engine.closeIndices(['i'])
  const { port1, port2 } = new MessageChannel()
  const feed = engine.feed((news) => {
    if (news.kind !== 'view') port1.postMessage(news)
  })
  const { clusterUuid, nodeId, version: engineVersion } = engine
  const behind = new ReplicaEngine({
    dataDir,
    engineVersion,
    clusterUuid,
    nodeId,
    news: port2,
    clock: feed.clock.shared,
  })
  try {
    expect(() => behind.searcher('i')).toThrow('closed')
    await engine.openIndices(['i'])
    behind.sync()
    expect(() => behind.searcher('i')).toThrow(ElsewhereError)
  } finally {
    feed.close()
    port1.close()
    await behind.close()
  }
})

/** All that a search can find out of an engine. */
function shown(of: Engine): unknown {
  return [...of.indices.values()].map((metadata) => {
    if (metadata.state === 'close') return { metadata }
    const view = of.searcher(metadata.name)
    try {
      const documents = view.segments.flatMap((segment, ord) =>
        Array.from({ length: segment.maxDoc }, (_, doc) => doc).flatMap((doc) => {
          const live =
            segment.liveDocs === undefined || ((segment.liveDocs[doc >>> 5] as number) & (1 << (doc & 31))) !== 0
          if (!live) return []
          const { source, ...document } = view.document(segment, doc)
          return [{ ...document, source: String(source), places: view.locate(document.type, document.id), ord, doc }]
        }),
      )
      const types = view.mapping.types.map((type) => [type, view.mapping.mapping(type)])
      return { metadata, numDocs: view.numDocs, documents, types }
    } finally {
      view.release()
    }
  })
}

/** {@link shown} of the replica, once the tables have what was written: until then it may send its searches elsewhere. */
async function shownByReplica(): Promise<unknown> {
  for (const until = Date.now() + 20_000; ; ) {
    replica.sync()
    try {
      return shown(replica)
    } catch (error) {
      if (!(error instanceof ElsewhereError) || Date.now() > until) throw error
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
}

const write = (index: string, id: number, n: number) =>
  engine.write(
    index,
    [
      {
        kind: 'index',
        type: 'doc',
        id: String(id),
        source: Buffer.from(`{"n":${n},"f${n % 5}":"x"}`),
        versionType: 'internal',
      },
    ],
    false,
  )

const steps = {
  write: (index: string, n: number) => write(index, n % 7, n),
  delete: (index: string, n: number) =>
    engine.write(index, [{ kind: 'delete', type: 'doc', id: String(n % 7), versionType: 'internal' }], false),
  refresh: (index: string) => engine.refresh(index),
  flush: (index: string) => engine.flush(index),
  merge: (index: string) => engine.forceMerge(index, { maxNumSegments: 1, onlyExpungeDeletes: false }),
  close: async (index: string) => {
    await engine.closeIndices([index])
    await engine.openIndices([index])
  },
  remove: async (index: string) => {
    await engine.deleteIndices([index])
    await engine.createIndex(index, { settings: {}, mappings: {}, aliases: {} })
  },
  settings: (index: string, n: number) =>
    engine.updateSettings([index], { 'index.max_result_window': String(n + 1) }, { preserveExisting: false }),
  alias: (index: string, n: number) =>
    engine.updateAliases([{ kind: 'add', index, alias: `alias${n % 3}`, metadata: {} }]),
} as const

describe('a replica', () => {
  it('shows after every step what the engine shows', async () => {
    const step = fc.tuple(
      fc.constantFrom(...(Object.keys(steps) as (keyof typeof steps)[])),
      fc.constantFrom('a', 'b'),
      fc.nat({ max: 30 }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (taken) => {
        for (const index of ['a', 'b']) {
          if (engine.indices.has(index)) await engine.deleteIndices([index])
          await engine.createIndex(index, { settings: {}, mappings: {}, aliases: {} })
        }
        for (const [name, index, n] of taken) {
          await steps[name](index, n)
          expect(await shownByReplica()).toEqual(shown(engine))
        }
      }),
      { numRuns: 25 },
    )
  })

  it('keeps a view that is being searched, and lets go of what nobody sees any more', async () => {
    await engine.createIndex('a', { settings: {}, mappings: {}, aliases: {} })
    await write('a', 1, 1)
    await engine.refresh('a')
    replica.sync()
    const held = replica.searcher('a')
    const records = () => [...new LmdbStore(dataDir, { readOnly: true }).documents(1, 0, 1_000)].length
    for (let n = 2; n < 20; n++) await write('a', 1, n)
    await engine.flush('a')
    replica.sync()
    await new Promise((resolve) => setTimeout(resolve, 100))
    const [segment] = held.segments
    expect(String(held.document(segment as never, 0).source)).toContain('"n":1,')
    held.release()
    const until = Date.now() + 20_000
    while (records() > 1 && Date.now() < until) {
      await engine.refresh('a')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(records()).toBe(1)
  })

  it('forgets with the engine what a failed commit undid', async () => {
    await engine.createIndex('a', { settings: {}, mappings: {}, aliases: {} })
    await write('a', 1, 1)
    await engine.refresh('a')
    await shownByReplica()
    failing = true
    const lost = write('a', 2, 2)
    await engine.refresh('a')
    await expect(lost).rejects.toThrow('blocked by')
    expect(await shownByReplica()).toEqual(shown(engine))
    expect(replica.searcher('a').numDocs).toBe(1)
  })

  it('reads a document by its id once the tables have it', async () => {
    await engine.createIndex('a', { settings: {}, mappings: {}, aliases: {} })
    for (let n = 1; n <= 3; n++) {
      await write('a', 1, n)
      await engine.caughtUp()
      replica.sync()
      const options = { realtime: true }
      for (const type of ['doc', undefined])
        expect(replica.get('a', type, '1', options)).toEqual(engine.get('a', type, '1', options))
    }
    expect(replica.get('a', undefined, 'none', { realtime: true })).toBeUndefined()
    expect(() => replica.get('a', undefined, '1', { realtime: false })).toThrow(ElsewhereError)
  })

  it('refuses what is not its own', () => {
    expect(() => replica.refresh()).toThrow(ElsewhereError)
    expect(() => replica.extras.get('a', 'b')).toThrow(ElsewhereError)
    expect(() => replica.searcher('none')).toThrow('no such index')
  })
})
