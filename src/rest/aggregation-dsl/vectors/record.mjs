// Asks a real server the cases of a file again and rewrites their answers:
//
//   node record.mjs http://127.0.0.1:9200 elasticsearch-6.8.json
//
// The file holds mappings, settings, documents and cases; an index `recorded` is made and deleted on the server.
import { readFileSync, writeFileSync } from 'node:fs'

const [url, file] = process.argv.slice(2)
const recorded = JSON.parse(readFileSync(file, 'utf8'))

async function call(method, path, body, type = 'application/json') {
  const answer = await fetch(url + path, { method, headers: { 'content-type': type }, body })
  return { status: answer.status, text: await answer.text() }
}

const { typed, settings, mapping, documents, cases } = recorded
await call('DELETE', '/recorded')
await call(
  'PUT',
  '/recorded',
  JSON.stringify({
    settings: { number_of_shards: 1, number_of_replicas: 0, ...settings },
    mappings: typed ? { _doc: mapping } : mapping,
  }),
)
const lines = documents.flatMap((document, i) => [
  JSON.stringify({ index: { _index: 'recorded', ...(typed ? { _type: '_doc' } : {}), _id: String(i) } }),
  JSON.stringify(document),
])
await call('POST', '/_bulk?refresh=true', `${lines.join('\n')}\n`, 'application/x-ndjson')
await call('POST', '/recorded/_forcemerge?max_num_segments=1')
for (const one of cases) {
  const { status, text } = await call('POST', `/recorded/_search${one.parameters ?? ''}`, JSON.stringify(one.body))
  one.answer = status === 200 ? { text: text.slice(text.indexOf('"hits":')) } : { error: rootCause(JSON.parse(text)) }
}
await call('DELETE', '/recorded')
const list = (items) => `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]`
writeFileSync(
  file,
  `{"server":${JSON.stringify(recorded.server)},"typed":${typed},\n"settings":${JSON.stringify(settings)},\n"mapping":${JSON.stringify(mapping)},\n"documents":${list(documents)},\n"cases":${list(cases)}}\n`,
)

/** Type and reason of the fault itself, without the place in the request. */
function rootCause({ error }) {
  const { type, reason } = error.root_cause[0] ?? error
  return { type, reason: reason.replace(/\[\d+:\d+\] /g, '') }
}
