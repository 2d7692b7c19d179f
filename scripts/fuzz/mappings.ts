import {
  type Context,
  deeper,
  type Field,
  type Json,
  known,
  type Made,
  make,
  maybe,
  named,
  oneOf,
  type Rule,
  some,
} from './grammar.ts'

const FILTERS = {
  f_shingle: { type: 'shingle', min_shingle_size: 2, max_shingle_size: 3 },
  f_synonym: { type: 'synonym', synonyms: ['quick,fast', 'dog => hound', 'lazy dog, idle hound'] },
  f_graph: { type: 'synonym_graph', synonyms: ['quick, very fast', 'usa, u.s.a., united states'] },
  f_stop: { type: 'stop', stopwords: ['the', 'a', 'over'] },
  f_edge: { type: 'edge_ngram', min_gram: 1, max_gram: 5 },
  f_length: { type: 'length', min: 2, max: 6 },
  f_delimiter: { type: 'word_delimiter', preserve_original: true, catenate_all: true },
  f_delimiter_graph: { type: 'word_delimiter_graph', catenate_words: true },
  f_capture: { type: 'pattern_capture', preserve_original: true, patterns: ['([a-z]+)', '(\\d+)'] },
  f_common: { type: 'common_grams', common_words: ['the', 'a', 'over'] },
  f_fold: { type: 'asciifolding', preserve_original: true },
}
const standard = (...filter: readonly string[]): Rule => ({ tokenizer: 'standard', filter: ['lowercase', ...filter] })
const ANALYSIS = {
  char_filter: { c_map: { type: 'mapping', mappings: ['& => and', 'ph => f'] } },
  tokenizer: {
    t_ngram: { type: 'ngram', min_gram: 2, max_gram: 3, token_chars: ['letter', 'digit'] },
    t_path: { type: 'path_hierarchy', delimiter: '/' },
  },
  filter: FILTERS,
  analyzer: {
    a_synonym: standard('f_synonym'),
    a_shingle: standard('f_shingle'),
    a_stop: standard('f_stop'),
    a_edge: { tokenizer: 'whitespace', filter: ['lowercase', 'f_edge'] },
    a_ngram: { tokenizer: 't_ngram', filter: ['lowercase'] },
    a_path: { tokenizer: 't_path' },
    a_delimiter: { tokenizer: 'whitespace', filter: ['f_delimiter', 'lowercase'] },
    a_chars: { tokenizer: 'standard', char_filter: ['html_strip', 'c_map'], filter: ['lowercase', 'f_fold'] },
    a_length: standard('f_length', 'porter_stem'),
    a_common: { tokenizer: 'whitespace', filter: ['lowercase', 'f_common'] },
    a_capture: { tokenizer: 'keyword', filter: ['trim', 'lowercase', 'f_capture'] },
    a_short: { type: 'standard', stopwords: '_english_', max_token_length: 5 },
    a_fingerprint: { type: 'fingerprint' },
    a_pattern: { type: 'pattern', pattern: '\\W+', lowercase: true },
  },
  normalizer: { n_low: { type: 'custom', filter: ['lowercase', 'asciifolding'] } },
}
const BUILT_IN = 'standard simple whitespace stop keyword english german french spanish russian dutch cjk'.split(' ')
const INDEXING = [...BUILT_IN, ...Object.keys(ANALYSIS.analyzer)]
const GRAPHS = { a_graph: standard('f_graph'), a_delimiter_graph: standard('f_delimiter_graph') }
/** What is known without modules. */
const CORE = {
  filter: { f_shingle: FILTERS.f_shingle, f_stop: FILTERS.f_stop },
  analyzer: { a_shingle: standard('f_shingle'), a_stop: standard('f_stop') },
  normalizer: { n_low: { type: 'custom', filter: ['lowercase'] } },
}
const CORE_INDEXING = ['standard', 'simple', 'whitespace', 'stop', 'keyword', ...Object.keys(CORE.analyzer)]
const indexing: Made = (c) => oneOf(...(c.bare ? CORE_INDEXING : INDEXING))

/** An analyzer that the index of {@link indexBody} has; with the graphs that only suit searches. */
export const analyzer: Made = (c) => (c.bare ? indexing : oneOf(...INDEXING, ...Object.keys(GRAPHS)))

const FORMATS = [
  ...['yyyy-MM-dd', 'yyyy/MM/dd HH:mm:ss||epoch_second', 'strict_date_optional_time||epoch_millis', 'MM/yyyy'],
  ...['dd.MM.yyyy||yyyy', 'basic_date', 'date_hour_minute', 'epoch_second', "yyyy-MM-dd'T'HH:mm:ssZ", 'week_date'],
]
const rare = (rule: Rule): Made => maybe(0.1, rule)
const COMMON = { store: rare(true), doc_values: rare(false), index: rare(false), boost: rare(2) }
const number = { ...COMMON, coerce: rare(false), 'ignore_malformed?': true, null_value: rare(oneOf(0, -1, '5', 2.5)) }
const range = { store: rare(true), index: rare(false), coerce: rare(false) }
const inner: Rule = { p1: deeper(fieldRule), p2: deeper(fieldRule), 'p3?': deeper(fieldRule) }
const LEAVES: Readonly<Record<string, readonly [number, Rule]>> = {
  text: [
    9,
    {
      analyzer: indexing,
      search_analyzer: rare(analyzer),
      search_quote_analyzer: undefined,
      norms: rare(false),
      index_options: rare(oneOf('docs', 'freqs', 'positions', 'offsets')),
      position_increment_gap: rare(oneOf(0, 1, 3, 50)),
      store: rare(true),
      index: maybe(0.05, false),
      'term_vector?': oneOf('yes', 'with_positions', 'with_offsets', 'with_positions_offsets', 'no'),
      'fielddata?': true,
      index_prefixes: rare(oneOf({}, { min_chars: 1, max_chars: 4 })),
      index_phrases: rare(true),
      similarity: rare(oneOf('boolean', 's_bm25')),
      'fields?': {
        raw: { type: 'keyword', ignore_above: rare(10) },
        'alt?': { type: 'text', analyzer: indexing },
      },
    },
  ],
  keyword: [
    6,
    {
      ...COMMON,
      'ignore_above?': oneOf(3, 5, 20),
      'normalizer?': 'n_low',
      null_value: rare('NULL'),
      norms: rare(true),
    },
  ],
  long: [2, number],
  integer: [2, number],
  short: [1, number],
  byte: [1, number],
  double: [2, number],
  float: [1, number],
  half_float: [1, number],
  scaled_float: [1, { ...number, scaling_factor: oneOf(10, 100, 3, 0.5) }],
  date: [3, { ...COMMON, 'format?': oneOf(...FORMATS), 'ignore_malformed?': true, locale: rare('de') }],
  boolean: [2, { ...COMMON, 'null_value?': oneOf(true, 'false') }],
  ip: [2, { ...COMMON, null_value: rare('10.0.0.1'), 'ignore_malformed?': true }],
  geo_point: [
    2,
    { store: rare(true), 'ignore_malformed?': true, ignore_z_value: rare(false), null_value: rare('10,20') },
  ],
  integer_range: [1, range],
  double_range: [0.5, range],
  date_range: [1, { ...range, 'format?': oneOf(...FORMATS) }],
  ip_range: [0.5, range],
  binary: [0.5, { 'doc_values?': true, store: rare(true) }],
  completion: [
    1,
    {
      'analyzer?': oneOf('simple', 'standard', 'keyword', 'a_stop'),
      preserve_separators: rare(false),
      preserve_position_increments: rare(false),
      max_input_length: rare(3),
      contexts: maybe(
        0.35,
        oneOf(
          [{ name: 'cat', type: 'category' }],
          [{ name: 'cat', type: 'category', path: 'k0' }],
          [
            { name: 'cat', type: 'category' },
            { name: 'loc', type: 'geo', precision: oneOf(2, 4, '100km') },
          ],
        ),
      ),
    },
  ],
  percolator: [0.8, {}],
  geo_shape: [0.7, { 'ignore_malformed?': true, orientation: rare('clockwise') }],
  token_count: [0.7, { analyzer: oneOf('standard', 'a_stop'), store: rare(true) }],
  rank_feature: [0.3, { 'positive_score_impact?': false }],
}
/** What OpenSearch has besides. */
const OPENSEARCH: typeof LEAVES = {
  date_nanos: [
    1,
    { ...COMMON, 'format?': oneOf('strict_date_optional_time', 'yyyy-MM-dd'), 'ignore_malformed?': true },
  ],
  unsigned_long: [0.5, { ...COMMON, 'ignore_malformed?': true, null_value: rare(7) }],
  wildcard: [1, { 'ignore_above?': 5, 'normalizer?': 'n_low', null_value: rare('NULL'), doc_values: rare(true) }],
  match_only_text: [1, { analyzer: indexing, 'fields?': { raw: { type: 'keyword' } } }],
  long_range: [0.5, range],
  float_range: [0.5, range],
  flat_object: [1, {}],
  rank_features: [0.2, {}],
  search_as_you_type: [
    1,
    {
      'max_shingle_size?': oneOf(2, 3, 4),
      'analyzer?': oneOf(...INDEXING),
      search_analyzer: rare(analyzer),
      norms: rare(false),
      index_options: rare(oneOf('docs', 'freqs', 'offsets')),
      store: rare(true),
      'term_vector?': oneOf('yes', 'with_positions_offsets', 'no'),
      similarity: rare(oneOf('boolean', 's_bm25')),
      'fields?': { raw: { type: 'keyword' }, 'alt?': { type: 'search_as_you_type' } },
    },
  ],
}
/** Objects within objects. */
const INNER_OBJECTS: Readonly<Record<string, readonly [number, Rule]>> = {
  nested: [
    4,
    {
      'include_in_parent?': true,
      'include_in_root?': true,
      properties: { p1: deeper(fieldRule), p2: deeper(fieldRule) },
    },
  ],
  object: [2, { properties: { p1: deeper(fieldRule), p2: deeper(fieldRule) } }],
}
const OBJECTS: Readonly<Record<string, readonly [number, Rule]>> = {
  nested: [3, { 'dynamic?': oneOf(true, false, 'strict'), 'include_in_parent?': true, properties: inner }],
  object: [3, { 'dynamic?': oneOf(true, false, 'strict'), enabled: rare(false), properties: inner }],
}

function fieldRule(c: Context): Rule {
  const leaves = known(c, c.typeless ? { ...LEAVES, ...OPENSEARCH } : LEAVES)
  const wanted = c.type !== undefined && c.random.chance(0.5) ? leaves[c.type] : undefined
  const table =
    wanted === undefined
      ? c.depth < 1
        ? { ...leaves, ...OBJECTS }
        : c.depth < 2
          ? { ...leaves, ...INNER_OBJECTS }
          : leaves
      : { [c.type ?? '']: wanted }
  const [type, definition] = Object.entries(make(c, named(table)))[0] as Json
  return { type, ...definition }
}

const JOIN: Readonly<Record<string, Rule>> = {
  join: { type: 'join', relations: oneOf({ q: 'ans' }, { q: ['ans', 'com'], ans: 'vote' }) },
}

/** The mapping of an index: a keyword `k0`, a text `t0` and some fields of any type. */
export const mapping: Made = (c) => {
  const properties: Record<string, Rule> = { k0: { type: 'keyword' }, t0: { type: 'text' } }
  for (let n = c.random.whole(6, 14); n > 0; n--) properties[`f${n}`] = make(c, fieldRule)
  const names = Object.keys(properties)
  return {
    properties: {
      ...properties,
      'al?': { type: 'alias', path: oneOf(...names) },
      'jn?': known(c, JOIN)['join'],
      'copied?': { type: 'text' },
      k0: { type: 'keyword', 'copy_to?': 'copied' },
    },
    'dynamic?': oneOf(true, 'true', false, 'strict'),
    date_detection: rare(false),
    numeric_detection: rare(true),
    dynamic_templates: rare([{ s: { match_mapping_type: 'string', mapping: { type: 'keyword', ignore_above: 7 } } }]),
    _source: rare(oneOf({ enabled: false }, { includes: ['f*', 't0'] }, { excludes: ['f1', 'f2.*'] })),
  }
}

/** What an index is made of, of one shard so that scores and orders can be compared. */
export function indexBody(c: Context, mappings: Json): Json {
  return {
    settings: {
      number_of_shards: 1,
      number_of_replicas: 0,
      analysis: c.bare ? CORE : { ...ANALYSIS, analyzer: { ...ANALYSIS.analyzer, ...GRAPHS } },
      similarity: { s_bm25: { type: 'BM25', k1: 0.5, b: 0.9 } },
    },
    mappings: c.typeless ? mappings : { _doc: mappings },
  }
}

/** The fields of a mapping that can be asked about. */
export function fieldsOf(properties: Json, prefix = '', nested?: string): Field[] {
  return Object.entries<Json>(properties).flatMap(([name, definition]) => {
    const { type = 'object', format, properties: below, fields } = definition
    const path = prefix + name
    if (below !== undefined) return fieldsOf(below, `${path}.`, type === 'nested' ? path : nested)
    const there = nested === undefined ? {} : { nested }
    return [
      { path, type, ...(format === undefined ? {} : { format }), ...there },
      ...fieldsOf({ ...fields, ...madeBy(definition) }, `${path}.`, nested),
    ]
  })
}

/** Fields that one makes for itself. */
function madeBy({ type, max_shingle_size: size = 3, isPart }: Json): Json {
  const part = { type, isPart: true }
  if (type === 'rank_features' && !isPart) return { x: part, y: part }
  if (type === 'flat_object' && !isPart) return { a: part, 'b.c': part, b: part, _value: part }
  if (type !== 'search_as_you_type') return {}
  return { _2gram: { type: 'text' }, [`_${size}gram`]: { type: 'text' }, _index_prefix: { type: 'keyword' } }
}

/** Bodies of `_analyze`. */
export const analysis: Made = oneOf(
  {
    analyzer,
    text: oneOf(...['The QUICK Foxes jumped-over', "U.S.A. can't a/b/c", '한국어 검색 東京', 'x1 3.7 2020-01-01']),
  },
  (c) => ({
    tokenizer: c.bare ? 'standard' : oneOf('standard', 'letter', 't_path', 't_ngram'),
    filter: some(0, 3, oneOf('lowercase', 'stop', ...Object.keys(c.bare ? CORE.filter : FILTERS))),
    text: 'The Quick/Brown foxes',
  }),
)
