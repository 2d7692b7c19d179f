import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import type { Backend } from '../../backend.ts'
import { openEngine } from '../../engine/embedded-engine.ts'
import { createRestBackend } from '../rest-backend.ts'

// Scores as OpenSearch 2.19.3 gives them.

describe('texts without frequencies', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'chaja-unique-'))
  let backend: Backend

  beforeAll(async () => {
    const log = (): void => {}
    const engine = await openEngine({ dataDir, engineVersion: 'OpenSearch_2.19', log })
    const publishAddress = (): string => '127.0.0.1:9200'
    backend = createRestBackend(engine, { log, publishAddress, clusterName: 'unique', dataDir })
    await askBackend(backend, 'PUT', '/u', {
      mappings: {
        properties: { t: { type: 'text', index_options: 'docs' }, f: { type: 'text', index_options: 'freqs' } },
      },
    })
    const texts = ['a a a b', 'a b c d', 'a', 'a a a a a a a a b b b b b c']
    for (const [i, t] of texts.entries()) await askBackend(backend, 'PUT', `/u/_doc/${i + 1}?refresh`, { t, f: t })
  })
  afterAll(async () => {
    await backend.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('are as long as they have different words', async () => {
    const scores = async (field: string): Promise<unknown> => {
      const answer = await askBackend(backend, 'POST', '/u/_search', { query: { match: { [field]: 'a' } } })
      const { hits } = JSON.parse(String(answer.body)) as {
        readonly hits: { readonly hits: readonly { readonly _id: string; readonly _score: number }[] }
      }
      return hits.hits.map(({ _id, _score }) => [_id, _score])
    }
    expect(await scores('t')).toEqual([
      ['3', 0.13963442],
      ['1', 0.11474907],
      ['4', 0.09739208],
      ['2', 0.08459602],
    ])
    expect(await scores('f')).toEqual([
      ['1', 0.17711768],
      ['4', 0.17675067],
      ['3', 0.15914156],
      ['2', 0.12034406],
    ])
  })
})
