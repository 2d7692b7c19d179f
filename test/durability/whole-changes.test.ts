import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type EmbeddedEngine, openEngine } from '../../src/engine/embedded-engine.ts'
import { copyAsCrashed } from './crashed-copy.ts'

const root = mkdtempSync(join(tmpdir(), 'chaja-whole-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** What a start would find, had the process ended before any of its writes to disk while it worked. */
async function foundAfterCrashes<T>(
  name: string,
  prepare: (engine: EmbeddedEngine) => Promise<void>,
  work: (engine: EmbeddedEngine) => Promise<unknown>,
  find: (engine: EmbeddedEngine) => T,
): Promise<readonly T[]> {
  const folder = join(root, name)
  const copies: string[] = []
  let isWorking = false
  const crash = () => {
    if (!isWorking) return
    const copy = `${folder}-${copies.length}`
    copyAsCrashed(folder, copy)
    copies.push(copy)
  }
  const open = (dataDir: string, beforeWrite?: () => void) =>
    openEngine({ dataDir, engineVersion: 'Elasticsearch_6.8', log: () => {} }, beforeWrite)
  const engine = await open(folder, crash)
  await prepare(engine)
  isWorking = true
  await work(engine)
  crash()
  isWorking = false
  await engine.close()
  const found: T[] = []
  for (const copy of copies) {
    const again = await open(copy)
    found.push(find(again))
    await again.close()
  }
  return found
}

describe('what is made of several changes', () => {
  it('is there with all of them or not at all: an index and the alias that goes over to it', async () => {
    const request = { settings: {}, mappings: {} }
    const found = await foundAfterCrashes(
      'rollover',
      async (engine) => void (await engine.createIndex('a-1', { ...request, aliases: { a: {} } })),
      (engine) =>
        engine.createIndex('a-2', {
          ...request,
          aliases: {},
          alongside: [
            { kind: 'add', index: 'a-2', alias: 'a', metadata: {} },
            { kind: 'remove', index: 'a-1', alias: 'a' },
          ],
        }),
      (engine) => [...engine.indices.values()].map(({ name, aliases }) => `${name} ${Object.keys(aliases)}`).sort(),
    )
    expect(found[0]).toEqual(['a-1 a'])
    expect(found.at(-1)).toEqual(['a-1 ', 'a-2 a'])
    for (const indices of found) expect([found[0], found.at(-1)]).toContainEqual(indices)
  })

  it('is there whole or not at all: a copy of an index, under the same numbers and versions', async () => {
    const request = { settings: {}, mappings: {}, aliases: {} }
    const ids = Array.from({ length: 2_500 }, (_, n) => String(n))
    const found = await foundAfterCrashes(
      'copy',
      async (engine) => {
        await engine.createIndex('source', request)
        const source = Buffer.from('{"n":1}')
        const put = (id: string) => ({ kind: 'index', type: '_doc', id, source, versionType: 'internal' }) as const
        await engine.write('source', ids.map(put), false)
        await engine.write('source', ['1', '7', '1'].map(put), false)
        await engine.write('source', [{ kind: 'delete', type: '_doc', id: '3', versionType: 'internal' }], false)
      },
      (engine) => engine.copyIndex('source', 'target', { ...request, origin: {} }),
      (engine) => (engine.indices.has('target') ? contents(engine, 'target', ids) : undefined),
    )
    const whole = found.at(-1)
    expect(found[0]).toBeUndefined()
    expect([whole?.[0], whole?.[1], whole?.[3], whole?.[7]]).toEqual(['0 1', '2502 3', '', '2501 2'])
    for (const documents of found) if (documents !== undefined) expect(documents).toEqual(whole)
  })
})

/** Number and version of each document. */
const contents = (engine: EmbeddedEngine, index: string, ids: readonly string[]): string[] =>
  ids.map((id) => {
    const document = engine.get(index, '_doc', id, { realtime: true })
    return document === undefined ? '' : `${document.seqNo} ${document.version}`
  })
