import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open as openLmdb } from 'lmdb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEngine } from '../../src/engine/embedded-engine.ts'
import { createRestBackend } from '../../src/rest/rest-backend.ts'
import { askBackend } from '../ask-backend.ts'
import { copyAsCrashed } from './crashed-copy.ts'
import { seededRandom } from './seeded-random.ts'

/** Printed with a failure, so that it can be had again. */
const seed = Number(process.env['CHAJA_SEED'] ?? Date.now() % 1_000_000)
const random = seededRandom(seed)
const root = mkdtempSync(join(tmpdir(), 'chaja-entries-'))
const intact = join(root, 'intact')
const repositories = join(root, 'repositories')
afterAll(() => rmSync(root, { recursive: true, force: true }))

interface Domain {
  readonly log: string[]
  // biome-ignore lint/suspicious/noExplicitAny: the answers of many endpoints
  ask(method: string, path: string, body?: object | string): Promise<{ status: number; json: any }>
  close(): Promise<void>
}

async function open(dataDir: string): Promise<Domain> {
  const lines: string[] = []
  const log = (level: string, fields: object, message: string) => {
    if (level === 'warn' || level === 'error') lines.push(`${level} ${message} ${JSON.stringify(fields)}`)
  }
  const engine = await openEngine({
    dataDir,
    engineVersion: 'OpenSearch_2.19',
    repositoryPaths: [repositories],
    log,
  })
  const backend = createRestBackend(engine, {
    log,
    publishAddress: () => '127.0.0.1:9200',
    clusterName: 'test',
    dataDir,
  })
  return {
    log: lines,
    async ask(method, path, body = '') {
      const answer = await askBackend(backend, method, path, body)
      const text = String(answer.body)
      return { status: answer.status, json: /^[[{]/.test(text) ? JSON.parse(text) : text }
    },
    close: () => backend.close(),
  }
}

/** Does something with the entries of a store that nobody has open. */
async function withEntries<T>(
  folder: string,
  work: (entries: {
    all(): Iterable<{ key: Buffer; value: Buffer }>
    put(key: Buffer, value: Buffer): Promise<unknown>
    remove(key: Buffer): Promise<unknown>
  }) => Promise<T>,
): Promise<T> {
  const encodings = { encoding: 'binary', keyEncoding: 'binary' } as const
  const store = openLmdb<Buffer, Buffer>({ path: join(folder, 'store.mdb'), maxDbs: 8, ...encodings })
  const table = store.openDB<Buffer, Buffer>({ name: 'metadata', ...encodings })
  try {
    return await work({
      all: () => [...table.getRange()].map(({ key, value }) => ({ key: Buffer.from(key), value: Buffer.from(value) })),
      put: (key, value) => table.put(key, value),
      remove: (key) => table.remove(key),
    })
  } finally {
    await store.close()
  }
}

function copy(): string {
  const folder = mkdtempSync(join(root, 'd-'))
  cpSync(intact, folder, { recursive: true, filter: (path) => !lstatSync(path).isSocket() })
  return folder
}

function flip(bytes: Buffer): Buffer {
  const bit = Math.floor(random() * bytes.length * 8)
  bytes[bit >>> 3] = (bytes[bit >>> 3] as number) ^ (1 << (bit & 7))
  return bytes
}

const DAMAGES: readonly (readonly [how: string, damage: (value: Buffer) => Buffer])[] = [
  ['a bit of it flipped', flip],
  ['cut short', (value) => value.subarray(0, Math.floor(random() * value.length))],
  ['zeros', (value) => Buffer.alloc(value.length)],
]

/** Names of what is stored; each kind of entry has a row in {@link KINDS}. */
let names: string[] = []

beforeAll(async () => {
  mkdirSync(join(repositories, 'r'), { recursive: true })
  const domain = await open(intact)
  const put = async (path: string, body: object) => {
    const { status, json } = await domain.ask('PUT', path, body)
    if (status >= 300) throw new Error(`${path}: ${JSON.stringify(json)}`)
  }
  const settings = { number_of_shards: 2, number_of_replicas: 0 }
  await put('/_template/t', { index_patterns: ['made-*'], settings: { number_of_shards: 3 } })
  await put('/_component_template/part', { template: { settings: { number_of_shards: 4 } } })
  await put('/_index_template/composed', { index_patterns: ['composed-*'], composed_of: ['part'] })
  await put('/_ingest/pipeline/pipe', { processors: [{ set: { field: 'piped', value: 1 } }] })
  await put('/_search/pipeline/found', { request_processors: [] })
  await put('/_scripts/sum', { script: { lang: 'painless', source: 'doc.n.value' } })
  await put('/_snapshot/r', { type: 'fs', settings: { location: join(repositories, 'r') } })
  await put('/_cluster/settings', { persistent: { 'action.auto_create_index': 'true' } })
  for (const index of ['bad', 'good']) {
    await put(`/${index}`, { settings, aliases: { [`${index}-alias`]: {}, both: {} } })
    for (let n = 0; n < 5; n++) await put(`/${index}/_doc/${n}?refresh=true`, { n, text: `text ${n}` })
  }
  await put('/_snapshot/r/s?wait_for_completion=true', { indices: 'bad,good' })
  await put('/gone', { settings })
  await put('/big', { settings })
  for (let round = 0; round < 4; round++) {
    const lines = Array.from({ length: 200 }, (_, n) => {
      const text = Array.from({ length: 60 }, () => `word${Math.floor(random() * 500)}`).join(' ')
      return `{"index":{"_id":"${round}-${n}"}}\n${JSON.stringify({ n, text })}\n`
    })
    await domain.ask('POST', '/big/_bulk', lines.join(''))
  }
  const { json } = await domain.ask('POST', '/good/_update_by_query?wait_for_completion=false')
  for (let i = 0; i < 100; i++) if ((await domain.ask('GET', `/_tasks/${json.task}`)).json.completed === true) break
  await domain.close()
  names = await withEntries(intact, async ({ all }) => [...all()].map(({ key }) => key.toString()))
})

const corrupt = { status: 500, json: { error: { type: 'corrupt_index_exception' } } }
const noShard = { status: 503, json: { error: { type: 'no_shard_available_action_exception' } } }

/** The other index is as it was. */
async function expectGood({ ask }: Domain): Promise<void> {
  expect(await ask('GET', '/good/_search')).toMatchObject({ status: 200, json: { hits: { total: { value: 5 } } } })
  expect(await ask('GET', '/good/_doc/3')).toMatchObject({ status: 200, json: { _source: { n: 3 } } })
  expect(await ask('PUT', '/good/_doc/3', { n: 3, text: 'text 3' })).toMatchObject({ status: 200 })
  expect(await ask('GET', '/good/_mapping')).toMatchObject({ status: 200 })
}

/** Something stored by a name: who needs it is told, others are not kept from anything, and it can be deleted. */
function storedBy(path: string, needing: (domain: Domain) => Promise<unknown>, again: object) {
  return async (domain: Domain) => {
    await expectGood(domain)
    expect(domain.log).toEqual([expect.stringContaining('until it is deleted and put again')])
    expect(await domain.ask('GET', path)).toMatchObject(corrupt)
    await needing(domain)
    expect(await domain.ask('DELETE', path)).toMatchObject({ status: 200 })
    expect(await domain.ask('GET', path)).toMatchObject({ status: 404 })
    expect(await domain.ask('PUT', path, again)).toMatchObject({ status: 200 })
    expect(await domain.ask('GET', path)).toMatchObject({ status: 200 })
    expect(await domain.ask('PUT', '/made-2', {})).toMatchObject({ status: 200 })
  }
}

const makesNoIndex = async ({ ask }: Domain) => {
  expect(await ask('PUT', '/made-1', {})).toMatchObject(corrupt)
  expect(await ask('PUT', '/composed-1/_doc/1', { n: 1 })).toMatchObject(corrupt)
  expect(await ask('GET', '/made-1')).toMatchObject({ status: 404 })
}

async function expectUnavailable({ ask, log }: Domain): Promise<void> {
  expect(log).toEqual([expect.stringContaining('an index cannot be read, it is unavailable')])
  expect(await ask('GET', '/_cluster/health')).toMatchObject({ status: 200, json: { status: 'red' } })
  const { json: listed } = await ask('GET', '/_cat/indices?format=json')
  expect(listed).toContainEqual(
    expect.objectContaining({ index: 'bad', health: 'red', status: 'open', 'docs.count': null }),
  )
  expect(listed).toContainEqual(expect.objectContaining({ index: 'good', health: 'green', 'docs.count': '5' }))
  const { json: shards } = await ask('GET', '/_cat/shards/bad?format=json')
  expect(shards).toContainEqual(expect.objectContaining({ prirep: 'p', state: 'UNASSIGNED', docs: null }))
  for (const [method, path, body] of [
    ['GET', '/bad/_doc/1'],
    ['GET', '/bad'],
    ['GET', '/bad/_mapping'],
    ['GET', '/bad/_settings'],
    ['GET', '/bad/_alias'],
    ['PUT', '/bad/_mapping', { properties: { m: { type: 'keyword' } } }],
    ['PUT', '/bad/_settings', { 'index.refresh_interval': '5s' }],
    ['PUT', '/bad/_alias/other'],
    ['POST', '/_aliases', { actions: [{ add: { index: 'bad', alias: 'other' } }] }],
    ['POST', '/bad/_close'],
    ['POST', '/bad/_open'],
    ['GET', '/bad/_explain/1', { query: { match_all: {} } }],
    ['GET', '/bad/_termvectors/1'],
    ['POST', '/bad/_analyze', { text: 'a' }],
    ['POST', '/bad/_clone/copy'],
  ] as const)
    expect(await ask(method, path, body), `${method} ${path}`).toMatchObject(noShard)
  for (const [method, path, body] of [
    ['PUT', '/bad/_doc/1', { n: 2 }],
    ['DELETE', '/bad/_doc/1'],
    ['POST', '/bad/_update/1', { doc: { n: 2 } }],
  ] as const)
    expect(await ask(method, path, body), `${method} ${path}`).toMatchObject({
      status: 503,
      json: { error: { type: 'unavailable_shards_exception' } },
    })
  const lines =
    '{"index":{"_index":"bad","_id":"1"}}\n{"n":1}\n{"index":{"_index":"good","_id":"4"}}\n{"n":4,"text":"text 4"}\n'
  const { json: bulk } = await ask('POST', '/_bulk', lines)
  expect(bulk.items.map(({ index }: { index: { status: number } }) => index.status)).toEqual([503, 200])
  for (const path of ['/bad/_search', '/bad/_count', '/good,bad/_search?allow_partial_search_results=false'])
    expect(await ask('GET', path), path).toMatchObject({
      status: 503,
      json: { error: { type: 'search_phase_execution_exception' } },
    })
  for (const path of ['/_search', '/good,bad/_search', '/*/_search'])
    expect(await ask('GET', `${path}?q=text:text`), path).toMatchObject({
      status: 200,
      json: { hits: { total: { value: 5 } }, _shards: { failed: expect.any(Number), failures: [{ index: 'bad' }] } },
    })
  expect(await ask('POST', '/good,bad/_delete_by_query', { query: { match_all: {} } })).toMatchObject({ status: 503 })
  // Nothing is made of a name that may be one of its aliases.
  expect(await ask('PUT', '/bad-alias/_doc/1', { n: 1 })).toMatchObject({ status: 503 })
  expect(await ask('PUT', '/new/_doc/1', { n: 1 })).toMatchObject({ status: 503 })
  expect(await ask('PUT', '/new', {})).toMatchObject({ status: 200 })
  for (const path of [
    '/_mapping',
    '/_stats',
    '/_segments',
    '/_cluster/state',
    '/_cluster/stats',
    '/_nodes/stats',
    '/_cat/segments',
    '/_recovery',
    '/_cat/aliases',
    '/_field_caps?fields=*',
    '/_refresh',
    '/_cat/allocation',
    '/_cluster/allocation/explain',
    '/_resolve/index/*',
    '/_alias',
  ])
    expect((await ask('GET', path)).status, path).toBe(200)
  // Of the others alone.
  await ask('PUT', '/_snapshot/r/partial?wait_for_completion=true', { partial: true, indices: 'bad,good' })
  expect(await ask('GET', '/_snapshot/r/partial')).toMatchObject({
    json: { snapshots: [{ state: 'PARTIAL', failures: [{ index: 'bad' }] }] },
  })
}

/** What is to be of a domain with an entry damaged, by what its name begins with; undefined: it does not start, and says which. */
const KINDS: readonly (readonly [
  name: RegExp,
  expect: ((domain: Domain, folder: string) => Promise<void>) | undefined,
])[] = [
  // One byte or two, which every version must be able to read.
  [/^format$/, undefined],
  [/^log$/, undefined],
  [
    /^(made|node|nextIndexNumber|manifest\/\d+|removed\/\d+|extra\/(snapshot_base|ever_put)\/.*)$/,
    async (domain) => {
      await expectGood(domain)
      expect(await domain.ask('GET', '/bad/_search')).toMatchObject({ json: { hits: { total: { value: 5 } } } })
      expect(await domain.ask('PUT', '/new/_doc/1?refresh=true', { n: 1 })).toMatchObject({ status: 201 })
      expect(await domain.ask('GET', '/new/_search')).toMatchObject({ json: { hits: { total: { value: 1 } } } })
      expect(await domain.ask('GET', '/gone/_search')).toMatchObject({ json: { hits: { total: { value: 0 } } } })
    },
  ],
  [
    /^dictionary\/\d+$/,
    async (domain) => {
      await expectGood(domain)
      expect(await domain.ask('GET', '/big/_doc/3-199')).toMatchObject(corrupt)
      expect((await domain.ask('PUT', '/big/_doc/new', { n: 1 })).status).toBeOneOf([201, 500])
    },
  ],
  [
    /^settings$/,
    async (domain) => {
      expect(await domain.ask('GET', '/good/_search')).toMatchObject({ json: { hits: { total: { value: 5 } } } })
      const blocked = { status: 403, json: { error: { type: 'cluster_block_exception' } } }
      expect(await domain.ask('PUT', '/good/_doc/3', { n: 3, text: 'text 3' })).toMatchObject(blocked)
      expect(await domain.ask('PUT', '/new', {})).toMatchObject(blocked)
      const persistent = { 'cluster.blocks.read_only': null }
      expect(await domain.ask('PUT', '/_cluster/settings', { persistent })).toMatchObject({ status: 200 })
      await expectGood(domain)
    },
  ],
  [/^template\/t$/, storedBy('/_template/t', makesNoIndex, { index_patterns: ['x'] })],
  [
    /^extra\/composable_template\/|^extra\/index_template\//,
    storedBy('/_index_template/composed', makesNoIndex, { index_patterns: ['x'] }),
  ],
  [
    /^extra\/component_template\//,
    storedBy(
      '/_component_template/part',
      async ({ ask }) => {
        expect(await ask('PUT', '/composed-1', {})).toMatchObject(corrupt)
      },
      { template: {} },
    ),
  ],
  [
    /^extra\/pipeline\/|^extra\/ingest/,
    storedBy(
      '/_ingest/pipeline/pipe',
      async ({ ask }) => {
        expect(await ask('PUT', '/good/_doc/9?pipeline=pipe', { n: 9 })).toMatchObject(corrupt)
        expect(await ask('GET', '/good/_doc/9')).toMatchObject({ status: 404 })
      },
      { processors: [] },
    ),
  ],
  [
    /^extra\/search_pipeline\//,
    storedBy(
      '/_search/pipeline/found',
      async ({ ask }) => {
        expect(await ask('GET', '/good/_search?search_pipeline=found')).toMatchObject(corrupt)
      },
      { request_processors: [] },
    ),
  ],
  [
    /^extra\/stored_script\//,
    storedBy(
      '/_scripts/sum',
      async ({ ask }) => {
        const query = { script: { script: { id: 'sum' } } }
        expect(JSON.stringify(await ask('POST', '/good/_search', { query }))).toMatch(/"error".*is damaged on disk/)
      },
      { script: { lang: 'painless', source: '1' } },
    ),
  ],
  [
    /^extra\/repository\//,
    storedBy(
      '/_snapshot/r',
      async ({ ask }) => {
        expect(await ask('PUT', '/_snapshot/r/s2')).toMatchObject(corrupt)
      },
      { type: 'fs', settings: { location: join(repositories, 'r') } },
    ),
  ],
  [
    /^extra\/task\//,
    async (domain) => {
      await expectGood(domain)
      const { json } = await domain.ask('POST', '/good/_update_by_query?wait_for_completion=false')
      expect(json.task).toMatch(/:\d+$/)
    },
  ],
  [
    /^index\/bad$/,
    async (domain, folder) => {
      const folders = readdirSync(join(folder, 'indices'))
      await expectGood(domain)
      await expectUnavailable(domain)
      // Its own folder stays, and it can be had again.
      expect(readdirSync(join(folder, 'indices'))).toEqual(expect.arrayContaining(folders))
      expect(
        await domain.ask('POST', '/_snapshot/r/s/_restore?wait_for_completion=true', { indices: 'bad' }),
      ).toMatchObject({ status: 200 })
      expect(await domain.ask('GET', '/bad/_search')).toMatchObject({ json: { hits: { total: { value: 5 } } } })
      expect(await domain.ask('GET', '/_cluster/health')).toMatchObject({ json: { status: 'yellow' } })
      expect(await domain.ask('PUT', '/bad-alias/_doc/1', { n: 1 })).toMatchObject({ json: { _index: 'bad' } })
    },
  ],
  [
    /^index\/good$/,
    async (domain) => {
      expect(await domain.ask('GET', '/bad/_search')).toMatchObject({ json: { hits: { total: { value: 5 } } } })
      expect(await domain.ask('GET', '/good/_doc/1')).toMatchObject(noShard)
      expect(await domain.ask('DELETE', '/good')).toMatchObject({ status: 200 })
      expect(await domain.ask('GET', '/good/_doc/1')).toMatchObject({ status: 404 })
      expect(await domain.ask('PUT', '/good/_doc/1?refresh=true', { n: 1 })).toMatchObject({ status: 201 })
      expect(await domain.ask('GET', '/good/_search')).toMatchObject({ json: { hits: { total: { value: 1 } } } })
    },
  ],
  [
    /^index\/(gone|big)$/,
    async (domain) => {
      await expectGood(domain)
      const isGone = !domain.log.some((line) => line.includes('"big"'))
      expect(await domain.ask('GET', `/${isGone ? 'gone' : 'big'}/_doc/1`)).toMatchObject(noShard)
    },
  ],
]

describe('an entry of the metadata that is damaged', () => {
  it('is of a kind that is known what to do about', () => {
    expect(names.filter((name) => !KINDS.some(([pattern]) => pattern.test(name)))).toEqual([])
    expect(KINDS.filter(([pattern]) => !names.some((name) => pattern.test(name))).map(String)).toEqual([])
  })

  it('keeps a domain from nothing else, and is never taken for one that was not there', {
    timeout: 600_000,
  }, async () => {
    for (const name of names) {
      for (const [how, damage] of DAMAGES) {
        const context = `seed ${seed}: ${name} is ${how}`
        const folder = copy()
        await withEntries(folder, async ({ all, put }) => {
          for (const { key, value } of all()) if (key.toString() === name) await put(key, damage(value))
        })
        const expected = KINDS.find(([pattern]) => pattern.test(name))?.[1]
        let domain: Domain
        try {
          domain = await open(folder)
        } catch (error) {
          if (expected !== undefined) throw new Error(context, { cause: error })
          expect((error as Error).message, context).toMatch(/store\.mdb is damaged: .*entry \[\w+\]|newer chaja/)
          continue
        }
        try {
          if (expected !== undefined) await expected(domain, folder)
        } catch (error) {
          throw new Error(`${context}: ${(error as Error).message}`, { cause: error })
        } finally {
          await domain.close()
        }
        // And again, with what has been done about it.
        const again = await open(folder)
        await again.close()
        rmSync(folder, { recursive: true })
      }
    }
  })
  it('loses no id where it says up to which record ids are in their table', async () => {
    const working = copy()
    const folder = mkdtempSync(join(root, 'crashed-'))
    const domain = await open(working)
    const ids = Array.from({ length: 50 }, (_, n) => `late-${n}`)
    for (const id of ids) await domain.ask('PUT', `/good/_doc/${id}`, { n: 1 })
    await domain.ask('DELETE', `/good/_doc/${ids[0]}`)
    copyAsCrashed(working, folder)
    await domain.close()
    await withEntries(folder, async ({ all, put }) => {
      for (const { key, value } of all()) if (key.toString().startsWith('idsUpTo/')) await put(key, flip(value))
    })
    const again = await open(folder)
    for (const id of ids)
      expect((await again.ask('GET', `/good/_doc/${id}`)).status, `seed ${seed}: ${id}`).toBe(id === ids[0] ? 404 : 200)
    expect(await again.ask('GET', '/bad/_doc/4')).toMatchObject({ status: 200 })
    await again.close()
  })
})
