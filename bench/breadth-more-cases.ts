/** More of what `breadth.ts` asks for: what needs indices, pipelines or queries of its own, and writes. */
import { agg, type Draw, enriched, index, type Make, rare, search, text, words } from './breadth-cases.ts'

/** A request before the measuring; a body of several lines is sent as it is. */
export interface Preparation {
  readonly method: string
  readonly path: string
  readonly body?: object | string
}

const FAMILY = `${index}-family`
const QUERIES = `${index}-queries`
const LONG = `${index}-long`
const STORED = `${index}-stored`
const WRITTEN = `${index}-written`
const LISTS = `${index}-lists`

const settings = { number_of_shards: 1, number_of_replicas: 0 }

function bulk(documents: readonly object[]): string {
  return documents.map((document) => `${JSON.stringify(document)}\n`).join('')
}

/** The indices beside the large one. */
export function preparations(lines: readonly string[]): Preparation[] {
  const documents = lines.slice(0, 6000).map((line) => JSON.parse(line) as { title: string; extract: string })
  const create = (name: string, properties: object): Preparation[] => [
    { method: 'DELETE', path: `/${name}` },
    { method: 'PUT', path: `/${name}`, body: { settings, mappings: { properties } } },
  ]
  const fill = (name: string, body: string): Preparation => ({
    method: 'POST',
    path: `/${name}/_bulk?refresh=true`,
    body,
  })
  const family = documents.flatMap(({ title, extract }, i) => [
    { index: { _id: `p${i}` } },
    { title, kin: 'parent' },
    ...[0, 1].flatMap((j) => [
      { index: { _id: `c${i}-${j}`, routing: `p${i}` } },
      { extract, rating: (i * 7 + j) % 10, kin: { name: 'child', parent: `p${i}` } },
    ]),
  ])
  const queries = documents.slice(0, 1000).flatMap(({ title }, i) => [
    { index: { _id: String(i) } },
    {
      query:
        i % 3 === 0
          ? { match_phrase: { extract: title } }
          : { match: { extract: { query: `${title} ${words[i % words.length]}`, operator: 'and' } } },
    },
  ])
  const long = documents.slice(0, 400).flatMap((_document, i) => [
    { index: { _id: String(i) } },
    {
      extract: documents
        .slice(i * 10, i * 10 + 30)
        .map(({ extract }) => extract)
        .join(' '),
    },
  ])
  const stored = documents.flatMap(({ title, extract }, i) => [
    { index: { _id: String(i) } },
    { title, extract, number: i },
  ])
  return [
    ...create(FAMILY, {
      title: { type: 'text' },
      extract: { type: 'text' },
      rating: { type: 'integer' },
      kin: { type: 'join', relations: { parent: 'child' } },
    }),
    fill(FAMILY, bulk(family)),
    ...create(QUERIES, { query: { type: 'percolator' }, extract: { type: 'text' } }),
    fill(QUERIES, bulk(queries)),
    ...create(LONG, {
      extract: {
        type: 'text',
        fields: {
          offsets: { type: 'text', index_options: 'offsets' },
          vectors: { type: 'text', term_vector: 'with_positions_offsets' },
        },
      },
    }),
    fill(LONG, bulk(long)),
    ...create(STORED, {
      title: { type: 'text', store: true },
      extract: { type: 'text', store: true },
      number: { type: 'integer', store: true },
    }),
    fill(STORED, bulk(stored)),
    ...create(WRITTEN, { id: { type: 'keyword' }, n: { type: 'integer' }, batch: { type: 'integer' } }),
    ...create(LISTS, { ids: { type: 'keyword' } }),
    fill(
      LISTS,
      bulk(
        Array.from({ length: 10 }, (_, i) => [
          { index: { _id: String(i) } },
          { ids: Array.from({ length: 500 }, (_id, j) => `s${(i * 997 + j * 13) % lines.length}`) },
        ]).flat(),
      ),
    ),
    {
      method: 'PUT',
      path: '/_ingest/pipeline/breadth',
      body: {
        processors: [
          {
            grok: {
              field: 'message',
              patterns: ['%{IPORHOST:client} %{WORD:verb} %{URIPATHPARAM:path} %{NUMBER:took}'],
            },
          },
          { date: { field: 'at', formats: ['dd/MMM/yyyy:HH:mm:ss Z'], target_field: 'time' } },
          { set: { field: 'seen', value: true } },
          { convert: { field: 'took', type: 'integer' } },
          { remove: { field: 'at' } },
        ],
      },
    },
  ]
}

const many = <T>(count: number, one: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => one(i))
const sequence = (() => {
  let last = 0
  return () => ++last
})()

export function moreCases(lines: readonly string[]): Record<string, Make> {
  const id = (next: () => number): number => Math.floor(next() * lines.length)
  const multiMatch =
    (type: string): Make =>
    (draw) =>
      search({
        multi_match: {
          query: `${draw(words)} ${draw(words)} ${draw(rare)}`,
          type,
          fields: ['title', 'extract', 'cast', 'title.keyword', 'genres'],
        },
      })
  const highlight =
    (field: string, type: string): Make =>
    (draw) => ({
      path: `/${LONG}/_search`,
      body: search(
        { match: { [field]: `${draw(words)} ${draw(rare)}` } },
        { _source: false, highlight: { type, fields: { [field]: {} } } },
      ),
    })
  const writes = (lineOf: (i: number) => readonly object[]): object => ({
    steps: [{ path: `/${WRITTEN}/_bulk`, lines: many(200, lineOf).flat() }],
  })
  /** A batch of documents of its own and what is done to them. */
  const batch = (then: (number: number) => object): object => {
    const number = sequence()
    return {
      steps: [
        {
          path: `/${WRITTEN}/_bulk?refresh=true`,
          lines: many(200, (i) => [{ index: { _id: `${number}-${i}` } }, { id: `x${i}`, n: i, batch: number }]).flat(),
        },
        then(number),
      ],
    }
  }
  const suggest = (more: object): object => ({ size: 0, suggest: { s: more } })
  return {
    'terms of 10,000': (_d, next) => search({ terms: { id: many(10_000, () => `s${id(next)}`) } }),
    'terms lookup': (_d, next) =>
      search({ terms: { id: { index: LISTS, id: String(Math.floor(next() * 10)), path: 'ids' } } }),
    'range by now': () =>
      search({
        bool: {
          filter: [{ range: { released: { gte: 'now-60y/d', lt: 'now-20y/d', format: 'strict_date_optional_time' } } }],
        },
      }),
    match_bool_prefix: (draw) =>
      search({ match_bool_prefix: { extract: `${draw(words)} ${draw(words)} ${draw(words).slice(0, 3)}` } }),
    'multi_match of 5, best_fields': multiMatch('best_fields'),
    'multi_match of 5, most_fields': multiMatch('most_fields'),
    'multi_match of 5, cross_fields': multiMatch('cross_fields'),
    'query_string of 30 clauses': (draw) =>
      search({
        query_string: {
          query: many(10, () => `${draw(words)} OR (title:${draw(words)} AND -${draw(rare)})`).join(' OR '),
          fields: ['extract', 'title^2'],
        },
      }),
    'nested, inner hits of 100': (draw) =>
      search(
        { nested: { path: 'credits', query: { term: { 'credits.role': draw(['actor', 'writer']) } }, inner_hits: {} } },
        { size: 100 },
      ),
    has_child: (draw) => ({
      path: `/${FAMILY}/_search`,
      body: search({ has_child: { type: 'child', query: { match: { extract: draw(words) } }, score_mode: 'max' } }),
    }),
    'has_child, inner hits': (draw) => ({
      path: `/${FAMILY}/_search`,
      body: search({ has_child: { type: 'child', query: { match: { extract: draw(words) } }, inner_hits: {} } }),
    }),
    has_parent: (draw) => ({
      path: `/${FAMILY}/_search`,
      body: search({ has_parent: { parent_type: 'parent', query: { match: { title: draw(words) } } } }),
    }),
    'agg children': (draw) => ({
      path: `/${FAMILY}/_search?request_cache=false`,
      body: agg(
        { children: { type: 'child' }, aggs: { r: { terms: { field: 'rating' } } } },
        { match: { title: draw(words) } },
      ),
    }),
    percolate: (_d, next) => ({
      path: `/${QUERIES}/_search`,
      body: search({
        percolate: {
          field: 'query',
          document: { extract: (JSON.parse(lines[id(next)] as string) as { extract: string }).extract },
        },
      }),
    }),
    'highlight long, unified': highlight('extract', 'unified'),
    'highlight long, plain': highlight('extract', 'plain'),
    'highlight long, fvh': highlight('extract.vectors', 'fvh'),
    'highlight long, offsets': highlight('extract.offsets', 'unified'),
    'highlight long, unified by vectors': highlight('extract.vectors', 'unified'),
    stored_fields: (draw) => ({
      path: `/${STORED}/_search`,
      body: search({ match: { extract: draw(words) } }, { size: 100, stored_fields: ['title', 'number'] }),
    }),
    'source filtered, 100 hits': (draw) =>
      search(text(draw), { size: 100, _source: { includes: ['t*', 'credits.name'], excludes: ['cast'] } }),
    'docvalue_fields, 100 hits': (draw) =>
      search(text(draw), {
        size: 100,
        _source: false,
        docvalue_fields: ['year', 'genres', 'price', 'ip', { field: 'released', format: 'yyyy' }],
      }),
    'script_fields, 100 hits': (draw) =>
      search(text(draw), {
        size: 100,
        script_fields: { d: { script: "doc['year'].value * 2 + doc['genres'].size()" } },
      }),
    'filter by script': (draw) =>
      search({
        bool: {
          must: [text(draw)],
          filter: [{ script: { script: "doc['year'].value % 2 == 0 && doc['price'].value > 50" } }],
        },
      }),
    '_msearch of 20': (draw) => ({
      path: `/${index}/_msearch`,
      lines: many(20, () => [{}, search({ match: { extract: `${draw(words)} ${draw(words)}` } }, { size: 10 })]).flat(),
    }),
    '_mget of 100': (_d, next) => ({ path: `/${index}/_mget`, body: { ids: many(100, () => String(id(next))) } }),
    'scroll of 5,000 by 1,000': (draw) => ({
      scroll: 5,
      body: { size: 1000, query: { match: { extract: draw(['the', 'a']) } } },
    }),
    'scroll of 5,000 by 1,000, _doc': () => ({ scroll: 5, body: { size: 1000, sort: ['_doc'] } }),
    'agg cardinality of ids': () => agg({ cardinality: { field: 'id' } }),
    'agg cardinality of ids, words': (draw) =>
      agg({ cardinality: { field: 'id', precision_threshold: 40_000 } }, text(draw)),
    'agg terms > date_histogram > avg': (draw) =>
      agg(
        {
          terms: { field: 'genres' },
          aggs: {
            d: {
              date_histogram: { field: 'released', calendar_interval: 'year' },
              aggs: { p: { avg: { field: 'price' } } },
            },
          },
        },
        text(draw),
      ),
    'agg terms of names, 1,000': (draw) => agg({ terms: { field: 'cast.keyword', size: 1000 } }, text(draw)),
    'agg terms of names, 1,000, all': () => agg({ terms: { field: 'cast.keyword', size: 1000 } }),
    'agg terms of names > top_hits': (draw) =>
      agg({ terms: { field: 'cast.keyword', size: 20 }, aggs: { t: { top_hits: { size: 1 } } } }, text(draw)),
    'agg significant_terms of names': (draw) => agg({ significant_terms: { field: 'cast.keyword' } }, text(draw)),
    'agg avg by script': (draw) =>
      agg({ avg: { script: { source: "doc['price'].value * doc['year'].value" } } }, text(draw)),
    'agg bucket_script, bucket_sort': (draw) =>
      agg(
        {
          terms: { field: 'genres', size: 20 },
          aggs: {
            p: { sum: { field: 'price' } },
            b: { bucket_script: { buckets_path: { p: 'p', c: '_count' }, script: 'params.p / params.c' } },
            s: { bucket_sort: { sort: [{ b: 'desc' }] } },
          },
        },
        text(draw),
      ),
    'agg composite, after, date': (draw) =>
      agg(
        {
          composite: {
            size: 100,
            sources: [
              { d: { date_histogram: { field: 'released', calendar_interval: 'month', format: 'yyyy-MM-dd' } } },
              { n: { terms: { field: 'cast.keyword' } } },
            ],
            after: { d: '1980-01-01', n: 'M' },
          },
        },
        text(draw),
      ),
    'agg date_range by now': () =>
      agg({
        date_range: { field: 'released', format: 'yyyy-MM-dd', ranges: [{ from: 'now-50y/d', to: 'now-10y/d' }] },
      }),
    'suggest of two kinds': (draw) =>
      suggest({
        text: `${draw(words)}r ${draw(rare).slice(0, -1)}x`,
        term: { field: 'extract', suggest_mode: 'always' },
      }),
    'suggest phrase, collate-free': (draw) =>
      suggest({
        text: `${draw(words).slice(1)} ${draw(rare).slice(0, -1)} of`,
        phrase: { field: 'extract', max_errors: 2, direct_generator: [{ field: 'extract', suggest_mode: 'always' }] },
      }),
    'point get': (_d, next) => ({ method: 'GET', path: `/${index}/_doc/${id(next)}?_source_includes=title,year` }),
    '_search by filter_path': (draw) => ({
      path: `/${index}/_search?filter_path=hits.hits._id,hits.total`,
      body: search(text(draw), { size: 100 }),
    }),
    _field_caps: () => ({ method: 'GET', path: `/${index}/_field_caps?fields=*` }),
    'bulk index of 200': (_d, next) => {
      const from = id(next)
      return writes((i) => [
        { index: {} },
        JSON.parse(enriched(lines[(from + i) % lines.length] as string, i)) as object,
      ])
    },
    'bulk update of 200': (_d, next) =>
      writes(() => [
        { update: { _id: `u${Math.floor(next() * 1000)}` } },
        { doc: { n: Math.floor(next() * 1e6) }, doc_as_upsert: true },
      ]),
    'bulk update by script of 200': (_d, next) =>
      writes(() => [
        { update: { _id: `s${Math.floor(next() * 1000)}` } },
        { script: { source: 'ctx._source.n += params.by', params: { by: 2 } }, upsert: { n: 1 } },
      ]),
    'bulk index and delete of 200': () => {
      const number = sequence()
      return {
        steps: [
          {
            path: `/${WRITTEN}/_bulk`,
            lines: many(200, (i) => [{ index: { _id: `d${number}-${i}` } }, { n: i }]).flat(),
          },
          { path: `/${WRITTEN}/_bulk`, lines: many(200, (i) => ({ delete: { _id: `d${number}-${i}` } })) },
        ],
      }
    },
    'bulk through a pipeline of 200': (_d, next) => ({
      steps: [
        {
          path: `/${WRITTEN}/_bulk?pipeline=breadth`,
          lines: many(200, () => [
            { index: {} },
            {
              message: `10.0.${Math.floor(next() * 256)}.7 GET /films/${id(next)}?full=true ${Math.floor(next() * 5000)}`,
              at: `0${1 + Math.floor(next() * 9)}/Nov/2026:12:30:0${Math.floor(next() * 10)} +0900`,
            },
          ]).flat(),
        },
      ],
    }),
    '_update_by_query of 200': () =>
      batch((number) => ({
        path: `/${WRITTEN}/_update_by_query?refresh=true`,
        body: { query: { term: { batch: number } }, script: { source: 'ctx._source.n++' } },
      })),
    '_delete_by_query of 200': () =>
      batch((number) => ({
        path: `/${WRITTEN}/_delete_by_query?refresh=true`,
        body: { query: { term: { batch: number } } },
      })),
    '_reindex of 200': () =>
      batch((number) => ({
        path: '/_reindex',
        body: { source: { index: WRITTEN, query: { term: { batch: number } } }, dest: { index: `${WRITTEN}-copy` } },
      })),
  }
}

export type { Draw }
