import { processLimit } from '../process-limit.ts'

/** Files that are no connections: the store, segments and repositories while they are read and written, threads. */
const OTHER_FILES = 128
/** Connections that are taken however few files there may be. */
const LEAST_CONNECTIONS = 16

/** How many connections are taken at a time, and why no more. */
export interface ConnectionLimit {
  readonly connections: number
  /** Files that the process may have open. */
  readonly files: number
}

/**
 * So many connections that files can still be opened beside them: a connection that is refused is made again, a segment that
 * cannot be written is a fault of a request.
 *
 * @returns undefined where files are not limited
 */
export function connectionLimit(files = processLimit('Max open files')): ConnectionLimit | undefined {
  if (!Number.isFinite(files)) return undefined
  return { connections: Math.max(files - OTHER_FILES, LEAST_CONNECTIONS), files }
}
