import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import type { Backend } from '../../backend.ts'
import { openEngine } from '../../engine/embedded-engine.ts'
import { createRestBackend } from '../rest-backend.ts'

let backend: Backend
let dataDir: string

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'chaja-ignored-'))
  const log = (): void => {}
  const engine = await openEngine({ dataDir, engineVersion: 'OpenSearch_2.19', log })
  backend = createRestBackend(engine, { log, publishAddress: () => '', clusterName: 'test', dataDir })
})

afterAll(async () => {
  await backend.close()
  rmSync(dataDir, { recursive: true })
})

async function ask(method: string, path: string, body: object | string = ''): Promise<unknown> {
  const { body: answer } = await askBackend(backend, method, path, body)
  return JSON.parse(String(answer))
}

describe('values of a document that were passed over', () => {
  it('are told alike whether its segment or its source tells of them', async () => {
    const properties = { n: { type: 'integer', ignore_malformed: true }, m: { type: 'long', ignore_malformed: true } }
    const objects = { type: 'nested', properties: { d: { type: 'date', ignore_malformed: true } } }
    await ask('PUT', '/i', { mappings: { properties: { ...properties, o: objects } } })
    const sources = [{ n: 1 }, { n: 'x' }, { n: 'x', m: ['y', 2] }, { o: [{ d: 'z' }, { d: '2020-01-01' }] }, {}]
    const gets = async (): Promise<unknown> => {
      const { docs } = (await ask('POST', '/i/_mget', { ids: sources.map((_, i) => String(i)) })) as {
        readonly docs: readonly { readonly _ignored?: unknown }[]
      }
      return docs.map(({ _ignored }) => _ignored)
    }
    for (const [i, source] of sources.entries()) await ask('PUT', `/i/_doc/${i}`, source)
    const bySource = await gets()
    expect(bySource).toEqual([undefined, ['n'], ['m', 'n'], ['o.d'], undefined])
    await ask('POST', '/i/_refresh')
    expect(await gets()).toEqual(bySource)
    // None of the documents in this segment has any.
    await ask('PUT', '/i/_doc/1?refresh=true', { n: 2 })
    expect(await gets()).toEqual([undefined, undefined, ['m', 'n'], ['o.d'], undefined])
  })
})
