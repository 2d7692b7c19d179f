import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { fileProblem } from '../file-problem.ts'
import { UsageError } from './usage-error.ts'

/**
 * Text of a file that a command line names, or of stdin for `-`, without the mark that some editors put first.
 *
 * @throws {UsageError} saying why it cannot be read, or that it is no text
 */
export async function readTextFile(path: string): Promise<string> {
  const name = path === '-' ? 'stdin' : path === '' ? 'a file without a name' : path
  let bytes: Buffer
  try {
    // Stdin as a stream: reading descriptor 0 at once fails where it is a socket or has nothing yet.
    bytes = path === '-' ? await buffer(process.stdin) : await readFile(path)
  } catch (cause) {
    throw new UsageError(`cannot read ${name}: ${fileProblem(cause)}`, { cause })
  }
  return textOf(bytes, name)
}

/**
 * Bytes as text, without the mark that some editors put first.
 *
 * @param name  where they come from, for the error
 * @throws {UsageError} where they are not UTF-8: reading on would put other characters in their place
 */
export function textOf(bytes: Buffer, name: string): string {
  if (!isUtf8(bytes)) throw new UsageError(`${name} is not UTF-8`)
  return bytes.toString('utf8').replace(/^\ufeff/, '')
}
