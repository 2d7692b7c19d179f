import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { ClientError } from '../client/client-error.ts'

/**
 * Takes files that are yet to be written for this process, which it has until it ends, however that is: listening
 * sockets named after them. Where the names of sockets are files (all but Linux) nothing is taken.
 *
 * @returns what lets go of them
 * @throws {ClientError} when another process has one of them
 */
export async function lockFiles(paths: readonly string[]): Promise<() => void> {
  const servers: Server[] = []
  const release = () => {
    for (const server of servers) server.close()
  }
  if (process.platform !== 'linux') return release
  try {
    for (const path of paths) servers.push(await lock(path))
  } catch (error) {
    release()
    throw error
  }
  return release
}

function lock(path: string): Promise<Server> {
  const hash = createHash('sha256').update(wholePath(path)).digest('hex').slice(0, 32)
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.unref()
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const isTaken = cause.code === 'EADDRINUSE'
      reject(isTaken ? new ClientError('response', `another transfer is writing ${path}: wait until it ends`) : cause)
    })
    server.listen(`\0chaja-transfer-${hash}`, () => resolve(server))
  })
}

/** One folder has several paths, and one that is not there is told by whoever writes into it. */
function wholePath(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path))
  } catch {
    return path
  }
}
