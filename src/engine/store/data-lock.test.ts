import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { lockDataDirectory } from './data-lock.ts'

const root = mkdtempSync(join(tmpdir(), 'chaja-lock-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A folder with a path too long for a socket's name. */
function newFolder(name: string): string {
  const folder = join(root, name, 'x'.repeat(100))
  mkdirSync(folder, { recursive: true })
  return folder
}

describe('the lock of a data directory', () => {
  it('is held by one, and free for the next', async () => {
    const folder = newFolder('one')
    const lock = await lockDataDirectory(folder)
    await expect(lockDataDirectory(folder)).rejects.toThrow(`${folder} is open in another chaja process`)
    lock.release()
    ;(await lockDataDirectory(folder)).release()
    expect(existsSync(join(folder, 'lock'))).toBe(false)
  })

  // Containers that share a volume have no names of sockets in common.
  it.runIf(process.platform === 'linux')('is seen by who sees nothing of its process but the folder', async () => {
    const folder = join(root, 'shared')
    mkdirSync(folder)
    const other = createServer().listen(join(folder, 'lock'))
    await new Promise((resolve) => other.once('listening', resolve))
    await expect(lockDataDirectory(folder)).rejects.toThrow(`${folder} is open in another chaja process`)
    other.close()
    ;(await lockDataDirectory(folder)).release()
  })

  it.runIf(process.platform === 'linux')('does not outlive its process, however that ends', async () => {
    const folder = join(root, 'killed')
    mkdirSync(folder)
    const listening = `require('net').createServer().listen(${JSON.stringify(join(folder, 'lock'))}, () => process.kill(process.pid, 'SIGKILL'))`
    await new Promise((resolve) => spawn(process.execPath, ['-e', listening]).once('exit', resolve))
    expect(existsSync(join(folder, 'lock'))).toBe(true)
    ;(await lockDataDirectory(folder)).release()
  })

  it.runIf(process.platform === 'linux')(
    'goes to one of those who find what a killed one left at the same time',
    async () => {
      for (let round = 0; round < 20; round++) {
        const file = join(root, `race-${round}`)
        const listening = createServer().listen(`${file}.old`)
        await new Promise((resolve) => listening.once('listening', resolve))
        renameSync(`${file}.old`, file)
        listening.close()
        const tries = await Promise.allSettled(
          [1, 2].map((n) => lockDataDirectory(newFolder(`race-${round}-${n}`), file)),
        )
        const held = tries.filter((one) => one.status === 'fulfilled')
        expect(held, `round ${round}`).toHaveLength(1)
        held[0]?.value.release()
      }
    },
  )
})
