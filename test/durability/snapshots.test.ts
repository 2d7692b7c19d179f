import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DomainProcess, startDomain } from '../../scripts/domain-process.ts'
import { seededRandom } from './seeded-random.ts'

/** Printed with a failure, so that it can be had again. */
const seed = Number(process.env['CHAJA_SEED'] ?? Date.now() % 1_000_000)
const random = seededRandom(seed)
const root = mkdtempSync(join(tmpdir(), 'chaja-snapshot-kill-'))
const dataDir = join(root, 'data')
const repositories = join(root, 'repositories')
const DOCUMENTS = 2_000
const ROUNDS = Number(process.env['CHAJA_ROUNDS'] ?? 2)

let domain: DomainProcess

async function start(): Promise<void> {
  domain = await startDomain({ dataDir, args: ['--path-repo', repositories] })
}

/** Asks the domain; its answer's body. A connection that breaks off is `undefined`. */
async function ask(method: string, path: string, body?: object | string) {
  try {
    const response = await fetch(domain.url + path, {
      method,
      headers: { 'content-type': path.includes('_bulk') ? 'application/x-ndjson' : 'application/json' },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.status, json: JSON.parse(await response.text()) }
  } catch {
    return undefined
  }
}

async function expectOk(method: string, path: string, body?: object | string) {
  const answer = await ask(method, path, body)
  expect(answer?.status, `${method} ${path} ${JSON.stringify(answer?.json)}, seed ${seed}`).toBe(200)
  return answer?.json
}

const bulk = (ids: readonly number[], word: string): string =>
  ids.map((id) => `{"index":{"_index":"i","_type":"_doc","_id":"${id}"}}\n${JSON.stringify({ word, id })}\n`).join('')

/** Every document of an index with its version and number. */
async function contents(index: string): Promise<readonly string[]> {
  await expectOk('POST', `/${index}/_refresh`)
  const search = { size: 10_000, version: true, seq_no_primary_term: true, query: { match_all: {} } }
  const { hits } = (await expectOk('POST', `/${index}/_search`, search)) as {
    hits: { hits: { _id: string; _version: number; _seq_no: number; _source: object }[] }
  }
  return hits.hits.map((hit) => `${hit._id} ${hit._version} ${hit._seq_no} ${JSON.stringify(hit._source)}`).sort()
}

async function snapshots(): Promise<readonly string[]> {
  const { snapshots: found } = (await expectOk('GET', '/_snapshot/r/_all')) as {
    snapshots: { snapshot: string; state: string }[]
  }
  for (const { state } of found) expect(state, `seed ${seed}`).toBe('SUCCESS')
  return found.map(({ snapshot }) => snapshot)
}

async function indices(): Promise<readonly string[]> {
  return Object.keys((await expectOk('GET', '/_all')) as object).sort()
}

/** Kills the domain after a while, and starts it again. */
async function killAfter(ms: number, work: Promise<unknown>): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
  await domain.stop('SIGKILL')
  await work
  await start()
}

const restored = (as: string) => ({ rename_pattern: '.+', rename_replacement: as, include_aliases: false })
const waiting = '?wait_for_completion=true'

beforeAll(async () => {
  await start()
  const settings = { location: 'r', chunk_size: '4kb', max_snapshot_bytes_per_sec: '-1' }
  await expectOk('PUT', '/_snapshot/r', { type: 'fs', settings })
  await expectOk('PUT', '/i', { settings: { number_of_shards: 1 } })
  await expectOk('POST', '/_bulk', bulk([...Array(DOCUMENTS).keys()], 'first'))
})
afterAll(async () => {
  await domain.stop()
  rmSync(root, { recursive: true, force: true })
})

describe('a server that is killed', () => {
  it('while it makes a snapshot leaves the others, and makes the next one', { timeout: 600_000 }, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const ids = Array.from({ length: 200 }, () => Math.floor(random() * DOCUMENTS))
      await expectOk('POST', '/_bulk', bulk([...new Set(ids)], `round ${round}`))
      const before = await snapshots()
      await killAfter(random() * 250, ask('PUT', `/_snapshot/r/cut-${round}${waiting}`))
      const after = await snapshots()
      expect(after.filter((name) => name !== `cut-${round}`)).toEqual(before)
      await expectOk('PUT', `/_snapshot/r/whole-${round}${waiting}`)
      const expected = await contents('i')
      for (const name of [`whole-${round}`, ...after.filter((n) => n === `cut-${round}`)]) {
        await expectOk('POST', `/_snapshot/r/${name}/_restore${waiting}`, restored('again'))
        expect(await contents('again'), `${name}, seed ${seed}`).toEqual(expected)
        await expectOk('DELETE', '/again')
      }
    }
  })

  it('while it restores one has the index whole or not at all', { timeout: 600_000 }, async () => {
    await expectOk('PUT', `/_snapshot/r/kept${waiting}`)
    const expected = await contents('i')
    for (let round = 0; round < ROUNDS; round++) {
      await killAfter(random() * 700, ask('POST', `/_snapshot/r/kept/_restore${waiting}`, restored('again')))
      const there = await indices()
      if (there.includes('again')) {
        expect(await contents('again'), `seed ${seed}`).toEqual(expected)
        await expectOk('DELETE', '/again')
      } else expect(there).toEqual(['i'])
      expect(await contents('i')).toEqual(expected)
      // Nothing of it is left in the folder of segments either.
      expect(readdirSync(join(dataDir, 'indices')).length, `seed ${seed}`).toBe(1)
    }
    await expectOk('POST', `/_snapshot/r/kept/_restore${waiting}`, restored('again'))
    expect(await contents('again')).toEqual(expected)
    await expectOk('DELETE', '/again')
  })

  it('while it deletes one leaves the others whole', { timeout: 600_000 }, async () => {
    const expected = await contents('i')
    for (let round = 0; round < ROUNDS; round++) {
      await expectOk(
        'POST',
        '/_bulk',
        bulk(
          Array.from({ length: 300 }, (_, i) => (i * 7) % DOCUMENTS),
          `extra ${round}`,
        ),
      )
      await expectOk('PUT', `/_snapshot/r/extra-${round}${waiting}`)
      const before = await snapshots()
      await killAfter(random() * 60, ask('DELETE', `/_snapshot/r/extra-${round}`))
      const after = await snapshots()
      expect(before.filter((name) => !after.includes(name) && name !== `extra-${round}`)).toEqual([])
      await expectOk('POST', `/_snapshot/r/kept/_restore${waiting}`, restored('again'))
      expect(await contents('again'), `seed ${seed}`).toEqual(expected)
      await expectOk('DELETE', '/again')
    }
    for (const name of await snapshots()) await expectOk('DELETE', `/_snapshot/r/${name}`)
    const data = join(repositories, 'r', 'data')
    expect(readdirSync(data).flatMap((folder) => readdirSync(join(data, folder)))).toEqual([])
    for (const folder of ['manifests', 'snapshots']) expect(readdirSync(join(repositories, 'r', folder))).toEqual([])
  })
})
