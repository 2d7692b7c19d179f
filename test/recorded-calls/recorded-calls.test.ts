import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Backend } from '../../src/backend.ts'
import { openEngine } from '../../src/engine/embedded-engine.ts'
import { OpenIndices } from '../../src/engine/indices/open-indices.ts'
import { createRestBackend } from '../../src/rest/rest-backend.ts'
import { askBackend } from '../ask-backend.ts'
import { comparableAnswer, comparableWarnings } from './comparable-answer.ts'
import { RECORDED_FILES, recordedCalls, recordedVersion } from './recorded-files.ts'
import { asFarAsTold, PlaceCount } from './told-places.ts'

// What Elasticsearch 6.8.23, 7.10.2 and OpenSearch 2.19.3 answered to calls one after the other: vectors/SOURCE.md.

/** Recorded before places were kept, by servers with modules. */
const WITHOUT_PLACES = new Set(['rank-eval-elasticsearch-7.10.json'])

// Explanations tell documents' numbers in their segments: on a slow machine a second ends one where the real server's went on.
vi.spyOn(OpenIndices.prototype, 'scheduleRefresh').mockImplementation(() => {})

/** Of all calls. */
const places = new PlaceCount()

describe.each(RECORDED_FILES)('calls of %s', (file) => {
  const calls = recordedCalls(file)
  let dataDir: string
  const engineVersion = recordedVersion(file)
  const isWarned = calls.some(({ warnings }) => warnings !== undefined)
  let backend: Backend

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'chaja-calls-'))
    const log = (): void => {}
    const engine = await openEngine({ dataDir, engineVersion, log })
    backend = createRestBackend(engine, {
      log,
      publishAddress: () => '127.0.0.1:9300',
      clusterName: 'recorded',
      dataDir,
    })
  })

  afterAll(async () => {
    await backend.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it.each(calls.map((call) => [`${call.method} ${call.path} ${call.body ?? ''}`, call] as const))(
    'answers %s',
    async (_name, { method, path, body, status, warnings = [], answer }) => {
      const got = await askBackend(backend, method, path, body ?? '')
      const text = JSON.stringify(answer)
      const isFault = status === 500 || (status === 503 && text.includes('search_phase_execution_exception'))
      if (isWarned) expect(comparableWarnings([got.headers['warning'] ?? []].flat().join(', '))).toEqual(warnings)
      // What the real server takes for its own fault is the request's here.
      const said = isFault ? JSON.parse(text.replace(/"status":50[03]\}$/, '"status":400}')) : JSON.parse(text)
      const answered = comparableAnswer(method === 'HEAD' ? '' : String(got.body))
      const ours = WITHOUT_PLACES.has(file) ? asFarAsTold(answered, said) : answered
      expect({ status: got.status, answer: ours }).toEqual({
        status: isFault ? 400 : status,
        answer: asFarAsTold(said, ours, places),
      })
    },
  )
})
