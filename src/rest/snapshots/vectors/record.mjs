// Asks a real server that has `path.repo` about snapshots and writes what it answers:
//
//   node record.mjs http://127.0.0.1:9200 elasticsearch-6.8.json
//
// Repositories `snp-r1` and `snp-ro` (in the folder `snp-recorded` of path.repo) and indices `snp-*` are made and deleted.
import { writeFileSync } from 'node:fs'

const [url, file] = process.argv.slice(2)
const typed = (await (await fetch(url)).json()).version.number.startsWith('6.')
const type = typed ? 'doc' : '_doc'
const recorded = []

async function call(method, path, body) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url + path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) })
  return { status: answer.status, answer: JSON.parse(await answer.text()) }
}

async function ask(method, path, body) {
  recorded.push({ method, path, ...(body === undefined ? {} : { body }), ...(await call(method, path, body)) })
}

async function clean() {
  for (const name of (await call('GET', '/_snapshot/snp-r1/_all')).answer.snapshots ?? [])
    await call('DELETE', `/_snapshot/snp-r1/${name.snapshot}`)
  for (const name of ['snp-r1', 'snp-ro']) await call('DELETE', `/_snapshot/${name}`)
  await call('DELETE', '/snp-*')
}

const fs = (settings) => ({ type: 'fs', settings: { location: 'snp-recorded', ...settings } })
const wait = '?wait_for_completion=true'
await clean()
for (const body of [
  {},
  { type: 'fs' },
  { type: 'nope', settings: {} },
  fs({ location: '/etc/x' }),
  fs({ location: '../x' }),
  fs({ location: 'a/../../x' }),
  fs({ location: '' }),
  fs({ compress: 'perhaps' }),
  fs({ chunk_size: 'abc' }),
  fs({ readonly: 'abc' }),
  fs({ max_snapshot_bytes_per_sec: 'abc' }),
  { type: 1, settings: {} },
  { type: 'fs', settings: 'x' },
  [1],
])
  await ask('PUT', '/_snapshot/snp-r1', body)
if (!typed) for (const name of ['snp%20r', 'snp%23r', 'snp,r', 'SNP*r']) await ask('PUT', `/_snapshot/${name}`, fs())
await ask('PUT', '/_snapshot/snp-r1', { ...fs(), bogus: 1 })
await ask('POST', '/_snapshot/snp-r1?verify=false&timeout=5s', fs({ compress: true, max_restore_bytes_per_sec: '400mb' }))
await ask('PUT', '/_snapshot/snp-ro', fs({ readonly: true }))
for (const name of ['', '/snp-r1', '/snp-r1,snp-ro', '/snp-r*', '/snp-zz*', '/snp-none', '/snp-r1,snp-none'])
  await ask('GET', `/_snapshot${name}`)
await ask('GET', '/_snapshot/snp-r1?flat_settings=true')
for (const name of ['snp-none', 'snp-zz*']) await ask('DELETE', `/_snapshot/${name}`)
await ask('POST', '/_snapshot/snp-none/_verify')
for (const name of ['snp-r1', 'snp-none', 'snp-ro']) await ask('POST', `/_snapshot/${name}/_cleanup`)

const settings = { number_of_shards: 1, number_of_replicas: 0 }
const properties = { properties: { t: { type: 'text' } } }
const aliases = { 'snp-al': {}, 'snp-al2': { filter: { term: { t: 'x' } } } }
await ask('PUT', '/snp-a', { settings, mappings: typed ? { doc: properties } : properties, aliases })
await ask('PUT', '/snp-b', { settings: { ...settings, number_of_shards: 2 } })
await ask('PUT', '/snp-closed', { settings })
await ask('POST', '/snp-closed/_close')
await ask('PUT', `/snp-a/${type}/1?refresh=true`, { t: 'x' })
await ask('PUT', `/snp-a/${type}/2?refresh=true`, { t: 'y' })
await ask('PUT', `/snp-b/${type}/1?refresh=true`, { t: 'y' })

await ask('PUT', '/_snapshot/snp-none/s1')
const names = ['S1', 's%201', 's,1', 's%231', '_s', 's%2F1', 's*', 's%3F', 's%22', 's%3C', 's%7C', 's%5C1', '_all', '%20s']
for (const name of names) await ask('PUT', `/_snapshot/snp-r1/${name}${wait}`, { indices: 'snp-b' })
for (const name of ['-s', '.s', 's:1', 'é']) {
  await ask('PUT', `/_snapshot/snp-r1/${encodeURIComponent(name)}${wait}`, { indices: 'snp-b', include_global_state: false })
  await ask('DELETE', `/_snapshot/snp-r1/${encodeURIComponent(name)}`)
}
for (const body of [
  { indices: 1 },
  { indices: {} },
  { indices: 'snp-missing' },
  { partial: 'x' },
  { include_global_state: 'x' },
  { ignore_unavailable: 'x' },
  { settings: 'x' },
  ...(typed ? [] : [{ metadata: 'x' }, { metadata: { a: 'x'.repeat(2000) } }]),
])
  await ask('PUT', `/_snapshot/snp-r1/s1${wait}`, body)
await ask('PUT', `/_snapshot/snp-r1/closed${wait}`, { indices: 'snp-closed' })
await ask('PUT', `/_snapshot/snp-ro/s1${wait}`)
const metadata = typed ? {} : { metadata: { by: 'me' } }
await ask('PUT', `/_snapshot/snp-r1/s1${wait}`, { indices: 'snp-a,snp-b,snp-missing', ignore_unavailable: true, ...metadata })
await ask('PUT', '/_snapshot/snp-r1/s1')
await ask('PUT', `/_snapshot/snp-r1/s2${wait}`, { indices: ['snp-*', '-snp-b'], include_global_state: false })
await ask('POST', `/_snapshot/snp-r1/s3${wait}`, { indices: 'snp-al', bogus: 1 })
for (const name of ['s1', 's1?human=true', 's1,s2', 's1,-s2', 's2*', 'zz*', '_current', 'none', 'none?ignore_unavailable=true', 's1,none'])
  await ask('GET', `/_snapshot/snp-r1/${name}`)
await ask('GET', '/_snapshot/snp-r1/s1,none?ignore_unavailable=true&verbose=false')
await ask('GET', '/_snapshot/snp-r1/_all?verbose=false')
await ask('GET', '/_snapshot/snp-ro/_all?verbose=false')
for (const name of ['snp-none', '_all', 'snp-*']) await ask('GET', `/_snapshot/${name}/_all`)
await ask('GET', '/_cat/snapshots/snp-r1?format=json&s=id&h=id,status,indices,successful_shards,failed_shards,total_shards,reason')
await ask('GET', '/_cat/repositories?format=json&s=id')
for (const path of ['/_status', '/snp-r1/_status', '/snp-none/_status', '/snp-r1/s1/_status', '/snp-r1/s2/_status?human=true'])
  await ask('GET', `/_snapshot${path}`)
for (const path of ['/snp-r1/none/_status', '/snp-r1/s*/_status', '/snp-r1/_all/_status', '/snp-none/s1/_status'])
  await ask('GET', `/_snapshot${path}`)
await ask('GET', '/_snapshot/snp-r1/s1,none/_status?ignore_unavailable=true')

const restore = `/_snapshot/snp-r1/s1/_restore${wait}`
await ask('POST', '/_snapshot/snp-r1/s1/_restore')
await ask('POST', '/_snapshot/snp-none/s1/_restore')
await ask('POST', '/_snapshot/snp-r1/none/_restore')
await ask('POST', '/_snapshot/snp-r1/s*/_restore')
const renamed = { indices: 'snp-a', rename_pattern: 'snp-(.+)', rename_replacement: 'snp-x-$1' }
for (const body of [
  { bogus: 1 },
  { indices: 1 },
  { indices: 'snp-missing' },
  { indices: 'snp-missing', ignore_unavailable: true },
  { indices: 'zz*' },
  { rename_pattern: 1 },
  { rename_pattern: '(', rename_replacement: 'x' },
  { rename_pattern: '(' },
  { rename_pattern: 'snp-(.)', rename_replacement: '$2' },
  { indices: 'snp-a', rename_pattern: 'snp-(.)', rename_replacement: 'SNP-$1' },
  { rename_replacement: 1 },
  { ...renamed, index_settings: 'x' },
  { ...renamed, index_settings: { 'index.number_of_shards': 3 } },
  { ...renamed, ignore_index_settings: ['index.number_of_shards'] },
  { ...renamed, ignore_index_settings: ['index.uuid'] },
  { ...renamed, index_settings: { 'index.uuid': 'zz' } },
  { include_aliases: 'x' },
  { partial: 'x' },
  { include_global_state: 'x' },
  { ignore_index_settings: 1 },
  { indices: 'snp-a', rename_pattern: 'snp-a', rename_replacement: 'snp-al2' },
])
  await ask('POST', restore, body)
await ask('POST', restore, { ...renamed, index_settings: { 'index.bogus': 3 }, include_aliases: false })
await ask('POST', restore, renamed)
await ask('GET', '/snp-x-a')
await ask('GET', `/snp-x-a/${type}/1`)
await ask('POST', '/snp-x-a/_close')
const changes = { index_settings: { refresh_interval: '7s', number_of_replicas: 1 }, ignore_index_settings: ['index.number_of_rep*'] }
await ask('POST', restore, { ...renamed, ...changes })
await ask('GET', '/snp-x-a')
await ask('POST', '/snp-b/_close')
await ask('POST', restore, { indices: 'snp-a', rename_pattern: 'snp-a', rename_replacement: 'snp-b' })
await ask('POST', restore, { indices: ['*', '-snp-a'] })
await ask('GET', `/snp-b/${type}/1`)
for (const [path, body] of [
  ['/snp-r1/s1/_clone/c1', { indices: 'snp-a' }],
  ['/snp-r1/s1/_clone/c1', {}],
  ['/snp-r1/s1/_clone/c1'],
  ['/snp-r1/none/_clone/c3', { indices: '*' }],
  ['/snp-r1/s1/_clone/s2', { indices: '*' }],
  ['/snp-r1/s1/_clone/c4', { indices: 'none' }],
  ['/snp-r1/s1/_clone/c4', { indices: 'zz*' }],
  ['/snp-r1/s1/_clone/C5', { indices: '*' }],
  ['/snp-none/s1/_clone/c5', { indices: '*' }],
  ['/snp-ro/s1/_clone/c6', { indices: '*' }],
])
  await ask('PUT', `/_snapshot${path}`, body)
if (!typed) await ask('GET', '/_snapshot/snp-r1/c*')
await ask('DELETE', '/_snapshot/snp-r1/none')
await ask('DELETE', '/_snapshot/snp-none/s1')
await ask('DELETE', '/_snapshot/snp-ro/s1')
await ask('DELETE', '/_snapshot/snp-r1/s2,s3')
await ask('DELETE', '/_snapshot/snp-r1/zz*')
await ask('DELETE', '/_snapshot/snp-r1/_all')
await ask('DELETE', '/_snapshot/snp-r1/s1')
await ask('DELETE', '/_snapshot/snp-r1')
await ask('GET', '/_snapshot/snp-r1/_all')
await clean()
writeFileSync(file, `[\n${recorded.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`)
