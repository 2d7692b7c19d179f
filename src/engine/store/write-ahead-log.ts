import { closeSync, constants, ftruncateSync, openSync, readFileSync, write } from 'node:fs'
import { join } from 'node:path'
import { syncNames } from '../../sync-names.ts'
import { crc32 } from '../algorithms/crc32.ts'

/* Two files take turns: while what one holds is on its way into the tables, the other is written. Each is a row of
 * records from its beginning on, little-endian. What does not fit its checksum, belongs to another store, or has a lower
 * number than one before it (left over from an earlier turn) is not of the row:
 *   OFFSET  SIZE  DESCRIPTION
 *        0     4  CRC-32 of everything behind it
 *        4     4  length of the changes in bytes
 *        8     8  id of the store
 *       16     8  number of the group (float64); the next group has the next one
 *       24     …  changes: table u8, length of the key u16, length of the value u32 (REMOVED: none), key, value
 */

const ID_OFFSET = 8
const NUMBER_OFFSET = 16
const HEADER_BYTES = 24
const CHANGE_BYTES = 7
const REMOVED = 0xffff_ffff

/** From here on a file gives way to the other one. */
const TURN_BYTES = 4 * 2 ** 20
/** Files grow in steps: a write that does not make its file longer is on disk sooner. */
const GROWTH_BYTES = 2 ** 20

/** A value for a key of a table, or its removal. */
export interface Change {
  /** A number that stands for the table. */
  readonly table: number
  readonly key: Buffer
  /** May give way to a shorter form of the same until it is committed. */
  value: Buffer | undefined
}

/** Changes that were logged together. */
export interface LoggedGroup {
  readonly number: number
  readonly changes: readonly Change[]
}

interface LogFile {
  readonly descriptor: number
  /** Bytes that belong to it on disk. */
  size: number
  /** Where the next record goes. */
  end: number
  /** Number of its last record; -1 when it has none. */
  last: number
  /** The highest number that a record begins with, whole or not. */
  begun: number
}

/**
 * Changes on disk, in their order, sooner than in the tables: one short write instead of many pages all over a file. What
 * the tables have is written over. A group that is damaged is missing; what was logged after it is still told.
 */
export class WriteAheadLog {
  readonly #storeId: Buffer
  readonly #files: readonly [LogFile, LogFile]
  #current = 0
  #closed = false
  #applied: number

  /**
   * @param storeId  8 bytes: what another store logged is not taken for this one's
   * @param applied  number of the last group that the tables have
   */
  constructor(folder: string, storeId: Buffer, applied: number) {
    this.#storeId = storeId
    this.#applied = applied
    const open = (name: string): LogFile => {
      const flags = constants.O_RDWR | constants.O_CREAT | constants.O_DSYNC
      return { descriptor: openSync(join(folder, name), flags, 0o600), size: 0, end: 0, last: -1, begun: -1 }
    }
    this.#files = [open('wal.0'), open('wal.1')]
    // Their names too must survive.
    syncNames(folder)
  }

  /** Number of the last group that was logged, or of the last that the tables have. */
  get lastNumber(): number {
    return Math.max(this.#applied, this.lastLogged)
  }

  /** Number of the last group that is in the log, applied or not; -1 when there is none. */
  get lastLogged(): number {
    return Math.max(...this.#files.map(({ last }) => last))
  }

  /** True when what was logged last is not whole: its write was cut off, or it was damaged since. */
  get endsTorn(): boolean {
    return this.#files.some(({ begun }) => begun > this.lastNumber)
  }

  /** What was logged and the tables do not have, in order, without what is damaged. To be called once, at first. */
  unapplied(): LoggedGroup[] {
    const groups: LoggedGroup[] = []
    for (const file of this.#files) {
      const bytes = readFileSync(file.descriptor)
      file.size = bytes.length
      for (const group of this.#records(bytes, file)) {
        file.last = group.number
        if (group.number > this.#applied) groups.push(group)
      }
    }
    return groups.sort((a, b) => a.number - b.number)
  }

  /** The row: whole records of ascending numbers, found by the id of the store wherever they begin. */
  *#records(bytes: Buffer, file: LogFile): Generator<LoggedGroup> {
    let last = -1
    for (let id = bytes.indexOf(this.#storeId); id >= 0; ) {
      const at = id - ID_OFFSET
      const end = recordEnd(bytes, at, last)
      if (at >= 0 && at + HEADER_BYTES <= bytes.length)
        file.begun = Math.max(file.begun, bytes.readDoubleLE(at + NUMBER_OFFSET))
      if (end !== undefined) {
        last = bytes.readDoubleLE(at + NUMBER_OFFSET)
        yield { number: last, changes: [...decodeChanges(bytes.subarray(at + HEADER_BYTES, end))] }
      }
      id = bytes.indexOf(this.#storeId, end ?? id + 1)
    }
  }

  /**
   * Settles when the group is on disk. One at a time, with ascending numbers.
   *
   * @throws {Error} when it could not be written: nothing may be logged until {@link applied} is told of all that was
   */
  async append({ number, changes }: LoggedGroup): Promise<void> {
    // Its descriptors may be other files' by now.
    if (this.#closed) throw new Error('the log is closed')
    const file = this.#roomFor()
    const length = changes.reduce((sum, { key, value }) => sum + CHANGE_BYTES + key.length + (value?.length ?? 0), 0)
    const end = file.end + HEADER_BYTES + length
    const size = end <= file.size ? end : Math.ceil(end / GROWTH_BYTES) * GROWTH_BYTES
    const bytes = Buffer.allocUnsafe(size - file.end)
    bytes.writeUInt32LE(length, 4)
    this.#storeId.copy(bytes, ID_OFFSET)
    bytes.writeDoubleLE(number, NUMBER_OFFSET)
    encodeChanges(changes, bytes, HEADER_BYTES)
    bytes.writeUInt32LE(crc32(bytes.subarray(4, HEADER_BYTES + length)), 0)
    bytes.fill(0, HEADER_BYTES + length)
    await writeAll(file.descriptor, bytes, file.end)
    file.end = end
    file.size = Math.max(file.size, size)
    file.last = number
  }

  /** The tables have everything up to a number. */
  applied(number: number): void {
    this.#applied = number
  }

  /** True when what is logged should find its way into the tables soon, so that its place can be used again. */
  get isFull(): boolean {
    return (this.#files[this.#current] as LogFile).end > TURN_BYTES
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    for (const { descriptor } of this.#files) closeSync(descriptor)
  }

  /** The file to go on with: the other one once this one is full and the tables have what that one holds. */
  #roomFor(): LogFile {
    const current = this.#files[this.#current] as LogFile
    if (current.end <= TURN_BYTES) return current
    const other = this.#files[1 - this.#current] as LogFile
    if (other.last > this.#applied) return current
    this.#current = 1 - this.#current
    other.end = 0
    if (other.size > 2 * TURN_BYTES) {
      ftruncateSync(other.descriptor, TURN_BYTES)
      other.size = TURN_BYTES
    }
    return other
  }
}

function encodeChanges(changes: readonly Change[], bytes: Buffer, from: number): void {
  let at = from
  for (const { table, key, value } of changes) {
    bytes[at] = table
    bytes.writeUInt16LE(key.length, at + 1)
    bytes.writeUInt32LE(value?.length ?? REMOVED, at + 3)
    key.copy(bytes, at + CHANGE_BYTES)
    at += CHANGE_BYTES + key.length
    if (value === undefined) continue
    value.copy(bytes, at)
    at += value.length
  }
}

function* decodeChanges(bytes: Buffer): Generator<Change> {
  for (let at = 0; at < bytes.length; ) {
    const keyEnd = at + CHANGE_BYTES + bytes.readUInt16LE(at + 1)
    const length = bytes.readUInt32LE(at + 3)
    const end = keyEnd + (length === REMOVED ? 0 : length)
    const value = length === REMOVED ? undefined : bytes.subarray(keyEnd, end)
    yield { table: bytes[at] as number, key: bytes.subarray(at + CHANGE_BYTES, keyEnd), value }
    at = end
  }
}

/** Where a whole record with a higher number than `last` ends; undefined when there is none. */
function recordEnd(bytes: Buffer, at: number, last: number): number | undefined {
  if (at < 0 || at + HEADER_BYTES > bytes.length || !(bytes.readDoubleLE(at + NUMBER_OFFSET) > last)) return undefined
  const end = at + HEADER_BYTES + bytes.readUInt32LE(at + 4)
  return end <= bytes.length && crc32(bytes.subarray(at + 4, end)) === bytes.readUInt32LE(at) ? end : undefined
}

async function writeAll(descriptor: number, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += await new Promise<number>((resolve, reject) => {
      write(descriptor, bytes, done, bytes.length - done, position + done, (error, written) => {
        if (error === null) resolve(written)
        else reject(error)
      })
    })
  }
}
