/**
 * Clients that do everything at once to the same few names (test/races/request-race.ts): whatever they do to each other, answers are of the
 * kinds that disturbed requests may have, changes of several indices are seen whole, and what is acknowledged stays.
 *
 *   npm run race -- [--rounds 10] [--clients 12] [--requests 400] [--seed N] [--version OpenSearch_2.19]
 *   npm run race -- --url http://127.0.0.1:9200 --version Elasticsearch_6.8 --repository /tmp/repository
 *                                                      another server (its path.repo; without one there are no snapshots)
 *
 * Tells how often each call was answered how. Ends with `N passed, N failed`; the short form is part of `npm test`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { RACED_VERSIONS, type RaceAnswer, type RacedVersion, RequestRace } from '../test/races/request-race.ts'
import { removeDataDir, startDomain } from './domain-process.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    clients: { type: 'string', default: '12' },
    requests: { type: 'string', default: '400' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    version: { type: 'string' },
    url: { type: 'string' },
    repository: { type: 'string' },
  },
})

const rounds = Number(values.rounds)
const seed = Number(values.seed)
console.log(`seed ${seed}`)
const answers = new Map<string, number>()
let failed = 0
for (let round = 0; round < rounds; round++) {
  const version = (values.version ?? RACED_VERSIONS[round % RACED_VERSIONS.length]) as RacedVersion
  const faults = await raceOnce(seed + round, version)
  for (const fault of new Set(faults)) console.log(`${version}, seed ${seed + round}: ${fault}`)
  if (faults.length > 0) failed++
}
for (const [what, count] of [...answers].sort()) console.log(`${count} ${what}`)
console.log(`${rounds - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

async function raceOnce(ofRound: number, version: RacedVersion): Promise<readonly string[]> {
  const root = mkdtempSync(join(tmpdir(), 'chaja-race-'))
  const args = ['--engine-version', version, '--path-repo', root]
  const domain = values.url === undefined ? await startDomain({ args }) : undefined
  let log = ''
  domain?.child.stderr?.on('data', (chunk: Buffer) => {
    log += chunk
  })
  const url = domain?.url ?? (values.url as string)
  const race = new RequestRace({
    ask: (method, path, body) => ask(url, method, path, body),
    version,
    repository: domain === undefined ? values.repository : join(root, 'r'),
    clients: Number(values.clients),
    requests: Number(values.requests),
    seed: ofRound,
  })
  try {
    await race.run()
    for (const [what, count] of race.answers) answers.set(what, (answers.get(what) ?? 0) + count)
    const code = domain === undefined ? 0 : await domain.stop()
    const told = log.split('\n').filter((line) => /"level":(?:50|60)/.test(line))
    return [...race.faults, ...told, ...(code === 0 ? [] : [`it ended with ${code}`])]
  } finally {
    await domain?.stop()
    if (domain !== undefined) removeDataDir(domain.dataDir)
    rmSync(root, { recursive: true, force: true })
  }
}

async function ask(url: string, method: string, path: string, body?: object | string): Promise<RaceAnswer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json' },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  try {
    return { status: response.status, json: JSON.parse(text) }
  } catch {
    return { status: response.status, json: { text } }
  }
}
