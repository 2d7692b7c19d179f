import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PendingIds } from './pending-ids.ts'
import { documentKey, idKey } from './record-keys.ts'
import type { Change } from './write-ahead-log.ts'

const DOCUMENTS = 0
const IDS = 1
const METADATA = 2

/** A store in memory: what is in its tables survives {@link Disk.crash}. */
class Disk {
  readonly records = new Map<number, Map<number, string>>()
  readonly ids = new Map<string, string>()
  readonly marks = new Map<number, number>()
  pending = this.#newPending()
  nextSeqNo = 0

  #newPending(): PendingIds {
    const mark = (indexNumber: number, upTo: number | undefined) => ({
      table: METADATA,
      key: Buffer.from(String(indexNumber)),
      value: upTo === undefined ? undefined : Buffer.from(String(upTo)),
    })
    return new PendingIds({ documents: DOCUMENTS, ids: IDS, mark })
  }

  /** @returns how many ids went into their table */
  commit(changes: readonly Change[], fails = false, hasRoom = true): number {
    const more = this.pending.begin(changes, hasRoom)
    if (fails) return 0
    for (const { table, key, value } of [...changes.filter((change) => change.table === DOCUMENTS), ...more]) {
      if (table === DOCUMENTS) this.#record(key, value)
      else if (table === IDS) set(this.ids, key.toString('latin1'), value?.toString())
      else set(this.marks, Number(key), value === undefined ? undefined : Number(value))
    }
    this.pending.committed()
    return more.filter(({ table }) => table === IDS).length
  }

  #record(key: Buffer, value: Buffer | undefined): void {
    const ofIndex = this.records.get(key.readUInt32BE(0)) ?? new Map<number, string>()
    this.records.set(key.readUInt32BE(0), ofIndex)
    set(ofIndex, key.readUInt32BE(8), value?.toString())
  }

  crash(): void {
    this.pending = this.#newPending()
    for (const [indexNumber, upTo] of this.marks) {
      const behind = [...(this.records.get(indexNumber) ?? [])].filter(([seqNo]) => seqNo > upTo)
      const ids = behind.map(([seqNo, id]) => [idKey(indexNumber, 't', id), Buffer.from(String(seqNo))] as const)
      this.pending.resume(indexNumber, ids, Math.max(upTo, ...behind.map(([seqNo]) => seqNo)))
    }
  }

  get(indexNumber: number, id: string): string | undefined {
    const key = idKey(indexNumber, 't', id)
    return this.pending.get(key)?.toString() ?? this.ids.get(key.toString('latin1'))
  }
}

function set<K, V>(map: Map<K, V>, key: K, value: V | undefined): void {
  if (value === undefined) map.delete(key)
  else map.set(key, value)
}

/** A write of an id: its record, and its entry. */
function write(disk: Disk, indexNumber: number, id: string): Change[] {
  const seqNo = disk.nextSeqNo++
  return [
    { table: DOCUMENTS, key: documentKey(indexNumber, seqNo), value: Buffer.from(id) },
    { table: IDS, key: idKey(indexNumber, 't', id), value: Buffer.from(String(seqNo)) },
  ]
}

it('knows every id, whatever fails or crashes, and leaves no more to be found again than it tells', () => {
  const id = fc.integer({ min: 0, max: 30 }).map(String)
  const indexNumber = fc.integer({ min: 1, max: 3 })
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('write' as const),
      writes: fc.array(fc.tuple(indexNumber, id), { maxLength: 20 }),
      fails: fc.boolean(),
      hasRoom: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('crash' as const) }),
    fc.record({ kind: fc.constant('quiet' as const) }),
    fc.record({ kind: fc.constant('remove' as const), indexNumber, id, hasRoom: fc.boolean() }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const disk = new Disk()
      const model = new Map<string, string>()
      for (const one of steps) {
        if (one.kind === 'crash') disk.crash()
        else if (one.kind === 'quiet') {
          disk.pending.quiet = true
          while (disk.pending.size > 0) disk.commit([])
          disk.pending.quiet = false
          expect(disk.marks.size).toBe(0)
        } else if (one.kind === 'remove') {
          // As a delete is forgotten: its record stays for a while.
          const key = idKey(one.indexNumber, 't', one.id)
          disk.commit([{ table: IDS, key, value: undefined }], false, one.hasRoom)
          model.delete(`${one.indexNumber} ${one.id}`)
        } else {
          const changes = one.writes.flatMap(([number, name]) => write(disk, number, name))
          disk.commit(changes, one.fails, one.hasRoom)
          if (one.fails) continue
          for (const [i, [number, name]] of one.writes.entries()) {
            model.set(`${number} ${name}`, (changes[i * 2 + 1] as Change).value?.toString() ?? '')
          }
        }
        for (const number of [1, 2, 3]) {
          for (let n = 0; n <= 30; n++) expect(disk.get(number, String(n))).toBe(model.get(`${number} ${n}`))
        }
      }
    }),
    { numRuns: 150 },
  )
})

it('puts many into the table in their order, along with later commits', () => {
  const disk = new Disk()
  const ids = Array.from({ length: 120_000 }, (_, i) => `id-${(i * 7_919) % 120_000}`)
  const written: number[] = []
  for (let from = 0; from < ids.length; from += 1_000) {
    written.push(disk.commit(ids.slice(from, from + 1_000).flatMap((name) => write(disk, 1, name))))
  }
  expect(written.slice(0, 33).every((count) => count === 0)).toBe(true)
  expect(Math.max(...written)).toBe(1_250)
  expect(disk.ids.size).toBeGreaterThan(55_000)
  disk.crash()
  expect(ids.every((name, seqNo) => disk.get(1, name) === String(seqNo))).toBe(true)
})

it('brings along those of an index of which some are removed, and of others none that the disk has no room for', () => {
  const disk = new Disk()
  const ids = Array.from({ length: 33_000 }, (_, i) => `id-${i}`)
  disk.commit(ids.flatMap((name) => write(disk, 1, name)))
  disk.commit(['a', 'b', 'c'].flatMap((name) => write(disk, 2, name)))
  const removal = [{ table: IDS, key: idKey(2, 't', 'a'), value: undefined }]
  expect(disk.commit(removal, false, false)).toBe(4)
  expect(disk.commit(write(disk, 1, 'more'), false, false)).toBe(0)
  expect(disk.commit([])).toBe(500)
  disk.crash()
  expect(['a', 'b', 'c'].map((id) => disk.get(2, id) !== undefined)).toEqual([false, true, true])
  expect(ids.every((name, seqNo) => disk.get(1, name) === String(seqNo))).toBe(true)
})

it('forgets those of an index that is removed', () => {
  const disk = new Disk()
  for (const number of [1, 2]) disk.commit(['a', 'b'].flatMap((name) => write(disk, number, name)))
  disk.pending.quiet = true
  disk.pending.begin([])
  // On their way into the table.
  expect(disk.pending.deleteIndex(1)).toBe(true)
  disk.pending.committed()
  expect(disk.pending.deleteIndex(1)).toBe(false)
  disk.commit(write(disk, 1, 'c'))
  disk.pending.deleteIndex(1)
  expect(disk.get(1, 'c')).toBeUndefined()
})
