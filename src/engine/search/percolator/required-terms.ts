import { BooleanQuery } from '../lucene/boolean-query.ts'
import { BoostQuery } from '../lucene/boost-query.ts'
import { BoostingQuery } from '../lucene/boosting-query.ts'
import { ConstantScoreQuery } from '../lucene/constant-score-query.ts'
import { DisjunctionMaxQuery } from '../lucene/disjunction-max-query.ts'
import { FunctionScoreLuceneQuery } from '../lucene/function-score-query.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { PhraseQuery } from '../lucene/positions/phrase-query.ts'
import { SynonymQuery } from '../lucene/synonym-query.ts'
import { TermQuery } from '../lucene/term-query.ts'

/** A term of a field. */
export interface FieldTerm {
  readonly field: string
  readonly term: Uint8Array
}

/** More alternatives than these are not worth looking for. */
const MAX_TERMS = 64

/** Lists that are looked at for a query. */
const MAX_LISTS = 8

/**
 * Lists of terms of each of which a document must have at least one to match a query, the one that is met least often first; none
 * where nothing of the kind can be said.
 *
 * @param query  as it was made, not rewritten for any view
 */
export function requiredTerms(query: LuceneQuery): (readonly FieldTerm[])[] {
  return listsOf(query).sort(byRarity).slice(0, MAX_LISTS)
}

function listsOf(query: LuceneQuery): (readonly FieldTerm[])[] {
  if (query instanceof TermQuery) return [[{ field: query.field, term: query.term }]]
  if (query instanceof BoostQuery) return listsOf(query.query)
  if (query instanceof ConstantScoreQuery) return listsOf(query.query)
  if (query instanceof FunctionScoreLuceneQuery) return listsOf(query.query)
  if (query instanceof BoostingQuery) return listsOf(query.positive)
  if (query instanceof DisjunctionMaxQuery) return anyOf(query.queries, 1)
  if (query instanceof SynonymQuery) return [ofPlace(query.field, query.terms)].filter(isList)
  if (query instanceof PhraseQuery) return query.places.map(({ terms }) => ofPlace(query.field, terms)).filter(isList)
  if (query instanceof BooleanQuery) {
    const required = query.clauses.filter(({ occur }) => occur === 'must' || occur === 'filter')
    const lists = required.flatMap((clause) => listsOf(clause.query))
    const optional = query.clauses.filter(({ occur }) => occur === 'should').map((clause) => clause.query)
    const least = Math.max(query.minimumShouldMatch, required.length === 0 ? 1 : 0)
    return least === 0 || optional.length === 0 ? lists : [...lists, ...anyOf(optional, least)]
  }
  return []
}

function ofPlace(field: string, terms: readonly string[]): readonly FieldTerm[] {
  return terms.map((term) => ({ field, term: Buffer.from(term) }))
}

/** What so many of several queries need: any of all but so many less one, of those that are met least often. */
function anyOf(queries: readonly LuceneQuery[], least: number): (readonly FieldTerm[])[] {
  const wanted = queries.length - least + 1
  const lists = queries.flatMap((query) => listsOf(query).sort(byRarity).slice(0, 1)).sort(byRarity)
  if (wanted < 1 || lists.length < wanted) return []
  const all = lists.slice(0, wanted).flat()
  return all.length > MAX_TERMS ? [] : [all]
}

const isList = (list: readonly FieldTerm[]): boolean => list.length > 0

/** Few terms and long ones are likely not to be there. */
function byRarity(a: readonly FieldTerm[], b: readonly FieldTerm[]): number {
  return a.length - b.length || shortest(b) - shortest(a)
}

function shortest(list: readonly FieldTerm[]): number {
  return Math.min(...list.map(({ term }) => term.length))
}
