/**
 * Records what Elasticsearch 6.8 makes of search templates:
 *   node src/rest/search/vectors/record.mjs http://127.0.0.1:9206
 */
import { readFileSync, writeFileSync } from 'node:fs'

const url = process.argv[2]
const here = new URL('.', import.meta.url)
const bodies = JSON.parse(readFileSync(new URL('search-templates.bodies.json', here), 'utf8'))
const cases = []
for (const body of bodies) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/_render/template`, { method: 'POST', headers, body })
  cases.push({ body, status: response.status, answer: await response.text() })
}
writeFileSync(new URL('search-templates-6.8.json', here), `${JSON.stringify({ cases }, undefined, 2)}\n`)
