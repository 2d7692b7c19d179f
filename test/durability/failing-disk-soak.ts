import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DomainProcess, startDomain } from '../../scripts/domain-process.ts'
import { type Answer, ask } from './ask-domain.ts'
import { CALLS, type DiskFault, ERRNO, FailingDisk } from './failing-disk.ts'
import { seededRandom } from './seeded-random.ts'

/** What a soak found. */
export interface DiskSoakReport {
  readonly rounds: number
  readonly acknowledged: number
  readonly refused: number
  /** Answers of reads while the disk failed, and of these those that were refused. */
  readonly reads: number
  readonly readsRefused: number
  readonly compared: number
  /** Rounds after which writes were taken again without a restart. */
  readonly recovered: number
  /** Rounds in which LMDB ended the process: what it notes of a page it cannot write does not fit where it puts it. */
  readonly ended: number
  readonly faults: readonly string[]
}

/** By then an error of an answer is in the log. */
const LOGGED_MS = 100

/** What a document may say: the last acknowledged write, or one that was refused or unanswered since. */
interface Tracked {
  acknowledged: number
  attempted: number
}

const RECOVERY_MS = 60_000
/** Statuses of writes that are refused: blocked (6.8), full (7 and later), not to be written now. */
const REFUSALS: ReadonlySet<number> = new Set([403, 429, 503])

/** Lets clients write and read while the disk fails in ways chosen at random, and compares what is shown with what was acknowledged. */
export async function runDiskSoak(options: {
  readonly library: string
  readonly rounds: number
  readonly seed: number
  /** Only faults that LMDB lives through: none of a part of its pages. */
  readonly mild?: boolean
  readonly onRound?: (round: number, faults: number) => void
}): Promise<DiskSoakReport> {
  const random = seededRandom(options.seed)
  const root = mkdtempSync(join(tmpdir(), 'chaja-disk-soak-'))
  const dataDir = join(root, 'data')
  const disk = new FailingDisk(options.library, dataDir)
  const documents = new Map<string, Tracked>()
  const faults: string[] = []
  const counts = { acknowledged: 0, refused: 0, reads: 0, readsRefused: 0, compared: 0, recovered: 0, ended: 0 }
  let written = 0
  /** The end of the log. */
  let err = ''
  const start = async () => {
    err = ''
    const args = ['--search-threads', random() < 0.5 ? '1' : '0']
    const started = await startDomain({ dataDir, env: disk.env, args })
    started.child.stderr?.on('data', (chunk: Buffer) => {
      err = (err + chunk).slice(-20_000)
    })
    return started
  }
  /** Notes an answer that should not be, with the error that the domain logged last. */
  const wrong = (what: string, status: number, answer: unknown) => {
    const at = faults.push(`${what} is answered with ${status}: ${JSON.stringify(answer).slice(0, 300)}`) - 1
    // What is logged comes some time after the answer.
    setTimeout(() => {
      faults[at] += ` ${err.split('\n').findLast((line) => line.includes('"level":50')) ?? ''}`
    }, LOGGED_MS)
  }
  const isAlive = ({ child }: DomainProcess) => child.exitCode === null && child.signalCode === null
  const track = (id: string): Tracked => {
    const tracked = documents.get(id) ?? { acknowledged: 0, attempted: 0 }
    documents.set(id, tracked)
    return tracked
  }
  const source = (n: number) => ({ n, text: `w${n} `.repeat(1 + (n % 300)) })
  const settle = (tracked: Tracked, n: number, status: number, body: unknown) => {
    if (status === 200 || status === 201) {
      tracked.acknowledged = n
      counts.acknowledged++
    } else if (REFUSALS.has(status)) counts.refused++
    else wrong('a write', status, body)
  }
  const put = async (domain: DomainProcess, client: number) => {
    const id = `${client}-${Math.floor(random() * 40)}`
    const tracked = track(id)
    const n = ++written
    tracked.attempted = n
    const { status, json } = await ask(domain, 'PUT', `/i/_doc/${id}`, source(n))
    settle(tracked, n, status, json)
  }
  const bulk = async (domain: DomainProcess, client: number) => {
    const count = random() < 0.5 ? 20 : 400
    const items = Array.from({ length: count }, (_, i) => {
      const id = `${client}-${count}-${i}`
      const n = ++written
      track(id).attempted = n
      return { id, n }
    })
    const lines = items.map(({ id, n }) => `{"index":{"_id":"${id}","_type":"_doc"}}\n${JSON.stringify(source(n))}\n`)
    const { status, json } = await ask(domain, 'POST', '/i/_bulk', lines.join(''))
    if (status !== 200) {
      if (REFUSALS.has(status)) counts.refused++
      else wrong('a bulk', status, json)
      return
    }
    for (const [i, { id, n }] of items.entries())
      settle(track(id), n, json.items[i].index.status, json.items[i].index.error)
  }
  const administer = async (domain: DomainProcess) => {
    const path = ['/i/_flush', '/i/_refresh', '/i/_forcemerge?max_num_segments=1'][Math.floor(random() * 3)] as string
    const { status, json } = await ask(domain, 'POST', path)
    if (status !== 200 && !REFUSALS.has(status) && json.error?.type !== 'file_system_exception')
      wrong(path, status, json)
  }
  /** A read that may be refused, and is counted then. */
  const read = async (domain: DomainProcess, method: string, path: string): Promise<Answer | undefined> => {
    const answer = await ask(domain, method, path)
    counts.reads++
    if (answer.status === 200 || answer.status === 404) return answer
    if (answer.status === 503) counts.readsRefused++
    else wrong(path, answer.status, answer.json)
    return undefined
  }
  const look = async (domain: DomainProcess) => {
    if (random() < 0.3) {
      const from = documents.size
      const answer = await read(domain, 'GET', '/i/_search?size=1000&q=*:*')
      if (answer === undefined || from === 0) return
      const seen = answer.json.hits.hits.map(({ _id }: { _id: string }) => _id)
      if (new Set(seen).size !== seen.length) faults.push('a search finds a document twice')
      return
    }
    const ids = [...documents.keys()]
    const id = ids[Math.floor(random() * ids.length)]
    if (id === undefined) return
    const { acknowledged } = track(id)
    const answer = await read(domain, 'GET', `/i/_doc/${id}`)
    if (answer !== undefined) check(id, answer.json, acknowledged)
  }
  const check = (id: string, json: { found: boolean; _source?: { n: number; text: string } }, acknowledged: number) => {
    const { attempted } = track(id)
    const n = json.found ? json._source?.n : 0
    if (n === undefined || n < acknowledged || n > attempted)
      faults.push(`${id} is shown as ${n}; acknowledged ${acknowledged}, attempted ${attempted}`)
    if (n !== undefined && n > 0 && json._source?.text !== source(n).text) faults.push(`${id}: half a document`)
  }
  const work = async (domain: DomainProcess, client: number, until: { now: boolean }) => {
    while (!until.now && isAlive(domain)) {
      try {
        const dice = random()
        if (dice < 0.4) await put(domain, client)
        else if (dice < 0.55) await bulk(domain, client)
        else if (dice < 0.6) await administer(domain)
        else await look(domain)
      } catch (error) {
        // Its sockets are closed before its end is known; one that still answers does not end.
        const answers = await ask(domain, 'GET', '/').catch(() => undefined)
        if (until.now || answers === undefined) return
        faults.push(`client ${client}: ${(error as Error).message}`)
        return
      }
    }
  }
  const takesWrites = async (domain: DomainProcess): Promise<boolean> => {
    for (const end = Date.now() + RECOVERY_MS; Date.now() < end && isAlive(domain); ) {
      const answer = await ask(domain, 'PUT', '/i/_doc/again', { n: 0 }).catch(() => undefined)
      if (answer !== undefined && answer.status < 300) return true
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    return false
  }
  const compare = async (domain: DomainProcess) => {
    const ids = [...documents.keys()]
    const { json } = await ask(domain, 'POST', '/i/_mget', { docs: ids.map((_id) => ({ _id, _type: '_doc' })) })
    for (const found of json.docs) {
      const tracked = track(found._id)
      check(found._id, found, tracked.acknowledged)
      // What is shown once without a fault stays.
      tracked.acknowledged = found.found ? found._source.n : 0
      tracked.attempted = tracked.acknowledged
    }
    await ask(domain, 'POST', '/i/_refresh')
    const { json: all } = await ask(domain, 'GET', '/i/_search?size=10000&q=n:%3E0')
    const shown = new Map<string, number>()
    for (const { _id, _source } of all.hits.hits) {
      if (shown.has(_id)) faults.push(`${_id} is found twice`)
      shown.set(_id, _source.n)
    }
    for (const id of ids) {
      const expected = track(id).acknowledged
      if ((shown.get(id) ?? 0) !== expected) faults.push(`${id} is found as ${shown.get(id)}, and got as ${expected}`)
    }
    counts.compared += ids.length
  }
  const calls = Object.keys(CALLS) as (keyof typeof CALLS)[]
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T
  const chooseFault = (): DiskFault => {
    const isAll = random() < 0.4
    const some = options.mild ? calls.filter((call) => call !== 'pwritev') : calls
    return {
      error: pick(Object.keys(ERRNO) as (keyof typeof ERRNO)[]),
      calls: isAll ? calls : [pick(some), pick(some)],
      share: isAll && options.mild ? 1000 : pick([1000, 1000, 500, 100, 20]),
      part: pick(['*', '*', 'store.mdb', 'wal', 'indices']),
    }
  }
  let domain = await start()
  try {
    await ask(domain, 'PUT', '/i', { settings: { refresh_interval: '50ms' } })
    for (let round = 0; round < options.rounds && faults.length < 20; round++) {
      const until = { now: false }
      const working = Array.from({ length: 4 }, (_, client) => work(domain, client, until))
      await new Promise((resolve) => setTimeout(resolve, 100 + random() * 200))
      const fault = chooseFault()
      disk.fault = fault
      await new Promise((resolve) => setTimeout(resolve, 200 + random() * 600))
      const isKilled = random() < 0.3
      if (isKilled) {
        until.now = true
        await domain.stop('SIGKILL')
      }
      disk.fault = undefined
      if (!isKilled) await new Promise((resolve) => setTimeout(resolve, random() * 100))
      until.now = true
      await Promise.all(working)
      const before = faults.length
      if (!isKilled && isAlive(domain)) {
        if (await takesWrites(domain)) counts.recovered++
        else if (isAlive(domain)) faults.push(`no writes are taken again\n${err}`)
      }
      if (!isAlive(domain) && !(isKilled && domain.child.signalCode === 'SIGKILL')) {
        if (err.includes('Write error: ')) counts.ended++
        else faults.push(`the process ended: ${domain.child.signalCode}\n${err}`)
      }
      if (isKilled || !isAlive(domain) || faults.length > before) {
        await domain.stop()
        domain = await start()
      }
      await compare(domain)
      for (let i = before; i < faults.length; i++) faults[i] = `round ${round} ${JSON.stringify(fault)}: ${faults[i]}`
      options.onRound?.(round + 1, faults.length)
    }
  } finally {
    disk.fault = undefined
    disk.close()
    await domain.stop()
    rmSync(root, { recursive: true, force: true })
  }
  return { rounds: options.rounds, ...counts, faults }
}
