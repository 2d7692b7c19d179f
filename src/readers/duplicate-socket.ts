import { spawn } from 'node:child_process'
import type { ListeningHandle } from '../http/http-server.ts'

/** Sends back what it is sent. */
const ECHO = "process.on('message', (_, handle) => process.send('here', handle, () => process.disconnect()))"

/** Longest a child may take to start and answer. */
const TIMEOUT_MS = 10_000

/**
 * Duplicates a listening socket's file descriptor, so that a thread can listen on it and close it as its own. node has
 * no call for that, but a handle sent to a child process and back comes back as a duplicate (about 70 ms).
 *
 * @returns the duplicate's number; the thread that opens it closes it
 * @throws {Error} when no process can be started
 */
export function duplicateSocket(handle: ListeningHandle): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['-e', ECHO], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env: {} })
    const timer = setTimeout(() => fail(new Error('no answer')), TIMEOUT_MS)
    const fail = (error: Error) => {
      clearTimeout(timer)
      child.kill()
      reject(new Error(`the listening socket could not be duplicated: ${error.message}`))
    }
    child.once('error', fail)
    child.once('exit', (code) => fail(new Error(`the child ended with ${code}`)))
    child.once('message', (_, duplicate) => {
      clearTimeout(timer)
      child.removeAllListeners('exit')
      // The handle object itself is never closed here: its descriptor is the thread's.
      resolve((duplicate as unknown as ListeningHandle).fd)
    })
    child.send('there', handle as never, (error) => {
      if (error !== null) fail(error)
    })
  })
}
