// Asks a real server the requests of join-cases.mjs and writes what it answers:
//
//   node record-joins.mjs http://127.0.0.1:9200 join-elasticsearch-6.8.json
//
// Indices `recorded` and `recorded-mapping` are made and deleted on the server.
import { writeFileSync } from 'node:fs'
import { cases, documents, mapping } from './join-cases.mjs'

const [url, file] = process.argv.slice(2)

async function call(method, path, body, type = 'application/json') {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await fetch(url + path, { method, headers: { 'content-type': type }, body: text })
  return { status: answer.status, text: await answer.text() }
}

const settings = { number_of_shards: 1, number_of_replicas: 0 }
await call('DELETE', '/recorded')
await call('DELETE', '/recorded-mapping')
await call('PUT', '/recorded', { settings, mappings: { _doc: mapping } })
for (let from = 0; from < documents.length; from += 50) {
  const lines = documents.slice(from, from + 50).flatMap(({ id, routing, source }) => [
    JSON.stringify({ index: { _index: 'recorded', _type: '_doc', _id: id, ...(routing === undefined ? {} : { routing }) } }),
    JSON.stringify(source),
  ])
  const { text } = await call('POST', '/_bulk?refresh=true', `${lines.join('\n')}\n`, 'application/x-ndjson')
  if (!text.includes('"errors":false')) throw new Error(text)
}
for (const one of cases) {
  if (one.mapping !== undefined) {
    let answer = await call('PUT', '/recorded-mapping', { settings, mappings: { _doc: { properties: one.mapping } } })
    if (one.update !== undefined) answer = await call('PUT', '/recorded-mapping/_mapping/_doc', { properties: one.update })
    const shown = await call('GET', '/recorded-mapping/_mapping')
    one.answer = { ...shownAnswer(answer), mapping: JSON.parse(shown.text)['recorded-mapping']?.mappings._doc }
    await call('DELETE', '/recorded-mapping')
    continue
  }
  if (one.refresh) await call('POST', '/recorded/_refresh')
  one.answer = shownAnswer(await call(one.method, `/recorded${one.path}`, one.body))
}
await call('DELETE', '/recorded')

/** Of an error its whole chain, without places and texts of queries; of a search what follows `hits`. */
function shownAnswer({ status, text }) {
  if (status < 300) return text.includes('"hits":') ? { status, text: nodeless(text.slice(text.indexOf('"hits":'))) } : { status }
  const { error } = JSON.parse(text)
  const [root] = error.root_cause
  return { status, type: error.type, root: { type: root.type, reason: placeless(root.reason) }, cause: causeOf(error) }
}

function causeOf({ caused_by: cause }) {
  return cause === undefined ? undefined : { type: cause.type, reason: placeless(cause.reason) }
}

function placeless(reason) {
  return reason.replace(/\[\d+:\d+\] /g, '').replace(/ at \[\d+:\d+\]/, '')
}

function nodeless(text) {
  return text.replace(/"_node":"[^"]*"/g, '"_node":""')
}

const list = (items) => `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]`
writeFileSync(file, `{"server":"Elasticsearch 6.8.23","mapping":${JSON.stringify(mapping)},\n"documents":${list(documents)},\n"cases":${list(cases)}}\n`)
