/**
 * Moving an index from one domain to another on this machine: `chaja transfer` beside elasticdump, taking turns.
 *
 *   npm run build && npx tsx bench/transfer.ts [--data DIR] [--corpus movies|nsmc] [--rounds 3] [--default-docs 2000]
 *
 * Corpora: movies (36,273 documents, 1 shard) and nsmc (100,000 Korean reviews) of the project's benchmark data. Both
 * sides are chaja, plain HTTP, unsigned, each a process of its own. Both tools get the destination with the same mapping
 * and start from nothing; the time is the whole command's, its start included. elasticdump's defaults move 100 documents
 * a request and 5 requests in 5 seconds, so they get the first documents only: the rate does not depend on how many.
 * Beside the time on the clock stands the processor time of the command and both domains (from /proc, so on Linux only):
 * it does not depend on what else the machine does. `chaja transfer` is timed as people run it, with the comparison of both sides at the end, and without (elasticdump has
 * none).
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { mainPath, removeDataDir, startDomain } from '../scripts/domain-process.ts'
import { Client } from '../src/client/client.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: process.env['CHAJA_BENCH'] ?? '../shared/bench' },
    corpus: { type: 'string', multiple: true, default: ['movies', 'nsmc'] },
    rounds: { type: 'string', default: '3' },
    'default-docs': { type: 'string', default: '2000' },
    json: { type: 'string' },
  },
})
const FILES: Readonly<Record<string, string>> = { movies: 'movies.ndjson.gz', nsmc: 'nsmc-100k.ndjson.gz' }
const elasticdump = new URL('../node_modules/elasticdump/bin/elasticdump', import.meta.url).pathname

interface Timing {
  readonly documents: number
  readonly seconds: number
  /** Processor time of the command and of both domains. */
  readonly cpuSeconds: number
}

const folder = mkdtempSync(join(tmpdir(), 'chaja-bench-transfer-'))
const [source, destination] = [await startDomain(), await startDomain()]
const results: Record<string, Record<string, Timing[]>> = {}
try {
  for (const corpus of values.corpus) results[corpus] = await measure(corpus)
} finally {
  await Promise.all([source.stop(), destination.stop()])
  for (const { dataDir } of [source, destination]) removeDataDir(dataDir)
  rmSync(folder, { recursive: true, force: true })
}
report()

async function measure(corpus: string): Promise<Record<string, Timing[]>> {
  const mapping = JSON.parse(readFileSync(join(values.data, 'mappings', `${corpus}.json`), 'utf8')) as object
  const lines = gunzipSync(readFileSync(join(values.data, 'data', FILES[corpus] as string)))
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
  await load(corpus, lines, mapping)
  await load(`${corpus}-few`, lines.slice(0, Number(values['default-docs'])), mapping)

  const input = (index: string) => `--input=${source.url}/${index}`
  const output = `--output=${destination.url}/${corpus}`
  const chaja = (...more: string[]) => [
    mainPath,
    'transfer',
    `${source.url}/${corpus}`,
    `${destination.url}/${corpus}`,
    ...more,
  ]
  const tuned = ['--limit', '1000', '--concurrency', '4', '--intervalCap', '1000']
  const runs: Record<string, { readonly index: string; readonly command: readonly string[] }> = {
    'chaja transfer': { index: corpus, command: chaja() },
    'chaja transfer --no-verify': { index: corpus, command: chaja('--no-verify') },
    [`elasticdump ${tuned.join(' ')}`]: {
      index: corpus,
      command: [elasticdump, input(corpus), output, '--type=data', ...tuned],
    },
    'elasticdump (default)': {
      index: `${corpus}-few`,
      command: [elasticdump, input(`${corpus}-few`), output, '--type=data'],
    },
  }
  const timings: Record<string, Timing[]> = {}
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [name, { index, command }] of Object.entries(runs)) {
      const documents = await count(source.url, index)
      await recreate(corpus, mapping)
      const cpuBefore = cpuSeconds()
      const started = performance.now()
      await run(command)
      const seconds = (performance.now() - started) / 1000
      const cpu = cpuSeconds() - cpuBefore
      const moved = await count(destination.url, corpus)
      if (moved !== documents) throw new Error(`${name} moved ${moved} of ${documents} documents`)
      timings[name] ??= []
      timings[name].push({ documents, seconds, cpuSeconds: cpu })
      console.error(
        `${corpus} ${name}: ${documents} documents in ${seconds.toFixed(2)} s, ${cpu.toFixed(2)} s of processor time`,
      )
    }
  }
  return timings
}

async function load(index: string, lines: readonly string[], mapping: object): Promise<void> {
  const client = Client.connect({ host: source.url })
  await client.createIndex(index, { settings: { number_of_shards: 1 }, mappings: { doc: mapping } })
  const operations = lines.map((line) => ({
    index: { _index: index, _type: 'doc', _id: (JSON.parse(line) as { id: string }).id },
    source: line,
  }))
  const { failed } = await client.bulk(operations, { refresh: true, maxCount: 1000 })
  if (failed > 0) throw new Error(`${failed} documents were refused`)
  client.close()
}

async function recreate(index: string, mapping: object): Promise<void> {
  const client = Client.connect({ host: destination.url })
  if (await client.exists(`/${index}`)) await client.request('DELETE', `/${index}`)
  await client.createIndex(index, { settings: { number_of_shards: 1 }, mappings: { doc: mapping } })
  client.close()
}

async function count(url: string, index: string): Promise<number> {
  const client = Client.connect({ host: url })
  await client.request('POST', `/${index}/_refresh`)
  const { body } = await client.request<{ count: number }>('GET', `/${index}/_count`)
  client.close()
  return body.count
}

function run(command: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, command, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk
  })
  return new Promise((resolve, reject) =>
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${command.join(' ')}: ${stderr}`)))),
  )
}

/** Processor time so far of both domains and of every command that has ended. */
function cpuSeconds(): number {
  const field = (pid: number | 'self', first: number) => {
    // Behind the command's name in parentheses; fields are counted from 1 and the state is the third.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return Number(fields[first - 3]) + Number(fields[first - 2])
  }
  return (field(source.pid, 14) + field(destination.pid, 14) + field('self', 16)) / 100
}

function report(): void {
  const cpu = cpus()
  console.log(`Node ${process.version}, ${cpu.length} × ${cpu[0]?.model}\n`)
  console.log(
    '| corpus | command | documents | seconds, median [min–max] | documents/s | processor ms/1,000 documents |',
  )
  console.log('|---|---|--:|--:|--:|--:|')
  for (const [corpus, timings] of Object.entries(results)) {
    for (const [name, times] of Object.entries(timings)) {
      const sorted = times.map((t) => t.seconds).sort((x, y) => x - y)
      const seconds = `${median(sorted).toFixed(2)} [${sorted[0]?.toFixed(2)}–${sorted.at(-1)?.toFixed(2)}]`
      const cpuMs = median(times.map((t) => t.cpuSeconds / t.documents).sort((x, y) => x - y)) * 1_000_000
      console.log(
        `| ${corpus} | \`${name}\` | ${times[0]?.documents} | ${seconds} | ${Math.round(rate(times))} | ${Math.round(cpuMs)} |`,
      )
    }
  }
  console.log('\nHow many times as fast, median of neighbouring turns (by processor time):\n')
  console.log('| corpus | beside | chaja transfer | --no-verify |')
  console.log('|---|---|--:|--:|')
  for (const [corpus, timings] of Object.entries(results)) {
    for (const [name, times] of Object.entries(timings).filter(([n]) => n.startsWith('elasticdump'))) {
      const own = ['chaja transfer', 'chaja transfer --no-verify'].map((o) => ratios(times, timings[o] as Timing[]))
      console.log(`| ${corpus} | \`${name}\` | ${own.join(' | ')} |`)
    }
  }
  if (values.json !== undefined)
    writeFileSync(values.json, `${JSON.stringify({ node: process.version, results }, null, 2)}\n`)
}

function ratios(theirs: readonly Timing[], ours: readonly Timing[]): string {
  const of = (what: 'seconds' | 'cpuSeconds') =>
    median(
      theirs
        .map((t, i) => t[what] / t.documents / ((ours[i] as Timing)[what] / (ours[i] as Timing).documents))
        .sort((x, y) => x - y),
    ).toFixed(1)
  return `${of('seconds')} × (${of('cpuSeconds')} ×)`
}

function rate(times: readonly Timing[]): number {
  return (times[0] as Timing).documents / median(times.map((t) => t.seconds).sort((x, y) => x - y))
}

function median(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] as number
}
