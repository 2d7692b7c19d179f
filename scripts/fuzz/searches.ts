import { json } from './exact-json.ts'
import {
  type Context,
  field,
  type Json,
  type Made,
  make,
  maybe,
  named,
  oneOf,
  oneOrSome,
  orWrong,
  path,
  type Rule,
  some,
  together,
  whole,
} from './grammar.ts'
import { analyzer } from './mappings.ts'
import { query, queryText } from './queries.ts'
import { anyScript, numberScript, scoreScript, scriptedMetric, textScript, truthScript } from './scripts.ts'
import { misspelt, place, sought, text, word } from './values.ts'

/** One call, with what its kind is counted under. */
export interface Call {
  readonly kind: string
  readonly method: string
  readonly path: string
  /** JSON, or a string sent as it is (newline-delimited). */
  readonly body?: Json
}

const order: Made = oneOf('asc', 'desc')
const sortable = ['number', 'keyword', 'date', 'boolean', 'ip'] as const
const oneSort: Made = (c) => {
  const f = field(...sortable)(c)
  const within =
    f.nested === undefined
      ? undefined
      : { path: f.nested, 'filter?': { exists: { field: f.path } }, 'max_children?': oneOf(1, 2) }
  const missing = oneOf('_first', '_last', sought(f))
  const options = {
    order,
    'mode?': oneOf('min', 'max', 'avg', 'sum', 'median'),
    'missing?': missing,
    'unmapped_type?': oneOf('long', 'keyword'),
    nested: maybe(0.6, within),
  }
  const geo = {
    [path('geo_point')(c) as string]: place,
    order,
    'unit?': oneOf('km', 'mi'),
    'mode?': oneOf('min', 'max'),
  }
  return oneOf(
    f.path,
    { [f.path]: order },
    { [f.path]: options },
    { [f.path]: options },
    '_score',
    { _score: 'asc' },
    '_doc',
    { _geo_distance: geo },
    {
      _script: (c) =>
        c.typeless && c.random.chance(0.7)
          ? oneOf(
              { type: 'number', script: numberScript, order },
              { type: 'string', script: textScript, 'order?': order },
            )
          : oneOf(
              { type: 'number', script: `doc['${path('number', 'keyword')(c)}'].size()`, order },
              { type: 'string', script: `doc['k0'].size() == 0 ? 'none' : doc['k0'].value`, order },
            ),
    },
  )
}
/** What orders the hits. */
const sort: Made = oneOf(oneSort, some(1, 3, oneSort))

const pattern: Made = oneOf(path(), 'f*', '*.p1', 't0', '*', '*1', 'dyn*')
/** What is shown of a document. */
const source: Made = oneOf(
  true,
  false,
  pattern,
  [pattern, pattern],
  { includes: [pattern], excludes: [pattern] },
  { excludes: [pattern] },
)
const docValue: Made = oneOf(
  path(),
  { field: path('date'), format: oneOf('use_field_mapping', 'epoch_millis', 'yyyy') },
  { field: path('number'), format: oneOf('use_field_mapping', '0.00', '#,##0.#') },
  { field: path('ip', 'boolean', 'geo_point', 'keyword'), 'format?': oneOf('use_field_mapping', 'wkt') },
)
const stored: Made = oneOf('_none_', [], '*', ['_source'], some(1, 3, path()))

const look = {
  type: maybe(0.6, orWrong(oneOf('unified', 'plain', 'fvh'), 'bad')),
  'number_of_fragments?': oneOf(0, 1, 2, 5),
  'fragment_size?': oneOf(0, 5, 18, 30, 100),
  order: maybe(0.2, oneOf('score', 'none')),
  'require_field_match?': oneOf(true, false),
  'no_match_size?': oneOf(0, 5, 20, 100),
  highlight_query: maybe(0.1, query),
  boundary_scanner: maybe(0.2, oneOf('chars', 'word', 'sentence')),
  fragmenter: maybe(0.1, oneOf('simple', 'span')),
  force_source: maybe(0.05, true),
  pre_tags: maybe(0.08, oneOf(['<b>'], ['<1>', '<2>'], [''])),
  post_tags: maybe(0.06, oneOf(['</b>'], ['</1>', '</2>'])),
  boundary_chars: maybe(0.05, oneOf('o', ' ,', '')),
  boundary_max_scan: maybe(0.05, oneOf(0, 1, 10)),
  boundary_scanner_locale: maybe(0.05, oneOf('en-US', 'ja-JP', 'ko')),
  phrase_limit: maybe(0.05, oneOf(1, 3)),
  fragment_offset: maybe(0.05, oneOf(0, 3, 10)),
  max_analyzer_offset: (c: Context) => (c.typeless ? maybe(0.05, oneOf(1, 10, 1000)) : undefined),
  options: maybe(0.03, {}),
}
const marked: Made = together(
  { t0: {} },
  (c) => ({ [c.random.chance(0.15) ? '*' : make(c, path('text', 'keyword'))]: oneOf({}, look) }),
  (c) => ({ [make(c, path('text'))]: oneOf({}, { ...look, 'matched_fields?': some(1, 2, path('text')) }) }),
)
/** How the words found are shown. */
const highlight: Made = together(
  { fields: marked, encoder: maybe(0.1, 'html'), tags_schema: maybe(0.06, oneOf('styled', 'default')) },
  maybe(0.5, look),
)

const edits = {
  'suggest_mode?': oneOf('missing', 'popular', 'always'),
  'prefix_length?': whole(0, 2),
  'min_word_length?': whole(1, 4),
  'max_edits?': oneOf(1, 2),
  'size?': whole(1, 5),
  min_doc_freq: maybe(0.1, oneOf(0, 1, 0.1)),
  max_term_freq: maybe(0.05, oneOf(0.3, 2)),
  max_inspections: maybe(0.05, oneOf(1, 3)),
}
const suggestion: Made = (c) => {
  const f = path('text')(c)
  const [begun, asked] = [String(make(c, word)).slice(0, 2), make(c, some(1, 3, misspelt)).join(' ')]
  return oneOf(
    {
      text: asked,
      term: {
        field: f,
        ...edits,
        'sort?': oneOf('score', 'frequency'),
        string_distance: maybe(0.2, oneOf('internal', 'jaro_winkler', 'ngram', 'levenshtein', 'damerau_levenshtein')),
        analyzer: maybe(0.1, analyzer),
        shard_size: maybe(0.05, oneOf(1, 20)),
      },
    },
    {
      text: asked,
      phrase: {
        field: f,
        'gram_size?': whole(1, 3),
        'confidence?': oneOf(0, 0.5, 2),
        'max_errors?': oneOf(0.5, 2),
        'direct_generator?': [{ field: f, ...edits }],
        'smoothing?': oneOf(
          { laplace: { alpha: 0.7 } },
          { stupid_backoff: { discount: 0.5 } },
          { linear_interpolation: { trigram_lambda: 0.5, bigram_lambda: 0.3, unigram_lambda: 0.2 } },
        ),
        'highlight?': { pre_tag: '<', post_tag: '>' },
        'size?': whole(1, 4),
        separator: maybe(0.1, '_'),
        real_word_error_likelihood: maybe(0.1, oneOf(0.8, 0.99)),
        token_limit: maybe(0.05, 2),
        force_unigrams: maybe(0.05, false),
        analyzer: maybe(0.05, analyzer),
        collate: maybe(0.05, {
          query: { source: '{"match":{"{{f}}":"{{suggestion}}"}}' },
          params: { f },
          'prune?': true,
        }),
      },
    },
    {
      [c.random.pick(['prefix', 'prefix', 'prefix', 'regex', 'text'])]: c.random.chance(0.1) ? '[qf].*' : begun,
      completion: {
        field: path('completion'),
        'size?': whole(1, 6),
        'skip_duplicates?': true,
        'fuzzy?': oneOf({}, { fuzziness: 2 }, { 'min_length?': 1, 'prefix_length?': 0, 'unicode_aware?': true }),
        analyzer: maybe(0.05, 'simple'),
        contexts: maybe(
          0.3,
          oneOf(
            { cat: oneOf('x', ['x', 'y'], { context: 'x', 'boost?': 3, 'prefix?': true }) },
            {
              cat: [
                { context: 'x', boost: 2 },
                { context: 'z', 'boost?': 4 },
              ],
              'loc?': place,
            },
            { loc: oneOf(place, { context: place, 'precision?': 2, 'boost?': 2, 'neighbours?': [1, 2] }) },
          ),
        ),
      },
    },
  )
}
/** What hits within hits show. */
const shown: Readonly<Record<string, Rule>> = {
  'sort?': sort,
  '_source?': source,
  'docvalue_fields?': some(1, 3, docValue),
  'highlight?': highlight,
  stored_fields: maybe(0.1, stored),
  explain: maybe(0.1, true),
  version: maybe(0.2, true),
  seq_no_primary_term: maybe(0.1, true),
  script_fields: maybe(0.1, (c) => ({ s: { script: `doc['${path('number', 'keyword')(c)}'].size()` } })),
}
/** What is scored by scripts. */
const anySearched: Made = oneOf({ match_all: {} }, query, { exists: { field: path() } })
const collapse: Rule = {
  field: path('keyword', 'number'),
  'max_concurrent_group_searches?': 2,
  'inner_hits?': oneOf(
    { name: 'c', 'collapse?': { field: path('keyword', 'number') }, ...shown, 'size?': whole(0, 4) },
    { name: 'c', 'size?': whole(0, 4), 'from?': whole(0, 2), 'sort?': sort, '_source?': source, 'version?': true },
    [
      { name: 'c', size: 2, sort: [{ k0: 'asc' }, '_doc'] },
      { name: 'd', 'size?': 1, 'docvalue_fields?': some(1, 2, path()) },
    ],
  ),
}
const rescore: Rule = oneOrSome({
  'window_size?': oneOf(1, 3, 50),
  query: {
    rescore_query: query,
    'query_weight?': oneOf(0.7, 0),
    'rescore_query_weight?': 1.2,
    'score_mode?': oneOf('total', 'multiply', 'avg', 'max'),
  },
})

/** The body of a search. */
export const search: Rule = {
  query: maybe(0.95, query),
  size: maybe(0.5, orWrong(oneOf(0, 1, 3, 5, 10, 100), -1, 10_001)),
  from: maybe(0.2, oneOf(0, 1, 3, 50)),
  'sort?': sort,
  '_source?': source,
  docvalue_fields: maybe(0.15, some(1, 4, docValue)),
  stored_fields: maybe(0.1, stored),
  'highlight?': highlight,
  collapse: maybe(0.08, collapse),
  rescore: maybe(0.1, rescore),
  explain: maybe(0.15, true),
  track_scores: maybe(0.1, true),
  version: maybe(0.1, true),
  min_score: maybe(0.06, oneOf(0.1, 1)),
  post_filter: maybe(0.1, query),
  suggest: maybe(0.1, { s: suggestion }),
  track_total_hits: maybe(0.05, oneOf(true, false)),
  terminate_after: maybe(0.03, 5),
  seq_no_primary_term: maybe(0.04, true),
  indices_boost: maybe(0.04, (c) => [{ [c.index]: oneOf(2, 0.5) }]),
  aggs: maybe(0.1, (c) => ({
    a: { terms: { field: path('keyword', 'number', 'date', 'ip', 'boolean')(c), 'size?': 3 } },
    'b?': { global: {}, aggs: { c: { filter: query(c) } } },
  })),
  script_fields: maybe(0.05, (c) => ({
    'x?': c.typeless ? { script: anyScript } : undefined,
    'y?': c.typeless ? { script: anyScript, 'ignore_failure?': true } : undefined,
    s: { script: `doc['${path('number', 'keyword')(c)}'].size()` },
    'v?': {
      script: {
        source: `doc['${path('number', 'date', 'ip', 'keyword')(c)}'].size() == 0 ? params.none : doc['${path('number', 'date', 'geo_point', 'boolean')(c)}'].value`,
        params: { none: oneOf('-', [1, 2], null) },
      },
      'ignore_failure?': true,
    },
    'w?': { script: { source: `params._source.${path('text', 'keyword')(c)}`, lang: 'painless' } },
  })),
  fields: (c) => (c.typeless ? maybe(0.12, some(1, 4, oneOf(fetched, docValue, fetched))) : undefined),
  search_pipeline: (c) =>
    c.typeless && !c.bare
      ? maybe(0.03, { request_processors: some(0, 2, asking), response_processors: some(0, 2, answering) })
      : undefined,
  stats: maybe(0.02, ['g']),
  timeout: maybe(0.02, '10s'),
  profile: maybe(0.02, false),
}
/** Processors of search pipelines (OpenSearch), before and behind. */
const asking: Made = oneOf(
  { filter_query: { query } },
  { oversample: { sample_factor: oneOf(1, 1.5, 3) } },
  { script: { source: oneOf("ctx._source['size'] = 2", "ctx._source['min_score'] = 0.3f") } },
)
const answering: Made = oneOf(
  { collapse: { field: path('keyword', 'number') } },
  { rename_field: { field: path('text'), target_field: 'renamed', 'ignore_missing?': true } },
  { sort: { field: path('keyword', 'number'), 'order?': order, 'ignore_failure?': true } },
  { split: { field: path('text'), separator: ' ', 'target_field?': 'parts', 'ignore_failure?': true } },
  { truncate_hits: { 'target_size?': whole(0, 3) } },
)
const fetched: Made = oneOf(path(), '*', 'f*', '*.p1', { field: path(), 'include_unmapped?': true })

/** Parameters of the URI of a search. */
const PARAMETERS: Rule = {
  rest_total_hits_as_int: maybe(0.2, 'true'),
  typed_keys: maybe(0.2, 'true'),
  search_type: maybe(0.2, oneOf('dfs_query_then_fetch', 'query_then_fetch')),
  filter_path: maybe(
    0.2,
    oneOf('hits.hits._id', 'hits.total', '**._score', '-hits.hits._source', 'hits.hits.*,suggest'),
  ),
  _source_includes: maybe(0.1, 'f*'),
  _source_excludes: maybe(0.1, 'f1,*.p1'),
  docvalue_fields: maybe(0.1, path('keyword', 'number')),
  stored_fields: maybe(0.1, oneOf('_none_', 't0', '_source')),
  sort: maybe(0.1, (c) => `${path(...sortable)(c)}:desc,_score`),
  size: maybe(0.1, '2'),
  track_scores: maybe(0.1, 'true'),
  track_total_hits: maybe(0.1, oneOf('true', 'false', '3')),
  terminate_after: maybe(0.05, '4'),
  preference: maybe(0.1, '_local'),
  version: maybe(0.1, 'true'),
  explain: maybe(0.05, 'true'),
  include_named_queries_score: maybe(0.03, 'true'),
  batched_reduce_size: maybe(0.05, '5'),
  allow_partial_search_results: maybe(0.05, 'false'),
  ignore_unavailable: maybe(0.05, 'true'),
  suggest_field: maybe(0.03, 't0'),
  suggest_text: maybe(0.03, 'quik'),
}

/** Calls that read one index, with how often each is made. */
const READS: Readonly<Record<string, readonly [number, Made]>> = {
  search: [12, (c) => post(c, '_search', search)],
  search_uri: [1, (c) => post(c, `_search?${new URLSearchParams(make(c, PARAMETERS))}`, search)],
  template: [
    0.5,
    (c) =>
      post(c, '_search/template', {
        source: oneOf(
          { query, size: '{{size}}{{^size}}2{{/size}}' },
          (inner) => `{"query":{"match":{"${path('text')(inner)}":"{{q}}"}},"size":"{{size}}{{^size}}4{{/size}}"}`,
          (inner) => `{"query":{"terms":{"${path('keyword')(inner)}":{{#toJson}}list{{/toJson}}}}}`,
          (inner) =>
            `{"query":{"bool":{"must":[{"match":{"t0":"{{q}}"}}]{{#f}},"filter":{"exists":{"field":"{{f}}"}}{{/f}}}},"sort":"${path('keyword')(inner)}"}`,
        ),
        params: { 'q?': word, 'size?': whole(0, 3), 'f?': path(), list: some(0, 3, word) },
        'explain?': true,
      }),
  ],
  render: [
    0.3,
    () => ({
      method: 'POST',
      path: '/_render/template',
      body: {
        source: oneOf(
          '{"a":"{{q}}","b":{{#toJson}}list{{/toJson}},"c":"{{#join}}list{{/join}}"}',
          '{"q":"{{#url}}{{q}}{{/url}}","l":[{{#list}}"{{.}}",{{/list}}"x"]}',
          '{"q":"{{o.a}} {{list.0}} {{list.size}}","n":"{{^none}}no{{/none}}{{{q}}}"}',
          { a: '{{q}}', b: ['{{#list}}{{.}}{{/list}}'] },
        ),
        params: { q: oneOf(word, 'a "b" \\ c\n', 3, true), list: some(0, 3, word), o: { a: oneOf(1, 1.5, null) } },
      },
    }),
  ],
  rank_eval: [
    0.2,
    (c) =>
      post(c, '_rank_eval', {
        requests: some(1, 2, (inner) => ({
          id: `q${inner.random.whole(0, 99)}`,
          request: { query },
          ratings: [0, 3, 5, 9, 12].map((n) => ({ _index: inner.index, _id: `${n}`, rating: whole(0, 3) })),
        })),
        metric: oneOf(
          { precision: { k: 5, 'relevant_rating_threshold?': 2, 'ignore_unlabeled?': true } },
          { mean_reciprocal_rank: { k: 5 } },
          { dcg: { k: 5, 'normalize?': true } },
          { expected_reciprocal_rank: { maximum_relevance: 3, k: 5 } },
          { recall: { k: 5 } },
        ),
      }),
  ],
  count_uri: [
    0.2,
    (c) => ({
      method: 'GET',
      path: `/${c.index}/_count?${new URLSearchParams(make(c, { q: queryText(false), 'df?': path('text'), 'min_score?': '0.5', 'analyze_wildcard?': 'true', 'terminate_after?': '2' }))}`,
    }),
  ],
  msearch: [
    0.4,
    (c) => ({
      method: 'POST',
      path: `/_msearch?rest_total_hits_as_int=true`,
      body: `${make(
        c,
        some(1, 3, (inner: Context) => [
          { index: orWrong(inner.index, `${inner.index}_no`), 'ignore_unavailable?': true },
          search,
        ]),
      )
        .flat()
        .map((line: Json) => json(line))
        .join('\n')}\n`,
    }),
  ],
  search_after: [
    0.5,
    (c) => post(c, '_search', { query, size: 3, sort: [{ k0: 'asc' }, '_doc'], search_after: [word, 3] }),
  ],
  scripted: [
    1.5,
    (c) =>
      c.typeless && !c.bare
        ? post(
            c,
            '_search',
            oneOf(
              { script_fields: { a: { script: anyScript }, b: { script: anyScript } }, size: 5 },
              { script_fields: { a: { script: anyScript } }, query: { exists: { field: path() } } },
              { query: { script: { script: truthScript } }, _source: false },
              { query: { bool: { must: query, filter: { script: { script: truthScript } } } }, _source: false },
              {
                query: { script_score: { query: anySearched, script: scoreScript } },
                _source: false,
                'explain?': true,
              },
              {
                query: {
                  function_score: {
                    query: anySearched,
                    functions: [{ script_score: { script: scoreScript }, 'weight?': 2 }],
                    'boost_mode?': oneOf('replace', 'sum'),
                  },
                },
                _source: false,
              },
              {
                sort: [{ _script: { type: 'number', script: numberScript, 'order?': order } }, '_doc'],
                _source: false,
              },
              { sort: [{ _script: { type: 'string', script: textScript, 'order?': order } }, '_doc'], _source: false },
              { size: 0, aggs: { a: { terms: { script: oneOf(textScript, numberScript), 'size?': 5 } } } },
              {
                size: 0,
                aggs: { a: { [c.random.pick(['avg', 'stats', 'max', 'cardinality'])]: { script: numberScript } } },
              },
              { size: 0, aggs: { a: { scripted_metric: scriptedMetric } } },
              {
                collapse: { field: 'k0', 'inner_hits?': { name: 'c', size: 2, sort: [{ k0: 'asc' }, '_doc'] } },
                sort: ['k0'],
                search_after: [word],
                'query?': query,
              },
              {
                suggest: { 'text?': word, s: suggestion, t: suggestion },
                'size?': 0,
              },
            ),
          )
        : post(c, '_search', { query }),
  ],
  count: [0.6, (c) => post(c, '_count', { query })],
  validate: [0.7, (c) => post(c, `_validate/query?${c.random.pick(['explain=true', 'rewrite=true', ''])}`, { query })],
  explain: [
    0.7,
    (c) =>
      post(c, c.typeless ? `_explain/${c.random.whole(0, 30)}` : `_doc/${c.random.whole(0, 30)}/_explain`, { query }),
  ],
  termvectors: [
    0.7,
    (c) =>
      post(c, c.typeless ? `_termvectors/${c.random.whole(0, 30)}` : `_doc/${c.random.whole(0, 30)}/_termvectors`, {
        'fields?': some(1, 3, path('text', 'keyword')),
        'offsets?': false,
        'positions?': false,
        'term_statistics?': true,
        'field_statistics?': false,
        'filter?': { 'max_num_terms?': 3, 'min_doc_freq?': 2 },
      }),
  ],
  artificial: [
    0.3,
    (c) =>
      post(c, c.typeless ? '_termvectors' : '_doc/_termvectors', {
        doc: { t0: text(), k0: word },
        'term_statistics?': true,
        'per_field_analyzer?': { t0: analyzer },
      }),
  ],
  mget: [
    0.5,
    (c) =>
      post(c, c.typeless ? '_mget' : '_doc/_mget', {
        docs: some(1, 4, { _id: oneOf('0', '3', '99'), '_source?': source, 'stored_fields?': stored }),
      }),
  ],
  get: [
    0.5,
    (c) => ({
      method: 'GET',
      path: `/${c.index}/_doc/${c.random.whole(0, 30)}?${make(c, oneOf('', '_source=false', '_source_excludes=f*', `stored_fields=${path()(c)},t0`, 'realtime=false'))}`,
    }),
  ],
  field_caps: [
    0.2,
    (c) =>
      c.typeless && c.random.chance(0.5)
        ? post(c, `_field_caps?fields=${c.random.pick(['*', 'f*', 'zz*'])}`, { index_filter: query })
        : { method: 'GET', path: `/${c.index}/_field_caps?fields=${c.random.pick(['*', 'f*', 'zz*'])}` },
  ],
  uri: [0.6, (c) => ({ method: 'GET', path: `/${c.index}/_search?${new URLSearchParams(make(c, URI))}` })],
}
const URI: Rule = {
  q: queryText(false),
  'df?': path('text'),
  'default_operator?': oneOf('AND', 'or'),
  'lenient?': 'true',
  'sort?': (c: Context) => `${path('number', 'keyword')(c)}:${c.random.pick(['asc', 'desc'])}`,
  'size?': '3',
  '_source?': oneOf('false', 'f*'),
  'explain?': 'true',
}
const post = (c: Context, rest: string, body: Rule): Rule => ({ method: 'POST', path: `/${c.index}/${rest}`, body })

/** How a search that shows few hits at a time goes on. */
export interface Paging {
  readonly way: 'scroll' | 'search_after' | 'point_in_time'
  readonly body: Json
}

/** A search to be asked page by page. */
export function paging(c: Context): Paging {
  const way = c.random.pick(['scroll', 'search_after', ...(c.typeless ? (['point_in_time'] as const) : [])] as const)
  const last = oneOf('_doc', { _id: 'desc' })
  const order = some(0, 2, oneSort)
  const body = make(c, {
    query: maybe(0.6, query),
    size: whole(2, 9),
    sort: way === 'scroll' ? maybe(0.6, order) : (inner: Context) => [...make(inner, order), make(inner, last)],
    _source: false,
    'track_scores?': true,
    'docvalue_fields?': some(1, 2, docValue),
    slice: way === 'scroll' ? maybe(0.2, { id: oneOf(0, 1), max: 2 }) : undefined,
    collapse: way === 'search_after' ? undefined : maybe(0.02, collapse),
    'post_filter?': query,
  })
  return { way, body }
}

/** One of {@link READS}. */
export function read(c: Context): Call {
  const [kind, call] = Object.entries(make(c, named(READS)))[0] as [string, Json]
  return { kind, ...call }
}
