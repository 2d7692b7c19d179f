import type { Answer } from './ask-domain.ts'

/** Asks a domain of a version without types. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<Answer>

/** A document as it must be. */
export interface KnownDocument {
  readonly id: string
  readonly routing: string | undefined
  readonly source: Readonly<Record<string, unknown>>
}

/** Fields of {@link AGREED_MAPPING} that a document has a value of, and one that most documents do not have. */
const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'omega', 'kappa', 'sigma']
const KOREAN = ['한국어를', '공부합니다', '아버지가', '방에', '들어가신다', '서울특별시', '대학교에서']
const DAY_MS = 86_400_000

/** A field of most types, all of which {@link madeUpSource} fills. */
export const AGREED_PROPERTIES = {
  n: { type: 'integer' },
  l: { type: 'long' },
  d: { type: 'double' },
  s: { type: 'keyword' },
  bare: { type: 'keyword', doc_values: false },
  kept: { type: 'keyword', store: true },
  t: { type: 'text', fielddata: true, fields: { raw: { type: 'keyword' }, e: { type: 'text', analyzer: 'english' } } },
  k: { type: 'text', analyzer: 'nori' },
  at: { type: 'date' },
  b: { type: 'boolean' },
  ip: { type: 'ip' },
  g: { type: 'geo_point' },
  r: { type: 'integer_range' },
  copy: { type: 'text' },
  word: { type: 'keyword', copy_to: 'copy' },
  c: { type: 'completion' },
  pq: { type: 'percolator' },
  half: { type: 'half_float' },
  scaled: { type: 'scaled_float', scaling_factor: 100 },
  short: { type: 'short' },
  float: { type: 'float' },
  nanos: { type: 'date_nanos' },
  typed: { type: 'search_as_you_type' },
  shape: { type: 'geo_shape' },
  rank: { type: 'rank_feature' },
  ranks: { type: 'rank_features' },
  wild: { type: 'wildcard' },
  flat: { type: 'flat_object' },
  big: { type: 'unsigned_long' },
  net: { type: 'ip_range' },
  span: { type: 'date_range' },
  none: { type: 'keyword', null_value: 'nothing' },
  short_only: { type: 'keyword', ignore_above: 5 },
  lax: { type: 'integer', ignore_malformed: true },
  found: {
    type: 'text',
    term_vector: 'with_positions_offsets',
    index_phrases: true,
    index_prefixes: {},
    fields: { count: { type: 'token_count', analyzer: 'standard' } },
  },
}

/** What cannot be in an index that is sorted. */
export const AGREED_NESTED = {
  parts: { type: 'nested', properties: { a: { type: 'integer' }, w: { type: 'keyword' } } },
  j: { type: 'join', relations: { q: 'a' } },
}

/** A source with values of most fields; doubles are exact in sums. */
export function madeUpSource(below: (n: number) => number, isNested: boolean): Record<string, unknown> {
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const some = <T>(most: number, make: () => T): T[] => Array.from({ length: below(most + 1) }, make)
  const text = (words: readonly string[]) => some(12, () => pick(words)).join(' ')
  const all: Record<string, () => unknown> = {
    n: () => below(50),
    l: () => some(3, () => below(2 ** 30) * 2 ** 20),
    d: () => below(4_000) / 4,
    s: () => some(2, () => pick(WORDS)),
    bare: () => pick(WORDS),
    kept: () => pick(WORDS),
    t: () => text(WORDS),
    k: () => text(KOREAN),
    at: () => below(400) * DAY_MS,
    b: () => below(2) === 0,
    ip: () => `10.0.${below(3)}.${below(20)}`,
    g: () => ({ lat: below(40), lon: below(40) }),
    r: () => ({ gte: below(20), lt: 20 + below(20) }),
    word: () => pick(WORDS),
    c: () => pick(WORDS),
    pq: () =>
      pick<object>([{ term: { s: pick(WORDS) } }, { match: { t: text(WORDS) } }, { range: { n: { gte: below(50) } } }]),
    half: () => below(100) / 4,
    scaled: () => below(1_000) / 4,
    short: () => below(60_000) - 30_000,
    float: () => some(2, () => below(1_000) / 8),
    nanos: () => below(400) * DAY_MS,
    typed: () => text(WORDS),
    shape: () => ({ type: 'point', coordinates: [below(40), below(40)] }),
    rank: () => 1 + below(9),
    ranks: () => ({ [pick(WORDS)]: 1 + below(9) }),
    wild: () => text(WORDS).slice(0, 30),
    flat: () => ({ a: pick(WORDS), b: { c: pick(WORDS) } }),
    big: () => below(2 ** 30) * 2 ** 22,
    net: () => `10.0.${below(3)}.0/${25 + below(6)}`,
    span: () => ({ gte: below(200) * DAY_MS, lte: (200 + below(200)) * DAY_MS }),
    none: () => pick([null, ...WORDS]),
    short_only: () => pick([...WORDS, 'far too long']),
    lax: () => pick<unknown>([below(9), 'no number']),
    found: () => text(WORDS),
    [`f${below(12)}`]: () => pick([below(9), below(9)]),
    o: () => ({ [`x${below(3)}`]: pick(WORDS) }),
    ...(isNested ? { parts: () => some(3, () => ({ a: below(6), w: pick(WORDS) })) } : {}),
  }
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, make]) => (name !== 'n' && below(5) === 0 ? [] : [[name, make()]])),
  )
}

const FIELDS = [
  ...['n', 'l', 'd', 's', 'kept', 't', 't.raw', 'at', 'b', 'ip', 'word', 'o.x0.keyword', 'f1', 'f7', 'o.x2'],
  ...['half', 'scaled', 'short', 'float', 'nanos', 'big', 'none', 'short_only', 'lax', 'found.count'],
]

/** Searches by every structure that an index has for the fields. */
export function agreedSearches(isNested: boolean): readonly object[] {
  const queries: object[] = [
    { match_all: {} },
    ...[
      ...FIELDS,
      'bare',
      'k',
      'g',
      'r',
      'c',
      '_routing',
      'copy',
      'typed',
      'shape',
      'wild',
      'flat',
      'net',
      'span',
      'found',
      '_ignored',
    ].map((field) => ({ exists: { field } })),
    ...WORDS.slice(0, 3).flatMap((word) =>
      ['s', 'bare', 'kept', 'word', 't', 'copy', 'o.x1.keyword', 'o.x1'].map((field) => ({ term: { [field]: word } })),
    ),
    { terms: { n: [1, 2, 3, 30] } },
    { range: { n: { gte: 10, lt: 30 } } },
    { range: { l: { gt: 2 ** 48 } } },
    { range: { d: { lte: 400.5 } } },
    { range: { at: { gte: '1970-06-01' } } },
    { range: { ip: { gte: '10.0.1.0' } } },
    { range: { 't.raw': { gt: 'beta', lte: 'kappa' } } },
    { range: { r: { gte: 10, lte: 12, relation: 'within' } } },
    { range: { r: { gte: 10, lte: 12 } } },
    { term: { b: true } },
    { term: { ip: '10.0.0.0/24' } },
    { term: { f1: 3 } },
    { match: { t: 'alpha omega' } },
    { match: { k: '서울 대학교' } },
    { match_phrase: { t: 'beta gamma' } },
    { match_phrase: { k: '한국어 공부' } },
    { match: { copy: 'gamma' } },
    { match_phrase: { copy: 'alpha' } },
    { match: { 't.e': 'kappas' } },
    { prefix: { 't.raw': 'alpha be' } },
    { wildcard: { s: '*m*' } },
    { regexp: { t: '[ad].*a' } },
    { fuzzy: { t: 'gama' } },
    { query_string: { query: 't:(alpha AND NOT beta) OR n:7' } },
    { geo_distance: { distance: '900km', g: { lat: 20, lon: 20 } } },
    { geo_bounding_box: { g: { top_left: { lat: 30, lon: 2 }, bottom_right: { lat: 3, lon: 33 } } } },
    { bool: { must_not: [{ exists: { field: 's' } }], should: [{ term: { t: 'delta' } }] } },
    { percolate: { field: 'pq', document: { s: 'alpha', t: 'beta gamma', n: 20 } } },
    { bool: { should: [{ rank_feature: { field: 'rank' } }, { rank_feature: { field: 'ranks.alpha' } }] } },
    { multi_match: { query: 'alpha be', type: 'bool_prefix', fields: ['typed', 'typed._2gram', 'typed._3gram'] } },
    {
      geo_shape: {
        shape: {
          shape: {
            type: 'envelope',
            coordinates: [
              [5, 30],
              [30, 5],
            ],
          },
        },
      },
    },
    { wildcard: { wild: { value: '*ma*be*' } } },
    { term: { flat: 'alpha' } },
    { term: { 'flat.b.c': 'beta' } },
    { term: { net: '10.0.1.17' } },
    { range: { span: { gte: '1970-08-01', lte: '1970-08-20', relation: 'contains' } } },
    { term: { none: 'nothing' } },
    { term: { _ignored: 'lax' } },
    { term: { lax: 3 } },
    { range: { half: { gte: 3.5, lt: 20 } } },
    { range: { scaled: { gte: 3.5, lt: 99.25 } } },
    { range: { big: { gte: '1099511627776' } } },
    { range: { nanos: { lt: '1970-05-01' } } },
    { match_phrase: { found: 'alpha omega' } },
    { prefix: { found: 'alp' } },
    {
      span_near: {
        clauses: [{ span_term: { found: 'alpha' } }, { span_term: { found: 'beta' } }],
        slop: 2,
        in_order: false,
      },
    },
    { intervals: { t: { match: { query: 'alpha beta', max_gaps: 3 } } } },
    { more_like_this: { fields: ['t'], like: 'alpha omega kappa', min_term_freq: 1, min_doc_freq: 1 } },
    { distance_feature: { field: 'at', pivot: '30d', origin: '1970-06-01' } },
    { script: { script: "doc['n'].size() > 0 && doc['n'].value % 3 == 0" } },
    ...(isNested
      ? [
          { nested: { path: 'parts', query: { term: { 'parts.w': 'beta' } } } },
          { nested: { path: 'parts', query: { range: { 'parts.a': { gte: 3 } } }, score_mode: 'sum' } },
          { bool: { must_not: { nested: { path: 'parts', query: { match_all: {} } } } } },
          { has_child: { type: 'a', query: { range: { n: { gte: 25 } } } } },
          { has_parent: { parent_type: 'q', query: { term: { s: 'alpha' } } } },
          { term: { j: 'a' } },
        ]
      : []),
  ]
  const counted = Object.fromEntries(FIELDS.map((field) => [field, { value_count: { field } }]))
  const terms = Object.fromEntries(
    FIELDS.filter((field) => field !== 'o.x2').map((field) => [
      field,
      { terms: { field, size: 500, order: { _key: 'asc' } }, aggs: { sum: { sum: { field: 'n' } } } },
    ]),
  )
  const aggregations: object[] = [
    Object.fromEntries(Object.entries(counted).filter(([field]) => field !== 'o.x2')),
    terms,
    {
      stats: { stats: { field: 'd' } },
      n: { histogram: { field: 'n', interval: 5 }, aggs: { s: { cardinality: { field: 's' } } } },
      at: { date_histogram: { field: 'at', calendar_interval: 'month' } },
      g: { geohash_grid: { field: 'g', precision: 3 } },
      missing: { missing: { field: 's' } },
      r: { histogram: { field: 'r', interval: 4 } },
      ip: { ip_range: { field: 'ip', ranges: [{ from: '10.0.0.9', to: '10.0.1.9' }] } },
      c: { composite: { size: 500, sources: [{ s: { terms: { field: 's' } } }, { n: { terms: { field: 'n' } } }] } },
      f: { filters: { filters: { a: { term: { t: 'alpha' } }, b: { exists: { field: 'l' } } } } },
    },
    ...(isNested
      ? [
          {
            p: {
              nested: { path: 'parts' },
              aggs: { w: { terms: { field: 'parts.w' } }, a: { sum: { field: 'parts.a' } } },
            },
            j: { children: { type: 'a' }, aggs: { n: { sum: { field: 'n' } } } },
            q: { parent: { type: 'a' }, aggs: { n: { sum: { field: 'n' } } } },
          },
        ]
      : []),
  ]
  const sorts = ['n', 'l', 'd', 's', 't.raw', 'at', 'ip', 'b', 'half', 'scaled', 'float', 'nanos', 'big'].flatMap(
    (field) => [
      [{ [field]: 'asc' }, { _id: 'asc' }],
      [{ [field]: { order: 'desc', missing: '_first' } }, { _id: 'asc' }],
    ],
  )
  const size = 1_000
  return [
    ...queries.map((query) => ({ size, query, _source: false, track_scores: true })),
    ...aggregations.map((aggs) => ({ size: 0, aggs })),
    ...sorts.map((sort) => ({ size, sort, _source: false })),
    { size: 7, sort: [{ n: 'desc' }, { _id: 'asc' }], _source: false, track_total_hits: true },
    {
      size,
      docvalue_fields: [
        'n',
        'l',
        'd',
        's',
        'kept',
        'at',
        'b',
        'ip',
        't.raw',
        'half',
        'short',
        'found.count',
        'g',
        'big',
      ],
      stored_fields: ['kept'],
    },
    { size, collapse: { field: 'word' }, sort: [{ n: 'asc' }, { _id: 'asc' }], _source: false },
    {
      size,
      query: { match: { found: 'alpha' } },
      highlight: { fields: { found: { type: 'fvh' }, t: {} }, require_field_match: false },
      _source: false,
    },
    { size: 0, suggest: { c: { prefix: 'al', completion: { field: 'c', size: 100 } } } },
  ]
}

/**
 * Asks an index what its structures say of its documents, and one that was made of the documents just now the same: where their answers
 * differ, a structure disagrees with the documents.
 *
 * @param merges  both are merged to one segment first, and their scores compared too
 * @returns what differs
 */
export async function disagreements(
  ask: Ask,
  index: string,
  documents: readonly KnownDocument[],
  isNested: boolean,
  merges: boolean,
): Promise<string[]> {
  const fresh = `${index}-fresh`
  const { json } = await ask('GET', `/${index}`)
  const { settings, mappings } = json[index]
  const { analysis, sort } = settings.index
  const made = await ask('PUT', `/${fresh}`, {
    settings: { refresh_interval: '-1', ...(analysis && { analysis }), ...(sort && { sort }) },
    mappings,
  })
  if (made.status !== 200) return [`an index like ${index} cannot be made: ${JSON.stringify(made.json).slice(0, 600)}`]
  try {
    const lines = documents.map(
      ({ id, routing, source }) =>
        `${JSON.stringify({ index: { _id: id, ...(routing && { routing }) } })}\n${JSON.stringify(source)}\n`,
    )
    if (lines.length > 0) {
      const { json: written } = await ask('POST', `/${fresh}/_bulk`, lines.join(''))
      if (written.errors !== false) return [`its documents are refused: ${JSON.stringify(written).slice(0, 600)}`]
    }
    for (const name of [index, fresh])
      await ask('POST', merges ? `/${name}/_forcemerge?max_num_segments=1` : `/${name}/_refresh`)
    await ask('POST', `/${index},${fresh}/_refresh`)
    const searches = agreedSearches(isNested)
    const body = searches.map((search) => `{}\n${JSON.stringify(search)}\n`).join('')
    const [found, expected] = await Promise.all(
      [index, fresh].map(async (name) => (await ask('POST', `/${name}/_msearch`, body)).json.responses as object[]),
    )
    const faults: string[] = []
    for (const [i, search] of searches.entries()) {
      const [one, other] = [found?.[i], expected?.[i]].map((answer) => told(answer as never, merges))
      if (one !== other)
        faults.push(
          `${index} disagrees with its documents: ${JSON.stringify(search).slice(0, 300)}: ${difference(one, other)}`,
        )
    }
    const [counts, freshCounts] = await Promise.all(
      [index, fresh].map(async (name) => (await ask('GET', `/${name}/_stats/docs`)).json._all.primaries.docs.count),
    )
    if (counts !== freshCounts) faults.push(`${index} has ${counts} documents with nested ones, not ${freshCounts}`)
    return faults
  } finally {
    await ask('DELETE', `/${fresh}`)
  }
}

/** Of an answer, what says something of documents; in the order of ids where the order is by scores, which deleted documents change. */
function told(
  answer: {
    error?: object
    hits?: {
      total: object
      hits: { _id: string; _score: number | null; sort?: unknown; fields?: object; highlight?: object }[]
    }
    aggregations?: object
    suggest?: { c: { options: { _id: string }[] }[] }
  },
  scores: boolean,
): string {
  const hits = (answer?.hits?.hits ?? []).map(({ _id, _score, sort, fields, highlight }) => [
    _id,
    scores ? _score : 0,
    sort,
    fields,
    highlight,
  ])
  const isSorted = hits.some((hit) => hit[2] !== undefined)
  if (!isSorted && !scores) hits.sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1))
  const suggested = answer?.suggest?.c[0]?.options.map(({ _id }) => _id)
  if (!scores) suggested?.sort()
  return JSON.stringify([answer?.error, answer?.hits?.total, hits, answer?.aggregations, suggested])
}

/** Where two texts part. */
function difference(one = '', other = ''): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return `…${one.slice(Math.max(0, at - 120), at + 160)} where one made anew has …${other.slice(Math.max(0, at - 120), at + 160)}`
}
