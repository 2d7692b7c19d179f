import { statfsSync } from 'node:fs'

/** Bytes that may still be written to the file system a folder is on; undefined when there is no such folder any more. */
export function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return undefined
  }
}
