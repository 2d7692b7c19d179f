/**
 * Speed beside OpenSearch 2.19.3, interleaved in one run on this machine (ratios count, not times).
 *
 *   npm run bench                                        movies, every workload
 *   npm run bench -- --kind nsmc --workload search --classes phrase,fuzzy
 *
 * Flags are bench.mjs's own. The samples go to bench/results/<date>-<kind>.json.
 */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startDomain } from './domain-process.ts'
import { startPeer } from './peers.ts'
import { sharedTool } from './shared-tool.ts'

const flags = process.argv.slice(2)
const kind = flags.includes('--kind') ? flags[flags.indexOf('--kind') + 1] : 'movies'
const tool = sharedTool('bench')
const results = join(import.meta.dirname, '..', 'bench', 'results')
mkdirSync(results, { recursive: true })

const peer = await startPeer('opensearch', { port: 19202 })
const domain = await startDomain({ args: ['--engine-version', 'OpenSearch_2.19'] })
const json = join(results, `${new Date().toISOString().slice(0, 10)}-${kind}.json`)
const code = await new Promise<number>((resolve) => {
  const child = spawn(
    process.execPath,
    [
      join(tool, 'bench.mjs'),
      ...['--url', domain.url, '--name', 'chaja', '--pid', String(domain.pid), '--data-dir', domain.dataDir],
      ...['--vs', peer.url, '--vs-name', 'opensearch', '--vs-pid', String(peer.pid), '--vs-data-dir', peer.dataDir],
      ...['--json', json, ...flags],
    ],
    { stdio: 'inherit', cwd: tool },
  )
  child.once('exit', (c) => resolve(c ?? 1))
})
await domain.stop()
await peer.stop()
process.exit(code)
