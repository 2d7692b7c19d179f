import { closeSync, openSync } from 'node:fs'

/** What opening a store takes, and a few more. */
const NEEDED = 8

/**
 * Checks that a few more files can be opened: LMDB ends the process where it gets some of its own and not the others.
 *
 * @param folder  one that is there
 * @throws {Error} naming what to do
 */
export function checkDescriptors(folder: string): void {
  const opened: number[] = []
  try {
    while (opened.length < NEEDED) opened.push(openSync(folder, 'r'))
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== 'EMFILE' && code !== 'ENFILE') throw cause
    throw new Error(
      `too few files can be opened to open the store in ${folder} (${code}): raise the limit (ulimit -n), or close other files`,
      { cause },
    )
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
  }
}
