import { createHash, randomBytes } from 'node:crypto'
import { closeSync, linkSync, openSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** How often a left-over lock is tried to be taken over. */
const MOST_ATTEMPTS = 20

/** Holds a data directory for this process; ends with the process, however that ends. */
export interface DataLock {
  release(): void
}

/**
 * Takes a data directory for one process: a listening socket named after the folder, which the kernel closes with its
 * owner, so that a lock never outlives a kill -9. On Linux a second one, a file in the folder, is met by containers
 * that share the folder and nothing else.
 *
 * @param file  the second one's path
 * @throws {Error} when another process has the folder open
 */
export async function lockDataDirectory(folder: string, file = join(folder, 'lock')): Promise<DataLock> {
  const name = `chaja-${createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 32)}`
  // Linux has socket names that are no files; elsewhere a left-over file is told by nobody answering on it.
  if (process.platform !== 'linux') return take(join(tmpdir(), `${name}.sock`), folder)
  const named = await take(`\0${name}`, folder)
  try {
    const filed = await lockFile(file, folder)
    return {
      release() {
        filed.release()
        named.release()
      },
    }
  } catch (error) {
    named.release()
    throw error
  }
}

async function lockFile(file: string, folder: string): Promise<DataLock> {
  // By its folder's number a path may be longer than the name of a socket.
  const parent = openSync(dirname(file), 'r')
  try {
    const lock = await take(`/proc/self/fd/${parent}/${basename(file)}`, folder)
    let held = true
    return {
      release() {
        lock.release()
        if (held) closeSync(parent)
        held = false
      },
    }
  } catch (error) {
    closeSync(parent)
    // A file system that has no sockets.
    if ((error as NodeJS.ErrnoException).code !== undefined) return { release() {} }
    throw error
  }
}

async function take(path: string, folder: string): Promise<DataLock> {
  for (let attempt = 1; ; attempt++) {
    try {
      const server = await listen(path)
      return { release: () => server.close() }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || attempt === MOST_ATTEMPTS) throw error
    }
    const isHeld = (await answers(path)) || (!path.startsWith('\0') && !(await removeLeftOver(path)))
    if (isHeld) throw new Error(`the data directory ${folder} is open in another chaja process`)
  }
}

/** Removes a file nobody answers on. @returns false when somebody does after all: another has just done the same, and taken it */
async function removeLeftOver(path: string): Promise<boolean> {
  // Moved away first: whoever is removed by mistake is there again at once.
  const aside = `${path}.${randomBytes(4).toString('hex')}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true
    throw error
  }
  const isHeld = await answers(aside)
  if (isHeld) linkSync(aside, path)
  rmSync(aside, { force: true })
  return !isHeld
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.unref()
    server.once('error', reject)
    server.listen(path, () => resolve(server))
  })
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
