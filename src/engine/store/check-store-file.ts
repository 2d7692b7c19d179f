import { closeSync, constants, existsSync, fstatSync, ftruncateSync, openSync, readSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkRoom } from './check-room.ts'
import { type StoreHeader, treeAt } from './store-pages.ts'

/* LMDB's file begins with two pages that say what it holds, of which the one of the later commit counts (64-bit
 * machines, little-endian):
 *   OFFSET  SIZE  DESCRIPTION
 *       24     4  0xbeefc0de
 *       48    48  the tree of free pages (store-pages.ts), first of all u32: bytes of a page
 *       96    48  the main tree
 *      144     8  number of the last page
 *      152     8  number of the commit
 */

const MAGIC = 0xbeefc0de
const HEADER_BYTES = 160
const LEAST_PAGE_BYTES = 4096

/**
 * Looks at the file of a store before LMDB maps it into memory, where what is damaged or missing ends the process.
 * Pages that are missing at its end (free ones need not be there) are added, so that whoever needs one is told. Its lock's
 * file can be opened afterwards, too.
 *
 * @param isShared  it may be open in another process: nothing is added
 * @returns its header; undefined when there is no store yet
 * @throws {Error} when it is no store, or there was one and is none any more, or none can be made
 */
export function checkStoreFile(path: string, isShared = false): StoreHeader | undefined {
  const file = existsSync(path) ? openSync(path, 'r+') : undefined
  try {
    const lock = `${path}-lock`
    if (existsSync(lock)) closeSync(openSync(lock, 'r+'))
    else if (existsSync(dirname(path))) checkRoom(dirname(path))
    const size = file === undefined ? 0 : fstatSync(file).size
    if (file === undefined || size === 0) {
      // A store has its log from the beginning.
      if (!hasLog(path)) return undefined
      throw new Error(`${path} is missing or empty, though there was a store: nothing was changed`)
    }
    const first = header(file, 0)
    const second = first === undefined ? undefined : header(file, first.pageBytes)
    if (first === undefined || second === undefined)
      throw new Error(`${path} is damaged: it does not begin as a store does`)
    const last = second.commit > first.commit ? second : first
    const whole = (last.lastPage + 1) * first.pageBytes
    if (size < whole && !isShared) ftruncateSync(file, whole)
    return last
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/**
 * Removes the file of a store that was never made: its two first pages are written before its log is, and what cut them
 * short was a full disk, or the end of the process.
 */
export function removeHalfMade(path: string): void {
  if (!existsSync(path) || hasLog(path)) return
  const file = openSync(path, 'r')
  const isHalf = fstatSync(file).size < 2 * (header(file, 0)?.pageBytes ?? LEAST_PAGE_BYTES)
  closeSync(file)
  if (isHalf) rmSync(path)
}

/**
 * Sees to it that the pages a store begins with are on disk as they are read: of one whose write failed there may be something
 * else.
 *
 * @throws {Error} when they cannot be written
 */
export async function rewriteHeaders(path: string): Promise<void> {
  const file = await open(path, constants.O_RDWR | constants.O_DSYNC)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LEAST_PAGE_BYTES), 0, LEAST_PAGE_BYTES, 0)
    const bytes = Buffer.alloc(2 * buffer.readUInt32LE(48))
    if (bytesRead < LEAST_PAGE_BYTES || buffer.readUInt32LE(24) !== MAGIC)
      throw new Error(`${path} is no store any more`)
    await file.read(bytes, 0, bytes.length, 0)
    await file.write(bytes, 0, bytes.length, 0)
    await file.sync()
  } finally {
    await file.close()
  }
}

const hasLog = (path: string): boolean => existsSync(join(dirname(path), 'wal.0'))

function header(file: number, at: number): StoreHeader | undefined {
  const bytes = Buffer.alloc(HEADER_BYTES)
  if (readSync(file, bytes, 0, HEADER_BYTES, at) < HEADER_BYTES || bytes.readUInt32LE(24) !== MAGIC) return undefined
  return {
    pageBytes: bytes.readUInt32LE(48),
    freePages: treeAt(bytes, 48),
    main: treeAt(bytes, 96),
    lastPage: Number(bytes.readBigUInt64LE(144)),
    commit: Number(bytes.readBigUInt64LE(152)),
  }
}
