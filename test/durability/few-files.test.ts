import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { mainPath } from '../../scripts/domain-process.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'chaja-few-files-'))
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

/** Runs a domain that may have so many files open. */
function limited(files: number) {
  const command = [process.execPath, mainPath, 'serve', '--data', dataDir, '--port', '0', '--http', '--open']
  const child = spawn('/bin/sh', ['-c', `ulimit -n ${files}; exec "$@"`, 'sh', ...command])
  children.push(child)
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk) => (said.out += chunk))
  child.stderr.on('data', (chunk) => (said.err += chunk))
  return { child, said, ended: once(child, 'exit') }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20))
}

it('refuses connections rather than what a request takes files for, and says which limit to raise', async () => {
  const { child, said, ended } = limited(160)
  await until(() => said.out.includes('listening on') || child.exitCode !== null)
  const url = new URL(/listening on (\S+)/.exec(said.out)?.[1] as string)
  const headers = { 'content-type': 'application/json', connection: 'keep-alive' }
  const ask = (path: string, method: string, body?: string) =>
    fetch(new URL(path, url), { method, headers, ...(body === undefined ? {} : { body }) })
  expect((await ask('/a/_doc/1', 'PUT', '{}')).status).toBe(201)
  const sockets: Socket[] = []
  for (let i = 0; i < 60; i++) {
    const socket = connect(Number(url.port), url.hostname)
    socket.on('error', () => {})
    sockets.push(socket)
  }
  await until(() => said.err.includes('raise the limit (ulimit -n)'))
  await until(() => sockets.some((socket) => socket.destroyed || socket.readableEnded))
  // On the connection of before.
  expect((await ask('/a/_flush', 'POST')).status).toBe(200)
  for (const socket of sockets) socket.destroy()
  child.kill()
  expect((await ended)[0]).toBe(0)
}, 600_000)

it('says so where there are too few to be loaded', async () => {
  // Node 20 opens many modules at once, and can load none; later ones come as far as the store.
  const { said, ended } = limited(30)
  expect((await ended)[0]).toBe(1)
  expect(said.err).toMatch(/^chaja( serve)?: .*too (few|many) files .*: raise the limit \(ulimit -n\)/)
}, 600_000)
