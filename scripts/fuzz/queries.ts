import { json } from './exact-json.ts'
import {
  type Context,
  deeper,
  type Field,
  field,
  known,
  type Made,
  make,
  maybe,
  named,
  on,
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
import { misspelt, moment, place, shape, sought, text, word } from './values.ts'

const boost = { boost: maybe(0.12, oneOf(2, 0.5, 0, 1.7)), _name: maybe(0.06, oneOf('n1', 'n2')) }
const share: Made = oneOf(0, 1, 2, -1, '2', '50%', '-25%', '2<75%', '1<-1 3<50%', 10)
const edits: Made = orWrong(oneOf(0, 1, 2, 'AUTO', 'AUTO:2,4', '1'), 0.5, 3, 'AUTO:1')
const REWRITES = ['constant_score', 'scoring_boolean', 'constant_score_boolean', 'top_terms_2', 'top_terms_boost_2']
const rewrite: Made = orWrong(oneOf(...REWRITES, 'top_terms_blended_freqs_3'), 'bad')
const lenient = maybe(0.3, true)
const operator: Made = oneOf('and', 'or', 'AND')
const scoring: Made = oneOf('avg', 'sum', 'min', 'max', 'none')
/** What a full text query looks for in a field. */
const words = (f: Field): Rule => (f.type === 'text' ? oneOf(sought(f), text(4), text(2), misspelt) : sought(f))
const zero = oneOf('none', 'all')
/** A value alone or an object with it and options. */
const short = (name: string, value: Rule, options: Rule): Made =>
  oneOf(value, together({ [name]: value, ...boost }, options), together({ [name]: value }, options))
const terms = ['text', 'keyword'] as const
const weighted: Made = (c) => `${make(c, path(...terms))}${c.random.pick(['', '', '^2', '^0.5'])}`
const fields: Made = oneOf(some(1, 4, weighted), some(1, 3, weighted), some(1, 2, path()), [oneOf('*', 'f*', '*.raw')])
const PLAIN_KINDS = ['best_fields', 'most_fields', 'cross_fields', 'phrase', 'phrase_prefix']
const kind: Made = (c) => oneOf(...PLAIN_KINDS, ...(c.typeless ? ['bool_prefix'] : []))
const validation = { 'validation_method?': oneOf('STRICT', 'COERCE', 'IGNORE_MALFORMED'), 'ignore_unmapped?': true }
const dates: Made = oneOf(
  'now/d',
  'now+1h/w',
  '2020-01-01T10:30||-1h/d',
  '2020-01-01||/w',
  '2020-01-01||/M',
  '2019-12-31||+1M/d',
  '2020||/y',
  'now',
  'now-1y/d',
  '1969',
  '2020-02',
)
const range = (f: Field): Rule => {
  const date = f.type.startsWith('date')
  const value = orWrong(date ? oneOf(dates, moment(f.format), moment(f.format), sought(f)) : sought(f), null)
  return {
    'gte?': value,
    'lt?': value,
    from: maybe(0.04, value),
    to: maybe(0.04, value),
    include_lower: maybe(0.04, oneOf(true, false)),
    'lte?': value,
    'gt?': value,
    format: maybe(date ? 0.2 : 0.02, oneOf('yyyy-MM-dd', 'yyyy', 'epoch_millis', 'strict_date_optional_time')),
    time_zone: maybe(date ? 0.2 : 0.02, oneOf('+09:00', 'America/New_York', 'UTC', '-03:30')),
    relation: maybe(f.type.endsWith('_range') ? 0.6 : 0.02, oneOf('within', 'contains', 'intersects')),
    ...boost,
  }
}
const PATTERNS = [
  ...['fo.', '[a-f].*', '(quick|dog)s?', '.*o.*', 'q~(u)ick', '<1-20>', '@', 'd.{1,3}', '"fox"', 'j[^a]mp.*', '.+&.*s'],
  ...['', 'fox|', '(', 'a{2', '[z-a]', '\\d+', '한.*', 'l(a|e)zy?', '[\\w]+', 'x{0}', 'FOX', '<0-5>.7', '()', 'a**'],
]
const cut =
  (rule: Rule): Made =>
  (c) =>
    String(make(c, rule)).slice(0, c.random.whole(1, 4))
const wild =
  (rule: Rule): Made =>
  (c) => {
    const letters = [...String(make(c, rule))].slice(0, 6)
    letters.splice(c.random.whole(0, letters.length), c.random.whole(0, 2), c.random.pick(['*', '?', '*', '\\*']))
    return letters.join('')
  }

/** A piece of `query_string`'s language, or of `simple_query_string`'s. */
const piece =
  (simple: boolean, depth = 0): Made =>
  (c) => {
    const w = String(make(c, word)).replace(/[/:+\-!(){}[\]^"~*?\\|&]/g, c.random.pick(['', '\\$&', '$&']))
    const both: readonly (() => string)[] = [
      ...[
        () => w,
        () => w,
        () => w,
        () => `${w.slice(0, 3)}*`,
        () => `${make(c, misspelt)}~${c.random.pick(['', '1', '2'])}`,
      ],
      ...[() => `"${make(c, text(2)).replaceAll('"', '')}"${c.random.pick(['', '~1', '~3'])}`, () => '*'],
      () =>
        depth > 0
          ? w
          : `(${make(c, some(1, 3, piece(simple, 1))).join(simple ? c.random.pick([' ', ' | ', ' + ']) : c.random.pick([' ', ' OR ', ' AND ']))})`,
      () =>
        c.random.chance(c.wrong * 5)
          ? c.random.pick(['"', '(', '~', '^', ':', '\\', '[a TO', 'AND', '||', '!', '-', '()', 'a:b:c', 'x^'])
          : w,
    ]
    if (simple || c.random.chance(0.6)) return c.random.pick(both)()
    const f = field()(c)
    const value = (): string => JSON.stringify(String(make(c, sought(f))))
    return c.random.pick([
      () => `${f.path}:${value()}`,
      () =>
        `${f.path}:${c.random.pick(['[', '{'])}${value()} TO ${c.random.pick([value(), '*'])}${c.random.pick([']', '}'])}`,
      () => `${f.path}:${c.random.pick(['>', '>=', '<'])}${value()}`,
      () => `${w}^${c.random.pick(['2', '0.5'])}`,
      () => `"${make(c, text(2)).replaceAll('"', '')}"~2^3`,
      () => `(${w} OR ${make(c, word)})^2`,
      () => `f\\*:${w.replace(/\s/g, '')}`,
      () => `${f.path}:(>=${value()} AND <${value()})`,
      () => `${f.path}:[now-1y/y TO now+1d}`,
      () => `${f.path}:${w}~ AND (_exists_:${f.path} OR -${w})`,
      () => `${f.path}:${w.slice(0, 2)}*^2`,
      () => `${f.path}:(${w} ${make(c, word)})`,
      () => `_exists_:${f.path}`,
      () => c.random.pick(['/fo[xX]/', '/.*og/', '/q.+k/']),
      () => `${w.slice(0, 1)}${c.random.pick(['?', '*'])}${w.slice(2)}`,
    ])()
  }

/** Text in `query_string`'s language, or in `simple_query_string`'s. */
export const queryText =
  (simple: boolean): Made =>
  (c) => {
    const joints = simple
      ? [' ', ' ', ' + ', ' | ', ' -']
      : [' ', ' ', ' AND ', ' OR ', ' NOT ', ' +', ' -', ' && ', ' || ']
    let made = make(c, piece(simple))
    for (let n = c.random.whole(0, 3); n > 0; n--) made += c.random.pick(joints) + make(c, piece(simple))
    return made
  }

const span = (f: string): Made => {
  const one = deeper(() => span(f), { span_term: { [f]: word } })
  const list = some(1, 3, one)
  const multi = oneOf(
    { prefix: { [f]: cut(word) } },
    { wildcard: { [f]: wild(word) } },
    { regexp: { [f]: 'fo.*' } },
    { fuzzy: { [f]: misspelt } },
  )
  return named({
    span_term: [5, { [f]: short('value', word, {}) }],
    span_near: [3, { clauses: list, slop: oneOf(0, 1, 3, 10), in_order: oneOf(true, false), ...boost }],
    span_or: [2, { clauses: list, ...boost }],
    span_not: [1, { include: one, exclude: one, 'pre?': whole(0, 2), 'post?': whole(0, 2) }],
    span_first: [1, { match: one, end: whole(1, 6) }],
    span_within: [1, { big: one, little: one }],
    span_containing: [1, { big: one, little: one }],
    span_multi: [1, { match: multi }],
    field_masking_span: [0.3, { query: one, field: f }],
  })
}

const SCORES = { 'weight?': oneOf(2, 0.5, 0, 3.3) }
const decay: Made = (c) => {
  const f = field('number', 'date', 'geo_point')(c)
  const [origin, scale] =
    f.type === 'geo_point'
      ? [place, '100km']
      : f.type === 'date'
        ? [moment(f.format), '10d']
        : [sought(f), oneOf(1, 10)]
  const body = {
    [f.path]: { origin, scale, 'decay?': oneOf(0.3, 0.9) },
    'multi_value_mode?': oneOf('min', 'max', 'avg'),
  }
  return { [c.random.pick(['gauss', 'exp', 'linear'])]: body, ...SCORES }
}
const MODIFIERS = ['none', 'log', 'log1p', 'log2p', 'ln', 'ln1p', 'ln2p', 'square', 'sqrt', 'reciprocal']
const valued = {
  field: path('number', 'boolean', 'date'),
  'factor?': oneOf(1.2, 10),
  'modifier?': oneOf(...MODIFIERS),
  missing: oneOf(1, 0, 2.5),
}
const scored: Made = oneOf(
  { weight: orWrong(oneOf(2, 0.5, 42), -1, 0) },
  { field_value_factor: valued, ...SCORES },
  { random_score: { seed: oneOf(1, 42), field: oneOf('_seq_no', path('keyword')) }, ...SCORES },
  { script_score: { script: { source: oneOf('_score * 2', '1.5', 'params.a'), params: { a: 3 } } } },
  decay,
)

/** Sizes, sorts and so on of the inner hits of a query; what it holds is put in by the searches. */
const innerHits: Rule = {
  'size?': whole(0, 4),
  'from?': whole(0, 2),
  'version?': true,
  '_source?': oneOf(false, 'f*', '*.p1', { excludes: ['*.p2'] }),
  name: maybe(0.3, (c) => `i${c.random.whole(0, 9)}`),
  sort: maybe(0.2, (c) => [{ [path('keyword', 'number', 'date')(c) as string]: 'desc' }, '_doc']),
  docvalue_fields: maybe(0.2, some(1, 2, path())),
  stored_fields: maybe(0.1, oneOf('_none_', '_source', some(1, 2, path()))),
  highlight: maybe(0.2, (c) => ({ fields: { [path('text')(c) as string]: {}, '*': {} } })),
  explain: maybe(0.1, true),
  seq_no_primary_term: maybe(0.1, true),
  script_fields: maybe(0.1, (c) => ({ s: { script: `doc['${path('number', 'keyword')(c)}'].size()` } })),
  ignore_unmapped: maybe(0.05, true),
}

const document = (c: Context): Rule => ({
  _index: c.index,
  ...(c.typeless ? {} : { _type: '_doc' }),
  _id: `${c.random.whole(0, 30)}`,
})
const lookup = (c: Context): Rule => ({
  index: c.index,
  ...(c.typeless ? {} : { type: '_doc' }),
  id: `${c.random.whole(0, 12)}`,
  path: path(),
})
const artificial = (c: Context): Rule => ({
  _index: c.index,
  ...(c.typeless ? {} : { _type: '_doc' }),
  doc: { t0: text(5), k0: word },
})
const like: Made = oneOf(text(8), text(8), document, artificial)
const anyQuery = deeper(
  query,
  named({ match: [2, on(terms, words)], term: [2, on([], sought)], exists: [1, { field: path() }] }),
)
const clauses = oneOrSome(anyQuery)

const nested: Made = (c) => {
  const of = field()(c).nested ?? c.fields.find((f) => f.nested !== undefined)?.nested
  const within = c.fields.filter((f) => f.nested === of)
  const asked = of === undefined || c.random.chance(0.1) ? anyQuery : () => make({ ...c, fields: within }, anyQuery)
  return {
    path: of ?? 'nowhere',
    query: asked,
    'score_mode?': scoring,
    'ignore_unmapped?': true,
    'inner_hits?': innerHits,
    ...boost,
  }
}

/** How a query of each kind is written, and how often it is asked. */
const QUERIES: Readonly<Record<string, readonly [number, Rule]>> = {
  match_all: [0.5, boost],
  match_none: [0.2, boost],
  match: [
    5,
    on(['text'], (f) =>
      short('query', words(f), {
        'operator?': operator,
        'minimum_should_match?': share,
        'fuzziness?': edits,
        prefix_length: maybe(0.1, whole(0, 3)),
        max_expansions: maybe(0.1, oneOf(1, 2, 50)),
        fuzzy_transpositions: maybe(0.1, false),
        lenient,
        zero_terms_query: maybe(0.1, zero),
        analyzer: maybe(0.15, analyzer),
        cutoff_frequency: maybe(0.08, oneOf(0.1, 2)),
        auto_generate_synonyms_phrase_query: maybe(0.1, false),
        fuzzy_rewrite: maybe(0.06, rewrite),
      }),
    ),
  ],
  match_phrase: [
    3,
    on(['text'], (f) =>
      short('query', words(f), { 'slop?': orWrong(oneOf(0, 1, 2, 5), -1), analyzer: maybe(0.1, analyzer) }),
    ),
  ],
  match_phrase_prefix: [
    2,
    on(['text'], (f) =>
      short('query', words(f), {
        'slop?': oneOf(0, 1, 2),
        'max_expansions?': oneOf(1, 2, 10),
        analyzer: maybe(0.1, analyzer),
      }),
    ),
  ],
  multi_match: [
    3,
    (c) => ({
      query: words(field('text')(c)),
      fields,
      type: maybe(0.7, kind),
      'operator?': operator,
      'minimum_should_match?': share,
      'tie_breaker?': oneOf(0, 0.3, 1),
      fuzziness: maybe(0.1, edits),
      slop: maybe(0.1, 2),
      analyzer: maybe(0.1, analyzer),
      lenient,
      zero_terms_query: maybe(0.1, zero),
      prefix_length: maybe(0.06, whole(0, 3)),
      max_expansions: maybe(0.06, oneOf(1, 2, 50)),
      fuzzy_transpositions: maybe(0.04, false),
      fuzzy_rewrite: maybe(0.04, rewrite),
      cutoff_frequency: maybe(0.04, oneOf(0.1, 2)),
      auto_generate_synonyms_phrase_query: maybe(0.08, false),
      ...boost,
    }),
  ],
  query_string: [
    4,
    {
      query: queryText(false),
      fields: maybe(0.5, fields),
      default_field: maybe(0.2, path('text')),
      'default_operator?': operator,
      analyzer: maybe(0.1, analyzer),
      fuzziness: maybe(0.1, edits),
      phrase_slop: maybe(0.1, whole(0, 3)),
      minimum_should_match: maybe(0.2, share),
      lenient: maybe(0.6, true),
      analyze_wildcard: maybe(0.2, true),
      tie_breaker: maybe(0.1, 0.4),
      type: maybe(0.2, kind),
      quote_field_suffix: maybe(0.1, '.raw'),
      rewrite: maybe(0.1, rewrite),
      escape: maybe(0.05, true),
      allow_leading_wildcard: maybe(0.1, false),
      enable_position_increments: maybe(0.05, false),
      time_zone: maybe(0.05, '+09:00'),
      fuzzy_max_expansions: maybe(0.05, oneOf(1, 2)),
      fuzzy_prefix_length: maybe(0.08, oneOf(1, 3)),
      fuzzy_transpositions: maybe(0.05, false),
      auto_generate_synonyms_phrase_query: maybe(0.08, false),
      quote_analyzer: maybe(0.06, analyzer),
      max_determinized_states: maybe(0.03, oneOf(2, 1000)),
      ...boost,
    },
  ],
  simple_query_string: [
    3,
    {
      query: queryText(true),
      fields: maybe(0.7, fields),
      'default_operator?': operator,
      analyzer: maybe(0.1, analyzer),
      'flags?': orWrong(oneOf('ALL', 'NONE', 'AND|OR', 'PREFIX|PHRASE', 'OR|FUZZY|SLOP', -1), 'BAD'),
      minimum_should_match: maybe(0.2, share),
      lenient: maybe(0.6, true),
      analyze_wildcard: maybe(0.2, true),
      quote_field_suffix: maybe(0.1, '.raw'),
      fuzzy_max_expansions: maybe(0.1, 2),
      fuzzy_prefix_length: maybe(0.1, oneOf(1, 3)),
      fuzzy_transpositions: maybe(0.06, false),
      auto_generate_synonyms_phrase_query: maybe(0.1, false),
      ...boost,
    },
  ],
  term: [3, on([], (f) => short('value', sought(f), anyCase))],
  terms: [
    2,
    together(
      on([], (f) => some(0, 4, sought(f))),
      boost,
    ),
  ],
  terms_set: [
    1,
    on(terms, (f) =>
      together(
        { terms: some(1, 4, sought(f)), ...boost },
        oneOf(
          { minimum_should_match_field: path('number') },
          { minimum_should_match_script: { source: 'Math.min(params.num_terms, 2)' } },
        ),
      ),
    ),
  ],
  range: [4, on(['number', 'date', 'keyword', 'ip', 'range', 'text'], range)],
  exists: [1.5, { field: path(), ...boost }],
  prefix: [1.5, on(terms, (f) => short('value', cut(sought(f)), together({ 'rewrite?': rewrite }, anyCase)))],
  wildcard: [1.5, on(terms, (f) => short('value', wild(sought(f)), together({ 'rewrite?': rewrite }, anyCase)))],
  regexp: [
    1.5,
    on(terms, () =>
      short(
        'value',
        oneOf(...PATTERNS),
        together(
          { 'flags?': oneOf('ALL', 'NONE', 'INTERSECTION|COMPLEMENT', 'INTERVAL'), 'rewrite?': rewrite },
          { max_determinized_states: maybe(0.05, oneOf(2, 1000)) },
          anyCase,
        ),
      ),
    ),
  ],
  fuzzy: [
    1.5,
    on(terms, (f) =>
      short('value', oneOf(misspelt, misspelt, sought(f)), {
        'fuzziness?': edits,
        'prefix_length?': whole(0, 3),
        'max_expansions?': oneOf(1, 2, 50),
        'transpositions?': false,
        'rewrite?': rewrite,
      }),
    ),
  ],
  ids: [0.7, { values: some(0, 5, oneOf('1', '7', whole(0, 40))), ...boost }],
  geo_distance: [
    1,
    together(
      {
        distance: oneOf('10km', '1km', 1000, '500mi', '5000km', '0.5', '3nmi'),
        ...validation,
        ...boost,
        'distance_type?': oneOf('arc', 'plane'),
      },
      on(['geo_point'], () => place),
    ),
  ],
  geo_bounding_box: [
    1,
    together(
      { ...validation, ...boost, 'type?': oneOf('memory', 'indexed') },
      on(['geo_point'], () =>
        oneOf(
          { top_left: place, bottom_right: place },
          { top: 50, left: 100, bottom: 0, right: 150 },
          { wkt: 'BBOX (100.0, 150.0, 50.0, 0.0)' },
        ),
      ),
    ),
  ],
  geo_polygon: [
    0.5,
    together(
      { ...validation, ...boost },
      on(['geo_point'], () => ({
        points: oneOf(
          [
            [120, 30],
            [130, 30],
            [130, 40],
          ],
          ['30,120', '30,130', '40,125'],
          some(3, 4, place),
        ),
      })),
    ),
  ],
  more_like_this: [
    1.2,
    {
      'fields?': some(1, 3, path(...terms)),
      like: oneOrSome(like),
      'unlike?': like,
      min_term_freq: 1,
      min_doc_freq: oneOf(1, 2),
      'max_query_terms?': oneOf(2, 5),
      'minimum_should_match?': share,
      'boost_terms?': 2.5,
      stop_words: maybe(0.1, ['the', 'fox']),
      analyzer: maybe(0.05, analyzer),
      max_doc_freq: maybe(0.1, 5),
      min_word_length: maybe(0.1, 3),
      max_word_length: maybe(0.05, 5),
      fail_on_unsupported_field: maybe(0.1, false),
      'include?': true,
      ...boost,
    },
  ],
  script: [
    0.4,
    (c) => ({
      script: oneOf(`doc['${path('number', 'keyword')(c)}'].size() > 1`, `doc['${path('number')(c)}'].value > 2`),
      ...boost,
    }),
  ],
  rank_feature: [
    0.2,
    together(
      { field: oneOf(path('rank_feature'), path('rank_features')), ...boost },
      orWrong(
        oneOf(
          {},
          { saturation: { 'pivot?': 5 } },
          { log: { scaling_factor: 2 } },
          { sigmoid: { pivot: 3, exponent: 0.6 } },
        ),
        { linear: {} },
        { log: { scaling_factor: 2 }, saturation: {} },
      ),
    ),
  ],
  wrapper: [0.15, (c) => ({ query: Buffer.from(json(make(c, anyQuery))).toString('base64') })],
  bool: [
    5,
    {
      must: maybe(0.45, clauses),
      should: maybe(0.6, clauses),
      'filter?': clauses,
      'must_not?': clauses,
      'minimum_should_match?': share,
      adjust_pure_negative: maybe(0.05, oneOf(true, false)),
      ...boost,
    },
  ],
  dis_max: [1, { queries: some(1, 3, anyQuery), 'tie_breaker?': oneOf(0, 0.3, 1), ...boost }],
  constant_score: [1, { filter: anyQuery, ...boost }],
  boosting: [0.8, { positive: anyQuery, negative: anyQuery, negative_boost: oneOf(0.2, 0, 1, 2) }],
  function_score: [
    2,
    {
      query: maybe(0.85, anyQuery),
      functions: some(1, 3, together({ 'filter?': anyQuery }, scored)),
      'score_mode?': oneOf('multiply', 'sum', 'avg', 'first', 'max'),
      'boost_mode?': oneOf('replace', 'sum', 'avg', 'max', 'min'),
      'max_boost?': oneOf(1, 5),
      min_score: maybe(0.1, oneOf(0.5, 1)),
      ...boost,
    },
  ],
  nested: [2, nested],
}
const percolated = { t0: text(6), 'k0?': word }
/** Queries of fields of types that few mappings have. */
const OF_TYPES: Readonly<Record<string, typeof QUERIES>> = {
  percolator: {
    percolate: [
      2,
      together(
        { field: path('percolator'), name: maybe(0.1, 'slot'), ...boost },
        oneOf({ document: percolated }, { documents: some(1, 3, percolated) }, (c) => ({
          index: c.index,
          ...(c.typeless ? {} : { type: '_doc' }),
          id: `${c.random.whole(0, 20)}`,
        })),
      ),
    ],
  },
  geo_shape: {
    geo_shape: [
      1.5,
      together(
        { 'ignore_unmapped?': true, ...boost },
        on(['geo_shape'], () => ({
          shape,
          'relation?': oneOf('intersects', 'disjoint', 'within', 'contains'),
          strategy: maybe(0.05, 'recursive'),
        })),
      ),
    ],
  },
}
const JOINED: typeof QUERIES = {
  has_child: [
    1,
    {
      type: oneOf('ans', 'ans', 'com', 'q'),
      query: anyQuery,
      'score_mode?': scoring,
      'min_children?': whole(0, 2),
      'inner_hits?': innerHits,
      ...boost,
    },
  ],
  has_parent: [
    1,
    { parent_type: oneOf('q', 'q', 'ans'), query: anyQuery, 'score?': true, 'inner_hits?': innerHits, ...boost },
  ],
  parent_id: [0.3, { type: oneOf('ans', 'com'), id: oneOf('0', '1'), 'ignore_unmapped?': true, ...boost }],
}
const OLD: typeof QUERIES = {
  common: [
    0.8,
    on(['text'], () => ({
      query: text(5),
      cutoff_frequency: oneOf(0.01, 0.3, 2),
      'low_freq_operator?': 'and',
      'minimum_should_match?': oneOf(1, '50%', { low_freq: 1, high_freq: 2 }),
      ...boost,
    })),
  ],
  type: [0.3, { value: oneOf('_doc', 'x') }],
}
const anyCase = (c: Context): Rule => (c.typeless ? { case_insensitive: maybe(0.3, oneOf(true, false)) } : {})
const passage: Made = deeper(
  interval,
  oneOf({ match: { query: text(2) } }, { match: { query: word } }, { prefix: { prefix: cut(word) } }),
)
const FILTERS_OF_PASSAGES =
  'containing contained_by not_containing not_contained_by overlapping not_overlapping before after'
const filtering: Made = (c) => ({ [c.random.pick(FILTERS_OF_PASSAGES.split(' '))]: passage })
/** A rule of an `intervals` query. */
function interval(c: Context): Rule {
  const common = { 'max_gaps?': oneOf(-1, 0, 1, 3), 'filter?': filtering }
  return named({
    match: [4, { query: oneOf(text(3), word), 'ordered?': true, analyzer: maybe(0.05, analyzer), ...common }],
    any_of: [1, { intervals: some(1, 3, passage), 'filter?': filtering }],
    all_of: [2, { intervals: some(1, 3, passage), 'ordered?': true, ...common }],
    prefix: [1, { prefix: cut(word) }],
    wildcard: [1, { pattern: wild(word) }],
    regexp: [0.5, { pattern: 'fo.*', 'case_insensitive?': true }],
    fuzzy: [1, { term: misspelt, 'fuzziness?': edits, 'prefix_length?': 1 }],
  })(c)
}
const NEW: typeof QUERIES = {
  intervals: [1, on(['text'], () => together(interval, boost))],
  script_score: [
    0.6,
    {
      query: anyQuery,
      script: {
        source: oneOf(
          '_score * 2',
          'params.a',
          (c) => `doc['${path('number')(c)}'].size() == 0 ? 0.5 : Math.abs(doc['${path('number')(c)}'].value)`,
          (c) => `saturation(1 + doc['${path('number')(c)}'].size(), 2)`,
        ),
        params: { a: 3 },
      },
      min_score: maybe(0.1, 1),
      ...boost,
    },
  ],
  match_bool_prefix: [
    1,
    on(['text'], (f) =>
      short('query', words(f), {
        'operator?': operator,
        'minimum_should_match?': share,
        fuzziness: maybe(0.1, edits),
        analyzer: maybe(0.1, analyzer),
      }),
    ),
  ],
  distance_feature: [
    0.7,
    oneOf(
      { field: path('date'), origin: '2020-01-01', pivot: '7d', ...boost },
      { field: path('geo_point'), origin: place, pivot: '10km', ...boost },
    ),
  ],
}

/** A query of any kind; bare ones from the third level on. */
export function query(c: Context): Rule {
  if (c.random.chance(0.07)) return span(field('text')(c).path)
  if (c.random.chance(0.03)) return { terms: { [field('keyword', 'text')(c).path]: lookup } }
  const joined = c.fields.some((f) => f.type === 'join') ? JOINED : {}
  const ofTypes = Object.entries(OF_TYPES).map(([type, table]) => (c.fields.some((f) => f.type === type) ? table : {}))
  return named(known(c, Object.assign({}, QUERIES, joined, c.typeless ? NEW : OLD, ...ofTypes)))
}
