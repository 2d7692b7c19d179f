import {
  type Context,
  deeper,
  type Json,
  type Made,
  make,
  maybe,
  oneOf,
  oneOrSome,
  orWrong,
  type Rule,
  some,
  together,
  whole,
} from './grammar.ts'

const flag: Made = orWrong(oneOf(true, false, 'true', 'false'), 'x', 1, 'TRUE', '', null)
const odd: Made = oneOf('x', -1, {}, [], true, '')
const SETTINGS: Readonly<Record<string, Rule>> = {
  number_of_shards: orWrong(oneOf(1, 2, '3'), 0, 'x', 1025, -1, null),
  number_of_replicas: orWrong(oneOf(0, 1, '0'), -1, 'x', null, 1.5),
  refresh_interval: orWrong(oneOf('1s', '30s', '-1', '500ms', -1), 'x', 5, '1', '-2', '0.5s', 0),
  max_result_window: orWrong(oneOf(10000, '20000'), 0, 'x', 1.5, -1),
  'blocks.write': oneOf(false, flag),
  'blocks.read_only_allow_delete': false,
  'mapping.total_fields.limit': orWrong(oneOf(1000, 500), 'x', -1),
  'mapping.depth.limit': orWrong(oneOf(20, 5), 0),
  'mapping.nested_fields.limit': 50,
  'mapping.ignore_malformed': flag,
  'mapping.coerce': flag,
  'query.default_field': oneOf('t', ['t', 'k'], '*'),
  codec: orWrong(oneOf('default', 'best_compression'), 'x'),
  'routing.allocation.total_shards_per_node': oneOf(-1, 5),
  'translog.durability': orWrong(oneOf('async', 'request', 'ASYNC'), 'x'),
  'translog.sync_interval': orWrong(oneOf('5s', '1m'), '1ms'),
  'translog.flush_threshold_size': orWrong(oneOf('512mb', '1gb'), '5', 'x', '1zb'),
  'merge.policy.max_merged_segment': orWrong('2gb', 'x'),
  'merge.policy.segments_per_tier': orWrong(oneOf(10, 5.5), 1, 'x'),
  'merge.scheduler.max_thread_count': orWrong(1, 0),
  'search.slowlog.threshold.query.warn': orWrong(oneOf('10s', '-1', -1), 'x', 10),
  'search.slowlog.level': orWrong(oneOf('info', 'WARN'), 'x'),
  'indexing.slowlog.source': oneOf(1000, true, 'false'),
  priority: orWrong(oneOf(1, 10), -1),
  auto_expand_replicas: orWrong(oneOf(false, '0-1', '0-all'), '0', 'x-1', '2-1'),
  gc_deletes: orWrong('60s', 'x'),
  max_ngram_diff: oneOf(2, 5),
  max_shingle_diff: 4,
  max_inner_result_window: oneOf(100, 50),
  max_script_fields: oneOf(32, 10),
  max_terms_count: 1000,
  max_regex_length: 100,
  'analyze.max_token_count': oneOf(3, 10000),
  'highlight.max_analyzed_offset': oneOf(10000, 500),
  'sort.field': oneOf('k', ['k', 'n'], orWrong('n', 't', 'nix')),
  'sort.order': oneOf('desc', ['asc', 'desc'], orWrong('asc', 'x')),
  routing_partition_size: orWrong(1, 2, 0),
  number_of_routing_shards: orWrong(oneOf(12, 30), 0, 7),
  default_pipeline: '_none',
  'shard.check_on_startup': orWrong(oneOf('false', 'checksum'), 'x'),
  'unassigned.node_left.delayed_timeout': orWrong('1m', 'x'),
  'write.wait_for_active_shards': orWrong(oneOf('1', 1), 'x', '-2'),
  'requests.cache.enable': flag,
  'allocation.max_retries': oneOf(5, 3),
  load_fixed_bitset_filters_eagerly: flag,
  'similarity.s1.type': orWrong(oneOf('BM25', 'boolean', 'DFR'), 'x'),
  'similarity.s2': orWrong(
    oneOf({ type: 'BM25', k1: 1.1, 'b?': '0.5' }, { type: 'LMDirichlet', mu: 5 }, { type: 'BM25' }),
    { type: 'BM25', foo: 1 },
    { k1: 2 },
    { type: 'BM25', b: 7 },
  ),
  foo: orWrong(undefined, 1),
  numbr_of_replicas: orWrong(undefined, 1),
  'blocks.foo': orWrong(undefined, true),
  uuid: orWrong(undefined, 'u'),
  'version.created': orWrong(undefined, 6082399, 'x'),
}

const tree = (flat: Json): Json => {
  const made: Json = {}
  for (const [name, value] of Object.entries(flat)) {
    const steps = name.split('.')
    const last = steps.pop() as string
    let at = made
    for (const step of steps) {
      at[step] ??= {}
      at = at[step]
    }
    at[last] = value
  }
  return made
}

/** Some settings: flat, with `index.` before, or as a tree. */
export const settings =
  (most: number): Made =>
  (c) => {
    const names = Object.keys(SETTINGS)
    const flat: Json = {}
    for (let n = c.random.whole(1, most); n > 0; n--) {
      const name = c.random.chance(0.25) ? c.random.pick(names.slice(0, 4)) : c.random.pick(names)
      const value = make(c, orWrong(SETTINGS[name], odd))
      if (value !== undefined) flat[name] = value
    }
    const long = Object.fromEntries(Object.entries(flat).map(([name, value]) => [`index.${name}`, value]))
    return c.random.pick([flat, long, tree(flat), { index: tree(flat) }, { index: flat }])
  }

const filter: Made = (c) =>
  orWrong(c.bare ? oneOf('lowercase', 'stop', 'f1') : oneOf('lowercase', 'asciifolding', 'stop', 'f1', 'trim'), 'x')
const COMPONENTS: Readonly<Record<string, (c: Context) => Rule>> = {
  analyzer: (c) =>
    orWrong(
      oneOf(
        { 'type?': 'custom', tokenizer: oneOf('standard', 't1'), filter: oneOrSome(filter), 'char_filter?': ['c1'] },
        { type: 'standard', 'stopwords?': oneOf('_english_', ['a'], '_none_'), 'max_token_length?': 5 },
        { type: c.bare ? 'stop' : oneOf('stop', 'english', 'pattern', 'fingerprint') },
        { tokenizer: 'standard', 'position_increment_gap?': 10 },
      ),
      { type: 'x' },
      {},
      { type: 'custom' },
      { type: 'custom', tokenizer: 'x' },
      { tokenizer: 'standard', char_filter: 'x' },
      { type: 'standard', stopwords: '_x_' },
      { type: 'standard', max_token_length: 0 },
      5,
    ),
  normalizer: () =>
    orWrong(
      { 'type?': 'custom', filter: oneOrSome(oneOf('lowercase', 'asciifolding', filter)) },
      { filter: 'stop' },
      { type: 'x' },
      { tokenizer: 'standard' },
      {},
      { type: 'lowercase' },
    ),
  filter: (c) =>
    orWrong(
      oneOf(
        { type: 'stop', stopwords: oneOf(['a'], '_english_', 'a,b'), 'ignore_case?': flag },
        { type: 'shingle', min_shingle_size: oneOf(2, 3), max_shingle_size: oneOf(3, 9, 2) },
        ...(c.bare
          ? []
          : [
              { type: oneOf('ngram', 'nGram', 'edge_ngram'), min_gram: oneOf(1, 2), max_gram: oneOf(2, 5) },
              { type: 'length', min: 2, 'max?': 5 },
              { type: 'synonym', synonyms: oneOf(['a,b'], ['a => b'], ['a, => ,']) },
              { type: 'stemmer', language: orWrong('english', 'x') },
              { type: 'word_delimiter', 'type_table?': ['$ => DIGIT'] },
              { type: 'limit', max_token_count: 2 },
              { type: 'truncate', length: oneOf(3, 0) },
              { type: 'pattern_replace', pattern: orWrong('a', '['), replacement: 'b' },
            ]),
      ),
      { type: 'x' },
      {},
      { type: 'shingle', min_shingle_size: 5, max_shingle_size: 3 },
      { type: 'ngram', min_gram: 3, max_gram: 2 },
      { type: 'synonym' },
      { type: 'length', min: 'x' },
    ),
  tokenizer: (c) =>
    orWrong(
      c.bare
        ? { type: 'standard', max_token_length: oneOf(3, 5) }
        : oneOf(
            { type: oneOf('ngram', 'nGram'), min_gram: 1, max_gram: oneOf(2, 3), 'token_chars?': ['letter'] },
            { type: 'pattern', pattern: orWrong(',', '[') },
            { type: 'path_hierarchy', 'delimiter?': orWrong('-', 'xx') },
            { type: 'char_group', tokenize_on_chars: orWrong(['-', 'whitespace'], ['xx']) },
            { type: 'keyword', buffer_size: 10 },
          ),
      { type: 'x' },
      {},
      { type: 'ngram', token_chars: ['x'] },
    ),
  char_filter: (c) =>
    orWrong(
      c.bare
        ? undefined
        : oneOf(
            { type: 'mapping', mappings: orWrong(['a => b'], ['a'], []) },
            { type: 'html_strip', 'escaped_tags?': ['b'] },
            { type: 'pattern_replace', pattern: 'a', 'replacement?': 'b' },
          ),
      { type: 'x' },
      {},
      { type: 'mapping' },
    ),
}
/** Analysis of an index's own: one component of each kind, named by its first letter and 1; most are needed by the analyzer. */
export const components: Rule = {
  analyzer: { a1: COMPONENTS['analyzer'], 'a2?': COMPONENTS['analyzer'], 'default?': COMPONENTS['analyzer'] },
  'normalizer?': { n1: COMPONENTS['normalizer'] },
  filter: { f1: COMPONENTS['filter'] },
  tokenizer: { t1: COMPONENTS['tokenizer'] },
  char_filter: { c1: COMPONENTS['char_filter'] },
}
/** One component of a kind. */
export const component = (kind: string): Made => COMPONENTS[kind] as Made

const analyzer: Made = orWrong(oneOf('standard', 'simple', 'keyword', 'a1'), 'x', 5, null)
const PARAMETERS: Readonly<Record<string, Rule>> = {
  boost: orWrong(oneOf(2, 1, '1.5'), 'x', null),
  store: flag,
  doc_values: flag,
  index: flag,
  norms: flag,
  null_value: oneOf('x', 5, true, '2020-01-01', '10.0.0.1', null, ''),
  coerce: flag,
  ignore_malformed: flag,
  copy_to: orWrong(oneOf('t', ['t', 'k'], 'nix'), 5),
  fields: orWrong({ raw: deeper(field), 'b?': deeper(field) }, {}, [], { 'a.b': { type: 'keyword' } }, { x: {} }),
  analyzer,
  search_analyzer: analyzer,
  search_quote_analyzer: analyzer,
  similarity: orWrong(oneOf('BM25', 'boolean', 's1', 'classic'), 'x'),
  index_options: orWrong(oneOf('docs', 'freqs', 'positions', 'offsets'), 'x'),
  position_increment_gap: orWrong(oneOf(0, 5, '10'), -1, 'x'),
  term_vector: orWrong(oneOf('yes', 'no', 'with_positions_offsets', 'with_positions_payloads'), 'x'),
  eager_global_ordinals: flag,
  ignore_above: orWrong(oneOf(5, '256'), -1, 'x'),
  normalizer: orWrong(oneOf('n1', 'lowercase'), 'x'),
  split_queries_on_whitespace: flag,
  format: orWrong(oneOf('yyyy', 'epoch_millis', 'yyyy-MM-dd||epoch_second', 'strict_date'), 'bad[', '', 5, null),
  locale: orWrong(oneOf('en', 'de-DE', 'ROOT'), 5),
  scaling_factor: orWrong(oneOf(10, '100'), 0, -1, 'x'),
  dynamic: orWrong(oneOf(true, false, 'strict'), 'x', null),
  enabled: flag,
  properties: orWrong({ 'p?': deeper(field), q: deeper(field) }, {}, [], 'x'),
  include_in_parent: flag,
  include_in_root: flag,
  path: orWrong(oneOf('k', 't', 'o.q'), 'nix', 5),
  relations: orWrong(oneOf({ a: 'b' }, { a: ['b', 'c'] }), 'x', {}),
  ignore_z_value: flag,
  tree: orWrong(oneOf('quadtree', 'geohash'), 'x'),
  precision: orWrong('1km', 'x'),
  strategy: orWrong('recursive', 'x'),
  orientation: orWrong(oneOf('ccw', 'left', 'CW'), 'x'),
  points_only: flag,
  fielddata: flag,
  fielddata_frequency_filter: oneOf({ min: 0.1, max: 0.9 }, { min: 0.01, min_segment_size: 5 }, 5),
  index_prefixes: orWrong(oneOf({}, { min_chars: 1, max_chars: 4 }), { min_chars: 6, max_chars: 3 }, true),
  index_phrases: flag,
  max_input_length: orWrong(oneOf(50, 20), 0),
  preserve_separators: flag,
  preserve_position_increments: flag,
  contexts: orWrong(
    oneOf([{ name: 'c', type: 'category' }], [{ name: 'g', type: 'geo', 'precision?': 4, 'path?': 'k' }]),
    [{ name: 'c' }],
    [{ type: 'x', name: 'c' }],
  ),
  enable_position_increments: flag,
  positive_score_impact: flag,
  meta: { unit: 'ms' },
  include_in_all: flag,
  foo: oneOf(1, {}),
  type: oneOf('text', 'string', null, 5),
}
const INDEXED = 'boost store doc_values index copy_to fields similarity'
const NUMBER = `${INDEXED} null_value coerce ignore_malformed`
const RANGE = 'boost store index copy_to fields coerce'
const TYPES: Readonly<Record<string, string>> = {
  text: 'boost store index copy_to fields similarity norms analyzer search_analyzer search_quote_analyzer index_options position_increment_gap term_vector eager_global_ordinals fielddata fielddata_frequency_filter index_prefixes index_phrases',
  keyword: `${INDEXED} null_value norms index_options eager_global_ordinals ignore_above normalizer split_queries_on_whitespace`,
  long: NUMBER,
  integer: NUMBER,
  double: NUMBER,
  half_float: NUMBER,
  scaled_float: `${NUMBER} scaling_factor`,
  date: `${INDEXED} null_value ignore_malformed format locale`,
  boolean: `${INDEXED} null_value`,
  ip: `${INDEXED} null_value`,
  binary: 'doc_values store copy_to fields',
  geo_point: 'store ignore_malformed ignore_z_value null_value copy_to fields doc_values',
  geo_shape: 'tree precision strategy orientation points_only ignore_malformed coerce ignore_z_value',
  integer_range: RANGE,
  date_range: `${RANGE} format locale`,
  ip_range: RANGE,
  completion:
    'analyzer search_analyzer max_input_length preserve_separators preserve_position_increments contexts fields copy_to',
  token_count: 'analyzer store index doc_values null_value enable_position_increments boost',
  alias: 'path',
  join: 'relations eager_global_ordinals',
  percolator: 'copy_to fields',
  rank_feature: 'positive_score_impact',
  rank_features: '',
  nested: 'properties dynamic include_in_parent include_in_root',
  object: 'properties dynamic enabled',
}
/** What a type cannot do without. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  scaled_float: ['scaling_factor'],
  alias: ['path'],
  join: ['relations'],
  token_count: ['analyzer'],
  object: ['properties'],
}

function field(c: Context): Rule {
  const types = Object.keys(TYPES)
  const type = c.random.pick(c.depth > 0 ? types.slice(0, 10) : types)
  const known = (TYPES[type] as string).split(' ').filter((name) => name !== '')
  const definition: Json = {}
  for (const name of NEEDED[type] ?? []) if (!c.random.chance(c.wrong)) definition[name] = PARAMETERS[name]
  for (let n = c.random.whole(0, 3); n > 0 && known.length > 0; n--) {
    const name = c.random.chance(c.wrong) ? c.random.pick(Object.keys(PARAMETERS)) : c.random.pick(known)
    definition[name] = PARAMETERS[name]
  }
  return { type: orWrong(type === 'object' ? oneOf(type, undefined) : type, 'x', null, 'string'), ...definition }
}

const template: Made = orWrong(
  {
    'match?': oneOf('s_*', '*_long', '*'),
    match_mapping_type: maybe(0.7, orWrong(oneOf('string', 'long', '*', 'object', 'date', 'double'), 'x', 'keyword')),
    'unmatch?': '*_x',
    'path_match?': 'o.*',
    'match_pattern?': orWrong(oneOf('regex', 'simple'), 'x'),
    mapping: orWrong(
      oneOf({ type: 'keyword' }, { type: '{dynamic_type}', store: true }, { type: 'text', norms: false }),
      {
        type: 'x',
      },
    ),
  },
  {},
  { match: '*' },
  { mapping: { type: 'keyword' } },
)

/** The mapping of a type: some fields of all kinds, and what stands beside them. */
export const definitions: Made = orWrong(
  together(
    {
      properties: (c) =>
        Object.fromEntries(
          Array.from({ length: c.random.whole(0, 3) }, () => [
            make(c, orWrong(oneOf('k', 't', 'n', 'o', 'd', 'f1', 'f2', 'o.q', 'g'), '', 'a..b', '_id', '.')),
            make(c, orWrong(field, {}, [], 'x', null)),
          ]),
        ),
    },
    {
      dynamic: maybe(0.1, orWrong(oneOf(true, false, 'strict', 'false'), 'x', null)),
      date_detection: maybe(0.05, flag),
      numeric_detection: maybe(0.05, flag),
      dynamic_date_formats: maybe(0.05, orWrong(oneOf(['yyyy'], ['MM/dd/yyyy||yyyy']), 'x', [5])),
      dynamic_templates: maybe(0.12, orWrong(some(1, 2, oneOf({ d1: template }, { d2: template })), {}, 'x', [[]])),
      _source: maybe(0.06, orWrong(oneOf({ enabled: false }, { includes: ['k*'] }, { excludes: 'n' }), { foo: 1 }, 5)),
      _routing: maybe(0.05, orWrong({ required: true }, { required: 'x' }, { foo: 1 })),
      _meta: maybe(0.06, orWrong({ a: { b: 1 } }, 5)),
      _all: maybe(0.03, { enabled: false }),
      _field_names: maybe(0.03, { enabled: oneOf(true, false) }),
      _size: maybe(0.01, { enabled: true }),
      include_in_all: maybe(0.01, false),
      foo: orWrong(undefined, 1, { type: 'keyword' }),
    },
  ),
  5,
  [],
  'x',
  { properties: [] },
  { properties: { k: { type: whole(0, 1) } } },
)
