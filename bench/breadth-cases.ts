/** What `breadth.ts` asks for, and the index it asks: documents of `generate.mjs` with more fields, made up by their number. */

export const index = 'breadth'

/** Numbers that are the same on every run. */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

export const mapping = {
  settings: { number_of_shards: 1, number_of_replicas: 0 },
  mappings: {
    date_detection: false,
    properties: {
      id: { type: 'keyword' },
      title: { type: 'text', fields: { keyword: { type: 'keyword' }, suggest: { type: 'completion' } } },
      year: { type: 'integer' },
      released: { type: 'date', format: 'yyyy-MM-dd' },
      cast: { type: 'text', fields: { keyword: { type: 'keyword' } } },
      genres: { type: 'keyword' },
      extract: { type: 'text' },
      price: { type: 'double' },
      location: { type: 'geo_point' },
      ip: { type: 'ip' },
      sold: { type: 'integer_range' },
      seen: { type: 'boolean' },
      credits: {
        type: 'nested',
        properties: { name: { type: 'keyword' }, role: { type: 'keyword' }, pay: { type: 'integer' } },
      },
    },
  },
}

const ROLES = ['actor', 'director', 'writer', 'composer', 'editor']

/** A document of the corpus with the fields it lacks. */
export function enriched(line: string, number: number): string {
  const next = random(number + 1)
  for (let i = 0; i < 3; i++) next()
  const { cast } = JSON.parse(line) as { readonly cast: readonly string[] }
  const from = Math.floor(next() * 1000)
  const more = {
    price: Math.round(next() * 10_000) / 100,
    location: { lat: next() * 160 - 80, lon: next() * 340 - 170 },
    ip: `10.${Math.floor(next() * 4)}.${Math.floor(next() * 256)}.${Math.floor(next() * 256)}`,
    sold: { gte: from, lte: from + Math.floor(next() * 100) },
    seen: next() < 0.3,
    credits: cast.map((name) => ({
      name,
      role: ROLES[Math.floor(next() * ROLES.length)],
      pay: Math.floor(next() * 1000),
    })),
  }
  return `${line.slice(0, -1)},${JSON.stringify(more).slice(1)}`
}

export const words =
  'love war family young american world life man house city girl night father school story french'.split(' ')
export const rare = 'submarine lighthouse orchestra violinist samurai glacier typhoon smuggler pianist circus'.split(
  ' ',
)
const GENRES = ['Drama', 'Comedy', 'Western', 'Action', 'Horror', 'Romance']
export type Draw = <T>(list: readonly T[]) => T
/** A class of requests: its body by a draw, and where it goes if not to `_search`. */
export type Make = (
  draw: Draw,
  next: () => number,
) => object | { readonly path: string; readonly body?: object; readonly method?: string }

export const search = (query: object, more: object = {}): object => ({ query, ...more })
export const agg = (aggs: object, query?: object): object => ({ size: 0, ...(query && { query }), aggs: { a: aggs } })
export const text = (draw: Draw): object => ({ match: { extract: draw(words) } })

/** Classes of requests over the lines of the corpus. */
export function breadthCases(lines: readonly string[]): Record<string, Make> {
  const names = [...new Set(lines.slice(0, 400).flatMap((line) => (JSON.parse(line) as { cast: string[] }).cast))]
  return {
    'ids of 100': (_d, next) =>
      search({ ids: { values: Array.from({ length: 100 }, () => String(Math.floor(next() * lines.length))) } }),
    'terms of 200': (_d, next) =>
      search({ terms: { id: Array.from({ length: 200 }, () => `s${Math.floor(next() * lines.length)}`) } }),
    exists: () => search({ exists: { field: 'genres' } }),
    'range of dates': (_d, next) =>
      search({ range: { released: { gte: `${1950 + Math.floor(next() * 40)}-01-01`, lt: '2000-06-01' } } }),
    'range of doubles': (_d, next) => search({ range: { price: { gte: next() * 50, lt: 50 + next() * 50 } } }),
    'range of ranges': (_d, next) =>
      search({ range: { sold: { gte: Math.floor(next() * 900), lte: 950, relation: 'intersects' } } }),
    'ip by mask': (_d, next) => search({ term: { ip: `10.1.${Math.floor(next() * 256)}.0/24` } }),
    'bool of four, must not': (draw) =>
      search({
        bool: {
          must: [text(draw)],
          should: [{ term: { genres: draw(GENRES) } }],
          must_not: [{ match: { title: 'the' } }],
          filter: [{ term: { seen: true } }],
        },
      }),
    minimum_should_match: (draw) =>
      search({
        match: {
          extract: { query: [draw(words), draw(words), draw(words), draw(rare)].join(' '), minimum_should_match: 2 },
        },
      }),
    dis_max: (draw) =>
      search({
        dis_max: {
          tie_breaker: 0.3,
          queries: [text(draw), { match: { title: draw(words) } }, { match: { cast: 'john' } }],
        },
      }),
    'multi_match cross_fields': (draw) =>
      search({
        multi_match: {
          query: `${draw(words)} ${draw(words)}`,
          type: 'cross_fields',
          fields: ['title', 'extract', 'cast'],
          operator: 'and',
        },
      }),
    'multi_match most_fields': (draw) =>
      search({
        multi_match: { query: `${draw(words)} ${draw(words)}`, type: 'most_fields', fields: ['title^2', 'extract'] },
      }),
    match_phrase_prefix: (draw) =>
      search({ match_phrase_prefix: { extract: `${draw(['in the', 'of a', 'a young'])} ${draw(words).slice(0, 2)}` } }),
    'sloppy phrase': (draw) =>
      search({ match_phrase: { extract: { query: `${draw(words)} ${draw(words)}`, slop: 5 } } }),
    query_string: (draw) =>
      search({
        query_string: {
          query: `(${draw(words)} AND title:${draw(words)}) OR "${draw(['new york', 'high school', 'los angeles'])}"~2 OR ${draw(words).slice(0, 3)}*`,
          default_field: 'extract',
        },
      }),
    simple_query_string: (draw) =>
      search({
        simple_query_string: { query: `${draw(words)} +${draw(words)} -${draw(words)}`, fields: ['title', 'extract'] },
      }),
    regexp: (draw) =>
      search({ regexp: { 'cast.keyword': `${draw(['Jo', 'Ma', 'Al'])}[a-z]+ ${draw(['B', 'S', 'M'])}.*` } }),
    'regexp of texts': (draw) => search({ regexp: { extract: `.*${draw(['atio', 'ment', 'ingl'])}.*` } }),
    'wildcard in front': (draw) => search({ wildcard: { 'title.keyword': `*${draw(['the', 'Man', 'Girl'])}*` } }),
    span_near: (draw) =>
      search({
        span_near: {
          clauses: [{ span_term: { extract: draw(words) } }, { span_term: { extract: draw(words) } }],
          slop: 6,
          in_order: false,
        },
      }),
    intervals: (draw) =>
      search({
        intervals: {
          extract: {
            all_of: {
              ordered: true,
              max_gaps: 5,
              intervals: [{ match: { query: draw(words) } }, { match: { query: draw(words) } }],
            },
          },
        },
      }),
    'function_score field value': (draw) =>
      search({
        function_score: { query: text(draw), field_value_factor: { field: 'price', modifier: 'log1p', factor: 1.2 } },
      }),
    'function_score gauss, weights': (draw) =>
      search({
        function_score: {
          query: text(draw),
          functions: [
            { gauss: { year: { origin: 1990, scale: 10 } } },
            { filter: { term: { genres: 'Drama' } }, weight: 2 },
          ],
          score_mode: 'sum',
        },
      }),
    'function_score random': (draw) =>
      search({ function_score: { query: text(draw), random_score: { seed: 7, field: '_seq_no' } } }),
    script_score: (draw) =>
      search({ script_score: { query: text(draw), script: { source: "_score * Math.log(2 + doc['price'].value)" } } }),
    rescore: (draw) =>
      search(text(draw), {
        rescore: {
          window_size: 100,
          query: { rescore_query: { match_phrase: { extract: { query: 'of the', slop: 2 } } } },
        },
      }),
    'constant_score, boosting': (draw) =>
      search({ boosting: { positive: text(draw), negative: { term: { genres: 'Drama' } }, negative_boost: 0.3 } }),
    more_like_this: (_d, next) =>
      search({
        more_like_this: {
          fields: ['extract'],
          like: [{ _index: index, _id: String(Math.floor(next() * lines.length)) }],
          min_term_freq: 1,
          max_query_terms: 12,
        },
      }),
    nested: (draw, next) =>
      search({
        nested: {
          path: 'credits',
          query: {
            bool: {
              must: [
                { term: { 'credits.role': draw(ROLES) } },
                { range: { 'credits.pay': { gte: Math.floor(next() * 1000) } } },
              ],
            },
          },
        },
      }),
    'nested by name, inner hits': (draw) =>
      search({ nested: { path: 'credits', query: { term: { 'credits.name': draw(names) } }, inner_hits: {} } }),
    'nested sort': (draw) =>
      search(text(draw), { sort: [{ 'credits.pay': { order: 'desc', mode: 'max', nested: { path: 'credits' } } }] }),
    geo_distance: (_d, next) =>
      search({ geo_distance: { distance: '500km', location: { lat: next() * 100 - 50, lon: next() * 200 - 100 } } }),
    geo_bounding_box: (_d, next) =>
      search({
        geo_bounding_box: {
          location: {
            top_left: { lat: 40 + next() * 20, lon: -100 + next() * 20 },
            bottom_right: { lat: 10 + next() * 20, lon: next() * 50 },
          },
        },
      }),
    'geo sort': (draw, next) =>
      search(text(draw), {
        sort: [
          {
            _geo_distance: { location: { lat: next() * 100 - 50, lon: next() * 200 - 100 }, order: 'asc', unit: 'km' },
          },
        ],
      }),
    'sort by keyword': (draw) => search(text(draw), { sort: ['title.keyword'] }),
    'sort by date, all': (_d, next) =>
      search({ match_all: {} }, { sort: [{ released: next() < 0.5 ? 'asc' : 'desc' }, { id: 'asc' }] }),
    'sort by two, search_after': (_d, next) =>
      search(
        { match_all: {} },
        { sort: [{ year: 'asc' }, { id: 'asc' }], search_after: [1930 + Math.floor(next() * 80), 's5'] },
      ),
    'sort by script': (draw) =>
      search(
        { match: { title: draw(words) } },
        { sort: [{ _script: { type: 'number', script: "doc['year'].value % 17", order: 'asc' } }] },
      ),
    collapse: (draw) => search(text(draw), { collapse: { field: 'year' } }),
    'collapse, inner hits': (draw) =>
      search(text(draw), { collapse: { field: 'year', inner_hits: { name: 'more', size: 2 } } }),
    '1,000 hits': (draw) => search(text(draw), { size: 1000 }),
    '1,000 hits, two fields': (draw) => search(text(draw), { size: 1000, _source: ['title', 'year'] }),
    '1,000 hits, docvalue_fields': (draw) =>
      search(text(draw), { size: 1000, _source: false, docvalue_fields: ['year', 'genres', 'released'] }),
    'fields, 100 hits': (draw) =>
      search(text(draw), { size: 100, _source: false, fields: ['title', 'released', 'cast'] }),
    'highlight plain': (draw) => search(text(draw), { highlight: { type: 'plain', fields: { extract: {} } } }),
    'highlight fvh, number_of_fragments 0': (draw) =>
      search(text(draw), { highlight: { fields: { extract: { number_of_fragments: 0 }, title: {} } } }),
    track_total_hits: (draw) =>
      search({ match: { extract: `${draw(words)} ${draw(words)}` } }, { track_total_hits: true }),
    'size 0, count': (draw) =>
      search({ match: { extract: `${draw(words)} ${draw(words)}` } }, { size: 0, track_total_hits: true }),
    _count: (draw) => ({ path: `/${index}/_count`, body: { query: text(draw) } }),
    '_msearch of 10': (draw) => ({
      path: `/${index}/_msearch`,
      lines: Array.from({ length: 10 }, () => [{}, search(text(draw), { size: 3 })]).flat(),
    }),
    '_mget of 50': (_d, next) => ({
      path: `/${index}/_mget`,
      body: { ids: Array.from({ length: 50 }, () => String(Math.floor(next() * lines.length))) },
    }),
    _termvectors: (_d, next) => ({
      path: `/${index}/_termvectors/${Math.floor(next() * lines.length)}?fields=extract`,
      body: { term_statistics: true },
    }),
    _explain: (draw, next) => ({
      path: `/${index}/_explain/${Math.floor(next() * lines.length)}`,
      body: { query: text(draw) },
    }),
    _analyze: (draw) => ({
      path: `/${index}/_analyze`,
      body: { field: 'extract', text: `The ${draw(words)} of a ${draw(words)} in New York` },
    }),
    _validate: (draw) => ({ path: `/${index}/_validate/query?explain=true`, body: { query: text(draw) } }),
    'suggest term': (draw) => ({
      size: 0,
      suggest: { s: { text: `${draw(words)}x ${draw(rare).slice(1)}`, term: { field: 'extract' } } },
    }),
    'suggest phrase': (draw) => ({
      size: 0,
      suggest: { s: { text: `the ${draw(words)}w of ${draw(rare)}s`, phrase: { field: 'extract' } } },
    }),
    'suggest completion': (draw) => ({
      size: 0,
      suggest: { s: { prefix: draw(words).slice(0, 3), completion: { field: 'title.suggest' } } },
    }),
    'completion fuzzy': (draw) => ({
      size: 0,
      suggest: {
        s: { prefix: `${draw(words).slice(0, 4)}`, completion: { field: 'title.suggest', fuzzy: { fuzziness: 1 } } },
      },
    }),
    'agg stats of words': (draw) => agg({ stats: { field: 'price' } }, text(draw)),
    'agg percentiles': (draw) => agg({ percentiles: { field: 'price' } }, text(draw)),
    'agg percentiles hdr': (draw) =>
      agg({ percentiles: { field: 'year', hdr: { number_of_significant_value_digits: 3 } } }, text(draw)),
    'agg cardinality of names': (draw) => agg({ cardinality: { field: 'cast.keyword' } }, text(draw)),
    'agg terms of names': (draw) => agg({ terms: { field: 'cast.keyword', size: 20 } }, text(draw)),
    'agg terms of ids': (draw) => agg({ terms: { field: 'id', size: 10 } }, text(draw)),
    'agg terms > avg, ordered': (draw) =>
      agg({ terms: { field: 'genres', order: { p: 'desc' } }, aggs: { p: { avg: { field: 'price' } } } }, text(draw)),
    'agg terms > terms > stats': (draw) =>
      agg(
        {
          terms: { field: 'genres' },
          aggs: { y: { terms: { field: 'year', size: 5 }, aggs: { p: { stats: { field: 'price' } } } } },
        },
        text(draw),
      ),
    'agg terms > top_hits': (draw) =>
      agg(
        { terms: { field: 'genres', size: 5 }, aggs: { t: { top_hits: { size: 2, _source: ['title'] } } } },
        text(draw),
      ),
    'agg date_histogram > terms': (draw) =>
      agg(
        {
          date_histogram: { field: 'released', calendar_interval: 'year' },
          aggs: { g: { terms: { field: 'genres', size: 3 } } },
        },
        text(draw),
      ),
    'agg date_histogram by month, zone': (draw) =>
      agg({ date_histogram: { field: 'released', calendar_interval: 'month', time_zone: 'Asia/Seoul' } }, text(draw)),
    'agg auto_date_histogram': (draw) => agg({ auto_date_histogram: { field: 'released', buckets: 20 } }, text(draw)),
    'agg range > cardinality': (draw) =>
      agg(
        {
          range: { field: 'price', ranges: [{ to: 20 }, { from: 20, to: 50 }, { from: 50 }] },
          aggs: { c: { cardinality: { field: 'year' } } },
        },
        text(draw),
      ),
    'agg filters': (draw) =>
      agg(
        {
          filters: {
            filters: {
              a: { term: { genres: 'Drama' } },
              b: { match: { title: 'man' } },
              c: { range: { year: { gte: 1990 } } },
            },
          },
        },
        text(draw),
      ),
    'agg composite': (draw) =>
      agg(
        {
          composite: {
            size: 50,
            sources: [{ g: { terms: { field: 'genres' } } }, { y: { terms: { field: 'year' } } }],
          },
        },
        text(draw),
      ),
    'agg significant_terms': (draw) => agg({ significant_terms: { field: 'genres' } }, text(draw)),
    'agg significant_text': (draw) =>
      agg({ sampler: { shard_size: 100 }, aggs: { s: { significant_text: { field: 'extract' } } } }, text(draw)),
    'agg nested': (draw) =>
      agg(
        {
          nested: { path: 'credits' },
          aggs: { r: { terms: { field: 'credits.role' }, aggs: { p: { avg: { field: 'credits.pay' } } } } },
        },
        text(draw),
      ),
    'agg nested > reverse': (draw) =>
      agg(
        {
          nested: { path: 'credits' },
          aggs: {
            r: {
              terms: { field: 'credits.role' },
              aggs: { b: { reverse_nested: {}, aggs: { g: { terms: { field: 'genres' } } } } },
            },
          },
        },
        text(draw),
      ),
    'agg geohash_grid': (draw) => agg({ geohash_grid: { field: 'location', precision: 3 } }, text(draw)),
    'agg geotile_grid': (draw) => agg({ geotile_grid: { field: 'location', precision: 5 } }, text(draw)),
    'agg geo_bounds, centroid': (draw) => agg({ geo_bounds: { field: 'location' } }, text(draw)),
    'agg geo_distance': (draw) =>
      agg(
        {
          geo_distance: {
            field: 'location',
            origin: '10,10',
            unit: 'km',
            ranges: [{ to: 2000 }, { from: 2000, to: 8000 }],
          },
        },
        text(draw),
      ),
    'agg ip_range': (draw) =>
      agg({ ip_range: { field: 'ip', ranges: [{ mask: '10.0.0.0/16' }, { mask: '10.1.0.0/16' }] } }, text(draw)),
    'agg adjacency_matrix': (draw) =>
      agg(
        {
          adjacency_matrix: {
            filters: {
              a: { term: { genres: 'Drama' } },
              b: { term: { genres: 'Comedy' } },
              c: { term: { seen: true } },
            },
          },
        },
        text(draw),
      ),
    'agg matrix_stats': (draw) => agg({ matrix_stats: { fields: ['price', 'year'] } }, text(draw)),
    'agg weighted_avg': (draw) =>
      agg({ weighted_avg: { value: { field: 'price' }, weight: { field: 'year' } } }, text(draw)),
    'agg median_absolute_deviation': (draw) => agg({ median_absolute_deviation: { field: 'price' } }, text(draw)),
    'agg rare_terms': (draw) =>
      agg({ rare_terms: { field: 'title.keyword', max_doc_count: 1 } }, { match: { title: draw(words) } }),
    'agg multi_terms': (draw) => agg({ multi_terms: { terms: [{ field: 'genres' }, { field: 'year' }] } }, text(draw)),
    'agg histogram > pipeline': (draw) =>
      agg(
        {
          histogram: { field: 'year', interval: 1 },
          aggs: {
            p: { sum: { field: 'price' } },
            d: { derivative: { buckets_path: 'p' } },
            m: { moving_fn: { buckets_path: 'p', window: 5, script: 'MovingFunctions.unweightedAvg(values)' } },
          },
        },
        text(draw),
      ),
    'agg by script': (draw) =>
      agg({ terms: { script: { source: "doc['year'].value / 10 * 10" } } }, { match: { title: draw(words) } }),
    'agg scripted_metric': (draw) =>
      agg(
        {
          scripted_metric: {
            init_script: 'state.s = 0',
            map_script: "state.s += doc['year'].value",
            combine_script: 'return state.s',
            reduce_script: 'long t = 0; for (s in states) { t += s } return t',
          },
        },
        { match: { title: draw(words) } },
      ),
    'agg over everything: terms of names': () => agg({ terms: { field: 'cast.keyword', size: 20 } }),
    'agg over everything: terms > stats': () =>
      agg({ terms: { field: 'genres' }, aggs: { p: { stats: { field: 'price' } } } }),
    'agg over everything: percentiles': () => agg({ percentiles: { field: 'price' } }),
    'agg over everything: histogram of doubles': () => agg({ histogram: { field: 'price', interval: 5 } }),
    'post_filter with agg': (draw) =>
      search(text(draw), { post_filter: { term: { genres: 'Drama' } }, aggs: { g: { terms: { field: 'genres' } } } }),
    update: (_d, next) => ({
      path: `/${index}/_update/${Math.floor(next() * lines.length)}`,
      body: { doc: { seen: next() < 0.5, price: Math.floor(next() * 100) } },
    }),
    'update by script': (_d, next) => ({
      path: `/${index}/_update/${Math.floor(next() * lines.length)}`,
      body: { script: { source: 'ctx._source.price += params.n', params: { n: 1 } } },
    }),
  }
}
