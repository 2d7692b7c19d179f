import { isBuiltInField } from '../../mapping/metadata-fields.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import { bestOf } from './best-of.ts'
import type { CreateInner } from './boolean-queries.ts'
import { boosted } from './boosted.ts'
import { crossFieldsQueries } from './cross-fields-query.ts'
import { unmappedFields } from './no-terms.ts'
import type { MultiMatchQuery, Query } from './query.ts'
import { creating, type QueryContext, shardError } from './query-context.ts'
import { defaultPatterns, searchedFields, searchesAll, sortedPatterns } from './searched-fields.ts'

/** The DSL's `multi_match`: one text in several fields; the best field counts, or all together. */
export function multiMatchQuery(query: MultiMatchQuery, context: QueryContext, create: CreateInner): LuceneQuery {
  const { mapping } = context.search
  const isDefault = query.fields.length === 0
  const patterns = isDefault ? defaultPatterns(mapping) : sortedPatterns(query.fields)
  const named = checkedFields(
    query.isResolved ? new Map(query.fields) : creating(context, () => searchedFields(patterns, mapping)),
    context,
  )
  const isKnown = (path: string): boolean => mapping.field(path) !== undefined || isBuiltInField(path, mapping)
  const fields = new Map([...named].filter(([path]) => isKnown(path)))
  const lenient = query.lenient ?? (isDefault && searchesAll(patterns))
  const parts =
    query.type === 'cross_fields'
      ? crossFieldsQueries({ ...query, lenient }, fields, context)
      : [...fields].map(([field, boost]) => found(create(fieldQuery(query, field, lenient), context), boost))
  const [only] = parts
  if (only === undefined) return unmappedFields(context.search.isLucene7 || query.isResolved ? [...named.keys()] : [])
  if (parts.length === 1) return only
  const tieBreaker = query.tieBreaker ?? (query.type === 'most_fields' || query.type === 'bool_prefix' ? 1 : 0)
  return bestOf(parts, tieBreaker, context)
}

/** What is found in a field counts as much as that says; nothing does not count. */
function found(query: LuceneQuery, boost: number): LuceneQuery {
  return query instanceof MatchNoDocsQuery ? query : boosted(query, boost)
}

/** @throws {ServiceError} query_shard_exception for too many */
function checkedFields(fields: Map<string, number>, context: QueryContext): Map<string, number> {
  const most = context.search.maxClauses
  if (fields.size > most)
    throw shardError(context, `field expansion matches too many fields, limit: ${most}, got: ${fields.size}`)
  return fields
}

function fieldQuery(query: MultiMatchQuery, field: string, lenient: boolean): Query {
  const { text, slop, zeroTermsQuery } = query
  const analyzer = query.analyzer === undefined ? {} : { analyzer: query.analyzer }
  const heard = query.heard === undefined ? {} : { heard: query.heard }
  if (query.type === 'phrase')
    return { kind: 'match_phrase', field, text, slop, zeroTermsQuery, lenient, ...analyzer, ...heard }
  if (query.type === 'phrase_prefix') {
    const { maxExpansions } = query
    const options = { slop, maxExpansions, zeroTermsQuery, lenient, ...analyzer, ...heard }
    return { kind: 'match_phrase_prefix', field, text, ...options }
  }
  return {
    kind: 'match',
    field,
    text,
    operator: query.operator,
    prefixLength: query.prefixLength,
    maxExpansions: query.maxExpansions,
    transpositions: query.transpositions ?? true,
    lenient,
    zeroTermsQuery,
    autoGenerateSynonymsPhraseQuery: query.autoGenerateSynonymsPhraseQuery ?? true,
    ...(query.type === 'bool_prefix' ? { lastIsPrefix: true } : {}),
    ...(query.minimumShouldMatch === undefined ? {} : { minimumShouldMatch: query.minimumShouldMatch }),
    ...(query.cutoffFrequency === undefined ? {} : { cutoffFrequency: query.cutoffFrequency }),
    ...(query.fuzziness === undefined ? {} : { fuzziness: query.fuzziness }),
    ...(query.fuzzyRewrite === undefined ? {} : { fuzzyRewrite: query.fuzzyRewrite }),
    ...analyzer,
  }
}
