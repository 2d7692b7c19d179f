/**
 * Opens damaged copies of a data directory, reads all there is and writes: one after the other, told of on stdout, since what goes
 * wrong in LMDB ends the process.
 *
 *   node --import tsx test/durability/damaged-pages-child.ts <intact data directory> <cases> <seed>
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedEngine, openEngine } from '../../src/engine/embedded-engine.ts'
import type { DocumentOperation } from '../../src/engine/index/document-operation.ts'
import { ServiceError } from '../../src/errors.ts'
import { damagePages } from './damage-pages.ts'
import { seededRandom } from './seeded-random.ts'

const [intact, cases, seed] = process.argv.slice(2) as [string, string, string]

interface Found {
  /** What was refused or could not be read. */
  readonly told: Set<string>
  /** By id: version and source. */
  readonly documents: Map<string, string>
}

const open = (dataDir: string, log: string[]) =>
  openEngine({ dataDir, engineVersion: 'Elasticsearch_6.8', log: (_, __, message) => log.push(message) })

const TOLD = [
  'corrupt_index_exception',
  'cluster_block_exception',
  'no_shard_available_action_exception',
  'unavailable_shards_exception',
]
/** Of writes that were made before. */
const HARMLESS = ['resource_already_exists_exception', 'index_not_found_exception']

function told(found: Found, error: unknown): void {
  const type = error instanceof ServiceError ? error.type : ''
  if (TOLD.includes(type)) found.told.add(type)
  else if (!HARMLESS.includes(type)) throw error
}

function readAll(engine: EmbeddedEngine, found: Found): void {
  for (let id = 0; id < 400; id++) {
    try {
      const document = engine.get('i', '_doc', String(id), { realtime: true })
      if (document !== undefined) found.documents.set(String(id), `${document.version} ${document.source}`)
    } catch (error) {
      told(found, error)
    }
  }
}

async function write(engine: EmbeddedEngine, found: Found): Promise<void> {
  const puts = (from: number, count: number, bytes: number): DocumentOperation[] =>
    Array.from({ length: count }, (_, i) => ({
      kind: i % 7 === 3 ? 'delete' : 'index',
      type: '_doc',
      id: String(from + i),
      source: Buffer.from(JSON.stringify({ text: 'x'.repeat(bytes) })),
      versionType: 'internal',
    }))
  const attempts = [
    () => engine.write('i', puts(1_000, 1, 10), false),
    () => engine.write('i', puts(390, 400, 300), true),
    () => engine.write('i', puts(2_000, 3, 20_000), true),
    () => engine.createIndex('j', { settings: {}, mappings: {}, aliases: {} }),
    () => engine.deleteIndices(['k']),
    () => engine.flush('i'),
  ]
  for (const attempt of attempts) await attempt().catch((error: unknown) => told(found, error))
}

async function look(dataDir: string, expected: Found | undefined): Promise<Found> {
  const found: Found = { told: new Set(), documents: new Map() }
  const log: string[] = []
  let engine: EmbeddedEngine
  try {
    engine = await open(dataDir, log)
  } catch (error) {
    if (!/is damaged|does not begin|missing or empty/.test((error as Error).message)) throw error
    found.told.add('start')
    return found
  }
  readAll(engine, found)
  if (expected !== undefined) {
    await write(engine, found)
    if (!found.told.has('cluster_block_exception')) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await engine.close()
  return found
}

const random = seededRandom(Number(seed))
const root = mkdtempSync(join(tmpdir(), 'chaja-pages-'))
try {
  const copy = (name: string) => {
    const folder = join(root, name)
    cpSync(intact, folder, { recursive: true })
    return folder
  }
  const whole = await look(copy('whole'), undefined)
  const outcomes: Record<string, number> = {}
  for (let n = 0; n < Number(cases); n++) {
    const folder = copy(String(n))
    const note = damagePages(join(folder, 'store.mdb'), random)
    console.log(`case ${n}: ${note}`)
    const found = await look(folder, whole)
    for (const [id, document] of found.documents) {
      if (whole.documents.get(id) !== document) console.log(`fault: case ${n}, ${id} is shown as it was not written`)
    }
    if (found.told.size === 0 && found.documents.size < whole.documents.size)
      console.log(`fault: case ${n}, documents are missing`)
    await look(folder, whole)
    const outcome = [...found.told].sort().join('+') || 'well'
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    rmSync(folder, { recursive: true })
  }
  console.log(`outcomes ${JSON.stringify(outcomes)}`)
} finally {
  rmSync(root, { recursive: true, force: true })
}
