/**
 * Indexing through the engine, in process, no HTTP: bulk documents a second, and durable single puts.
 *
 *   npx tsx bench/indexing.ts [--data FILE.ndjson.gz] [--bulk 1000] [--docs N] [--puts N] [--mappings JSON]
 *
 * Corpus: the movies of the project's benchmark data (36,273 documents), one JSON object a line. Every bulk is
 * acknowledged (on disk) before the next is sent, as with one client.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { openEngine } from '../src/engine/embedded-engine.ts'
import type { DocumentOperation } from '../src/engine/index/document-operation.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: process.env['CHAJA_BENCH_DATA'] ?? '../shared/bench/data/movies.ndjson.gz' },
    bulk: { type: 'string', default: '1000' },
    docs: { type: 'string', default: '1000000' },
    puts: { type: 'string', default: '3000' },
    rounds: { type: 'string', default: '3' },
    mappings: { type: 'string', default: '{}' },
    dir: { type: 'string', default: tmpdir() },
  },
})

const lines = gunzipSync(readFileSync(values.data)).toString().split('\n').filter(Boolean).slice(0, Number(values.docs))
const sources = lines.map((line) => Buffer.from(line))
const folder = mkdtempSync(join(values.dir, 'chaja-bench-'))
const engine = await openEngine({ dataDir: folder, engineVersion: 'Elasticsearch_6.8', log: () => {} })
const index = (source: Buffer, id: string): DocumentOperation => ({
  kind: 'index',
  type: '_doc',
  id,
  source,
  versionType: 'internal',
})
const seconds = (since: number) => (performance.now() - since) / 1000

try {
  for (let round = 0; round < Number(values.rounds); round++) {
    const name = `bulk-${round}`
    const mappings = JSON.parse(values.mappings) as Record<string, Record<string, unknown>>
    await engine.createIndex(name, { settings: {}, mappings, aliases: {} })
    const started = performance.now()
    const cpu = process.cpuUsage()
    const size = Number(values.bulk)
    for (let from = 0; from < sources.length; from += size) {
      const operations = sources.slice(from, from + size).map((source, i) => index(source, String(from + i)))
      const results = await engine.write(name, operations, false)
      for (const result of results) if (!result.ok) throw result.error
    }
    const bulk = seconds(started)
    await engine.refresh(name)
    const searchable = seconds(started)
    const { user, system } = process.cpuUsage(cpu)
    const { docs, segments } = engine.stats(name)
    console.log(
      `bulk: ${sources.length} docs in ${bulk.toFixed(2)} s, ${Math.round(sources.length / bulk)} docs/s; ` +
        `refreshed after ${searchable.toFixed(2)} s; cpu ${((user + system) / 1e6).toFixed(2)} s; ${docs.count} docs in ${segments.length} segments; ` +
        `rss ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB`,
    )
    if (round < Number(values.rounds) - 1) await engine.deleteIndices([name])
  }
  await engine.createIndex('puts', { settings: {}, mappings: {}, aliases: {} })
  for (const clients of [1, 32]) {
    const count = clients === 1 ? Math.ceil(Number(values.puts) / 3) : Number(values.puts)
    let next = 0
    const started = performance.now()
    const client = async () => {
      while (next < count) {
        const i = next++
        await engine.write('puts', [index(sources[i % sources.length] as Buffer, `${clients}-${i}`)], false)
      }
    }
    await Promise.all(Array.from({ length: clients }, client))
    console.log(`durable puts, ${clients} at a time: ${Math.round(count / seconds(started))}/s`)
  }
} finally {
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
}
