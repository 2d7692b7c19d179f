import { faultInQueryPhase } from '../query-phase.ts'
import { type BooleanClause, OCCUR_SIGN, type Occur } from './boolean-clause.ts'
import { BooleanWeight } from './boolean-weight.ts'
import { BoostQuery } from './boost-query.ts'
import { ConstantScoreQuery } from './constant-score-query.ts'
import { LuceneQuery } from './lucene-query.ts'
import { MatchAllDocsQuery } from './match-all-docs-query.ts'
import { MatchNoDocsQuery } from './match-no-docs-query.ts'
import type { SearchContext } from './search-context.ts'
import type { Weight } from './weight.ts'

const fround = Math.fround

/** Documents by clauses that must, may and must not match; scores of those that score are summed. */
export class BooleanQuery extends LuceneQuery {
  readonly clauses: readonly BooleanClause[]
  /** How many optional clauses must match at least. */
  readonly minimumShouldMatch: number

  constructor(clauses: readonly BooleanClause[], minimumShouldMatch = 0) {
    super()
    this.clauses = clauses
    this.minimumShouldMatch = minimumShouldMatch
  }

  of(occur: Occur): LuceneQuery[] {
    return this.clauses.filter((clause) => clause.occur === occur).map((clause) => clause.query)
  }

  toString(): string {
    const text = this.clauses
      .map(({ occur, query }) => OCCUR_SIGN[occur] + (query instanceof BooleanQuery ? `(${query})` : String(query)))
      .join(' ')
    return this.minimumShouldMatch > 0 ? `(${text})~${this.minimumShouldMatch}` : text
  }

  override get key(): string {
    return `BooleanQuery:${this.minimumShouldMatch}:${this.clauses.map(({ occur, query }) => `${OCCUR_SIGN[occur]}{${query.key}}`).join('')}`
  }

  override rewrite(context: SearchContext): LuceneQuery {
    const { clauses, minimumShouldMatch } = this
    if (clauses.length === 0) return new MatchNoDocsQuery('empty BooleanQuery')
    const [only] = clauses
    if (clauses.length === 1 && only !== undefined && minimumShouldMatch <= (only.occur === 'should' ? 1 : 0)) {
      switch (only.occur) {
        case 'should':
        case 'must':
          return only.query
        case 'filter':
          return new BoostQuery(new ConstantScoreQuery(only.query), 0)
        case 'must_not':
          return new MatchNoDocsQuery('pure negative BooleanQuery')
      }
    }
    const isPureNegative = clauses.every(({ occur }) => occur === 'must_not')
    if (isPureNegative && !context.isLucene7) return new MatchNoDocsQuery('pure negative BooleanQuery')
    const rewritten = clauses.map((clause) => {
      const query = rewrittenClause(clause, context)
      return query === clause.query ? clause : { occur: clause.occur, query }
    })
    const kept = context.isLucene9 ? rewritten.filter(({ query }) => !(query instanceof MatchNoDocsQuery)) : rewritten
    if (kept.length < rewritten.length) {
      const needed = rewritten.find(({ occur, query }) => isRequired(occur) && query instanceof MatchNoDocsQuery)
      return needed?.query ?? new BooleanQuery(kept, minimumShouldMatch)
    }
    if (rewritten.some((clause, i) => clause !== clauses[i])) return new BooleanQuery(rewritten, minimumShouldMatch)
    if (context.isLucene9) {
      const optional = this.of('should').length
      if (minimumShouldMatch > optional)
        return new MatchNoDocsQuery('SHOULD clause count less than minimumNumberShouldMatch')
      // All that could match have to.
      if (minimumShouldMatch > 0 && minimumShouldMatch === optional) {
        const all = clauses.map(({ occur, query }) => ({ occur: occur === 'should' ? 'must' : occur, query }) as const)
        return new BooleanQuery(all)
      }
    }
    return (
      this.#withoutRepeats() ??
      this.#onlyFiltered() ??
      (context.isLucene7 ? undefined : this.#flattened(context)) ??
      this
    )
  }

  createWeight(context: SearchContext, boost: number, needsScores: boolean): Weight {
    let query: BooleanQuery = this
    if (!needsScores) query = query.#unscored()
    return new BooleanWeight(query.clauses, query.minimumShouldMatch, query, context, boost, needsScores)
  }

  override visit(visitor: (query: LuceneQuery) => void): void {
    visitor(this)
    for (const { occur, query } of this.clauses) if (occur !== 'must_not') query.visit(visitor)
  }

  /** Where nothing is scored, must is filter, and should besides required ones says nothing. */
  #unscored(): BooleanQuery {
    const required = this.clauses.some(({ occur }) => occur === 'must' || occur === 'filter')
    const clauses: BooleanClause[] = []
    for (const clause of this.clauses) {
      if (clause.occur === 'should' && this.minimumShouldMatch === 0 && required) continue
      clauses.push(clause.occur === 'must' ? { occur: 'filter', query: clause.query } : clause)
    }
    return new BooleanQuery(clauses, this.minimumShouldMatch)
  }

  /** Whether {@link #withoutRepeats} might find something: most queries name each thing once. */
  #hasRepeats(): boolean {
    const seen = new Set<string>()
    for (const { query } of this.clauses) {
      const bare = query instanceof BoostQuery ? query.query : query
      if (bare instanceof MatchAllDocsQuery) return true
      seen.add(bare.key)
    }
    return seen.size < this.clauses.length
  }

  /**
   * A query that is both wanted and excluded finds nothing; one that filters and must match need not filter; an optional
   * one that filters too must match; equal scoring clauses become one with their boosts summed.
   */
  #withoutRepeats(): LuceneQuery | undefined {
    if (!this.#hasRepeats()) return undefined
    const keys = this.clauses.map(({ query }) => query.key)
    const keysOf = (occur: Occur) => new Set(keys.filter((_, i) => this.clauses[i]?.occur === occur))
    const must = keysOf('must')
    const filter = keysOf('filter')
    const mustNot = keysOf('must_not')
    for (const key of mustNot) {
      if (must.has(key) || filter.has(key)) return new MatchNoDocsQuery('FILTER or MUST clause also in MUST_NOT')
    }
    if (this.of('must_not').some((query) => query instanceof MatchAllDocsQuery)) {
      return new MatchNoDocsQuery('MUST_NOT clause is MatchAllDocsQuery')
    }
    let least = this.minimumShouldMatch
    const kept: BooleanClause[] = []
    const seen = new Set<string>()
    const scored = new Map<string, { at: number; boost: number; readonly bare: LuceneQuery }>()
    let changed = false
    const required = must.size + filter.size
    for (const [i, clause] of this.clauses.entries()) {
      const key = keys[i] as string
      const { occur, query } = clause
      if (occur === 'filter' || occur === 'must_not') {
        const needless =
          seen.has(occur + key) ||
          (occur === 'filter' &&
            (must.has(key) || (query instanceof MatchAllDocsQuery && (must.size > 0 || filter.size > 1))))
        seen.add(occur + key)
        if (needless) changed = true
        else if (occur === 'filter' && keysOf('should').has(key)) changed = true
        else kept.push(clause)
        continue
      }
      if (occur === 'should' && filter.has(key) && required > 0) {
        // It filters already: now it must, and scores.
        changed = true
        kept.push({ occur: 'must', query })
        least = Math.max(0, least - 1)
        continue
      }
      if (occur === 'should' && least > 1) {
        kept.push(clause)
        continue
      }
      const boost = query instanceof BoostQuery ? query.boost : 1
      const bare = query instanceof BoostQuery ? query.query : query
      const name = occur + bare.key
      const before = scored.get(name)
      if (before === undefined) {
        scored.set(name, { at: kept.length, boost, bare })
        kept.push(clause)
      } else {
        changed = true
        before.boost += boost
        // The first stays: equal terms may stand for different statistics.
        kept[before.at] = { occur, query: new BoostQuery(before.bare, fround(before.boost)) }
      }
    }
    return changed ? new BooleanQuery(kept, least) : undefined
  }

  /** All documents, filtered: one score for all of them. */
  #onlyFiltered(): LuceneQuery | undefined {
    const must = this.of('must')
    const [only] = must
    if (must.length !== 1 || only === undefined || this.of('should').length > 0 || this.of('filter').length === 0)
      return undefined
    const boost = only instanceof BoostQuery ? only.boost : 1
    const inner = only instanceof BoostQuery ? only.query : only
    if (!(inner instanceof MatchAllDocsQuery)) return undefined
    const rest = this.clauses.filter(({ occur }) => occur !== 'must')
    const constant = new ConstantScoreQuery(new BooleanQuery(rest, this.minimumShouldMatch))
    return boost === 1 ? constant : new BoostQuery(constant, boost)
  }

  /**
   * From Lucene 8 on, a disjunction inside a disjunction is part of it: its sum is not rounded by itself. Where that makes too many
   * clauses, Lucene 8 lets it be.
   *
   * @throws {ServiceError} too_many_clauses (Lucene 9), also where some of them are the same
   */
  #flattened(context: SearchContext): LuceneQuery | undefined {
    if (this.minimumShouldMatch > 1) return undefined
    const isDisjunction = (query: LuceneQuery): query is BooleanQuery =>
      query instanceof BooleanQuery &&
      query.minimumShouldMatch <= 1 &&
      query.clauses.every(({ occur }) => occur === 'should')
    if (!this.clauses.some(({ occur, query }) => occur === 'should' && isDisjunction(query))) return undefined
    const flat = this.clauses.flatMap((clause): readonly BooleanClause[] =>
      clause.occur === 'should' && isDisjunction(clause.query) ? clause.query.clauses : [clause],
    )
    const most = context.maxClauses
    if (flat.length <= most) return new BooleanQuery(flat, this.minimumShouldMatch)
    if (context.isLucene9) throw faultInQueryPhase('too_many_clauses', `maxClauseCount is set to ${most}`)
    return undefined
  }
}

const isRequired = (occur: Occur): boolean => occur === 'must' || occur === 'filter'

/** A clause's query, rewritten; by Lucene 9 without what only changes scores, where there are none. */
function rewrittenClause({ occur, query }: BooleanClause, context: SearchContext): LuceneQuery {
  if (!context.isLucene9 || occur === 'must' || occur === 'should') return query.rewrite(context)
  const rewritten = new ConstantScoreQuery(query).rewrite(context)
  return rewritten instanceof ConstantScoreQuery ? rewritten.query : rewritten
}
