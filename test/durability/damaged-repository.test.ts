import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Backend } from '../../src/backend.ts'
import { type EmbeddedEngine, openEngine } from '../../src/engine/embedded-engine.ts'
import { Repository } from '../../src/engine/snapshot/repository.ts'
import { createRestBackend } from '../../src/rest/rest-backend.ts'
import { askBackend } from '../ask-backend.ts'
import { damageFile, filesOf } from './damage-files.ts'
import { seededRandom } from './seeded-random.ts'

/** Printed with a failure, so that it can be had again. */
const seed = Number(process.env['CHAJA_SEED'] ?? Date.now() % 1_000_000)
const CASES = Number(process.env['CHAJA_CASES'] ?? 4)
const FIRST = Number(process.env['CHAJA_FIRST'] ?? 0)
const root = mkdtempSync(join(tmpdir(), 'chaja-repository-'))
const repositories = join(root, 'repositories')
const intact = join(repositories, 'intact')
const older = join(repositories, 'older')
const SNAPSHOTS = ['one', 'two', 'three', 'four']
const INDICES = ['a', 'b']

let engine: EmbeddedEngine
let backend: Backend & { close(): Promise<void> }
/** By snapshot, by index: what it has. */
const truth: Record<string, Record<string, string>> = {}
/** By snapshot, the files it stands on. */
const standsOn: Record<string, ReadonlySet<string>> = {}

async function ask(method: string, path: string, body: object | string = '') {
  const { status, body: answer } = await askBackend(backend, method, path, body)
  // biome-ignore lint/suspicious/noExplicitAny: the answers of many endpoints
  return { status, json: JSON.parse(String(answer)) as any }
}

async function contents(index: string): Promise<string> {
  await ask('POST', `/${index}/_refresh`)
  const search = { size: 10_000, version: true, seq_no_primary_term: true, sort: '_seq_no' }
  const { status, json } = await ask('POST', `/${index}/_search`, search)
  expect(status, JSON.stringify(json).slice(0, 300)).toBe(200)
  return JSON.stringify(json.hits.hits.map(({ _index, sort, ...hit }: Record<string, unknown>) => hit))
}

const register = async (name: string, location: string) => {
  const settings = { location, chunk_size: '4kb', max_snapshot_bytes_per_sec: '-1' }
  return ask('PUT', `/_snapshot/${name}`, { type: 'fs', settings })
}

const waiting = 'wait_for_completion=true'

/** What a restored index has; a message where it is told that it cannot be restored. */
async function restored(repository: string, snapshot: string, index: string): Promise<string | { told: string }> {
  const { status, json } = await ask('POST', `/_snapshot/${repository}/${snapshot}/_restore?${waiting}`, {
    indices: index,
    rename_pattern: '.+',
    rename_replacement: 'again',
    include_global_state: false,
  })
  if (status !== 200 || json.snapshot.shards.failed > 0) {
    await ask('DELETE', '/again')
    return { told: `${status} ${JSON.stringify(json)}` }
  }
  const found = await contents('again')
  await ask('DELETE', '/again')
  return found
}

beforeAll(async () => {
  const log = () => {}
  const dataDir = join(root, 'data')
  engine = await openEngine({ dataDir, engineVersion: 'OpenSearch_2.19', log, repositoryPaths: [repositories] })
  const publishAddress = () => '127.0.0.1:9200'
  backend = createRestBackend(engine, { log, publishAddress, clusterName: 'test', dataDir })
  await register('intact', intact)
  const random = seededRandom(7)
  for (const [round, snapshot] of SNAPSHOTS.entries()) {
    for (const index of INDICES) {
      const lines = Array.from({ length: 150 }, (_, i) => {
        const id = Math.floor(random() * 300)
        return `{"index":{"_id":"${id}"}}\n{"n":${round * 1_000 + i},"text":"${'w '.repeat(id % 20)}"}\n`
      })
      await ask('POST', `/${index}/_bulk`, lines.join(''))
    }
    expect((await ask('PUT', `/_snapshot/intact/${snapshot}?${waiting}`)).json.snapshot.state).toBe('SUCCESS')
    truth[snapshot] = { a: await contents('a'), b: await contents('b') }
    if (round === 1) cpSync(intact, older, { recursive: true })
  }
  const repository = new Repository({ location: intact } as never)
  for (const { name, uuid, indices, globalState } of (await repository.list()).snapshots) {
    const files = new Set(['chaja-repository', `snapshots/${uuid}`, `manifests/${globalState}`])
    for (const { manifest } of indices) {
      files.add(`manifests/${manifest}`)
      for (const { file } of (await repository.readManifest(manifest)).chunks)
        files.add(`data/${file.slice(0, 2)}/${file}`)
    }
    standsOn[name] = files
  }
}, 600_000)
afterAll(async () => {
  await backend.close()
  rmSync(root, { recursive: true, force: true })
})

it('a damaged repository gives what is undamaged, and tells of what is not', {
  timeout: 600_000 + CASES * 10_000,
}, async () => {
  const files = filesOf(intact)
  for (let n = FIRST; n < FIRST + CASES; n++) {
    const location = join(repositories, String(n))
    cpSync(intact, location, { recursive: true })
    const what = damageFile(location, files, older, seededRandom(seed * 1_000 + n))
    const context = `seed ${seed}, case ${n}, ${what}`
    const file = what.split(' ')[0] as string
    const name = `r${n}`
    const { status, json } = await register(name, location)
    if (status !== 200) {
      // All of it can be had once the one file that says whose it is is mended.
      expect(file, `${context} ${JSON.stringify(json)}`).toBe('chaja-repository')
      expect(JSON.stringify(json), context).toContain('chaja-repository')
      continue
    }
    const isSaid = ({ told }: { told: string }) => expect(told, context).not.toMatch(/internal error|unexpected/)
    const look = async (snapshots: readonly string[]) => {
      const isTold: string[] = []
      for (const snapshot of snapshots) {
        for (const index of INDICES) {
          const found = await restored(name, snapshot, index)
          if (typeof found === 'string')
            expect(found === truth[snapshot]?.[index], `${context}: ${snapshot} ${index}`).toBe(true)
          else {
            isSaid(found)
            isTold.push(`${snapshot}/${index}`)
            expect(standsOn[snapshot]?.has(file), `${context}: ${snapshot} ${index} ${found.told}`).toBe(true)
          }
        }
      }
      return isTold
    }
    const before = await look(SNAPSHOTS)
    const listed = await ask('GET', `/_snapshot/${name}/_all?ignore_unavailable=true`)
    expect(listed.status, `${context} ${JSON.stringify(listed.json)}`).toBe(200)
    const made = await ask('PUT', `/_snapshot/${name}/new?${waiting}`)
    expect(made.json.snapshot?.state, `${context} ${JSON.stringify(made.json)}`).toBe('SUCCESS')
    for (const index of INDICES)
      expect((await restored(name, 'new', index)) === truth['four']?.[index], context).toBe(true)
    const after = await look(SNAPSHOTS)
    expect(before, context).toEqual(expect.arrayContaining(after))
    // What cannot be read keeps what it may lead to.
    const deleted = await ask('DELETE', `/_snapshot/${name}/new`)
    expect(deleted.status, `${context} ${JSON.stringify(deleted.json)}`).toBe(200)
    expect(await look(SNAPSHOTS), context).toEqual(after)
    for (const [method, path] of [
      ['POST', '_cleanup'],
      ['POST', '_verify'],
      ['GET', '_all'],
      ['GET', '_all/_status'],
    ] as const) {
      const answer = await ask(method, `/_snapshot/${name}/${path}`)
      if (answer.status !== 200) isSaid({ told: JSON.stringify(answer.json) })
    }
    if (process.env['CHAJA_SHOW']) console.log(context, before.join(), '->', after.join())
    await ask('DELETE', `/_snapshot/${name}`)
    rmSync(location, { recursive: true, force: true })
  }
})
