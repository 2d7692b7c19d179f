import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Bytes without which no store can begin. */
const LEAST_BYTES = 2 ** 20

/**
 * Sees that a folder takes files and what a new store writes: LMDB ends the process where it cannot make its files.
 *
 * @throws {Error} the system's, naming the folder
 */
export function checkRoom(folder: string): void {
  const probe = join(folder, `room-${process.pid}`)
  try {
    writeFileSync(probe, Buffer.alloc(LEAST_BYTES))
  } catch (error) {
    throw Object.assign(error as Error, { path: folder })
  } finally {
    rmSync(probe, { force: true })
  }
}
