import { createHash } from 'node:crypto'
import { realpathSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Holds a data directory for this process; ends with the process, however that ends. */
export interface DataLock {
  release(): void
}

/**
 * Takes a data directory for one process: a listening socket named after the folder, which the kernel closes with its
 * owner, so that a lock never outlives a kill -9.
 *
 * @throws {Error} when another process has the folder open
 */
export async function lockDataDirectory(folder: string): Promise<DataLock> {
  const name = `chaja-${createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 32)}`
  // Linux has socket names that are no files; elsewhere a left-over file is told by nobody answering on it.
  const path = process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`)
  const server = await listen(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    if (process.platform === 'linux' || (await answers(path))) {
      throw new Error(`the data directory ${folder} is open in another chaja process`)
    }
    rmSync(path, { force: true })
    return listen(path)
  })
  return { release: () => server.close() }
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
