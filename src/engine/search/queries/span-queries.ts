import { ServiceError } from '../../../errors.ts'
import { compareTexts } from '../../algorithms/text-order.ts'
import type { TermDictionary } from '../../index/segment-reader.ts'
import type { FieldMapping, NumericType } from '../../mapping/field-mapping.ts'
import { isWordlessMetadata } from '../../mapping/metadata-fields.ts'
import { BoostQuery } from '../lucene/boost-query.ts'
import { ConstantScoreQuery } from '../lucene/constant-score-query.ts'
import { FuzzyQuery } from '../lucene/fuzzy-query.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MatchAllDocsQuery } from '../lucene/match-all-docs-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import { MultiTermQuery } from '../lucene/multi-term-query.ts'
import { type SpanNode, SpanQuery } from '../lucene/positions/span-query.ts'
import { TermQuery } from '../lucene/term-query.ts'
import { checkClauses } from './boolean-queries.ts'
import { boosted } from './boosted.ts'
import { fuzzyQuery } from './fuzziness.ts'
import { prefixQuery, regexpQuery, wildcardQuery, wordPrefixQuery } from './pattern-queries.ts'
import { maskedPrefix } from './prefix-field.ts'
import type { MultiTermDslQuery, QueryValue, RangeQuery, SpanDslQuery } from './query.ts'
import { failedToCreate, fieldOf, illegalQuery, type QueryContext, shardError, typeName } from './query-context.ts'
import { rangeQuery } from './range-query.ts'
import { metadataTerm, termQuery } from './term-queries.ts'
import { parseRewrite } from './term-rewrite.ts'

/** The DSL's span queries: words and where they stand. */
export function spanQuery(query: SpanDslQuery, context: QueryContext): LuceneQuery {
  let root = spanNode(query, context)
  // A mask is for those around it, and what is behind it counts as it says.
  while (root.kind === 'masking') root = root.query
  let boost = 1
  for (let masked = query; masked.kind === 'field_masking_span'; boost *= masked.boost ?? 1) masked = masked.query
  return boosted(new SpanQuery(root), boost)
}

function spanNode(query: SpanDslQuery, context: QueryContext): SpanNode {
  switch (query.kind) {
    case 'span_term':
      return termNode(query.field, query.value, context)
    case 'span_gap':
      return { kind: 'gap', field: query.field, width: query.width }
    case 'span_near':
      return nearNode(query, context)
    case 'span_or': {
      const clauses = query.clauses.map((clause) => spanNode(clause, context))
      const [first] = clauses as [SpanNode]
      if (clauses.some(({ field }) => field !== first.field))
        throw illegalQuery(context, 'Clauses must have same field.')
      return { kind: 'or', field: first.field, clauses }
    }
    case 'span_not': {
      const include = spanNode(query.include, context)
      const exclude = spanNode(query.exclude, context)
      if (include.field !== exclude.field) throw illegalQuery(context, 'Clauses must have same field.')
      return { kind: 'not', field: include.field, include, exclude, pre: query.pre, post: query.post }
    }
    case 'span_first': {
      const match = spanNode(query.match, context)
      return { kind: 'first', field: match.field, match, end: query.end }
    }
    case 'span_containing':
    case 'span_within': {
      const big = spanNode(query.big, context)
      const little = spanNode(query.little, context)
      if (big.field !== little.field) throw illegalQuery(context, 'big and little not same field')
      return { kind: query.kind === 'span_within' ? 'within' : 'containing', field: big.field, big, little }
    }
    case 'field_masking_span': {
      const inner = spanNode(query.query, context)
      return { kind: 'masking', field: fieldOf(query.field, context)?.path ?? query.field, query: inner }
    }
    case 'span_multi':
      return multiNode(query.match, context)
  }
}

function nearNode(query: SpanDslQuery & { readonly kind: 'span_near' }, context: QueryContext): SpanNode {
  const { slop, inOrder } = query
  const clauses = query.clauses.map((clause) => spanNode(clause, context))
  const [first, second] = clauses as [SpanNode, SpanNode | undefined]
  if (second === undefined) return first
  const stray = clauses.find(({ field }) => field !== first.field)
  if (stray !== undefined) {
    const text = new SpanQuery(stray).toString()
    throw illegalQuery(context, `Cannot add clause ${text} to SpanNearQuery for field ${first.field}`)
  }
  const gaps = clauses.filter(({ kind }) => kind === 'gap').length
  if (gaps > 0 && !inOrder) throw illegalQuery(context, 'Gaps can only be added to ordered near queries')
  // Nothing but gaps is anywhere and nowhere.
  if (gaps === clauses.length) return { kind: 'or', field: first.field, clauses: [] }
  return { kind: 'near', field: first.field, clauses, slop, inOrder }
}

function termNode(path: string, value: QueryValue, context: QueryContext): SpanNode {
  const field = fieldOf(path, context)
  if (field === undefined) {
    if (path === '_version' || path === '_source') throw shardError(context, `The ${path} field is not searchable`)
    const made = WITHOUT_SPANS.has(path) ? metadataTerm(path, [String(value)], context) : undefined
    if (made !== undefined)
      throw illegalQuery(context, `Cannot extract a term from a query of type ${classAndText(made)}`)
    return { kind: 'term', field: path, term: String(value) }
  }
  if (field.derived !== undefined) {
    const text = `DerivedFieldQuery (Query: [ ${field.path}:${value}])`
    throw illegalQuery(
      context,
      `Cannot extract a term from a query of type class org.opensearch.index.query.DerivedFieldQuery: ${text}`,
    )
  }
  let query = termQuery(path, value, context)
  while (query instanceof BoostQuery) query = query.query
  if (query instanceof TermQuery) return { kind: 'term', field: query.field, term: query.text }
  throw illegalQuery(context, `Cannot extract a term from a query of type ${classAndText(query, field)}`)
}

/** Metadata fields that are not looked for by their terms. */
const WITHOUT_SPANS: ReadonlySet<string> = new Set(['_index', '_seq_no', '_type'])

/** Kinds of fields whose columns hold words. */
const SETS: ReadonlySet<FieldMapping['kind']> = new Set(['keyword', 'ip'])
/** Classes of the points of numbers, but for those of longs. */
const POINTS: Partial<Record<NumericType, string>> = {
  integer: 'IntPoint',
  short: 'IntPoint',
  byte: 'IntPoint',
  double: 'DoublePoint',
  float: 'FloatPoint',
  half_float: 'HalfFloatPoint',
}

/** A query as a fault quotes it: Lucene's class and what it prints. */
function classAndText(query: LuceneQuery, field?: FieldMapping): string {
  const packaged = 'class org.apache.lucene'
  if (query instanceof MatchAllDocsQuery) return `${packaged}.search.MatchAllDocsQuery: *:*`
  if (query instanceof MatchNoDocsQuery) return `${packaged}.search.MatchNoDocsQuery: MatchNoDocsQuery("")`
  if (query instanceof TermQuery) return `${packaged}.search.TermQuery: ${query}`
  if (query instanceof ConstantScoreQuery) return `${packaged}.search.ConstantScoreQuery: ${query}`
  if (field !== undefined && typeName(field) === 'wildcard')
    return `class org.opensearch.index.mapper.WildcardFieldMapper$WildcardMatchingQuery: ${query}`
  const text = String(query)
  if (text.startsWith('IndexOrDocValuesQuery(')) return `${packaged}.search.IndexOrDocValuesQuery: ${text}`
  if (field?.index === false && field.docValues)
    return `${packaged}.document.Sorted${SETS.has(field.kind) ? 'Set' : 'Numeric'}DocValuesRangeQuery: ${text}`
  return `${packaged}.document.${(field?.kind === 'number' && POINTS[field.type]) || 'LongPoint'}$1: ${text}`
}

/** All terms of a pattern, or the best of them, as alternatives. */
function multiNode(query: MultiTermDslQuery, context: QueryContext): SpanNode {
  const field = fieldOf(query.field, context)
  if (query.kind === 'prefix' && (field?.derived !== undefined || !hasSpansOfPrefixes(query.field, field, context))) {
    const type = field === undefined ? query.field : typeName(field)
    const reason = `Can only use span prefix queries on text fields - not on [${query.field}] which is of type [${type}]`
    throw illegalQuery(context, reason)
  }
  if (field === undefined) {
    // Of metadata some have no words to look for, which is refused.
    matchingTerms(query, query.field, context)
    return { kind: 'or', field: query.field, clauses: [] }
  }
  if (query.kind === 'prefix' && field.kind === 'text') {
    const masked = maskedPrefix(field, query.value)
    if (masked !== undefined) return masked
  }
  const terms = matchingTerms(query, field.path, context)
  checkClauses(terms.length, context)
  const clauses = terms.map((term): SpanNode => ({ kind: 'term', field: field.path, term }))
  const [only, ...others] = clauses
  // The best of a fuzzy term's stay alternatives, one alone too.
  const isAlone = others.length === 0 && query.kind !== 'fuzzy'
  return only !== undefined && isAlone ? only : { kind: 'or', field: field.path, clauses }
}

function hasSpansOfPrefixes(path: string, field: FieldMapping | undefined, { search }: QueryContext): boolean {
  if (field === undefined) return !isWordlessMetadata(path, search.mapping)
  return field.kind === 'text' && (field.subField?.kind !== 'prefix' || search.isLucene7)
}

function matchingTerms(query: MultiTermDslQuery, path: string, context: QueryContext): string[] {
  if (query.kind === 'fuzzy') {
    const { rewrite, ...options } = query
    const fuzzy = fuzzyQuery(query.field, query.value, options, context)
    if (!(fuzzy instanceof FuzzyQuery)) return []
    const method = rewrite === undefined ? undefined : parseRewrite(rewrite)
    const most = method !== undefined && 'size' in method ? method.size : query.maxExpansions
    return fuzzy
      .expansions(context.search)
      .sort((a, b) => b.boost - a.boost || Buffer.compare(a.bytes, b.bytes))
      .slice(0, most)
      .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
      .map(({ bytes }) => bytes.toString('utf8'))
  }
  if (query.kind === 'range') return termsOfPattern(wordRange(query, context), path, context)
  const method = query.rewrite === undefined ? undefined : parseRewrite(query.rewrite)
  const found = termsOfPattern(patternQuery(query, context), path, context)
  return method !== undefined && 'size' in method ? found.slice(0, method.size) : found
}

/** A range that stands for terms. @throws {ServiceError} query_shard_exception for one of anything else */
function wordRange(query: RangeQuery, context: QueryContext): LuceneQuery {
  let range = rangeQuery(query, context)
  while (range instanceof BoostQuery) range = range.query
  if (range instanceof MultiTermQuery || range instanceof MatchNoDocsQuery) return range
  const field = fieldOf(query.field, context)
  const isTwoWays = (field?.kind === 'number' || field?.kind === 'date') && field.index && field.docValues
  const [name] = isTwoWays
    ? ['org.apache.lucene.search.IndexOrDocValuesQuery']
    : classAndText(range, field).slice('class '.length).split(':')
  const reason = `unsupported inner query, should be org.apache.lucene.search.MultiTermQuery but was ${name}`
  throw failedToCreate(context, new ServiceError('unsupported_operation_exception', reason))
}

function patternQuery(
  query: Exclude<MultiTermDslQuery, { kind: 'fuzzy' | 'range' }>,
  context: QueryContext,
): LuceneQuery {
  const { rewrite: _, ...plain } = query
  switch (plain.kind) {
    case 'prefix': {
      const field = fieldOf(plain.field, context)
      return field?.kind === 'text' ? wordPrefixQuery(plain, field, context) : prefixQuery(plain, context)
    }
    case 'wildcard':
      return wildcardQuery(plain, context)
    case 'regexp':
      return regexpQuery(plain, context)
  }
}

/** Terms of all segments that a pattern describes, in byte order. */
function termsOfPattern(query: LuceneQuery, path: string, context: QueryContext): string[] {
  if (!(query instanceof MultiTermQuery)) return []
  const found = new Set<string>()
  for (const { segment } of context.search.leaves) {
    const terms: TermDictionary | undefined = segment.field(path)?.terms
    if (terms === undefined) continue
    for (const ordinal of query.ordinals(terms)) found.add(terms.termText(ordinal))
  }
  return [...found].sort(compareTexts)
}
