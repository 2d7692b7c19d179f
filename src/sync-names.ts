import { closeSync, fsyncSync, openSync } from 'node:fs'

/** What is said of a folder that cannot be opened to be synced: it may not be read, or the system syncs files alone. */
const NOT_TO_BE_SYNCED: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EINVAL', 'EISDIR', 'ENOTSUP'])

/** Makes the names in a folder survive a power cut: those of files and folders that were made, renamed or linked there. */
export function syncNames(folder: string): void {
  try {
    const names = openSync(folder, 'r')
    try {
      fsyncSync(names)
    } finally {
      closeSync(names)
    }
  } catch (error) {
    if (!NOT_TO_BE_SYNCED.has((error as NodeJS.ErrnoException).code))
      throw Object.assign(error as Error, { path: folder })
  }
}
