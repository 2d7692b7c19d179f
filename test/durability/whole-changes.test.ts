import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type EmbeddedEngine, openEngine } from '../../src/engine/embedded-engine.ts'
import { restoreTargets } from '../../src/engine/snapshot/restore-plan.ts'
import { copyAsCrashed } from './crashed-copy.ts'

const root = mkdtempSync(join(tmpdir(), 'chaja-whole-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** What a start would find, had the process ended before any of its writes to disk while it worked. */
async function foundAfterCrashes<T>(
  name: string,
  prepare: (engine: EmbeddedEngine) => Promise<void>,
  work: (engine: EmbeddedEngine) => Promise<unknown>,
  find: (engine: EmbeddedEngine) => T,
  repositoryPaths: readonly string[] = [],
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
    openEngine({ dataDir, engineVersion: 'Elasticsearch_6.8', repositoryPaths, log: () => {} }, beforeWrite)
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

const RESTORE = {
  indices: [],
  ignoreUnavailable: false,
  renamePattern: undefined,
  renameReplacement: undefined,
  includeAliases: true,
  partial: false,
  changes: {},
  ignored: [],
}
const FIELD = { properties: { f: { type: 'keyword' } } }

function closeAll(engine: EmbeddedEngine): Promise<void> {
  return engine.closeIndices([...engine.indices.keys()])
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

  const names = Array.from({ length: 12 }, (_, n) => `a-${n}`)
  const nothing = { settings: {}, mappings: {}, aliases: {} }
  const stateOf = (engine: EmbeddedEngine) =>
    [...engine.indices.values()].map(({ name, state, settings, mappings, aliases }) =>
      JSON.stringify([name, state, settings['index.number_of_replicas'], mappings, Object.keys(aliases)]),
    )

  it.each<[what: string, work: (engine: EmbeddedEngine) => Promise<unknown>, prepare?: typeof closeAll]>([
    ['removal', (engine) => engine.deleteIndices(names)],
    ['closing', (engine) => engine.closeIndices(names)],
    ['opening', (engine) => engine.openIndices(names), closeAll],
    [
      'settings',
      (engine) => engine.updateSettings(names, { 'index.number_of_replicas': '3' }, { preserveExisting: false }),
    ],
    ['mapping', (engine) => engine.putMapping(new Map(names.map((name) => [name, '_doc'])), FIELD)],
    [
      'actions on aliases',
      (engine) =>
        engine.updateAliases(
          names.map((index, i) =>
            i % 3 === 0 ? { kind: 'remove_index', index } : { kind: 'add', index, alias: `b-${i % 2}`, metadata: {} },
          ),
        ),
    ],
  ])('is there with all of them or not at all: %s of several indices', async (what, work, prepare) => {
    const found = await foundAfterCrashes(
      what,
      async (engine) => {
        for (const name of names) await engine.createIndex(name, nothing)
        const source = Buffer.from('{"n":1}')
        const operation = { kind: 'index', type: '_doc', id: '1', source, versionType: 'internal' } as const
        for (const name of names) await engine.write(name, [operation], false)
        await prepare?.(engine)
      },
      work,
      stateOf,
    )
    expect(found[0]).toHaveLength(names.length)
    expect(found.at(-1)).not.toEqual(found[0])
    for (const indices of found) expect([found[0], found.at(-1)]).toContainEqual(indices)
  })

  it('is there with all of them or not at all: restored indices, and the global state of their snapshot', async () => {
    const repositories = join(root, 'repositories')
    const found = await foundAfterCrashes(
      'restore',
      async (engine) => {
        for (const name of names.slice(0, 5)) await engine.createIndex(name, nothing)
        const template = { order: 0, version: 1, indexPatterns: ['no'], settings: {}, mappings: {}, aliases: {} }
        for (const name of ['s', 't']) await engine.putTemplate({ ...template, name })
        await engine.extras.put('ingest_pipeline', 'p', {})
        const metadata = { type: 'fs', settings: { location: repositories } }
        await engine.snapshots.putRepository('r', metadata, true)
        const snapshot = { repository: 'r', name: 's', dataStreams: [], partial: false, metadata: undefined }
        const indices = names.slice(0, 5)
        await (await engine.snapshots.create({ ...snapshot, indices, includeGlobalState: true })).done
        await engine.deleteIndices(indices)
        for (const name of ['s', 't']) await engine.deleteTemplate(name)
        await engine.extras.put('ingest_pipeline', 'q', {})
        await engine.extras.delete('ingest_pipeline', 'p')
      },
      async (engine) => {
        const record = await engine.snapshots.toRestore('r', 's')
        const request = { ...RESTORE, repository: 'r', snapshot: 's', includeGlobalState: true }
        const targets = restoreTargets(request, record, engine.version)
        await (await engine.snapshots.restore(request, record, targets)).done
      },
      ({ indices, templates, extras }) => [
        [...indices.keys()].sort(),
        [...templates.keys()].sort(),
        [...extras.entries('ingest_pipeline')].map(([name]) => name),
      ],
      [repositories],
    )
    expect(found[0]).toEqual([[], [], ['q']])
    expect(found.at(-1)).toEqual([names.slice(0, 5), ['s', 't'], ['p']])
    for (const each of found) expect([found[0], found.at(-1)]).toContainEqual(each)
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
