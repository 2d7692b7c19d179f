/**
 * Runs the official YAML REST suite against a fresh domain of each dialect.
 *
 *   npm run conformance                    all dialects
 *   npm run conformance -- es6             one
 *   npm run conformance -- os2-own         OpenSearch's own suite (es6-own: Elasticsearch 6.5's), fetched from Maven Central
 *   npm run conformance -- es6 --only 'search/**' --trace
 *   npm run conformance -- es7 --cluster http://127.0.0.1:9200   in front of a cluster, which must be one's own
 *   npm run conformance -- --write         also rewrites test/conformance/<dialect>.failures.txt
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EngineVersion } from '../src/engine/engine-version.ts'
import { startDomain } from './domain-process.ts'
import { peersDir } from './peers.ts'
import { sharedTool } from './shared-tool.ts'

interface Suite {
  /** As the runner calls it. */
  readonly dialect: 'es6' | 'es7' | 'os2'
  readonly version: EngineVersion
  /** Where it is from, unless it is the tool's. Its achievable sections are in `test/conformance/<name>.achievable.json`. */
  readonly artifact?: string
}

const SUITES = {
  es6: { dialect: 'es6', version: 'Elasticsearch_6.8' },
  es7: { dialect: 'es7', version: 'Elasticsearch_7.10' },
  os2: { dialect: 'os2', version: 'OpenSearch_2.19' },
  'es6-own': { dialect: 'es6', version: 'Elasticsearch_6.8', artifact: 'org.elasticsearch:rest-api-spec:6.5.4' },
  'os2-own': { dialect: 'os2', version: 'OpenSearch_2.19', artifact: 'org.opensearch:rest-api-spec:2.19.0' },
} as const satisfies Readonly<Record<string, Suite>>
type SuiteName = keyof typeof SUITES
/** Without a network. */
const USUAL: readonly SuiteName[] = ['es6', 'es7', 'os2']

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
  [/^cluster\.put_settings.*default settings|^cat\.nodeattrs/, 'the reference ran with an attribute on its node'],
  [
    /^search\.aggregation\/370_multi_terms.*sum_other/,
    'an index is one shard here: none leaves out what another counts',
  ],
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
const named = (Object.keys(SUITES) as SuiteName[]).filter((name) => args.includes(name))
const clusterAt = args.indexOf('--cluster')
const cluster = clusterAt < 0 ? undefined : args.splice(clusterAt, 2)[1]
const passOn = args.filter((a) => a !== '--write' && !(a in SUITES))
const tool = sharedTool('conformance')
const lists = join(import.meta.dirname, '..', 'test', 'conformance')

let failed = 0
for (const name of named.length > 0 ? named : USUAL) {
  if ((await run(name)) !== 0) failed++
}
process.exit(failed === 0 ? 0 : 1)

async function run(name: SuiteName): Promise<number> {
  const { dialect, version, artifact }: Suite = SUITES[name]
  const repository = mkdtempSync(join(tmpdir(), 'chaja-conformance-'))
  const domain = await startDomain({
    dataDir: repository,
    args: [
      '--engine-version',
      version,
      ...(cluster === undefined ? ['--path-repo', join(repository, 'repositories')] : ['--cluster', cluster]),
    ],
  })
  const json = join(repository, 'report.json')
  try {
    console.log(`\n== ${name} (${version}) at ${domain.url}`)
    const own = artifact === undefined ? [] : ownSuite(name, artifact)
    const code = await new Promise<number>((resolve) => {
      const child = spawn(
        process.execPath,
        [join(tool, 'run.mjs'), '--url', domain.url, '--dialect', dialect, '--json', json, ...own, ...passOn],
        { stdio: 'inherit', cwd: tool },
      )
      child.once('exit', (c) => resolve(c ?? 1))
    })
    if (write && existsSync(json)) writeFailures(name, json)
    return code
  } finally {
    await domain.stop()
    rmSync(repository, { recursive: true, force: true })
  }
}

/** Where a suite that is not the tool's is, once it is fetched: what the runner is told of it. */
function ownSuite(name: SuiteName, artifact: string): readonly string[] {
  const [, id, number] = artifact.split(':')
  const folder = join(peersDir, `${id}-${number}`)
  if (!existsSync(folder)) {
    const args = ['-q', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${peersDir}`]
    execFileSync('mvn', args, { stdio: 'inherit' })
    execFileSync('unzip', ['-q', `${folder}.jar`, '-d', folder])
  }
  const spec = join(folder, 'rest-api-spec')
  return ['--suite', join(spec, 'test'), '--api', join(spec, 'api'), '--achievable', achievableOf(name)]
}

/** The sections that the real server passed. */
function achievableOf(name: SuiteName): string {
  const { artifact }: Suite = SUITES[name]
  return artifact === undefined ? join(tool, 'achievable', `${name}.json`) : join(lists, `${name}.achievable.json`)
}

/** One line an achievable section that fails: its name, a tab, why. */
function writeFailures(name: SuiteName, json: string): void {
  const report = JSON.parse(readFileSync(json, 'utf8')) as { readonly sections: readonly SectionReport[] }
  const achievable = new Set(
    (JSON.parse(readFileSync(achievableOf(name), 'utf8')) as { achievable: string[] }).achievable,
  )
  const lines = report.sections
    .filter(({ id, status }) => status === 'failed' && achievable.has(id))
    .map(({ id, reason }) => `${id}\t${REASONS.find(([pattern]) => pattern.test(id))?.[1] ?? firstLine(reason)}`)
    .sort()
  mkdirSync(lists, { recursive: true })
  writeFileSync(
    join(lists, `${name}.failures.txt`),
    `# Achievable sections that fail: npm run conformance -- ${name} --write\n${lines.join('\n')}\n`,
  )
}

/** The first thing that went wrong, without what differs from run to run. */
function firstLine(reason = ''): string {
  return (reason.split('\n')[0] ?? '').replace(/[\w-]{20,}/g, '…').slice(0, 300)
}
