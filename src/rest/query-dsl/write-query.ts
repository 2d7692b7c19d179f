import { inJavaHashOrder } from '../../engine/java/java-hash-order.ts'
import { javaFloat } from '../../engine/java/java-number-text.ts'
import { isObject } from '../../is-object.ts'
import { list } from './query-options.ts'
import { randomSeed } from './random-score.ts'
import { writeGeoQuery } from './write-geo-query.ts'
import { writeInnerHits } from './write-inner-hits.ts'
import { Deferred, Float, type Json, printJson, UNWRITTEN } from './written-json.ts'

/**
 * A query of 6.x as the real server writes it in messages: every option in its order, defaults included.
 *
 * @param json    as parsed: of a query that was read without complaint
 * @param lookUp  the terms that a query takes from a document; undefined: it is written as it names them
 * @returns undefined for what is not written here (shapes, odd spellings)
 * @source toXContent of each query's builder, as its messages show it
 */
export function writeQuery(json: unknown, lookUp?: (terms: Json) => readonly unknown[]): string | undefined {
  try {
    return printJson(query(json), (terms) => lookUp?.(terms as Json) ?? terms)
  } catch (error) {
    if (error === UNWRITTEN) return undefined
    throw error
  }
}

/** What an option is written as; undefined: not at all. */
type Write = (value: unknown, body: Json) => unknown

const told: Write = (value) => value ?? undefined
const text: Write = (value) => (value === undefined || value === null ? undefined : String(value))
const or =
  (fallback: unknown, write: Write = told): Write =>
  (value, body) =>
    value === undefined || value === null ? fallback : write(value, body)
const whole = (fallback: number): Write => or(fallback, Number)
const float: Write = (value) => (value === undefined || value === null ? undefined : new Float(value))
const upper = (fallback?: string): Write => or(fallback, (value) => String(value).toUpperCase())
const lower = (fallback: string): Write => or(fallback, (value) => String(value).toLowerCase())
const flag = (fallback?: boolean): Write => or(fallback, (value) => value === true || value === 'true')
const edits: Write = or(undefined, (value) => String(value).toUpperCase())
const inner: Write = (value) => (value === undefined ? undefined : query(value))
const inners: Write = (value) => (value === undefined ? undefined : list(value).map(query))
const someInners: Write = (value) => (Array.isArray(value) && value.length === 0 ? undefined : inners(value, {}))
const boosted = (field: unknown): readonly [string, string] => {
  const [, path = '', boost = '1'] = /^([^^]*)(?:\^(.*))?$/.exec(String(field)) ?? []
  return [path, `${path}^${javaFloat(Number(boost))}`]
}
const sortedFields: Write = or([], (value) =>
  Object.values(
    Object.fromEntries(
      list(value)
        .map(boosted)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  ),
)
const hashedFields: Write = or(undefined, (value) => {
  const fields = new Map(list(value).map(boosted))
  return copiedHashOrder([...fields.keys()]).map((name) => fields.get(name))
})
const script: Write = or(undefined, (value) => {
  if (!isObject(value)) return { source: value, lang: 'painless' }
  const { inline, source = inline, stored, id = stored, lang = 'painless', params } = value
  if (isObject(source)) throw UNWRITTEN
  const text = id === undefined ? { source, lang } : { id }
  return { ...text, ...(isObject(params) && Object.keys(params).length > 0 ? { params } : {}) }
})
const BITS: Json = {
  ...{ ALL: -1, NONE: 0, AND: 1, NOT: 2, OR: 4, PREFIX: 8, PHRASE: 16, PRECEDENCE: 32, ESCAPE: 64, WHITESPACE: 128 },
  ...{ FUZZY: 256, NEAR: 512, SLOP: 512 },
}
const REGEXP_BITS: Json = {
  ...{ ALL: 0xffff, NONE: 0, INTERSECTION: 1, COMPLEMENT: 2, EMPTY: 4, ANYSTRING: 8, AUTOMATON: 16, INTERVAL: 32 },
}
/** How words are looked for in several fields: `boolean` is an older name. */
const manner: Write = (value) => (value === undefined || value === 'boolean' ? 'best_fields' : value)
/** Texts are likened to before documents. */
const likened: Write = (value) => {
  const all = list(value)
  return [...all.filter((one) => !isObject(one)), ...all.filter(isObject)]
}
const bits = (table: Json): Write =>
  or(table['ALL'], (value) =>
    typeof value === 'number'
      ? value
      : String(value)
          .split('|')
          .reduce((sum, name) => sum | Number(table[name.toUpperCase()] ?? 0), 0),
  )
/** The other name of an option. */
const under =
  (name: string, write: Write): Write =>
  (value, body) =>
    write(value ?? body[name], body)
/** Of several members the one that comes last. */
const lastOf = (body: Json, ...names: readonly string[]): string | undefined =>
  Object.keys(body).findLast((name) => names.includes(name))
/** A term: whole numbers beyond longs are told as texts. */
const term: Write = (value) => {
  if (Array.isArray(value)) return value.map((item) => term(item, {}))
  return typeof value === 'bigint' && BigInt.asIntN(64, value) !== value ? String(value) : told(value, {})
}
/** An end of a range: a term, or the token that is read last in its place. */
const bound =
  (...names: readonly string[]): Write =>
  (_, body) => {
    const value = body[lastOf(body, ...names) ?? ''] ?? null
    return typeof value === 'object' && value !== null ? (Array.isArray(value) ? ']' : '{') : (term(value, {}) ?? null)
  }
const closed =
  (option: string, open: string, shut: string): Write =>
  (_, body) => {
    const last = lastOf(body, option, open, shut)
    return last === option ? flag(true)(body[option], body) : last !== open
  }
const innerHits: Write = or(undefined, (value, body) =>
  writeInnerHits(value as Json, body['ignore_unmapped'] === true, { query, script: (json) => script(json, {}) }),
)

type Options = Readonly<Record<string, Write>>
const MULTI_TERM: Options = { value: told, rewrite: or(undefined, String) }
const SPAN_PAIR: Options = { big: inner, little: inner }

/** Queries `{ name: { field: … } }`: what the field's value alone stands for comes first. */
const OF_FIELD: Readonly<Record<string, Options>> = {
  match: {
    ...{ query: told, operator: upper('OR'), analyzer: told, fuzziness: edits, prefix_length: whole(0) },
    ...{
      max_expansions: whole(50),
      minimum_should_match: text,
      fuzzy_rewrite: or(undefined, String),
      fuzzy_transpositions: flag(true),
    },
    ...{ lenient: flag(false), zero_terms_query: upper('NONE'), cutoff_frequency: float },
    auto_generate_synonyms_phrase_query: flag(true),
  },
  match_phrase: { query: told, analyzer: told, slop: whole(0), zero_terms_query: upper('NONE') },
  match_phrase_prefix: { query: told, analyzer: told, slop: whole(0), max_expansions: whole(50) },
  common: {
    ...{ query: told, high_freq_operator: upper('OR'), low_freq_operator: upper('OR'), analyzer: told },
    cutoff_frequency: or(new Float(0.01), float),
    minimum_should_match: or(undefined, (value) => {
      const { low_freq: low, high_freq: high } = isObject(value) ? value : { low_freq: value }
      return {
        ...(low === undefined ? {} : { low_freq: String(low) }),
        ...(high === undefined ? {} : { high_freq: String(high) }),
      }
    }),
  },
  term: { value: term },
  span_term: { value: under('term', term) },
  terms_set: { terms: term, minimum_should_match_field: told, minimum_should_match_script: script },
  range: {
    ...{ from: bound('from', 'gt', 'gte'), to: bound('to', 'lt', 'lte') },
    ...{ include_lower: closed('include_lower', 'gt', 'gte'), include_upper: closed('include_upper', 'lt', 'lte') },
    ...{ time_zone: told, format: told, relation: or(undefined, (value) => String(value).toLowerCase()) },
  },
  prefix: MULTI_TERM,
  wildcard: { wildcard: under('value', told), rewrite: or(undefined, String) },
  regexp: {
    ...{ value: told, flags_value: (value, body) => bits(REGEXP_BITS)(value ?? body['flags'], body) },
    ...{ max_determinized_states: whole(10_000), rewrite: or(undefined, String) },
  },
  fuzzy: {
    ...{ value: term, fuzziness: or('AUTO', edits), prefix_length: whole(0), max_expansions: whole(50) },
    ...{ transpositions: flag(false), rewrite: or(undefined, String) },
  },
}

/** Queries `{ name: { option: … } }`. */
const OF_OPTIONS: Readonly<Record<string, Options>> = {
  match_all: {},
  match_none: {},
  multi_match: {
    ...{ query: told, fields: sortedFields, type: manner, operator: upper('OR'), analyzer: told },
    ...{ slop: whole(0), fuzziness: edits, prefix_length: whole(0), max_expansions: whole(50) },
    ...{
      minimum_should_match: text,
      fuzzy_rewrite: or(undefined, String),
      use_dis_max: flag(),
      tie_breaker: float,
      lenient: flag(),
    },
    ...{ cutoff_frequency: float, zero_terms_query: upper('NONE'), auto_generate_synonyms_phrase_query: flag(true) },
    fuzzy_transpositions: flag(true),
  },
  query_string: {
    ...{ query: told, default_field: told, fields: sortedFields, type: manner, tie_breaker: float },
    ...{ default_operator: lower('or'), analyzer: told, quote_analyzer: told },
    ...{ max_determinized_states: whole(10_000), allow_leading_wildcard: flag() },
    ...{ enable_position_increments: flag(true), fuzziness: or('AUTO', edits), fuzzy_prefix_length: whole(0) },
    ...{
      fuzzy_max_expansions: whole(50),
      fuzzy_rewrite: or(undefined, String),
      phrase_slop: whole(0),
      analyze_wildcard: flag(),
    },
    ...{
      rewrite: or(undefined, String),
      minimum_should_match: text,
      quote_field_suffix: told,
      lenient: flag(),
      time_zone: told,
    },
    ...{ escape: flag(false), auto_generate_synonyms_phrase_query: flag(true), fuzzy_transpositions: flag(true) },
  },
  simple_query_string: {
    ...{ query: told, fields: hashedFields, analyzer: told, flags: bits(BITS), default_operator: lower('or') },
    ...{ lenient: flag(), analyze_wildcard: flag(false), quote_field_suffix: told, minimum_should_match: text },
    ...{ auto_generate_synonyms_phrase_query: flag(true), fuzzy_prefix_length: whole(0) },
    ...{ fuzzy_max_expansions: whole(50), fuzzy_transpositions: flag(true) },
  },
  exists: { field: told },
  ids: {
    type: or([], list),
    values: or([], (value) => inJavaHashOrder([...new Set(list(value).map(String))])),
  },
  type: { value: told },
  script: { script },
  bool: {
    ...{ must: someInners, filter: someInners, must_not: under('mustNot', someInners), should: someInners },
    ...{ adjust_pure_negative: flag(true), minimum_should_match: text },
  },
  dis_max: { tie_breaker: or(new Float(0), float), queries: inners },
  constant_score: { filter: inner },
  boosting: { positive: inner, negative: inner, negative_boost: float },
  function_score: {
    query: or({ match_all: { boost: new Float(1) } }, inner),
    functions: (value, body) =>
      value === undefined ? [scored(body)].flat() : list(value).map((f) => scored(f as Json)[0]),
    score_mode: lower('multiply'),
    boost_mode: or(undefined, (value) => String(value).toLowerCase()),
    max_boost: or(new Float(3.4028234663852886e38), float),
    min_score: float,
  },
  nested: { query: inner, path: told, ignore_unmapped: flag(false), score_mode: lower('avg') },
  has_child: {
    ...{ query: inner, type: under('child_type', told), score_mode: lower('none'), min_children: whole(0) },
    ...{ max_children: whole(2_147_483_647), ignore_unmapped: flag(false) },
  },
  has_parent: { query: inner, parent_type: told, score: flag(false), ignore_unmapped: flag(false) },
  percolate: {
    ...{ document_type: or(null), field: told, name: text },
    documents: (value, { document, id }) => {
      // Of one that is stored the real server writes what it holds.
      if (id !== undefined && value === undefined && document === undefined) throw UNWRITTEN
      return list(value ?? document)
    },
  },
  parent_id: { type: told, id: text, ignore_unmapped: flag(false) },
  more_like_this: {
    ...{ fields: told, like: likened, unlike: or(undefined, likened), max_query_terms: whole(25) },
    ...{ min_term_freq: whole(2), min_doc_freq: whole(5), max_doc_freq: whole(2_147_483_647) },
    ...{ min_word_length: whole(0), max_word_length: whole(0), stop_words: told, analyzer: told },
    ...{ minimum_should_match: or('30%', text), boost_terms: or(new Float(0), float), include: flag(false) },
    fail_on_unsupported_field: flag(true),
  },
  span_near: { clauses: inners, slop: whole(0), in_order: flag(true) },
  span_or: { clauses: inners },
  span_not: {
    ...{ include: inner, exclude: inner, pre: under('dist', whole(0)), post: under('dist', whole(0)) },
  },
  span_first: { match: inner, end: told },
  span_multi: { match: inner },
  span_within: SPAN_PAIR,
  span_containing: SPAN_PAIR,
  field_masking_span: { query: inner, field: told },
  span_field_masking: { query: inner, field: told },
}

const FUNCTIONS: Readonly<Record<string, Options>> = {
  field_value_factor: { field: told, factor: or(new Float(1), float), missing: float, modifier: lower('none') },
  random_score: { seed: or(undefined, randomSeed), field: text },
  script_score: { script },
}

/** A function of a `function_score`, or those that stand beside its query. */
function scored(body: Json): readonly Json[] {
  const filter = body['filter'] === undefined ? { match_all: { boost: new Float(1) } } : query(body['filter'])
  const weight = body['weight'] === undefined ? {} : { weight: new Float(body['weight']) }
  for (const [name, options] of Object.entries(FUNCTIONS)) {
    const told = body[name]
    if (isObject(told)) return [{ filter, ...weight, [name]: written(options, told) }]
  }
  for (const name of ['gauss', 'exp', 'linear']) {
    const told = body[name]
    if (!isObject(told)) continue
    const { multi_value_mode: mode = 'MIN', ...fields } = told
    return [{ filter, ...weight, [name]: { ...fields, multi_value_mode: String(mode).toUpperCase() } }]
  }
  return body['weight'] === undefined ? [] : [{ filter, ...weight }]
}

function query(json: unknown): Json {
  const [[name, body] = ['', {}]] = Object.entries(json as Json)
  if (name === 'span_gap') return { [name]: body }
  if (name === 'wrapper') return query(JSON.parse(Buffer.from(String((body as Json)['query']), 'base64').toString()))
  const place = writeGeoQuery(name, body as Json)
  if (place !== undefined) return { [name]: { ...place, ...written({}, body as Json, true) } }
  if (name === 'terms') return { terms: terms(body as Json) }
  const options = OF_FIELD[name]
  if (options !== undefined) {
    const [[field, told] = ['', '']] = Object.entries(body as Json)
    const [first = ''] = Object.keys(options)
    return { [name]: { [field]: written(options, isObject(told) ? told : { [first]: told }, true) } }
  }
  const object = OF_OPTIONS[name]
  if (object === undefined) throw UNWRITTEN
  const clauses = ['must', 'filter', 'must_not', 'mustNot', 'should']
  const isAll = name === 'bool' && clauses.every((clause) => list((body as Json)[clause] ?? []).length === 0)
  return isAll ? { match_all: written({}, body as Json, true) } : { [name]: written(object, body as Json, true) }
}

function terms({ boost, _name: name, ...fields }: Json): Json {
  const [[field, values] = ['', []]] = Object.entries(fields)
  return {
    [field]: Array.isArray(values) ? term(values, {}) : new Deferred(values),
    boost: new Float(boost ?? 1),
    ...(name === undefined ? {} : { _name: text(name, {}) }),
  }
}

/** The options in their order; a query's own end with what every query has. */
function written(options: Options, body: Json, isQuery = false): Json {
  const shared: Options = isQuery ? { boost: or(new Float(1), float), _name: text, inner_hits: innerHits } : {}
  return Object.fromEntries(
    Object.entries({ ...options, ...shared })
      .map(([name, write]) => [name, write(body[name], body)])
      .filter(([, value]) => value !== undefined),
  )
}

/** Names as one Java HashMap lists them that was filled with another one at once. */
function copiedHashOrder(names: readonly string[]): readonly string[] {
  const expected = Math.trunc(names.length / 0.75 + 1)
  return inJavaHashOrder(inJavaHashOrder(names), 2 ** Math.ceil(Math.log2(expected)))
}
