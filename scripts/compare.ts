/**
 * Are the answers the same? Loads the corpora into a domain and a real server and compares totals, scores by rank,
 * aggregations and highlights of every query of the benchmark, without timing anything for long.
 *
 *   npm run compare                          movies and nsmc against Elasticsearch 6.8.23
 *   npm run compare -- opensearch movies     against OpenSearch 2.19.3, one corpus
 *   npm run compare -- --classes fuzzy,phrase
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDomain } from './domain-process.ts'
import { type PeerName, startPeer } from './peers.ts'
import { sharedTool } from './shared-tool.ts'

interface Check {
  readonly queries: number
  readonly totalsEqual?: number
  readonly scoresEqualByRank?: number
  readonly top10OverlapTieTolerant?: number
  readonly aggsEqual?: number
  readonly highlightsEqual?: number
}
interface BenchResult {
  readonly workload: string
  readonly case?: string
  readonly check?: Check
}

const args = process.argv.slice(2)
const peerName: PeerName = args.includes('opensearch') ? 'opensearch' : 'elasticsearch'
const kinds = ['movies', 'nsmc'].filter((k) => args.includes(k))
const flags = args.slice(
  args.findIndex((a) => a.startsWith('--')) === -1 ? args.length : args.findIndex((a) => a.startsWith('--')),
)
const tool = sharedTool('bench')
const scratch = mkdtempSync(join(tmpdir(), 'chaja-compare-'))
const peer = await startPeer(peerName, { port: 19200 })
const version = peerName === 'opensearch' ? 'OpenSearch_2.19' : 'Elasticsearch_6.8'
const domain = await startDomain({ args: ['--engine-version', version] })

let passed = 0
let failed = 0
try {
  for (const kind of kinds.length > 0 ? kinds : ['movies', 'nsmc']) {
    const json = join(scratch, `${kind}.json`)
    await bench([
      '--url',
      domain.url,
      '--name',
      'chaja',
      '--vs',
      peer.url,
      '--vs-name',
      peerName,
      '--workload',
      'index,search',
      '--kind',
      kind,
      '--clients',
      '1',
      '--seconds',
      '0.1',
      '--warmup',
      '0',
      '--reps',
      '1',
      '--json',
      json,
      ...flags,
    ])
    const report = JSON.parse(readFileSync(json, 'utf8')) as { readonly results: readonly BenchResult[] }
    for (const { case: name, check } of report.results) {
      if (check === undefined) continue
      const shares = {
        totals: check.totalsEqual,
        scores: check.scoresEqualByRank,
        aggregations: check.aggsEqual,
        highlights: check.highlightsEqual,
      }
      const wrong = Object.entries(shares).filter(([, share]) => share !== undefined && share < 1)
      if (wrong.length === 0) passed++
      else failed++
      console.log(
        `${wrong.length === 0 ? 'same' : 'DIFFERS'}  ${kind} ${name}  ${wrong.map(([k, v]) => `${k} ${((v ?? 0) * 100).toFixed(1)}%`).join(', ')}`,
      )
    }
  }
} finally {
  await domain.stop()
  await peer.stop()
  rmSync(scratch, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

function bench(benchArgs: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    spawn(process.execPath, [join(tool, 'bench.mjs'), ...benchArgs], { stdio: 'inherit', cwd: tool }).once('exit', () =>
      resolve(),
    )
  })
}
