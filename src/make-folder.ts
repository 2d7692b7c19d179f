import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncNames } from './sync-names.ts'

/**
 * Makes a folder and those above it that are missing; their names survive a power cut. Node's own way of doing so
 * (`recursive`) does not end where a folder takes no others, as `/proc` does not.
 *
 * @throws what `mkdirSync` throws: ENOENT where nothing can be made, EEXIST where a file is in the way
 */
export function makeFolder(path: string, mode?: number): void {
  try {
    make(path, mode)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
    const above = dirname(path)
    if (code !== 'ENOENT' || above === path || statSync(above, { throwIfNoEntry: false }) !== undefined) throw error
    makeFolder(above, mode)
    make(path, mode)
  }
}

function make(path: string, mode: number | undefined): void {
  mkdirSync(path, mode)
  syncNames(dirname(path))
}
