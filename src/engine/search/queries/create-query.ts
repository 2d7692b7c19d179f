import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { objectText } from '../../java/java-class-text.ts'
import { derivedQuery } from '../derived/derived-query.ts'
import { areaQuery } from '../geo/area-query.ts'
import { geoShapeQuery } from '../geo/geo-shape-query.ts'
import { BoostingQuery } from '../lucene/boosting-query.ts'
import { ConstantScoreQuery } from '../lucene/constant-score-query.ts'
import { FunctionScoreLuceneQuery } from '../lucene/function-score-query.ts'
import { type LuceneQuery, rewriteFully } from '../lucene/lucene-query.ts'
import { MatchAllDocsQuery } from '../lucene/match-all-docs-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import type { SearchContext } from '../lucene/search-context.ts'
import { percolateQuery } from '../percolator/percolate-query.ts'
import { scriptQuery } from '../script/script-query.ts'
import { scriptScoreQuery } from '../script/script-score.ts'
import { termsSetQuery } from '../script/terms-set-query.ts'
import { bestOf } from './best-of.ts'
import { bitmapQuery } from './bitmap-query.ts'
import { createBooleanQuery, withMinimum } from './boolean-queries.ts'
import { boosted } from './boosted.ts'
import { commonTextQuery } from './common-terms.ts'
import { distanceFeatureQuery } from './distance-feature-query.ts'
import { existsQuery } from './exists-query.ts'
import { functionScoreQuery } from './function-score-query.ts'
import { fuzzyQuery } from './fuzziness.ts'
import { intervalsQuery } from './intervals-query.ts'
import { hasChildQuery, hasParentQuery, parentIdQuery } from './join-queries.ts'
import { leniently } from './lenient-query.ts'
import { matchQuery } from './match-query.ts'
import { idsQuery, typeQuery, typesQuery } from './metadata-queries.ts'
import { moreLikeThisQuery } from './more-like-this-query.ts'
import { multiMatchQuery } from './multi-match-query.ts'
import { checkNestedClauses } from './nested-clauses.ts'
import { nestedQuery } from './nested-query.ts'
import { isNoneAsked } from './no-terms.ts'
import { eitherCaseTermQuery, prefixQuery, regexpQuery, wildcardQuery } from './pattern-queries.ts'
import { phrasePrefixQuery, phraseQuery } from './phrase-queries.ts'
import type { Query, QueryStringQuery } from './query.ts'
import { creating, failedToCreate, limitOf, type QueryContext, quoting, requireAllowed } from './query-context.ts'
import { parseQueryString } from './query-string.ts'
import { rangeQuery } from './range-query.ts'
import { rankFeatureQuery } from './rank-feature-query.ts'
import { MAX_REGEX_LENGTH } from './regex-length.ts'
import { rewriteQuery } from './rewrite-query.ts'
import { type ToldLimits, withToldFilters } from './root-documents-query.ts'
import { RoutedDocsQuery } from './routed-query.ts'
import { parseSimpleQueryString } from './simple-query-string.ts'
import { spanQuery } from './span-queries.ts'
import { termQuery, termsQuery } from './term-queries.ts'
import { parseRewrite } from './term-rewrite.ts'
import { checkAnalyzer } from './text-places.ts'

/**
 * Makes a query ready for an index: fields, analyzers and formats are looked up, patterns become terms.
 *
 * @throws {ServiceError} query_shard_exception and its kin for values the fields cannot take
 */
export function createQuery(query: Query, search: SearchContext, isFilter = false): LuceneQuery {
  const made = rewriteFully(createPlainQuery(query, search, isFilter), search)
  if (search.engineVersion === 'OpenSearch_2.19') checkNestedClauses(made, search.maxClauses)
  return made
}

/**
 * The same as the real server tells of it: {@link withToldFilters}.
 *
 * @param isRewritten  false: as it is made, before patterns and the like are worked out
 * @param boost        what the index' scores are multiplied by
 * @param withDates    whether ranges of dates are held against what the index holds
 * @param isFiltered   false: as it was asked, whatever kinds of documents it is not about
 * @param limits       what else it is limited to, where the query does not say so itself
 */
export function createRootQuery(
  query: Query,
  search: SearchContext,
  {
    isRewritten = true,
    isTyped = false,
    withDates = true,
    boost = 1,
    isFiltered = true,
    limits = {},
  }: {
    readonly isRewritten?: boolean
    readonly isTyped?: boolean
    readonly isFiltered?: boolean
    readonly withDates?: boolean
    readonly boost?: number
    readonly limits?: QueryLimits
  } = {},
): LuceneQuery {
  const plain = createPlainQuery(rewriteQuery(query, search, withDates), search)
  const weighted = search.isLucene7 ? multiplied(plain, boost) : boosted(plain, boost)
  const made = isFiltered ? withToldFilters(weighted, search, { isTyped, ...madeLimits(limits, search) }) : weighted
  return isRewritten ? rewriteFully(made, search) : made
}

/** What a path sets as limits to a query: the types and the filter of the alias that it names. */
export interface QueryLimits {
  readonly types?: readonly string[] | undefined
  readonly alias?: Query | undefined
}

function madeLimits({ types, alias }: QueryLimits, search: SearchContext): ToldLimits {
  return {
    types: types && typesQuery(types, { search, isFilter: true, nestedPath: undefined }),
    alias: alias && createPlainQuery(rewriteQuery(alias, search, true), search, true),
  }
}

/** A query under the boost of its index, as 6.x has it. */
function multiplied(query: LuceneQuery, weight: number): LuceneQuery {
  if (weight === 1) return query
  const javaClass = objectText('org.elasticsearch.common.lucene.search.function.WeightFactorFunction')
  const multiply = { filter: undefined, weight, open: undefined, javaClass, key: 'weight' }
  return new FunctionScoreLuceneQuery(query, [multiply], {
    scoreMode: 'multiply',
    boostMode: 'multiply',
    maxBoost: Math.fround(3.4028234663852886e38),
    minScore: undefined,
  })
}

/** The same, without looking at what the index holds more than making it takes. */
export function createPlainQuery(query: Query, search: SearchContext, isFilter = false): LuceneQuery {
  return createRewritten(query, { search, isFilter, nestedPath: undefined })
}

/**
 * Rewrites a query and makes it. Which dates the index holds decides nothing but whether faults are found, so they are looked
 * at only where there are some, or where clauses were left out.
 */
function createRewritten(query: Query, context: QueryContext): LuceneQuery {
  const { search } = context
  const isSame = rewriteQuery(query, search, false) === query
  try {
    return create(isSame ? query : rewriteQuery(query, search, true), context)
  } catch (error) {
    const rewritten = isSame ? rewriteQuery(query, search, true) : query
    if (rewritten === query) throw error
    return create(rewritten, context)
  }
}

/**
 * The same for a query about the objects of a nested path alone.
 *
 * @throws {ServiceError} as {@link createQuery}
 */
export function createNestedQuery(query: Query, path: string, search: SearchContext, isFilter = false): LuceneQuery {
  return rewriteFully(createRewritten(query, { search, isFilter, nestedPath: path }), search)
}

function create(query: Query, context: QueryContext): LuceneQuery {
  const make = (): LuceneQuery => {
    const made =
      (context.search.mapping.hasDerived ? derivedQuery(query, context, createUnboosted) : undefined) ??
      createUnboosted(query, context)
    // Nothing is not multiplied, but in 6.x.
    if (made instanceof MatchNoDocsQuery && !context.search.isLucene7) return made
    const boost = Math.fround(query.boost ?? 1)
    if (!Number.isFinite(boost) && !context.search.isLucene7) throw failedToCreate(context, noBoost(boost))
    return boosted(made, boost)
  }
  return query.written === undefined ? make() : quoting(query.written, make)
}

const noBoost = (boost: number): ServiceError => illegalArgument(`boost must be a positive float, got ${boost}`)

function createUnboosted(query: Query, context: QueryContext): LuceneQuery {
  switch (query.kind) {
    case 'match_all':
      return new MatchAllDocsQuery()
    case 'match_none':
      return new MatchNoDocsQuery(query.reason ?? 'User requested "match_none" query.')
    case 'term':
      return termQuery(query.field, query.value, context)
    case 'either_case_term':
      return eitherCaseTermQuery(query.field, query.value, context)
    case 'terms':
      if (query.bitmap !== undefined) return bitmapQuery(query.field, query.bitmap, context)
      return termsQuery(query.field, query.values, context)
    case 'range':
      return rangeQuery(query, context)
    case 'exists':
      return existsQuery(query.field, context)
    case 'ids':
      return idsQuery(query.types, query.values, context)
    case 'type':
      return typeQuery(query.value, context, query.isLimit)
    case 'prefix':
      return prefixQuery(query, context)
    case 'wildcard':
      return wildcardQuery(query, context)
    case 'regexp':
      return regexpQuery(query, context)
    case 'fuzzy':
      return fuzzyQuery(query.field, query.value, query, context)
    case 'bool':
      if (query.ofIndex !== undefined && query.ofIndex !== context.search.searcher.indexName)
        return new MatchNoDocsQuery('')
      return createBooleanQuery(query, context, create)
    case 'constant_score':
      return constantScore(create(query.filter, { ...context, isFilter: true }), context)
    case 'dis_max':
      return bestOf(
        query.queries.map((q) => create(q, context)),
        query.tieBreaker,
        context,
      )
    case 'boosting':
      return new BoostingQuery(
        create(query.positive, context),
        create(query.negative, context),
        query.negativeBoost,
        context.search.isLucene7,
      )
    case 'common':
      checkAnalyzer('common', query.analyzer, context)
      return commonTextQuery(query, context)
    case 'distance_feature':
      return distanceFeatureQuery(query, context)
    case 'percolate':
      requireAllowed('[percolate] queries', context)
      return percolateQuery(query, context, { create: createQuery, createPlain: createPlainQuery })
    case 'rank_feature':
      return rankFeatureQuery(query, context)
    case 'function_score':
      return functionScoreQuery(query, context, create)
    case 'script':
      requireAllowed('[script] queries', context)
      return scriptQuery(query, context)
    case 'script_score':
      requireAllowed('[script score] queries', context)
      return scriptScoreQuery(query, context, create)
    case 'terms_set':
      return termsSetQuery(query, context, create)
    case 'nested':
      return nestedQuery(query, context, create)
    case 'has_child':
      requireAllowed('[joining] queries', context)
      return hasChildQuery(query, context, create)
    case 'has_parent':
      requireAllowed('[joining] queries', context)
      return hasParentQuery(query, context, create)
    case 'parent_id':
      requireAllowed('[joining] queries', context)
      return parentIdQuery(query, context)
    case 'match':
      checkAnalyzer(query.lastIsPrefix ? 'match_bool_prefix' : 'match', query.analyzer, context)
      checkRewrites([query.fuzzyRewrite], context)
      return matchQuery(query, context)
    case 'match_phrase':
      checkAnalyzer('match_phrase', query.analyzer, context)
      return phraseQuery(query.field, query.text, query, context)
    case 'match_phrase_prefix':
      checkAnalyzer('match_phrase_prefix', query.analyzer, context)
      return phrasePrefixQuery(query.field, query.text, query, context)
    case 'multi_match':
      checkAnalyzer('multi_match', query.analyzer, context)
      checkRewrites([query.fuzzyRewrite], context)
      return multiMatchQuery(query, context, create)
    case 'query_string':
      if (query.defaultField !== undefined && query.fields.length > 0) {
        const fault = '[query_string] cannot use [fields] parameter in conjunction with [default_field]'
        throw failedToCreate(context, new ServiceError('query_validation_exception', `Validation Failed: 1: ${fault};`))
      }
      checkAnalyzer('query_string', query.analyzer, context)
      checkAnalyzer('query_string', query.quoteAnalyzer, context, 'quote_analyzer')
      checkRewrites([query.fuzzyRewrite, query.rewrite], context)
      return create(parsedQueryString(query, context), { ...context, isParsed: true })
    case 'span_term':
    case 'span_gap':
    case 'span_near':
    case 'span_or':
    case 'span_not':
    case 'span_first':
    case 'span_multi':
    case 'span_containing':
    case 'span_within':
    case 'field_masking_span':
      return spanQuery(query, context)
    case 'intervals':
      return intervalsQuery(query, context)
    case 'routed':
      return new RoutedDocsQuery(query, context.search.searcher)
    case 'lenient':
      return leniently(query.field, context, () => create(query.query, context))
    case 'geo_shape':
      return geoShapeQuery(query, context)
    case 'geo_area':
      return areaQuery(query, context)
    case 'more_like_this':
      return moreLikeThisQuery(query, context)
    case 'simple_query_string': {
      checkAnalyzer('simple_query_string', query.analyzer, context)
      const parsed = creating(context, () => parseSimpleQueryString(query, context.search.mapping))
      // One word in several fields is no list of words some of which could do.
      const isList = parsed.kind !== 'multi_match' || parsed.fields.length === 1
      return withMinimum(create(parsed, context), isList ? query.minimumShouldMatch : undefined, context)
    }
  }
}

/** What a query string says. Its clauses are made as they are read: what is wrong with one is told before what cannot be read behind it. */
function parsedQueryString(query: QueryStringQuery, context: QueryContext): Query {
  const read: Query[] = []
  const mostRegex = limitOf(MAX_REGEX_LENGTH, 1_000, context)
  try {
    return creating(context, () =>
      parseQueryString(query, context.search.mapping, mostRegex, (clause) => read.push(clause)),
    )
  } catch (error) {
    for (const clause of read) create(clause, { ...context, isParsed: true })
    throw error
  }
}

/** Ways to search the terms of patterns are read whether there are patterns or not. @throws {ServiceError} query_shard_exception */
function checkRewrites(names: readonly (string | undefined)[], context: QueryContext): void {
  creating(context, () => {
    for (const name of names) if (name !== undefined) parseRewrite(name)
  })
}

function constantScore(filter: LuceneQuery, { search }: QueryContext): LuceneQuery {
  return isNoneAsked(filter) && !search.isLucene7 ? filter : new ConstantScoreQuery(filter)
}
