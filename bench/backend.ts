/**
 * What requests cost behind the door, in this process and without sockets: µs a request by class.
 *
 *   npx tsx bench/backend.ts --data DIR --index NAME [--queries FILE] [--classes a,b] [--ms 1500]
 *
 * DIR is the data directory of a stopped domain into which the harness of ../shared/bench has loaded its documents.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { BackendRequest } from '../src/backend.ts'
import { openEngine } from '../src/engine/embedded-engine.ts'
import { createRestBackend } from '../src/rest/rest-backend.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    index: { type: 'string' },
    queries: { type: 'string', default: '../shared/bench/queries/movies.json' },
    dsl: { type: 'string', default: '../shared/bench/lib/dsl.mjs' },
    classes: { type: 'string' },
    ms: { type: 'string', default: '1500' },
  },
})
if (values.data === undefined || values.index === undefined) throw new Error('--data and --index are needed')

const { toBody } = (await import(resolve(values.dsl))) as {
  toBody(query: unknown, extra: object): object
}
const classes = JSON.parse(readFileSync(values.queries, 'utf8')).classes as Record<string, { agg?: unknown }[]>
const log = () => {}
const engine = await openEngine({ dataDir: values.data, engineVersion: 'OpenSearch_2.19', log })
const backend = createRestBackend(engine, {
  log,
  publishAddress: () => '127.0.0.1:0',
  clusterName: 'bench',
  dataDir: values.data,
})

const signal = new AbortController().signal
const requestOf = (
  method: string,
  segments: string[],
  body: Buffer,
  query: [string, string][] = [],
): BackendRequest => ({
  method,
  segments,
  rawTarget: `/${segments.join('/')}`,
  query: new Map(query),
  headers: { 'content-type': 'application/json' },
  body,
  signal,
  authorize: () => {},
  authorizeDomain: () => {},
})

/** µs a request over the time given, after as long a warm-up. */
async function measure(requests: readonly BackendRequest[], ms: number): Promise<number> {
  let at = 0
  let spent = 0
  for (const phase of ['warm-up', 'measured']) {
    const start = process.cpuUsage()
    const end = performance.now() + ms
    let count = 0
    while (performance.now() < end) {
      for (let i = 0; i < 20; i++, count++) {
        const { status } = await backend.handle(requests[at++ % requests.length] as BackendRequest)
        if (status !== 200) throw new Error(`answered ${status}`)
      }
    }
    const { user, system } = process.cpuUsage(start)
    if (phase === 'measured') spent = (user + system) / count
  }
  return spent
}

const { index } = values
for (const name of values.classes?.split(',') ?? Object.keys(classes)) {
  const bodies = (classes[name] as { agg?: unknown }[]).map((query) => Buffer.from(JSON.stringify(toBody(query, {}))))
  const query: [string, string][] =
    name.startsWith('agg-') && name !== 'agg-terms-all' ? [['request_cache', 'false']] : []
  const requests = bodies.map((body) => requestOf('POST', [index, '_search'], body, query))
  console.log(name.padEnd(20), (await measure(requests, Number(values.ms))).toFixed(1).padStart(8), 'µs')
}
await backend.close()
