import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type EmbeddedEngine, openEngine } from '../../src/engine/embedded-engine.ts'
import type { DocumentOperation } from '../../src/engine/index/document-operation.ts'
import { restoreTargets } from '../../src/engine/snapshot/restore-plan.ts'
import { seededRandom } from '../durability/seeded-random.ts'
import { dumpView, type ViewDump } from '../durability/view-dump.ts'

const DOCUMENTS = 80
const STEPS = 60

/** Does things to an index and its snapshots at random; every snapshot must give back what the index was. */
async function run(seed: number): Promise<void> {
  const random = seededRandom(seed)
  const below = (n: number): number => Math.floor(random() * n)
  const root = mkdtempSync(join(tmpdir(), 'chaja-snapshot-model-'))
  const start = () =>
    openEngine({
      dataDir: join(root, 'data'),
      engineVersion: 'OpenSearch_2.19',
      repositoryPaths: [root],
      log: (level, fields, message) => {
        if (level === 'error') throw new Error(`${message} ${JSON.stringify(fields)}`)
      },
    })
  let engine: EmbeddedEngine = await start()
  /** What the index was when a snapshot was made. */
  const expected = new Map<string, ViewDump>()
  let made = 0
  const restore = async (name: string, as: string) => {
    const request = {
      repository: 'r',
      snapshot: name,
      indices: [],
      ignoreUnavailable: false,
      renamePattern: '.+',
      renameReplacement: as,
      includeAliases: false,
      includeGlobalState: false,
      partial: false,
      changes: {},
      ignored: [],
    }
    const record = await engine.snapshots.toRestore('r', name)
    const { done } = await engine.snapshots.restore(request, record, restoreTargets(request, record, engine.version))
    await done
  }
  const check = async (name: string, note: string) => {
    await restore(name, 'checked')
    expect(dumpView(engine, 'checked'), `${note} ${name}, seed ${seed}`).toEqual(expected.get(name))
    await engine.deleteIndices(['checked'])
  }
  try {
    const settings = { location: 'r', chunk_size: '600b' }
    await engine.snapshots.putRepository('r', { type: 'fs', settings }, true)
    await engine.createIndex('i', { settings: { 'index.refresh_interval': '-1' }, mappings: {}, aliases: {} })
    for (let step = 0; step < STEPS; step++) {
      const names = [...expected.keys()]
      const any = names[below(names.length)]
      const choice = below(12)
      if (choice < 5) {
        const operations = Array.from({ length: 1 + below(30) }, (_, i): DocumentOperation => {
          const id = String(below(DOCUMENTS))
          if (below(4) === 0) return { kind: 'delete', type: '_doc', id, versionType: 'internal' }
          const source = Buffer.from(JSON.stringify({ step, i, text: 'word '.repeat(below(20)) }))
          return { kind: 'index', type: '_doc', id, source, versionType: 'internal' }
        })
        await engine.write('i', operations, below(2) === 0)
      } else if (choice < 8) {
        await engine.refresh('i')
        const name = `s${made++}`
        expected.set(name, dumpView(engine, 'i'))
        const request = { repository: 'r', name, indices: ['i'], includeGlobalState: false, partial: false }
        await (await engine.snapshots.create({ ...request, metadata: undefined })).done
      } else if (choice === 8 && any !== undefined) {
        await engine.snapshots.delete('r', [any])
        expected.delete(any)
      } else if (choice === 9 && any !== undefined) await check(any, `step ${step}`)
      else if (choice === 10 && any !== undefined) {
        // The index goes back to what it was, and on from there.
        await engine.closeIndices(['i'])
        await restore(any, 'i')
      } else if (choice === 11) {
        if (below(2) === 0) await engine.flush('i')
        else {
          await engine.close()
          engine = await start()
        }
      }
    }
    for (const name of expected.keys()) await check(name, 'at the end')
    await engine.snapshots.delete('r', ['*'])
    const data = join(root, 'r', 'data')
    expect(readdirSync(data).flatMap((folder) => readdirSync(join(data, folder)))).toEqual([])
  } finally {
    await engine.close()
    rmSync(root, { recursive: true, force: true })
  }
}

it('every snapshot gives back what the index was, whatever came after it', { timeout: 600_000 }, async () => {
  const given = process.env['CHAJA_SEED']
  const runs = Number(process.env['CHAJA_RUNS'] ?? 2)
  const first = given === undefined ? Date.now() % 1_000_000 : Number(given)
  for (let i = 0; i < runs; i++) await run(first + i)
})
