/**
 * Does this build open what an earlier one wrote? Builds each commit named, lets it fill a data directory with made-up
 * mappings and documents, kills it, starts this build over the directory, and asks it what it also asks a domain of its
 * own that was filled by the same calls: every answer has to be the same, once more after documents were written and
 * removed, all segments joined, and another kill.
 *
 *   npm run build && npm run upgrade -- 8948b690 04a65d1d
 *   npm run upgrade -- HEAD~50 --version Elasticsearch_6.8 --seed 7 --seeds 10 --calls 60
 *
 * Calls that the earlier build answered with another status (it could do less) leave their index out, which is printed.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type DomainProcess, removeDataDir, startDomain } from './domain-process.ts'
import { type Answer, ask, compare } from './fuzz/answer.ts'
import { json } from './fuzz/exact-json.ts'
import { type Context, type Json, make } from './fuzz/grammar.ts'
import { fieldsOf, indexBody, mapping } from './fuzz/mappings.ts'
import { Random } from './fuzz/random.ts'
import { type Call, read } from './fuzz/searches.ts'
import { documentOf } from './fuzz/values.ts'
import { putLines } from './fuzz/writes.ts'
import { peersDir, root } from './peers.ts'

const { values: options, positionals: commits } = parseArgs({
  allowPositionals: true,
  options: {
    version: {
      type: 'string',
      multiple: true,
      default: ['Elasticsearch_6.8', 'Elasticsearch_7.10', 'OpenSearch_2.19'],
    },
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '6' },
    calls: { type: 'string', default: '40' },
  },
})
if (commits.length === 0) throw new Error('name the commits of the builds whose directories are to be opened')

type Asked = Omit<Call, 'kind'>
/** The calls of a seed: those that fill its index, those that read it, those that change it again. */
interface Story {
  readonly fill: readonly Asked[]
  readonly reads: readonly Asked[]
  readonly change: readonly Asked[]
}

/** The command line as it was built at a commit, in a folder that is kept. */
function builtAt(commit: string): string {
  const hash = git('rev-parse', '--short=10', commit)
  const folder = join(peersDir, 'builds', hash)
  if (!existsSync(folder)) {
    mkdirSync(join(peersDir, 'builds'), { recursive: true })
    git('worktree', 'add', '--detach', folder, hash)
    // The dependencies that are here: they change little, and their own versions write nothing.
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  }
  const main = join(folder, 'dist', 'cli', 'main.js')
  if (!existsSync(main)) execFileSync('npm', ['run', 'build'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  return main
}

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

function story(seed: number, engineVersion: string): Story {
  const index = `fuzz${seed}`
  const typeless = engineVersion !== 'Elasticsearch_6.8'
  const random = new Random(seed)
  const c: Context = {
    random,
    typeless,
    bare: false,
    lacking: [],
    index,
    fields: [],
    documents: [],
    wrong: 0,
    depth: 0,
  }
  const mappings = make(c, mapping)
  const documents = Array.from({ length: random.whole(40, 400) }, () => make(c, documentOf(mappings.properties)))
  const asking = { ...c, fields: fieldsOf(mappings.properties), documents: documents.slice(0, 40) }
  const half = documents.length >> 1
  const refresh = { method: 'POST', path: `/${index}/_refresh` }
  const some = documents.filter((_, i) => i % 9 === 0)
  const type = typeless ? '' : '/_doc'
  const bulk = (body: string): Asked => ({ method: 'POST', path: `/${index}${type}/_bulk`, body })
  const put = (some: readonly Json[], from: number): Asked => bulk(putLines(some, from))
  const remove = (from: number, count: number): Asked =>
    bulk(Array.from({ length: count }, (_, i) => `${json({ delete: { _id: String(from + i) } })}\n`).join(''))
  return {
    fill: [
      { method: 'PUT', path: `/${index}`, body: indexBody(c, mappings) },
      put(documents.slice(0, half), 0),
      refresh,
      remove(3, 5),
      { method: 'POST', path: `/${index}/_flush` },
      { method: 'POST', path: '/_aliases', body: { actions: [{ add: { index, alias: `${index}_alias` } }] } },
      put(documents.slice(half), half),
      refresh,
    ],
    reads: [
      ...['_mapping', '_alias', '_count', '_stats/docs'].map((what) => ({ method: 'GET', path: `/${index}/${what}` })),
      ...Array.from({ length: 12 }, (_, i) => ({ method: 'GET', path: `/${index}/_doc/${i}` })),
      // Explanations of queries name the fields in an order that a start may change.
      ...Array.from({ length: Number(options.calls) }, () => read(asking)).filter(({ kind }) => kind !== 'validate'),
    ],
    change: [
      put(some, 100_000),
      remove(100_000, some.length),
      { method: 'POST', path: `/${index}/_forcemerge?max_num_segments=1` },
      refresh,
    ],
  }
}

/** What a bulk did to each of its items. */
const statuses = ({ status, body }: Answer): string =>
  `${status} ${(body.items ?? []).map((item: Json) => Object.values<Json>(item)[0].status).join()}`

async function askAll(domain: DomainProcess, calls: readonly Asked[]): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const call of calls) answers.push(await ask(domain.url, call))
  return answers
}

/** @returns how many answers differ */
async function compared(when: string, stories: readonly Story[], upgraded: DomainProcess, fresh: DomainProcess) {
  let faults = 0
  for (const { reads } of stories) {
    const [there, here] = await Promise.all([askAll(fresh, reads), askAll(upgraded, reads)])
    for (const [i, call] of reads.entries()) {
      const difference = compare(there[i] as Answer, here[i] as Answer)
      if (difference === undefined) continue
      faults++
      console.log(`${when}: ${call.method} ${call.path} ${json(call.body ?? '')}\n  at ${difference.at}`)
      console.log(`  filled by this build: ${json(difference.real)}\n  opened by it: ${json(difference.ours)}`)
    }
  }
  return faults
}

/** @returns whether what the build at a commit wrote was opened, and answered as what this build wrote */
async function upgrade(commit: string, version: string): Promise<boolean> {
  const started: DomainProcess[] = []
  const start = async (given: Parameters<typeof startDomain>[0] = {}): Promise<DomainProcess> => {
    const domain = await startDomain({ args: ['--engine-version', version], ...given })
    started.push(domain)
    return domain
  }
  try {
    const writer = await start({ main: builtAt(commit) })
    let fresh = await start()
    const kept: Story[] = []
    for (let n = 0; n < Number(options.seeds); n++) {
      const one = story(Number(options.seed) + n, version)
      const before = await askAll(writer, one.fill)
      const now = await askAll(fresh, one.fill)
      if (before.map(statuses).join() === now.map(statuses).join()) kept.push(one)
    }
    await writer.stop('SIGKILL')
    let upgraded = await start({ dataDir: writer.dataDir })
    let faults = await compared('opened', kept, upgraded, fresh)
    for (const { change } of kept) for (const domain of [upgraded, fresh]) await askAll(domain, change)
    faults += await compared('changed', kept, upgraded, fresh)
    await Promise.all([upgraded.stop('SIGKILL'), fresh.stop('SIGKILL')])
    upgraded = await start({ dataDir: writer.dataDir })
    fresh = await start({ dataDir: fresh.dataDir })
    faults += await compared('opened again', kept, upgraded, fresh)
    console.log(`${commit} ${version}: ${kept.length} of ${options.seeds} indices, ${faults} answers differ`)
    return faults === 0 && kept.length > 0
  } finally {
    await Promise.all(started.map((domain) => domain.stop('SIGKILL')))
    for (const dataDir of new Set(started.map((domain) => domain.dataDir))) removeDataDir(dataDir)
  }
}

let passed = 0
let failed = 0
for (const commit of commits)
  for (const version of options.version) {
    if (await upgrade(commit, version)) passed++
    else failed++
  }
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
