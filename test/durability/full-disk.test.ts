import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type EmbeddedEngine, openEngine } from '../../src/engine/embedded-engine.ts'
import type { DocumentOperation } from '../../src/engine/index/document-operation.ts'
import { ServiceError } from '../../src/errors.ts'
import { copyAsCrashed } from './crashed-copy.ts'
import { dumpView } from './view-dump.ts'

const root = mkdtempSync(join(tmpdir(), 'chaja-disk-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const put = (id: string, n: number): DocumentOperation => ({
  kind: 'index',
  type: '_doc',
  id,
  source: Buffer.from(JSON.stringify({ n, [`field${n}`]: 'x' })),
  versionType: 'internal',
})

async function failure(act: Promise<unknown>): Promise<ServiceError> {
  const error = await act.then(
    () => undefined,
    (e: unknown) => e,
  )
  expect(error).toBeInstanceOf(ServiceError)
  return error as ServiceError
}

/** An engine whose commits fail while `broken` holds an error. */
async function engineOn(folder: string, engineVersion: 'Elasticsearch_6.8' | 'OpenSearch_2.19' = 'Elasticsearch_6.8') {
  const disk: { broken: Error | undefined } = { broken: undefined }
  const log: string[] = []
  const engine = await openEngine(
    { dataDir: folder, engineVersion, log: (level, _, m) => log.push(`${level} ${m}`) },
    () => {
      if (disk.broken !== undefined) throw disk.broken
    },
  )
  return { engine, disk, log }
}

const noSpace = () => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })

async function accepts(engine: EmbeddedEngine, withinMs: number): Promise<boolean> {
  for (const until = Date.now() + withinMs; Date.now() < until; ) {
    const taken = await engine.write('i', [put('after', 1)], true).catch(() => undefined)
    if (taken?.[0]?.ok) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}

describe('a full disk', () => {
  it('refuses writes clearly, reads what was acknowledged, and takes writes again when there is space', async () => {
    const folder = join(root, 'full')
    const { engine, disk, log } = await engineOn(folder)
    await engine.createIndex('i', { settings: {}, mappings: {}, aliases: {} })
    await engine.write('i', [put('a', 1), put('b', 2)], true)
    await engine.write('i', [put('c', 3)], false)
    disk.broken = noSpace()
    // Several at a time, one of them with a new field and one that replaces: none may leave a trace.
    const errors = await Promise.all([
      failure(engine.write('i', [put('a', 11)], false)),
      failure(engine.write('i', [put('d', 4), { ...put('b', 0), kind: 'delete' } as DocumentOperation], true)),
    ])
    errors.push(await failure(engine.write('i', [put('e', 5)], false)))
    errors.push(await failure(engine.createIndex('j', { settings: {}, mappings: {}, aliases: {} })))
    errors.push(await failure(engine.putMapping(new Map([['i', '_doc']]), { properties: { z: { type: 'keyword' } } })))
    errors.push(await failure(engine.extras.put('scripts', 's', {})))
    for (const error of errors) {
      expect(error.type).toBe('cluster_block_exception')
      expect(error.reason).toBe('blocked by: [FORBIDDEN/12/index read-only / allow delete (api)];')
      expect(error.status).toBe(403)
    }
    expect(log.filter((line) => line.startsWith('error'))).toEqual([
      'error the disk is full, writes are refused until there is space',
    ])
    const get = (id: string) => engine.get('i', '_doc', id, { realtime: true })
    expect([get('a')?.version, get('b')?.version, get('c')?.version]).toEqual([1, 1, 1])
    expect([get('d'), get('e')]).toEqual([undefined, undefined])
    expect(Object.keys(dumpView(engine, 'i').documents).sort()).toEqual(['_doc/a', '_doc/b', '_doc/c'])
    expect(engine.indices.has('j')).toBe(false)
    expect(engine.extras.get('scripts', 's')).toBeUndefined()
    expect(engine.mapping('i').field('z')).toBeUndefined()
    await engine.refresh('i')
    disk.broken = undefined
    expect(await accepts(engine, 120_000)).toBe(true)
    expect(log).toContain('info there is space on the disk again, writes are taken')
    const before = dumpView(engine, 'i')
    expect(Object.keys(before.documents)).toHaveLength(4)
    const copy = join(root, 'copy')
    copyAsCrashed(folder, copy)
    await engine.close()
    for (const dir of [folder, copy]) {
      const again = await engineOn(dir)
      expect(dumpView(again.engine, 'i')).toEqual(before)
      await again.engine.close()
    }
  })

  it.each(['EDQUOT', 122])('is what a used up quota is taken for, too (%s)', async (code) => {
    const { engine, disk } = await engineOn(join(root, `quota-${code}`))
    await engine.createIndex('i', { settings: {}, mappings: {}, aliases: {} })
    disk.broken = Object.assign(new Error('Disk quota exceeded'), { code })
    const { reason } = await failure(engine.write('i', [put('a', 1)], false))
    expect(reason).toBe('blocked by: [FORBIDDEN/12/index read-only / allow delete (api)];')
    disk.broken = undefined
    expect(await accepts(engine, 120_000)).toBe(true)
    await engine.close()
  })

  it('refuses a bulk that it is in the middle of, clearly', async () => {
    const { engine, disk } = await engineOn(join(root, 'bulk'))
    await engine.createIndex('i', { settings: {}, mappings: {}, aliases: {} })
    disk.broken = noSpace()
    const bulk = Array.from({ length: 20_000 }, (_, n) => put(String(n), n % 10))
    expect((await failure(engine.write('i', bulk, false))).type).toBe('cluster_block_exception')
    expect(Object.keys(dumpView(engine, 'i').documents)).toEqual([])
    disk.broken = undefined
    expect(await accepts(engine, 120_000)).toBe(true)
    expect(Object.keys(dumpView(engine, 'i').documents)).toEqual(['_doc/after'])
    await engine.close()
  })

  it('refuses a copy of an index clearly, whichever of its writes fails', async () => {
    let left = Number.POSITIVE_INFINITY
    const options = { dataDir: join(root, 'copied'), engineVersion: 'OpenSearch_2.19', log: () => {} } as const
    const engine = await openEngine(options, () => {
      if (--left < 0) throw noSpace()
    })
    const request = { settings: {}, mappings: {}, aliases: {} }
    await engine.createIndex('i', request)
    await engine.write(
      'i',
      Array.from({ length: 300 }, (_, n) => put(String(n), n % 10)),
      true,
    )
    const copied = async (n: number): Promise<boolean> => {
      left = n
      const copy = engine.copyIndex('i', 'copy', { ...request, origin: {} })
      const isDone = await copy.then(
        () => true,
        (error: unknown) => {
          expect(error).toBeInstanceOf(ServiceError)
          return false
        },
      )
      left = Number.POSITIVE_INFINITY
      expect(await accepts(engine, 120_000)).toBe(true)
      // What failed once it was in the log is there when the log has been read again: whole, or not at all.
      const isThere = engine.indices.has('copy')
      if (isDone) expect(isThere).toBe(true)
      else if (isThere) {
        expect(Object.keys(dumpView(engine, 'copy').documents).length).toBeGreaterThanOrEqual(300)
        await engine.deleteIndices(['copy'])
      }
      return isDone
    }
    let n = 0
    while (!(await copied(n))) n++
    expect(n).toBeGreaterThan(3)
    expect(Object.keys(dumpView(engine, 'copy').documents)).toHaveLength(301)
    await engine.close()
  })

  it('still shows what was acknowledged when the disk filled before it was in the tables', async () => {
    const folder = join(root, 'owed')
    const { engine, disk } = await engineOn(folder)
    await engine.createIndex('i', { settings: {}, mappings: {}, aliases: {} })
    await engine.write('i', [put('a', 1), put('b', 2)], false)
    await engine.write('i', [put('c', 3), { ...put('b', 0), kind: 'delete' } as DocumentOperation], false)
    disk.broken = noSpace()
    await failure(engine.write('i', [put('d', 4)], false))
    const shown = () => Object.keys(dumpView(engine, 'i').documents).sort()
    expect(['a', 'b', 'c', 'd'].map((id) => engine.get('i', '_doc', id, { realtime: true })?.version)).toEqual([
      1,
      undefined,
      1,
      undefined,
    ])
    expect(shown()).toEqual(['_doc/a', '_doc/c'])
    expect(engine.mapping('i').field('field3')).toBeDefined()
    const crashed = join(root, 'owed-copy')
    copyAsCrashed(folder, crashed)
    disk.broken = undefined
    expect(await accepts(engine, 120_000)).toBe(true)
    expect(shown()).toEqual(['_doc/a', '_doc/after', '_doc/c'])
    await engine.close()
    for (const [dir, documents] of [
      [folder, ['_doc/a', '_doc/after', '_doc/c']],
      [crashed, ['_doc/a', '_doc/c']],
    ] as const) {
      const again = await engineOn(dir)
      expect(Object.keys(dumpView(again.engine, 'i').documents).sort()).toEqual(documents)
      await again.engine.close()
    }
  })

  it('is answered with 429 where the real server of that version does', async () => {
    const { engine, disk } = await engineOn(join(root, 'os2'), 'OpenSearch_2.19')
    await engine.createIndex('i', { settings: {}, mappings: {}, aliases: {} })
    disk.broken = noSpace()
    const { status, reason } = await failure(engine.write('i', [put('a', 1)], false))
    expect(status).toBe(429)
    expect(reason).toContain('disk usage exceeded flood-stage watermark')
    await engine.close()
  })

  it('lets indices be removed, which makes space, and nothing else', async () => {
    const folder = join(root, 'removal')
    let free = 2 ** 30
    const options = { dataDir: folder, engineVersion: 'OpenSearch_2.19', log: () => {} } as const
    const engine = await openEngine(options, undefined, () => free)
    for (const name of ['h', 'i', 'j']) {
      await engine.createIndex(name, { settings: {}, mappings: {}, aliases: {} })
      await engine.write(name, [put('a', 1)], true)
    }
    free = 10 * 2 ** 20
    // So long it is not looked at again, and the log would take what cannot be removed before.
    await new Promise((resolve) => setTimeout(resolve, 150))
    const refused = async () => {
      const { type, reason } = await failure(engine.write('j', [put('b', 1)], true))
      expect(type).toBe('cluster_block_exception')
      expect(reason).toContain('flood-stage')
    }
    await refused()
    await engine.deleteIndices(['h'])
    await refused()
    await engine.deleteIndices(['i'])
    await refused()
    expect([...engine.indices.keys()]).toEqual(['j'])
    expect(Object.keys(dumpView(engine, 'j').documents)).toEqual(['_doc/a'])
    const crashed = join(root, 'removal-copy')
    copyAsCrashed(folder, crashed)
    free = 0
    expect((await failure(engine.deleteIndices(['j']))).type).toBe('cluster_block_exception')
    free = 2 ** 30
    await engine.close()
    for (const dir of [folder, crashed]) {
      const again = await engineOn(dir)
      expect([...again.engine.indices.keys()]).toEqual(['j'])
      expect(Object.keys(dumpView(again.engine, 'j').documents)).toEqual(['_doc/a'])
      await again.engine.close()
    }
  })

  it('takes writes without a break once it has room, however little: what is left of removed indices waits for more', async () => {
    let free = 2 ** 30
    const log: string[] = []
    const options = {
      dataDir: join(root, 'little'),
      engineVersion: 'Elasticsearch_6.8',
      log: (_: string, __: object, message: string) => log.push(message),
    } as const
    const engine = await openEngine(options, undefined, () => free)
    for (const name of ['i', 'removed']) {
      await engine.createIndex(name, { settings: {}, mappings: {}, aliases: {} })
      await engine.write(
        name,
        Array.from({ length: 3_000 }, (_, n) => put(String(n), n % 10)),
        true,
      )
    }
    // With its ids in the table, they are removed by thousands.
    await engine.flush('removed')
    free = 10 * 2 ** 20
    await new Promise((resolve) => setTimeout(resolve, 150))
    await failure(engine.write('i', [put('b', 1)], true))
    await engine.deleteIndices(['removed'])
    free = 22 * 2 ** 20
    expect(await accepts(engine, 120_000)).toBe(true)
    for (const until = Date.now() + 3_000; Date.now() < until; ) {
      expect((await engine.write('i', [put('c', 1)], true))[0]?.ok).toBe(true)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(log.filter((message) => message.startsWith('the disk is full'))).toHaveLength(1)
    await engine.close()
  })
})

describe('a disk that fails otherwise', () => {
  it('makes the domain read-only until it takes writes again', async () => {
    const folder = join(root, 'io')
    const { engine, disk, log } = await engineOn(folder)
    await engine.createIndex('i', { settings: {}, mappings: {}, aliases: {} })
    await engine.write('i', [put('a', 1)], true)
    disk.broken = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' })
    const { reason } = await failure(engine.write('i', [put('b', 1)], false))
    expect(reason).toBe('blocked by: [FORBIDDEN/5/index read-only (api)];')
    expect(await accepts(engine, 1_500)).toBe(false)
    expect(Object.keys(dumpView(engine, 'i').documents)).toEqual(['_doc/a'])
    expect(log).toContain('error a commit to disk failed, writes are refused until one succeeds')
    disk.broken = undefined
    expect(await accepts(engine, 120_000)).toBe(true)
    expect(log).toContain('info the disk can be written again, writes are taken')
    await engine.close()
    const again = await engineOn(folder)
    expect(Object.keys(dumpView(again.engine, 'i').documents)).toEqual(['_doc/a', '_doc/after'])
    await again.engine.close()
  })
})

describe('the folder of segments', () => {
  const index = { settings: {}, mappings: {}, aliases: {} }

  it('is made again with all of them where somebody took it away', async () => {
    const folder = join(root, 'taken')
    const { engine, log } = await engineOn(folder)
    const { uuid } = await engine.createIndex('i', index)
    await engine.write('i', [put('a', 1)], true)
    await engine.flush('i')
    const before = readdirSync(join(folder, 'indices', uuid))
    rmSync(join(folder, 'indices'), { recursive: true })
    await engine.write('i', [put('b', 2)], true)
    await engine.flush('i')
    expect(log).toContain('warn the files of an index were taken away, they are made again')
    expect(readdirSync(join(folder, 'indices', uuid))).toEqual(expect.arrayContaining(before))
    await engine.close()
    const again = await engineOn(folder)
    expect(again.log.filter((line) => line.startsWith('warn'))).toEqual([])
    expect(Object.keys(dumpView(again.engine, 'i').documents)).toEqual(['_doc/a', '_doc/b'])
    await again.engine.close()
  })

  it('is told of where nothing can be written there; writes are taken, and no index is begun that has no place', async () => {
    const folder = join(root, 'blocked')
    const { engine } = await engineOn(folder)
    const { uuid } = await engine.createIndex('i', index)
    await engine.write('i', [put('a', 1)], true)
    const files = join(folder, 'indices')
    rmSync(files, { recursive: true })
    writeFileSync(files, '')
    for (const act of [engine.flush('i'), engine.forceMerge('i', { maxNumSegments: 1, onlyExpungeDeletes: false })]) {
      const { type, reason } = await failure(act)
      expect(type).toBe('file_system_exception')
      expect(reason).toMatch(
        new RegExp(`^cannot write .*${uuid}.*: (a part of its path is no folder|a file is there already)$`),
      )
      expect(reason).not.toContain(root)
    }
    expect((await failure(engine.createIndex('j', index))).type).toBe('file_system_exception')
    expect([...engine.indices.keys()]).toEqual(['i'])
    expect((await engine.write('i', [put('b', 1)], true))[0]?.ok).toBe(true)
    rmSync(files)
    await engine.flush('i')
    await engine.close()
    const again = await engineOn(folder)
    expect([...again.engine.indices.keys()]).toEqual(['i'])
    expect(Object.keys(dumpView(again.engine, 'i').documents)).toEqual(['_doc/a', '_doc/b'])
    await again.engine.close()
  })
})
