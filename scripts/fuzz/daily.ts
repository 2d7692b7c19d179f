import { type Context, type Json, type Made, make, maybe, named, oneOf, type Rule, some, whole } from './grammar.ts'
import type { Call } from './searches.ts'

/*
 * What shops, dashboards and log viewers send: a catalogue and two months of logs with the mappings that they have, and
 * whole requests as they are written there.
 */

const one = { number_of_shards: 1, number_of_replicas: 0 }
const raw = { keyword: { type: 'keyword', ignore_above: 256 } }

/** The indices, each with what creates it: a catalogue, and logs by month. */
export const DAILY = ({ index }: Context): readonly [path: string, body: Json][] => [
  [
    `/${index}`,
    {
      settings: {
        ...one,
        max_ngram_diff: 10,
        analysis: {
          filter: {
            synonyms: { type: 'synonym_graph', synonyms: ['laptop, notebook', 'tv, television set', 'usb c => usbc'] },
            edges: { type: 'edge_ngram', min_gram: 1, max_gram: 10 },
            english_stop: { type: 'stop', stopwords: '_english_' },
            english_stemmer: { type: 'stemmer', language: 'english' },
            possessive: { type: 'stemmer', language: 'possessive_english' },
          },
          analyzer: {
            begun: { tokenizer: 'standard', filter: ['lowercase', 'asciifolding', 'edges'] },
            asked: { tokenizer: 'standard', filter: ['lowercase', 'asciifolding'] },
            english_like: {
              tokenizer: 'standard',
              filter: ['possessive', 'lowercase', 'english_stop', 'english_stemmer'],
            },
            widened: { tokenizer: 'standard', filter: ['lowercase', 'synonyms'] },
            way: { tokenizer: 'way' },
          },
          tokenizer: { way: { type: 'path_hierarchy', delimiter: '/' } },
          normalizer: { low: { type: 'custom', filter: ['lowercase', 'asciifolding'] } },
        },
      },
      mappings: {
        properties: {
          title: {
            type: 'text',
            analyzer: 'english_like',
            fields: {
              ...raw,
              begun: { type: 'text', analyzer: 'begun', search_analyzer: 'asked' },
              plain: { type: 'text', search_analyzer: 'widened', term_vector: 'with_positions_offsets' },
              typed: { type: 'search_as_you_type' },
              length: { type: 'token_count', analyzer: 'standard' },
            },
          },
          description: { type: 'text', index_options: 'offsets', copy_to: 'all' },
          all: { type: 'text' },
          brand: { type: 'keyword', normalizer: 'low', copy_to: 'all', fields: { text: { type: 'text' } } },
          category: { type: 'keyword', fields: { tree: { type: 'text', analyzer: 'way', fielddata: true } } },
          tags: { type: 'keyword' },
          price: { type: 'scaled_float', scaling_factor: 100 },
          list_price: { type: 'double' },
          stock: { type: 'integer' },
          rating: { type: 'half_float' },
          active: { type: 'boolean' },
          created_at: { type: 'date' },
          updated_at: { type: 'date', format: 'yyyy-MM-dd HH:mm:ss||yyyy-MM-dd||epoch_millis' },
          location: { type: 'geo_point' },
          available: { type: 'date_range', format: 'yyyy-MM-dd' },
          sizes: { type: 'integer_range' },
          needed: { type: 'integer' },
          popularity: { type: 'rank_feature' },
          topics: { type: 'rank_features' },
          suggest: { type: 'completion', contexts: [{ name: 'kind', type: 'category', path: 'category' }] },
          quick: { type: 'completion' },
          attributes: {
            type: 'nested',
            properties: { name: { type: 'keyword' }, value: { type: 'keyword' }, number: { type: 'double' } },
          },
          reviews: {
            type: 'nested',
            properties: {
              author: { type: 'keyword' },
              stars: { type: 'byte' },
              text: { type: 'text', analyzer: 'english' },
              at: { type: 'date' },
              replies: {
                type: 'nested',
                properties: { author: { type: 'keyword' }, text: { type: 'text' }, likes: { type: 'integer' } },
              },
            },
          },
          seller: {
            properties: { id: { type: 'keyword' }, name: { type: 'text', fields: raw }, since: { type: 'date' } },
          },
          label: { type: 'alias', path: 'brand' },
          hidden: { type: 'keyword', index: false, doc_values: false },
          extra: { type: 'object', enabled: false },
        },
      },
    },
  ],
  ...['2026.01', '2026.02'].map((month, i): [string, Json] => [
    `/${index}_logs-${month}`,
    {
      settings: one,
      aliases: { [`${index}_logs`]: {}, [`${index}_errors`]: { filter: { term: { level: 'error' } } } },
      mappings: {
        dynamic_templates: [
          { strings: { match_mapping_type: 'string', mapping: { type: 'keyword', ignore_above: 1024 } } },
        ],
        properties: {
          '@timestamp': { type: 'date' },
          message: { type: 'text', fields: raw },
          level: { type: 'keyword' },
          host: { properties: { name: { type: 'keyword' }, ip: { type: 'ip' } } },
          client: { type: 'ip' },
          bytes: { type: i === 0 ? 'integer' : 'long' },
          took: { type: i === 0 ? 'float' : 'double' },
          status: { type: 'short' },
          geo: { type: 'geo_point' },
          url: { type: 'keyword', ...(i === 0 ? {} : { fields: { text: { type: 'text' } } }) },
        },
      },
    },
  ]),
]

const NAMES =
  "wireless mouse|Laptop sleeve|gaming notebook|USB C cable|children's books|running shoes|Runner's watch|coffee grinder|smart television set|TV stand|4K monitor|noise cancelling headphones|leather wallet|café chairs|Bücherregal|mechanical keyboard".split(
    '|',
  )
const WORDS =
  'wireless laptop notebook usb cable books running shoes watch coffee smart tv stand monitor headphones the for and with leather chairs keyboard'.split(
    ' ',
  )
const BRANDS = ['Acme', 'acme', 'Globex', 'Initech', 'Umbrélla', 'Hooli']
const CATEGORIES = [
  'home',
  'home/kitchen',
  'home/office',
  'electronics',
  'electronics/audio',
  'electronics/tv',
  'sport',
]
const TAGS = ['new', 'sale', 'eco', 'gift', 'used', 'limited']
const PLACES = [
  { lat: 52.52, lon: 13.405 },
  { lat: 48.8566, lon: 2.3522 },
  { lat: 37.5665, lon: 126.978 },
  { lat: -33.8688, lon: 151.2093 },
  { lat: 40.7128, lon: -74.006 },
]
const brand: Made = oneOf(...BRANDS)
const category: Made = oneOf(...CATEGORIES)
const tag: Made = oneOf(...TAGS)
const place: Made = oneOf(...PLACES)
const words =
  (most: number): Made =>
  (c) =>
    make(c, some(1, most, oneOf(...WORDS))).join(' ')
const two = (n: number): string => String(n).padStart(2, '0')
const day = (c: Context): string =>
  `${c.random.pick([2024, 2025, 2026])}-${two(c.random.whole(1, 12))}-${two(c.random.whole(1, 28))}`
const cents =
  (most: number): Made =>
  (c) =>
    c.random.whole(100, most * 100) / 100
const there = (rule: Rule): Made => maybe(0.85, rule)

/** A thing of the catalogue. */
export const product: Rule = {
  title: oneOf(...NAMES),
  description: there(words(12)),
  brand: there(brand),
  // What a document without one fails by is found out in Lucene, which counts its terms from then on.
  category,
  tags: there(some(0, 3, tag)),
  price: there(cents(900)),
  list_price: there(cents(1000)),
  stock: there(whole(0, 50)),
  rating: there((c) => c.random.whole(2, 10) / 2),
  active: there(oneOf(true, false)),
  created_at: there((c) => `${day(c)}T${two(c.random.whole(0, 23))}:${two(c.random.whole(0, 59))}:00Z`),
  updated_at: there((c) => (c.random.chance(0.5) ? day(c) : `${day(c)} ${two(c.random.whole(0, 23))}:30:00`)),
  location: there(place),
  available: there((c) => ({ gte: `2025-0${c.random.whole(1, 6)}-01`, lt: `2026-0${c.random.whole(1, 9)}-15` })),
  sizes: there((c) => ({ gte: c.random.whole(30, 40), lte: c.random.whole(41, 48) })),
  needed: whole(1, 3),
  popularity: there(whole(1, 500)),
  topics: there({ 'office?': whole(1, 20), 'sport?': whole(1, 20), home: whole(1, 20) }),
  suggest: there((c) => ({ input: [c.random.pick(NAMES), c.random.pick(WORDS)], weight: c.random.whole(0, 30) })),
  quick: there(oneOf(...NAMES)),
  attributes: there(
    some(0, 3, {
      name: oneOf('colour', 'size', 'weight'),
      value: oneOf('red', 'blue', 'XL', 'M'),
      'number?': cents(5),
    }),
  ),
  reviews: there(
    some(0, 3, {
      author: oneOf('ann', 'bob', 'cid'),
      stars: whole(1, 5),
      text: words(6),
      at: day,
      'replies?': some(0, 2, { author: oneOf('shop', 'bob'), text: words(4), likes: whole(0, 9) }),
    }),
  ),
  seller: there({ id: oneOf('s1', 's2', 's3'), name: oneOf('North Shop', 'South shop', 'Shop'), since: day }),
  'hidden?': 'h',
  'extra?': { any: ['thing', 1] },
}

const LEVELS = ['info', 'info', 'info', 'warn', 'error']
/** A line of a log of that month (1 or 2). */
export const logged =
  (month: number): Made =>
  (c) => {
    const level = c.random.pick(LEVELS)
    return {
      '@timestamp': `2026-0${month}-${two(c.random.whole(1, 28))}T${two(c.random.whole(0, 23))}:${two(c.random.whole(0, 59))}:${two(c.random.whole(0, 59))}.${c.random.whole(100, 999)}Z`,
      message: `${level.toUpperCase()} ${c.random.pick(['GET', 'POST'])} /api/v${c.random.whole(1, 2)}/${c.random.pick(WORDS)} took ${c.random.whole(1, 900)} ms`,
      level,
      host: { name: oneOf('web-1', 'web-2', 'db-1'), ip: (inner) => `10.1.0.${inner.random.whole(1, 9)}` },
      client: (inner: Context) => `192.168.${inner.random.whole(0, 2)}.${inner.random.whole(1, 254)}`,
      bytes: there(whole(0, 100_000)),
      took: there((inner) => inner.random.whole(1, 9000) / 8),
      status: oneOf(200, 200, 200, 404, 500, 301),
      'geo?': place,
      // So few that each index tells all of them, where several are asked.
      url: (inner: Context) => `/${inner.random.pick(['laptop', 'books', 'tv'])}/${inner.random.whole(1, 3)}`,
      'labels?': { team: oneOf('a', 'b') },
    }
  }

const TEXTS = ['title', 'title.plain', 'title.begun', 'description', 'all', 'seller.name', 'brand.text']
const text: Made = oneOf(...TEXTS)
const keyword: Made = oneOf('brand', 'category', 'tags', 'seller.id', 'title.keyword', 'label')
const number: Made = oneOf('price', 'list_price', 'stock', 'rating', 'needed', 'title.length')
const date: Made = oneOf('created_at', 'updated_at')
const scored =
  (rule: Rule): Made =>
  (c) => ({ [make(c, text)]: rule })
const share: Made = oneOf(1, 2, '75%', '-1', '-25%', '2<75%', '3<-25% 9<-3', '100%')
const boosted: Made = oneOf(
  ['title^3', 'description'],
  ['title^5', 'title.begun^2', 'brand.text', 'description^0.5'],
  ['title*', 'brand'],
  ['title', 'title.plain'],
  ['title.typed', 'title.typed._2gram', 'title.typed._3gram'],
  ['all'],
  ['*'],
  ['seller.*', 'title'],
)
const edits: Made = oneOf('AUTO', 'AUTO:3,6', 0, 1, 2)
const innerHits: Made = oneOf(
  {},
  { size: 1, sort: [{ 'reviews.stars': 'desc' }, '_doc'] },
  { 'name?': 'mine', _source: oneOf(false, ['reviews.author'], 'reviews.stars'), 'size?': whole(0, 5), 'from?': 1 },
  { highlight: { fields: { 'reviews.text': {} } }, docvalue_fields: ['reviews.stars'] },
)

const simple: Made = named({
  match: [
    4,
    scored(
      oneOf(words(3), {
        query: words(4),
        'operator?': oneOf('and', 'or'),
        'fuzziness?': edits,
        'minimum_should_match?': share,
        'boost?': 2,
        'prefix_length?': 1,
      }),
    ),
  ],
  multi_match: [
    4,
    {
      query: words(4),
      fields: boosted,
      'type?': oneOf('best_fields', 'most_fields', 'cross_fields', 'phrase', 'phrase_prefix', 'bool_prefix'),
      'operator?': oneOf('and', 'or'),
      'tie_breaker?': 0.3,
      'minimum_should_match?': share,
      lenient: true,
    },
  ],
  match_phrase: [1, scored({ query: words(2), 'slop?': oneOf(1, 3) })],
  match_phrase_prefix: [1, scored(oneOf('run', 'smart t', { query: 'coffee g', 'max_expansions?': 5 }))],
  match_bool_prefix: [1, scored(oneOf('gaming note', { query: 'usb c ca', 'operator?': 'and', 'fuzziness?': 'AUTO' }))],
  query_string: [
    2,
    {
      query: oneOf(
        'title:(laptop OR notebook) AND price:[10 TO 500]',
        'brand:acme~1 && !tags:sale',
        'tags:(new eco) +active:true',
        '"running shoes"~2 -used',
        'created_at:[2025-01-01 TO 2025-12-31] AND stock:>5',
        '_exists_:rating AND category:home*',
        'lap* "smart tv"^2',
        'reviews.stars:5 OR title.\\*:coffee',
        words(3),
      ),
      'fields?': boosted,
      'default_operator?': 'AND',
      'analyze_wildcard?': true,
      'default_field?': oneOf('*', 'title'),
      'minimum_should_match?': share,
      'type?': oneOf('cross_fields', 'most_fields', 'phrase'),
      'lenient?': true,
      'time_zone?': 'Europe/Berlin',
    },
  ],
  simple_query_string: [
    2,
    {
      query: oneOf(
        '"smart tv" + -used',
        'laptop | notebook',
        'lap* + (new | sale)',
        'coffe~1 grinder~2',
        '"tv stand"~2',
        words(3),
      ),
      'fields?': boosted,
      'default_operator?': 'and',
      'flags?': oneOf('OR|AND|PREFIX', 'PHRASE', 'ALL', 'NONE', 'FUZZY|SLOP', 'AND|NOT|WHITESPACE'),
      'minimum_should_match?': share,
      'analyze_wildcard?': true,
      'lenient?': true,
    },
  ],
  term: [
    3,
    oneOf(
      { brand },
      { tags: tag },
      { active: true },
      { category: { value: category, 'boost?': 2 } },
      { stock: whole(0, 9) },
      { label: brand },
    ),
  ],
  terms: [2, oneOf({ brand: some(1, 3, brand) }, { tags: some(0, 4, tag), 'boost?': 1.5 }, { stock: [1, 2, '3'] })],
  range: [
    3,
    oneOf(
      { price: { 'gte?': 10, lte: oneOf(100, 499.99) } },
      { created_at: { gte: '2025-01-01', lt: '2025-07-01||+1M/M', 'time_zone?': oneOf('+09:00', 'Europe/Berlin') } },
      { updated_at: { gte: '01/2025', format: 'MM/yyyy' } },
      { created_at: { gt: 'now-10y/d', 'lte?': 'now' } },
      { rating: { gt: 3 } },
      { available: { gte: '2025-03-01', lte: '2025-12-31', 'relation?': oneOf('within', 'contains', 'intersects') } },
      { sizes: { gte: 38, lte: 42, 'relation?': oneOf('within', 'contains') } },
      { 'title.keyword': { gte: 'l', 'lt?': 'w' } },
    ),
  ],
  exists: [
    1,
    { field: oneOf('rating', 'seller', 'location', 'reviews', 'attributes.name', 'topics', 'suggest', 'extra', 'all') },
  ],
  prefix: [
    1,
    oneOf(
      { 'title.keyword': 'r' },
      { brand: { value: 'AC', case_insensitive: maybe(0.4, true) } },
      { 'category.tree': 'home' },
    ),
  ],
  wildcard: [
    1,
    oneOf(
      { 'title.keyword': '*oo*' },
      { brand: { value: '*M?', case_insensitive: maybe(0.4, true) } },
      { title: 'not*' },
    ),
  ],
  regexp: [0.5, oneOf({ tags: 'n.*|s[ae]le' }, { brand: { value: 'ACM[a-z]', case_insensitive: maybe(0.4, true) } })],
  fuzzy: [
    1,
    oneOf(
      { title: 'noteboks' },
      { brand: { value: 'acne', fuzziness: edits } },
      { description: { value: 'laptpo', 'transpositions?': false } },
    ),
  ],
  ids: [0.5, { values: some(1, 4, oneOf('1', '5', '77')) }],
  intervals: [
    1,
    scored(
      oneOf(
        { match: { query: words(2), 'max_gaps?': oneOf(0, 2), 'ordered?': true } },
        {
          all_of: {
            intervals: [
              { match: { query: words(1) } },
              { any_of: { intervals: [{ prefix: { prefix: 'no' } }, { wildcard: { pattern: 'l*p' } }] } },
            ],
            'max_gaps?': 3,
            'ordered?': true,
          },
        },
        { match: { query: words(2), filter: { not_containing: { match: { query: words(1) } } } } },
        { fuzzy: { term: 'labtop', 'fuzziness?': 'AUTO' } },
      ),
    ),
  ],
  terms_set: [
    1,
    {
      tags: {
        terms: some(1, 4, tag),
        [`minimum_should_match_${'field'}`]: 'needed',
      },
    },
  ],
  rank_feature: [
    1,
    oneOf(
      { field: 'popularity', 'boost?': 2 },
      { field: 'topics.home', saturation: { pivot: 8 } },
      { field: 'popularity', log: { scaling_factor: 4 } },
      { field: 'topics.sport', sigmoid: { pivot: 7, exponent: 0.6 } },
    ),
  ],
  distance_feature: [
    0.7,
    oneOf(
      { field: 'created_at', origin: '2026-01-01', pivot: '30d' },
      { field: 'location', origin: place, pivot: '1000km' },
    ),
  ],
  geo_distance: [1, { distance: oneOf('900km', '20km', '8000mi'), location: place, 'distance_type?': 'plane' }],
  geo_bounding_box: [
    0.7,
    { location: { top_left: { lat: 60, lon: -80 }, bottom_right: oneOf({ lat: 30, lon: 20 }, '30,20') } },
  ],
  more_like_this: [
    0.7,
    {
      fields: ['title', 'description'],
      like: oneOf(words(5), (c) => [{ _index: c.index, _id: '3' }]),
      min_term_freq: 1,
      min_doc_freq: 1,
      'max_query_terms?': 12,
      'minimum_should_match?': share,
    },
  ],
  nested: [
    3,
    oneOf(
      {
        path: 'reviews',
        query: oneOf(
          { term: { 'reviews.author': 'bob' } },
          { range: { 'reviews.stars': { gte: 4 } } },
          { match: { 'reviews.text': words(2) } },
          { match_all: {} },
        ),
        'score_mode?': oneOf('max', 'avg', 'sum', 'min', 'none'),
        'inner_hits?': innerHits,
      },
      {
        path: 'attributes',
        query: {
          bool: {
            filter: [{ term: { 'attributes.name': 'colour' } }, { terms: { 'attributes.value': ['red', 'blue'] } }],
          },
        },
        'inner_hits?': { name: 'attrs', 'size?': 1 },
      },
      {
        path: 'reviews',
        query: {
          nested: {
            path: 'reviews.replies',
            query: { match: { 'reviews.replies.text': words(2) } },
            'inner_hits?': {},
          },
        },
        'inner_hits?': {},
      },
      {
        path: 'reviews.replies',
        query: { range: { 'reviews.replies.likes': { gt: 3 } } },
        'inner_hits?': { 'size?': 1 },
      },
    ),
  ],
})

const decay: Made = (c) => ({
  [c.random.pick(['gauss', 'exp', 'linear'])]: make(
    c,
    oneOf(
      { price: { origin: oneOf(50, '20'), scale: 100, 'offset?': 10, 'decay?': 0.3 } },
      { created_at: { origin: '2026-01-01', scale: '90d', 'offset?': '7d', 'decay?': 0.7 } },
      { location: { origin: place, scale: '500km', 'offset?': '1km' }, 'multi_value_mode?': 'avg' },
      { stock: { origin: 0, scale: 5 }, 'multi_value_mode?': oneOf('max', 'sum') },
    ),
  ),
})
const scoring: Made = oneOf(
  decay,
  decay,
  {
    field_value_factor: {
      field: oneOf('stock', 'rating', 'price'),
      'factor?': 1.2,
      modifier: maybe(0.7, oneOf('log1p', 'sqrt', 'ln2p', 'square', 'reciprocal', 'none')),
      missing: 1,
    },
  },
  { random_score: { seed: 7, field: '_seq_no' } },
  { weight: oneOf(2, 0.5) },
  { script_score: { script: { source: "_score * (doc['rating'].size() == 0 ? 1 : doc['rating'].value)" } } },
)
const clause: Made = oneOf(simple, simple, simple, { bool: { should: some(1, 3, simple), 'minimum_should_match?': 1 } })

/** A query as applications put it together. */
const query: Made = oneOf(
  simple,
  simple,
  {
    bool: {
      'must?': some(1, 2, clause),
      'should?': some(1, 3, clause),
      filter: maybe(0.7, some(0, 3, simple)),
      'must_not?': some(1, 2, simple),
      'minimum_should_match?': oneOf(0, 1, '50%'),
    },
  },
  {
    function_score: {
      query: clause,
      functions: some(1, 3, (c) => ({
        ...make(c, scoring),
        ...make(c, { 'filter?': simple, 'weight?': oneOf(2, 10) }),
      })),
      'score_mode?': oneOf('sum', 'avg', 'max', 'first', 'multiply', 'min'),
      'boost_mode?': oneOf('multiply', 'sum', 'replace', 'max', 'avg', 'min'),
      'min_score?': 0.5,
      'max_boost?': 10,
    },
  },
  (c) => ({ function_score: { query: clause(c), ...make(c, scoring) } }),
  { dis_max: { queries: some(2, 3, simple), 'tie_breaker?': 0.7 } },
  { boosting: { positive: simple, negative: simple, negative_boost: 0.2 } },
  { constant_score: { filter: simple, 'boost?': 1.2 } },
  {
    script_score: {
      query: clause,
      script: {
        source: oneOf(
          "_score + doc['stock'].size()",
          "doc['price'].size() == 0 ? 0 : Math.log(2 + doc['price'].value)",
          "decayNumericLinear(10, 20, 0, 0.5, doc['needed'].value)",
          "saturation(doc['needed'].value, 2) * _score",
          'randomScore(3, "_seq_no")',
        ),
      },
    },
  },
)

const order: Made = oneOf('asc', 'desc')
const sort: Made = oneOf(
  ['_score', { _doc: 'asc' }],
  [{ price: order }, '_doc'],
  [{ price: { order, missing: oneOf('_last', '_first', 0) } }, '_doc'],
  [{ created_at: { order, 'format?': oneOf('strict_date_optional_time_nanos', 'yyyy-MM-dd') } }, '_doc'],
  [
    {
      'reviews.stars': {
        order,
        mode: oneOf('max', 'min', 'avg', 'sum'),
        nested: { path: 'reviews', 'filter?': { term: { 'reviews.author': 'ann' } } },
      },
    },
    '_doc',
  ],
  [
    {
      'reviews.replies.likes': {
        order,
        'mode?': 'max',
        nested: { path: 'reviews', nested: { path: 'reviews.replies' } },
      },
    },
    '_doc',
  ],
  [
    {
      _geo_distance: {
        location: oneOf(place, [place, place]),
        order,
        unit: oneOf('km', 'm', 'mi'),
        'mode?': 'avg',
        'distance_type?': 'plane',
        'ignore_unmapped?': true,
      },
    },
    '_doc',
  ],
  [{ 'title.keyword': order }, { updated_at: 'desc' }, '_doc'],
  [
    {
      _script: {
        type: 'number',
        script: { source: "doc['stock'].size() == 0 ? -1 : doc['stock'].value * params.f", params: { f: 1.1 } },
        order,
      },
    },
    '_doc',
  ],
  [{ nope: { order, unmapped_type: oneOf('long', 'date', 'keyword') } }, '_doc'],
  [{ rating: { order, 'numeric_type?': oneOf('double', 'long') } }, { tags: { order, mode: 'max' } }, '_doc'],
  'price:desc',
)

const marked: Made = {
  'pre_tags?': ['<em class="hit">'],
  'post_tags?': ['</em>'],
  'type?': oneOf('unified', 'plain', 'fvh'),
  'fragment_size?': oneOf(20, 60, 150),
  'number_of_fragments?': oneOf(0, 1, 3),
  'require_field_match?': false,
  'encoder?': 'html',
  'order?': 'score',
  fields: oneOf(
    { title: {}, description: {} },
    { '*': {} },
    { 'title.plain': { type: 'fvh', matched_fields: ['title.plain', 'title.begun'] } },
    {
      description: { 'number_of_fragments?': 2, 'no_match_size?': 30, 'boundary_scanner?': oneOf('word', 'sentence') },
    },
    { 'title*': { 'highlight_query?': { match: { title: words(2) } } } },
    [{ title: {} }, { 'seller.name': {} }],
  ),
} as Json

const suggestions: Made = oneOf(
  {
    s: {
      text: 'wireles moose',
      term: {
        field: 'title.plain',
        'suggest_mode?': oneOf('always', 'popular', 'missing'),
        'size?': 3,
        'sort?': 'frequency',
      },
    },
  },
  {
    s: {
      text: oneOf('gamming noteboks', 'coffe grindr', 'smrt tv'),
      phrase: {
        field: oneOf('title.plain', 'title.typed._2gram', 'description'),
        'size?': 2,
        'max_errors?': 2,
        'confidence?': 0,
        direct_generator: maybe(0.6, [{ field: 'title.plain', suggest_mode: 'always', 'min_word_length?': 3 }]),
        'highlight?': { pre_tag: '<b>', post_tag: '</b>' },
        'gram_size?': 2,
      },
    },
  },
  {
    s: {
      prefix: oneOf('la', 'sm', 'run', 'tv'),
      completion: {
        field: 'suggest',
        'size?': 3,
        'skip_duplicates?': true,
        contexts: { kind: oneOf('home', ['home', { context: 'electronics', 'boost?': 2, 'prefix?': true }]) },
      },
    },
  },
  {
    s: {
      prefix: oneOf('lap', 'smort', 'coffe'),
      completion: { field: 'quick', 'fuzzy?': oneOf(true, { fuzziness: 'AUTO', 'min_length?': 2 }), 'size?': 5 },
    },
  },
  { text: 'lether', a: { term: { field: 'title' } }, b: { term: { field: 'description' } } },
)

const metric: Made = named({
  avg: [1, { field: number, 'missing?': 0 }],
  sum: [1, { field: number }],
  max: [1, { field: oneOf(number, date) }],
  min: [1, { field: oneOf(number, date), 'format?': '0.0' }],
  stats: [1, { field: number }],
  extended_stats: [0.5, { field: number, 'sigma?': 3 }],
  value_count: [1, { field: oneOf(number, keyword) }],
  cardinality: [1, { field: oneOf(keyword, number), 'precision_threshold?': 100 }],
  percentiles: [
    0.7,
    { field: number, hdr: { number_of_significant_value_digits: 3 }, 'percents?': [50, 95, 99], 'keyed?': false },
  ],
  weighted_avg: [0.5, { value: { field: 'rating', 'missing?': 3 }, weight: { field: 'stock' } }],
  top_hits: [
    1,
    {
      size: oneOf(1, 2),
      sort: [{ price: order }, '_doc'],
      '_source?': oneOf(['title'], { includes: ['brand', 'pri*'] }, false),
      'highlight?': { fields: { title: {} } },
    },
  ],
  geo_bounds: [0.3, { field: 'location' }],
  geo_centroid: [0.3, { field: 'location' }],
  top_metrics: [0.2, { metrics: { field: 'price' }, sort: { stock: 'desc' } }],
  scripted_metric: [
    0.3,
    {
      init_script: 'state.t = []',
      map_script: "state.t.add(doc['needed'].value)",
      combine_script: 'double s = 0; for (t in state.t) { s += t } return s',
      reduce_script: 'double s = 0; for (a in states) { s += a } return s',
    },
  ],
})
const zones: Made = oneOf(
  'Europe/Berlin',
  'America/New_York',
  'Asia/Seoul',
  '+05:30',
  'Asia/Kolkata',
  'UTC',
  'Australia/Lord_Howe',
)
const interval: Made = oneOf(
  { calendar_interval: oneOf('month', '1M', 'quarter', 'year', 'week', '1w', 'day', '1q') },
  { fixed_interval: oneOf('30d', '7d', '12h', '1d', '36h') },
)
/** Bounds, offsets and keys of histograms of dates. */
const timed = (from: string, to: string): Rule => ({
  'time_zone?': zones,
  'min_doc_count?': oneOf(0, 1, 2),
  'offset?': oneOf('+6h', '-1h', '+1d'),
  'format?': oneOf('yyyy-MM', 'yyyy-MM-dd', "yyyy-MM-dd'T'HH:mm:ssXXX", 'epoch_millis', 'E', 'uuuu/MM/dd'),
  'keyed?': true,
  'order?': oneOf({ _key: 'desc' }, { _count: 'desc' }),
  'extended_bounds?': { min: from, max: to },
})
const hard = (from: string, to: string): Rule => ({ 'hard_bounds?': { min: from, 'max?': to } })
const all =
  (...rules: readonly Rule[]): Made =>
  (c) =>
    Object.assign({}, ...rules.map((rule) => make(c, rule)))

const bucket: Made = named({
  terms: [
    4,
    {
      field: oneOf(keyword, keyword, 'stock', 'active', 'category.tree'),
      'size?': oneOf(2, 5, 20),
      'order?': oneOf({ _key: 'asc' }, { _count: 'asc' }, [{ _count: 'desc' }, { _key: 'asc' }]),
      'min_doc_count?': oneOf(0, 2),
      'missing?': oneOf('N/A', 0),
      'include?': oneOf('a.*', ['acme', 'new', 'home']),
      'exclude?': ['used'],
    },
  ],
  date_histogram: [
    4,
    all({ field: date }, interval, timed('2023-12-01', '2026-12-31'), hard('2025-01-01', '2025-12-31')),
  ],
  auto_date_histogram: [
    0.7,
    { field: date, 'buckets?': oneOf(5, 12), 'time_zone?': zones, 'minimum_interval?': oneOf('day', 'month') },
  ],
  histogram: [
    2,
    {
      field: number,
      interval: oneOf(10, 50, 0.5),
      'min_doc_count?': oneOf(0, 1),
      'extended_bounds?': { min: 0, max: 100 },
      'hard_bounds?': { min: 0, max: 200 },
      'offset?': 5,
      'keyed?': true,
      'missing?': 1,
    },
  ],
  range: [
    1.5,
    {
      field: number,
      ranges: oneOf([{ to: 50 }, { from: 50, to: 100 }, { from: 100 }], [{ key: 'cheap', to: 20 }, { from: 5 }]),
      'keyed?': true,
      'missing?': 7,
    },
  ],
  date_range: [
    1,
    {
      field: date,
      ranges: [{ to: '2025-01-01||/M' }, { from: 'now-5y/y', 'key?': 'recent' }],
      'time_zone?': zones,
      'format?': oneOf('yyyy-MM', 'yyyy-MM-dd'),
      'keyed?': true,
    },
  ],
  filters: [
    1,
    oneOf(
      { filters: { a: simple, b: simple }, 'other_bucket?': true, 'other_bucket_key?': 'rest' },
      { filters: [simple, simple], 'other_bucket?': true },
    ),
  ],
  filter: [1, simple],
  missing: [0.5, { field: oneOf(keyword, number) }],
  global: [0.3, {}],
  significant_terms: [0.5, { field: oneOf('tags', 'brand'), 'min_doc_count?': 1, 'size?': 3 }],
  rare_terms: [0.5, { field: keyword, 'max_doc_count?': 3 }],
  geohash_grid: [0.3, { field: 'location', 'precision?': oneOf(2, 4, '100km') }],
  geotile_grid: [
    0.3,
    { field: 'location', 'precision?': oneOf(4, 8), 'bounds?': { top_left: '60,-10', bottom_right: '30,30' } },
  ],
  geo_distance: [
    0.5,
    {
      field: 'location',
      origin: '52,13',
      unit: 'km',
      ranges: [{ to: 500 }, { from: 500, to: 2000 }, { from: 2000 }],
      'keyed?': true,
    },
  ],
  sampler: [0.2, { shard_size: 100 }],
  diversified_sampler: [0.1, { shard_size: 100, field: 'brand' }],
  adjacency_matrix: [0.3, { filters: { a: simple, b: simple } }],
  composite: [
    2,
    {
      'size?': oneOf(2, 5),
      sources: some(1, 3, (c) => ({
        [`s${c.random.whole(0, 999)}`]: make(
          c,
          oneOf(
            { terms: { field: keyword, 'order?': order, 'missing_bucket?': true } },
            {
              date_histogram: all({ field: date }, interval, {
                'time_zone?': zones,
                'format?': 'yyyy-MM-dd',
                'order?': order,
                'offset?': '+3h',
              }),
            },
            { histogram: { field: number, interval: 25, 'order?': order, 'missing_bucket?': true } },
            { geotile_grid: { field: 'location', precision: 3 } },
          ),
        ),
      })),
    },
  ],
})
const nestedBucket: Made = {
  nested: { path: 'reviews' },
  aggs: oneOf(
    {
      by: {
        terms: { field: 'reviews.author', 'order?': { stars: order } },
        aggs: {
          stars: { avg: { field: 'reviews.stars' } },
          'back?': { reverse_nested: {}, aggs: { b: { terms: { field: 'brand' } } } },
        },
      },
    },
    {
      stars: { histogram: { field: 'reviews.stars', interval: 1 } },
      best: { top_hits: { size: 1, sort: [{ 'reviews.stars': 'desc' }, '_doc'], '_source?': ['reviews.author'] } },
    },
    {
      f: {
        filter: { range: { 'reviews.stars': { gte: 4 } } },
        aggs: {
          m: { date_histogram: { field: 'reviews.at', calendar_interval: 'month' } },
          r: { nested: { path: 'reviews.replies' }, aggs: { likes: { sum: { field: 'reviews.replies.likes' } } } },
        },
      },
    },
  ),
} as Json

/** Pipelines in each bucket over `v`, a metric of it. */
const beside: Made = oneOf(
  {
    d: { derivative: { buckets_path: 'v', 'unit?': 'day', 'gap_policy?': 'insert_zeros' } },
    'd2?': { derivative: { buckets_path: 'd' } },
  },
  { c: { cumulative_sum: { buckets_path: oneOf('v', '_count'), 'format?': '0.00' } } },
  {
    m: {
      moving_fn: {
        buckets_path: 'v',
        window: oneOf(2, 4),
        'shift?': oneOf(0, 1, -1),
        script: oneOf(
          'MovingFunctions.unweightedAvg(values)',
          'MovingFunctions.max(values)',
          'MovingFunctions.stdDev(values, MovingFunctions.unweightedAvg(values))',
          'values.length > 0 ? values[0] : NaN',
        ),
      },
    },
  },
  { s: { serial_diff: { buckets_path: 'v', lag: oneOf(1, 3) } } },
  {
    b: {
      bucket_script: {
        buckets_path: { a: 'v', n: '_count' },
        script: oneOf(
          'params.a / params.n',
          { source: 'params.a * params.k', params: { k: 2 } },
          'params.n == 0 ? 0 : params.a',
        ),
        'format?': '0.0',
      },
    },
  },
  { b: { bucket_selector: { buckets_path: { n: '_count', 'a?': 'v' }, script: 'params.n > 2' } } },
  { b: { bucket_sort: { 'sort?': [{ v: { order } }, { _key: 'asc' }], 'size?': 3, 'from?': 1 } } },
)
const over: Made = (c) => ({
  [`${c.random.pick(['avg', 'sum', 'max', 'min', 'stats', 'extended_stats', 'percentiles'])}_bucket`]: {
    buckets_path: c.random.pick(['a>v', 'a>v', 'a>_count', 'a._count']),
    ...make(c, { 'gap_policy?': oneOf('skip', 'insert_zeros'), 'format?': '0.0' }),
  },
})
/** The aggregations of a visualization or of the facets of a shop. */
const facets: Made = oneOf(
  { a: metric },
  { a: bucket, 'b?': bucket },
  (c) => ({
    a: {
      ...make(c, bucket),
      aggs: make(c, {
        v: metric,
        'w?': metric,
        'x?': (inner) => ({ ...make(inner, bucket), aggs: { y: make(inner, metric) } }),
      }),
    },
  }),
  { a: nestedBucket },
  (c) => ({
    a: {
      ...make(
        c,
        oneOf(
          { date_histogram: all({ field: date }, interval, timed('2024-01-01', '2026-12-31')) },
          { histogram: { field: 'price', interval: 50, 'min_doc_count?': 0 } },
        ),
      ),
      aggs: {
        v: { [c.random.pick(['sum', 'avg', 'max', 'value_count', 'cardinality'])]: { field: make(c, number) } },
        ...make(c, beside),
      },
    },
    ...make(c, { 'z?': over }),
  }),
  (c) => ({
    a: {
      terms: {
        field: make(c, keyword),
        size: 3,
        order: { [c.random.pick(['v', 'v.value', '_count', '_key'])]: make(c, order) },
      },
      aggs: { v: { [c.random.pick(['sum', 'max', 'avg'])]: { field: make(c, number) } } },
    },
  }),
)

/** A page of results of a shop. */
const page: Rule = {
  query: maybe(0.9, query),
  'from?': oneOf(0, 5, 20),
  size: oneOf(0, 5, 10, 20),
  'sort?': sort,
  '_source?': oneOf(false, ['title', 'price'], { includes: ['*'], excludes: ['reviews', 'extra'] }, 'seller.*'),
  'highlight?': marked,
  aggs: maybe(0.4, facets),
  post_filter: maybe(0.15, simple),
  'track_total_hits?': oneOf(true, false, 10),
  collapse: maybe(0.1, {
    field: oneOf('brand', 'seller.id', 'stock'),
    'inner_hits?': oneOf({ name: 'more', size: 2, sort: [{ price: 'asc' }, '_doc'] }, [
      { name: 'a', size: 1 },
      { name: 'b', 'from?': 1, collapse: { field: 'category' } },
    ]),
    'max_concurrent_group_searches?': 4,
  }),
  rescore: maybe(0.1, {
    window_size: 20,
    query: {
      rescore_query: simple,
      'query_weight?': 0.7,
      'rescore_query_weight?': 1.2,
      'score_mode?': oneOf('max', 'multiply'),
    },
  }),
  suggest: maybe(0.12, suggestions),
  'docvalue_fields?': oneOf(
    ['price', { field: 'created_at', format: 'yyyy' }],
    ['brand', 'reviews.stars', 'location'],
    [{ field: 'updated_at', format: 'use_field_mapping' }],
    ['cre*'],
  ),
  fields: maybe(
    0.15,
    oneOf(
      ['title', 'created_at'],
      ['*'],
      [{ field: 'up*', format: 'epoch_millis' }, 'reviews.*'],
      ['attributes', 'location', { field: 'location', format: 'wkt' }],
    ),
  ),
  'stored_fields?': oneOf('_none_', ['_source'], ['title']),
  script_fields: maybe(0.1, {
    total: {
      script: {
        source:
          "doc['price'].size() == 0 ? null : doc['price'].value * (doc['stock'].size() == 0 ? 1 : doc['stock'].value)",
      },
    },
    'src?': { script: "params['_source']['title']" },
  }),
  explain: maybe(0.08, true),
  version: maybe(0.1, true),
  seq_no_primary_term: maybe(0.1, true),
  min_score: maybe(0.05, 0.5),
  track_scores: maybe(0.1, true),
  indices_boost: maybe(0.03, (c) => [{ [c.index]: 1.3 }]),
  timeout: maybe(0.05, '30s'),
}

const during = {
  range: {
    '@timestamp': {
      gte: '2026-01-10T00:00:00.000Z',
      lte: '2026-02-20T23:59:59.999Z',
      format: 'strict_date_optional_time',
    },
  },
}
const lucene: Made = oneOf(
  '*',
  'level:error',
  'status:[400 TO *] AND NOT host.name:db*',
  'message:"api v1"',
  'url:\\/laptop\\/*',
  'client:192.168.1.0\\/24',
  'bytes:>5000',
  '_exists_:labels.team',
  'GET',
  'took:{100 TO 500] OR level:(warn OR error)',
  'message:(took AND PO*)',
)
const discovered: Made = oneOf(
  { match_all: {} },
  { query_string: { query: lucene, analyze_wildcard: true, 'time_zone?': 'Europe/Berlin', 'default_field?': '*' } },
  { match_phrase: { level: 'error' } },
  {
    bool: {
      should: [{ match_phrase: { 'host.name': 'web-1' } }, { match_phrase: { status: 500 } }],
      minimum_should_match: 1,
    },
  },
  { exists: { field: 'geo' } },
  { range: { bytes: { gte: 1000, lt: 50_000 } } },
  { multi_match: { type: 'best_fields', query: oneOf('error 404', 'api'), lenient: true } },
  { terms: { status: [404, 500] } },
  { wildcard: { url: '/l*' } },
  { term: { client: '192.168.0.0/16' } },
)
const timeline: Made = all(
  { field: '@timestamp' },
  oneOf({ calendar_interval: oneOf('1d', '1w', 'month') }, { fixed_interval: oneOf('12h', '1d', '3h', '30d') }),
  {
    time_zone: maybe(0.7, zones),
    min_doc_count: maybe(0.5, oneOf(0, 1)),
    'extended_bounds?': { min: 1_767_225_600_000, max: 1_772_323_200_000 },
    'keyed?': true,
    'offset?': '+30m',
    'hard_bounds?': { min: '2026-01-15', max: '2026-02-10' },
  },
)
const seen: Made = oneOf(
  (c) => ({
    2: {
      date_histogram: make(c, timeline),
      aggs: make(c, {
        3: {
          terms: { field: oneOf('level', 'status', 'host.name', 'labels.team'), size: 5, order: { _count: 'desc' } },
          aggs: { 1: { avg: { field: 'took' } } },
        },
      }),
    },
  }),
  (c) => ({
    2: {
      date_histogram: make(c, timeline),
      aggs: {
        1: { [c.random.pick(['sum', 'avg', 'max'])]: { field: c.random.pick(['bytes', 'took']) } },
        3: make(
          c,
          oneOf(
            { cumulative_sum: { buckets_path: '1' } },
            { derivative: { buckets_path: '1' } },
            { moving_fn: { buckets_path: '1', window: 5, script: 'MovingFunctions.unweightedAvg(values)' } },
            { serial_diff: { buckets_path: '1' } },
          ),
        ),
      },
    },
  }),
  {
    2: {
      filters: {
        filters: { 'level:error': { query_string: { query: 'level:error' } }, slow: { range: { took: { gte: 500 } } } },
        'other_bucket?': true,
      },
      aggs: { 1: { cardinality: { field: 'client' } } },
    },
  },
  { 2: { terms: { field: 'url', size: 5, order: { 1: 'desc' } }, aggs: { 1: { sum: { field: 'bytes' } } } } },
  {
    2: {
      range: {
        field: 'bytes',
        ranges: [
          { from: 0, to: 1000 },
          { from: 1000, to: 50_000 },
        ],
        'keyed?': true,
      },
      aggs: {
        1: {
          top_hits: {
            size: 1,
            sort: [{ '@timestamp': 'desc' }],
            docvalue_fields: [{ field: '@timestamp', format: 'date_time' }],
            _source: ['url'],
          },
        },
      },
    },
  },
  {
    2: {
      ip_range: {
        field: 'client',
        ranges: [{ mask: '192.168.1.0/24' }, { from: '192.168.0.0', to: '192.168.1.0' }],
        'keyed?': true,
      },
    },
  },
  { 2: { geohash_grid: { field: 'geo', precision: 3 }, aggs: { 3: { geo_centroid: { field: 'geo' } } } } },
  {
    2: {
      histogram: {
        field: 'took',
        interval: 100,
        min_doc_count: oneOf(0, 1),
        'extended_bounds?': { min: 0, max: 1500 },
      },
    },
  },
  { 2: { significant_terms: { field: 'url', size: 3, min_doc_count: 1 } } },
  { 2: { auto_date_histogram: { field: '@timestamp', buckets: oneOf(10, 30), 'time_zone?': zones } } },
  (c) => ({
    2: {
      terms: { field: 'host.name' },
      aggs: {
        1: { percentiles: { field: 'took', hdr: { number_of_significant_value_digits: 2 }, percents: [50, 95] } },
        4: { max_bucket: { buckets_path: '3>_count' } },
        3: { date_histogram: make(c, timeline) },
      },
    },
  }),
  {
    2: {
      composite: {
        size: 4,
        sources: [
          { h: { terms: { field: 'host.name' } } },
          { d: { date_histogram: all({ field: '@timestamp', calendar_interval: '1w' }, { 'time_zone?': zones }) } },
        ],
      },
    },
  },
)

/** What a log viewer asks. */
const discover: Rule = {
  version: maybe(0.5, true),
  size: oneOf(0, 0, 5, 50),
  sort: maybe(
    0.7,
    oneOf(
      [{ '@timestamp': { order: 'desc', unmapped_type: 'boolean' } }],
      [{ '@timestamp': 'asc' }, { _doc: 'desc' }],
      [{ bytes: { order: 'desc', unmapped_type: 'boolean' } }, { '@timestamp': 'asc' }],
    ),
  ),
  aggs: maybe(0.7, seen),
  stored_fields: maybe(0.5, ['*']),
  docvalue_fields: maybe(0.5, [{ field: '@timestamp', format: 'date_time' }]),
  fields: maybe(0.2, [
    { field: '*', 'include_unmapped?': true },
    { field: '@timestamp', format: 'strict_date_optional_time' },
  ]),
  script_fields: {},
  _source: oneOf({ excludes: [] }, false, { includes: ['message'] }),
  query: {
    bool: {
      must: some(0, 1, discovered),
      filter: (c) => [during, ...make(c, some(0, 2, discovered))],
      'should?': [],
      must_not: some(0, 1, discovered),
    },
  },
  highlight: maybe(0.4, {
    pre_tags: ['@kibana-highlighted-field@'],
    post_tags: ['@/kibana-highlighted-field@'],
    fields: { '*': {} },
    fragment_size: 2_147_483_647,
  }),
  'track_total_hits?': true,
  'timeout?': '30000ms',
}

const CALLS: Readonly<Record<string, readonly [number, Made]>> = {
  page: [
    10,
    (c) => ({
      method: 'POST',
      path: `/${c.index}/_search${c.random.chance(0.1) ? '?typed_keys=true' : ''}`,
      body: page,
    }),
  ],
  discover: [
    6,
    (c) => ({
      method: 'POST',
      path: `/${c.random.pick([`${c.index}_logs-*`, `${c.index}_logs`, `${c.index}_errors`, `${c.index}_logs-2026.02`])}/_search${c.random.pick(['', '', '?ignore_unavailable=true&preference=1575&rest_total_hits_as_int=true&batched_reduce_size=64', '?ignore_throttled=false'])}`,
      body: discover,
    }),
  ],
  daily_count: [1, (c) => ({ method: 'POST', path: `/${c.index}/_count`, body: { query } })],
  daily_caps: [
    0.3,
    (c) => ({
      method: 'GET',
      path: `/${c.random.pick([`${c.index}_logs-*`, c.index, `${c.index}*`])}/_field_caps?fields=${c.random.pick(['*', '_source,_id,_index,_score', 'ti*,@*', 'bytes,took,url'])}`,
    }),
  ],
  daily_validate: [
    0.5,
    (c) => ({
      method: 'POST',
      path: `/${c.index}/_validate/query?${c.random.pick(['explain=true', 'rewrite=true', 'explain'])}`,
      body: { query },
    }),
  ],
  daily_explain: [
    0.7,
    (c) => ({ method: 'POST', path: `/${c.index}/_explain/${c.random.whole(0, 20)}`, body: { query } }),
  ],
  daily_uri: [
    0.7,
    (c) => ({
      method: 'GET',
      path: `/${c.index}_logs/_search?${new URLSearchParams(make(c, { q: lucene, 'df?': 'message', 'default_operator?': 'AND', 'sort?': '@timestamp:desc', 'size?': '3', 'analyze_wildcard?': 'true', 'lenient?': 'true', '_source?': 'level,host.*', '_source_excludes?': 'message', 'track_total_hits?': 'false' }))}`,
    }),
  ],
}

/** A call as an application sends it. */
export function dailyCall(c: Context): Call {
  const [kind, made] = Object.entries(make(c, named(CALLS)))[0] as [string, Json]
  return { kind, ...made }
}
