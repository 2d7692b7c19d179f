import {
  copyFileSync,
  cpSync,
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
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEngine } from '../../src/engine/embedded-engine.ts'
import type { DocumentOperation } from '../../src/engine/index/document-operation.ts'
import { LmdbStore, STORE_FORMAT } from '../../src/engine/store/lmdb-store.ts'
import { copyAsCrashed } from './crashed-copy.ts'
import { seededRandom } from './seeded-random.ts'
import { dumpView, type ViewDump } from './view-dump.ts'

/** Printed with a failure, so that it can be had again. */
const seed = Number(process.env['CHAJA_SEED'] ?? Date.now() % 1_000_000)
const random = seededRandom(seed)
const root = mkdtempSync(join(tmpdir(), 'chaja-damage-'))
const intact = join(root, 'intact')
let expected: ViewDump

const put = (id: number, text: string): DocumentOperation => ({
  kind: 'index',
  type: id % 5 === 0 ? 'book' : '_doc',
  id: String(id),
  source: Buffer.from(JSON.stringify({ text, n: id, notes: [{ word: `w${id % 7}` }, { word: 'x' }] })),
  versionType: 'internal',
})
const remove = (id: number): DocumentOperation => ({
  kind: 'delete',
  type: id % 5 === 0 ? 'book' : '_doc',
  id: String(id),
  versionType: 'internal',
})

async function open(dataDir: string) {
  const log: { level: string; fields: Readonly<Record<string, unknown>>; message: string }[] = []
  const engine = await openEngine({
    dataDir,
    engineVersion: 'Elasticsearch_6.8',
    log: (level, fields, message) => log.push({ level, fields, message }),
  })
  return { engine, log }
}

const segmentFiles = (folder: string): string[] => {
  const indices = join(folder, 'indices')
  return readdirSync(indices).flatMap((uuid) => readdirSync(join(indices, uuid)).map((f) => join(indices, uuid, f)))
}

function damaged(): string {
  const folder = mkdtempSync(join(root, 'd-'))
  cpSync(intact, folder, { recursive: true })
  return folder
}

/** Opens a damaged copy and expects the very answers of before; answers what was logged. */
async function expectIntact(folder: string, note: string): Promise<string[]> {
  const { engine, log } = await open(folder)
  try {
    expect(dumpView(engine, 'i'), `${note}, seed ${seed}`).toEqual(expected)
    // And again after what was rebuilt has been written.
    await engine.flush('i')
  } finally {
    await engine.close()
  }
  const again = await open(folder)
  expect(dumpView(again.engine, 'i'), `${note}, reopened, seed ${seed}`).toEqual(expected)
  expect(again.log).toEqual([])
  await again.engine.close()
  rmSync(folder, { recursive: true })
  return log.map(({ level, fields, message }) => `${level} ${message} ${String(fields['file'] ?? '')}`)
}

beforeAll(async () => {
  const { engine } = await open(intact)
  const mappings = {
    _doc: { properties: { notes: { type: 'nested' } } },
    book: { properties: { notes: { type: 'nested' } } },
  }
  await engine.createIndex('i', { settings: { 'index.refresh_interval': '-1' }, mappings, aliases: {} })
  for (let round = 0; round < 4; round++) {
    const operations: DocumentOperation[] = []
    for (let i = 0; i < 60; i++) operations.push(put(round * 40 + i, `round ${round} word ${i % 9} 한국어`))
    for (let i = 0; i < 6; i++) operations.push(remove(round * 40 + i * 3))
    for (const result of await engine.write('i', operations, false)) expect(result.ok).toBe(true)
    await engine.flush('i')
  }
  // Deleted in segments that are on disk already, and replaced after the last manifest.
  await engine.write('i', [remove(30), put(31, 'replaced'), put(1_000, 'new')], true)
  expected = dumpView(engine, 'i')
  await engine.close()
  expect(segmentFiles(intact).length).toBeGreaterThan(2)
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Says of some segment that it has another format. @returns its file */
function withSegmentOfFormat(folder: string, format: number): string {
  const file = pick(segmentFiles(folder))
  const bytes = readFileSync(file)
  bytes.writeUInt32LE(format, 8)
  writeFileSync(file, bytes)
  return file
}

describe('a damaged data directory', () => {
  it('is repaired from the record when a segment was cut short, whatever is left of it', async () => {
    for (let round = 0; round < 8; round++) {
      const folder = damaged()
      const file = pick(segmentFiles(folder))
      const length = Math.floor(random() * readFileSync(file).length)
      truncateSync(file, length)
      const log = await expectIntact(folder, `${file} cut to ${length}`)
      expect(log).toContain(`warn segment is damaged or missing, building it again from the store ${file}`)
    }
  })

  it('is repaired when a bit of a segment flipped', async () => {
    for (let round = 0; round < 12; round++) {
      const folder = damaged()
      const file = pick(segmentFiles(folder))
      const bytes = readFileSync(file)
      const bit = Math.floor(random() * bytes.length * 8)
      bytes[bit >>> 3] = (bytes[bit >>> 3] as number) ^ (1 << (bit & 7))
      writeFileSync(file, bytes)
      const log = await expectIntact(folder, `${file} bit ${bit}`)
      expect(log).toContain(`warn segment is damaged or missing, building it again from the store ${file}`)
    }
  })

  it('is no damaged one where a segment is of an earlier version: that is made anew', async () => {
    const folder = damaged()
    const file = withSegmentOfFormat(folder, 1)
    const log = await expectIntact(folder, `${file} of version 1`)
    expect(log).toContain(`info segment is of an earlier version, building it again from the store ${file}`)
  })

  it('is repaired when a segment is another one, whole as that is', async () => {
    const folder = damaged()
    const [file, other] = segmentFiles(folder) as [string, string]
    copyFileSync(other, file)
    const log = await expectIntact(folder, `${other} in place of ${file}`)
    expect(log).toContain(`warn segment is damaged or missing, building it again from the store ${file}`)
  })

  it('is repaired when segments are gone, one or all, with their folder too', async () => {
    const one = damaged()
    const file = pick(segmentFiles(one))
    rmSync(file)
    expect(await expectIntact(one, `${file} gone`)).toHaveLength(1)
    const all = damaged()
    const files = segmentFiles(all)
    for (const f of files) rmSync(f)
    expect(await expectIntact(all, 'all segments gone')).toHaveLength(files.length)
    const folder = damaged()
    rmSync(join(folder, 'indices'), { recursive: true })
    expect(await expectIntact(folder, 'folder gone')).toHaveLength(files.length)
  })

  it('is repaired when the manifest is missing', async () => {
    const folder = damaged()
    const store = new LmdbStore(folder)
    store.removeMetadata('manifest/1')
    await store.committed()
    await store.close()
    const log = await expectIntact(folder, 'no manifest')
    expect(log).toContain('warn the list of segments is missing, building all of them again from the store ')
  })

  it('builds a segment of another format again, and minds no stray files', async () => {
    const folder = damaged()
    const file = withSegmentOfFormat(folder, 99)
    writeFileSync(join(file, '..', '_zz.seg'), 'left over')
    writeFileSync(join(file, '..', '_y.seg.1.new'), 'half written')
    const log = await expectIntact(folder, 'format 99')
    expect(log[0]).toContain('building it again')
    expect(log[1]).toContain('removed a segment file that no manifest names')
  })

  it('is refused when a newer version wrote it, and left as it was', async () => {
    const folder = damaged()
    const store = new LmdbStore(folder)
    store.putMetadata('format', 99)
    await store.committed()
    await store.close()
    await expect(open(folder)).rejects.toThrow(
      `the data in ${folder} has format 99, written by a newer chaja; this one reads up to ${STORE_FORMAT}`,
    )
    // Refused again, not held by the first try.
    await expect(open(folder)).rejects.toThrow('has format 99')
  })

  it('is refused when its store is gone or something else, and left as it was', async () => {
    const damages: ((path: string) => void)[] = [
      (path) => rmSync(path),
      (path) => truncateSync(path, 0),
      (path) => truncateSync(path, 4_100),
      (path) => writeFileSync(path, readFileSync(path).fill(0, 0, 4_096)),
      (path) => writeFileSync(path, readFileSync(path).fill(0, 4_096, 8_192)),
      (path) => writeFileSync(path, readFileSync(path).fill(0x55)),
    ]
    for (const damage of damages) {
      const folder = damaged()
      const path = join(folder, 'store.mdb')
      damage(path)
      const segments = segmentFiles(folder)
      await expect(open(folder), String(damage)).rejects.toThrow(/store.mdb is (?:missing or empty|damaged)/)
      expect(segmentFiles(folder)).toEqual(segments)
    }
  })

  it('has an index that nobody can use where the entry of that is damaged in its store', async () => {
    const folder = damaged()
    const path = join(folder, 'store.mdb')
    const bytes = readFileSync(path)
    // Of all versions of an index' settings, the last of which counts.
    for (let at = bytes.indexOf('"invertedSince"'); at >= 0; at = bytes.indexOf('"invertedSince"', at + 1))
      bytes[at + 1] = 'I'.charCodeAt(0)
    writeFileSync(path, bytes)
    const { engine, log } = await open(folder)
    expect(engine.indices.get('i')).toMatchObject({ state: 'open', unavailable: { isMetadataLost: true } })
    expect(() => engine.searcher('i')).toThrow('No shard available for [i]: checksum failed: the entry [index/i]')
    expect(log.map(({ message }) => message)).toEqual(['an index cannot be read, it is unavailable'])
    expect(segmentFiles(folder)).toEqual(segmentFiles(intact).map((file) => file.replace(intact, folder)))
    await engine.close()
  })

  it('tells of what is missing of its store, wherever that was cut short, and does not end the process', async () => {
    const read = async (folder: string) => {
      const store = new LmdbStore(folder)
      try {
        return [...store.metadata(''), ...store.documents(1, 0, 1_000)]
      } finally {
        await store.close()
      }
    }
    const whole = await read(damaged())
    const size = statSync(join(intact, 'store.mdb')).size
    for (let length = 8_192; length < size; length += 4_096 + Math.floor(random() * 9_000)) {
      const folder = damaged()
      truncateSync(join(folder, 'store.mdb'), length)
      const found = await read(folder).catch((error: Error) => error)
      if (!(found instanceof Error)) expect(found, `${length} bytes, seed ${seed}`).toEqual(whole)
    }
  })

  it('has of a damaged log all that is before the damage', async () => {
    const folder = mkdtempSync(join(root, 'd-'))
    const { engine } = await open(folder)
    await engine.createIndex('i', { settings: { 'index.refresh_interval': '-1' }, mappings: {}, aliases: {} })
    for (let id = 1; id <= 4; id++) await engine.write('i', [put(id, 'logged')], false)
    const crashed = join(root, 'crashed')
    copyAsCrashed(folder, crashed)
    await engine.close()
    for (let round = 0; round < 12; round++) {
      const copy = mkdtempSync(join(root, 'd-'))
      cpSync(crashed, copy, { recursive: true })
      const file = join(copy, 'wal.0')
      const bytes = readFileSync(file)
      const end = bytes.findLastIndex((byte) => byte !== 0) + 1
      const at = Math.floor(random() * end)
      if (round % 2 === 0) truncateSync(file, at)
      else {
        bytes[at] = (bytes[at] as number) ^ 0x40
        writeFileSync(file, bytes)
      }
      for (let start = 0; start < 2; start++) {
        const again = await open(copy)
        const found = [1, 2, 3, 4].filter(
          (id) => again.engine.get('i', undefined, String(id), { realtime: true }) !== undefined,
        )
        expect(found, `byte ${at}, seed ${seed}`).toEqual([1, 2, 3, 4].slice(0, found.length))
        await again.engine.write('i', [put(100 + start, 'goes on')], true)
        await again.engine.close()
      }
    }
  })

  it('tells of a log that is gone, older than the store, or not whole at its end', async () => {
    const folder = mkdtempSync(join(root, 'd-'))
    const { engine } = await open(folder)
    await engine.createIndex('i', { settings: { 'index.refresh_interval': '-1' }, mappings: {}, aliases: {} })
    await engine.write('i', [put(1, 'logged')], false)
    await engine.flush('i')
    const older = readFileSync(join(folder, 'wal.0'))
    await engine.write('i', [put(2, 'logged')], false)
    await engine.flush('i')
    await engine.write('i', [put(3, 'logged')], false)
    const crashed = join(root, 'told')
    copyAsCrashed(folder, crashed)
    await engine.close()
    const lost = 'the write-ahead log is damaged or missing'
    const damages: [damage: (path: string) => void, told: string][] = [
      [(path) => rmSync(path), lost],
      [(path) => truncateSync(path, 0), lost],
      [(path) => writeFileSync(path, older), lost],
      [
        (path) => {
          const bytes = readFileSync(path)
          bytes[bytes.findLastIndex((byte) => byte !== 0)] = 0
          writeFileSync(path, bytes)
        },
        'the last write in the write-ahead log is not whole',
      ],
    ]
    for (const [damage, told] of damages) {
      const copy = mkdtempSync(join(root, 'd-'))
      cpSync(crashed, copy, { recursive: true })
      damage(join(copy, 'wal.0'))
      const again = await open(copy)
      expect(again.log.map(({ message }) => message).join(), String(damage)).toContain(told)
      await again.engine.close()
      // Once is enough: from then on the log is as it should be.
      const third = await open(copy)
      await third.engine.write('i', [put(9, 'goes on')], true)
      await third.engine.close()
      const last = await open(copy)
      expect(last.log, String(damage)).toEqual([])
      await last.engine.close()
    }
  })

  it('is opened by one engine at a time', async () => {
    const folder = damaged()
    const { engine } = await open(folder)
    await expect(open(folder)).rejects.toThrow(`the data directory ${folder} is open in another chaja process`)
    await engine.close()
    await (await open(folder)).engine.close()
  })
})

function pick<T>(list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T
}
