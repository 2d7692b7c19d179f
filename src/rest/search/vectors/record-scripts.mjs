// Asks a real server the cases of a file again and rewrites their answers:
//
//   node record-scripts.mjs http://127.0.0.1:9200 scripts-elasticsearch-6.8.json
//
// The file holds a mapping, documents and cases; an index `ps_recorded` is made and deleted on the server, whose
// `script.max_compilations_rate` must be high enough.
import { readFileSync, writeFileSync } from 'node:fs'
import { chainOf } from './script-faults.mjs'

const [url, file] = process.argv.slice(2)
const recorded = JSON.parse(readFileSync(file, 'utf8'))

async function call(method, path, body, type = 'application/json') {
  const answer = await fetch(url + path, { method, headers: { 'content-type': type }, body })
  return { status: answer.status, text: await answer.text() }
}

const { mapping, documents, cases } = recorded
const settings = { number_of_shards: 1, number_of_replicas: 0 }
await call('DELETE', '/ps_recorded')
await call('PUT', '/ps_recorded', JSON.stringify({ settings, mappings: { _doc: mapping } }))
const lines = documents.flatMap((document, i) => [
  JSON.stringify({ index: { _index: 'ps_recorded', _type: '_doc', _id: String(i) } }),
  JSON.stringify(document),
])
await call('POST', '/_bulk?refresh=true', `${lines.join('\n')}\n`, 'application/x-ndjson')
await call('POST', '/ps_recorded/_forcemerge?max_num_segments=1')
for (const one of cases) {
  const { status, text } = await call('POST', `/ps_recorded/_search${one.parameters ?? ''}`, JSON.stringify(one.body))
  one.answer = status === 200 ? { text: text.slice(text.indexOf('"hits":')) } : { fault: chainOf(JSON.parse(text).error) }
}
await call('DELETE', '/ps_recorded')
const list = (items) => `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]`
writeFileSync(
  file,
  `{"server":${JSON.stringify(recorded.server)},\n"mapping":${JSON.stringify(mapping)},\n"documents":${list(documents)},\n"cases":${list(cases)}}\n`,
)
