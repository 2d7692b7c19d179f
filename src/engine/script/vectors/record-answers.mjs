// Asks a real Elasticsearch 6.8 what it makes of the scripts in scripts.mjs and writes answers-elasticsearch-6.8.json.
// The server must be let compile them all: transient setting script.max_compilations_rate = 100000/1m.
// Usage: node src/engine/script/vectors/record-answers.mjs http://127.0.0.1:9200
import { writeFileSync } from 'node:fs'
import { PARAMS, SCRIPTS } from './scripts.mjs'

const url = process.argv[2] ?? 'http://127.0.0.1:9200'

function causes(error) {
  return error === undefined ? [] : [{ type: error.type, reason: error.reason }, ...causes(error.caused_by)]
}

const answers = []
for (const source of SCRIPTS) {
  const response = await fetch(`${url}/_scripts/painless/_execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ script: { source, params: PARAMS } }),
  })
  const { result, error } = await response.json()
  if (error === undefined) {
    answers.push({ source, result })
    continue
  }
  if (error.caused_by?.type === 'circuit_breaking_exception') throw new Error(error.caused_by.reason)
  const stack = error.script_stack ?? []
  const pointer = stack.findIndex((line) => line.endsWith('^---- HERE'))
  answers.push({ source, reason: error.reason, stack: stack.slice(pointer - 1, pointer + 1), causes: causes(error.caused_by) })
}
writeFileSync(new URL('answers-elasticsearch-6.8.json', import.meta.url), `${JSON.stringify(answers, null, 1)}\n`)
