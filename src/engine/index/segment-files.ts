import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DamagedSegmentError, segmentChecksum } from './segment-file.ts'
import { StoredSegment } from './stored-segment.ts'

/** The folder that holds one index' segment files. */
export class SegmentFiles {
  readonly folder: string
  readonly #onDisk = new Set<string>()
  #drafts = 0
  #closed = false

  constructor(folder: string) {
    this.folder = folder
  }

  /** Names of the segments that were read from here or written. */
  get onDisk(): ReadonlySet<string> {
    return this.#onDisk
  }

  /** False: somebody took the folder away. */
  get isThere(): boolean {
    return existsSync(this.folder)
  }

  /** Makes the folder, with nothing in it, but none for the data of a domain that is not there itself. */
  make(): void {
    this.#onDisk.clear()
    if (existsSync(dirname(dirname(this.folder)))) mkdirSync(this.folder, { recursive: true })
  }

  path(name: string): string {
    return join(this.folder, `${name}.seg`)
  }

  /**
   * Reads a segment whole.
   *
   * @param checksum  its checksum as it was written, where that is known
   * @throws {Error} when it is missing or damaged, or another one
   */
  read(name: string, checksum?: number): StoredSegment {
    const file = openSync(this.path(name), 'r')
    try {
      // Straight into shared memory: segments are large, and read at the start.
      const shared = new SharedArrayBuffer(fstatSync(file).size)
      const bytes = new Uint8Array(shared)
      for (let at = 0; at < bytes.length; ) {
        const count = readSync(file, bytes, at, Math.min(bytes.length - at, 1 << 28), at)
        if (count === 0) throw new Error(`${this.path(name)} ends before its size`)
        at += count
      }
      const segment = new StoredSegment(shared)
      if (checksum !== undefined && segmentChecksum(shared) !== checksum)
        throw new DamagedSegmentError('it is another segment than the one that was written')
      this.#onDisk.add(name)
      return segment
    } finally {
      closeSync(file)
    }
  }

  /** Writes a segment so that it is there whole or not at all, and on disk when this settles. */
  async write(name: string, segment: StoredSegment): Promise<void> {
    const draft = `${this.path(name)}.${++this.#drafts}.new`
    const file = await open(draft, 'w')
    try {
      const bytes = new Uint8Array(segment.bytes)
      for (let at = 0; at < bytes.length; )
        at += (await file.write(bytes, at, Math.min(bytes.length - at, 1 << 24))).bytesWritten
      await file.sync()
    } catch (error) {
      rmSync(draft, { force: true })
      throw error
    } finally {
      await file.close()
    }
    if (this.#closed) throw new Error(`the folder ${this.folder} was closed while a segment was being written`)
    renameSync(draft, this.path(name))
    const folder = await open(this.folder, 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
    this.#onDisk.add(name)
  }

  /** Removes every file but the named segments; answers the paths of the segments among those. */
  keepOnly(names: ReadonlySet<string>): string[] {
    const removed: string[] = []
    for (const name of this.#onDisk) if (!names.has(name)) this.#onDisk.delete(name)
    if (!this.isThere) return removed
    for (const file of readdirSync(this.folder)) {
      if (names.has(file.replace(/\.seg$/, ''))) continue
      try {
        rmSync(join(this.folder, file), { force: true })
      } catch {
        // One that cannot be removed costs space and nothing else: the next time it is tried again.
        continue
      }
      if (file.endsWith('.seg')) removed.push(join(this.folder, file))
    }
    return removed
  }

  /** Nothing is written any more, not even what is half written: another owner may have the folder now. */
  close(): void {
    this.#closed = true
  }
}
