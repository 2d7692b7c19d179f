import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDomain } from '../../scripts/domain-process.ts'
import { AgreementLoad } from './agreement-load.ts'
import { ContendedLoad } from './contended-load.ts'
import { CopyLoad } from './copy-load.ts'
import { FieldLoad } from './field-load.ts'
import { IdentityLoad } from './identity-load.ts'
import { IndexClient } from './index-client.ts'
import { LargeLoad } from './large-load.ts'
import { LaterLoad } from './later-load.ts'
import { ManyIndicesLoad } from './many-indices-load.ts'
import { ReindexLoad } from './reindex-load.ts'
import { RolloverLoad } from './rollover-load.ts'
import { seededRandom } from './seeded-random.ts'
import { SnapshotLoad } from './snapshot-load.ts'
import type { SoakLoad } from './soak-load.ts'
import { StoredLoad } from './stored-load.ts'
import { StreamLoad } from './stream-load.ts'
import { VersionLoad } from './version-load.ts'
import { WriteLoad } from './write-load.ts'

/** The loads by name: how many clients of each there are unless it is said, and how one is made. */
export const SOAK_LOADS = {
  writes: [6, (number, random) => new WriteLoad(number, random)],
  indices: [3, (number, random) => new IndexClient(number, random)],
  rollover: [2, (number, random) => new RolloverLoad(number, random)],
  copies: [2, (number, random) => new CopyLoad(number, random)],
  reindex: [2, (number, random) => new ReindexLoad(number, random, false)],
  clones: [2, (number, random) => new ReindexLoad(number, random, true)],
  snapshots: [1, (number, random) => new SnapshotLoad(number, random)],
  many: [1, (number, random) => new ManyIndicesLoad(number, random)],
  fields: [2, (number, random) => new FieldLoad(number, random)],
  stored: [2, (number, random) => new StoredLoad(number, random)],
  versions: [2, (number, random) => new VersionLoad(number, random)],
  identities: [2, (number, random) => new IdentityLoad(number, random)],
  large: [2, (number, random) => new LargeLoad(number, random)],
  contended: [5, (number, random) => new ContendedLoad(number, random)],
  later: [2, (number, random) => new LaterLoad(number, random)],
  streams: [2, (number, random) => new StreamLoad(number, random)],
  agreement: [3, (number, random) => new AgreementLoad(number, random)],
} satisfies Record<string, readonly [clients: number, make: (number: number, random: () => number) => SoakLoad]>

/** A name of {@link SOAK_LOADS}. */
export type SoakLoadName = keyof typeof SOAK_LOADS

/** Those of what 6.8 has not: they run against OpenSearch, by themselves. */
export const LATER_LOADS: ReadonlySet<SoakLoadName> = new Set(['streams', 'later', 'clones', 'agreement'])

/** So many times the rounds asked for are made until something is acknowledged. */
const MOST_TRIES = 5

/** What a soak found. */
export interface SoakReport {
  readonly rounds: number
  readonly acknowledged: number
  /** Requests that were under way when the process was killed. */
  readonly cutOff: number
  readonly compared: number
  readonly faults: readonly string[]
  readonly slowestStartMs: number
  readonly log: readonly string[]
}

/**
 * Lets several clients ask a real server, kills it with SIGKILL at a random moment, starts it again and compares
 * everything with what was acknowledged; as often as asked.
 */
export async function runKillSoak(options: {
  readonly rounds: number
  readonly seed: number
  readonly loads: readonly SoakLoadName[]
  /** The domain lives for so long at most, 700 where it is not said. */
  readonly mostMs?: number
  /** SIGKILL where it is not said; one that is asked to end (SIGTERM) must do so well. */
  readonly signal?: 'SIGKILL' | 'SIGTERM'
  /** @param faults  all until now */
  readonly onRound?: (round: number, faults: readonly string[]) => void
}): Promise<SoakReport> {
  const { signal = 'SIGKILL' } = options
  const random = seededRandom(options.seed)
  const root = mkdtempSync(join(tmpdir(), 'chaja-soak-'))
  const loads = options.loads.flatMap((name) => {
    const [clients, make] = SOAK_LOADS[name]
    return Array.from({ length: clients }, (_, i): SoakLoad => make(i, random))
  })
  const isLater = options.loads.some((name) => LATER_LOADS.has(name))
  if (isLater && !options.loads.every((name) => LATER_LOADS.has(name)))
    throw new Error(`these run by themselves: ${[...LATER_LOADS].join()}`)
  const faults: string[] = []
  const log: string[] = []
  let slowestStartMs = 0
  let compared = 0
  const sum = (of: (load: SoakLoad) => number) => loads.reduce((total, load) => total + of(load), 0)
  const start = async () => {
    const args = [
      '--path-repo',
      join(root, 'repositories'),
      ...(isLater ? ['--engine-version', 'OpenSearch_2.19'] : []),
    ]
    const started = await startDomain({ dataDir: join(root, 'data'), args })
    started.child.stderr?.on('data', (chunk: Buffer) => log.push(...interesting(String(chunk))))
    return started
  }
  let domain = await start()
  try {
    for (const load of loads) await load.prepare?.(domain)
    // On a busy machine whole rounds pass before anything is acknowledged.
    const isDone = (round: number) =>
      round >= options.rounds && (sum((load) => load.acknowledged) > 0 || round >= options.rounds * MOST_TRIES)
    for (let round = 0; !isDone(round); round++) {
      const killing = { now: false }
      const working = loads.map((load) => load.work(domain, killing))
      await new Promise((resolve) => setTimeout(resolve, 30 + random() * (options.mostMs ?? 700)))
      killing.now = true
      const code = await domain.stop(signal)
      if (signal === 'SIGTERM' && code !== 0) faults.push(`it ended with ${code ?? 'a signal'} when it was asked to`)
      await Promise.all(working)
      domain = await start()
      slowestStartMs = Math.max(slowestStartMs, domain.readyMs)
      for (const load of loads) {
        compared += await load.compare(domain)
        faults.push(...load.faults.splice(0))
      }
      options.onRound?.(round + 1, faults)
      if (faults.length > 20) break
    }
  } finally {
    for (const load of loads) load.close?.()
    await domain.stop()
    rmSync(root, { recursive: true, force: true })
  }
  return {
    rounds: options.rounds,
    acknowledged: sum((load) => load.acknowledged),
    cutOff: sum((load) => load.cutOff),
    compared,
    faults,
    slowestStartMs,
    log,
  }
}

/** Lines of the log worth keeping: warnings and errors but refusals and the one about open domains. */
function interesting(chunk: string): string[] {
  return chunk
    .split('\n')
    .filter((line) => /"level":(40|50|60)/.test(line) && !/unsigned requests|"msg":"denied/.test(line))
}
