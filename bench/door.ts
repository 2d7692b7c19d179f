/**
 * What does the door cost? Get-by-id, signed and unsigned, against the same running domain.
 *
 *   npm run build && npx tsx bench/door.ts [--pairs 60] [--slice-ms 500] [--connections 16] [--tls] [--json FILE]
 *
 * Corpus: 1,000 documents of about 300 bytes in one index, fixed. The domain is a process of its own (`--open`: unsigned
 * requests are served, signed ones are verified all the same); this process sends requests signed beforehand over
 * keep-alive connections, one at a time each. Short slices of both kinds take turns. Two figures: throughput, and the
 * processor time a request takes the domain (/proc), which other load on the machine disturbs less.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { parseArgs } from 'node:util'
import { removeDataDir, startDomain } from '../scripts/domain-process.ts'
import { readAdminKey } from '../src/access/open-access.ts'
import { nodeHash } from '../src/access/signature/node-hash.ts'
import { type SigningCredentials, signRequest } from '../src/access/signature/sign-request.ts'

const { values: flags } = parseArgs({
  options: {
    pairs: { type: 'string', default: '60' },
    'slice-ms': { type: 'string', default: '500' },
    connections: { type: 'string', default: '16' },
    tls: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})
const pairs = Number(flags.pairs)
const sliceMs = Number(flags['slice-ms'])
const connections = Number(flags.connections)
const DOCUMENTS = 1000
const CLOCK_TICKS_A_SECOND = 100

const domain = await startDomain(flags.tls ? { secure: true, args: ['--open'] } : {})
const { hostname, port, host } = new URL(domain.url)
const ca = flags.tls ? readFileSync(join(domain.dataDir, 'tls', 'ca.pem')) : undefined
const admin = readAdminKey(domain.dataDir) as SigningCredentials

function open(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket =
      ca === undefined
        ? connect({ host: hostname, port: Number(port) }, () => resolve(socket))
        : connectTls({ host: hostname, port: Number(port), ca, servername: 'localhost' }, () => resolve(socket))
    socket
      .setNoDelay(true)
      .on('error', reject)
      .on('close', (hadError) => hadError && process.exit(1))
  })
}

/** Sends one request and waits for its answer; keep-alive. @returns its status */
function exchange(socket: Socket, request: Buffer): Promise<number> {
  return new Promise((resolve) => {
    let text = ''
    const onData = (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1])
      if (text.length < end + 4 + length) return
      socket.off('data', onData)
      resolve(Number(text.slice(9, 12)))
    }
    socket.on('data', onData)
    socket.write(request)
  })
}

const setup = await open()
const lines: string[] = []
for (let i = 0; i < DOCUMENTS; i++) {
  lines.push(`{"index":{"_index":"books","_type":"book","_id":"${i}"}}`)
  lines.push(JSON.stringify({ title: `책 ${i}`, year: 1900 + (i % 120), text: '찾아 '.repeat(25) }))
}
const body = Buffer.from(`${lines.join('\n')}\n`)
const head = `POST /_bulk?refresh=true HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/x-ndjson\r\ncontent-length: ${body.length}\r\n\r\n`
if ((await exchange(setup, Buffer.concat([Buffer.from(head), body]))) !== 200) throw new Error('setup failed')
setup.destroy()

const targets = Array.from({ length: DOCUMENTS }, (_, i) => `/books/book/${i}`)
const requestOf = (target: string, headers: Readonly<Record<string, string>>) => {
  const text = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`GET ${target} HTTP/1.1\r\n${text.join('')}\r\n`)
}
const PLAIN = { host, accept: 'application/json', 'user-agent': 'bench' }
const unsigned = targets.map((target) => requestOf(target, PLAIN))

/** Signed anew every half minute: a signature holds five. */
async function signAll(): Promise<Buffer[]> {
  const signed: Buffer[] = []
  for (const target of targets) {
    const request = { method: 'GET', target, headers: { host } }
    const headers = await signRequest(request, admin, { region: 'us-east-1', hash: nodeHash })
    signed.push(requestOf(target, { ...PLAIN, ...headers }))
  }
  return signed
}

/** Processor seconds of the domain so far. */
function processorSeconds(): number {
  const fields = readFileSync(`/proc/${domain.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_A_SECOND
}

const sockets = await Promise.all(Array.from({ length: connections }, open))

/** Sends one kind for a slice of time. */
async function slice(requests: readonly Buffer[], ms: number) {
  const before = processorSeconds()
  const started = performance.now()
  const until = started + ms
  let done = 0
  await Promise.all(
    sockets.map(async (socket, i) => {
      for (let next = i * 61; performance.now() < until; next++) {
        const status = await exchange(socket, requests[next % requests.length] as Buffer)
        if (status !== 200) throw new Error(`answered ${status}`)
        done++
      }
    }),
  )
  return { done, seconds: (performance.now() - started) / 1000, processorSeconds: processorSeconds() - before }
}

const KINDS = ['unsigned', 'signed'] as const
const sums = {
  unsigned: { done: 0, seconds: 0, processorSeconds: 0 },
  signed: { done: 0, seconds: 0, processorSeconds: 0 },
}
const pairRatios: number[] = []
await slice(unsigned, 3000)
let signed = await signAll()
await slice(signed, 3000)
for (let pair = 0; pair < pairs; pair++) {
  if (pair % 30 === 0) signed = await signAll()
  const speed = { unsigned: 0, signed: 0 }
  // Which goes first alternates, and slices are short, so that what else the machine does falls on both.
  for (const kind of pair % 2 === 0 ? KINDS : [...KINDS].reverse()) {
    const result = await slice(kind === 'unsigned' ? unsigned : signed, sliceMs)
    speed[kind] = result.done / result.seconds
    sums[kind].done += result.done
    sums[kind].seconds += result.seconds
    sums[kind].processorSeconds += result.processorSeconds
  }
  pairRatios.push(speed.signed / speed.unsigned)
}
for (const socket of sockets) socket.destroy()
const summary = Object.fromEntries(
  KINDS.map((kind) => {
    const { done, seconds, processorSeconds: processor } = sums[kind]
    return [
      kind,
      { perSecond: Math.round(done / seconds), processorMicros: Number(((processor * 1e6) / done).toFixed(1)) },
    ]
  }),
) as Record<(typeof KINDS)[number], { perSecond: number; processorMicros: number }>
pairRatios.sort((a, b) => a - b)
const medianRatio = pairRatios[pairRatios.length >> 1] as number
const processorRatio = summary.unsigned.processorMicros / summary.signed.processorMicros
for (const kind of KINDS) {
  const { perSecond, processorMicros } = summary[kind]
  console.log(`${kind.padEnd(8)} ${perSecond} requests/s, ${processorMicros} µs of the processor each`)
}
console.log(
  `signed over unsigned: throughput ${(summary.signed.perSecond / summary.unsigned.perSecond).toFixed(3)} ` +
    `(median of ${pairs} pairs ${medianRatio.toFixed(3)}), by processor time ${processorRatio.toFixed(3)}`,
)
if (flags.json !== undefined) {
  const machine = { node: process.version, processor: cpus()[0]?.model, cores: cpus().length }
  const result = { machine, tls: flags.tls, connections, pairs, sliceMs, summary, medianRatio, processorRatio }
  writeFileSync(flags.json, `${JSON.stringify(result, null, 2)}\n`)
}
await domain.stop()
removeDataDir(domain.dataDir)
