// Asks a running server the cases of a file (cases.mjs, if none is named) and writes its answers: node record.mjs URL FILE [CASES]
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

const [url, file, cases] = process.argv.slice(2)
const { creates, documents, merges, settings } = await import(cases === undefined ? './cases.mjs' : resolve(cases))

async function call(method, path, body) {
  const response = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const json = JSON.parse(await response.text())
  return { ok: response.ok, json }
}

/** The part of an error that does not change from run to run. */
function plain({ type, reason, caused_by: cause }) {
  const text = (reason ?? 'null')
    .replace(/\n at \[Source: .*/s, '')
    .replace(/ at \d+:\d+$/, '')
    .replace(/ \(java\..*? are in module.*\)$/s, '')
    .replaceAll(/in index \[.*?\]/g, 'in index [x]')
  return { type, reason: text, ...(cause === undefined ? {} : { cause: plain(cause) }) }
}

const { json: info } = await call('GET', '/')
const typed = info.version.number.startsWith('6.')
const name = `recorded-${process.pid}`
const create = (mapping) =>
  call('PUT', `/${name}`, {
    settings: { number_of_shards: 1, number_of_replicas: 0, ...settings },
    mappings: typed ? { _doc: mapping } : mapping,
  })
const mappingNow = async () => {
  const { json } = await call('GET', `/${name}/_mapping`)
  const found = json[name].mappings
  return typed ? (found._doc ?? {}) : found
}
const drop = () => call('DELETE', `/${name}`)

const recorded = { server: `${info.version.distribution ?? 'elasticsearch'} ${info.version.number}`, creates: [], merges: [], documents: [] }
for (const mapping of creates) {
  const { ok, json } = await create(mapping)
  recorded.creates.push({ mapping, answer: ok ? { mapping: await mappingNow() } : { error: plain(json.error) } })
  if (ok) await drop()
}
for (const [mapping, update] of merges) {
  const made = await create(mapping)
  if (!made.ok) continue
  const { ok, json } = await call('PUT', typed ? `/${name}/_mapping/_doc` : `/${name}/_mapping`, update)
  recorded.merges.push({ mapping, update, answer: ok ? { mapping: await mappingNow() } : { error: plain(json.error) } })
  await drop()
}
for (const { mapping, sources } of documents) {
  const made = await create(mapping)
  if (!made.ok) continue
  const entry = { mapping, sources: [] }
  for (const [id, source] of sources.entries()) {
    const routing = source.startsWith('{"j"') ? '?routing=1' : ''
    const { ok, json } = await call('PUT', `/${name}/_doc/${id}${routing}`, source)
    entry.sources.push({ source, ...(ok ? {} : { error: plain(json.error) }) })
  }
  await call('POST', `/${name}/_refresh`)
  entry.mappingAfter = await mappingNow()
  const columns = []
  const visit = (properties, prefix) => {
    for (const [key, { type, doc_values, properties: inner }] of Object.entries(properties ?? {})) {
      if (inner !== undefined && type !== 'nested') visit(inner, `${prefix}${key}.`)
      else if (doc_values !== false && ['long', 'integer', 'short', 'byte', 'double', 'float', 'half_float', 'scaled_float', 'date', 'boolean', 'ip', 'keyword', 'geo_point'].includes(type)) columns.push({ path: prefix + key, type })
    }
  }
  visit(entry.mappingAfter.properties, '')
  if (columns.length > 0) {
    const fields = columns.map(({ path, type }) => (type === 'date' ? { field: path, format: 'epoch_millis' } : { field: path }))
    const response = await fetch(`${url}/${name}/_search`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ size: 1000, _source: false, docvalue_fields: fields, sort: ['_doc'] }) })
    // Whole numbers beyond 2^53 are kept as texts.
    const text = (await response.text()).replaceAll(/([[,:])(-?\d{16,19})(?=[,\]}])/g, '$1"$2"')
    for (const hit of JSON.parse(text).hits.hits) if (hit.fields !== undefined) entry.sources[Number(hit._id)].columns = hit.fields
  }
  recorded.documents.push(entry)
  await drop()
}
writeFileSync(file, `${JSON.stringify(recorded, null, 1)}\n`)
