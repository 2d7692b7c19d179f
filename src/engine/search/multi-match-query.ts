import { inJavaHashOrder } from '../java-hash-order.ts'
import { type CreateInner, MAX_CLAUSES } from './boolean-queries.ts'
import { boosted } from './boosted.ts'
import { crossFieldsQueries } from './cross-fields-query.ts'
import { BooleanQuery } from './lucene/boolean-query.ts'
import { DisjunctionMaxQuery } from './lucene/disjunction-max-query.ts'
import type { LuceneQuery } from './lucene/lucene-query.ts'
import { MatchNoDocsQuery } from './lucene/match-no-docs-query.ts'
import type { MultiMatchQuery, Query } from './query.ts'
import { fieldOf, type QueryContext, shardError } from './query-context.ts'

/** The DSL's `multi_match`: one text in several fields; the best field counts, or all together. */
export function multiMatchQuery(query: MultiMatchQuery, context: QueryContext, create: CreateInner): LuceneQuery {
  const fields = expandFields(query, context)
  const parts =
    query.type === 'cross_fields'
      ? crossFieldsQueries(query, fields, context)
      : [...fields].map(([field, boost]) => boosted(create(fieldQuery(query, field), context), boost))
  const [only] = parts
  if (only === undefined) return new MatchNoDocsQuery('[multi_match] list of group queries was empty')
  if (parts.length === 1) return only
  const tieBreaker = query.tieBreaker ?? (query.type === 'most_fields' || query.type === 'bool_prefix' ? 1 : 0)
  // 6.x adds the fields up where nothing of them is to be left out.
  if (tieBreaker === 1 && context.search.isLucene7)
    return new BooleanQuery(parts.map((part) => ({ occur: 'should', query: part })))
  return new DisjunctionMaxQuery(parts, tieBreaker)
}

/** Fields by path with their boosts; patterns name those that can be searched for words. */
function expandFields(query: MultiMatchQuery, context: QueryContext): Map<string, number> {
  const { mapping } = context.search
  const fields = new Map<string, number>()
  // Of a field named twice the last boost counts.
  const patterns = new Map(query.fields.length > 0 ? query.fields : [['*', 1]])
  for (const [pattern, boost] of patterns) {
    const paths = pattern.includes('*')
      ? mapping.matchFields(pattern).filter((path) => isEligible(path, context))
      : [pattern]
    for (const path of paths) fields.set(path, (fields.get(path) ?? 1) * boost)
  }
  if (fields.size > MAX_CLAUSES)
    throw shardError(context, `field expansion matches too many fields, limit: ${MAX_CLAUSES}, got: ${fields.size}`)
  return context.search.isLucene7 ? inMapOrder(fields) : fields
}

/**
 * Fields in the order of 6.x's map of them, which begins small: in that order it adds their scores, which are floats.
 */
function inMapOrder(fields: ReadonlyMap<string, number>): Map<string, number> {
  const paths = inJavaHashOrder([...fields.keys()].sort(), 2)
  return new Map(paths.map((path) => [path, fields.get(path) as number]))
}

function isEligible(path: string, context: QueryContext): boolean {
  switch (fieldOf(path, context)?.kind) {
    case 'text':
    case 'keyword':
    case 'number':
    case 'date':
    case 'ip':
    case 'boolean':
      return true
    default:
      return false
  }
}

function fieldQuery(query: MultiMatchQuery, field: string): Query {
  const { text, slop, zeroTermsQuery } = query
  const analyzer = query.analyzer === undefined ? {} : { analyzer: query.analyzer }
  const lenient = query.lenient || query.fields.length === 0 || query.fields.every(([pattern]) => pattern === '*')
  if (query.type === 'phrase') return { kind: 'match_phrase', field, text, slop, zeroTermsQuery, lenient, ...analyzer }
  if (query.type === 'phrase_prefix') {
    const { maxExpansions } = query
    return { kind: 'match_phrase_prefix', field, text, slop, maxExpansions, zeroTermsQuery, lenient, ...analyzer }
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
    ...analyzer,
  }
}
