// Asks a real server the simulations of a file again and rewrites their answers:
//
//   node record.mjs http://127.0.0.1:9200 elasticsearch-6.8.json
import { readFileSync, writeFileSync } from 'node:fs'

const [url, file] = process.argv.slice(2)
const recorded = JSON.parse(readFileSync(file, 'utf8'))
for (const one of recorded.cases) {
  const answer = await fetch(`${url}/_ingest/pipeline/_simulate${one.verbose ? '?verbose' : ''}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(one.body),
  })
  one.status = answer.status
  one.answer = JSON.parse((await answer.text()).replace(/"timestamp":"[^"]*"/g, '"timestamp":"#"'))
}
const list = (items) => `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]`
writeFileSync(file, `{"server":${JSON.stringify(recorded.server)},\n"cases":${list(recorded.cases)}}\n`)
