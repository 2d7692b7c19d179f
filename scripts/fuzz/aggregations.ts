import {
  type Context,
  deeper,
  type Field,
  field,
  type Json,
  type Made,
  make,
  maybe,
  named,
  oneOf,
  orWrong,
  path,
  type Rule,
  some,
  together,
  whole,
} from './grammar.ts'
import { bucketScript, numberScript, scriptedMetric, truthScript } from './scripts.ts'
import { moment, place } from './values.ts'

const DATE = 'yyyy-MM-dd HH:mm:ss||yyyy-MM-dd||epoch_millis'
/** Few values in many documents, so that buckets fill. */
export const aggregated = (c: Context): Json => ({
  properties: {
    k: { type: 'keyword' },
    km: { type: 'keyword' },
    l: { type: 'long' },
    lm: { type: 'integer' },
    d: { type: 'double' },
    hf: { type: 'half_float' },
    dt: { type: 'date' },
    dm: { type: 'date', format: DATE },
    b: { type: 'boolean' },
    ip: { type: 'ip' },
    g: { type: 'geo_point' },
    t: { type: 'text', fielddata: true },
    big: { type: 'long' },
    n: { type: 'nested', properties: { a: { type: 'keyword' }, v: { type: 'integer' }, dt: { type: 'date' } } },
    o: { properties: { p: { type: 'keyword' }, q: { type: 'long' } } },
    al: { type: 'alias', path: 'l' },
    rg: { type: 'integer_range' },
    dr: { type: 'date_range' },
    kn: { type: 'keyword', normalizer: 'n_low' },
    f: { type: 'float' },
    ...Object.fromEntries(Object.entries(MORE).filter(([, { type }]) => knows(c, type))),
  },
})
const MORE: Readonly<Record<string, Json>> = {
  sf: { type: 'scaled_float', scaling_factor: 100 },
  dn: { type: 'date_nanos' },
  ul: { type: 'unsigned_long' },
  jn: { type: 'join', relations: { q: 'ans' } },
}
/** Whether the server has a type at all. */
const knows = (c: Context, type: string): boolean =>
  !c.lacking.includes(type) && (c.typeless || !['date_nanos', 'unsigned_long'].includes(type))
/** Another index whose fields by the same names are of other types, or are not there. */
export const aggregatedOtherwise: Json = {
  properties: {
    k: { type: 'keyword', ignore_above: 4 },
    km: { type: 'keyword' },
    l: { type: 'double' },
    lm: { type: 'long' },
    d: { type: 'float' },
    dt: { type: 'date', format: 'strict_date_optional_time||epoch_millis' },
    dm: { type: 'date' },
    b: { type: 'boolean' },
    ip: { type: 'ip' },
    t: { type: 'text', fielddata: true },
    o: { properties: { p: { type: 'keyword' }, q: { type: 'short' } } },
  },
}
/** A document of {@link aggregatedOtherwise}, with nothing that it does not map. */
export const otherDocument: Made = (c) => {
  const made = make(c, aggregatedDocument)
  return Object.fromEntries(Object.keys(aggregatedOtherwise.properties).map((name) => [name, made[name]]))
}
const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'Eps', '한글', 'a b', '', '#x', 'éa']
const name: Made = oneOf(...WORDS)
const day: Made = (c) =>
  Date.UTC(2014 + c.random.whole(0, 3), c.random.whole(0, 11), 1, c.random.whole(0, 700), 0, c.random.whole(0, 59))
const present = (rule: Rule): Made => maybe(0.85, rule)
/** A document of {@link aggregated}. */
export const aggregatedDocument: Rule = {
  k: present(name),
  km: present(some(0, 3, name)),
  l: present(whole(-10, 30)),
  lm: present(some(0, 3, whole(0, 20))),
  d: present((c) => c.random.whole(-100_000, 100_000) / 1000),
  hf: present((c) => c.random.whole(0, 100) / 4),
  dt: present((c) => new Date(make(c, day)).toISOString()),
  dm: present(day),
  b: present(oneOf(true, false)),
  ip: present((c) => `10.0.${c.random.whole(0, 3)}.${c.random.whole(0, 255)}`),
  g: present(oneOf(place, { lat: whole(-80, 80), lon: whole(-170, 170) })),
  t: present((c) => make(c, some(1, 8, name)).join(' ')),
  'big?': oneOf(9007199254740993n, 9223372036854775807n, -9223372036854775808n),
  n: present(some(0, 3, { a: name, v: whole(0, 30), dt: (c) => make(c, day) })),
  o: present({ p: name, q: whole(0, 6) }),
  rg: present((c) => ({ gte: c.random.whole(0, 5) * 3, lt: 20 + c.random.whole(0, 9) })),
  dr: present((c) => {
    const from = make(c, day)
    return { gte: from, lt: from + c.random.whole(0, 90) * 86_400_000 }
  }),
  kn: present(name),
  f: present((c) => c.random.whole(-1000, 1000) / 10),
  sf: (c) => (knows(c, 'scaled_float') ? present((inner) => inner.random.whole(-1000, 1000) / 100) : undefined),
  dn: (c) => (knows(c, 'date_nanos') ? present((inner) => new Date(make(inner, day)).toISOString()) : undefined),
  ul: (c) =>
    knows(c, 'unsigned_long') ? present(oneOf(0, 5, 9, 9223372036854775808n, 18446744073709551615n)) : undefined,
  jn: (c) =>
    knows(c, 'join')
      ? oneOf('q', 'q', { name: 'ans', parent: (inner: Context) => String(inner.random.whole(0, 40)) })
      : undefined,
}

const NUMBER = ['number', 'number', 'number', 'date', 'boolean'] as const
const number: Made = path('number')
const date: Made = path('date')
/** What histograms may be of: as many buckets as there are steps from the least to the greatest, all held at once. */
const narrow: Made = oneOf('l', 'lm', 'd', 'hf', 'al', 'b', 'o.q', 'n.v', 'nowhere')
const anything: Made = path('keyword', 'number', 'text', 'ip', 'boolean', 'date')
const numeral: Made = oneOf('0.00', '#,##0.00', '0000', '000.0E0', '$#', '0.0%', '###;(###)')
const dated: Made = oneOf(
  'yyyy-MM-dd',
  'yyyy',
  'MM/yy',
  'epoch_millis',
  'strict_date_time',
  "yyyy-MM-dd'T'HH:mm:ssZZ",
  'E',
  'w xxxx',
  'epoch_second',
  'date_hour_minute',
  'yyyy||MM',
  'dd MMM yyyy HH:mm',
)
const zone: Made = orWrong(
  oneOf('UTC', '+09:00', 'Asia/Seoul', 'America/New_York', '-03:30', 'America/Sao_Paulo'),
  '+1:00',
  'Nope/Zone',
)
const fallback = (f: Field): Rule =>
  f.type === 'date'
    ? '2015-01-01'
    : f.type === 'keyword' || f.type === 'text'
      ? oneOf('none', 'alpha')
      : f.type === 'ip'
        ? '10.0.0.1'
        : orWrong(oneOf(0, 5, -3.5), 'x')
const scripted: Made = oneOf(
  "doc['lm']",
  "doc['l'].size() == 0 ? null : doc['l'].value",
  "doc['l'].size() == 0 ? 0 : doc['l'].value % 5",
  "doc['km'].size()",
)
const values: Made = (c) => {
  const f = field(...NUMBER)(c)
  const script = { script: oneOf('_value * 2', '-_value') }
  if (c.typeless && c.random.chance(0.06)) return { script: numberScript }
  if (c.random.chance(0.05))
    return { script: scripted, missing: maybe(0.1, 3), value_type: maybe(0.3, oneOf('long', 'double', 'date')) }
  return together(
    { field: f.path, missing: maybe(0.15, fallback(f)), format: maybe(0.1, f.type === 'date' ? dated : numeral) },
    maybe(0.06, script),
  )
}
const plain: Made = { field: path(...NUMBER), missing: maybe(0.1, 0) } as Json
// So many centroids that none are joined: the real server draws lots for what it joins.
const exact = { tdigest: { compression: 1000 } }
const sketch: Made = together(oneOf({ hdr: { 'number_of_significant_value_digits?': oneOf(2, 3, 5) } }, exact, exact), {
  'keyed?': false,
})
const METRICS: Readonly<Record<string, readonly [number, Rule]>> = {
  avg: [1, values],
  sum: [1, values],
  min: [1, values],
  max: [1, values],
  stats: [1, values],
  extended_stats: [1, together(values, { 'sigma?': oneOf(0, 1, 2.5) })],
  value_count: [1, { field: oneOf(anything, path('geo_point')), missing: maybe(0.1, oneOf('alpha', 5)) }],
  cardinality: [
    1,
    (c) => {
      const f = field('keyword', 'number', 'text', 'ip', 'boolean', 'date')(c)
      return { field: f.path, 'precision_threshold?': oneOf(0, 3, 100, 50_000), missing: maybe(0.15, fallback(f)) }
    },
  ],
  percentiles: [1, together(plain, { 'percents?': oneOf([50], [0, 100], [25.5, 75], [90, 10]) }, sketch)],
  percentile_ranks: [1, together(plain, { values: oneOf([5], [1, 20, 30], [-5.5]) }, sketch)],
  geo_bounds: [1, { field: path('geo_point'), 'wrap_longitude?': false, missing: maybe(0.1, '1,2') }],
  geo_centroid: [1, { field: path('geo_point'), missing: maybe(0.1, oneOf('1,2', 'u')) }],
  weighted_avg: [
    1,
    { value: { field: number, 'missing?': 2.5 }, weight: { field: number }, format: maybe(0.1, numeral) },
  ],
  matrix_stats: [0.5, { fields: oneOf(['l'], ['l', 'd'], ['l', 'd', 'hf']), 'mode?': oneOf('min', 'median') }],
  median_absolute_deviation: [0.5, together(plain, { 'compression?': orWrong(oneOf(1000, 2000), 0, 'x') })],
  top_hits: [
    1,
    {
      'size?': oneOf(0, 1, 5),
      'from?': 1,
      sort: oneOf([{ l: 'asc' }, '_doc'], ['_score', '_doc'], [{ dt: { order: 'desc', missing: '_first' } }, '_doc']),
      'highlight?': { fields: { t: {} } },
      'script_fields?': { s: { script: "doc['lm'].size()" } },
      'explain?': true,
      'track_scores?': true,
      'stored_fields?': oneOf('_none_', ['k']),
      '_source?': oneOf(false, ['k', 'l'], { excludes: ['d*'] }),
      'docvalue_fields?': oneOf(['l'], ['dt']),
      version: maybe(0.1, true),
      'seq_no_primary_term?': true,
    },
  ],
  scripted_metric: [
    0.3,
    (c) =>
      c.typeless && c.random.chance(0.8)
        ? scriptedMetric
        : {
            init_script: 'state.c = 0',
            map_script: "state.c += doc['l'].size()",
            combine_script: 'return state.c',
            reduce_script: 'def s = 0; for (x in states) s += x; return s',
          },
  ],
}
/** Fails for documents without a value: only those may be asked that all else lets through. */
const filteredByScript: Made = (c) => ({
  script: { script: c.typeless ? "doc['l'].value > 3" : "doc['l'].size() > 1" },
})
const filter: Made = oneOf(
  (c) => (c.typeless && c.random.chance(0.5) ? { script: { script: truthScript } } : { exists: { field: 'l' } }),
  { nested: { path: 'n', query: { range: { 'n.v': { gte: whole(0, 25) } } } } },
  { bool: { should: [{ term: { km: 'beta' } }, { range: { d: { lt: 10 } } }], 'must_not?': { term: { k: 'alpha' } } } },
  { terms: { 'o.p': some(1, 3, name) } },
  { prefix: { kn: 'a' } },
  ...[{ match_all: {} }, { term: { k: 'alpha' } }, { term: { b: true } }, { exists: { field: 'd' } }],
  { range: { l: { gte: whole(0, 20) } } },
  { match: { t: 'alpha beta' } },
  { range: { dt: { gte: '2015', lt: '2016-06' } } },
  filteredByScript,
)
const edges = (low: Rule, high: Rule): Rule =>
  some(1, 3, { from: maybe(0.7, low), to: maybe(0.7, high), 'key?': oneOf('A', 'B') })
const keyed = { 'keyed?': true }
const missed = { missing: maybe(0.1, orWrong(oneOf(0, 7), 'x')) }
const ordered = { 'order?': oneOf({ _count: 'asc' }, { _key: 'desc' }, [{ _count: 'desc' }, { _key: 'asc' }]) }
const few = { 'min_doc_count?': oneOf(0, 1, 3, 30) }
const interval: Made = orWrong(
  oneOf('month', 'year', 'quarter', '1M', '30d', '1y', 'week', '720h', '90d'),
  '0d',
  'x',
  '1.5d',
)
const histogram = { ...keyed, ...ordered, ...few }
const gone = {
  'missing_bucket?': true,
  missing_order: (c: Context) => (c.typeless ? maybe(0.15, oneOf('first', 'last', 'default')) : undefined),
}
const composed: Made = named({
  terms: [2, { field: anything, 'order?': 'desc', ...gone }],
  geotile_grid: [
    0.2,
    (c) => (c.typeless ? { field: path('geo_point'), precision: oneOf(1, 3, 8), ...gone } : undefined),
  ],
  histogram: [1, { field: narrow, interval: oneOf(5, 2.5), 'order?': 'desc', ...gone }],
  date_histogram: [
    1,
    (c) => ({
      field: date,
      [c.typeless ? (oneOf('calendar_interval', 'interval')(c) as string) : 'interval']: oneOf('month', '1d'),
      'format?': dated,
      'time_zone?': zone,
      ...(c.typeless ? { 'offset?': oneOf('+6h', '-1d') } : {}),
      ...gone,
    }),
  ],
})
const BUCKETS: Readonly<Record<string, readonly [number, Rule]>> = {
  terms: [
    4,
    (c) => {
      if (c.random.chance(0.05))
        return {
          script: oneOf("doc['k'].size() == 0 ? 'none' : doc['k'].value + '!'", "doc['km']", scripted),
          'value_type?': oneOf('long', 'string', 'double', 'boolean'),
          'size?': 5,
          ...ordered,
          ...few,
        }
      const f = field('keyword', 'number', 'text', 'ip', 'boolean', 'date')(c)
      const chosen =
        f.type === 'keyword'
          ? oneOf('.*a', '[^a].*|a b', ['alpha', 'beta'], { partition: 0, num_partitions: 3 })
          : oneOf([1, 2, 3], { partition: 1, num_partitions: 4 })
      const left = f.type === 'keyword' ? oneOf('.*a', '', ['beta', 'Eps']) : oneOf([1, 5], [2.5, '3'])
      return {
        field: c.random.chance(0.05) ? 'big' : f.path,
        'size?': oneOf(1, 2, 5, 100),
        'shard_size?': oneOf(1, 50),
        ...few,
        ...ordered,
        missing: maybe(0.1, fallback(f)),
        'include?': chosen,
        exclude: maybe(0.15, left),
        format: maybe(0.1, f.type === 'date' ? dated : f.type === 'keyword' ? undefined : numeral),
        'shard_min_doc_count?': oneOf(0, 2),
        'collect_mode?': oneOf('depth_first', 'breadth_first'),
        execution_hint: maybe(0.1, 'map'),
        'show_term_doc_count_error?': true,
      }
    },
  ],
  significant_terms: [
    0.7,
    together(
      {
        field: path('keyword', 'keyword', 'number', 'date', 'ip', 'boolean'),
        'size?': 3,
        min_doc_count: oneOf(1, 2),
        'background_filter?': filter,
        'shard_size?': 20,
        'execution_hint?': 'map',
        'include?': oneOf('.*a', ['alpha', 'beta', '2']),
        'exclude?': oneOf('a.*', ['beta', '1']),
      },
      oneOf(
        {},
        { jlh: {} },
        { chi_square: { 'include_negatives?': true, 'background_is_superset?': false } },
        { mutual_information: { 'include_negatives?': true, 'background_is_superset?': false } },
        { gnd: { 'background_is_superset?': false } },
        { percentage: {} },
      ),
    ),
  ],
  significant_text: [
    0.4,
    {
      field: 't',
      'size?': 4,
      min_doc_count: oneOf(1, 2),
      'filter_duplicate_text?': true,
      'background_filter?': filter,
    },
  ],
  histogram: [
    2,
    together(
      {
        field: narrow,
        interval: orWrong(oneOf(5, 10, 50), 0, -1, 'x'),
        'offset?': oneOf(1, -3, 0.5),
        'extended_bounds?': oneOf({ min: -10, max: 30 }, { max: 100 }),
        format: maybe(0.1, numeral),
        missing: maybe(0.08, oneOf(0, 7, -2.5)),
      },
      histogram,
    ),
  ],
  date_histogram: [
    3,
    (c) => ({
      field: date,
      [c.typeless ? 'calendar_interval' : 'interval']: c.typeless ? oneOf('month', '1y') : interval,
      'time_zone?': zone,
      'offset?': oneOf('+6h', '-1d'),
      'format?': dated,
      'extended_bounds?': oneOf({ min: '2013-01-01', max: '2018-06-01' }, { max: 1_600_000_000_000 }),
      missing: maybe(0.08, oneOf('2015-01-01', 1_420_070_400_000)),
      ...histogram,
    }),
  ],
  auto_date_histogram: [1, { field: date, 'buckets?': oneOf(1, 3, 10, 50), 'time_zone?': zone, 'format?': dated }],
  range: [
    1,
    {
      field: number,
      ranges: edges(oneOf(0, 5, -10, 2.5, '3'), oneOf(10, 20, 7.7, '15')),
      format: maybe(0.1, numeral),
      ...missed,
      ...keyed,
    },
  ],
  date_range: [
    1,
    {
      field: date,
      ranges: edges(oneOf('2015-06', moment(), 'now-100y/y'), oneOf('2016-02-10||/M', moment())),
      'format?': dated,
      'time_zone?': zone,
      missing: maybe(0.15, '2015-07-01'),
      ...keyed,
    },
  ],
  ip_range: [
    0.7,
    {
      field: path('ip'),
      ranges: some(
        1,
        3,
        orWrong(
          oneOf(
            { to: '10.0.1.0' },
            { from: '10.0.1.5', to: '10.0.3.0', 'key?': 'A' },
            { mask: '10.0.2.0/25', 'key?': 'B' },
            { mask: '::/0' },
            { from: '::ffff:10.0.2.7' },
          ),
          { mask: '10.0.0.0/99' },
          {},
        ),
      ),
      ...keyed,
    },
  ],
  geo_distance: [
    0.7,
    {
      field: path('geo_point'),
      origin: place,
      ranges: edges(oneOf(0, 1e6), oneOf(5e6, 1e4)),
      'unit?': oneOf('km', 'mi'),
      'distance_type?': oneOf('plane', 'arc'),
      ...keyed,
    },
  ],
  geohash_grid: [
    0.7,
    {
      field: path('geo_point'),
      'precision?': orWrong(oneOf(1, 3, 5, '100km', '2'), 0, 13),
      'size?': 3,
      'shard_size?': 2,
    },
  ],
  filter: [1, filter],
  filters: [
    1,
    {
      filters: oneOf({ a: filter, z: filter, b: filter }, [filter, filter]),
      'other_bucket?': true,
      'other_bucket_key?': 'rest',
    },
  ],
  adjacency_matrix: [0.5, { filters: { A: filter, B: filter, C: filter }, 'separator?': oneOf('|', '') }],
  missing: [0.7, { field: oneOf(anything, path('geo_point')), missing: maybe(0.1, 5) }],
  global: [0.2, {}],
  children: [0.3, { type: orWrong('ans', 'q', 'nope') }],
  parent: [0.2, { type: orWrong('ans', 'q', 'nope') }],
  sampler: [0.5, { shard_size: oneOf(5, 1000) }],
  diversified_sampler: [0.3, { shard_size: 20, field: path('keyword', 'number'), 'max_docs_per_value?': 3 }],
  composite: [
    1,
    {
      sources: oneOf(
        [{ s0: composed }, { s1: composed }],
        [{ s0: composed }],
        [{ s0: composed }, { s1: composed }, { s2: composed }],
        [{ s0: composed }, orWrong({ s1: composed }, { s0: composed })],
      ),
      'size?': oneOf(1, 3, 20),
      after: maybe(0.1, { s0: oneOf(1, 'alpha', null, '2015-01-01'), s1: oneOf(5, 'beta', 1_420_070_400_000) }),
    },
  ],
  nested: [1, { path: orWrong('n', 'nowhere', 'o') }],
  reverse_nested: [0.1, {}],
}
/** What 6.8 does not know. */
const NEW: typeof BUCKETS = {
  rare_terms: [
    1,
    {
      field: anything,
      'max_doc_count?': orWrong(oneOf(1, 5, 50), 0, 101),
      'include?': ['alpha', 'beta'],
      'exclude?': '.*a',
      missing: maybe(0.1, 'none'),
    },
  ],
  variable_width_histogram: [
    1,
    {
      field: narrow,
      'buckets?': orWrong(oneOf(1, 3, 20), 0),
      'shard_size?': oneOf(20, 100),
      'initial_buffer?': oneOf(100, 400),
    },
  ],
  multi_terms: [
    1,
    {
      terms: some(2, 3, {
        field: path('keyword', 'number', 'ip', 'boolean', 'date'),
        missing: maybe(0.2, oneOf(1, 'x')),
      }),
      'size?': oneOf(1, 3, 50),
      ...few,
      ...ordered,
    },
  ],
  significant_text: [
    0.5,
    { field: path('text'), 'size?': 3, 'min_doc_count?': oneOf(1, 2), 'filter_duplicate_text?': true },
  ],
  date_histogram: [
    1,
    {
      field: date,
      fixed_interval: orWrong(oneOf('30d', '12h', '90d', '720h'), '1M', '0d', 'x', 5),
      'time_zone?': zone,
      'offset?': oneOf('+6h', '-1d'),
      'format?': dated,
      ...histogram,
    },
  ],
  histogram: [
    1,
    {
      field: oneOf(narrow, 'rg'),
      interval: oneOf(5, 10),
      'hard_bounds?': oneOf({ min: 0, max: 20 }, { min: 5 }),
      ...histogram,
    },
  ],
}
/** What OpenSearch has in modules. */
const OF_MODULES = ['geo_bounds', 'geohash_grid', 'matrix_stats']
const known = <T>({ bare }: Context, table: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(table).filter(([name]) => !bare || !OF_MODULES.includes(name)))

const gap = { 'gap_policy?': orWrong(oneOf('skip', 'insert_zeros'), 'x'), format: maybe(0.1, numeral) }
/** Pipelines over a metric or the count beside them. */
const beside = (path: string): Made =>
  named({
    derivative: [1, { buckets_path: path, 'unit?': oneOf('1d', 'month', '3h'), ...gap }],
    cumulative_sum: [1, { buckets_path: path }],
    moving_fn: [
      1,
      {
        buckets_path: path,
        window: oneOf(1, 3, 10),
        script: oneOf(
          'MovingFunctions.unweightedAvg(values)',
          'MovingFunctions.max(values)',
          'MovingFunctions.ewma(values, 0.3)',
          'MovingFunctions.holt(values, 0.3, 0.1)',
          'MovingFunctions.linearWeightedAvg(values)',
          'MovingFunctions.stdDev(values, MovingFunctions.unweightedAvg(values))',
          'MovingFunctions.sum(values)',
          'MovingFunctions.min(values)',
          'MovingFunctions.holtWinters(values, 0.3, 0.1, 0.2, 2, false)',
        ),
        ...gap,
      },
    ],
    moving_avg: [
      1,
      {
        buckets_path: path,
        'window?': oneOf(2, 5),
        'predict?': oneOf(1, 3),
        'model?': oneOf('simple', 'linear', 'ewma', 'holt'),
        'settings?': oneOf({ alpha: 0.6 }, { alpha: 0.2, beta: 0.7 }, { period: 2, type: 'mult' }),
        'minimize?': false,
        ...gap,
      },
    ],
    serial_diff: [1, { buckets_path: path, lag: oneOf(1, 2), ...gap }],
    bucket_script: [
      1,
      (c) =>
        c.typeless && c.random.chance(0.6)
          ? { buckets_path: { a: path, b: '_count' }, script: bucketScript(false), ...gap }
          : {
              buckets_path: { a: path },
              script: orWrong(oneOf('params.a * 2', 'params.a > 3 ? 1 : null'), 'nope', 'params.a.nope()'),
              ...gap,
            },
    ],
    bucket_selector: [
      1,
      oneOf(
        { buckets_path: { a: path }, script: 'params.a > 3' },
        {
          buckets_path: { a: path, b: '_count' },
          script: bucketScript(true),
          'gap_policy?': oneOf('skip', 'insert_zeros'),
        },
      ),
    ],
    bucket_sort: [1, { sort: [{ [path]: 'desc' }], 'size?': oneOf(1, 3), 'from?': oneOf(0, 2), ...gap }],
  })
/** Pipelines over a metric or the count within each bucket of another aggregation. */
const over = (path: string): Made =>
  named(
    Object.fromEntries(
      ['avg', 'sum', 'min', 'max', 'stats', 'extended_stats', 'percentiles'].map((kind) => [
        `${kind}_bucket`,
        [
          1,
          {
            buckets_path: orWrong(path, path.split('>')[0]),
            ...gap,
            ...(kind === 'extended_stats' ? { 'sigma?': oneOf(0, 1.5) } : {}),
            ...(kind === 'percentiles' ? { 'percents?': oneOf([50], [0, 33.3, 100]), 'keyed?': false } : {}),
          },
        ],
      ]),
    ),
  )

/** A search that is all about aggregations. */
export const aggregating: Rule = {
  'query?': filter,
  'post_filter?': filter,
  size: oneOf(0, 0, 1),
  aggs: (c) => aggregations(c),
}

/** What buckets can be sorted by of the aggregations inside them. */
function sortPath(below: Readonly<Record<string, Json>>): string {
  for (const [name, { aggs, ...one }] of Object.entries(below)) {
    const [kind = ''] = Object.keys(one)
    if (/^(?:avg|max|min|sum|value_count|cardinality|weighted_avg|median_absolute_deviation)$/.test(kind)) return name
    if (kind === 'stats') return `${name}.avg`
    if (kind === 'extended_stats') return `${name}.std_deviation`
    if (kind === 'percentiles') return `${name}.50`
    if (['filter', 'missing', 'nested', 'sampler'].includes(kind))
      return aggs === undefined ? `${name}._count` : `${name}>${sortPath(aggs)}`
  }
  return '_count'
}

/** What siblings can look at in each bucket: a metric there, or further in through single buckets or buckets' keys. */
function overPath(c: Context, below: Readonly<Record<string, Json>> = {}): string {
  const paths = ['_count']
  for (const [name, { aggs, ...one }] of Object.entries(below)) {
    const [kind = ''] = Object.keys(one)
    if (/^(?:avg|max|min|sum|value_count|cardinality|weighted_avg|median_absolute_deviation)$/.test(kind))
      paths.push(name, `${name}.value`)
    if (kind === 'stats') paths.push(`${name}.avg`, `${name}.count`)
    if (kind === 'extended_stats')
      paths.push(`${name}.std_deviation`, `${name}.std_upper`, `${name}.std_deviation_bounds.upper`)
    if (kind === 'percentiles') paths.push(`${name}.50`, `${name}.50.0`, `${name}[50.0]`)
    if (['filter', 'missing', 'nested', 'sampler', 'global', 'reverse_nested', 'children'].includes(kind))
      paths.push(`${name}>${overPath(c, aggs)}`, `${name}._count`)
    if (MANY.includes(kind))
      paths.push(`${name}._bucket_count`, `${name}['alpha']>${overPath(c, aggs)}`, `${name}>${overPath(c, aggs)}`)
  }
  return c.random.pick(paths)
}

/** Within nested objects mostly their own fields are asked for, and the documents around them more often. */
function within(c: Context, kind: string, { path }: Json): Context {
  if (kind === 'reverse_nested') return { ...c, nested: undefined }
  if (kind !== 'nested' || path !== 'n') return c
  return { ...c, nested: 'n' }
}

const MANY =
  'terms histogram date_histogram range date_range geohash_grid filters composite rare_terms auto_date_histogram significant_terms ip_range geo_distance multi_terms adjacency_matrix'.split(
    ' ',
  )
/** Aggregations within each other, with pipelines. */
export const aggregations: Made = (c) => {
  const made: Record<string, Json> = {}
  const metrics = known(c, METRICS)
  const isNested = c.nested !== undefined
  const buckets =
    isNested && c.random.chance(0.25)
      ? { reverse_nested: [1, {}] as const }
      : c.typeless && c.random.chance(0.3)
        ? NEW
        : known(c, BUCKETS)
  for (const name of ['a', 'b'].slice(0, c.random.whole(1, 2))) {
    const [kind, body] = Object.entries(
      make(c, named(c.random.chance(0.3 + c.depth * 0.2) ? metrics : buckets)),
    )[0] as [string, Json]
    const below =
      kind !== 'variable_width_histogram' && (kind in BUCKETS || kind in NEW) && c.random.chance(0.7)
        ? make(within(c, kind, body), deeper(aggregations, { m: { max: { field: number } } }))
        : undefined
    const metric =
      below === undefined
        ? '_count'
        : (Object.keys(below).find((key) =>
            /avg|max|sum"|value_count|cardinality/.test(Object.keys(below[key])[0] ?? ''),
          ) ?? '_count')
    if (below !== undefined && c.random.chance(0.3)) below.p = make(c, beside(metric))
    if (below !== undefined && ['terms', 'histogram', 'date_histogram'].includes(kind) && c.random.chance(0.3))
      body.order = c.random.chance(0.3)
        ? [{ [sortPath(below)]: c.random.pick(['asc', 'desc']) }, { [sortPath(below)]: 'asc' }, { _key: 'desc' }]
        : { [sortPath(below)]: c.random.pick(['asc', 'desc']) }
    made[name] = {
      [kind]: body,
      ...(below === undefined ? {} : { aggs: below }),
      ...(c.random.chance(0.03) ? { meta: { x: [1, 'y'] } } : {}),
    }
    if (MANY.includes(kind) && c.random.chance(0.2))
      made[`${name}_over`] = make(c, over(`${name}>${overPath(c, below)}`))
  }
  return made
}
