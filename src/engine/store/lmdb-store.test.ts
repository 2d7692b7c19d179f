import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DocumentRecord, decodeDocumentRecord } from './document-record.ts'
import { LmdbStore, STORE_FORMAT } from './lmdb-store.ts'
import { Lz4Dictionary } from './lz4-dictionary.ts'

let folder = ''
let store: LmdbStore
let failing = false
const open = () => new LmdbStore(folder, { beforeWrite })
function beforeWrite(): void {
  if (failing) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chaja-store-'))
  store = open()
})
afterEach(async () => {
  failing = false
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const record = (n: number): DocumentRecord => ({
  type: '_doc',
  id: String(n),
  routing: undefined,
  version: 1,
  primaryTerm: 1,
  replacedSeqNo: -1,
  tombstone: false,
  source: Buffer.from(
    JSON.stringify({ n, title: `영화 ${n}`, text: 'the same in all of them, over and over again '.repeat(9) }),
  ),
})

function put(indexNumber: number, from: number, to: number): void {
  for (let n = from; n < to; n++) {
    store.putDocument(indexNumber, n, record(n))
    store.putId(indexNumber, '_doc', String(n), { seqNo: n, version: 1, primaryTerm: 1, deleted: n % 3 === 0 })
  }
}

const all = (from: LmdbStore, indexNumber: number) => [...from.documents(indexNumber, 0, 1_000)].map(([, one]) => one)
const expected = (to: number) => Array.from({ length: to }, (_, n) => record(n))

describe('the store', () => {
  it('keeps what documents have in common once, and gives each back as it was', async () => {
    put(1, 0, 300)
    put(2, 0, 3)
    await store.committed()
    expect(store.getMetadata('dictionary/1')).toBeDefined()
    expect(store.getMetadata('dictionary/2')).toBeUndefined()
    const moment = store.moment()
    const kept = moment.records(1, 0, 300, 300).reduce((sum, [, bytes]) => sum + bytes.length, 0)
    moment.release()
    // What a snapshot takes needs no dictionary.
    expect(kept).toBeGreaterThan(300 * (record(0).source as Buffer).length)
    await store.writeIds()
    for (const reader of [store, new LmdbStore(folder, { readOnly: true })]) {
      expect(all(reader, 1)).toEqual(expected(300))
      expect(reader.getDocument(1, 299)).toEqual(record(299))
      expect(reader.getId(1, '_doc', '299')).toEqual({ seqNo: 299, version: 1, primaryTerm: 1, deleted: false })
      expect(reader.getId(1, '_doc', '3')?.deleted).toBe(true)
      expect(reader.maxSeqNo(1)).toBe(299)
    }
    await store.close()
    store = open()
    put(1, 300, 310)
    await store.committed()
    expect(all(store, 1)).toEqual(expected(310))
  })

  it('finds ids again that a crash kept from their table, and tells a moment of them', async () => {
    put(1, 0, 40)
    put(2, 0, 40)
    await store.committed()
    await store.writeIds()
    put(1, 40, 50)
    store.putDocument(1, 50, { ...record(3), version: 2, replacedSeqNo: 3 })
    store.putId(1, '_doc', '3', { seqNo: 50, version: 2, primaryTerm: 1, deleted: false })
    await store.committed()
    expect(store.isBehind).toBe(true)
    cpSync(folder, `${folder}-crashed`, { recursive: true })
    const crashed = new LmdbStore(`${folder}-crashed`)
    for (const one of [store, crashed]) {
      const moment = one.moment()
      const seqNos: number[] = []
      for (let last: Buffer | undefined, i = 0; i === 0 || last !== undefined; i++) {
        const part = moment.idEntries(1, last, 7)
        seqNos.push(...part.entries.map(({ seqNo }) => seqNo))
        last = part.last
      }
      moment.release()
      const expectedSeqNos = Array.from({ length: 51 }, (_, n) => n).filter((n) => n !== 3)
      expect(seqNos.sort((a, b) => a - b)).toEqual(expectedSeqNos)
      expect(one.getId(1, '_doc', '3')).toEqual({ seqNo: 50, version: 2, primaryTerm: 1, deleted: false })
      expect(one.getId(1, '_doc', '49')).toEqual({ seqNo: 49, version: 1, primaryTerm: 1, deleted: false })
      expect(one.getId(2, '_doc', '39')?.seqNo).toBe(39)
      expect(one.getId(1, '_doc', '50')).toBeUndefined()
    }
    await crashed.writeIds()
    expect(crashed.isBehind).toBe(false)
    expect([...crashed.metadata('idsUpTo/')]).toEqual([])
    await crashed.close()
    rmSync(`${folder}-crashed`, { recursive: true })
  })

  it('finds all of very many ids again, wherever on their way a crash finds them', { timeout: 60_000 }, async () => {
    const source = Buffer.from('{}')
    const idAt = (n: number) => String((n * 611_953) % 90_001)
    const last = new Map<string, number>()
    const crashed = `${folder}-crashed`
    for (let from = 0; from < 110_000; from += 2_000) {
      for (let n = from; n < from + 2_000; n++) {
        const id = idAt(n)
        last.set(id, n)
        store.putDocument(1, n, { ...record(0), id, source })
        store.putId(1, '_doc', id, { seqNo: n, version: 1, primaryTerm: 1, deleted: false })
      }
      await store.committed()
      if (from % 22_000 !== 0) continue
      cpSync(folder, crashed, { recursive: true })
      const again = new LmdbStore(crashed)
      for (const [id, seqNo] of last) if (again.getId(1, '_doc', id)?.seqNo !== seqNo) throw new Error(`${from}: ${id}`)
      expect([...again.metadata('idsUpTo/')]).toHaveLength(1)
      await again.close()
      const closed = new LmdbStore(crashed)
      for (const [id, seqNo] of last)
        if (closed.getId(1, '_doc', id)?.seqNo !== seqNo) throw new Error(`${from}: ${id}`)
      expect([...closed.metadata('idsUpTo/')]).toEqual([])
      await closed.close()
      rmSync(crashed, { recursive: true })
    }
  })

  it('tells that an id cannot be known where the record that would say so is damaged', async () => {
    put(1, 0, 10)
    await store.committed()
    const bytes = readFileSync(join(folder, 'store.mdb'))
    cpSync(folder, `${folder}-crashed`, { recursive: true })
    // The same letter wherever a page or an older one has it: what LMDB reads stays whole.
    const text = Buffer.from('"n":7,')
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) bytes[at + 4] = 0x39
    writeFileSync(join(`${folder}-crashed`, 'store.mdb'), bytes)
    for (let start = 0; start < 2; start++) {
      const crashed = new LmdbStore(`${folder}-crashed`)
      for (const n of [6, 8]) expect(crashed.getId(1, '_doc', String(n))?.seqNo).toBe(n)
      expect(() => crashed.getId(1, '_doc', '7')).toThrow('the record of one of the last documents is damaged')
      expect(crashed.getId(2, '_doc', '7')).toBeUndefined()
      await crashed.close()
    }
    rmSync(`${folder}-crashed`, { recursive: true })
  })

  it('writes ids once nobody writes', async () => {
    put(1, 0, 10)
    await store.committed()
    expect(store.isBehind).toBe(true)
    await expect.poll(() => store.isBehind).toBe(false)
  })

  it('tells that what documents have in common is damaged', async () => {
    put(1, 0, 200)
    await store.committed()
    const kept = store.getMetadata('dictionary/1') as { readonly base64: string; readonly crc32: number }
    store.putMetadata('dictionary/1', { ...kept, base64: `A${kept.base64.slice(1)}` })
    await store.committed()
    await store.close()
    store = open()
    expect(() => all(store, 1)).toThrow('the dictionary of an index is damaged')
  })

  it('takes over a store of an earlier format with its log, where that stands', async () => {
    put(1, 0, 10)
    await store.logged()
    await store.committed()
    store.putMetadata('format', 2)
    await store.committed()
    const log = store.getMetadata('log') as { readonly store: string; readonly logged: number }
    await store.close()
    store = open()
    expect(store.getMetadata('format')).toBe(STORE_FORMAT)
    expect(store.getMetadata('log')).toMatchObject({ store: log.store, logged: log.logged })
    expect(all(store, 1)).toHaveLength(10)
  })

  it('finds its way on when keys do not come in order', async () => {
    for (const [indexNumber, from, to] of [
      [5, 0, 40],
      [2, 0, 40],
      [5, 40, 80],
      [7, 10, 20],
      [7, 0, 10],
    ] as const) {
      put(indexNumber, from, to)
      await store.committed()
    }
    expect([2, 5, 7].map((indexNumber) => all(store, indexNumber).length)).toEqual([40, 80, 20])
    expect(all(store, 7)).toEqual(expected(20))
  })

  it('learns what documents have in common once an index, however many are written to before a commit', async () => {
    const indices = Array.from({ length: 210 }, (_, i) => i + 1)
    for (const from of [0, 60]) for (const indexNumber of indices) put(indexNumber, from, from + 60)
    await store.committed()
    const damaged = indices.filter((indexNumber) =>
      all(store, indexNumber).some(({ source }, n) => !source?.equals(record(n).source as Buffer)),
    )
    expect(damaged).toEqual([])
  })

  it('shows a moment as it was, though the index is removed meanwhile', async () => {
    put(1, 0, 100)
    await store.committed()
    const moment = store.moment()
    while (store.removeSome(1, 1_000)) await store.committed()
    await store.committed()
    expect(moment.records(1, 0, 100, 100).map(([, bytes]) => decodeDocumentRecord(bytes))).toEqual(expected(100))
    moment.release()
  })

  it('takes ids and names of any length: none of them keeps it from writing, now or when it is opened again', async () => {
    const names = [1_977, 1_978, 1_979, 5_000].flatMap((length) =>
      ['a', 'b'].map((last) => 'x'.repeat(length - 1) + last),
    )
    const entry = (seqNo: number) => ({ seqNo, version: 1, primaryTerm: 1, deleted: false })
    for (const [i, name] of names.entries()) {
      store.putId(1, '_doc', name, entry(i))
      store.putMetadata(name, { i })
    }
    await store.logged()
    for (let start = 0; start < 2; start++) {
      await store.committed()
      expect(names.map((name) => store.getId(1, '_doc', name))).toEqual(names.map((_, i) => entry(i)))
      expect(names.map((name) => store.getMetadata(name))).toEqual(names.map((_, i) => ({ i })))
      expect(new Map(store.metadata('x'))).toEqual(new Map(names.map((name, i) => [name, { i }])))
      await store.close()
      store = open()
    }
    for (const name of names) store.removeMetadata(name)
    await store.committed()
    expect([...store.metadata('x')]).toEqual([])
  })

  it('reads a document of many megabytes, however it is asked for', async () => {
    const large = {
      ...record(0),
      source: Buffer.from(JSON.stringify({ b: randomBytes(13 * 2 ** 20).toString('base64') })),
    }
    store.putDocument(1, 0, large)
    await store.committed()
    await store.close()
    store = open()
    expect(store.getDocumentName(1, 0)?.id).toBe('0')
    expect(store.getDocument(1, 0)?.source?.equals(large.source)).toBe(true)
    expect(all(store, 1)[0]?.source?.equals(large.source)).toBe(true)
  })

  it('forgets a removed index, its dictionary last', async () => {
    put(1, 0, 300)
    await store.committed()
    while (store.removeSome(1, 100)) {
      expect(store.getMetadata('dictionary/1')).toBeDefined()
      await store.committed()
    }
    await store.committed()
    expect(all(store, 1)).toEqual([])
    expect(store.getMetadata('dictionary/1')).toBeUndefined()
  })

  it('keeps no form that a source has by a dictionary that is not the index’ own', async () => {
    put(1, 0, 300)
    await store.committed()
    const dictionary = new Lz4Dictionary(Buffer.from('another text, over and over again. '.repeat(20)))
    const bytes = dictionary.compress(record(300).source as Buffer) as Buffer
    store.putDocument(1, 300, record(300), { bytes, restoredBytes: record(300).source?.length ?? 0, dictionary })
    await store.committed()
    expect(all(store, 1)).toEqual(expected(301))
  })

  it('does not compress with what a full disk did not take', async () => {
    put(1, 0, 10)
    await store.committed()
    failing = true
    put(1, 10, 300)
    await expect(store.logged()).rejects.toThrow('ENOSPC')
    failing = false
    expect(await store.recover()).toBe(true)
    expect(all(store, 1)).toEqual(expected(10))
    put(1, 10, 300)
    await store.committed()
    await store.close()
    store = open()
    expect(all(store, 1)).toEqual(expected(300))
  })

  it('commits nothing when the disk is nearly full, reads on, and what is logged comes into the tables when there is space', async () => {
    let free = 2 ** 30
    const crashed = `${folder}-full`
    const full = () => new LmdbStore(crashed, { freeBytes: () => free })
    put(1, 0, 3)
    await store.logged()
    cpSync(folder, crashed, { recursive: true })
    free = 2 ** 20
    const one = full()
    expect(one.failure?.cause).toMatchObject({ code: 'ENOSPC' })
    expect(all(one, 1)).toEqual(expected(3))
    expect(one.getId(1, '_doc', '1')).toMatchObject({ seqNo: 1 })
    expect(await one.recover()).toBe(false)
    free = 2 ** 30
    expect(await one.recover()).toBe(true)
    one.putDocument(1, 3, record(3))
    await one.committed()
    free = 2 ** 20
    // So long it is not looked at again, and the log would take it.
    await new Promise((resolve) => setTimeout(resolve, 150))
    one.putDocument(1, 4, record(4))
    await expect(one.committed()).rejects.toMatchObject({ cause: { code: 'ENOSPC' } })
    expect(all(one, 1)).toEqual(expected(4))
    await one.close()
    rmSync(crashed, { recursive: true })
  })

  it('begins anew where its first pages were cut short, and tells what keeps it from being made', async () => {
    const half = `${folder}-half`
    for (const bytes of [Buffer.alloc(100), readFileSync(join(folder, 'store.mdb')).subarray(0, 4096)]) {
      mkdirSync(half)
      writeFileSync(join(half, 'store.mdb'), bytes)
      await new LmdbStore(half).close()
      rmSync(half, { recursive: true })
    }
    mkdirSync(join(half, 'store.mdb-lock'), { recursive: true })
    expect(() => new LmdbStore(half)).toThrow('EISDIR')
    rmSync(half, { recursive: true })
  })
})
