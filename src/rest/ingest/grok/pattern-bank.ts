import { readFileSync } from 'node:fs'
import type { EngineVersion } from '../../../engine/engine-version.ts'

/** Patterns by name. */
export type PatternBank = ReadonlyMap<string, string>

/** Read when first asked for. */
const banks = new Map<string, PatternBank>()

/** The patterns that come with grok, which differ by version; those of OpenSearch are those of Elasticsearch 7 and later. */
export function builtInPatterns(version: EngineVersion): PatternBank {
  const name = version === 'Elasticsearch_6.8' ? 'elasticsearch-6.8' : 'opensearch-2.19'
  let bank = banks.get(name)
  if (bank === undefined) {
    bank = readBank(readFileSync(new URL(`../../../../data/grok/${name}.patterns`, import.meta.url), 'utf8'))
    banks.set(name, bank)
  }
  return bank
}

/** Reads lines of a name and a pattern; the last one of a name counts. */
function readBank(text: string): PatternBank {
  const bank = new Map<string, string>()
  for (const line of text.split('\n')) {
    const parts = /^\s*([^\s#]\S*)\s+(\S.*)$/.exec(line)
    if (parts !== null) bank.set(parts[1] as string, parts[2] as string)
  }
  return bank
}
