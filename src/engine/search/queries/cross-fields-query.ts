import { ServiceError } from '../../../errors.ts'
import { inJavaHashOrder } from '../../java/java-hash-order.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import { BooleanQuery } from '../lucene/boolean-query.ts'
import { BoostQuery } from '../lucene/boost-query.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MatchAllDocsQuery } from '../lucene/match-all-docs-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import { PhraseQuery } from '../lucene/positions/phrase-query.ts'
import type { TermStates } from '../lucene/search-context.ts'
import { TermQuery } from '../lucene/term-query.ts'
import { bestOf } from './best-of.ts'
import { booleanOf, withMinimum } from './boolean-queries.ts'
import { boosted } from './boosted.ts'
import { isFrequent } from './common-terms.ts'
import { matchQuery } from './match-query.ts'
import { noTerms } from './no-terms.ts'
import type { MatchQuery, MultiMatchQuery } from './query.ts'
import { askedPath, fieldOf, hasOwnPositions, isCompletion, type QueryContext } from './query-context.ts'
import { termQuery } from './term-queries.ts'
import { analyzeText } from './text-places.ts'
import { type GraphStretch, graphStretches } from './token-graph.ts'

interface BoostedField {
  readonly field: FieldMapping
  readonly boost: number
}

/**
 * `multi_match` across fields: fields of one analyzer are searched as one large field, word by word, with document
 * frequencies blended between them.
 *
 * @param fields  paths with their boosts, in order
 * @returns       one query a group of fields
 */
export function crossFieldsQueries(
  query: MultiMatchQuery,
  fields: ReadonlyMap<string, number>,
  context: QueryContext,
): LuceneQuery[] {
  const groups = new Map<unknown, BoostedField[]>()
  const queries: LuceneQuery[] = []
  for (const [path, boost] of fields) {
    const named = fieldOf(path, context)
    const field = named !== undefined && isCompletion(named) ? named.words : named
    if (field === undefined) {
      queries.push(new MatchNoDocsQuery(`unmapped field [${path}]`))
      continue
    }
    const analyzer = query.analyzer ?? crossedBy(field, named === field)
    const group = groups.get(analyzer) ?? []
    group.push({ field, boost })
    groups.set(analyzer, group)
  }
  // A name stands for an analyzer, though what a field makes for itself has one of its own: the first in the real
  // server's order speaks for all.
  const order = inJavaHashOrder([...fields.keys()])
  for (const group of groups.values()) {
    const paths = group.map(({ field }) => field.path)
    const first = group[paths.indexOf(order.find((path) => paths.includes(path)) ?? '')] ?? group[0]
    queries.push(groupQuery(query, group, (first as BoostedField).field, context))
  }
  return queries
}

/**
 * What fields have in common that are searched as one.
 *
 * @param isItself  false: the words that a field makes for itself
 */
export function crossedBy(field: FieldMapping, isItself = true): unknown {
  if (field.kind === 'text') return isItself ? field.searchAnalyzer.name : field.searchAnalyzer
  return field.kind === 'keyword' ? (field.flat ?? field.searchAnalyzer ?? 'keyword') : 'keyword'
}

/** @param field  by whose analyzer the text is taken apart */
function groupQuery(
  query: MultiMatchQuery,
  group: readonly BoostedField[],
  field: FieldMapping,
  context: QueryContext,
): LuceneQuery {
  const [only] = group
  if (only !== undefined && group.length === 1)
    return boosted(matchQuery(matchOf(query, askedPath(field)), context), only.boost)
  const { places, graph } = analyzeText(field, query.text, query.analyzer, false, context)
  if (places.length === 0) {
    return query.zeroTermsQuery === 'all' ? new MatchAllDocsQuery() : noTerms()
  }
  const words =
    graph === undefined
      ? places.map(({ terms }) => blended(terms, group, query, context))
      : graphStretches(graph).map((stretch) => stretchQuery(stretch, query, group, context))
  if (words.length === 1 && graph === undefined) return words[0] as LuceneQuery
  const occur = query.operator === 'and' ? 'must' : 'should'
  const all = booleanOf(
    words.map((word) => ({ occur, query: word })),
    context,
  )
  return withMinimum(all, query.minimumShouldMatch, context)
}

function matchOf(query: MultiMatchQuery, field: string): MatchQuery {
  const { text, operator, prefixLength, maxExpansions, lenient = false, zeroTermsQuery } = query
  return {
    kind: 'match',
    field,
    text,
    operator,
    prefixLength,
    maxExpansions,
    transpositions: query.transpositions ?? true,
    lenient,
    zeroTermsQuery,
    autoGenerateSynonymsPhraseQuery: query.autoGenerateSynonymsPhraseQuery ?? true,
    ...(query.minimumShouldMatch === undefined ? {} : { minimumShouldMatch: query.minimumShouldMatch }),
    ...(query.cutoffFrequency === undefined ? {} : { cutoffFrequency: query.cutoffFrequency }),
    ...(query.analyzer === undefined ? {} : { analyzer: query.analyzer }),
  }
}

/** Alternatives of a stretch of the text: words as ever, several in a row as a phrase in the best of the fields. */
function stretchQuery(
  stretch: GraphStretch,
  query: MultiMatchQuery,
  group: readonly BoostedField[],
  context: QueryContext,
): LuceneQuery {
  if (stretch.kind === 'words') return blended(stretch.terms, group, query, context)
  const isPhrase = query.autoGenerateSynonymsPhraseQuery !== false && group.every(({ field }) => hasOwnPositions(field))
  const ways = stretch.ways.map((way): LuceneQuery => {
    const [only] = way
    if (way.length === 1 && only !== undefined) return blended(only.terms, group, query, context)
    if (!isPhrase) {
      const words = way.map(({ terms }) => blended(terms, group, query, context))
      return booleanOf(
        words.map((word) => ({ occur: 'must', query: word })),
        context,
      )
    }
    const phrases = group.map(({ field, boost }) => boosted(new PhraseQuery(field.path, way, 0), boost))
    return bestOf(phrases, query.tieBreaker ?? 0, context)
  })
  return booleanOf(
    ways.map((way) => ({ occur: 'should', query: way })),
    context,
  )
}

/** A word in any of the fields; the best one counts. */
function blended(
  terms: readonly string[],
  group: readonly BoostedField[],
  { tieBreaker, cutoffFrequency, lenient = false }: MultiMatchQuery,
  context: QueryContext,
): LuceneQuery {
  const others: LuceneQuery[] = []
  const words: { readonly term: TermQuery; readonly boost: number }[] = []
  for (const term of terms) {
    for (const { field, boost: fieldBoost } of group) {
      let query = fieldTerm(field, term, lenient, context)
      if (query === undefined) continue
      let boost = fieldBoost
      while (query instanceof BoostQuery) {
        boost = Math.fround(boost * query.boost)
        query = query.query
      }
      if (query instanceof TermQuery) words.push({ term: query, boost })
      else others.push(boosted(query, boost))
    }
  }
  if (words.length > 0) {
    const states = words.map(({ term }) => context.search.termStates(term.field, term.term))
    const { frequencies, total } = blendFrequencies(states, context)
    const parts = words.map(({ term, boost }, i) => {
      const totalTermFreq = readsTotals(term.field, context) ? total : undefined
      const found = states[i] as TermStates
      return boosted(new TermQuery(term.field, term.term, frequencies[i] as number, found, totalTermFreq), boost)
    })
    if (cutoffFrequency === undefined) others.push(bestOf(parts, tieBreaker ?? 0, context))
    else {
      const areFrequent = states.map(({ docFreq }) => isFrequent(docFreq, cutoffFrequency, context.search))
      others.push(commonParts(parts, areFrequent))
    }
  }
  // Elasticsearch adds them up.
  const tie = context.search.isLucene9 ? (tieBreaker ?? 0) : 1
  return others.length === 1 ? (others[0] as LuceneQuery) : bestOf(others, tie, context)
}

/** Similarities that look at documents alone: their weights are the same whatever the sum. */
const OF_DOCUMENTS: ReadonlySet<string> = new Set(['BM25', 'classic', 'boolean', 'occurrence'])

function readsTotals(path: string, { search }: QueryContext): boolean {
  const field = search.mapping.field(path)
  return (field?.kind === 'text' || field?.kind === 'keyword') && !OF_DOCUMENTS.has(field.similarity)
}

/** A word in a field; undefined where it is no value of the field and that is overlooked, as 6.x does always. */
function fieldTerm(
  field: FieldMapping,
  term: string,
  lenient: boolean,
  context: QueryContext,
): LuceneQuery | undefined {
  try {
    return termQuery(field.path, term, context)
  } catch (error) {
    if (error instanceof ServiceError && (lenient || context.search.isLucene7)) return undefined
    throw error
  }
}

/** A word in fields where it is rare; where it is frequent it only adds to the score, if it is rare in any. */
function commonParts(parts: readonly LuceneQuery[], areFrequent: readonly boolean[]): LuceneQuery {
  const anyOf = (frequent: boolean): BooleanQuery =>
    new BooleanQuery(parts.filter((_, i) => areFrequent[i] === frequent).map((query) => ({ occur: 'should', query })))
  const low = anyOf(false)
  const high = anyOf(true)
  // Frequent in all of them: required in all of them.
  if (low.clauses.length === 0) return new BooleanQuery(high.clauses.map(({ query }) => ({ occur: 'must', query })))
  if (high.clauses.length === 0) return low
  return new BooleanQuery([
    { occur: 'should', query: high },
    { occur: 'must', query: low },
  ])
}

/**
 * Document frequencies as if the fields were one: all get the largest, a little more the rarer the term is in the field, so
 * that fields where it is common win ties. OpenSearch sees to it that none gets more than the field has documents, which would
 * score less than nothing. Similarities that look at how often it is there at all see the sum.
 */
function blendFrequencies(
  states: readonly TermStates[],
  { search }: QueryContext,
): { readonly frequencies: readonly number[]; readonly total?: number } {
  const frequencies = states.map(({ docFreq }) => docFreq)
  if (states.length <= 1) return { frequencies }
  let limit = search.searcher.maxDoc
  let fewestTokens = Number.POSITIVE_INFINITY
  for (const { field, docFreq } of states) {
    // 6.x counts fields without the term too, be they empty.
    const isCounted = docFreq > 0 || search.isLucene7
    const tokens = isCounted ? (search.collectionStatistics(field)?.sumTotalTermFreq ?? (docFreq > 0 ? -1 : 0)) : -1
    if (tokens < 0 && isCounted) fewestTokens = -1
    else if (fewestTokens !== -1 && tokens >= 0) fewestTokens = Math.min(fewestTokens, tokens)
  }
  if (fewestTokens !== -1 && limit > fewestTokens) limit = fewestTokens
  let next = Math.min(limit, Math.max(...frequencies))
  const order = [...frequencies.keys()].sort((a, b) => (frequencies[b] as number) - (frequencies[a] as number))
  const out = frequencies.slice()
  let previous = frequencies[order[0] as number] as number
  for (const i of order) {
    const own = frequencies[i] as number
    if (own === 0) break
    if (previous > own) next++
    const { field } = states[i] as TermStates
    const most = search.isLucene9 ? (search.collectionStatistics(field)?.docCount ?? limit) : limit
    out[i] = Math.min(limit, next, most)
    previous = own
  }
  // All are there as often as they are together, as far as each field has so many tokens.
  const together = states.reduce(
    (sum, { docFreq, totalTermFreq }, i) => sum + (docFreq === 0 ? 0 : Math.max(totalTermFreq, out[i] as number)),
    0,
  )
  return { frequencies: out, total: fewestTokens < 0 ? together : Math.min(together, fewestTokens) }
}
