/**
 * Calls that nobody would send: recorded calls (test/recorded-calls/) changed in some places, one after the other, each file on a domain of its
 * own. Whatever is asked, the domain goes on, answers within ten seconds, and never takes the fault for its own.
 *
 *   npm run build && npm run mutate -- [--files 40] [--each 8] [--seed N]
 *
 * Ends with `N passed, N failed`, in calls; the short form is part of `npm test`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { faultOfAnswer, MutatedCalls } from '../test/recorded-calls/mutated-calls.ts'
import { RECORDED_VERSIONS, type RecordedVersion } from '../test/recorded-calls/recorded-files.ts'
import { removeDataDir, startDomain } from './domain-process.ts'
import type { MutableCall } from './fuzz/mutate-call.ts'
import { Random } from './fuzz/random.ts'

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '40' },
    each: { type: 'string', default: '8' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})

/** After that nobody waits for an answer any more. */
const GIVE_UP_MS = 90_000

const seed = Number(values.seed)
const agent = new Agent({ keepAlive: true })
const ofVersions = RECORDED_VERSIONS.map((version) => [version, new MutatedCalls(version)] as const)
let asked = 0
let failed = 0
console.log(`seed ${seed}`)
for (let i = 0; i < Number(values.files); i++) {
  const random = new Random(seed * 10_000 + i)
  const [version, calls] = random.pick(ofVersions)
  const name = random.pick(calls.names)
  const faults = await askAll(version, calls.of(name, Number(values.each), random))
  failed += faults.length
  for (const fault of faults) console.log(`${name}, ${i}: ${fault}`)
}
console.log(`${asked - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

/** Asks a domain everything. @returns what was wrong */
async function askAll(version: RecordedVersion, calls: Iterable<MutableCall>): Promise<readonly string[]> {
  const root = mkdtempSync(join(tmpdir(), 'chaja-mutate-'))
  const domain = await startDomain({ args: ['--engine-version', version, '--path-repo', root] })
  const log: string[] = []
  for (const stream of [domain.child.stdout, domain.child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      const lines = String(chunk).split('\n')
      // A search that nobody waits for any more may end with its thread.
      log.push(...lines.filter((line) => /"level":[56]0|^Error|internal error/.test(line) && !/"thread":\d/.test(line)))
    })
  const faults: string[] = []
  try {
    for (const call of calls) {
      asked++
      const fault = (await faultOf(domain.url, call)) ?? log.splice(0).join('\n')
      if (fault !== '')
        faults.push(`${call.method} ${call.path} ${call.body?.slice(0, 3_000) ?? ''}\n    ${fault.slice(0, 1_000)}`)
      if (domain.child.exitCode === null && domain.child.signalCode === null) continue
      faults.push(`the domain ended with ${domain.child.exitCode ?? domain.child.signalCode}`)
      break
    }
  } finally {
    await domain.stop()
    removeDataDir(domain.dataDir)
    rmSync(root, { recursive: true, force: true })
  }
  // What it said after its last answer.
  return [...faults, ...log]
}

async function faultOf(url: string, call: MutableCall): Promise<string | undefined> {
  const began = performance.now()
  try {
    const { status, answer } = await send(url, call)
    return faultOfAnswer(call, status, answer, performance.now() - began)
  } catch (error) {
    return String(error)
  }
}

/** Sends it as it is, bodies of GET too, which `fetch` would not. */
function send(url: string, { method, path, body }: MutableCall): Promise<{ status: number; answer: string }> {
  const { hostname, port } = new URL(url)
  const type = body?.includes('\n') === true ? 'application/x-ndjson' : 'application/json'
  const headers = body === undefined ? {} : { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers, agent, timeout: GIVE_UP_MS }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, answer: String(Buffer.concat(chunks)) }))
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer')))
    sent.on('error', reject)
    sent.end(body)
  })
}
