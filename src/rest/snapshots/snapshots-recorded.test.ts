import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import type { Backend } from '../../backend.ts'
import { openEngine } from '../../engine/embedded-engine.ts'
import { createRestBackend } from '../rest-backend.ts'

interface Recorded {
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly status: number
  readonly answer: unknown
}

/** Members whose values differ from run to run, or from product to product. */
const MASKED =
  /(?:^|_)(?:uuid|time|time_in_millis|size|size_in_bytes|file_count|duration|duration_in_millis|creation_date|_files|files)$/
/** Settings that the real server adds to what a caller set. */
const ADDED = new Set(['history', 'replication'])

/** What does not count taken out. Faults of the caller are 400 here where the real servers answer 500. */
function normal(value: unknown, key = ''): unknown {
  if (MASKED.test(key) && (typeof value === 'string' || typeof value === 'number')) return '#'
  if (key === 'status' && value === 500) return 400
  if (typeof value === 'string') return value.replace(/(?<=[/])[\w-]{22}(?=\])/g, '#')
  if (Array.isArray(value)) {
    const list = value.map((element) => normal(element))
    return key === 'indices' ? list.sort() : list
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([name]) => !(key === 'index' && ADDED.has(name)))
  return Object.fromEntries(entries.map(([name, member]) => [name, normal(member, name)]))
}

/** What is answered otherwise on purpose, by request. */
const OTHERWISE: readonly RegExp[] = [
  // The message of java.util.regex.
  /"rename_pattern":"\(","rename_replacement"/,
]

describe.each([
  ['Elasticsearch_6.8', 'elasticsearch-6.8.json'],
  ['OpenSearch_2.19', 'opensearch-2.19.json'],
] as const)('snapshots of %s', (engineVersion, file) => {
  const root = mkdtempSync(join(tmpdir(), 'chaja-snapshots-recorded-'))
  let backend: Backend
  beforeAll(async () => {
    const engine = await openEngine({
      dataDir: join(root, 'data'),
      engineVersion,
      repositoryPaths: [join(root, 'repositories')],
      log: () => {},
    })
    backend = createRestBackend(engine, {
      log: () => {},
      publishAddress: () => '127.0.0.1:9200',
      clusterName: 'test',
      dataDir: root,
    })
  })
  afterAll(async () => {
    await backend.close()
    rmSync(root, { recursive: true, force: true })
  })

  const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'vectors', file), 'utf8')) as Recorded[]
  it.each(recorded.map((one, i) => [`${i} ${one.method} ${one.path} ${JSON.stringify(one.body) ?? ''}`, one] as const))(
    '%s',
    async (name, { method, path, body, status, answer }) => {
      const response = await askBackend(backend, method, path, body ?? '')
      const told = normal(JSON.parse(String(response.body)))
      if (OTHERWISE.some((pattern) => pattern.test(name))) expect(response.status).toBe(normal(status, 'status'))
      else
        expect({ status: normal(response.status, 'status'), answer: told }).toEqual({
          status: normal(status, 'status'),
          answer: normal(answer),
        })
    },
  )
})
