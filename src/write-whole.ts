import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncNames } from './sync-names.ts'

/**
 * Writes a small file so that whoever reads it finds what was there before or all of the new, after a crash and on a full
 * disk too.
 *
 * @param mode  rights of the file, such as 0o600
 * @throws {Error} the system's, naming the file
 */
export function writeWhole(path: string, text: string, mode: number): void {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    const file = openSync(temporary, 'w', mode)
    try {
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
    syncNames(dirname(path))
  } catch (error) {
    rmSync(temporary, { force: true })
    throw Object.assign(error as Error, { path })
  }
}
