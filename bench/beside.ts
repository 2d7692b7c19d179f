/**
 * How long light requests wait while one large request of another kind is answered, and what memory that takes.
 *
 *   npm run build && npx tsx bench/beside.ts [--only 'WORDS|WORDS'] [--engine-version OpenSearch_2.19] [--heap MB]
 *
 * One server process of its own for each case, plain HTTP. A process of its own makes and sends the large request and reads the
 * answer; this one asks beside it, again and again, for a document by its id and for a match of one word. On a machine that has
 * other things to do a wait says little: the processor time of the first thread while one of them waited says what held it.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { parseArgs } from 'node:util'
import { type DomainProcess, removeDataDir, startDomain } from '../scripts/domain-process.ts'
import { type Call, type Case, CASES as LARGE_CASES, snapshotFolder } from './beside-cases.ts'
import { HOSTILE_CASES } from './beside-hostile-cases.ts'

const CASES = [...LARGE_CASES, ...HOSTILE_CASES]

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    'engine-version': { type: 'string', default: 'OpenSearch_2.19' },
    /** The server's, in MB. */
    heap: { type: 'string' },
    /** What the process that sends large requests is told: the domain. */
    url: { type: 'string' },
  },
})

/** Between two light requests, ms: they are not to be the load themselves. */
const PAUSE_MS = 2

const agent = new Agent({ keepAlive: true })

/** @returns the answer's status and length */
function send(
  url: string,
  { method, path, body }: Call,
  readRate?: number,
): Promise<{ status: number; length: number }> {
  return new Promise((resolve, reject) => {
    const headers =
      body === undefined || body.length === 0
        ? {}
        : {
            'content-type': body.at(-1) === 0x0a ? 'application/x-ndjson' : 'application/json',
            'content-length': body.length,
          }
    const sent = request(new URL(path, url), { method, agent, headers }, (response) => {
      let length = 0
      let begin = ''
      response.on('data', (chunk: Buffer) => {
        if (length === 0) begin = chunk.toString('utf8', 0, 300)
        length += chunk.length
        if (readRate === undefined) return
        response.pause()
        setTimeout(() => response.resume(), (chunk.length / readRate) * 1000)
      })
      response.on('error', reject)
      response.on('end', () => {
        if ((response.statusCode ?? 500) >= 300 && path !== '/a/_doc/1') console.error(`  ${method} ${path}: ${begin}`)
        resolve({ status: response.statusCode ?? 0, length })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** What the large request was answered. */
interface Answered {
  readonly status: number
  readonly length: number
  readonly ms: number
}

/** Sends the case of a name for the parent: prepares it, says so, and sends when it is told to. */
async function sendForParent(url: string): Promise<void> {
  const [name] = (await once(process, 'message')) as [string]
  const { prepare, call, readRate } = CASES.find((one) => one.name === name) as Case
  await prepare?.((prepared) => send(url, prepared))
  const large = call()
  process.send?.('ready')
  await once(process, 'message')
  const started = performance.now()
  const { status, length } = await send(url, large, readRate).catch(() => ({ status: 0, length: 0 }))
  const answered: Answered = { status, length, ms: performance.now() - started }
  process.send?.(answered)
  process.disconnect()
  agent.destroy()
}

const LIGHT: readonly Call[] = [
  { method: 'GET', path: '/a/_doc/1' },
  { method: 'POST', path: '/a/_search', body: Buffer.from('{"query":{"match":{"t":"word"}}}') },
]

/** How long answers took, ms, ascending, and the most that the server's first thread worked meanwhile. */
interface Waits {
  readonly times: readonly number[]
  readonly mostWork: number
}

/** Asks again and again until something is done. */
async function waits({ url, pid }: DomainProcess, call: Call, until: Promise<unknown>): Promise<Waits> {
  let isDone = false
  const done = () => {
    isDone = true
  }
  until.then(done, done)
  const times: number[] = []
  let mostWork = 0
  while (!isDone) {
    const started = performance.now()
    const worked = firstThreadMs(pid)
    await send(url, call).catch(() => undefined)
    times.push(performance.now() - started)
    mostWork = Math.max(mostWork, firstThreadMs(pid) - worked)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  return { times: times.sort((a, b) => a - b), mostWork }
}

/** Processor time of a process' first thread, ms; 0 once it has ended. */
function firstThreadMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return 0
  }
}

/** A line of /proc/PID/status, in MB. */
function memory(pid: number, what: 'VmHWM' | 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`${what}:\\s*(\\d+)`).exec(status)?.[1]) / 1024)
}

const message = async (child: ChildProcess): Promise<unknown> => ((await once(child, 'message')) as [unknown])[0]

async function measure(domain: DomainProcess, { name }: Case): Promise<void> {
  const { url, pid } = domain
  for (let i = 0; i < 200; i++)
    await send(url, { method: 'PUT', path: `/a/_doc/x${i}`, body: Buffer.from('{"t":"a word"}') })
  await send(url, { method: 'PUT', path: '/a/_doc/1?refresh=true', body: Buffer.from('{"t":"a word"}') })
  const sender = fork(new URL(import.meta.url).pathname, ['--url', url])
  try {
    sender.send(name)
    await message(sender)
    for (let i = 0; i < 200; i++) for (const call of LIGHT) await send(url, call)
    // What it took until now is forgotten.
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    const before = memory(pid, 'VmRSS')
    const answer = message(sender) as Promise<Answered>
    sender.send('go')
    const [gets, matches] = (await Promise.all(LIGHT.map((call) => waits(domain, call, answer)))) as [Waits, Waits]
    const { status, length, ms } = await answer
    const taken = status === 0 ? 'process ended' : `${Math.max(0, memory(pid, 'VmHWM') - before)}`
    const waited = ({ times }: Waits) =>
      `${[0.99, 1].map((q) => Math.round(times[Math.ceil(times.length * q) - 1] ?? 0)).join(' / ')}`
    const answered = `${status}${length < 2 ** 20 ? '' : `, ${Math.round(length / 2 ** 20)} MB`}`
    const work = Math.round(Math.max(gets.mostWork, matches.mostWork))
    console.log(
      `| ${name} | ${Math.round(ms)} | ${answered} | ${waited(gets)} | ${waited(matches)} | ${work} | ${taken} |`,
    )
  } finally {
    sender.kill()
  }
}

async function measureAll(): Promise<void> {
  console.log(
    '| beside | took, ms | answer | get, p99 / longest, ms | match, p99 / longest, ms | of them work, ms | memory, MB |',
  )
  console.log('|---|--:|---|--:|--:|--:|--:|')
  const words = values.only.split('|')
  const args = ['--engine-version', values['engine-version'], '--path-repo', snapshotFolder]
  const env =
    values.heap === undefined ? {} : { env: { ...process.env, NODE_OPTIONS: `--max-old-space-size=${values.heap}` } }
  for (const one of CASES.filter(({ name }) => words.some((word) => name.includes(word)))) {
    const domain = await startDomain({ args, ...env })
    try {
      await measure(domain, one)
    } catch (error) {
      console.log(`| ${one.name} | ${error} |`)
    } finally {
      await domain.stop()
      removeDataDir(domain.dataDir)
      removeDataDir(snapshotFolder)
    }
  }
}

if (values.url === undefined) {
  await measureAll()
  agent.destroy()
} else await sendForParent(values.url)
