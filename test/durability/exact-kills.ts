import { cpSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type DomainProcess, startDomain } from '../../scripts/domain-process.ts'
import { type Answer, ask } from './ask-domain.ts'
import { FailingDisk } from './failing-disk.ts'
import { seededRandom } from './seeded-random.ts'

/** Documents that are there from the beginning, and stay. */
const BASE = 1_500
/** Calls of a piece of work to be killed in: with each try they are spread over more of them. */
const MOST_CALLS = 400
const WAITING = 'wait_for_completion=true'

/** What a run of kills found. */
export interface ExactKillsReport {
  readonly kills: number
  /** Times the work was done before its call came. */
  readonly missed: number
  readonly compared: number
  readonly faults: readonly string[]
}

/** What a document may be: the last acknowledged write, or one that was under way; 0 is none. */
interface Tracked {
  acknowledged: number
  attempted: number
}

/** What is done while the process is killed. Connections that break off end it. */
interface Work {
  /** Only calls for files with this in their path count. */
  readonly part: string
  readonly run: (domain: DomainProcess, see: Seen) => Promise<void>
}

/** What is known of indices beside the one that is written to. */
interface Seen {
  /** Acknowledged: it is there, with so many documents at least, or not. */
  readonly indices: Map<string, number | 'removed'>
  /** Under way. */
  readonly unsure: Set<string>
  /** Whether {@link SEVERAL} have all been made, so that they are changed together. */
  alike: boolean
  /** Snapshots that are acknowledged to be there, or not; one under way is in neither way. */
  readonly snapshots: Map<string, boolean>
}

const lines = (from: number, count: number, text = '') =>
  Array.from(
    { length: count },
    (_, i) => `{"index":{"_id":"b${from + i}"}}\n${JSON.stringify({ b: from + i, text })}\n`,
  ).join('')

const bulk = (domain: DomainProcess, index: string, from: number, count: number, text?: string) =>
  expectDone(ask(domain, 'POST', `/${index}/_doc/_bulk`, lines(from, count, text)))

async function expectDone(answer: Promise<Answer>): Promise<Answer> {
  const { status, json } = await answer
  if (status >= 300 || json.errors === true)
    throw new Error(`answered with ${status}: ${JSON.stringify(json).slice(0, 300)}`)
  return { status, json }
}

/** Makes an index seen or unseen: not known while it is under way. */
async function changing(see: Seen, index: string, work: Promise<unknown>, to: number | 'removed'): Promise<void> {
  see.unsure.add(index)
  await work
  see.unsure.delete(index)
  see.indices.set(index, to)
}

const post = (domain: DomainProcess, path: string, body?: object) => expectDone(ask(domain, 'POST', path, body))
const remove = (domain: DomainProcess, see: Seen, index: string) =>
  changing(see, index, expectDone(ask(domain, 'DELETE', `/${index}`)), 'removed')

/** Makes or deletes a snapshot: not known while it is under way. */
async function shooting(see: Seen, name: string, isThere: boolean, work: Promise<unknown>): Promise<void> {
  see.snapshots.delete(name)
  await work
  see.snapshots.set(name, isThere)
}

/** Indices that are changed together. */
const SEVERAL = ['se-0', 'se-1', 'se-2', 'se-3', 'se-4', 'se-5']

/** A change of all of {@link SEVERAL}: they are alike before it, after it, and after a kill. */
async function together(see: Seen, change: () => Promise<unknown>): Promise<void> {
  see.alike = true
  await change()
}

/** Pieces of work by name. */
export const EXACT_WORK: Readonly<Record<string, Work>> = {
  merge: { part: '*', run: async (domain) => void (await post(domain, '/base/_forcemerge?max_num_segments=1')) },
  growth: {
    part: 'store.mdb',
    run: async (domain, see) => {
      const text = () => Array.from({ length: 200 }, () => Math.random().toString(36)).join(' ')
      await changing(see, 'grown', expectDone(ask(domain, 'PUT', '/grown')), 0)
      for (let n = 0; n < 6; n++)
        await changing(see, 'grown', bulk(domain, 'grown', n * 300, 300, text()), n * 300 + 300)
    },
  },
  indices: {
    part: '*',
    run: async (domain, see) => {
      for (let n = 0; n < 4; n++) {
        const name = `made${n}`
        await changing(see, name, expectDone(ask(domain, 'PUT', `/${name}`)), 0)
        await changing(see, name, bulk(domain, name, 0, 20), 20)
        await post(domain, `/${name}/_flush`)
        if (n % 2 === 0) await remove(domain, see, name)
      }
    },
  },
  restore: {
    part: '*',
    run: async (domain, see) => {
      const body = { rename_pattern: '.+', rename_replacement: 'restored', indices: 'base', include_aliases: false }
      await changing(see, 'restored', post(domain, `/_snapshot/r/s/_restore?${WAITING}`, body), BASE)
      await remove(domain, see, 'restored')
    },
  },
  snapshot: {
    part: '*',
    run: async (domain) => void (await expectDone(ask(domain, 'PUT', `/_snapshot/r/new?${WAITING}`))),
  },
  snapshots: {
    part: '/r/',
    run: async (domain, see) => {
      const shoot = (name: string) =>
        shooting(see, name, true, expectDone(ask(domain, 'PUT', `/_snapshot/r/${name}?${WAITING}`)))
      const forget = (name: string) =>
        shooting(see, name, false, expectDone(ask(domain, 'DELETE', `/_snapshot/r/${name}`)))
      for (let n = 0; n < 3; n++) {
        // Half of its documents, so that some chunks are used again.
        await bulk(domain, 'base', 0, BASE / 2)
        await shoot(`new${n}`)
        await forget(n === 0 ? 's' : `new${n - 1}`)
      }
    },
  },
  copies: {
    part: '*',
    run: async (domain, see) => {
      await expectDone(ask(domain, 'PUT', '/base/_settings', { 'index.blocks.write': true }))
      const settings = { 'index.number_of_shards': 1, 'index.blocks.write': null }
      await changing(see, 'shrunk', post(domain, '/base/_shrink/shrunk', { settings }), BASE)
      await post(domain, '/shrunk/_forcemerge?max_num_segments=1')
      await remove(domain, see, 'shrunk')
    },
  },
  close: {
    part: '*',
    run: async (domain) => {
      for (let n = 0; n < 3; n++) {
        await bulk(domain, 'base', 0, 40)
        await post(domain, '/base/_close')
        await post(domain, '/base/_open')
      }
    },
  },
  fields: {
    part: '*',
    run: async (domain, see) => {
      await changing(see, 'fields', expectDone(ask(domain, 'PUT', '/fields')), 0)
      for (let n = 0; n < 8; n++) {
        const put = expectDone(ask(domain, 'PUT', `/fields/_doc/${n}?refresh=true`, { [`f${n}`]: n, b: n }))
        await changing(see, 'fields', put, n + 1)
      }
      await post(domain, '/fields/_flush')
    },
  },
  several: {
    part: '*',
    run: async (domain, see) => {
      for (const name of SEVERAL) see.unsure.add(name)
      const made = SEVERAL.map((index) => `{"index":{"_index":"${index}","_type":"_doc","_id":"b0"}}\n{"b":0}\n`)
      await expectDone(ask(domain, 'POST', '/_bulk', made.join('')))
      for (const name of SEVERAL) {
        see.unsure.delete(name)
        see.indices.set(name, 1)
      }
      await together(see, () => expectDone(ask(domain, 'PUT', '/se-*/_settings', { number_of_replicas: 3 })))
      await together(see, () => post(domain, '/se-*/_close'))
      await together(see, () => post(domain, '/se-*/_open'))
      await together(see, () =>
        expectDone(ask(domain, 'PUT', '/se-*/_mapping/_doc', { properties: { f: { type: 'keyword' } } })),
      )
      await together(see, () =>
        post(domain, '/_aliases', { actions: SEVERAL.map((index, n) => ({ add: { index, alias: `al${n % 2}` } })) }),
      )
      for (const name of SEVERAL) see.unsure.add(name)
      await together(see, () => expectDone(ask(domain, 'DELETE', '/se-*')))
      for (const name of SEVERAL) {
        see.unsure.delete(name)
        see.indices.set(name, 'removed')
      }
    },
  },
  stop: { part: '*', run: async (domain) => void (await domain.stop('SIGTERM')) },
}

/**
 * Kills a domain at chosen calls for its files, while it does a piece of work and others write, starts it again and compares what it has
 * with what it acknowledged.
 *
 * @param options.library  of failing-disk.c
 * @param options.kills    for each piece of work
 */
export async function runExactKills(options: {
  readonly library: string
  readonly kills: number
  readonly seed: number
  readonly work?: readonly string[]
  /** @param faults  that it has shown */
  readonly onKill?: (what: string, faults: readonly string[]) => void
}): Promise<ExactKillsReport> {
  const random = seededRandom(options.seed)
  const root = mkdtempSync(join(tmpdir(), 'chaja-exact-'))
  const counts = { kills: 0, missed: 0, compared: 0 }
  const faults: string[] = []
  try {
    const intact = join(root, 'intact')
    const repositories = join(root, 'repositories')
    await makeIntact(intact, repositories)
    for (const [name, work] of Object.entries(EXACT_WORK)) {
      if (options.work !== undefined && !options.work.includes(name)) continue
      let most = MOST_CALLS
      for (let n = 0; n < options.kills; n++) {
        const calls = Math.floor(random() ** 2 * most)
        const folder = join(root, 'data')
        copy(intact, folder)
        copy(repositories, join(root, 'r'))
        const before = faults.length
        const isKilled = await killOnce(
          { ...options, work, folder, calls, repositories: join(root, 'r') },
          faults,
          counts,
        )
        if (isKilled) counts.kills++
        else {
          counts.missed++
          // It takes no more calls than this.
          most = Math.max(4, calls)
        }
        for (let i = before; i < faults.length; i++) faults[i] = `${name} at call ${calls}: ${faults[i]}`
        options.onKill?.(`${name} at call ${calls}${isKilled ? '' : ', which did not come'}`, faults.slice(before))
        rmSync(folder, { recursive: true, force: true })
        rmSync(join(root, 'r'), { recursive: true, force: true })
      }
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
  return { ...counts, faults }
}

const copy = (from: string, to: string) =>
  cpSync(from, to, { recursive: true, filter: (path) => !lstatSync(path).isSocket() })

async function makeIntact(dataDir: string, repositories: string): Promise<void> {
  const domain = await startDomain({ dataDir, args: ['--path-repo', repositories] })
  const settings = { refresh_interval: '-1' }
  await expectDone(ask(domain, 'PUT', '/base', { settings }))
  for (let n = 0; n < 5; n++) {
    await bulk(domain, 'base', (n * BASE) / 5, BASE / 5)
    await post(domain, '/base/_flush')
  }
  await expectDone(ask(domain, 'PUT', '/i', { settings: { refresh_interval: '50ms' } }))
  const repository = { location: 'r', chunk_size: '4kb', max_restore_bytes_per_sec: '-1' }
  await expectDone(ask(domain, 'PUT', '/_snapshot/r', { type: 'fs', settings: repository }))
  await expectDone(ask(domain, 'PUT', `/_snapshot/r/s?${WAITING}`))
  await domain.stop()
}

async function killOnce(
  o: { library: string; work: Work; folder: string; calls: number; repositories: string },
  faults: string[],
  counts: { compared: number },
): Promise<boolean> {
  // The repository, too.
  const disk = new FailingDisk(o.library, dirname(o.folder))
  const args = ['--path-repo', o.repositories, '--search-threads', '0']
  const documents = new Map<string, Tracked>()
  const see: Seen = {
    indices: new Map([['base', BASE]]),
    unsure: new Set(),
    alike: false,
    snapshots: new Map([['s', true]]),
  }
  const isGone = ({ child }: DomainProcess) => child.exitCode !== null || child.signalCode !== null
  let isKilled = false
  try {
    const domain = await startDomain({ dataDir: o.folder, args, env: disk.env })
    const ended = new Promise<void>((resolve) => domain.child.once('exit', () => resolve()))
    const until = { now: false }
    const writing = [0, 1].map((client) => write(domain, client, documents, until))
    disk.killAfter(o.calls, o.work.part)
    await o.work.run(domain, see).catch(async (error: Error) => {
      // Its sockets are closed before its end is known; one that still answers does not end.
      await Promise.race([ended, ask(domain, 'GET', '/').catch(() => ended)])
      if (!isGone(domain)) faults.push(error.message)
    })
    until.now = true
    await Promise.all(writing)
    isKilled = domain.child.signalCode === 'SIGKILL'
    if (isGone(domain) && !isKilled && domain.child.exitCode !== 0)
      faults.push(`it ended with ${domain.child.exitCode ?? domain.child.signalCode}`)
    await domain.stop('SIGKILL')
  } finally {
    disk.close()
  }
  const again = await startDomain({ dataDir: o.folder, args })
  let log = ''
  again.child.stderr?.on('data', (chunk: Buffer) => {
    log += chunk
  })
  try {
    await compare(again, documents, see, faults, counts)
    const folders = readdirSync(join(o.folder, 'indices')).length
    const { json } = await ask(again, 'GET', '/_cat/indices?format=json')
    if (folders !== json.length) faults.push(`there are ${folders} folders of ${json.length} indices`)
    await compareSnapshots(again, see, faults)
    const data = join(o.repositories, 'r', 'data')
    const left = readdirSync(data).flatMap((name) => readdirSync(join(data, name)))
    if (left.length > 0) faults.push(`${left.length} files are left of snapshots that are deleted`)
  } finally {
    await again.stop()
  }
  for (const line of log.split('\n'))
    if (/"level":(?:40|50|60)/.test(line) && !line.includes('unsigned requests')) faults.push(`it logs ${line}`)
  return isKilled
}

/** Writes documents of its own, and deletes some, one after the other. */
async function write(
  domain: DomainProcess,
  client: number,
  documents: Map<string, Tracked>,
  until: { readonly now: boolean },
): Promise<void> {
  for (let n = 1; !until.now; n++) {
    const id = `${client}-${n % 30}`
    const tracked = documents.get(id) ?? { acknowledged: 0, attempted: 0 }
    documents.set(id, tracked)
    const isDelete = n % 7 === 0
    tracked.attempted = isDelete ? 0 : n
    try {
      const { status } = await (isDelete
        ? ask(domain, 'DELETE', `/i/_doc/${id}`)
        : ask(domain, 'PUT', `/i/_doc/${id}`, { n }))
      if (status >= 300 && !(isDelete && status === 404)) throw new Error(`a write is answered with ${status}`)
    } catch {
      return
    }
    tracked.acknowledged = tracked.attempted
  }
}

async function compare(
  domain: DomainProcess,
  documents: Map<string, Tracked>,
  see: Seen,
  faults: string[],
  counts: { compared: number },
): Promise<void> {
  const { json: there } = await ask(domain, 'GET', '/_cat/indices?format=json')
  const names = new Map((there as { index: string; status: string }[]).map((row) => [row.index, row.status]))
  for (const [index, known] of see.indices) {
    if (see.unsure.has(index)) continue
    if (names.has(index) !== (known !== 'removed')) faults.push(`${index} is ${names.has(index) ? 'there' : 'gone'}`)
  }
  if (see.alike) await compareAlike(domain, names, faults)
  for (const [index, status] of names) {
    if (status === 'close') await ask(domain, 'POST', `/${index}/_open`)
    await ask(domain, 'POST', `/${index}/_refresh`)
    const { json } = await ask(domain, 'POST', `/${index}/_search`, { size: 10_000, query: { match_all: {} } })
    const hits = (json.hits?.hits ?? []) as { _id: string; _source: { b?: number; n?: number } }[]
    const found = new Map(hits.map(({ _id, _source }) => [_id, _source]))
    if (found.size !== hits.length) faults.push(`${index}: a document is found twice`)
    const ids = index === 'i' ? [...documents.keys()] : Array.from({ length: 2_000 }, (_, n) => `b${n}`)
    const { json: got } = await ask(domain, 'POST', `/${index}/_mget`, {
      docs: ids.map((_id) => ({ _id, _type: '_doc' })),
    })
    for (const { _id, found: isThere, _source } of got.docs) {
      counts.compared++
      if (JSON.stringify(found.get(_id)) !== JSON.stringify(isThere ? _source : undefined))
        faults.push(
          `${index}/${_id} is got as ${JSON.stringify(_source)}, and found as ${JSON.stringify(found.get(_id))}`,
        )
      if (index !== 'i') continue
      const { acknowledged, attempted } = documents.get(_id) as Tracked
      const n = isThere ? _source.n : 0
      if (n !== acknowledged && n !== attempted)
        faults.push(`${_id} is ${n}; acknowledged ${acknowledged}, attempted ${attempted}`)
    }
    const least = see.indices.get(index)
    if (typeof least === 'number' && index !== 'i' && hits.length < least)
      faults.push(`${index} has ${hits.length} of ${least} documents`)
    // What is restored is whole or not there.
    if ((index === 'restored' || index === 'shrunk') && hits.length !== BASE)
      faults.push(`${index} has ${hits.length} of ${BASE} documents`)
  }
}

/** Sees that the snapshots are those that were acknowledged, and whole; deletes them, and what was made of them. */
async function compareSnapshots(domain: DomainProcess, see: Seen, faults: string[]): Promise<void> {
  const { json } = await ask(domain, 'GET', '/_snapshot/r/_all')
  const there = new Map((json.snapshots as { snapshot: string; state: string }[]).map((s) => [s.snapshot, s.state]))
  for (const [name, isThere] of see.snapshots)
    if (there.has(name) !== isThere) faults.push(`the snapshot ${name} is ${isThere ? 'gone' : 'still there'}`)
  for (const [name, state] of there) {
    if (state !== 'SUCCESS') faults.push(`the snapshot ${name} is ${state}`)
    const body = { indices: 'base', rename_pattern: '.+', rename_replacement: 'checked', include_aliases: false }
    const { json: restored } = await ask(domain, 'POST', `/_snapshot/r/${name}/_restore?${WAITING}`, body)
    await ask(domain, 'POST', '/checked/_refresh')
    const { json: found } = await ask(domain, 'POST', '/checked/_search', { size: 0 })
    if (found.hits?.total !== BASE)
      faults.push(`the snapshot ${name} has ${found.hits?.total} of ${BASE}: ${JSON.stringify(restored).slice(0, 300)}`)
    await ask(domain, 'DELETE', '/checked')
    await expectDone(ask(domain, 'DELETE', `/_snapshot/r/${name}`))
  }
}

/** Sees that what is changed together is there wholly or not at all. */
async function compareAlike(
  domain: DomainProcess,
  names: ReadonlyMap<string, string>,
  faults: string[],
): Promise<void> {
  const states = new Set<string>()
  for (const name of SEVERAL) {
    if (!names.has(name)) {
      states.add('gone')
      continue
    }
    const { aliases, mappings, settings } = (await ask(domain, 'GET', `/${name}`)).json[name]
    const isVerified = settings.index.verified_before_close
    const replicas = settings.index.number_of_replicas
    states.add(JSON.stringify([names.get(name), replicas, isVerified, mappings, Object.keys(aliases).length]))
  }
  if (states.size > 1) faults.push(`indices that are changed together are ${[...states].join(' and ')}`)
}
