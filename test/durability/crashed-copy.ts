import { cpSync, lstatSync } from 'node:fs'

/** Copies a data directory as a crash at this moment would leave it: without the socket that is its lock. */
export function copyAsCrashed(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => !lstatSync(path).isSocket() })
}
