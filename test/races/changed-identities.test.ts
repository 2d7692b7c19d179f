import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DomainProcess, mainPath, startDomain } from '../../scripts/domain-process.ts'
import { nodeHash } from '../../src/access/signature/node-hash.ts'
import { type SigningCredentials, signRequest } from '../../src/access/signature/sign-request.ts'

/*
 * Identities and policy are changed by commands beside a domain that works: what is sent once the command has ended is judged by what it
 * left. And a domain is stopped and started again beneath clients that try again.
 */

const CLIENTS = 16
const root = mkdtempSync(join(tmpdir(), 'chaja-changed-'))
const dataDir = join(root, 'data')
let domain: DomainProcess
let worker: SigningCredentials
let arn: string

async function chaja(...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [mainPath, ...args, '--data', dataDir], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0 || err.includes('not taken')) throw new Error(`chaja ${args.join(' ')}: ${code} ${err}`)
  return out
}

async function newKey(text: Promise<string>): Promise<SigningCredentials> {
  const { accessKeyId, secretAccessKey } = JSON.parse(await text)
  return { accessKeyId, secretAccessKey }
}

async function setPolicy(effect: 'Allow' | 'Deny'): Promise<void> {
  const statement = { Effect: effect, Principal: { AWS: arn }, Action: 'es:*', Resource: '*' }
  const file = join(root, 'policy.json')
  writeFileSync(file, JSON.stringify({ Version: '2012-10-17', Statement: [statement] }))
  await chaja('policy', 'set', file)
}

interface Sent {
  readonly atMs: number
  readonly status: number
}

async function send(key: SigningCredentials, method = 'GET', target = '/', body = ''): Promise<Sent> {
  const headers = await signRequest(
    { method, target, headers: { host: new URL(domain.url).host, 'content-type': 'application/json' }, body },
    key,
    { region: 'us-east-1', hash: nodeHash },
  )
  const atMs = performance.now()
  const response = await fetch(new URL(target, domain.url), { method, headers, ...(body === '' ? {} : { body }) })
  await response.arrayBuffer()
  return { atMs, status: response.status }
}

/** What clients are answered that ask on and on, while something is changed. @returns what was sent once that was done, and before */
async function beside(key: SigningCredentials, change: () => Promise<unknown>) {
  const sent: Sent[] = []
  let isOver = false
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) sent.push(await send(key))
  })
  // Every client has been answered, and the door remembers its key.
  while (sent.length < 2 * CLIENTS) await sleep(5)
  await change()
  const doneMs = performance.now()
  const asked = sent.length
  while (sent.length < asked + 3 * CLIENTS) await sleep(5)
  isOver = true
  await Promise.all(clients)
  return {
    before: new Set(sent.filter(({ atMs }) => atMs < doneMs).map(({ status }) => status)),
    after: new Set(sent.filter(({ atMs }) => atMs >= doneMs).map(({ status }) => status)),
  }
}

beforeAll(async () => {
  domain = await startDomain({ dataDir, secure: true, args: ['--http'] })
  arn = (await chaja('user', 'add', 'worker')).trim()
  worker = await newKey(chaja('key', 'add', 'worker', '--json'))
  await setPolicy('Allow')
}, 120_000)

afterAll(async () => {
  await domain.stop()
  rmSync(root, { recursive: true, force: true })
})

describe('beside clients at work', { timeout: 300_000 }, () => {
  it('a policy holds for what is sent once the command that set it has ended', async () => {
    const denied = await beside(worker, () => setPolicy('Deny'))
    expect([...denied.after]).toEqual([403])
    expect(denied.before).toContain(200)
    const allowed = await beside(worker, () => setPolicy('Allow'))
    expect([...allowed.after]).toEqual([200])
  })

  it('a key that was rotated, or removed, lets nobody in any more', async () => {
    let next = worker
    const rotated = await beside(worker, async () => {
      next = await newKey(chaja('key', 'rotate', worker.accessKeyId, '--json'))
    })
    expect([...rotated.after]).toEqual([403])
    expect((await send(next)).status).toBe(200)
    const removed = await beside(next, () => chaja('key', 'remove', next.accessKeyId))
    expect([...removed.after]).toEqual([403])
    worker = await newKey(chaja('key', 'add', 'worker', '--json'))
    const gone = await beside(worker, () => chaja('user', 'remove', 'worker'))
    expect([...gone.after]).toEqual([403])
    await chaja('user', 'add', 'worker')
    expect((await send(worker)).status).toBe(403)
    worker = await newKey(chaja('key', 'add', 'worker', '--json'))
  })

  it('a domain that is stopped and started again loses nothing that it has answered', async () => {
    const port = new URL(domain.url).port
    const written = new Set<string>()
    const statuses = new Set<number>()
    let isOver = false
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let n = 0; !isOver; n++) {
        const id = `${client}-${n}`
        for (;;) {
          const answer = await send(worker, 'PUT', `/i/_doc/${id}`, `{"n":${n}}`).catch(() => undefined)
          if (answer !== undefined) statuses.add(answer.status)
          if (answer?.status === 200 || answer?.status === 201) break
          await sleep(20)
        }
        written.add(id)
      }
    })
    for (let restarts = 0; restarts < 2; restarts++) {
      const before = written.size
      while (written.size < before + 3 * CLIENTS) await sleep(5)
      expect(await domain.stop()).toBe(0)
      domain = await startDomain({ dataDir, secure: true, args: ['--http', '--port', port] })
    }
    const before = written.size
    while (written.size < before + 3 * CLIENTS) await sleep(5)
    isOver = true
    await Promise.all(clients)
    // While it stops it may say so.
    expect([...statuses].filter((status) => ![200, 201, 503].includes(status))).toEqual([])
    for (const id of written) expect((await send(worker, 'GET', `/i/_doc/${id}`)).status, id).toBe(200)
  })
})
