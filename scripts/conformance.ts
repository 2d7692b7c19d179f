/**
 * Runs the official YAML REST suite against a fresh domain of each dialect.
 *
 *   npm run conformance                    all dialects
 *   npm run conformance -- es6             one
 *   npm run conformance -- es6 --only 'search/**' --trace
 *   npm run conformance -- --write         also rewrites test/conformance/<dialect>.failures.txt
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDomain } from './domain-process.ts'
import { sharedTool } from './shared-tool.ts'

const VERSIONS = { es6: 'Elasticsearch_6.8', es7: 'Elasticsearch_7.10', os2: 'OpenSearch_2.19' } as const
type DialectName = keyof typeof VERSIONS

interface SectionReport {
  readonly id?: string
  readonly file?: string
  readonly section?: string
  readonly status: string
  readonly reason?: string
}

const args = process.argv.slice(2)
const write = args.includes('--write')
const dialects = (Object.keys(VERSIONS) as DialectName[]).filter((d) => args.includes(d))
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
    args: ['--engine-version', VERSIONS[dialect]],
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

/** One line an achievable section that fails: its name, a tab, the first thing that went wrong. */
function writeFailures(dialect: DialectName, json: string): void {
  const report = JSON.parse(readFileSync(json, 'utf8')) as { readonly sections: readonly SectionReport[] }
  const achievable = new Set(
    (JSON.parse(readFileSync(join(tool, 'achievable', `${dialect}.json`), 'utf8')) as { achievable: string[] })
      .achievable,
  )
  const lines = report.sections
    .map((s) => ({ name: s.id ?? `${s.file}::${s.section}`, ...s }))
    .filter((s) => s.status === 'failed' && achievable.has(s.name))
    .map((s) => `${s.name}\t${(s.reason ?? '').split('\n')[0]}`)
    .sort()
  const path = join(import.meta.dirname, '..', 'test', 'conformance', `${dialect}.failures.txt`)
  writeFileSync(
    path,
    `# Achievable sections that fail: npm run conformance -- ${dialect} --write\n${lines.join('\n')}\n`,
  )
}
