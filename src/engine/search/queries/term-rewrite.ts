import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import type { TermDictionary } from '../../index/segment-reader.ts'
import { ConstantScoreQuery } from '../lucene/constant-score-query.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import { MultiTermQuery, type TermSelection } from '../lucene/multi-term-query.ts'
import { TermQuery } from '../lucene/term-query.ts'
import { booleanOf } from './boolean-queries.ts'
import { boosted } from './boosted.ts'
import type { QueryContext } from './query-context.ts'

/** How the terms a pattern stands for are searched (`rewrite`). */
export type TermRewrite =
  | { readonly kind: 'constant_score' | 'constant_score_boolean' | 'scoring_boolean' }
  | { readonly kind: 'top_terms' | 'top_terms_boost' | 'top_terms_blended_freqs'; readonly size: number }

/** Reads a rewrite method by its name. @throws {ServiceError} illegal_argument_exception */
export function parseRewrite(name: string): TermRewrite {
  if (name === 'constant_score' || name === 'constant_score_boolean' || name === 'scoring_boolean')
    return { kind: name }
  const size = /\d.*$/s.exec(name)?.[0]
  if (size !== undefined && !(/^\d+$/.test(size) && Number(size) <= 0x7fffffff))
    throw new ServiceError('number_format_exception', `For input string: "${size}"`)
  const match = /^(top_terms|top_terms_boost|top_terms_blended_freqs)_(\d+)$/.exec(name)
  if (match !== null) return { kind: match[1] as 'top_terms', size: Number(match[2]) }
  throw illegalArgument(`Failed to parse rewrite_method [${name}]`)
}

/** A term a pattern stands for, and how much it counts. */
export interface ExpandedTerm {
  readonly bytes: Buffer
  readonly boost: number
}

/** A query of a pattern's terms, all alike unless a rewrite says otherwise. */
export function patternTermsQuery(
  field: string,
  text: string,
  select: (terms: TermDictionary) => TermSelection,
  rewrite: TermRewrite | undefined,
  context: QueryContext,
  key = text,
): LuceneQuery {
  if (rewrite === undefined || rewrite.kind === 'constant_score') return new MultiTermQuery(field, text, select, key)
  const found = new Map<string, ExpandedTerm>()
  for (const { segment } of context.search.leaves) {
    const terms = segment.field(field)?.terms
    if (terms === undefined) continue
    const selection = select(terms)
    const isRange = 'from' in selection
    const count = isRange ? selection.to - selection.from : selection.length
    for (let i = 0; i < count; i++) {
      const ordinal = isRange ? selection.from + i : (selection[i] as number)
      found.set(terms.termText(ordinal), { bytes: Buffer.from(terms.term(ordinal)), boost: 1 })
    }
  }
  return rewrittenQuery(field, [...found.values()], rewrite, context)
}

/** A query of terms, as a rewrite method makes it. @throws {ServiceError} too_many_clauses */
export function rewrittenQuery(
  field: string,
  expansions: readonly ExpandedTerm[],
  rewrite: TermRewrite,
  context: QueryContext,
): LuceneQuery {
  if (expansions.length === 0) return new MatchNoDocsQuery('empty BooleanQuery')
  const taken = 'size' in rewrite ? best(expansions, rewrite.size) : [...expansions]
  taken.sort((a, b) => Buffer.compare(a.bytes, b.bytes))
  const states = taken.map(({ bytes }) => context.search.termStates(field, bytes))
  const docFreq = Math.max(...states.map((state) => state.docFreq))
  const all = booleanOf(
    taken.map(({ bytes, boost }, i) => {
      const term = new TermQuery(
        field,
        bytes,
        rewrite.kind === 'top_terms_blended_freqs' ? docFreq : undefined,
        states[i],
      )
      const query = rewrite.kind === 'top_terms_boost' ? new ConstantScoreQuery(term) : term
      return { occur: 'should', query: boosted(query, boost) }
    }),
    context,
  )
  const isAlike = rewrite.kind === 'constant_score' || rewrite.kind === 'constant_score_boolean'
  return isAlike ? new ConstantScoreQuery(all) : all
}

/** Those with the largest boosts; of equals the first by bytes. */
function best(expansions: readonly ExpandedTerm[], size: number): ExpandedTerm[] {
  return [...expansions].sort((a, b) => b.boost - a.boost || Buffer.compare(a.bytes, b.bytes)).slice(0, size)
}
