/**
 * Makes `data/user-agent/*.json` again: the patterns by which the ingest processor user_agent knows browsers, systems and devices.
 *
 *   npx tsx scripts/user-agent-patterns.ts             writes them
 *   npx tsx scripts/user-agent-patterns.ts --check     compares with what is committed and writes nothing
 *
 * Those of Elasticsearch 6.8.23 come with its distribution (fetched from Maven Central; needs `unzip`), later ones from the package uap-core.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { fetchPeer } from './peers.ts'

type Entry = Readonly<Record<string, string>>
type Regexes = Readonly<Record<'user_agent_parsers' | 'os_parsers' | 'device_parsers', readonly Entry[]>>

/** What stands for a pattern's groups, in the order in which the processor asks for them. */
const REPLACEMENTS = {
  user_agent_parsers: ['family_replacement', 'v1_replacement', 'v2_replacement', 'v3_replacement', 'v4_replacement'],
  os_parsers: ['os_replacement', 'os_v1_replacement', 'os_v2_replacement', 'os_v3_replacement', 'os_v4_replacement'],
  device_parsers: ['device_replacement'],
} as const

const jar = join(fetchPeer('elasticsearch'), 'modules/ingest-user-agent/ingest-user-agent-6.8.23.jar')
const later = join(dirname(createRequire(import.meta.url).resolve('uap-core/package.json')), 'regexes.yaml')
const sources = {
  'elasticsearch-6.8': execFileSync('unzip', ['-p', jar, 'regexes.yml'], { encoding: 'utf8' }),
  'uap-core': readFileSync(later, 'utf8'),
}

for (const [name, source] of Object.entries(sources)) {
  const file = join(import.meta.dirname, '..', 'data', 'user-agent', `${name}.json`)
  const text = packed(parse(source) as Regexes)
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') === text) console.log(`${name}: equal`)
  else {
    console.error(`${file} differs from what the source gives`)
    process.exitCode = 1
  }
}

/** A pattern a line: `[regex, flags, name?, major?, minor?, patch?, build?]`, null where a group of the match is meant. */
function packed(regexes: Regexes): string {
  const lists = Object.entries(REPLACEMENTS).map(([kind, names]) => {
    const lines = regexes[kind as keyof Regexes].map((entry) => {
      const line = [entry['regex'], entry['regex_flag'] ?? '', ...names.map((name) => entry[name] ?? null)]
      while (line.at(-1) === null) line.pop()
      return JSON.stringify(line)
    })
    return `${JSON.stringify(kind)}: [\n${lines.join(',\n')}\n]`
  })
  return `{\n${lists.join(',\n')}\n}\n`
}
