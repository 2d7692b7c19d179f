// Records what a server answers to calls: npx tsx record.ts http://127.0.0.1:9200 FILE.calls …  (see vectors/SOURCE.md)
import { readFileSync, writeFileSync } from 'node:fs'
import { comparableAnswer, comparableWarnings } from './comparable-answer.ts'

const [url = '', ...files] = process.argv.slice(2)
for (const file of files) {
  // OpenSearch warns a caller of each thing once.
  const caller = { 'x-opaque-id': `recorder ${Math.random()}` }
  const recorded: string[] = []
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, method = '', path = '', rest] = /^(\w+) (\S+)(?: (.*))?$/.exec(line) ?? []
    if (method === '') continue
    const body = rest?.replaceAll('⏎', '\n')
    const type = /_bulk|_msearch/.test(path) ? 'application/x-ndjson' : 'application/json'
    const answer = await fetch(url + path, {
      method,
      ...(body === undefined ? { headers: caller } : { body, headers: { 'content-type': type, ...caller } }),
    })
    const call = body === undefined ? { method, path } : { method, path, body }
    const warnings = comparableWarnings(answer.headers.get('warning') ?? '')
    const warned = warnings.length === 0 ? {} : { warnings }
    const said = comparableAnswer(await answer.text())
    recorded.push(JSON.stringify({ ...call, status: answer.status, ...warned, answer: said }))
  }
  writeFileSync(file.replace(/\.calls$/, '.json'), `[\n${recorded.join(',\n')}\n]\n`)
}
