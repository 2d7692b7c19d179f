import { statfsSync } from 'node:fs'

/** Bytes that may still be written to the file system a folder is on. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
