import { join, sep } from 'node:path'
import { ServiceError } from '../errors.ts'
import { fileProblem, systemCode } from '../file-problem.ts'
import type { EngineVersion } from './engine-version.ts'

/** Codes of a disk without space, or of a quota that is used up; lmdb names errors by their number. */
const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 28, 122])

/** Whether an error says that there is no space. */
export const isOfFullDisk = (error: unknown): boolean =>
  error instanceof Error && FULL.has(systemCode(error) ?? (error as { code?: unknown }).code)

/**
 * What is answered where an index' files cannot be written: a full disk's block, or the file and what is the matter with it.
 *
 * @returns the error itself where it is none of the system's
 */
export function fileFault(error: unknown, version: EngineVersion, index?: string): unknown {
  const { code, path, syscall } = error as NodeJS.ErrnoException
  if (syscall === undefined || code === undefined) return error
  if (isOfFullDisk(error)) return writeBlock(version, 'full', index)
  // Where the data lies is nobody's business who only asks.
  const file = path === undefined ? 'a file' : join(...path.split(sep).slice(-3))
  return new ServiceError('file_system_exception', `cannot write ${file}: ${fileProblem(error)}`)
}

/**
 * What writes are refused with while the store takes none: the real server's blocks, 12 of the flood stage, 5 of an index that
 * only reads.
 */
export function writeBlock(version: EngineVersion, why: 'full' | 'failed', index: string | undefined): ServiceError {
  const isSix = version === 'Elasticsearch_6.8'
  const isFull = why === 'full'
  const status = isSix || !isFull ? 403 : 429
  const block = isFull
    ? isSix
      ? 'FORBIDDEN/12/index read-only / allow delete (api)'
      : 'TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block'
    : 'FORBIDDEN/5/index read-only (api)'
  const scope = index === undefined || isSix ? '' : `index [${index}] `
  return new ServiceError('cluster_block_exception', `${scope}blocked by: [${block}];`, { status })
}
