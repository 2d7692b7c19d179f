import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { copyAsCrashed } from '../../../test/durability/crashed-copy.ts'
import { dumpView } from '../../../test/durability/view-dump.ts'
import { type EmbeddedEngine, openEngine } from '../embedded-engine.ts'
import type { DocumentOperation } from '../index/document-operation.ts'
import { ReplicaEngine } from '../replica/replica-engine.ts'
import type { ChunkEntry } from './index-manifest.ts'
import { Repository } from './repository.ts'
import { restoreTargets } from './restore-plan.ts'
import type { RestoreRequest } from './restore-request.ts'
import { sealJson } from './sealed-json.ts'
import type { SnapshotIndex, SnapshotRecord } from './snapshot-record.ts'
import type { Begun } from './snapshots.ts'

const root = mkdtempSync(join(tmpdir(), 'chaja-snapshots-'))
const open: EmbeddedEngine[] = []

const put = (id: number, text: string): DocumentOperation =>
  ({
    kind: 'index',
    type: '_doc',
    id: String(id),
    routing: id % 3 === 0 ? `r${id % 7}` : undefined,
    source: Buffer.from(JSON.stringify({ text, n: id, notes: [{ word: `w${id % 7}` }] })),
    versionType: 'internal',
  }) as DocumentOperation
const remove = (id: number): DocumentOperation => ({
  kind: 'delete',
  type: '_doc',
  id: String(id),
  versionType: 'internal',
})

async function start(dataDir = mkdtempSync(join(root, 'd-')), commitHook?: () => void): Promise<EmbeddedEngine> {
  const engine = await openEngine(
    { dataDir, engineVersion: 'OpenSearch_2.19', repositoryPaths: [root], log: () => {} },
    commitHook,
  )
  open.push(engine)
  return engine
}

async function withIndex(documents: number, chunkSize = '4kb', commitHook?: () => void) {
  const dataDir = mkdtempSync(join(root, 'd-'))
  const engine = await start(dataDir, commitHook)
  const location = mkdtempSync(join(root, 'r-'))
  await engine.snapshots.putRepository('r', { type: 'fs', settings: { location, chunk_size: chunkSize } }, true)
  const mappings = { _doc: { properties: { notes: { type: 'nested' }, text: { type: 'text' } } } }
  await engine.createIndex('i', { settings: { 'index.refresh_interval': '-1' }, mappings, aliases: { a: {} } })
  await engine.write(
    'i',
    Array.from({ length: documents }, (_, i) => put(i, `word ${i % 9} 한국어`)),
    true,
  )
  return { engine, location, dataDir }
}

async function snapshot(engine: EmbeddedEngine, name: string, indices = ['i']): Promise<SnapshotRecord> {
  const { done } = await begin(engine, name, false, indices)
  return done
}

function begin(engine: EmbeddedEngine, name: string, partial = false, indices = ['i']): Promise<Begun<SnapshotRecord>> {
  const request = { repository: 'r', name, indices, includeGlobalState: true, partial, metadata: undefined }
  return engine.snapshots.create(request)
}

async function restore(
  engine: EmbeddedEngine,
  name: string,
  change: Partial<RestoreRequest> = {},
  judge?: (aliases: ReadonlySet<string>) => void,
): Promise<void> {
  const request: RestoreRequest = {
    repository: 'r',
    snapshot: name,
    indices: [],
    ignoreUnavailable: false,
    renamePattern: '(.+)',
    renameReplacement: 'restored-$1',
    includeAliases: true,
    includeGlobalState: false,
    partial: false,
    changes: {},
    ignored: [],
    ...change,
  }
  const record = await engine.snapshots.toRestore('r', name)
  const targets = restoreTargets(request, record, engine.version)
  const { done } = await engine.snapshots.restore(request, record, targets, judge)
  await done
}

const dataFiles = (location: string): string[] =>
  readdirSync(join(location, 'data')).flatMap((folder) =>
    readdirSync(join(location, 'data', folder)).map((file) => join(location, 'data', folder, file)),
  )

afterEach(async () => {
  for (const engine of open.splice(0)) await engine.close()
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('snapshots', () => {
  it('give back documents with their versions, numbers and routings, and number on from there', async () => {
    const { engine } = await withIndex(500)
    await engine.write('i', [put(3, 'again'), remove(4), put(5, 'again'), put(5, 'and again'), remove(499)], true)
    const before = dumpView(engine, 'i')
    const { state, indices } = await snapshot(engine, 's1')
    expect(state).toBe('SUCCESS')
    expect(indices[0]?.files).toBeGreaterThan(5)
    await restore(engine, 's1')
    expect(dumpView(engine, 'restored-i')).toEqual(before)
    expect(engine.get('restored-i', '_doc', '6', { realtime: true })?.routing).toBe('r6')
    expect(engine.indices.get('restored-i')?.aliases).toEqual({ a: {} })
    expect(engine.stats('restored-i').maxSeqNo).toBe(504)
    const [written] = await engine.write('restored-i', [put(5, 'more')], true)
    expect(written).toMatchObject({ version: 4, seqNo: 505 })
    // A document that was deleted shortly before still has its version.
    expect((await engine.write('restored-i', [put(4, 'back')], true))[0]).toMatchObject({ version: 3 })
  })

  it('are not restored with aliases that whoever asks may not give', async () => {
    const { engine } = await withIndex(10)
    await snapshot(engine, 's1')
    const judge = (aliases: ReadonlySet<string>) => {
      if (aliases.has('a')) throw new Error('denied')
    }
    await expect(restore(engine, 's1', {}, judge)).rejects.toThrow('denied')
    expect([...engine.indices.keys()]).toEqual(['i'])
    await restore(engine, 's1', { includeAliases: false }, judge)
    expect(engine.indices.get('restored-i')?.aliases).toEqual({})
  })

  it('are still there for another start, and what was restored too', async () => {
    const { engine, dataDir } = await withIndex(300)
    const before = dumpView(engine, 'i')
    await snapshot(engine, 's1')
    await restore(engine, 's1')
    await engine.deleteIndices(['i'])
    await engine.close()
    open.length = 0
    const again = await start(dataDir)
    expect(again.snapshots.repositories.map(([name]) => name)).toEqual(['r'])
    await restore(again, 's1', { renamePattern: undefined })
    expect(dumpView(again, 'i')).toEqual(before)
    expect(dumpView(again, 'restored-i')).toEqual(before)
  })

  it('show one moment while writes go on', async () => {
    const { engine } = await withIndex(2_000)
    const before = dumpView(engine, 'i')
    const { done } = await engine.snapshots.create({
      repository: 'r',
      name: 's1',
      indices: ['i'],
      includeGlobalState: false,
      partial: false,
      metadata: undefined,
    })
    // The moment is taken once what was written is on disk: wait for the first turn of the work.
    await new Promise((resolve) => setTimeout(resolve, 300))
    const writes = (async () => {
      for (let round = 0; round < 20; round++) {
        const operations = Array.from({ length: 100 }, (_, i) =>
          i % 4 === 0 ? remove(round * 50 + i) : put(i * 17, 'x'),
        )
        await engine.write('i', operations, round % 5 === 0)
        if (round === 10) await engine.flush('i')
      }
    })()
    await Promise.all([writes, done])
    await restore(engine, 's1')
    expect(dumpView(engine, 'restored-i')).toEqual(before)
  })

  it('keep what they are to have whole from being deleted or closed, also while they wait for their turn', async () => {
    const { engine } = await withIndex(100)
    const names = ['s1', 's2', 's3']
    const begun = await Promise.all(names.map((name) => begin(engine, name)))
    const reason = /^Cannot delete indices that are being snapshotted: \[\[i\/.+\]\]\. Try again/
    await expect(engine.deleteIndices(['i'])).rejects.toThrow(reason)
    await expect(engine.updateAliases([{ kind: 'remove_index', index: 'i' }])).rejects.toThrow(reason)
    await expect(engine.closeIndices(['i'])).rejects.toThrow('Cannot close indices')
    for (const { done } of begun) expect((await done).state).toBe('SUCCESS')
    const { done } = await begin(engine, 'in-parts', true)
    await engine.deleteIndices(['i'])
    expect((await done).state).toMatch(/FAILED|SUCCESS/)
    await expect(begin(engine, 's4')).rejects.toThrow('no such index [i]')
  })

  it('can all be restored, however many are made while writes go on', async () => {
    const { engine } = await withIndex(100, '64kb')
    let next = 100
    let isOver = false
    const writers = Array.from({ length: 6 }, async () => {
      // Once documents are replaced, which leaves room for another in a chunk's count, and once not.
      while (!isOver) await engine.write('i', [put(next++ % 700, 'x')], true)
    })
    const names = Array.from({ length: 12 }, (_, i) => `s${i}`)
    for (const name of names) await snapshot(engine, name)
    isOver = true
    await Promise.all(writers)
    await snapshot(engine, 'last')
    for (const name of [...names, 'last'])
      await restore(engine, name, { renameReplacement: name, includeAliases: false })
    expect(dumpView(engine, 'last')).toEqual(dumpView(engine, 'i'))
  })

  it('can be restored where an early build told of more numbers than a chunk of it has', async () => {
    const { engine } = await withIndex(100)
    await snapshot(engine, 's1')
    const read = vi.spyOn(Repository.prototype, 'readManifest').mockImplementation(async function (
      this: Repository,
      name,
    ) {
      read.mockRestore()
      const { endsAtRecords: _, chunks, ...manifest } = await this.readManifest(name)
      return {
        ...manifest,
        chunks: chunks.map((chunk, i) => (i < chunks.length - 1 ? chunk : { ...chunk, to: chunk.to + 5 })),
      }
    })
    await engine.write('i', [put(100, 'new'), put(101, 'new'), remove(99), put(98, 'again')], true)
    await snapshot(engine, 's2')
    await restore(engine, 's2')
    expect(dumpView(engine, 'restored-i')).toEqual(dumpView(engine, 'i'))
  })

  it('store only what is new, and share the rest', async () => {
    const { engine, location } = await withIndex(2_000)
    const first = await snapshot(engine, 's1')
    const files = dataFiles(location).length
    const same = await snapshot(engine, 's2')
    expect(same.indices[0]).toMatchObject({ newFiles: 0, newBytes: 0, bytes: first.indices[0]?.bytes })
    await engine.write('i', [put(1, 'changed'), put(9_999, 'new'), remove(77)], true)
    const third = await snapshot(engine, 's3')
    // One file of records, and the list of all of them.
    expect(third.indices[0]?.newFiles).toBe(2)
    expect(dataFiles(location).length).toBe(files + 1)
    const now = dumpView(engine, 'i')
    await engine.snapshots.delete('r', ['s1', 's2'])
    await restore(engine, 's3')
    expect(dumpView(engine, 'restored-i')).toEqual(now)
    await engine.snapshots.delete('r', ['s3'])
    expect(dataFiles(location)).toEqual([])
    expect(readdirSync(join(location, 'manifests'))).toEqual([])
  })

  it('stay whole when another one is deleted', async () => {
    const { engine } = await withIndex(800)
    const before = dumpView(engine, 'i')
    await snapshot(engine, 's1')
    await engine.write(
      'i',
      Array.from({ length: 700 }, (_, i) => (i % 2 === 0 ? put(i, 'new words') : remove(i))),
      true,
    )
    const after = dumpView(engine, 'i')
    await snapshot(engine, 's2')
    await engine.snapshots.delete('r', ['s2'])
    await restore(engine, 's1')
    expect(dumpView(engine, 'restored-i')).toEqual(before)
    await snapshot(engine, 's2')
    await engine.snapshots.delete('r', ['s1'])
    await restore(engine, 's2', { renameReplacement: 'second-$1' })
    expect(dumpView(engine, 'second-i')).toEqual(after)
  })

  it('use the files of what was restored again', async () => {
    const { engine } = await withIndex(800)
    await snapshot(engine, 's1')
    await restore(engine, 's1')
    await engine.write('restored-i', [put(1, 'changed')], true)
    const { indices } = await snapshot(engine, 's2', ['restored-i'])
    expect(indices[0]?.newFiles).toBe(2)
    await restore(engine, 's2', { renamePattern: 'restored', renameReplacement: 'twice' })
    expect(dumpView(engine, 'twice-i')).toEqual(dumpView(engine, 'restored-i'))
  })

  it('do not take a copy of the data directory for the same index', async () => {
    const dataDir = mkdtempSync(join(root, 'd-'))
    const engine = await start(dataDir)
    const location = mkdtempSync(join(root, 'r-'))
    const repository = { type: 'fs', settings: { location, chunk_size: '4kb' } }
    await engine.snapshots.putRepository('r', repository, true)
    await engine.createIndex('i', { settings: {}, mappings: {}, aliases: {} })
    await engine.write(
      'i',
      Array.from({ length: 300 }, (_, i) => put(i, 'ours')),
      true,
    )
    await snapshot(engine, 's1')
    await engine.close()
    open.length = 0
    const copy = mkdtempSync(join(root, 'd-'))
    copyAsCrashed(dataDir, copy)
    const [one, other] = [await start(dataDir), await start(copy)]
    await one.write(
      'i',
      Array.from({ length: 300 }, (_, i) => put(i + 100, 'one')),
      true,
    )
    await other.write(
      'i',
      Array.from({ length: 300 }, (_, i) => put(i + 200, 'other')),
      true,
    )
    await snapshot(one, 'one')
    await snapshot(other, 'other')
    await restore(one, 'other')
    expect(dumpView(one, 'restored-i')).toEqual(dumpView(other, 'i'))
    await restore(other, 'one')
    expect(dumpView(other, 'restored-i')).toEqual(dumpView(one, 'i'))
  })

  it('take closed indices, and replace closed ones', async () => {
    const { engine } = await withIndex(200)
    const before = dumpView(engine, 'i')
    await engine.closeIndices(['i'])
    await snapshot(engine, 's1')
    await engine.openIndices(['i'])
    await engine.write('i', [put(1, 'other'), remove(2)], true)
    await expect(restore(engine, 's1', { renamePattern: undefined })).rejects.toThrow('open index with same name')
    await engine.closeIndices(['i'])
    await restore(engine, 's1', { renamePattern: undefined })
    expect(dumpView(engine, 'i')).toEqual(before)
  })

  it('bring back the global state when asked to', async () => {
    const { engine } = await withIndex(1)
    await engine.putClusterSettings({ 'action.auto_create_index': 'false' }, {})
    await engine.extras.put('stored_script', 's', { script: 1 })
    await snapshot(engine, 's1')
    await engine.putClusterSettings({}, {})
    await engine.extras.put('stored_script', 'later', { script: 2 })
    await restore(engine, 's1', { includeGlobalState: true })
    expect(engine.persistentSettings).toEqual({ 'action.auto_create_index': 'false' })
    expect([...engine.extras.entries('stored_script')]).toEqual([['s', { script: 1 }]])
  })

  it('tell of a damaged file, restore nothing of it, and store it anew', async () => {
    const { engine, location } = await withIndex(500)
    await snapshot(engine, 's1')
    const [victim = ''] = dataFiles(location)
    const intact = readFileSync(victim)
    const damages: readonly (() => void)[] = [
      () => truncateSync(victim, intact.length - 1),
      () => rmSync(victim),
      () => {
        const bytes = Buffer.from(intact)
        bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1
        writeFileSync(victim, bytes)
      },
    ]
    for (const [i, damage] of damages.entries()) {
      damage()
      await expect(restore(engine, 's1')).rejects.toThrow(/the file \[data.*\] is damaged|is missing/)
      expect([...engine.indices.keys()]).toEqual(['i'])
      // The next snapshot does not stand on it.
      await snapshot(engine, `repaired-${i}`)
      await restore(engine, `repaired-${i}`, { renameReplacement: `repaired-${i}` })
      expect(dumpView(engine, `repaired-${i}`)).toEqual(dumpView(engine, 'i'))
      await engine.deleteIndices([`repaired-${i}`])
      // Nothing of it has changed since: it is the same file, and the older snapshot is whole again.
      expect(readFileSync(victim).equals(intact)).toBe(true)
      writeFileSync(victim, intact)
    }
  })

  it('are whole again where their chunks are damaged and nothing of these has changed, whatever else has', async () => {
    const { engine, location } = await withIndex(500)
    const record = await snapshot(engine, 's1')
    const repository = new Repository({ location } as never)
    const [{ manifest }] = record.indices as [SnapshotIndex]
    const { chunks } = await repository.readManifest(manifest)
    expect(chunks.length).toBeGreaterThan(3)
    const pathOf = ({ file }: ChunkEntry) => join(location, 'data', file.slice(0, 2), file)
    const before = chunks.map((chunk) => readFileSync(pathOf(chunk)))
    for (const chunk of chunks) truncateSync(pathOf(chunk), 20)
    await engine.write('i', [put(0, 'changed')], true)
    await snapshot(engine, 's2')
    const mended = chunks.map((chunk, i) => readFileSync(pathOf(chunk)).equals(before[i] as Buffer))
    expect(mended).toEqual(chunks.map((_, i) => i > 0))
    await restore(engine, 's2')
    expect(dumpView(engine, 'restored-i')).toEqual(dumpView(engine, 'i'))
  })

  it('keep a repository readable though one of them is damaged, and remove nothing then', async () => {
    const { engine, location } = await withIndex(100)
    const { uuid } = await snapshot(engine, 's1')
    await snapshot(engine, 's2')
    const copy = await start()
    truncateSync(join(location, 'snapshots', uuid), statSync(join(location, 'snapshots', uuid)).size - 3)
    await copy.snapshots.putRepository('r', { type: 'fs', settings: { location } }, true)
    await expect(copy.snapshots.list('r', false)).rejects.toThrow(`the file [snapshots/${uuid}] is damaged`)
    expect((await copy.snapshots.list('r', true)).map(({ name }) => name)).toEqual(['s2'])
    await expect(copy.snapshots.cleanup('r')).rejects.toThrow('is damaged')
    await expect(copy.snapshots.toRestore('r', 's1')).rejects.toThrow('is damaged')
    const files = dataFiles(location).length
    await restore(copy, 's2')
    await copy.snapshots.delete('r', ['s2'])
    expect(dataFiles(location).length).toBe(files)
  })

  it('show what is restored to other threads once it is whole', async () => {
    const { engine, dataDir } = await withIndex(400)
    const { port1, port2 } = new MessageChannel()
    const told: string[] = []
    const feed = engine.feed((news) => {
      if ('name' in news) told.push(`${news.kind} ${news.name}`)
      else if (news.kind === 'index') told.push(`index ${news.metadata.name}`)
      port1.postMessage(news)
    })
    port1.on('message', (view: number) => feed.released(view))
    port1.unref()
    const { version: engineVersion, clusterUuid, nodeId } = engine
    const clock = feed.clock.shared
    const replica = new ReplicaEngine({ dataDir, engineVersion, clusterUuid, nodeId, news: port2, clock })
    await snapshot(engine, 's1')
    told.length = 0
    await restore(engine, 's1')
    expect(told).toEqual(['index restored-i', 'view restored-i'])
    replica.sync()
    expect(dumpView(replica as unknown as EmbeddedEngine, 'restored-i')).toEqual(dumpView(engine, 'i'))
    await engine.write('i', [put(1, 'other')], true)
    const before = dumpView(engine, 'restored-i')
    await engine.closeIndices(['i'])
    await restore(engine, 's1', { renamePattern: undefined })
    replica.sync()
    expect(dumpView(replica as unknown as EmbeddedEngine, 'i')).toEqual(before)
    await replica.close()
  })

  it('leave nothing of a restore for which the disk has no room', async () => {
    let commitsLeft = Number.POSITIVE_INFINITY
    const hook = () => {
      if (commitsLeft-- <= 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    }
    const { engine } = await withIndex(600, '4kb', hook)
    const before = dumpView(engine, 'i')
    await snapshot(engine, 's1')
    for (const commits of [0, 1, 3]) {
      commitsLeft = commits
      await expect(restore(engine, 's1')).rejects.toMatchObject({ type: 'cluster_block_exception' })
      expect([...engine.indices.keys()]).toEqual(['i'])
      expect(dumpView(engine, 'i')).toEqual(before)
      commitsLeft = Number.POSITIVE_INFINITY
      const isTaken = () =>
        engine.extras.put('test', 'x', 1).then(
          () => true,
          () => false,
        )
      while (!(await isTaken())) await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await restore(engine, 's1')
    expect(dumpView(engine, 'restored-i')).toEqual(before)
  })

  it('are not there when their repository cannot be written, and are made once it can', async () => {
    const { engine, location } = await withIndex(300)
    await snapshot(engine, 's1')
    await engine.write('i', [put(1, 'new')], true)
    rmSync(join(location, 'manifests'), { recursive: true })
    writeFileSync(join(location, 'manifests'), '')
    await expect(snapshot(engine, 's2')).rejects.toMatchObject({ type: 'snapshot_exception', status: 500 })
    expect((await engine.snapshots.list('r', false)).map(({ name }) => name)).toEqual(['s1'])
    rmSync(join(location, 'manifests'))
    mkdirSync(join(location, 'manifests'))
    // The lists of the first are lost with the folder: what it had is stored anew.
    await expect(restore(engine, 's1')).rejects.toThrow('it is missing')
    await snapshot(engine, 's2')
    await restore(engine, 's2')
    expect(dumpView(engine, 'restored-i')).toEqual(dumpView(engine, 'i'))
  })

  it('never lead out of their repository, whatever its files say', async () => {
    const { engine, location } = await withIndex(10)
    const record = await snapshot(engine, 's1')
    const victim = join(root, 'victim')
    writeFileSync(victim, 'kept')
    const outside = { ...record, name: 's2', uuid: '../../victim' }
    writeFileSync(join(location, 'snapshots', 'x'), sealJson('snapshot', outside, false))
    const [index] = record.indices
    const reading = { ...record, name: 's3', uuid: 'y', indices: [{ ...index, manifest: '../../victim' }] }
    writeFileSync(join(location, 'snapshots', 'y'), sealJson('snapshot', reading, false))
    expect((await engine.snapshots.list('r', true)).map(({ name }) => name)).toEqual(['s1', 's3'])
    await expect(restore(engine, 's3')).rejects.toThrow('no file has such a name')
    await engine.snapshots.delete('r', ['s2', '*']).catch(() => {})
    await engine.snapshots.delete('r', ['s*'])
    expect(readFileSync(victim, 'utf8')).toBe('kept')
  })

  it('of a later version are refused', async () => {
    const { engine, location } = await withIndex(10)
    await snapshot(engine, 's1')
    const old = await openEngine({
      dataDir: mkdtempSync(join(root, 'd-')),
      engineVersion: 'Elasticsearch_6.8',
      repositoryPaths: [root],
      log: () => {},
    })
    open.push(old)
    await old.snapshots.putRepository('r', { type: 'fs', settings: { location, readonly: 'true' } }, true)
    await expect(restore(old, 's1')).rejects.toThrow(
      'the snapshot was created with OpenSearch version [2.19.3] which is higher than the version of this node [6.8.23]',
    )
    await expect(snapshot(old, 's2')).rejects.toThrow('[r] cannot create snapshot in a readonly repository')
  })

  it('stay within the folders they may be in', async () => {
    const engine = await start()
    const outside = mkdtempSync(join(tmpdir(), 'chaja-outside-'))
    const repository = (location: string) => ({ type: 'fs', settings: { location } })
    for (const location of [outside, '../x', 'a/../../x', '/', `${root}/../x`]) {
      await expect(engine.snapshots.putRepository('r', repository(location), true)).rejects.toMatchObject({
        detail: {
          cause: { reason: `[r] location [${location}] doesn't match any of the locations specified by path.repo` },
        },
      })
    }
    const { symlinkSync } = await import('node:fs')
    symlinkSync(outside, join(root, 'link'))
    await expect(engine.snapshots.putRepository('r', repository('link'), true)).rejects.toMatchObject({
      detail: { cause: { reason: expect.stringContaining('out of the locations specified by path.repo') } },
    })
    expect(readdirSync(outside)).toEqual([])
    rmSync(outside, { recursive: true })
  })

  it('are given up when they are deleted meanwhile', async () => {
    const { engine, location } = await withIndex(3_000, '1kb')
    const { done } = await engine.snapshots.create({
      repository: 'r',
      name: 's1',
      indices: ['i'],
      includeGlobalState: false,
      partial: false,
      metadata: undefined,
    })
    const outcome = done.catch((error: Error) => error.message)
    await engine.snapshots.delete('r', ['s1'])
    expect(await outcome).toContain('aborted by snapshot deletion')
    expect(await engine.snapshots.list('r', false)).toEqual([])
    expect(dataFiles(location)).toEqual([])
  })
})
