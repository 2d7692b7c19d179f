// Mappings, documents and requests of `join-elasticsearch-6.8.json`, whose answers record-joins.mjs asks a real server for.

const properties = {
  j: { type: 'join', relations: { company: ['team', 'office'], team: 'worker', worker: ['note', 'badge'] } },
  t: { type: 'text' },
  n: { type: 'integer' },
  k: { type: 'keyword' },
  d: { type: 'date' },
  tags: { type: 'nested', properties: { v: { type: 'keyword' } } },
}

export const mapping = { properties }

const WORDS = ['river', 'stone', 'cloud', 'ember', 'field', 'harbor', 'ladder', 'meadow', 'north', 'orchard']
let seed = 12345
const random = (below) => {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff
  return (seed >>> 8) % below
}
const text = () => Array.from({ length: 1 + random(6) }, () => WORDS[random(random(2) === 0 ? 3 : WORDS.length)]).join(' ')
const rest = () => ({
  t: text(),
  n: random(20),
  k: ['a', 'b', 'c', 'd'][random(4)],
  d: `2020-0${1 + random(9)}-11`,
  ...(random(3) === 0 ? { tags: [{ v: 'x' }, { v: ['y', 'z'][random(2)] }] } : {}),
})

/** Documents in the order they are indexed. */
export const documents = []
const ids = { company: [], team: [], office: [], worker: [], note: [], badge: [] }
const roots = new Map()
function add(name, parentName) {
  const id = `${name[0]}${ids[name].length}`
  const isChild = parentName !== undefined
  // Some parents do not exist.
  const parents = isChild ? [...ids[parentName], ...(parentName === 'company' ? ['nowhere'] : [])] : []
  const parent = isChild ? parents[random(parents.length)] : undefined
  const routing = isChild ? (roots.get(parent) ?? parent) : undefined
  roots.set(id, routing ?? id)
  ids[name].push(id)
  const j = isChild ? { name, parent } : random(2) === 0 ? name : { name }
  documents.push({ id, ...(routing === undefined ? {} : { routing }), source: { j, ...rest() } })
}
for (let i = 0; i < 8; i++) add('company')
for (let round = 0; round < 3; round++) {
  for (let i = 0; i < 6; i++) add('team', 'company')
  for (let i = 0; i < 4; i++) add('office', 'company')
  for (let i = 0; i < 15; i++) add('worker', 'team')
  for (let i = 0; i < 12; i++) add('note', 'worker')
  for (let i = 0; i < 5; i++) add('badge', 'worker')
  add('company')
  documents.push({ id: `o${round}`, source: rest() })
}

/** Requests: [name, body] of searches, or [name, method, path, body]. */
export const cases = []
const add1 = (name, body) => cases.push({ name, method: 'POST', path: '/_search', body })
const search = (name, query, more = {}) => add1(name, { query, size: 30, _source: false, ...more })

const all = { match_all: {} }
const river = { match: { t: 'river' } }
const words = { match: { t: 'river stone harbor' } }
const few = { bool: { must: [{ match: { t: 'cloud ember' } }], filter: [{ range: { n: { gte: 5 } } }] } }
const inners = { all, river, words, few, none: { term: { k: 'zzz' } }, nested: { nested: { path: 'tags', query: { term: { 'tags.v': 'y' } } } } }

for (const type of ['team', 'office', 'worker', 'note']) {
  for (const [name, query] of Object.entries(inners)) {
    for (const score_mode of ['none', 'min', 'max', 'sum', 'avg']) {
      if (type !== 'worker' && name === 'few') continue
      if (type === 'office' && score_mode === 'min') continue
      search(`has_child ${type} ${name} ${score_mode}`, { has_child: { type, query, score_mode } })
    }
  }
}
for (const [min_children, max_children] of [[0, 1], [1, 1], [2, 3], [1, undefined], [2, undefined], [undefined, 2], [0, 0], [3, 9]]) {
  for (const score_mode of ['none', 'sum', 'avg']) {
    const limits = { ...(min_children === undefined ? {} : { min_children }), ...(max_children === undefined ? {} : { max_children }) }
    search(`has_child worker ${min_children}-${max_children} ${score_mode}`, { has_child: { type: 'worker', query: words, score_mode, boost: 3, ...limits } })
  }
}
for (const parent_type of ['company', 'team', 'worker']) {
  for (const [name, query] of Object.entries(inners)) {
    for (const score of [true, false]) search(`has_parent ${parent_type} ${name} ${score}`, { has_parent: { parent_type, query, score } }, { size: 60 })
  }
  search(`has_parent ${parent_type} boosted`, { has_parent: { parent_type, query: words, boost: 2.5 } })
  search(`has_parent ${parent_type} boosted score`, { has_parent: { parent_type, query: words, boost: 2.5, score: true } })
}
search('several levels down', { has_child: { type: 'team', query: { has_child: { type: 'worker', query: { has_child: { type: 'note', query: river, score_mode: 'sum' } }, score_mode: 'max' } }, score_mode: 'avg' } })
search('several levels up', { has_parent: { parent_type: 'worker', score: true, query: { has_parent: { parent_type: 'team', score: true, query: { has_parent: { parent_type: 'company', score: true, query: words } } } } } })
search('siblings', { has_parent: { parent_type: 'company', score: true, query: { has_child: { type: 'office', query: river, score_mode: 'sum' } } } })
for (const occur of ['must', 'should', 'filter', 'must_not']) {
  search(`bool ${occur}`, { bool: { must: [words], [occur === 'must' ? 'filter' : occur]: [{ has_child: { type: 'worker', query: river, score_mode: 'sum' } }] } })
  search(`bool ${occur} parent`, { bool: { must: [words], [occur === 'must' ? 'filter' : occur]: [{ has_parent: { parent_type: 'team', query: river, score: true } }] } })
}
search('constant_score', { constant_score: { filter: { has_child: { type: 'worker', query: river, score_mode: 'sum' } }, boost: 4 } })
search('function_score', { function_score: { query: { has_child: { type: 'worker', query: river, score_mode: 'sum' } }, field_value_factor: { field: 'n' } } })
search('function_score inside', { has_child: { type: 'worker', score_mode: 'max', query: { function_score: { query: all, field_value_factor: { field: 'n', factor: 1.5 }, boost_mode: 'replace' } } } })
search('dis_max', { dis_max: { queries: [{ has_child: { type: 'worker', query: river, score_mode: 'sum' } }, { match: { t: 'stone' } }], tie_breaker: 0.4 } })
search('boosting', { boosting: { positive: { match: { t: 'river stone' } }, negative: { has_child: { type: 'worker', query: river } }, negative_boost: 0.3 } })
search('in a nested query', { nested: { path: 'tags', query: { has_child: { type: 'worker', query: all } } } })
search('sorted', { has_child: { type: 'worker', query: river } }, { sort: [{ n: 'desc' }, '_doc'] })
search('sorted, with scores', { has_child: { type: 'worker', query: river, score_mode: 'sum' } }, { sort: [{ n: 'desc' }, { _score: 'asc' }], track_scores: true })
search('paged', { has_parent: { parent_type: 'team', query: all } }, { from: 7, size: 5 })
search('min_score', { has_child: { type: 'worker', query: words, score_mode: 'sum' } }, { min_score: 2 })
search('post_filter', all, { post_filter: { has_child: { type: 'worker', query: river } } })
search('named', { bool: { should: [{ has_child: { type: 'worker', query: river, _name: 'w' } }, { has_child: { type: 'office', query: all, _name: 'o' } }, { has_parent: { parent_type: 'team', query: { term: { k: { value: 'a', _name: 'inner' } } }, _name: 'p' } }] } }, { size: 15 })
search('rescore', { match: { t: 'river' } }, { rescore: { window_size: 20, query: { rescore_query: { has_child: { type: 'worker', query: river, score_mode: 'sum' } } } } })
search('highlight', { bool: { must: [{ match: { t: 'river' } }, { has_child: { type: 'team', query: { match: { t: 'stone' } } } }] } }, { highlight: { fields: { t: {} } } })
for (const score_mode of ['none', 'sum', 'avg']) {
  search(`explain has_child ${score_mode}`, { has_child: { type: 'team', query: river, score_mode, boost: 2 } }, { explain: true, size: 3 })
}
search('explain has_parent', { bool: { must: [{ has_parent: { parent_type: 'team', query: river, score: true } }, { term: { k: 'a' } }] } }, { explain: true, size: 3 })
search('explain counts', { has_child: { type: 'worker', query: all, min_children: 2 } }, { explain: true, size: 2 })
for (const type of ['team', 'office', 'worker', 'note', 'company', 'nothing']) {
  for (const id of ['c1', 't2', 'nowhere']) search(`parent_id ${type} ${id}`, { parent_id: { type, id } })
  search(`parent_id ${type} unmapped`, { parent_id: { type, id: 'c1', ignore_unmapped: true, boost: 2 } })
}
search('parent_id explained', { parent_id: { type: 'team', id: 'c1', boost: 2 } }, { explain: true, size: 2 })

// What the field makes.
for (const field of ['j', 'j#company', 'j#team', 'j#worker', 'j#note']) {
  search(`term ${field}`, { term: { [field]: 'c1' } })
  search(`terms ${field}`, { terms: { [field]: ['c1', 't2', 'company', 'w3'] } })
  search(`exists ${field}`, { exists: { field } }, { size: 5 })
  search(`prefix ${field}`, { prefix: { [field]: 'w' } }, { size: 5 })
  search(`match ${field}`, { match: { [field]: 'team c1' } }, { size: 5 })
  search(`sort ${field}`, all, { sort: [{ [field]: { order: 'desc', missing: '_first' } }, '_doc'], size: 20, docvalue_fields: [field] })
  add1(`terms aggregation ${field}`, { size: 0, aggs: { x: { terms: { field, size: 30 }, aggs: { m: { max: { field: 'n' } } } }, c: { cardinality: { field } }, v: { value_count: { field } }, miss: { missing: { field } } } })
}
search('term by name', { term: { j: { value: 'team', boost: 3 } } }, { explain: true, size: 1 })
search('fuzzy', { fuzzy: { j: 'companny' } })
search('wildcard', { wildcard: { 'j#company': 'c?' } }, { size: 5 })
search('regexp', { regexp: { j: '(team|office)' } }, { size: 5 })
search('range', { range: { 'j#company': { gt: 'c3', lte: 'c5' } } })
search('query_string', { query_string: { query: 'j:team AND t:river' } })
search('query_string of all fields', { query_string: { query: 'c1' } })
search('simple_query_string of all fields', { simple_query_string: { query: 'team' } }, { size: 5 })
search('multi_match', { multi_match: { query: 'team', fields: ['j*', 't'] } }, { size: 5 })
search('match_phrase', { match_phrase: { j: 'team' } }, { size: 5 })
search('match_phrase_prefix', { match_phrase_prefix: { j: 'off' } }, { size: 5 })
search('collapse', words, { collapse: { field: 'j#company' }, size: 10 })
search('docvalue_fields by pattern', all, { docvalue_fields: ['j#*'], size: 12, sort: ['_doc'] })
search('avg of a join field', all, { aggs: { x: { avg: { field: 'j' } } } })
search('sort by _parent_join', all, { sort: ['_parent_join'] })
search('more_like_this', { more_like_this: { fields: ['j'], like: 'team' } })
search('more_like_this of a child', { more_like_this: { fields: ['t'], like: [{ _index: 'recorded', _type: '_doc', _id: 't1', routing: 'c0' }], min_term_freq: 1, min_doc_freq: 1 } }, { size: 5 })

// Aggregations.
const agg = (name, aggs, query = all) => add1(name, { size: 0, query, aggs })
const inside = { s: { stats: { field: 'n' } }, k: { terms: { field: 'k' } } }
for (const type of ['team', 'office', 'worker', 'note', 'company', 'nothing']) {
  agg(`children ${type}`, { x: { children: { type }, aggs: inside } })
  agg(`parent ${type}`, { x: { parent: { type }, aggs: inside } })
  agg(`children ${type} by key`, { k: { terms: { field: 'k' }, aggs: { x: { children: { type }, aggs: inside } } } })
  agg(`parent ${type} by key`, { k: { terms: { field: 'k' }, aggs: { x: { parent: { type }, aggs: inside } } } })
  agg(`children ${type} of some`, { x: { children: { type }, aggs: inside } }, words)
  agg(`parent ${type} of some`, { x: { parent: { type }, aggs: inside } }, words)
}
agg('children of children', { x: { children: { type: 'team' }, aggs: { y: { children: { type: 'worker' }, aggs: { z: { children: { type: 'note' }, aggs: inside } } } } } }, { term: { k: 'a' } })
agg('children of children by key', { k: { terms: { field: 'k' }, aggs: { x: { children: { type: 'team' }, aggs: { y: { children: { type: 'worker' }, aggs: { z: { terms: { field: 'k' } } } } } } } } })
agg('parents of parents', { x: { parent: { type: 'note' }, aggs: { y: { parent: { type: 'worker' }, aggs: { z: { parent: { type: 'team' }, aggs: inside } } } } } }, river)
agg('there and back', { x: { children: { type: 'team' }, aggs: { y: { parent: { type: 'team' }, aggs: inside } } } }, words)
agg('by name', { j: { terms: { field: 'j', order: { _key: 'asc' } }, aggs: { x: { children: { type: 'team' }, aggs: inside }, y: { children: { type: 'note' } } } } })
agg('by month', { m: { date_histogram: { field: 'd', interval: 'month' }, aggs: { x: { children: { type: 'worker' }, aggs: { avg: { avg: { field: 'n' } } } }, p: { parent: { type: 'worker' } } } } })
agg('in filters', { f: { filters: { filters: { a: { term: { k: 'a' } }, r: river } }, aggs: { x: { children: { type: 'worker' }, aggs: inside } } } })
agg('a has_child filter', { f: { filter: { has_child: { type: 'worker', query: river } }, aggs: inside } })
agg('nested inside', { x: { children: { type: 'team' }, aggs: { n: { nested: { path: 'tags' }, aggs: { v: { terms: { field: 'tags.v' } } } } } } })
agg('in a global', { g: { global: {}, aggs: { x: { children: { type: 'team' }, aggs: inside } } } }, river)
agg('top_hits', { x: { children: { type: 'team' }, aggs: { h: { top_hits: { size: 3, _source: false } } } } }, river)
agg('with a pipeline', { k: { date_histogram: { field: 'd', interval: 'month' }, aggs: { x: { children: { type: 'worker' }, aggs: { m: { max: { field: 'n' } } } }, c: { cumulative_sum: { buckets_path: 'x>m' } } } } })
agg('composite around', { c: { composite: { sources: [{ k: { terms: { field: 'k' } } }] }, aggs: { x: { children: { type: 'worker' } } } } })
agg('deferred', { k: { terms: { field: 'k', size: 2, collect_mode: 'breadth_first' }, aggs: { x: { children: { type: 'worker' }, aggs: inside } } } })
agg('ordered by children', { k: { terms: { field: 'k', order: { x: 'asc' } }, aggs: { x: { children: { type: 'worker' } } } } })
agg('ordered by something of children', { k: { terms: { field: 'k', order: { 'x>m': 'asc' } }, aggs: { x: { children: { type: 'worker' }, aggs: { m: { max: { field: 'n' } } } } } } })
for (const body of [{}, { type: 5 }, { type: null }, { type: 'team', foo: 1 }, { type: 'team', foo: 'x' }, { child_type: 'team' }, { type: ['team'] }]) {
  agg(`children ${JSON.stringify(body)}`, { x: { children: body } })
  agg(`parent ${JSON.stringify(body)}`, { x: { parent: body } })
}

// Inner hits.
const hits = (name, query, more = {}) => add1(`inner hits: ${name}`, { query, size: 6, ...more })
const W = (inner_hits, more = {}) => ({ has_child: { type: 'worker', query: words, inner_hits, ...more } })
hits('children', W({}))
hits('children, scored', W({}, { score_mode: 'sum' }))
hits('a name', W({ name: 'mine', size: 1 }))
hits('from', W({ from: 1, size: 2 }))
hits('from beyond', W({ from: 5, size: 2 }))
hits('from beyond, sorted', W({ from: 5, size: 2, sort: ['n'] }))
hits('no size', W({ size: 0 }))
hits('no size, sorted', W({ size: 0, sort: ['n'] }))
hits('sorted', W({ sort: [{ n: 'desc' }, 'k'] }))
hits('sorted, with scores', W({ sort: [{ n: 'desc' }], track_scores: true }))
hits('sorted by score', W({ sort: [{ _score: 'asc' }] }))
hits('sorted by _doc', W({ sort: ['_doc'], size: 1 }))
hits('parts of the source', W({ _source: ['t', 'n'] }))
hits('no source', W({ _source: false, docvalue_fields: ['j', 'n'], version: true, seq_no_primary_term: true }))
hits('explained', W({ explain: true, size: 1, _source: false }))
hits('highlighted', W({ highlight: { fields: { t: {} } }, _source: false }))
hits('parents', { has_parent: { parent_type: 'team', query: words, inner_hits: {} } })
hits('parents, scored', { has_parent: { parent_type: 'team', query: words, score: true, inner_hits: { _source: false } } })
hits('parents, no size', { has_parent: { parent_type: 'team', query: words, inner_hits: { size: 0 } } })
hits('within one another', { has_child: { type: 'team', query: { has_child: { type: 'worker', query: river, inner_hits: { _source: false } } }, inner_hits: { _source: false } } })
hits('within, not around', { has_child: { type: 'team', query: { has_child: { type: 'worker', query: river, inner_hits: {} } } } }, { _source: false })
hits('grandparents', { has_parent: { parent_type: 'worker', query: { has_parent: { parent_type: 'team', query: { exists: { field: 'k' } }, inner_hits: { _source: false } } }, inner_hits: { _source: false } } }, { _source: false })
hits('nested within', { has_child: { type: 'team', query: { nested: { path: 'tags', query: { term: { 'tags.v': 'x' } }, inner_hits: {} } }, inner_hits: { _source: false } } }, { _source: false })
hits('in a bool', { bool: { should: [{ match: { t: 'river' } }, W({ _source: false })] } }, { _source: false, size: 15 })
hits('all documents', { bool: { should: [all, W({ _source: false })] } }, { _source: false, size: 90, sort: ['_doc'] })
hits('two', { bool: { should: [W({ _source: false }), { has_child: { type: 'team', query: all, inner_hits: { _source: false } } }] } }, { _source: false })
hits('the same name', { bool: { should: [W({}), W({})] } })
hits('too many', W({ size: 101 }))
hits('too many named', W({ name: 'x', from: 90, size: 20 }))
hits('an unknown option', W({ foo: 1 }))
hits('unmapped', { has_child: { type: 'nothing', query: all, ignore_unmapped: true, inner_hits: {} } })
hits('unmapped in a bool', { bool: { should: [river, { has_child: { type: 'nothing', query: all, ignore_unmapped: true, inner_hits: {} } }] } }, { _source: false, size: 2 })

// Faults.
const fault = (query) => search(`fault ${JSON.stringify(query)}`, query)
for (const body of [
  {}, { type: 'team' }, { query: all }, 'team', { type: 'team', query: all, score_mode: 'total' }, { type: 'team', query: all, score_mode: 'SUM' },
  { type: 'team', query: all, foo: 1 }, { type: 'team', query: all, foo: {} }, { child_type: 'team', query: all }, { type: 'team', query: all, min_children: -1 },
  { type: 'team', query: all, max_children: -1 }, { type: 'team', query: all, min_children: 3, max_children: 2 }, { type: 'team', query: all, ignore_unmapped: 'x' },
  { type: 'team', query: { bogus: {} } }, { type: 'company', query: all }, { type: 'nothing', query: all }, { type: null, query: all }, { type: 5, query: all },
  { type: 'nothing', query: all, ignore_unmapped: true }, { type: 'team', query: all, min_children: '2' }, { type: 'team', query: all, boost: -1 },
]) fault({ has_child: body })
for (const body of [
  {}, { parent_type: 'team' }, { query: all }, { type: 'team', query: all }, { parent_type: 'team', query: all, score_mode: 'score' }, { parent_type: 'team', query: all, score: 'yes' },
  { parent_type: 'team', query: all, foo: 1 }, { parent_type: 'note', query: all }, { parent_type: 'nothing', query: all }, { parent_type: 'nothing', query: all, ignore_unmapped: true }, [],
]) fault({ has_parent: body })
for (const body of [{}, { type: 'team' }, { id: 'c1' }, { type: 'team', id: 5 }, { type: 'team', id: 'c1', foo: 1 }, { type: 'team', id: 'c1', foo: {} }, 'c1']) fault({ parent_id: body })

// Documents.
for (const value of [
  '"company"', '{"name":"company"}', '{"name":"team","parent":"c1"}', '{"name":"team"}', '{"name":"nope"}', '"nope"', '"team"', '5', 'true', 'null', '["company","team"]', '["company"]', '[]', '{}',
  '{"parent":"c1"}', '{"name":"company","parent":"7"}', '{"name":"company","foo":"7"}', '{"name":"company","foo":7}', '{"name":5}', '{"name":"company","parent":7.5}', '{"name":"company","parent":{"a":"b"}}',
  '{"name":"company","x":true}', '{"name":"team","parent":true}', '{"name":null}', '{"name":"team","parent":null}', '["company","company"]', '{"name":["company"]}', '""', '[["company"]]', '{"name":"team","parent":""}',
  '{"name":"team","parent":1e3}', '{"name":"team","parent":12345678901234567890}', '{"name":"team","parent":1.10}', '{"name":"team","parent":1}',
]) {
  for (const routing of ['', '?routing=r']) cases.push({ name: `document ${value} ${routing}`, method: 'PUT', path: `/_doc/temporary${routing}`, body: `{"j":${value}}` })
  if (/parent":[\d]/.test(value)) cases.push({ name: `ids after ${value}`, method: 'POST', path: '/_search', refresh: true, body: { query: { ids: { values: ['temporary'] } }, docvalue_fields: ['j', 'j#company'], _source: false } })
}
for (const source of ['{"j.name":"company"}', '{"j#company":"x"}', '{"_parent_join":"x"}', '{"j":{"name":"company"},"new":1}']) cases.push({ name: `document ${source}`, method: 'PUT', path: '/_doc/temporary', body: source })
cases.push({ name: 'document removed', method: 'DELETE', path: '/_doc/temporary' })

// Mappings: of an index of their own.
const map = (properties) => cases.push({ name: `mapping ${JSON.stringify(properties)}`, mapping: properties })
const J = (relations, more = {}) => ({ type: 'join', relations, ...more })
for (const j of [
  { type: 'join' }, J({}), J({ a: 'b', c: 'b' }), J({ a: ['b', 'b'] }), J({ a: [] }), J({ a: 'a' }), J({ a: null }), J({ a: 5 }), J({ a: ['x', 'c', 'b', 'zz', 'answer', 'comment'] }), J(['a']), J('a'),
  J({ a: 'b' }, { eager_global_ordinals: 'x' }), J({ a: 'b' }, { eager_global_ordinals: false }), J({ a: 'b' }, { index: false }), J({ a: 'b' }, { fields: { k: { type: 'keyword' } } }), J({ a: 'b' }, { copy_to: 'k' }),
]) map({ j })
map({ o: { properties: { j: J({ a: 'b' }) } } })
map({ o: { type: 'nested', properties: { j: J({ a: 'b' }) } } })
map({ o: { type: 'keyword', fields: { j: J({ a: 'b' }) } } })
map({ j: J({ a: 'b' }), j2: J({ a: 'b' }) })
map({ j: J({ a: 'b' }), 'j#a': { type: 'keyword' } })
map({ j: J({ a: 'b' }), _parent_join: { type: 'keyword' } })
map({ al: { type: 'alias', path: 'j#a' }, j: J({ a: 'b' }) })
for (const properties of [
  { j: J({ a: ['b', 'c'], b: 'd' }) }, { j: J({ a: ['b', 'c'], b: 'd', c: 'e' }) }, { j: J({ a: ['b', 'c', 'g'], b: 'd' }) }, { j: J({ a: ['b', 'c'], b: 'd', z: 'y' }) }, { j: J({ a: ['b'], b: 'd' }) }, { j: J({ a: ['b', 'c'] }) }, { j: J({ a: ['b'] }) },
  { j: J({ a: ['b', 'c'], b: ['d', 'f'], z: 'a' }) }, { j: J({ a: ['b', 'c'], b: 'd', z: ['y', 'x'] }, { eager_global_ordinals: false }) }, { j: { type: 'join' } }, { j: { type: 'keyword' } }, { j2: J({ q: 'r' }) }, { x: { properties: { z: J({ q: 'r' }) } } }, { 'j#a': { type: 'keyword' } },
]) cases.push({ name: `update ${JSON.stringify(properties)}`, mapping: { j: J({ a: ['b', 'c'], b: 'd' }) }, update: properties })
