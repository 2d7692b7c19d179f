import { writeBigJson } from '../../engine/big-json.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'
import { createDateFormat } from '../../engine/mapping/dates/create-date-format.ts'
import type { NestedQuery, Query, RangeEnd, RangeQuery } from '../../engine/search/queries/query.ts'
import { ServiceError, type ServiceErrorDetail } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { inField, placed, rewritten, unplaced } from '../../parse-fault.ts'
import { didYouMean } from '../body/did-you-mean.ts'
import { checkRangeZone } from '../body/time-zone-id.ts'
import { noteFilteredShoulds } from '../deprecation/filtered-shoulds.ts'
import { noteQuery, phraseListener } from '../deprecation/query-deprecations.ts'
import { parsingException } from '../parsing-exception.ts'
import { commonTerms } from './common-terms.ts'
import { distanceFeature, rankFeature } from './feature-queries.ts'
import { parseFunctionScore } from './function-score.ts'
import { GEO_PARSERS } from './geo-queries.ts'
import { intervals } from './intervals.ts'
import { hasChild, hasParent, parentId } from './join-queries.ts'
import { clausesInLists } from './listed-clauses.ts'
import { match, matchBoolPrefix, multiMatch, multiMatchType, slopOf } from './match-query.ts'
import { moreLikeThis } from './more-like-this.ts'
import { type MemberKind, parseMembers } from './object-parser.ts'
import { percolate } from './percolate.ts'
import {
  boostedFields,
  fieldQuery,
  fuzzinessOption,
  lenientOption,
  list,
  operator,
  optional,
  queriesIn,
  tokenValue,
  zeroTerms,
} from './query-options.ts'
import { checkFieldName, oneField, type QueryContext, QueryReader } from './query-reader.ts'
import { readRegexpFlags } from './regexp-flags.ts'
import { script, scriptScore } from './script-queries.ts'
import { simpleQueryString } from './simple-query-string.ts'
import {
  fieldMaskingSpan,
  spanContainment,
  spanFirst,
  spanMulti,
  spanNear,
  spanNot,
  spanOr,
  spanTerm,
} from './span-queries.ts'
import { lookedUp, terms } from './terms-query.ts'
import { termsSet } from './terms-set.ts'
import { wrapped } from './wrapper-query.ts'
import { writeQuery } from './write-query.ts'
import type { Json } from './written-json.ts'

/** Deepest nesting of queries taken: beyond it the real servers run out of stack. */
const MAX_DEPTH = 30

type Parser = (body: unknown, context: QueryContext, depth: number) => Query

/**
 * Reads a query from its JSON.
 *
 * @throws {ServiceError} parsing_exception and its kin, worded as the real server words them
 */
export function parseQuery(json: unknown, context: QueryContext): Query {
  return parse(json, context, 1)
}

/** Reads a query that only filters, of a sort or an alias. @throws {ServiceError} as {@link parseQuery} */
export function parseFilter(json: unknown, context: QueryContext): Query {
  const query = parseQuery(json, context)
  noteShoulds(query, true, context)
  return query
}

/** Reads a query beside a search's own, of a rescorer or of highlights. @throws {ServiceError} as {@link parseQuery} */
export function parseBeside(json: unknown, context: QueryContext): Query {
  const query = parseQuery(json, context)
  noteShoulds(query, false, context)
  return query
}

function noteShoulds(query: Query, isFilter: boolean, { engineVersion, warnings }: QueryContext): void {
  if (engineVersion === 'Elasticsearch_6.8' && warnings !== undefined) noteFilteredShoulds(query, isFilter, warnings)
}

/** Reads the query that a member of a body is. @throws {ServiceError} as {@link parseQuery} */
export function parseMember(body: { readonly [name: string]: unknown }, key: string, context: QueryContext): Query {
  const json = body[key]
  if (isObject(json)) return parseQuery(json, context)
  throw noObject({ place: { container: body, key, token: 'start' } })
}

/**
 * Reads a query that is all of a search's query or post filter: messages of 6.x quote it.
 *
 * @throws {ServiceError} as {@link parseQuery}
 */
export function parseSearchQuery(json: unknown, context: QueryContext): Query {
  const query = parseQuery(json, context)
  if (context.engineVersion !== 'Elasticsearch_6.8') return query
  noteShoulds(query, false, context)
  const lookUp = context.passOver === undefined ? (json: Json) => lookedUp(json, context) : undefined
  return { ...query, written: () => writeQuery(json, lookUp) }
}

function parse(json: unknown, context: QueryContext, depth: number): Query {
  if (depth > MAX_DEPTH)
    throw new ServiceError(
      'illegal_argument_exception',
      `The nested depth of the query exceeds the maximum nested depth for queries set in [indices.query.bool.max_nested_depth]: [${MAX_DEPTH}]`,
      { place: null },
    )
  if (!isObject(json)) throw noObject({ place: null })
  const [entry, second] = Object.entries(json)
  if (entry === undefined) throw illegalArgument('query malformed, empty clause found').at(json, undefined, 'end')
  const [name, body] = entry
  if (!isObject(body))
    throw parsingException(`[${name}] query malformed, no start_object after query name`).at(json, name)
  const parser = Object.hasOwn(PARSERS, name) ? PARSERS[name] : undefined
  const isTooNew = context.engineVersion === 'Elasticsearch_6.8' && SINCE_7.has(name)
  const isForeign = (context.engineVersion === 'OpenSearch_2.19' ? BEFORE_OPENSEARCH : OF_OPENSEARCH).has(name)
  if (parser === undefined || isTooNew || isForeign) throw unknownQuery(name, json, context)
  if (context.warnings !== undefined) noteQuery(name, body, context.warnings)
  const query = readBody(json, name, () => parser(body, context, depth))
  if (query.boost !== undefined && query.boost < 0) {
    context.warnings?.note('negative_boost')
    const reason = `negative [boost] are not allowed in [${name}], use a value between 0 and 1 to deboost`
    if (context.engineVersion !== 'Elasticsearch_6.8')
      throw new ServiceError('illegal_argument_exception', reason, { place: null })
  }
  if (second !== undefined)
    throw parsingException(`[${name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`).at(
      json,
      second[0],
      'name',
    )
  return query
}

/** Reads what a query's name stands for: faults that know no better are found at its end. */
function readBody(json: { readonly [name: string]: unknown }, name: string, read: () => Query): Query {
  const body = json[name]
  if (!isObject(body)) return placed(json, name, read)
  return ANYWHERE.has(name) ? unplaced(read) : placed(body, undefined, read, 'end')
}

/** The queries of a member, which may be one or a list. */
function parseEach(reader: QueryReader, key: string, isAtList: boolean, context: QueryContext, depth: number): Query[] {
  const one = reader.object(key)
  if (one !== undefined) return [parse(one, context, depth)]
  const list = reader.list(key)
  return list === undefined ? [] : queriesIn(list, isAtList).map((json) => parse(json, context, depth))
}

const noObject = (detail: ServiceErrorDetail): ServiceError =>
  new ServiceError('parsing_exception', '[_na] query malformed, must start with start_object', detail)

function unknownQuery(name: string, json: object, { engineVersion, unknownQuery }: QueryContext): ServiceError {
  if (engineVersion === 'Elasticsearch_6.8') return parsingException(unknownQuery(name)).at(json, name)
  const foreign = engineVersion === 'OpenSearch_2.19' ? BEFORE_OPENSEARCH : OF_OPENSEARCH
  // Gaps are known everywhere, and of use among the clauses of `span_near` alone.
  const known = [...Object.keys(PARSERS), 'span_gap'].filter((other) => other !== name && !foreign.has(other))
  const cause = new ServiceError('named_object_not_found_exception', `unknown field [${name}]`).at(json, name)
  // What it lacks is no other fault than that it is not known.
  const rootCause = parsingException(unknownQuery(name) + didYouMean(name, known)).at(json, name)
  return new ServiceError('parsing_exception', rootCause.reason, { cause, rootCause })
}

/** The members of a query that an object parser reads, whose faults it tells as its own. @throws {ServiceError} parsing_exception */
function objectMembers(
  name: string,
  body: unknown,
  members: Readonly<Record<string, MemberKind>>,
  { engineVersion }: QueryContext,
): Readonly<Record<string, unknown>> {
  const known = { ...members, boost: 'float', _name: 'text' } as const
  try {
    return parseMembers(name, body, known, [], engineVersion === 'Elasticsearch_6.8')
  } catch (cause) {
    if (!(cause instanceof ServiceError) || cause.type !== 'x_content_parse_exception') throw cause
    throw new ServiceError('parsing_exception', cause.reason, { cause })
  }
}

/** `boost` and `_name` of members that an object parser read. */
function baseOf(read: Readonly<Record<string, unknown>>): { readonly boost?: number; readonly name?: string } {
  return {
    ...optional('boost', read['boost'] as number | undefined),
    ...optional('name', read['_name'] as string | undefined),
  }
}

/** Queries of whose faults only those have a place that say where they are. */
const ANYWHERE = new Set(['geo_shape', 'intervals', 'percolate', 'template', 'wrapper'])

/** Queries that only OpenSearch knows. */
const OF_OPENSEARCH = new Set(['span_field_masking', 'template'])

/** Queries that OpenSearch knows no more. */
const BEFORE_OPENSEARCH = new Set(['type'])

/** Queries that 6.x does not know. */
const SINCE_7 = new Set(['match_bool_prefix', 'intervals', 'distance_feature', 'rank_feature', 'script_score'])

/** `case_insensitive`, which 6.x does not know. */
function eitherCase(reader: QueryReader, { engineVersion }: QueryContext): { readonly caseInsensitive?: true } {
  const isTold = engineVersion !== 'Elasticsearch_6.8' && reader.boolean('case_insensitive', false)
  return isTold ? { caseInsensitive: true } : {}
}

function range(body: unknown, { engineVersion }: QueryContext): Query {
  return oneField('range', body, (field, value) => rangeOf(field, value as object, engineVersion))
}

function rangeOf(field: string, value: object, engineVersion: EngineVersion): Query {
  const reader = new QueryReader('range', value, engineVersion)
  const bound = (key: string): RangeEnd | undefined =>
    (tokenValue(reader, value, key, engineVersion) ?? undefined) as RangeEnd | undefined
  const ends = rangeEnds(value, reader, bound)
  const zone = reader.text('time_zone')
  if (zone !== undefined) reader.placed('time_zone', () => checkRangeZone(zone, engineVersion === 'Elasticsearch_6.8'))
  const format = reader.text('format')
  if (format !== undefined) reader.placed('format', () => createDateFormat(format, engineVersion))
  const asked = reader.text('relation') ?? 'intersects'
  const relation = asked.toLowerCase()
  if (!['intersects', 'contains', 'within'].includes(relation)) {
    const reason =
      relation === 'disjoint'
        ? `[range] query does not support relation [disjoint]`
        : `${asked} is not a valid relation`
    throw reader.at('relation', illegalArgument(reason))
  }
  const query: RangeQuery = {
    kind: 'range',
    field,
    relation: relation as RangeQuery['relation'],
    ...ends,
    ...optional('format', format),
    ...optional('timeZone', zone),
    ...reader.base(),
  }
  reader.done()
  return query
}

/** The ends of a range: of several members that say one of them the last counts. */
function rangeEnds(
  value: object,
  reader: QueryReader,
  bound: (key: string) => RangeEnd | undefined,
): Pick<RangeQuery, 'gte' | 'gt' | 'lte' | 'lt'> {
  let from: RangeEnd | undefined
  let to: RangeEnd | undefined
  let includeLower = true
  let includeUpper = true
  for (const key of Object.keys(value)) {
    if (key === 'from') from = bound(key)
    else if (key === 'to') to = bound(key)
    else if (key === 'include_lower') includeLower = reader.boolean(key, true)
    else if (key === 'include_upper') includeUpper = reader.boolean(key, true)
    else if (key === 'gt' || key === 'gte') {
      from = bound(key)
      includeLower = key === 'gte'
    } else if (key === 'lt' || key === 'lte') {
      to = bound(key)
      includeUpper = key === 'lte'
    }
  }
  const ends: { [name in 'gte' | 'gt' | 'lte' | 'lt']?: RangeEnd } = {}
  if (from !== undefined) ends[includeLower ? 'gte' : 'gt'] = from
  if (to !== undefined) ends[includeUpper ? 'lte' : 'lt'] = to
  return ends
}

const BOOL_MEMBERS = {
  must: 'objects or null',
  should: 'objects or null',
  filter: 'objects or null',
  must_not: 'objects or null',
  mustNot: 'objects or null',
  adjust_pure_negative: 'boolean',
  minimum_should_match: 'value',
  boost: 'float',
  _name: 'text',
} as const

function bool(body: unknown, context: QueryContext, depth: number): Query {
  const isVersion6 = context.engineVersion === 'Elasticsearch_6.8'
  if (!isVersion6) parseMembers('bool', body, BOOL_MEMBERS, [])
  const reader = new QueryReader('bool', body)
  const clauses = (...keys: string[]): Query[] =>
    keys.flatMap((key) => {
      const listed = isVersion6 ? reader.list(key) : undefined
      if (listed?.some(Array.isArray)) return clausesInLists(listed, key).map((json) => parse(json, context, depth + 1))
      const read = (): Query[] => parseEach(reader, key, false, context, depth + 1)
      return isVersion6 ? read() : inField('bool', key, read)
    })
  const query: Query = {
    kind: 'bool',
    must: clauses('must'),
    should: clauses('should'),
    filter: clauses('filter'),
    mustNot: clauses('must_not', 'mustNot'),
    adjustPureNegative: reader.boolean('adjust_pure_negative', true),
    ...optional('minimumShouldMatch', reader.text('minimum_should_match')),
    ...reader.base(),
  }
  reader.text('disable_coord')
  reader.done()
  return query
}

/** `template`: a query that the processors of a search pipeline fill in, of which there are none. */
function template(body: unknown, context: QueryContext, depth: number): Query {
  if (!isObject(body)) throw parsingException('[template] query malformed, no start_object after query name')
  if (Object.keys(body).length === 0) {
    const reason = 'Template string cannot be empty. A valid template must be provided.'
    throw illegalArgument(reason)
  }
  try {
    return rewritten(() => parse(body, context, depth + 1))
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause
    const reason = `Failed to rewrite template query: ${writeBigJson(body)}`
    throw illegalArgument(reason, cause)
  }
}

/** What 6.x still takes, without effect. */
const ONLY_IN_6 = [
  'auto_generate_phrase_queries',
  'locale',
  'lowercase_expanded_terms',
  'use_dis_max',
  'split_on_whitespace',
] as const

function queryString(body: unknown, context: QueryContext): Query {
  const { engineVersion } = context
  const reader = new QueryReader('query_string', body, engineVersion)
  const query = reader.text('query') ?? ''
  const fields = boostedFields(reader.list('fields'), engineVersion !== 'Elasticsearch_6.8')
  const isEscaped = reader.boolean('escape', false)
  const defaultField = reader.text('default_field')
  const asksAll = engineVersion === 'Elasticsearch_6.8' && reader.boolean('all_fields', false)
  const parsed: Query = {
    kind: 'query_string',
    query: isEscaped ? query.replace(/[\\+\-!():^[\]"{}~*?|&/]/g, '\\$&') : query,
    fields,
    defaultOperator: operator(reader, 'default_operator'),
    allowLeadingWildcard: reader.boolean('allow_leading_wildcard', true),
    analyzeWildcard: reader.boolean('analyze_wildcard', false),
    fuzziness: fuzzinessOption(reader, engineVersion) ?? 'AUTO',
    fuzzyPrefixLength: reader.int('fuzzy_prefix_length') ?? 0,
    fuzzyMaxExpansions: reader.int('fuzzy_max_expansions') ?? 50,
    fuzzyTranspositions: reader.boolean('fuzzy_transpositions', true),
    phraseSlop: reader.int('phrase_slop') ?? 0,
    type: multiMatchType(reader.text('type') ?? 'best_fields', reader, engineVersion),
    maxDeterminizedStates: reader.int('max_determinized_states') ?? 10_000,
    ...optional('defaultField', asksAll ? '*' : defaultField),
    ...optional('analyzer', reader.text('analyzer')),
    ...optional('quoteAnalyzer', reader.text('quote_analyzer')),
    ...optional('tieBreaker', reader.number('tie_breaker')),
    ...optional('minimumShouldMatch', reader.text('minimum_should_match')),
    ...optional('lenient', lenientOption(reader, fields, engineVersion)),
    ...optional('quoteFieldSuffix', reader.text('quote_field_suffix')),
    suffixesDefaults: engineVersion !== 'Elasticsearch_6.8',
    ...optional('rewrite', reader.text('rewrite')),
    ...optional('fuzzyRewrite', reader.text('fuzzy_rewrite')),
    autoGenerateSynonymsPhraseQuery: reader.boolean('auto_generate_synonyms_phrase_query', true),
    ...optional('timeZone', reader.text('time_zone')),
    ...phraseListener(context),
    ...reader.base(),
  }
  // Without effect in the real servers, too.
  reader.text('enable_position_increments')
  if (engineVersion === 'Elasticsearch_6.8') for (const ignored of ONLY_IN_6) reader.text(ignored)
  reader.done()
  if (!reader.has('query')) throw parsingException('[query_string] must be provided with a [query]')
  return parsed
}

function nested(body: unknown, context: QueryContext, depth: number): Query {
  const reader = new QueryReader('nested', body)
  const path = reader.text('path')
  const inner = reader.object('query')
  const query = inner && parse(inner, context, depth + 1)
  const mode = (reader.text('score_mode') ?? 'avg').toLowerCase()
  if (!['avg', 'sum', 'min', 'max', 'none'].includes(mode))
    throw reader.at('score_mode', illegalArgument(`No score mode for child query [${mode}] found`))
  const innerHits = reader.object('inner_hits')
  const options = { ignoreUnmapped: reader.boolean('ignore_unmapped', false), ...reader.base() }
  reader.done()
  if (path === undefined) throw illegalArgument("[nested] requires 'path' field")
  if (query === undefined) throw illegalArgument("[nested] requires 'query' field")
  return {
    kind: 'nested',
    path,
    query,
    scoreMode: mode as NestedQuery['scoreMode'],
    ...optional('innerHits', innerHits),
    ...options,
  }
}

/** @throws {ServiceError} illegal_argument_exception */
function phraseExpansions(reader: QueryReader): number {
  const most = reader.int('max_expansions') ?? 50
  if (most >= 0) return most
  throw illegalArgument('No negative maxExpansions allowed.')
}

/** A query with others inside. */
function nesting(read: (body: unknown, context: QueryContext, parseInner: (json: unknown) => Query) => Query): Parser {
  return (body, context, depth) => read(body, context, (json) => parse(json, context, depth + 1))
}

/** Queries by name. */
const PARSERS: Readonly<Record<string, Parser>> = {
  match_all: (body, context) => ({ kind: 'match_all', ...baseOf(objectMembers('match_all', body, {}, context)) }),
  match_none: (body) => {
    const reader = new QueryReader('match_none', body)
    const query: Query = { kind: 'match_none', ...reader.base() }
    reader.done()
    return query
  },
  match,
  match_phrase: (body, context) =>
    fieldQuery('match_phrase', body, context, ['query'], (field, value, r) => ({
      kind: 'match_phrase',
      field,
      text: String(value),
      slop: slopOf(r),
      zeroTermsQuery: zeroTerms(r, context),
      ...optional('analyzer', r.text('analyzer')),
      ...phraseListener(context),
      ...r.base(),
    })),
  match_phrase_prefix: (body, context) =>
    fieldQuery('match_phrase_prefix', body, context, ['query'], (field, value, r) => ({
      kind: 'match_phrase_prefix',
      field,
      text: String(value),
      slop: slopOf(r),
      maxExpansions: phraseExpansions(r),
      ...(context.engineVersion === 'Elasticsearch_6.8' ? {} : { zeroTermsQuery: zeroTerms(r, context) }),
      ...optional('analyzer', r.text('analyzer')),
      ...phraseListener(context),
      ...r.base(),
    })),
  match_bool_prefix: matchBoolPrefix,
  multi_match: multiMatch,
  term: (body, context) =>
    fieldQuery('term', body, context, ['value', 'term'], (field, value, r) => ({
      kind: eitherCase(r, context).caseInsensitive === true ? 'either_case_term' : 'term',
      field,
      value,
      ...r.base(),
    })),
  terms,
  range,
  exists: (body) => {
    const reader = new QueryReader('exists', body)
    const field = reader.text('field')
    const base = reader.base()
    reader.done()
    if (field === undefined) throw parsingException('[exists] must be provided with a [field]')
    checkFieldName('exists', field)
    return { kind: 'exists', field, ...base }
  },
  ids: (body, context) => {
    const typed = context.engineVersion === 'OpenSearch_2.19' ? {} : ({ type: 'texts' } as const)
    const read = objectMembers('ids', body, { values: 'texts', ...typed }, context)
    return {
      kind: 'ids',
      types: list(read['type'] ?? []).map(String),
      values: list(read['values'] ?? []).map(String),
      ...baseOf(read),
    }
  },
  type: (body) => {
    const reader = new QueryReader('type', body)
    const value = reader.text('value')
    const base = reader.base()
    reader.done()
    if (value === undefined) throw parsingException('[type] filter needs to be provided with a value for the type')
    return { kind: 'type', value, ...base }
  },
  prefix: (body, context) =>
    fieldQuery('prefix', body, context, ['value'], (field, value, r) => ({
      kind: 'prefix',
      field,
      value: String(value),
      ...eitherCase(r, context),
      ...optional('rewrite', r.text('rewrite')),
      ...r.base(),
    })),
  wildcard: (body, context) =>
    fieldQuery('wildcard', body, context, ['value', 'wildcard'], (field, value, r) => ({
      kind: 'wildcard',
      field,
      value: String(value),
      ...eitherCase(r, context),
      ...optional('rewrite', r.text('rewrite')),
      ...r.base(),
    })),
  regexp: (body, context) =>
    fieldQuery('regexp', body, context, ['value'], (field, value, r) => ({
      kind: 'regexp',
      field,
      value: String(value),
      ...readRegexpFlags(r),
      maxDeterminizedStates: r.int('max_determinized_states') ?? 10_000,
      ...eitherCase(r, context),
      ...optional('rewrite', r.text('rewrite')),
      ...r.base(),
    })),
  fuzzy: (body, context) =>
    fieldQuery('fuzzy', body, context, ['value', 'term'], (field, value, r) => ({
      kind: 'fuzzy',
      field,
      value: String(value),
      fuzziness: fuzzinessOption(r, context.engineVersion) ?? 'AUTO',
      prefixLength: r.int('prefix_length') ?? 0,
      maxExpansions: r.int('max_expansions') ?? 50,
      ...(r.has('transpositions') ? { transpositions: r.boolean('transpositions', true) } : {}),
      ...optional('rewrite', r.text('rewrite')),
      ...r.base(),
    })),
  common: commonTerms,
  distance_feature: distanceFeature,
  rank_feature: rankFeature,
  percolate: (body, context) => percolate(body, context, parseQuery),
  wrapper: (body, context, depth) => parse(wrapped(body), context, depth + 1),
  bool,
  constant_score: (body, context, depth) => {
    const reader = new QueryReader('constant_score', body)
    const filter = reader.object('filter')
    const query = filter && parse(filter, context, depth + 1)
    const base = reader.base()
    reader.done()
    if (query === undefined) throw parsingException("[constant_score] requires a 'filter' element")
    return { kind: 'constant_score', filter: query, ...base }
  },
  dis_max: (body, context, depth) => {
    const reader = new QueryReader('dis_max', body)
    const queries = parseEach(reader, 'queries', true, context, depth + 1)
    const tieBreaker = reader.number('tie_breaker') ?? 0
    const base = reader.base()
    reader.done()
    if (queries.length === 0) throw parsingException("[dis_max] requires 'queries' field with at least one clause")
    return { kind: 'dis_max', queries, tieBreaker, ...base }
  },
  boosting: (body, context, depth) => {
    const reader = new QueryReader('boosting', body)
    const inner = (key: string): Query | undefined => {
      const json = reader.object(key)
      return json && parse(json, context, depth + 1)
    }
    const positive = inner('positive')
    const negative = inner('negative')
    const negativeBoost = reader.number('negative_boost')
    const base = reader.base()
    reader.done()
    if (positive === undefined) throw parsingException("[boosting] query requires 'positive' query to be set'")
    if (negative === undefined) throw parsingException("[boosting] query requires 'negative' query to be set'")
    if (negativeBoost === undefined || negativeBoost < 0)
      throw parsingException("[boosting] query requires 'negative_boost' to be set to be a positive value'")
    return { kind: 'boosting', positive, negative, negativeBoost, ...base }
  },
  nested,
  has_child: nesting(hasChild),
  has_parent: nesting((body, _context, parseInner) => hasParent(body, parseInner)),
  parent_id: parentId,
  function_score: nesting(parseFunctionScore),
  script,
  script_score: nesting(scriptScore),
  terms_set: termsSet,
  query_string: queryString,
  template,
  intervals,
  span_term: spanTerm,
  span_near: nesting(spanNear),
  span_or: nesting(spanOr),
  span_not: nesting(spanNot),
  span_first: nesting(spanFirst),
  span_multi: nesting(spanMulti),
  span_containing: nesting((...of) => spanContainment('span_containing', ...of)),
  span_within: nesting((...of) => spanContainment('span_within', ...of)),
  field_masking_span: nesting(fieldMaskingSpan),
  span_field_masking: nesting(fieldMaskingSpan),
  simple_query_string: simpleQueryString,
  more_like_this: moreLikeThis,
  ...GEO_PARSERS,
}
