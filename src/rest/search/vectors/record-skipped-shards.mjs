// node record-skipped-shards.mjs URL-OF-ELASTICSEARCH-6.8 URL-OF-OPENSEARCH-2.19: writes skipped-shards.json
import { writeFileSync } from 'node:fs'

const properties = {
  at: { type: 'date' },
  n: { type: 'long' },
  k: { type: 'keyword' },
  t: { type: 'text' },
  nd: { type: 'nested', properties: { at: { type: 'date' } } },
  r: { type: 'date_range' },
  d2: { type: 'date', index: false },
}
/** The second knows a field more, the fourth is empty. */
const indices = [1, 2, 3, 4].map((i) => ({
  name: `pf${i}`,
  properties: i === 2 ? { ...properties, extra: { type: 'long' } } : properties,
  documents: i === 4 ? [] : [1, 2].map((x) => {
    const at = `${2014 + i}-0${x}-01`
    return { at, n: i * 10 + x, k: `k${i}`, t: `text ${i}`, nd: [{ at }], d2: at, ...(i === 2 ? { extra: 1 } : {}) }
  }),
}))

const range = (gte, lt, field = 'at') => ({ range: { [field]: { gte, lt } } })
const none = range('2030', '2031')
const one = range('2016-01-01', '2017-01-01')
const query = (query, more = {}) => ({ query, ...more })
const FIRST = '?pre_filter_shard_size=1'
/** Searches of all four, each shard asked first. */
const bodies = [
  {},
  ...[one, none, { match_all: {} }, { match_none: {} }].map((each) => query(each)),
  ...[range(500, 600, 'n'), range(1, 2, 'nope'), range(0, 5, 'extra'), range('2030', '2031', 'd2'), range('2030', '2031', 'r')].map((each) => query(each)),
  ...[{ gt: '2016-02-01' }, { gte: '2016-02-01', lte: '2016-02-01' }, { lt: '2015-01-01' }, { lte: '2015-01-01' }, {}, { gte: '2016-02-01||/M', lt: 'now' }, { gte: '2016-02-01', lte: '2016-02-01', time_zone: '+09:00' }].map((at) => query({ range: { at } })),
  query({ range: { n: {} } }),
  ...[{ must: [one, { match: { t: 'text' } }] }, { filter: [one] }, { should: [one] }, { should: [one, { match: { t: 'text' } }] }, { must_not: [one] }, { must: [{ match_all: {} }], should: [one] }, { must_not: [none], should: [one], minimum_should_match: 1 }, {}, { filter: [{ term: { _index: 'pf1' } }, { match: { t: 'text' } }] }, { must_not: [{ term: { _index: 'pf1' } }] }].map((bool) => query({ bool })),
  query({ constant_score: { filter: one } }),
  query({ nested: { path: 'nd', query: range('2030', '2031', 'nd.at') } }),
  query({ function_score: { query: one } }),
  query({ dis_max: { queries: [one, none] } }),
  query({ boosting: { positive: one, negative: none, negative_boost: 0.5 } }),
  query({ wrapper: { query: Buffer.from(JSON.stringify(one)).toString('base64') } }),
  query({ query_string: { query: 'at:[2030 TO 2031]' } }),
  query({ ids: { values: ['77'] } }),
  ...[{ k: 'nope' }, { nope: 'x' }, { extra: 1 }, { _index: 'pf1' }, { _id: '77' }, { _type: 'x' }].map((term) => query({ term })),
  ...[{ extra: [1] }, { _index: ['pf1', 'pf2'] }, { _index: ['zz'] }].map((terms) => query({ terms })),
  ...['extra', 'at', 'nd', 'nope'].map((field) => query({ exists: { field } })),
  ...[{ nope: 'x*' }, { _index: '*1' }, { _index: 'PF*' }].map((wildcard) => query({ wildcard })),
  query({ prefix: { _index: 'pf1' } }),
  query({ fuzzy: { nope: 'x' } }),
  query({ regexp: { nope: 'x' } }),
  query({ match: { _index: 'pf1' } }),
  query({ match_phrase: { nope: 'x' } }),
  ...[{ global: {} }, { terms: { field: 'k', min_doc_count: 0 } }, { terms: { field: 'k' } }, { histogram: { field: 'n', interval: 1, min_doc_count: 0 } }, { filter: { match_all: {} }, aggs: { g: { terms: { field: 'k', min_doc_count: 0 } } } }].map((a) => query(one, { aggs: { a } })),
  query(one, { suggest: { s: { text: 'x', term: { field: 't' } } } }),
  { post_filter: one },
  { sort: ['at'] },
  query(one, { sort: [{ at: 'desc' }] }),
  query(one, { collapse: { field: 'k' } }),
  query(one, { min_score: 0 }),
].map((body) => ({ path: `/pf*/_search${FIRST}`, body }))
const others = [
  ...['at', '_doc', '_score'].map((sort) => ({ path: '/pf*/_search', body: query(one, { sort: [sort] }) })),
  { path: '/pf*/_search', body: query(one) },
  { path: '/pf*/_search?pre_filter_shard_size=3', body: query(one) },
  { path: '/pf*/_search?pre_filter_shard_size=4', body: query(one) },
  { path: `/pf1/_search${FIRST}`, body: query(one) },
  { path: `/pf*/_search${FIRST}&search_type=dfs_query_then_fetch`, body: query(one) },
  { path: `/pf*/_search${FIRST}&scroll=1m`, body: query(one) },
  { path: `/pfa/_search${FIRST}`, body: query({ match: { t: 'text' } }) },
  { path: `/pfa/_search${FIRST}`, body: {} },
]
/** One of two indices behind the alias shows nothing of itself. */
const aliases = [{ add: { index: 'pf1', alias: 'pfa', filter: none } }, { add: { index: 'pf2', alias: 'pfa' } }]

async function skippedAt(url, isTyped) {
  const ask = async (method, path, body) => {
    const answer = await fetch(url + path, { method, headers: { 'content-type': 'application/json' }, body: body && JSON.stringify(body) })
    return answer.json()
  }
  for (const { name, properties, documents } of indices) {
    await ask('DELETE', `/${name}`)
    const mappings = isTyped ? { _doc: { properties } } : { properties }
    await ask('PUT', `/${name}`, { settings: { number_of_shards: 1, number_of_replicas: 0 }, mappings })
    for (const [i, document] of documents.entries()) await ask('PUT', `/${name}/_doc/${i}?refresh=true`, document)
  }
  await ask('POST', '/_aliases', { actions: aliases })
  const skipped = []
  for (const { path, body } of [...bodies, ...others]) skipped.push((await ask('POST', path, body))._shards.skipped)
  for (const { name } of indices) await ask('DELETE', `/${name}`)
  return skipped
}

const [elasticsearch, opensearch] = process.argv.slice(2)
const [es6, os2] = [await skippedAt(elasticsearch, true), await skippedAt(opensearch, false)]
const searches = [...bodies, ...others].map((search, i) => ({ ...search, skipped: { 'Elasticsearch_6.8': es6[i], 'OpenSearch_2.19': os2[i] } }))
const lines = searches.map((search) => `    ${JSON.stringify(search)}`).join(',\n')
const head = JSON.stringify({ indices, aliases }).slice(0, -1)
writeFileSync(new URL('skipped-shards.json', import.meta.url), `${head},\n  "searches": [\n${lines}\n  ]\n}\n`)
