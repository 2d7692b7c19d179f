/**
 * What the domain costs in front of a cluster: the same requests sent to the cluster itself and through it, by turns, over one
 * kept connection each; medians in milliseconds. The index `clu_bench` is made and removed.
 *
 *   CHAJA_CLUSTER_URL=http://127.0.0.1:9200 npx tsx bench/cluster.ts [rounds, 2000]
 */
import { Agent, request as requestHttp } from 'node:http'
import { serveCluster } from '../test/cluster/served-cluster.ts'

const cluster = process.env['CHAJA_CLUSTER_URL']
if (cluster === undefined) {
  console.log('skipped: CHAJA_CLUSTER_URL names no cluster')
  process.exit(0)
}
const rounds = Number(process.argv[2] ?? 2_000)
const statements = [
  { Effect: 'Allow', Action: 'es:*', Resource: '$/*' },
  { Effect: 'Deny', Action: 'es:*', Resource: '$/somebody-elses*' },
]
const plain = await serveCluster([cluster])
const typed = await serveCluster([cluster], { engineVersion: 'Elasticsearch_6.8' })
const judged = await serveCluster([cluster], { statements })
await plain.ask('PUT', '/clu_bench', { settings: { number_of_shards: 1, number_of_replicas: 0 } })
const lines = Array.from(
  { length: 1_000 },
  (_, i) => `{"index":{"_id":"${i}"}}\n{"title":"${'a title of some length '.repeat(8)}${i}"}\n`,
)
await plain.ask('POST', '/clu_bench/_bulk?refresh=true', lines.join(''))

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const servers = {
  cluster,
  'OpenSearch_2.19': plain.url,
  'Elasticsearch_6.8': typed.url,
  'policy with a Deny': judged.url,
}
const requests = { 'get by id': '/clu_bench/_doc/7', 'search, 1000 hits': '/clu_bench/_search?size=1000' }
for (const [what, path] of Object.entries(requests)) {
  const times = new Map(Object.keys(servers).map((name) => [name, [] as number[]]))
  const count = what === 'get by id' ? rounds : rounds / 10
  for (let round = 0; round < count + 100; round++) {
    for (const [name, url] of Object.entries(servers)) {
      const ms = await time(url + path)
      // The first ones warm up.
      if (round >= 100) times.get(name)?.push(ms)
    }
  }
  const medians = [...times].map(
    ([name, list]) => `${name} ${list.sort((a, b) => a - b)[list.length >> 1]?.toFixed(3)}`,
  )
  console.log(`${what}: ${medians.join(', ')}`)
}
await plain.ask('DELETE', '/clu_bench')
agent.destroy()
for (const domain of [plain, typed, judged]) await domain.stop()

function time(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    requestHttp(url, { agent }, (response) => {
      response.resume().once('end', () => resolve(performance.now() - started))
    })
      .once('error', reject)
      .end()
  })
}
