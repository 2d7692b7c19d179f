import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEngine } from '../../src/engine/embedded-engine.ts'
import type { DocumentOperation } from '../../src/engine/index/document-operation.ts'
import { LmdbStore } from '../../src/engine/store/lmdb-store.ts'
import { copyAsCrashed } from './crashed-copy.ts'

/** Printed with a failure, so that it can be had again. */
const seed = String(process.env['CHAJA_SEED'] ?? Date.now() % 1_000_000)
const CASES = Number(process.env['CHAJA_CASES'] ?? 12)
const root = mkdtempSync(join(tmpdir(), 'chaja-pages-'))
const intact = join(root, 'intact')
afterAll(() => rmSync(root, { recursive: true, force: true }))

const open = (dataDir: string, log: string[] = []) =>
  openEngine({
    dataDir,
    engineVersion: 'Elasticsearch_6.8',
    log: (level, fields, message) => log.push(`${level} ${message} ${(fields as { error?: string }).error ?? ''}`),
  })

/** Some of them longer than a page. */
const put = (id: number, n: number): DocumentOperation => ({
  kind: 'index',
  type: '_doc',
  id: String(id),
  source: Buffer.from(JSON.stringify({ n, text: `word ${n} `.repeat(5 + (id % 50 === 0 ? 1_000 : id % 30)) })),
  versionType: 'internal',
})

beforeAll(async () => {
  const engine = await open(intact)
  for (const index of ['i', 'k']) {
    await engine.createIndex(index, { settings: { 'index.refresh_interval': '-1' }, mappings: {}, aliases: {} })
    for (let round = 0; round < 5; round++) {
      const puts = Array.from({ length: 120 }, (_, i) => put(round * 60 + i, round))
      await engine.write(index, puts, true)
      await engine.flush(index)
    }
  }
  await engine.write('i', [{ kind: 'delete', type: '_doc', id: '7', versionType: 'internal' }, put(9, 99)], true)
  await engine.close()
})

describe('a store with damaged pages', () => {
  it('ends no process, shows nothing that was not written, and tells of what it cannot', {
    timeout: 600_000 + CASES * 5_000,
  }, () => {
    const child = join(fileURLToPath(new URL('.', import.meta.url)), 'damaged-pages-child.ts')
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', child, intact, String(CASES), seed],
      { encoding: 'utf8' },
    )
    expect(status, `seed ${seed}, ${stdout.split('\n').slice(-3).join('\n')} ${stderr.slice(-2_000)}`).toBe(0)
    expect(stdout).toContain('outcomes')
    expect(stdout).not.toContain('fault')
  })

  it('is only read, what was logged last too, and keeps what its damaged pages had', async () => {
    const dataDir = join(root, 'logged')
    copyAsCrashed(intact, dataDir)
    const engine = await open(dataDir)
    await engine.write('k', [put(1_000, 7)], false)
    const crashed = join(root, 'crashed')
    copyAsCrashed(dataDir, crashed)
    await engine.close()
    const path = join(crashed, 'store.mdb')
    const bytes = readFileSync(path)
    const page = lastLeaf(bytes)
    const before = Buffer.from(bytes.subarray(page * 4_096, (page + 1) * 4_096))
    bytes.fill(0xaa, page * 4_096 + 20, page * 4_096 + 60)
    const damaged = Buffer.from(bytes.subarray(page * 4_096, (page + 1) * 4_096))
    expect(damaged.equals(before)).toBe(false)
    writeFileSync(path, bytes)
    for (let start = 0; start < 2; start++) {
      const log: string[] = []
      const again = await open(crashed, log)
      expect(log).toContain('info writes that a crash had left in the log stay there ')
      const told = log.find((line) => line.includes('the store is damaged, writes are refused until it is restored'))
      expect(told).toContain(`store.mdb is damaged: page ${page} (ids)`)
      expect(again.get('k', '_doc', '1000', { realtime: true })?.version).toBe(1)
      await expect(again.write('k', [put(1, 1)], false)).rejects.toThrow('FORBIDDEN/5/index read-only (api)')
      await expect(again.flush('k')).rejects.toThrow('FORBIDDEN/5/index read-only (api)')
      await again.close()
    }
    expect(readdirSync(join(crashed, 'damaged'))).toEqual([`page-${page}`])
    expect(readFileSync(join(crashed, 'damaged', `page-${page}`)).equals(damaged)).toBe(true)
  })

  it('can be taken into a snapshot, but for indices whose records are damaged', async () => {
    const dataDir = join(root, 'saved')
    copyAsCrashed(intact, dataDir)
    const withRepositories = (folder: string) =>
      openEngine({ dataDir: folder, engineVersion: 'OpenSearch_2.19', repositoryPaths: [root], log: () => {} })
    const repository = { type: 'fs', settings: { location: join(root, 'repository') } }
    const before = await withRepositories(dataDir)
    await before.snapshots.putRepository('r', repository, true)
    await before.close()
    const path = join(dataDir, 'store.mdb')
    const bytes = readFileSync(path)
    const records = leaves(bytes).filter(({ key }) => key.length === 12 && key.readUInt32BE(0) === 1)
    const first = records.map(({ key }) => key).sort(Buffer.compare)[0] as Buffer
    // The page that they begin in, and what it was before, which nothing leads to any more.
    for (const { page, key } of records)
      if (key.equals(first)) bytes.fill(0xaa, page * 4_096 + 2_000, page * 4_096 + 4_096)
    writeFileSync(path, bytes)
    const engine = await withRepositories(dataDir)
    await expect(engine.write('k', [put(1, 1)], false)).rejects.toThrow('read-only')
    const request = { repository: 'r', name: 's', indices: ['i', 'k'], includeGlobalState: false, partial: true }
    const record = await (await engine.snapshots.create({ ...request, metadata: undefined })).done
    expect(record.state).toBe('PARTIAL')
    expect(record.failures).toEqual([
      expect.objectContaining({ index: 'i', reason: expect.stringContaining('damaged') }),
    ])
    expect(record.indices.map(({ name }) => name)).toEqual(['k'])
    await engine.close()
  })

  it('is told of while it is open already, where it is large', { timeout: 600_000 }, async () => {
    const dataDir = join(root, 'large')
    const store = new LmdbStore(dataDir)
    const source = Buffer.alloc(900, 'x')
    const document = {
      type: '_doc',
      routing: undefined,
      version: 1,
      primaryTerm: 1,
      replacedSeqNo: -1,
      tombstone: false,
    }
    for (let n = 0; n < 24_000; n++) {
      // Of which no two have anything in common, so that it grows.
      for (let i = 0; i < 900; i += 4) source.writeUInt32LE(Math.imul(n * 225 + i, 2_654_435_761) >>> 0, i)
      store.putDocument(1, n, { ...document, id: String(n), source: Buffer.from(source) })
      store.putId(1, '_doc', String(n), { seqNo: n, version: 1, primaryTerm: 1, deleted: false })
      if (n % 2_000 === 0) await store.committed()
    }
    await store.close()
    const path = join(dataDir, 'store.mdb')
    const bytes = readFileSync(path)
    expect(bytes.length).toBeGreaterThan(17 * 2 ** 20)
    bytes.fill(0, 4_096 * 2_000, 4_096 * 2_001)
    writeFileSync(path, bytes)
    const again = new LmdbStore(dataDir)
    expect(again.failure).toBeUndefined()
    again.putMetadata('a', 1)
    await expect(again.committed()).rejects.toThrow('store.mdb is damaged: page 2000 (documents)')
    expect(again.getDocument(1, 23_999)?.id).toBe('23999')
    expect(() => [...again.documents(1, 0, 24_000)]).toThrow('is damaged on disk')
    await again.close()
  })
})

/** The leaf page with ids that was written last: trees lead to it. */
function lastLeaf(bytes: Buffer): number {
  const ofIds = leaves(bytes).filter(({ key }) => key.toString('latin1', 4, 9) === '_doc\0')
  return ofIds.reduce((last, leaf) => (leaf.commit > last.commit ? leaf : last), { page: -1, commit: 0 }).page
}

/** Leaf pages with the keys of their first nodes: what lies between nodes may be left over from any other page. */
function leaves(bytes: Buffer): { readonly page: number; readonly commit: number; readonly key: Buffer }[] {
  return Array.from({ length: Math.floor(bytes.length / 4_096) }, (_, page) => page).flatMap((page) => {
    const leaf = bytes.subarray(page * 4_096, (page + 1) * 4_096)
    if (page < 2 || leaf.readUInt16LE(18) !== 2) return []
    const node = leaf.subarray(24 + leaf.readUInt16LE(24))
    // Copied: what it is found by stays as it is while pages are damaged.
    const key = Buffer.from(node.subarray(8, 8 + node.readUInt16LE(6)))
    return [{ page, commit: Number(leaf.readBigUInt64LE(8)), key }]
  })
}
