import type { FieldMapping } from '../../mapping/field-mapping.ts'
import type { Occur } from '../lucene/boolean-clause.ts'
import { BooleanQuery } from '../lucene/boolean-query.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import type { SearchContext } from '../lucene/search-context.ts'
import { TermQuery } from '../lucene/term-query.ts'
import { inQueryPhase } from '../query-phase.ts'
import { minimumShouldMatch } from './minimum-should-match.ts'
import { noTerms } from './no-terms.ts'
import type { CommonTermsOptions, CommonTermsQuery } from './query.ts'
import { fieldOf, isCompletion, type QueryContext, typeName } from './query-context.ts'
import { termQuery } from './term-queries.ts'
import { textPlaces } from './text-places.ts'

/** The DSL's `common`. */
export function commonTextQuery(query: CommonTermsQuery, context: QueryContext): LuceneQuery {
  const named = fieldOf(query.field, context)
  const field = named !== undefined && isCompletion(named) ? named.words : named
  if (field === undefined) return new MatchNoDocsQuery(`unmapped field [${query.field}]`)
  // Numbers and the like have no words.
  if (field.kind !== 'text' && field.kind !== 'keyword') return new MatchNoDocsQuery(`no words in [${query.field}]`)
  const terms = textPlaces(field, query.text, query.analyzer, false, context).flatMap((place) => place.terms)
  if (terms.length === 0) return noTerms()
  // What is not indexed is searched all the same.
  if (!field.index) return new MatchNoDocsQuery(`no terms of [${query.field}]`)
  return commonTermsQuery(field, terms, query, context)
}

/** Whether a word is frequent. @param cutoff  as of {@link CommonTermsOptions} */
export function isFrequent(docFreq: number, cutoff: number, search: SearchContext): boolean {
  if (cutoff >= 1 && docFreq > cutoff) return true
  return docFreq > Math.ceil(Math.fround(Math.fround(cutoff) * Math.fround(search.searcher.maxDoc)))
}

/** Rare words must match; frequent ones only add to the score, unless there are no others (Lucene's CommonTermsQuery). */
export function commonTermsQuery(
  field: FieldMapping,
  terms: readonly string[],
  options: CommonTermsOptions,
  context: QueryContext,
): LuceneQuery {
  // Its words are plain terms here, whatever they are alone.
  const isPlain = typeName(field) === 'match_only_text'
  const queries = terms.map((term) =>
    isPlain ? new TermQuery(field.path, term) : termQuery(field.path, term, context),
  )
  const [only] = queries
  if (queries.length === 1 && only !== undefined) return only
  const low: LuceneQuery[] = []
  const high: LuceneQuery[] = []
  for (const [i, query] of queries.entries()) {
    const bytes = query instanceof TermQuery ? query.term : Buffer.from(terms[i] as string)
    const { docFreq } = context.search.termStates(field.path, bytes)
    const group = isFrequent(docFreq, options.cutoffFrequency, context.search) ? high : low
    group.push(query)
  }
  const lowGroup = groupOf(low, options.lowFreqOperator, options.lowFreqMinimumShouldMatch)
  // Frequent words alone are all required, lest every document matched.
  const isAlone = low.length === 0 && leastOf(high, options.highFreqMinimumShouldMatch) === 0
  const highGroup = groupOf(high, isAlone ? 'and' : options.highFreqOperator, options.highFreqMinimumShouldMatch)
  if (highGroup === undefined) return new BooleanQuery([{ occur: 'must', query: lowGroup as LuceneQuery }])
  if (lowGroup === undefined) return new BooleanQuery([{ occur: 'should', query: highGroup }])
  return new BooleanQuery([
    { occur: 'must', query: lowGroup },
    { occur: 'should', query: highGroup },
  ])
}

function groupOf(
  queries: readonly LuceneQuery[],
  operator: 'and' | 'or',
  least: string | undefined,
): LuceneQuery | undefined {
  if (queries.length === 0) return undefined
  const occur: Occur = operator === 'and' ? 'must' : 'should'
  const clauses = queries.map((query) => ({ occur, query }))
  return new BooleanQuery(clauses, occur === 'should' ? leastOf(queries, least) : 0)
}

function leastOf(queries: readonly LuceneQuery[], least: string | undefined): number {
  return least === undefined ? 0 : inQueryPhase(() => minimumShouldMatch(least, queries.length))
}
