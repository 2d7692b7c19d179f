import { component, components, definitions, settings } from './definitions.ts'
import { json } from './exact-json.ts'
import { type Context, type Json, type Made, make, maybe, named, oneOf, orWrong, type Rule, some } from './grammar.ts'
import type { Call } from './searches.ts'
import { parameters } from './writes.ts'

export const at = (c: Context, rule: Rule): string => encodeURIComponent(make(c, rule)).replaceAll('%2C', ',')

export const index: Made = ({ index: i }) => orWrong(oneOf(`${i}_1`, `${i}_2`, `${i}_log-000001`), `${i}_no`)
const alias: Made = ({ index: i }) => oneOf(`${i}_al`, `${i}_log`, `${i}_b`)
/** What may stand for some indices; never for any of others. */
export const target: Made = ({ index: i }) =>
  orWrong(
    oneOf(index, index, alias, `${i}_*`, `${i}_1,${i}_2`, `${i}_*,-${i}_1`, `${i}_l*`),
    `${i}_no`,
    `${i}_no*`,
    `${i}_1,${i}_no`,
    `-${i}_1`,
    `_${i}`,
    'FZ',
    `<${i}_{now/d}>`,
  )
export const NAMES = {
  ignore_unavailable: maybe(0.15, orWrong(oneOf('true', 'false'), 'x')),
  allow_no_indices: maybe(0.15, orWrong(oneOf('true', 'false'), 'x')),
  expand_wildcards: maybe(0.15, orWrong(oneOf('open', 'closed', 'all', 'none', 'open,closed'), 'x', 'hidden')),
}
const SHOWN = {
  pretty: orWrong(undefined, 'true', 'x'),
  filter_path: orWrong(undefined, '*', '-*.settings', '**.type'),
  human: orWrong(undefined, 'true'),
  format: orWrong(undefined, 'yaml', 'json', 'x'),
  local: orWrong(undefined, 'true', 'x'),
  master_timeout: orWrong(undefined, '5s', 'x'),
  timeout: orWrong(undefined, '5s', '5'),
  flat_setings: orWrong(undefined, 'true'),
  foo: orWrong(undefined, '1'),
}
const typed: Made = (c) => maybe(c.typeless ? 0 : 0.1, orWrong(oneOf('true', 'false'), 'x'))
export const call = (method: Rule, c: Context, path: string, query: Rule = {}, body?: Rule): Rule => {
  const right = make(c, method)
  const [how, said] = [
    make(c, orWrong(right, 'GET', 'PUT', 'POST', 'DELETE', 'HEAD')),
    make(c, body === undefined ? undefined : orWrong(body, 'nojson', '', '{"a":', '[]', '{} {}', '{"a":1,"a":2}')),
  ]
  if (said === undefined || (how !== 'GET' && how !== 'HEAD')) {
    return { method: how, path: path + parameters(c, Object.assign({}, SHOWN, query)), body: said }
  }
  // What takes no body takes none in its place.
  if (right !== 'GET') return { method: how, path: path + parameters(c, Object.assign({}, SHOWN, query)) }
  const source = { source: json(said), source_content_type: 'application/json' }
  return { method: how, path: path + parameters(c, Object.assign({}, SHOWN, query, source)) }
}
export const get = (c: Context, path: string, query: Rule = {}): Rule =>
  call(oneOf('GET', 'GET', 'GET', 'HEAD'), c, path, query)

/** A mapping as the body of a creation holds it. */
export const mappings: Made = (c) =>
  c.typeless ? definitions : orWrong({ _doc: definitions }, definitions, { '': {} })
const found: Made = orWrong(
  oneOf({ term: { k: 'a' } }, { match_all: {} }, { range: { n: { gt: 1 } } }),
  { x: {} },
  {},
  5,
)
const marks = {
  'filter?': found,
  'routing?': orWrong(oneOf('1', 'a,b'), 5, ''),
  'index_routing?': orWrong('1', '1,2'),
  search_routing: maybe(0.15, '1,2'),
  'is_write_index?': orWrong(oneOf(true, false), 'x'),
  foo: orWrong(undefined, 1),
}
export const aliases: Made = (c) =>
  orWrong({ [make(c, alias)]: marks }, [], 'x', { '': {} }, { 'A b': {} }, { [`${c.index}_1`]: {} })
const created: Made = orWrong(
  (c) => ({
    settings: maybe(0.6, (inner: Context) => {
      const made = make(inner, settings(4))
      return inner.random.chance(0.4) ? { ...made, analysis: make(inner, components) } : made
    }),
    mappings: maybe(0.6, mappings),
    aliases: maybe(0.25, aliases),
    foo: orWrong(undefined, 1, {}),
    warmers: orWrong(undefined, {}),
    ...(c.random.chance(c.wrong) ? { settings: 5 } : {}),
  }),
  [],
  { mappings: null },
  { settings: {}, mappings: 5 },
)
const one = orWrong({ index: oneOf(index, target) }, { indices: [index, target] }, {}, { index: '' })
const action: Made = (c) =>
  orWrong(
    oneOf(
      { add: Object.assign({}, make(c, one), { alias, ...marks }) },
      { add: { index: target, aliases: [alias, 'fuzz_c'] } },
      {
        remove: Object.assign({}, make(c, one), {
          alias: orWrong(alias, `${c.index}_*`),
          must_exist: maybe(0.1, true),
        }),
      },
      { remove: { index: target, aliases: [alias] } },
    ),
    { remove_index: { index: `${c.index}_no` } },
    { add: {} },
    { add: { index, alias: '' } },
    { add: { index, alias: oneOf('A', 'a b', `${c.index}_1`, '_x', 'a*') } },
    { x: {} },
    { add: { index, alias }, remove: { index, alias } },
    5,
  )
const conditions = {
  'max_docs?': orWrong(oneOf(1, 100, '1'), 'x', null),
  'max_age?': orWrong(oneOf('7d', '0s'), 'x', 5),
  'max_size?': orWrong(oneOf('1gb', '5mb'), '5', 'x'),
  foo: orWrong(undefined, 1),
}
export const pattern: Made = ({ index: i }) =>
  orWrong(oneOf(`${i}_*`, `${i}_new*`, `${i}_l*`, `${i}_none*`), '', 5, 'A b', '_x')
const templated: Made = orWrong(
  {
    index_patterns: oneOf([pattern], some(1, 2, pattern), pattern),
    'order?': orWrong(oneOf(0, 1, 5, '2'), 'x'),
    'version?': orWrong(3, 'x'),
    'settings?': settings(3),
    'mappings?': mappings,
    'aliases?': (c: Context) => ({ [c.random.pick(['fuzz_t', '{index}-al', 'fuzz_b'])]: marks }),
    foo: orWrong(undefined, 1),
  },
  {},
  { template: 'fuzz_*' },
  { index_patterns: [] },
  { index_patterns: {} },
)
const templates: Made = ({ index: i }) => orWrong(oneOf(`${i}_t1`, `${i}_t2`), `${i}_t*`, `${i}_no`, '_x', 'A', 'a b')
const fields: Made = oneOf('*', 'k', 't', 't.raw', 'o.*', 'n,k', '_*', '*.raw', 'f1', orWrong('k*', 'nix', ''))
const analyzed: Made = (c) => {
  const kind = (name: string, ...built: readonly string[]): Made =>
    orWrong(oneOf(...built, ...(c.random.chance(0.5) ? [component(name)] : [])), 'x', 5, {})
  const filter = c.bare
    ? kind('filter', 'lowercase', 'stop')
    : kind('filter', 'lowercase', 'stop', 'asciifolding', 'f1', 'reverse', 'unique')
  const tokenizer = kind('tokenizer', 'standard', ...(c.bare ? [] : ['whitespace', 'keyword', 'letter', 't1']))
  return {
    ...make(
      c,
      orWrong(
        oneOf(
          { analyzer: orWrong(oneOf('standard', 'simple', 'stop', 'a1', 'keyword'), 'x', 5, {}) },
          { tokenizer, 'filter?': some(0, 2, filter), 'char_filter?': c.bare ? undefined : ['html_strip'] },
          { field: orWrong(oneOf('t', 'k', 'n', 'o.q', 'd'), 'nix') },
          { normalizer: orWrong(oneOf('n1', 'lowercase'), 'x') },
          { filter: [filter] },
          {},
        ),
        { analyzer: 'standard', tokenizer: 'standard' },
        { normalizer: 'n1', field: 'k' },
        { foo: 1 },
        { char_filter: ['x'] },
      ),
    ),
    text: orWrong(oneOf('The <b>QUICK</b> fox-es 2', ['a b', 'C d'], ''), undefined, 5, [], null),
    'explain?': orWrong(true, 'x'),
    'attributes?': ['keyword', 'type'],
  }
}
const CAT: Readonly<Record<string, string>> = {
  indices: 'health status index pri rep docs.count docs.deleted pri.docs.count i h',
  aliases: 'alias index filter routing.index routing.search a i f',
  templates: 'name index_patterns order version',
  count: 'count',
  shards: 'index shard prirep state docs unassigned.reason',
  segments: 'index shard prirep segment generation docs.count committed compound',
}
const cat: Made = (c) => {
  const [name, columns] = c.random.pick(Object.entries(CAT)) as [string, string]
  const some_ = Array.from({ length: c.random.whole(1, 3) }, () => c.random.pick(columns.split(' ')))
  const of = name === 'aliases' ? alias : name === 'templates' ? templates : target
  return get(c, `/_cat/${name}/${at(c, of)}`, {
    h: orWrong(some_.join(','), 'index,nix', '*', ''),
    // Ties are in the order of the day.
    s: orWrong(
      `${c.random.pick([`${some_[0]}:desc,`, ''])}${columns.split(' ').find((x) => /^(?:index|alias|name)$/.test(x)) ?? 'count'}`,
      'nix',
      'index:x',
    ),
    'format?': orWrong(oneOf('json', 'yaml', 'text'), 'x'),
    'v?': oneOf('', 'true', 'false'),
    help: maybe(0.03, ''),
    bytes: maybe(0.05, orWrong('b', 'x')),
    time: maybe(0.03, orWrong('s', 'x')),
    health: name === 'indices' ? maybe(0.1, orWrong(oneOf('green', 'yellow'), 'x')) : undefined,
  })
}
const type = (c: Context): string => (c.typeless ? '' : c.random.pick(['/_doc', '/_doc', '/_doc', '', '/x', '/_d*']))
const said: Made = (c) => ({ query: orWrong(oneOf(found, found, { exists: { field: c.index } }), { a: {}, b: {} }) })

/** Calls that ask about or change indices, with how often each is made. */
const CALLS: Readonly<Record<string, readonly [number, (c: Context) => Rule]>> = {
  create: [
    5,
    (c) =>
      call(
        'PUT',
        c,
        `/${at(c, orWrong(`${c.index}_new`, 'A', '_x', 'a b', `${c.index}#`, `${c.index}_1`))}`,
        { include_type_name: typed, wait_for_active_shards: orWrong(undefined, '0', 'x') },
        created,
      ),
  ],
  put_mapping: [
    4,
    (c) =>
      call(
        'PUT',
        c,
        `/${at(c, target)}/_mapping${c.typeless ? '' : '/_doc'}`,
        { ...NAMES, include_type_name: typed },
        oneOf(definitions, mappings),
      ),
  ],
  get_mapping: [1.5, (c) => get(c, `/${at(c, target)}/_mapping${type(c)}`, { ...NAMES, include_type_name: typed })],
  field_mapping: [
    2,
    (c) =>
      get(c, `/${at(c, target)}/_mapping${type(c)}/field/${at(c, fields)}`, {
        ...NAMES,
        include_type_name: typed,
        include_defaults: maybe(0.3, 'true'),
      }),
  ],
  put_settings: [
    4,
    (c) =>
      call(
        'PUT',
        c,
        `/${at(c, target)}/_settings`,
        { ...NAMES, 'preserve_existing?': 'true', flat_settings: maybe(0.1, 'true') },
        oneOf(settings(2), settings(2), { settings: settings(2) }),
      ),
  ],
  get_settings: [
    2,
    (c) =>
      get(
        c,
        `/${at(c, target)}/_settings${c.random.pick(['', `/${at(c, oneOf('index.number*', 'index.*', '*replicas', 'nix', '_all', 'index.refresh_interval,index.codec'))}`])}`,
        { ...NAMES, 'flat_settings?': 'true' },
      ),
  ],
  get_index: [
    1.5,
    (c) => get(c, `/${at(c, target)}`, { ...NAMES, include_type_name: typed, 'flat_settings?': 'true' }),
  ],
  aliases: [
    3,
    (c) =>
      call(
        'POST',
        c,
        '/_aliases',
        {},
        orWrong({ actions: some(1, 3, action) }, {}, { actions: [] }, { foo: [] }, { actions: {} }),
      ),
  ],
  put_alias: [
    1.5,
    (c) =>
      call(
        oneOf('PUT', 'POST'),
        c,
        `/${at(c, target)}/${c.random.pick(['_alias', '_aliases'])}/${at(c, orWrong(alias, 'A', 'a*', '_x', `${c.index}_1`, ''))}`,
        {},
        oneOf(marks, {}, undefined),
      ),
  ],
  get_alias: [
    2,
    (c) =>
      get(
        c,
        `${c.random.pick([`/${at(c, target)}`, ''])}/_alias/${at(c, oneOf(alias, orWrong(alias, 'nix'), `${c.index}*`, `${c.index}_al,${c.index}_no`, `${c.index}_*,-${c.index}_b`))}`,
        NAMES,
      ),
  ],
  index_aliases: [0.7, (c) => get(c, `/${at(c, target)}/${c.random.pick(['_alias', '_aliases'])}`, NAMES)],
  delete_alias: [
    0.7,
    (c) =>
      call(
        'DELETE',
        c,
        `/${at(c, target)}/_alias/${at(c, oneOf(alias, `${c.index}_*`, `${c.index}_al,${c.index}_no`))}`,
      ),
  ],
  put_template: [
    3,
    (c) =>
      call(
        'PUT',
        c,
        `/_template/${at(c, templates)}`,
        { include_type_name: typed, 'create?': orWrong('true', 'x'), order: maybe(0.05, orWrong('3', 'x')) },
        templated,
      ),
  ],
  get_template: [
    1,
    (c) =>
      get(c, `/_template/${at(c, oneOf(templates, `${c.index}_t*`, `${c.index}_t1,${c.index}_t2`))}`, {
        include_type_name: typed,
        'flat_settings?': 'true',
      }),
  ],
  delete_template: [0.7, (c) => call('DELETE', c, `/_template/${at(c, oneOf(templates, `${c.index}_t*`))}`)],
  rollover: [
    2,
    (c) =>
      call(
        'POST',
        c,
        `/${at(c, orWrong(`${c.index}_log`, `${c.index}_al`, index))}/_rollover${c.random.pick(['', '', `/${c.index}_next`, '/A'])}`,
        { dry_run: maybe(0.5, oneOf('', 'true')), include_type_name: typed },
        oneOf(
          {
            conditions,
            'settings?': settings(1),
            'aliases?': aliases,
            mappings: maybe(0.1, mappings),
            foo: orWrong(undefined, 1),
          },
          { conditions },
          {},
          undefined,
        ),
      ),
  ],
  open_close: [1.5, (c) => call('POST', c, `/${at(c, target)}/${c.random.pick(['_open', '_open', '_close'])}`, NAMES)],
  delete_index: [
    0.5,
    (c) =>
      call('DELETE', c, `/${at(c, orWrong(oneOf(`${c.index}_2`, alias), `${c.index}_no`, `${c.index}_n*`))}`, NAMES),
  ],
  resize: [
    0.7,
    (c) =>
      call(
        oneOf('PUT', 'POST'),
        c,
        `/${at(c, index)}/${c.random.pick(['_shrink', '_split'])}/${c.index}_sized`,
        {},
        oneOf(
          undefined,
          { settings: { 'index.number_of_shards': oneOf(1, 2, 3) } },
          { 'aliases?': aliases, foo: orWrong(undefined, 1), 'settings?': settings(1) },
        ),
      ),
  ],
  analyze: [
    4,
    (c) =>
      call(
        oneOf('GET', 'POST'),
        c,
        `${c.random.pick(['', `/${at(c, index)}`, `/${at(c, index)}`])}/_analyze`,
        {},
        analyzed,
      ),
  ],
  field_caps: [
    2,
    (c) =>
      call(
        oneOf('GET', 'POST'),
        c,
        `/${at(c, target)}/_field_caps`,
        { ...NAMES, fields: oneOf(fields, fields, orWrong('*', undefined)) },
        oneOf(undefined, undefined, {}, { fields: ['k'] }),
      ),
  ],
  count: [
    1,
    (c) =>
      call(
        oneOf('GET', 'POST'),
        c,
        `/${at(c, target)}/_count`,
        {
          ...NAMES,
          'q?': orWrong('k:a', 'k:['),
          terminate_after: maybe(0.1, orWrong('1', '-1', 'x')),
          min_score: maybe(0.1, orWrong('1', 'x')),
        },
        oneOf(undefined, said, {}),
      ),
  ],
  validate: [
    1,
    (c) =>
      call(
        oneOf('GET', 'POST'),
        c,
        `/${at(c, target)}/_validate/query`,
        { ...NAMES, 'explain?': 'true', 'rewrite?': 'true', 'q?': 'k:a', 'all_shards?': 'true' },
        oneOf(undefined, said),
      ),
  ],
  // The real server reads a body for ever that is no object.
  termvectors: [
    1,
    (c) => ({
      method: 'POST',
      path: `/${at(c, target)}${c.typeless ? '/_termvectors/1' : '/_doc/1/_termvectors'}${parameters(c, {
        ...SHOWN,
        'fields?': 'k,t',
        routing: maybe(0.05, 'a'),
        'realtime?': 'false',
      })}`,
      body: oneOf(undefined, { 'fields?': ['t'], 'term_statistics?': true, foo: orWrong(undefined, 1) }),
    }),
  ],
  mget: [
    1,
    (c) =>
      call(
        oneOf('GET', 'POST'),
        c,
        c.random.pick(['/_mget', `/${at(c, target)}/_mget`]),
        { '_source?': orWrong('k', 'false'), 'stored_fields?': 'k' },
        orWrong(
          oneOf(
            {
              docs: some(1, 2, {
                _index: target,
                _id: oneOf('1', '9'),
                _type: c.typeless ? undefined : oneOf('_doc', 'x', undefined),
              }),
            },
            { ids: ['1', '9'] },
          ),
          { docs: [{}] },
          {},
          { docs: [] },
          { ids: 5 },
        ),
      ),
  ],
  cat: [5, cat],
  health: [
    1,
    (c) =>
      get(c, `/_cluster/health/${at(c, target)}`, {
        level: oneOf('indices', 'shards', 'cluster'),
        filter_path: '-number*,-task*,-active_shards_percent*,-delayed*,-unassigned*',
        'wait_for_status?': orWrong(oneOf('yellow', 'green', 'red'), 'x'),
        timeout: '50ms',
        wait_for_active_shards: maybe(0.05, orWrong('1', 'x')),
      }),
  ],
  stats: [
    1,
    (c) =>
      get(c, `/${at(c, target)}/_stats${c.random.pick(['', '/docs', '/docs,store', '/nix', '/_all'])}`, {
        filter_path: '_shards,*.*.docs,*.*.*.docs,error,status',
        level: maybe(0.2, orWrong(oneOf('indices', 'cluster'), 'x')),
        ...NAMES,
      }),
  ],
  refresh: [
    0.7,
    (c) =>
      call(
        oneOf('POST', 'GET'),
        c,
        `/${at(c, target)}/${c.random.pick(['_refresh', '_flush', '_forcemerge', '_cache/clear', '_segments', '_upgrade'])}`,
        { ...NAMES, filter_path: '_shards,error,status' },
      ),
  ],
  document: [
    1,
    (c) => ({
      method: 'PUT',
      path: `/${at(c, oneOf(index, alias))}/_doc/${c.random.whole(1, 3)}?refresh=true`,
      body: { 'k?': 'a', 'n?': 1, 't?': 'quick fox', s_1: maybe(0.1, 'x'), 'o?': { q: 'a' } },
    }),
  ],
}

/** The indices that are asked about, each with what creates it. */
export const administered = ({ index: i, typeless }: Context): readonly [path: string, body: Json][] => {
  const of = (properties: Json): Json => (typeless ? { properties } : { _doc: { properties } })
  const one = { number_of_shards: 1, number_of_replicas: 0 }
  const text = { type: 'text', fields: { raw: { type: 'keyword' } } }
  const analysis = {
    analyzer: { a1: { tokenizer: 'standard', filter: ['lowercase', 'stop'] } },
    normalizer: { n1: { filter: ['lowercase'] } },
    filter: { f1: { type: 'stop', stopwords: ['fox'] } },
    tokenizer: { t1: { type: 'standard', max_token_length: 3 } },
  }
  return [
    [
      `/${i}_1`,
      {
        settings: { ...one, analysis },
        mappings: of({
          k: { type: 'keyword' },
          t: text,
          n: { type: 'long' },
          o: { properties: { q: { type: 'keyword', normalizer: 'n1' } } },
        }),
        aliases: { [`${i}_al`]: { filter: { term: { k: 'a' } } } },
      },
    ],
    [
      `/${i}_2`,
      {
        settings: { ...one, number_of_shards: 2 },
        mappings: of({ k: { type: 'long' }, t: text, g: { type: 'geo_point' }, d: { type: 'date', format: 'yyyy' } }),
        aliases: { [`${i}_al`]: {}, [`${i}_b`]: { routing: 'a' } },
      },
    ],
    [`/${i}_log-000001`, { settings: one, aliases: { [`${i}_log`]: {} } }],
  ]
}

/** A call of {@link CALLS}; one that creates is of the kind `create` and names an index that is not there. */
export const indicesCall = (c: Context): Call => {
  const [kind, made] = Object.entries(make(c, named(CALLS)))[0] as [string, Json]
  return { kind, ...made }
}
