// node record-expressions.mjs URL-6.8 URL-7.10 URL-2.19: fills expressions.json in. The place and text of each case stay, its answers are asked for anew.
// OpenSearch 2.19.3 as it is published knows no expressions: the policy of its module keeps from them the class
// org.apache.lucene.expressions.js.ExpressionMath, which has to be added there (modules/lang-expression/plugin-security.policy).
import { readFileSync, writeFileSync } from 'node:fs'
import { DOCUMENTS, PLACES, PROPERTIES, shown } from './expression-cases.mjs'

const file = new URL('expressions.json', import.meta.url)
const versions = ['Elasticsearch_6.8', 'Elasticsearch_7.10', 'OpenSearch_2.19']
const servers = process.argv.slice(2).map((url, i) => ({ url, version: versions[i], isTyped: i === 0 }))

async function ask({ url }, method, path, body) {
  const answer = await fetch(url + path, { method, body, headers: { 'content-type': 'application/json' } })
  return { status: answer.status, json: await answer.json() }
}

for (const server of servers) {
  const mappings = server.isTyped ? { _doc: { properties: PROPERTIES } } : { properties: PROPERTIES }
  const settings = { number_of_shards: 1, number_of_replicas: 0 }
  await ask(server, 'PUT', '/_cluster/settings', '{"transient":{"script.max_compilations_rate":"100000/1m"}}')
  await ask(server, 'DELETE', '/expressions')
  await ask(server, 'PUT', '/expressions', JSON.stringify({ settings, mappings }))
  const lines = DOCUMENTS.map((document, id) => `{"index":{"_id":"${id}"}}\n${document}\n`)
  await ask(server, 'POST', `/expressions/${server.isTyped ? '_doc/' : ''}_bulk?refresh`, lines.join(''))
}
const cases = []
for (const { place, source, params } of JSON.parse(readFileSync(file, 'utf8'))) {
  const script = { lang: 'expression', source, ...(params === undefined ? {} : { params }) }
  const answers = {}
  for (const server of servers) {
    const { status, json } = await ask(server, 'POST', '/expressions/_search', JSON.stringify(PLACES[place](script)))
    answers[server.version] = shown(status, json)
  }
  const [first, ...others] = Object.values(answers)
  const isSame = others.every((other) => JSON.stringify(other) === JSON.stringify(first))
  cases.push({ place, source, params, answers: isSame ? { all: first } : answers })
}
writeFileSync(file, `[\n${cases.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`)
