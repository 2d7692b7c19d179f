import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { removeDataDir } from '../../scripts/domain-process.ts'
import { Client } from '../../src/client/client.ts'
import { type Fault, type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { transferWithInterruptions } from './interruptions.ts'
import { digestOf, fill, makeDocuments, RestartableDomain } from './open-domain.ts'
import { runTransfer, startTransfer } from './transfer-command.ts'

// Each command is a process of its own: seconds on a busy machine.
/** Rounds of interruptions: a few here, fifty by CHAJA_INTERRUPTIONS=50 (minutes). */
const ROUNDS = Number(process.env['CHAJA_INTERRUPTIONS'] ?? 4)
const COUNT = 4_000

let source: RestartableDomain
let destination: RestartableDomain
let folder: string
let expected: { count: number; hex: string }
let proxies: FaultProxy[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chaja-faults-'))
  source = await RestartableDomain.start()
  destination = await RestartableDomain.start()
  await fill(source.url, 'source', makeDocuments(COUNT), 'thing')
  expected = await digestOf(source.url, 'source')
})

afterEach(async () => {
  for (const proxy of proxies) await proxy.close()
  proxies = []
})

afterAll(async () => {
  for (const domain of [source, destination]) {
    await domain?.stop()
    if (domain !== undefined) removeDataDir(domain.dataDir)
  }
  rmSync(folder, { recursive: true, force: true })
})

async function proxy(target: string, decide: Parameters<typeof startFaultProxy>[1]): Promise<FaultProxy> {
  const started = await startFaultProxy(target, decide)
  proxies.push(started)
  return started
}

/** The same faults every time. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Waits until the checkpoint of the transfer in a folder knows of documents that are written. */
async function untilWritten(inside: string): Promise<void> {
  for (;;) {
    const name = readdirSync(inside).find((file) => file.endsWith('.checkpoint.json'))
    if (name !== undefined && JSON.parse(readFileSync(join(inside, name), 'utf8')).written > 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function expectEqual(index: string) {
  expect(await digestOf(destination.url, index)).toEqual(expected)
}

describe('a transfer comes to its end', () => {
  it('through a storm of 429 and 503, whole requests and single items', async () => {
    const random = randomFrom(1)
    const before = await proxy(
      destination.url,
      ({ path }): Fault => (/\/_bulk\b/.test(path) && random() < 0.4 ? (random() < 0.5 ? 429 : 503) : 'pass'),
    )
    const end = await runTransfer([`${source.url}/source`, `${before.url}/stormy`, '--batch', '200'], { folder })
    expect(end, end.stderr).toMatchObject({ code: 0, report: { written: COUNT, verification: { equal: true } } })
    expect(end.report?.retries).toBeGreaterThan(200)
    expect((before.done[429] ?? 0) + (before.done[503] ?? 0)).toBeGreaterThan(3)
    await expectEqual('stormy')
  })

  it('when the destination takes small requests only (413)', async () => {
    const before = await proxy(destination.url, ({ bytes }): Fault => (bytes > 60_000 ? 413 : 'pass'))
    const end = await runTransfer([`${source.url}/source`, `${before.url}/small`], { folder })
    expect(end, end.stderr).toMatchObject({ code: 0, report: { written: COUNT, rejected: 0 } })
    expect(before.done[413]).toBeGreaterThan(0)
    await expectEqual('small')
  })

  it('and refuses the one document that is too large for any request', async () => {
    const client = Client.connect({ host: source.url })
    await client.put('large', 'thing', 'small', { text: 'x' })
    await client.put('large', 'thing', 'large', { text: 'x'.repeat(100_000) })
    client.close()
    const before = await proxy(destination.url, ({ bytes }): Fault => (bytes > 60_000 ? 413 : 'pass'))
    const end = await runTransfer([`${source.url}/large`, `${before.url}/large`], { folder })
    expect(end, end.stderr).toMatchObject({ code: 3, report: { written: 1, rejected: 1 } })
    expect(readFileSync(join(folder, end.report?.rejectFile as string), 'utf8')).toContain('"status":413')
  })

  it('over connections that break before and after the server has acted', async () => {
    const random = randomFrom(7)
    const decide = (): Fault => (random() < 0.15 ? 'reset' : random() < 0.15 ? 'lose-answer' : 'pass')
    const [from, to] = [await proxy(source.url, decide), await proxy(destination.url, decide)]
    const end = await runTransfer([`${from.url}/source`, `${to.url}/broken`, '--batch', '200'], { folder })
    expect(end, end.stderr).toMatchObject({ code: 0, report: { written: COUNT, rejected: 0 } })
    await expectEqual('broken')
  })

  it.each([
    ['the source is', () => [source]],
    ['the destination is', () => [destination]],
    ['both are', () => [source, destination]],
  ])('when %s killed in the middle and started again', async (name, domains) => {
    const index = `killed-${name.replace(/\W+/g, '-')}`
    const args = [`${source.url}/source`, `${destination.url}/${index}`, '--batch', '200', '--rate', '2500']
    const { ended } = startTransfer(args, { folder })
    await new Promise((resolve) => setTimeout(resolve, 900))
    await Promise.all(domains().map((domain) => domain.kill()))
    await Promise.all(domains().map((domain) => domain.restart()))
    const end = await ended
    expect(end, end.stderr).toMatchObject({ code: 0, report: { written: COUNT, rejected: 0, resumed: false } })
    await expectEqual(index)
  })
})

describe('an interrupted transfer', () => {
  it('says how to go on, leaves a checkpoint, and does not read again what is done', async () => {
    const inside = join(folder, 'resumed')
    mkdirSync(inside)
    const args = [`${source.url}/source`, `${destination.url}/resumed`, '--batch', '100', '--rate', '1500']
    const first = startTransfer(args, { folder: inside })
    await untilWritten(inside)
    first.child.kill('SIGINT')
    const interrupted = await first.ended
    expect(interrupted).toMatchObject({ code: 130, report: undefined })
    expect(interrupted.stderr).toMatch(/run the same command again to go on from chaja-transfer-\w+\.checkpoint\.json/)
    expect(readdirSync(inside)).toHaveLength(1)

    let read = 0
    const before = await proxy(source.url, ({ path }): Fault => {
      if (/_search|_documents/.test(path)) read++
      return 'pass'
    })
    // Another address of the same source is another transfer: the checkpoint says whose it is.
    const checkpoint = readdirSync(inside)[0] as string
    const other = [`${before.url}/source`, ...args.slice(1), '--checkpoint', checkpoint]
    const refused = await runTransfer(other, { folder: inside })
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('is the checkpoint of')
    expect(read).toBe(0)

    const second = await runTransfer([...args, '--no-verify'], { folder: inside })
    expect(second, second.stderr).toMatchObject({ code: 0, report: { resumed: true, read: COUNT, written: COUNT } })
    expect(second.stderr).toMatch(/going on from .*: [1-9]\d* documents are written/)
    expect(readdirSync(inside)).toEqual([])
    await expectEqual('resumed')
  })

  it('goes on with the digest of what it has read, too', async () => {
    const inside = join(folder, 'digest')
    mkdirSync(inside)
    let searches = 0
    const before = await proxy(source.url, ({ path }): Fault => {
      if (/_search|_documents/.test(path)) searches++
      return 'pass'
    })
    const args = [`${before.url}/source`, `${destination.url}/digest`, '--batch', '100']
    const first = startTransfer([...args, '--rate', '1500'], { folder: inside })
    await untilWritten(inside)
    first.child.kill('SIGKILL')
    await first.ended
    const { read } = JSON.parse(readFileSync(join(inside, readdirSync(inside)[0] as string), 'utf8'))
    searches = 0
    const second = await runTransfer(args, { folder: inside })
    expect(second, second.stderr).toMatchObject({
      code: 0,
      report: { resumed: true, read: COUNT, verification: { equal: true, of: 'records' } },
    })
    // The rest in pages of 100 behind smaller ones, what tells where it ends, and a look at the shards: not the whole once more.
    expect(searches).toBeLessThanOrEqual((COUNT - read) / 100 + 8)
  })

  it(
    `ends with the same documents, nothing twice and nothing lost, ${ROUNDS} times`,
    async () => {
      const random = randomFrom(Number(process.env['CHAJA_SEED'] ?? 42))
      const inside = join(folder, 'rounds')
      mkdirSync(inside)
      const started = performance.now()
      const clean = await runTransfer([`${source.url}/source`, `${destination.url}/clean`, '--batch', '100'], {
        folder: inside,
      })
      const wholeMs = performance.now() - started
      // Between domains the digest is of records as they are stored, else of documents.
      const cleanFile = await runTransfer([`${source.url}/source`, 'clean.ndjson.gz', '--batch', '100'], {
        folder: inside,
      })
      let interruptions = 0
      let resumed = 0
      for (let round = 0; round < ROUNDS; round++) {
        const file = round % 4 === 3 ? `round-${round}.ndjson.gz` : undefined
        const to = file ?? `${destination.url}/round-${round}`
        const result = await transferWithInterruptions([`${source.url}/source`, to, '--batch', '100'], {
          folder: inside,
          file,
          wholeMs,
          random,
          signals: ['SIGINT', 'SIGINT', 'SIGTERM', 'SIGKILL'],
        })
        interruptions += result.interruptions.length
        if (result.interruptions.some((i) => i.kept)) resumed++
        const { end } = result
        const { verification } = (file === undefined ? clean : cleanFile).report ?? {}
        const story = `round ${round}: ${JSON.stringify(result.interruptions)} ${end.stderr}`
        if (file === undefined || end.report !== undefined)
          expect(end.report, story).toMatchObject({
            read: COUNT,
            written: COUNT,
            rejected: 0,
            verification: { equal: true, destinationDigest: verification?.sourceDigest },
          })
        if (file !== undefined) {
          const lines = gunzipSync(readFileSync(join(inside, file)))
            .toString('utf8')
            .trim()
            .split('\n')
            .slice(1)
          expect(new Set(lines.map((line) => JSON.parse(line)._id)).size, story).toBe(COUNT)
          expect(lines, story).toHaveLength(COUNT)
        } else {
          await expectEqual(`round-${round}`)
          await fetch(`${destination.url}/round-${round}`, { method: 'DELETE' })
        }
      }
      console.log(`${ROUNDS} rounds, ${interruptions} interruptions, ${resumed} rounds resumed from a checkpoint`)
    },
    180_000 + ROUNDS * 20_000,
  )
})
