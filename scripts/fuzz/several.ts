import { json } from './exact-json.ts'
import { type Context, type Json, type Made, make, maybe, named, oneOf, orWrong, type Rule, some } from './grammar.ts'
import { query } from './queries.ts'
import { type Call, read, search } from './searches.ts'

/** What beside the index of {@link Context} is asked: others with other mappings of the same names, an empty one, a closed one, aliases. */
export const neighbours = (index: string) => ({
  other: `${index}_b`,
  empty: `${index}_c`,
  closed: `${index}_d`,
  all: `${index}_al`,
  filtered: `${index}_f`,
  routed: `${index}_r`,
})

/** The actions that make the aliases. */
export function aliasActions(c: Context): Json {
  const { index } = c
  const n = neighbours(index)
  return {
    actions: [
      { add: { index, alias: n.all } },
      { add: { index: n.other, alias: n.all } },
      { add: { index, alias: n.filtered, filter: make(c, query) } },
      { add: { index: n.other, alias: n.filtered } },
      { add: { index: n.other, alias: n.routed, search_routing: '1,2', index_routing: '1' } },
    ],
  }
}

/** Names of indices in a path. */
const names: Made = (c) => {
  const { index } = c
  const n = neighbours(index)
  const plain = oneOf(index, n.other, n.empty, n.all, n.filtered, n.routed, `${index}*`, `${index}_*`)
  const odd = orWrong(
    oneOf(plain, `-${n.other}`, `-${n.all}`, `-${index}_*`, `${index}_no*`, `${index}*`),
    n.closed,
    `${index}_no`,
    `-${index}_no`,
    `<${index}_{now/d}>`,
    '',
    `${index}_B`,
    '_no',
  )
  return oneOf(plain, plain, [plain, plain], [plain, odd], [odd, plain, odd], [`${index}*`, `-${n.other}`])
}
const listed: Made = (c) => {
  const made = make(c, names)
  return typeof made === 'string' ? made : made.join(',')
}

const HOW: Rule = {
  'ignore_unavailable?': oneOf('true', 'false'),
  'allow_no_indices?': oneOf('true', 'false'),
  'expand_wildcards?': orWrong(oneOf('open', 'closed', 'all', 'none', 'open,closed'), 'hidden', 'no', ''),
}
const SEARCHING: Rule = {
  'ignore_unavailable?': HOW['ignore_unavailable?'],
  'allow_no_indices?': HOW['allow_no_indices?'],
  'expand_wildcards?': HOW['expand_wildcards?'],
  routing: maybe(0.1, oneOf('1', '2', '1,3')),
  preference: maybe(0.1, oneOf('_local', 'x', '_shards:0', '_only_local')),
}

const isFound = (path: string): boolean => !/\/_(?:doc|explain|termvectors|mget|msearch|mtermvectors)/.test(path)

/** One line of a header in `_msearch`. */
const header: Rule = orWrong(
  {
    index: maybe(0.95, oneOf(names, listed)),
    'ignore_unavailable?': oneOf(true, 'true', false),
    'allow_no_indices?': oneOf(true, false),
    'expand_wildcards?': oneOf('open', ['open', 'closed'], 'none', 'all'),
    'preference?': '_local',
    routing: maybe(0.1, oneOf('1', 1)),
    search_type: maybe(0.2, oneOf('dfs_query_then_fetch', 'query_then_fetch')),
    request_cache: maybe(0.1, oneOf(true, 'false')),
    allow_partial_search_results: maybe(0.1, oneOf(true, false)),
    ccs_minimize_roundtrips: maybe(0.05, true),
    type: maybe(0.03, '_doc'),
  },
  { index: 1 },
  { indices: ['a'] },
  { foo: 1 },
  { index: null },
  { index: [1, null] },
  { search_type: 'x' },
  { ignore_unavailable: 'x' },
  [],
  '',
  '{',
  3,
)
const BROKEN: readonly Rule[] = [
  '',
  '{',
  '[]',
  '{"query":}',
  '{"size":-1}',
  '{"foo":1}',
  'null',
  '{"query":{}}',
  '{} {}',
]

const line = (made: Json): string => (typeof made === 'string' ? made : json(made))

const msearch: Made = (c) => {
  const parts = make(
    c,
    some(1, 4, () => [header, orWrong(search, ...BROKEN)]),
  ) as Json[]
  const query = new URLSearchParams(
    make(c, {
      'rest_total_hits_as_int?': 'true',
      'typed_keys?': 'true',
      max_concurrent_searches: maybe(0.1, oneOf('1', '5', '0')),
      search_type: maybe(0.1, 'dfs_query_then_fetch'),
      filter_path: maybe(0.1, 'responses.hits.total,responses.error.type'),
    }),
  )
  return {
    method: 'POST',
    path: `${c.random.chance(0.5) ? `/${make(c, listed)}` : ''}/_msearch?${query}`,
    body: `${parts.flat().map(line).join('\n')}${c.random.chance(c.wrong) ? '' : '\n'}`,
  }
}

const id: Made = orWrong(oneOf('0', '3', '7', '99'), '', null, 1, ['1'])
const item = (c: Context): Rule => ({
  _index: maybe(0.8, orWrong(oneOf(c.index, neighbours(c.index).other, neighbours(c.index).all), names, null)),
  ...(c.typeless ? {} : { '_type?': oneOf('_doc', '_doc', '_no') }),
  _id: id,
  'routing?': oneOf('1', 1),
  '_source?': oneOf(false, 'f*', ['t0'], { includes: ['f1'], excludes: ['f2'] }),
  'stored_fields?': oneOf('t0', ['k0', 'f1'], '_none_'),
  version: maybe(0.05, oneOf(1, '1')),
  version_type: maybe(0.05, oneOf('external', 'internal', 'x')),
  foo: maybe(c.wrong, 1),
})
const mget: Made = (c) => {
  const n = neighbours(c.index)
  const where = c.random.pick(['', '', `/${c.index}`, `/${n.other}`, `/${n.all}`, `/${c.index}*`, `/${n.filtered}`])
  const body: Rule = orWrong(
    oneOf({ docs: some(1, 4, item(c)) }, where === '' ? { docs: some(1, 2, item(c)) } : { ids: some(1, 3, id) }),
    { docs: [] },
    { ids: [] },
    {},
    { docs: [1] },
    { docs: {} },
    { foo: [] },
    { docs: ['1'] },
  )
  const made = new URLSearchParams(
    make(c, {
      realtime: maybe(0.1, oneOf('true', 'false')),
      refresh: maybe(0.1, 'true'),
      _source: maybe(0.1, oneOf('false', 'f1,t0')),
      stored_fields: maybe(0.1, 't0'),
      routing: maybe(0.1, '1'),
      preference: maybe(0.1, '_local'),
    }),
  )
  return { method: 'POST', path: `${where}/_mget?${made}`, body }
}
const vectors: Made = (c) => ({
  method: 'POST',
  path: `${c.random.pick(['', `/${c.index}`, `/${neighbours(c.index).all}`])}/_mtermvectors`,
  body: {
    docs: some(1, 3, {
      _index: maybe(0.8, orWrong(oneOf(c.index, neighbours(c.index).other), names)),
      ...(c.typeless ? {} : { _type: maybe(0.9, '_doc') }),
      _id: id,
      'fields?': some(1, 2, oneOf('t0', 'k0', 'f1')),
      'term_statistics?': true,
      'field_statistics?': false,
      'offsets?': false,
    }),
  },
})

const CALLS: Readonly<Record<string, readonly [number, Made]>> = {
  several: [10, (c) => ({ read: make(c, listed) })],
  msearch: [3, msearch],
  mget: [1.5, mget],
  mtermvectors: [0.5, vectors],
  field_caps: [
    1,
    (c) => ({
      method: 'GET',
      path: `/${make(c, listed)}/_field_caps?${new URLSearchParams(make(c, { fields: oneOf('*', 'f*', 't0,k0', 'f1,f2,nope', '_id'), ...HOW, 'include_unmapped?': c.typeless ? 'true' : undefined }))}`,
    }),
  ],
  scroll: [
    0.5,
    (c) => ({
      method: 'POST',
      path: `/${make(c, listed)}/_search?scroll=1m&filter_path=hits,_shards,error,status`,
      body: {
        slice: orWrong(
          { id: oneOf(0, 1, 2), max: 3, 'field?': oneOf('_id', 'k0', 'f1', '_uid') },
          { id: 3, max: 3 },
          { id: 0, max: 1 },
          { id: -1, max: 2 },
          { max: 2 },
          { id: 0, max: 1025 },
        ),
        size: oneOf(5, 100),
        'sort?': ['_doc'],
        '_source?': false,
      },
    }),
  ],
  indices_options: [
    1,
    (c) => ({
      method: 'GET',
      path: `/${make(c, listed)}/${c.random.pick(['_count', '_mapping', '_settings', '_alias', '_stats/docs', '_refresh', '_validate/query'])}?${new URLSearchParams(make(c, HOW))}`,
    }),
  ],
}

/** A call to several indices. */
export function severalCall(c: Context): Call {
  const [kind, made] = Object.entries(make(c, named(CALLS)))[0] as [string, Json]
  if (kind !== 'several') return { kind, ...made }
  const call = read({ ...c, index: made.read })
  if (!isFound(call.path)) return { ...call, kind: `several ${call.kind}` }
  const how = new URLSearchParams(make(c, SEARCHING)).toString()
  const path = how === '' ? call.path : `${call.path}${call.path.includes('?') ? '&' : '?'}${how}`
  return { ...call, kind: `several ${call.kind}`, path }
}
