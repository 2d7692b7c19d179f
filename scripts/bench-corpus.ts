import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { EmbeddedEngine } from '../src/engine/embedded-engine.ts'

/** A corpus of the benchmark: one JSON document with an `id` a line, and how its fields are mapped. */
export interface BenchCorpus {
  readonly lines: readonly string[]
  readonly mapping: Record<string, unknown>
}

/**
 * Reads `movies` or `nsmc`.
 *
 * @param tool  folder of the benchmark (`../shared/bench`)
 */
export function readBenchCorpus(tool: string, kind: string): BenchCorpus {
  const data = readFileSync(join(tool, `data/${kind === 'nsmc' ? 'nsmc-100k' : kind}.ndjson.gz`))
  return {
    lines: gunzipSync(data).toString('utf8').split('\n').filter(Boolean),
    mapping: JSON.parse(readFileSync(join(tool, `mappings/${kind}.json`), 'utf8')) as Record<string, unknown>,
  }
}

/** Makes an index of one shard, puts a corpus into it and makes it files. */
export async function loadBenchCorpus(
  engine: EmbeddedEngine,
  index: string,
  type: string,
  { lines, mapping }: BenchCorpus,
): Promise<void> {
  await engine.createIndex(index, {
    settings: { 'index.number_of_shards': '1', 'index.number_of_replicas': '0' },
    mappings: { [type]: mapping },
    aliases: {},
  } as never)
  for (let from = 0; from < lines.length; from += 1000) {
    const operations = lines.slice(from, from + 1000).map((line) => ({
      kind: 'index' as const,
      type,
      id: (JSON.parse(line) as { id: string }).id,
      versionType: 'internal' as const,
      source: Buffer.from(line),
    }))
    for (const result of await engine.write(index, operations, false)) if (!result.ok) throw result.error
  }
  await engine.refresh(index)
  await engine.flush(index)
}
