import { readFileSync } from 'node:fs'
import { fileProblem } from '../client/file-problem.ts'
import { UsageError } from './usage-error.ts'

/**
 * Text of a file that a command line names, or of stdin for `-`, without the mark that some editors put first.
 *
 * @throws {UsageError} saying why it cannot be read
 */
export function readTextFile(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8').replace(/^\ufeff/, '')
  } catch (error) {
    throw new UsageError(`cannot read ${path === '' ? 'a file without a name' : path}: ${fileProblem(error)}`, {
      cause: error,
    })
  }
}
