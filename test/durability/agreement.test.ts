import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { ElsewhereError } from '../../src/engine/elsewhere-error.ts'
import { openEngine } from '../../src/engine/embedded-engine.ts'
import { ReplicaEngine } from '../../src/engine/replica/replica-engine.ts'
import { createRestBackend } from '../../src/rest/rest-backend.ts'
import { askBackend } from '../ask-backend.ts'
import type { Ask } from './agreement.ts'
import { AgreementHistory } from './agreement-history.ts'
import { seededRandom } from './seeded-random.ts'

/** What a search thread answers. */
const SEARCHES = ['get', 'mget', 'search', 'msearch']

/**
 * Opens a domain; what it logs as a fault of its own goes to `faults`.
 *
 * @param random  decides which searches a replica answers, as search threads do
 */
async function open(
  root: string,
  faults: string[],
  random: () => number,
): Promise<{ ask: Ask; close(): Promise<void> }> {
  const log = (level: string, fields: object, message: string) => {
    if (level === 'error' || level === 'warn') faults.push(`it logs ${message} ${JSON.stringify(fields)}`)
  }
  const dataDir = join(root, 'data')
  const engine = await openEngine({ dataDir, engineVersion: 'OpenSearch_2.19', log, repositoryPaths: [root] })
  const publishAddress = () => '127.0.0.1:9200'
  const options = { log, publishAddress, clusterName: 'test', dataDir }
  const backend = createRestBackend(engine, options)
  const { port1, port2 } = new MessageChannel()
  const feed = engine.feed((news) => port1.postMessage(news))
  port1.on('message', (view: number) => feed.released(view))
  const { version: engineVersion, clusterUuid, nodeId } = engine
  const clock = feed.clock.shared
  const replica = new ReplicaEngine({ dataDir, engineVersion, clusterUuid, nodeId, news: port2, clock })
  const aside = createRestBackend(replica, { ...options, endpoints: new Set(SEARCHES) })
  const send = async (method: string, path: string, body: object | string | undefined) => {
    if (/\/_(?:msearch|mget|search)$/.test(path) && !(typeof body === 'object' && 'pit' in body) && random() < 0.5) {
      try {
        replica.sync()
        return await askBackend(aside, method, path, body)
      } catch (error) {
        if (!(error instanceof ElsewhereError)) throw error
      }
    }
    return askBackend(backend, method, path, body)
  }
  return {
    async ask(method, path, body) {
      const { status, body: answer } = await send(method, path, body as object | undefined)
      return { status, json: JSON.parse(String(answer)) }
    },
    async close() {
      await aside.close()
      port1.close()
      await backend.close()
    },
  }
}

const RealDate = Date
const DAY_MS = 86_400_000

/** Steps the wall clock by up to a day to either side now and then, until it is called off. @returns that */
function stepClock(random: () => number): () => void {
  let ahead = 0
  globalThis.Date = class extends RealDate {
    constructor(...given: unknown[]) {
      if (given.length === 0) super(RealDate.now() + ahead)
      else super(...(given as [number]))
    }

    static override now() {
      return RealDate.now() + ahead
    }
  } as DateConstructor
  const timer = setInterval(() => {
    if (random() < 0.2) ahead = Math.floor((random() - 0.5) * 2 * DAY_MS)
  }, 50)
  return () => {
    clearInterval(timer)
    globalThis.Date = RealDate
  }
}

async function run(seed: number, steps: number): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'chaja-agreement-'))
  const history = new AgreementHistory(seed, seededRandom(seed))
  const chance = seededRandom(seed + 2)
  let domain = await open(root, history.faults, chance)
  const stop = seed % 4 < 2 ? stepClock(seededRandom(seed + 1)) : () => {}
  try {
    await history.prepare(domain.ask)
    while (history.acknowledged < steps && history.faults.length === 0) {
      const until = history.acknowledged + 40
      await history.work(domain.ask, {
        get now() {
          return history.acknowledged >= until || history.faults.length > 0
        },
      })
      if (seed % 2 === 0) {
        await domain.close()
        domain = await open(root, history.faults, chance)
      }
      await history.compare(domain.ask)
    }
  } finally {
    stop()
    await domain.close()
    rmSync(root, { recursive: true, force: true })
  }
  return history.faults.map((fault) => `seed ${seed}: ${fault}`)
}

it('an index that everything is done to at once answers as one that is made of its documents anew', {
  timeout: 600_000 * Number(process.env['CHAJA_RUNS'] ?? 1),
}, async () => {
  const given = process.env['CHAJA_SEED']
  const first = given === undefined ? Date.now() % 1_000_000 : Number(given)
  const runs = Number(process.env['CHAJA_RUNS'] ?? 1)
  const steps = Number(process.env['CHAJA_STEPS'] ?? 60)
  const faults: string[] = []
  for (let i = 0; i < runs; i++) {
    const found = await run(first + i, steps)
    if (runs > 1) console.log([`seed ${first + i}: ${found.length} faults`, ...found].join('\n'))
    faults.push(...found)
  }
  expect(faults).toEqual([])
})
