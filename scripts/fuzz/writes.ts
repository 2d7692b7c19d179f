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
const document: Made = orWrong(
  oneOf(
    { n: whole(0, 3), k: oneOf('a', 'b') },
    { n: 1, o: { x: 1 } },
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
const SCRIPTS = [
  'ctx._source.n = 7',
  "ctx.op = 'delete'",
  "ctx.op = 'noop'",
  'ctx._source.n++',
  "ctx._source.remove('n')",
]
const script: Made = orWrong(
  oneOf(...SCRIPTS, { source: 'ctx._source.n = params.x', params: { x: 1 } }),
  'bad(',
  { id: 'none' },
  5,
  {},
)
const merged: Rule = {
  doc: document,
  'doc_as_upsert?': true,
  'detect_noop?': false,
  'upsert?': document,
  '_source?': oneOf(true, 'n', ['k']),
}
// OpenSearch has its scripts in a module that is not published.
const change: Made = (c) =>
  c.typeless
    ? merged
    : oneOf(merged, { script, 'upsert?': document, 'scripted_upsert?': true, foo: orWrong(undefined, 1) })
const META = {
  _index: index,
  _type: (c: Context) => (c.typeless ? undefined : '_doc'),
  _id: id,
  'routing?': 'r1',
  version: maybe(0.1, oneOf(1, 5)),
  'version_type?': oneOf('external', 'internal'),
}
const bulkLine: Made = (c) => {
  const act = make(c, orWrong(oneOf('index', 'create', 'update', 'delete', 'index'), 'foo', 'INDEX'))
  const body = act === 'update' ? [change] : act === 'delete' ? [] : [document]
  return [{ [act]: META }, ...body]
}

const DOCUMENTS: Readonly<Record<string, readonly [number, Made]>> = {
  index: [
    3,
    (c) => ({
      method: 'PUT',
      path: `/${index_(c)}/_doc/${make(c, id)}${parameters(c, { ...WRITE, ...VERSION, op_type: maybe(0.1, 'create') })}`,
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
      path: c.typeless
        ? `/${index_(c)}/_update/${make(c, id)}${parameters(c, WRITE)}`
        : `/${index_(c)}/_doc/${make(c, id)}/_update${parameters(c, WRITE)}`,
      body: change,
    }),
  ],
  get: [
    1,
    (c) => ({
      method: 'GET',
      path: `/${index_(c)}/_doc/${make(c, id)}${parameters(c, { 'routing?': 'r1', 'realtime?': 'false', '_source?': 'n' })}`,
    }),
  ],
  bulk: [
    3,
    (c) => ({
      method: 'POST',
      path: `/_bulk${parameters(c, WRITE)}`,
      body: `${make(c, some(1, 5, bulkLine))
        .flat()
        .map((line: Json) => JSON.stringify(line))
        .join('\n')}\n`,
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
      body: together({ 'query?': found, script: maybe(c.typeless ? 0 : 0.7, script) }, odd),
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
        script: maybe(c.typeless ? 0 : 0.3, script),
        'size?': orWrong(oneOf(1, 3), 0, 'x'),
        'conflicts?': 'proceed',
      },
    }),
  ],
}
/** A call that writes whatever a query finds. */
export const byQueryCall = call(BY_QUERY)
