import { json } from './exact-json.ts'
import {
  type Context,
  type Json,
  type Made,
  make,
  maybe,
  named,
  oneOf,
  orWrong,
  type Rule,
  some,
  together,
  whole,
} from './grammar.ts'
import type { Call } from './searches.ts'

/** The index that is written to: {@link INDEX}`_al` and `_r` are names of it. */
export const written = ({ index, typeless }: Context): Json => ({
  mappings: typeless ? WRITTEN : { _doc: WRITTEN },
  settings: { number_of_shards: 1, number_of_replicas: 0 },
  aliases: { [`${index}_al`]: { filter: { term: { k: 'a' } } }, [`${index}_r`]: { routing: 'r1' } },
})

const WRITTEN = { properties: { n: { type: 'long' }, k: { type: 'keyword' }, d: { type: 'date' } } }

const id: Made = orWrong(oneOf('1', '2', '3', 'a'), 'x'.repeat(513), '_id', '%20')
const index: Made = (c) =>
  orWrong(oneOf(c.index, c.index, `${c.index}_al`, `${c.index}_r`), `${c.index}*`, 'FZ', `${c.index}_new`)
const EXPLAINED: Made = orWrong(
  oneOf({ match_all: {} }, { term: { k: 'a' } }, { range: { n: { gte: 1 } } }),
  { foo: {} },
  5,
  {},
)
const document: Made = orWrong(
  oneOf(
    { n: whole(0, 3), k: oneOf('a', 'b') },
    { n: 1, o: { x: 1 } },
    (c) =>
      c.typeless ? { n: whole(0, 3), k: 'a', tags: some(0, 3, oneOf('new', 'old', 'x')), 'list?': [3, 1] } : { n: 1 },
    { d: '2020-01-01' },
    { n: null },
    {},
    { n: 5.7 },
  ),
  ...[{ n: 'abc' }, { k: { a: 1 } }, [], { '': 1 }, { 'a..b': 1 }, { _id: 'x' }, { d: true }, { '.': 1 }, 'x'],
)
/** `?a=b&…` of those that were made up. */
export const parameters = (c: Context, rule: Rule): string => {
  const made = new URLSearchParams(make(c, rule)).toString()
  return made === '' ? '' : `?${made}`
}
const WRITE = {
  refresh: maybe(0.15, orWrong(oneOf('true', 'false', 'wait_for'), 'x')),
  routing: maybe(0.1, oneOf('r1', 'zz')),
}
const VERSION = {
  version: maybe(0.15, orWrong(oneOf('1', '2', '5'), '-1', 'x')),
  version_type: maybe(0.1, orWrong(oneOf('external', 'external_gte', 'internal'), 'x')),
  if_seq_no: maybe(0.06, oneOf('0', '3')),
  if_primary_term: maybe(0.06, oneOf('1', '2')),
}
const UPDATE = {
  ...WRITE,
  if_seq_no: VERSION.if_seq_no,
  if_primary_term: VERSION.if_primary_term,
  version: maybe(0.03, oneOf('1', '2')),
  version_type: maybe(0.02, oneOf('external', 'internal')),
  retry_on_conflict: maybe(0.05, orWrong('2', 'x', '-1')),
  require_alias: maybe(0.05, 'true'),
  _source: maybe(0.1, oneOf('true', 'n', 'false')),
  _source_excludes: maybe(0.05, 'n'),
  lang: orWrong(undefined, 'painless'),
  foo: orWrong(undefined, '1'),
}
const PARAMS: Rule = {
  x: oneOf(1, 2.5, 'a', null),
  t: oneOf('new', 'old'),
  doc: { n: 9, tags: ['new'] },
  list: oneOf([1, 2], [], ['b', 'a']),
}
/** What updates do where people write them. */
const USUAL = [
  'ctx._source.n += params.x',
  'if (ctx._source.tags == null) { ctx._source.tags = [params.t] } else if (!ctx._source.tags.contains(params.t)) { ctx._source.tags.add(params.t) }',
  'ctx._source.tags.removeIf(t -> t == params.t)',
  'if (ctx._source.tags.contains(params.t)) { ctx._source.tags.remove(ctx._source.tags.indexOf(params.t)) }',
  "if (ctx._source.n == params.x) { ctx.op = 'delete' } else { ctx.op = 'none' }",
  "ctx.op = ctx._source.containsKey('tags') ? 'index' : 'noop'",
  'ctx._source.putAll(params.doc)',
  'ctx._source = params.doc',
  'for (e in params.list) { ctx._source.list.add(e) }',
  'ctx._source.list = params.list; ctx._source.list.sort((a, b) -> a.compareTo(b))',
  'ctx._source.o.x = 5; ctx._source.o.y = [1, params.x]',
  "ctx._source.o?.remove('x')",
  "ctx._source.keySet().removeIf(k -> k.startsWith('o'))",
  'ctx._source.k = ctx._source.k.toUpperCase()',
  "ctx._source.k = params.t + '-' + ctx._source.n",
  "if (ctx.op == 'create') { ctx._source.n = 1 } else { ctx._source.n += 1 }",
  'ctx._source.v = ctx._version; ctx._source.id = ctx._id; ctx._source.i = ctx._index',
  "def m = new HashMap(); m.put('a', params.x); ctx._source.m = m",
  "Map m = ['a': 1, 'b': params.list.size()]; ctx._source.m = m; ctx._source.n = m.values().stream().mapToInt(v -> v).sum()",
  'int total = 0; for (def v : params.list) { total += v } ctx._source.total = total',
  "ctx._source.d = ZonedDateTime.parse('2020-01-02T03:04:05Z').toInstant().toEpochMilli()",
  "ctx._source.d = '2020-01-0' + (params.list.length + 1)",
  'ctx._source.n = ctx._source.n == null ? 0 : Math.max(ctx._source.n, 3)',
  'ctx._source.list = ctx._source.tags.stream().distinct().sorted().collect(Collectors.toList())',
  "ctx._source.s = String.join(',', ctx._source.tags)",
  'ctx._source.p = params.t =~ /^n/ ? 1 : 0',
  "if (params.x instanceof String) { ctx._source.n = Integer.parseInt('7') }",
  "ctx._source['o'] = ['x': ctx._source.remove('n')]",
  "ctx._routing = 'r1'",
  'ctx._source.n = (int) ctx._source.n / 2',
  'ctx._source.n++; ctx._source.n *= 2; --ctx._source.n',
  "throw new IllegalArgumentException('no ' + params.t)",
]
const SCRIPTS = [
  'ctx._source.n = 7',
  "ctx.op = 'delete'",
  "ctx.op = 'noop'",
  'ctx._source.n++',
  "ctx._source.remove('n')",
]
const script: Made = orWrong(
  (c) =>
    c.typeless && c.random.chance(0.6)
      ? { source: oneOf(...USUAL), 'lang?': 'painless', params: PARAMS }
      : oneOf(...SCRIPTS, { source: 'ctx._source.n = params.x', params: { x: 1 } }),
  'bad(',
  { id: 'none' },
  5,
  {},
)
const merged: Rule = {
  doc: orWrong(document, undefined, null, 5),
  'doc_as_upsert?': orWrong(true, 'x'),
  'detect_noop?': orWrong(false, 'x'),
  'upsert?': document,
  '_source?': oneOf(true, 'n', ['k'], { includes: ['n'], 'excludes?': ['k'] }),
  if_seq_no: maybe(0.03, 0),
  foo: orWrong(undefined, 1),
}
const change: Made = (c) =>
  c.bare ? merged : oneOf(merged, { script, 'upsert?': document, 'scripted_upsert?': true, foo: orWrong(undefined, 1) })
const META = {
  _index: index,
  // Several types in an index, and none named, are taken under 6.8 though the real server refuses them.
  _type: (c: Context) => (c.typeless ? orWrong(undefined, '_doc') : '_doc'),
  _id: orWrong(id, 5, null, '', undefined, [1]),
  'routing?': orWrong('r1', 5, null, '', {}),
  version: maybe(0.1, orWrong(oneOf(1, 5), -1, 'x', '3', 1.5)),
  'version_type?': orWrong(oneOf('external', 'internal', 'external_gte'), 'x'),
  if_seq_no: maybe(0.05, orWrong(oneOf(0, 3), -1, 'x')),
  if_primary_term: maybe(0.05, orWrong(oneOf(1, 2), 0)),
  retry_on_conflict: maybe(0.03, orWrong(2, -1, 'x')),
  op_type: maybe(0.02, orWrong('create', 'x')),
  require_alias: maybe(0.03, orWrong(true, 'x')),
  _source: maybe(0.02, oneOf(true, ['n'])),
  foo: orWrong(undefined, 1),
}
const bulkLine: Made = (c) => {
  const act = make(c, orWrong(oneOf('index', 'create', 'update', 'delete', 'index'), 'foo', 'INDEX', ''))
  const body = act === 'update' ? [change] : act === 'delete' ? [] : [document]
  const line = make(c, [{ [act]: orWrong(META, null, 5, []) }, ...body])
    .map((part: Json) => JSON.stringify(part))
    .join('\n')
  return orWrong(
    line,
    '{}',
    '5',
    '',
    `${line} x`,
    '[]',
    '{"index":{},"delete":{}}\n{}',
    '{"index":{"_id":"1"}',
    'nojson',
    '{"index"',
    '{"index":{"a":{}}}\n{}',
    '{"delete":{"_id":"1"}}\n{}',
  )
}

const READ = {
  ...VERSION,
  if_seq_no: undefined,
  if_primary_term: undefined,
  routing: maybe(0.1, oneOf('r1', 'zz')),
  realtime: maybe(0.2, orWrong(oneOf('true', 'false'), 'x')),
  refresh: maybe(0.1, orWrong(oneOf('true', 'false'), 'x')),
  preference: maybe(0.03, orWrong('_local', '_x')),
  foo: orWrong(undefined, '1'),
}
const GOT = {
  _index: orWrong(index, undefined),
  _type: (c: Context) => (c.typeless ? undefined : orWrong('_doc', 'x', undefined)),
  _id: orWrong(id, undefined, 5, ''),
  'routing?': 'r1',
  'version?': orWrong(oneOf(1, 2), 'x', -1),
  '_source?': orWrong(oneOf(true, false, 'n', ['k'], { include: 'n' }), 5),
  stored_fields: maybe(0.1, oneOf('n', ['k'])),
  version_type: maybe(0.1, orWrong(oneOf('external', 'internal'), 'x')),
  foo: orWrong(undefined, 1),
}

const DOCUMENTS: Readonly<Record<string, readonly [number, Made]>> = {
  index: [
    3,
    (c) => ({
      method: 'PUT',
      path: `/${index_(c)}/_doc/${make(c, id)}${parameters(c, { ...WRITE, ...VERSION, op_type: maybe(0.1, orWrong(oneOf('create', 'index'), 'x')), require_alias: maybe(0.05, orWrong(oneOf('true', 'false'), 'x')), pipeline: maybe(0.03, oneOf('_none', 'nix')), timeout: maybe(0.03, orWrong('5s', '5')), wait_for_active_shards: maybe(0.03, orWrong(oneOf('1', 'all'), 'x')), foo: orWrong(undefined, '1') })}`,
      body: document,
    }),
  ],
  delete: [
    1.5,
    (c) => ({ method: 'DELETE', path: `/${index_(c)}/_doc/${make(c, id)}${parameters(c, { ...WRITE, ...VERSION })}` }),
  ],
  update: [
    2.5,
    (c) => ({
      method: 'POST',
      path: `/${index_(c)}/${c.typeless ? `_update/${make(c, id)}` : `_doc/${make(c, id)}/_update`}${parameters(c, UPDATE)}`,
      body: change,
    }),
  ],
  get: [
    1,
    (c) => ({
      method: 'GET',
      path: `/${index_(c)}/_doc/${make(c, id)}${parameters(c, { ...READ, _source: maybe(0.2, oneOf('n', 'false', 'k,o.x')), _source_includes: maybe(0.1, 'n'), stored_fields: maybe(0.15, oneOf('n', 'k,_routing', '_source', 'o')) })}`,
    }),
  ],
  bulk: [
    3,
    (c) => ({
      method: 'POST',
      path: `/_bulk${parameters(c, WRITE)}`,
      body: make(c, some(1, 5, bulkLine)).join('\n') + make(c, orWrong('\n', '', '\r\n', ' \n')),
    }),
  ],
  source: [
    0.7,
    (c) => ({
      method: oneOf('GET', 'GET', 'HEAD'),
      path: `/${index_(c)}/${c.typeless ? '_source' : '_doc'}/${make(c, id)}${c.typeless ? '' : '/_source'}${parameters(c, { ...READ, _source: maybe(0.2, orWrong(oneOf('n', 'o.*', 'false'), 'true')), '_source_includes?': 'n,o.x' })}`,
    }),
  ],
  exists: [0.5, (c) => ({ method: 'HEAD', path: `/${index_(c)}/_doc/${make(c, id)}${parameters(c, READ)}` })],
  explained: [
    0.7,
    (c) => ({
      method: 'POST',
      path: `/${index_(c)}/${c.typeless ? '_explain' : '_doc'}/${make(c, id)}${c.typeless ? '' : '/_explain'}${parameters(c, { routing: READ.routing, '_source?': 'n', stored_fields: maybe(0.1, 'n'), q: maybe(0.1, orWrong('k:a', 'k:[')) })}`,
      body: orWrong({ query: EXPLAINED }, undefined, {}, { foo: 1 }, { query: EXPLAINED, size: 1 }),
    }),
  ],
  mget: [
    1,
    (c) => ({
      method: 'POST',
      path: `${c.random.pick(['', `/${index_(c)}`, c.typeless ? '' : `/${index_(c)}/_doc`])}/_mget${parameters(c, { realtime: READ.realtime, refresh: READ.refresh, routing: READ.routing, '_source?': 'n', _source_excludes: maybe(0.1, 'n'), stored_fields: maybe(0.1, 'n') })}`,
      body: orWrong(
        oneOf({ docs: some(1, 3, GOT) }, { ids: some(1, 3, id) }),
        { docs: [5] },
        { docs: {} },
        { ids: [], docs: [] },
        { ids: [5, null] },
        { foo: 1 },
        undefined,
      ),
    }),
  ],
  termvectors: [
    0.7,
    (c) => ({
      method: 'POST',
      path: `/${index_(c)}/${c.typeless ? '_termvectors' : '_doc'}/${make(c, id)}${c.typeless ? '' : '/_termvectors'}${parameters(c, { realtime: READ.realtime, routing: READ.routing, fields: maybe(0.3, oneOf('k', 'o*,t', 'n')), 'positions?': 'false', 'term_statistics?': 'true', version: VERSION.version, version_type: VERSION.version_type })}`,
      body: orWrong(maybe(0.3, { 'fields?': ['k', 't'], 'offsets?': false }), { doc: { k: 'a' } }, { foo: 1 }),
    }),
  ],
}
const index_ = (c: Context): string => make(c, index)
const call =
  (table: typeof DOCUMENTS) =>
  (c: Context): Call => {
    const [kind, made] = Object.entries(make(c, named(table)))[0] as [string, Json]
    return { kind, ...made }
  }
/** A call that writes or reads one document, or a bulk of them. */
export const documentCall = call(DOCUMENTS)

const found: Made = orWrong(
  oneOf({ match_all: {} }, { term: { k: 'a' } }, { range: { n: { gte: whole(0, 8) } } }, { match_none: {} }),
  { foo: {} },
  5,
  {},
)
const RUN = {
  refresh: maybe(0.6, 'true'),
  conflicts: maybe(0.2, orWrong(oneOf('proceed', 'abort'), 'x')),
  scroll_size: maybe(0.2, orWrong(oneOf('1', '100'), '0', 'x')),
  size: maybe(0.1, orWrong(oneOf('1', '100'), '0', '-2')),
  requests_per_second: maybe(0.05, orWrong('-1', '0', 'x')),
  q: maybe(0.05, orWrong(oneOf('k:a', 'n:>4'), 'n:[')),
  sort: maybe(0.05, orWrong(oneOf('n:desc', '_doc'), 'nix')),
  routing: maybe(0.05, 'r1'),
  _source: maybe(0.02, 'n'),
  version: maybe(0.02, 'true'),
}
const odd: Made = orWrong(
  undefined,
  { foo: 1 },
  { from: 2 },
  { _source: ['n'] },
  { version: true },
  { slice: { id: 0, max: 2 } },
  { max_docs: 3 },
)
const BY_QUERY: typeof DOCUMENTS = {
  update_by_query: [
    1,
    (c) => ({
      method: 'POST',
      path: `/${index_(c)}/_update_by_query${parameters(c, RUN)}`,
      body: together({ 'query?': found, script: maybe(c.bare ? 0 : 0.7, script) }, odd),
    }),
  ],
  delete_by_query: [
    1,
    (c) => ({
      method: 'POST',
      path: `/${index_(c)}/_delete_by_query${parameters(c, RUN)}`,
      body: together({ query: found, 'size?': 2 }, odd),
    }),
  ],
  reindex: [
    1,
    (c) => ({
      method: 'POST',
      path: '/_reindex?refresh=true',
      body: {
        source: {
          index,
          'query?': found,
          '_source?': oneOf(['n'], false),
          'size?': oneOf(1, 100),
          sort: maybe(0.1, { n: 'desc' }),
        },
        dest: {
          index: orWrong(`${c.index}_to`, c.index, ''),
          'op_type?': 'create',
          'version_type?': oneOf('internal', 'external'),
          'routing?': oneOf('discard', '=cat'),
        },
        script: maybe(c.bare ? 0 : 0.3, script),
        'size?': orWrong(oneOf(1, 3), 0, 'x'),
        'conflicts?': 'proceed',
      },
    }),
  ],
}
/** A call that writes whatever a query finds. */
export const byQueryCall = call(BY_QUERY)

/** The lines of a bulk that puts documents, numbered from there on; those of a join share a shard. */
export function putLines(documents: readonly Json[], from = 0): string {
  const line = (d: Json, i: number): string =>
    `${json({ index: { _id: String(from + i), routing: d.jn === undefined ? undefined : '1' } })}\n${json(d)}\n`
  return documents.map(line).join('')
}
