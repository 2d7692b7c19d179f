import { append } from '../../long-lists.ts'
import { BooleanQuery } from '../lucene/boolean-query.ts'
import { BoostQuery } from '../lucene/boost-query.ts'
import { BoostingQuery } from '../lucene/boosting-query.ts'
import { ConstantScoreQuery } from '../lucene/constant-score-query.ts'
import { DisjunctionMaxQuery } from '../lucene/disjunction-max-query.ts'
import { FunctionScoreLuceneQuery } from '../lucene/function-score-query.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { PhraseQuery } from '../lucene/phrase-query.ts'
import { SynonymQuery } from '../lucene/synonym-query.ts'
import { TermQuery } from '../lucene/term-query.ts'

/** A term of a field. */
export interface FieldTerm {
  readonly field: string
  readonly term: Uint8Array
}

/** More alternatives than these are not worth looking for. */
const MAX_TERMS = 64

/**
 * Terms of which a document must have at least one to match a query; undefined where nothing of the kind can be said.
 *
 * @param query  as it was made, not rewritten for any view
 */
export function requiredTerms(query: LuceneQuery): readonly FieldTerm[] | undefined {
  if (query instanceof TermQuery) return [{ field: query.field, term: query.term }]
  if (query instanceof BoostQuery) return requiredTerms(query.query)
  if (query instanceof ConstantScoreQuery) return requiredTerms(query.query)
  if (query instanceof FunctionScoreLuceneQuery) return requiredTerms(query.query)
  if (query instanceof BoostingQuery) return requiredTerms(query.positive)
  if (query instanceof DisjunctionMaxQuery) return anyOf(query.queries)
  if (query instanceof SynonymQuery) return query.terms.map((term) => ({ field: query.field, term: Buffer.from(term) }))
  if (query instanceof PhraseQuery) return rarest(query.places.map(({ terms }) => ofPlace(query.field, terms)))
  if (query instanceof BooleanQuery) {
    const required = query.clauses.filter(({ occur }) => occur === 'must' || occur === 'filter')
    const found = rarest(required.map((clause) => requiredTerms(clause.query)))
    if (found !== undefined) return found
    const optional = query.clauses.filter(({ occur }) => occur === 'should')
    const needsOne = optional.length > 0 && (query.minimumShouldMatch > 0 || required.length === 0)
    return needsOne ? anyOf(optional.map((clause) => clause.query)) : undefined
  }
  return undefined
}

function ofPlace(field: string, terms: readonly string[]): readonly FieldTerm[] {
  return terms.map((term) => ({ field, term: Buffer.from(term) }))
}

function anyOf(queries: readonly LuceneQuery[]): readonly FieldTerm[] | undefined {
  const all: FieldTerm[] = []
  for (const query of queries) {
    const terms = requiredTerms(query)
    if (terms === undefined) return undefined
    append(all, terms)
    if (all.length > MAX_TERMS) return undefined
  }
  return all.length === 0 ? undefined : all
}

/** Of lists each of which must be met, one that is likely not to be: few terms, long ones. */
function rarest(lists: readonly (readonly FieldTerm[] | undefined)[]): readonly FieldTerm[] | undefined {
  let best: readonly FieldTerm[] | undefined
  for (const list of lists) {
    if (list === undefined || list.length === 0) continue
    if (
      best === undefined ||
      list.length < best.length ||
      (list.length === best.length && shortest(list) > shortest(best))
    )
      best = list
  }
  return best
}

function shortest(list: readonly FieldTerm[]): number {
  return Math.min(...list.map(({ term }) => term.length))
}
