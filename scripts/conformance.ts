/**
 * Runs the official YAML REST suite against a fresh domain of each dialect.
 *
 *   npm run conformance                    all dialects
 *   npm run conformance -- es6             one
 *   npm run conformance -- es6 --only 'search/**' --trace
 *   npm run conformance -- es7 --cluster http://127.0.0.1:9200   in front of a cluster, which must be one's own
 *   npm run conformance -- --write         also rewrites test/conformance/<dialect>.failures.txt
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDomain } from './domain-process.ts'
import { sharedTool } from './shared-tool.ts'

const VERSIONS = { es6: 'Elasticsearch_6.8', es7: 'Elasticsearch_7.10', os2: 'OpenSearch_2.19' } as const
type DialectName = keyof typeof VERSIONS

interface SectionReport {
  readonly id: string
  readonly status: string
  readonly reason?: string
}

/** Why sections fail that we know about: pattern of their names → reason. The first that matches counts. */
const REASONS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^delete\/5[01]_refresh/, 'an index is one shard here: a refresh after a write shows all that was written before'],
  [
    /mix_typeless_typeful|71_nested_with_types/,
    'an index may have several types here, as the interface asks: a new type is not refused',
  ],
  [/^search\/140_pre_filter/, 'an index is one shard here: none is skipped before the search'],
  [/^cluster\.put_settings.*default settings/, 'the reference ran with an attribute on its node'],
  [
    /^indices\.stats\/20_translog.*without soft.deletes/,
    'what is flushed need not be replayed, whether indices keep soft deletes or not',
  ],
  [
    /^indices\.stats\/13_fields|^cat\.fielddata/,
    'memory of uninverted texts and of completions is not reported by field',
  ],
]

const args = process.argv.slice(2)
const write = args.includes('--write')
const dialects = (Object.keys(VERSIONS) as DialectName[]).filter((d) => args.includes(d))
const clusterAt = args.indexOf('--cluster')
const cluster = clusterAt < 0 ? undefined : args.splice(clusterAt, 2)[1]
const passOn = args.filter((a) => a !== '--write' && !(a in VERSIONS))
const tool = sharedTool('conformance')

let failed = 0
for (const dialect of dialects.length > 0 ? dialects : (Object.keys(VERSIONS) as DialectName[])) {
  if ((await run(dialect)) !== 0) failed++
}
process.exit(failed === 0 ? 0 : 1)

async function run(dialect: DialectName): Promise<number> {
  const repository = mkdtempSync(join(tmpdir(), 'chaja-conformance-'))
  const domain = await startDomain({
    dataDir: repository,
    args: [
      '--engine-version',
      VERSIONS[dialect],
      ...(cluster === undefined ? ['--path-repo', join(repository, 'repositories')] : ['--cluster', cluster]),
    ],
  })
  const json = join(repository, 'report.json')
  try {
    console.log(`\n== ${dialect} (${VERSIONS[dialect]}) at ${domain.url}`)
    const code = await new Promise<number>((resolve) => {
      const child = spawn(
        process.execPath,
        [join(tool, 'run.mjs'), '--url', domain.url, '--dialect', dialect, '--json', json, ...passOn],
        { stdio: 'inherit', cwd: tool },
      )
      child.once('exit', (c) => resolve(c ?? 1))
    })
    if (write && existsSync(json)) writeFailures(dialect, json)
    return code
  } finally {
    await domain.stop()
    rmSync(repository, { recursive: true, force: true })
  }
}

/** One line an achievable section that fails: its name, a tab, why. */
function writeFailures(dialect: DialectName, json: string): void {
  const report = JSON.parse(readFileSync(json, 'utf8')) as { readonly sections: readonly SectionReport[] }
  const achievable = new Set(
    (JSON.parse(readFileSync(join(tool, 'achievable', `${dialect}.json`), 'utf8')) as { achievable: string[] })
      .achievable,
  )
  const lines = report.sections
    .filter(({ id, status }) => status === 'failed' && achievable.has(id))
    .map(({ id, reason }) => `${id}\t${REASONS.find(([pattern]) => pattern.test(id))?.[1] ?? firstLine(reason)}`)
    .sort()
  const folder = join(import.meta.dirname, '..', 'test', 'conformance')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${dialect}.failures.txt`)
  writeFileSync(
    path,
    `# Achievable sections that fail: npm run conformance -- ${dialect} --write\n${lines.join('\n')}\n`,
  )
}

/** The first thing that went wrong, without what differs from run to run. */
function firstLine(reason = ''): string {
  return (reason.split('\n')[0] ?? '').replace(/[\w-]{20,}/g, '…').slice(0, 300)
}
