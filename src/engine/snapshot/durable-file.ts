import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** How the name of a file begins that is being written. */
export const UNFINISHED = 'unfinished-'

/**
 * Writes a file so that it is there whole or not at all, whenever the process ends: under another name, synced, renamed.
 * Its name is durable after {@link syncFolder}.
 */
export async function writeDurably(folder: string, name: string, bytes: Buffer): Promise<void> {
  const unfinished = join(folder, `${UNFINISHED}${randomBytes(8).toString('hex')}`)
  try {
    const file = await open(unfinished, 'wx')
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, join(folder, name))
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {})
    throw error
  }
}

/** Makes the names in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes a folder and those it is in; their names are durable. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true })
  if (first === undefined) return
  for (let made = resolve(folder); made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}
