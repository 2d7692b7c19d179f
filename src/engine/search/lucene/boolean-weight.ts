import type { AlikeSets } from './alike-sets.ts'
import { acceptedSet, booleanBulkScorer, runsScripts, windowSources } from './boolean-bulk.ts'
import type { BooleanClause, Occur } from './boolean-clause.ts'
import { booleanTopScorer, scoredTerms, sumOfAlikes } from './boolean-top.ts'
import { ConjunctionScorer } from './conjunction-scorer.ts'
import { docSetScorer } from './constant-score.ts'
import { DisjunctionScorer, SUM_OF_SCORES } from './disjunction-scorer.ts'
import { type DocSet, docSetBits, NO_DOCS } from './doc-set.ts'
import { ExclusionScorer } from './exclusion-scorer.ts'
import { type Explanation, explainMatch, explainNoMatch } from './explanation.ts'
import { cachedDocSet, matchesDoc } from './filter-cache.ts'
import type { Leaf } from './leaf.ts'
import { weigh } from './lucene-query.ts'
import { RequiredOptionalScorer } from './required-optional-scorer.ts'
import type { ScoredPostings } from './scored-postings.ts'
import type { BulkScorer, Scorer } from './scorer.ts'
import type { SearchContext } from './search-context.ts'
import { SetWindowSource } from './set-window-source.ts'
import type { TopScorer } from './top-scorer.ts'
import { WeighedClause } from './weighed-clause.ts'
import { Weight } from './weight.ts'
import type { WindowSource } from './window-bulk-scorer.ts'

/** Boolean clauses made ready for one view of an index. */
export class BooleanWeight extends Weight {
  readonly minimumShouldMatch: number
  readonly mayRunScripts: boolean
  readonly #isLucene7: boolean
  readonly #clauses: readonly WeighedClause[]
  readonly #byOccur: Partial<Record<Occur, WeighedClause[]>> = {}
  #acceptKey: string | undefined
  #last: { readonly leaf: Leaf; readonly set: DocSet } | undefined

  constructor(
    clauses: readonly BooleanClause[],
    minimumShouldMatch: number,
    query: { toString(): string },
    context: SearchContext,
    boost: number,
    needsScores: boolean,
  ) {
    super(query, needsScores)
    this.minimumShouldMatch = minimumShouldMatch
    this.mayRunScripts = context.mayRunScripts
    this.#isLucene7 = context.isLucene7
    this.#clauses = clauses.map(({ occur, query }) => {
      const scores = needsScores && (occur === 'must' || occur === 'should')
      return new WeighedClause(occur, query, weigh(query, context, boost, scores))
    })
  }

  of(occur: Occur): WeighedClause[] {
    const known = this.#byOccur[occur]
    if (known !== undefined) return known
    const found = this.#clauses.filter((clause) => clause.occur === occur)
    this.#byOccur[occur] = found
    return found
  }

  get acceptKey(): string {
    this.#acceptKey ??= `accepts${this.of('filter').map(({ key }) => `#{${key}}`)}${this.of('must_not').map(({ key }) => `-{${key}}`)}`
    return this.#acceptKey
  }

  scorer(leaf: Leaf): Scorer | undefined {
    const required: Scorer[] = []
    const scoring: Scorer[] = []
    for (const { weight, key } of this.of('filter')) {
      const set = cachedDocSet(key, weight, leaf)
      const scorer = set === undefined ? weight.scorer(leaf) : docSetScorer(set, 0)
      if (scorer === undefined) return undefined
      required.push(scorer)
    }
    for (const { weight } of this.of('must')) {
      const scorer = weight.scorer(leaf)
      if (scorer === undefined) return undefined
      required.push(scorer)
      scoring.push(scorer)
    }
    const optional: Scorer[] = []
    for (const { weight } of this.of('should')) {
      const scorer = weight.scorer(leaf)
      if (scorer !== undefined) optional.push(scorer)
    }
    const least = this.minimumShouldMatch
    if (optional.length < least) return undefined
    if (required.length === 0) {
      return optional.length === 0 ? undefined : this.#excluding(anyOf(optional, Math.max(1, least)), leaf)
    }
    const all = this.#excluding(allOf(required, scoring), leaf)
    if (optional.length === 0) return all
    const any = anyOf(optional, Math.max(1, least))
    if (least > 0) return new ConjunctionScorer([all, any], [all, any])
    return this.needsScores ? new RequiredOptionalScorer(all, any) : all
  }

  override bulkScorer(leaf: Leaf): BulkScorer | undefined {
    const planned = booleanBulkScorer(this, leaf)
    return planned === undefined ? super.bulkScorer(leaf) : planned.bulk
  }

  /** Where clauses only filter and exclude, all matches score 0. */
  override get constantScore(): number | undefined {
    return this.#onlyFilters ? 0 : undefined
  }

  override docSet(leaf: Leaf): DocSet | undefined {
    // As part of another filter it may be better not worked out as a whole.
    if (!this.needsScores || !this.#onlyFilters || runsScripts(this)) return undefined
    if (this.#last?.leaf !== leaf) {
      const set = acceptedSet(this, leaf, Number.POSITIVE_INFINITY)
      this.#last = { leaf, set: typeof set === 'object' ? set : NO_DOCS }
    }
    return this.#last.set
  }

  override count(leaf: Leaf): number {
    return this.docSet(leaf)?.count ?? -1
  }

  override topScorer(leaf: Leaf): TopScorer | undefined {
    return booleanTopScorer(this, leaf)
  }

  override summedTerms(leaf: Leaf): ScoredPostings[] | undefined {
    return this.needsScores && this.#isSum ? scoredTerms(this.#clauses, leaf) : undefined
  }

  override alikeSets(leaf: Leaf): AlikeSets | undefined {
    return this.#isSum && !runsScripts(this) ? sumOfAlikes(this.of('should'), leaf) : undefined
  }

  override windowSources(leaf: Leaf): WindowSource[] | undefined {
    return this.#isSum && !runsScripts(this) ? windowSources(this.#clauses, leaf, this.needsScores) : undefined
  }

  /** Everything but some, all of which scores alike: what `-word` of a simple query string is. */
  override windowSource(leaf: Leaf): WindowSource | undefined {
    const scoring = [...this.of('must'), ...this.of('should')]
    const [only] = scoring
    const score = only?.weight.constantScore
    if (only === undefined || score === undefined || score < 0 || !this.needsScores) return undefined
    if (scoring.length > 1 || this.of('filter').length > 0 || this.minimumShouldMatch > 1) return undefined
    if (only.weight.count(leaf) !== leaf.segment.maxDoc || runsScripts(this)) return undefined
    const set = acceptedSet(this, leaf, Number.POSITIVE_INFINITY)
    return typeof set === 'object' ? new SetWindowSource(docSetBits(set, leaf.segment.maxDoc), score) : undefined
  }

  get #onlyFilters(): boolean {
    return (
      this.of('filter').length > 0 &&
      this.of('must').length === 0 &&
      this.of('should').length === 0 &&
      this.minimumShouldMatch === 0
    )
  }

  get #isSum(): boolean {
    return this.minimumShouldMatch <= 1 && this.#clauses.every(({ occur }) => occur === 'should')
  }

  explain(leaf: Leaf, doc: number): Explanation {
    const details: Explanation[] = []
    let sum = 0
    let matching = 0
    let optional = 0
    let fails = false
    for (const { occur, weight, text } of this.#clauses) {
      const scores = (occur === 'must' || occur === 'should') && this.needsScores
      const matches = matchesDoc(weight, leaf, doc)
      const why = (): Explanation =>
        scores ? weight.explain(leaf, doc) : explainUnscored(String(weight.query), matches, doc)
      if (!matches) {
        if (occur !== 'must' && occur !== 'filter') continue
        details.push(explainNoMatch(`no match on required clause (${text})`, [why()]))
        fails = true
      } else if (occur === 'must_not') {
        details.push(explainNoMatch(`match on prohibited clause (${text})`, [why()]))
        fails = true
      } else {
        matching++
        if (occur === 'should') optional++
        const inner = why()
        if (scores) sum = Math.fround(sum + inner.value)
        details.push(
          scores
            ? inner
            : explainMatch(0, 'match on required clause, product of:', [explainMatch(0, '# clause'), inner]),
        )
      }
    }
    if (fails) return explainNoMatch('Failure to meet condition(s) of required/prohibited clause(s)', details)
    if (matching === 0) return explainNoMatch('No matching clauses', details)
    if (optional < this.minimumShouldMatch) {
      return explainNoMatch(`Failure to match minimum number of optional clauses: ${this.minimumShouldMatch}`, details)
    }
    return explainMatch(this.#isLucene7 ? sum : this.#scoreOf(leaf, doc), 'sum of:', details)
  }

  /** A document's score as it is found: its clauses' scores are rounded otherwise than one after the other. */
  #scoreOf(leaf: Leaf, doc: number): number {
    const scorer = this.scorer(leaf)
    scorer?.advance(doc)
    return scorer?.score() ?? 0
  }

  #excluding(scorer: Scorer, leaf: Leaf): Scorer {
    const excluded = this.of('must_not').flatMap(({ weight, key }) => {
      const set = cachedDocSet(key, weight, leaf)
      return (set === undefined ? weight.scorer(leaf) : docSetScorer(set, 0)) ?? []
    })
    return excluded.length === 0 ? scorer : new ExclusionScorer(scorer, anyOf(excluded, 1))
  }
}

function allOf(required: readonly Scorer[], scoring: readonly Scorer[]): Scorer {
  const [only] = required
  return required.length === 1 && scoring.length === 1 && only !== undefined
    ? only
    : new ConjunctionScorer(required, scoring)
}

function anyOf(scorers: readonly Scorer[], least: number): Scorer {
  const [only] = scorers
  return scorers.length === 1 && only !== undefined ? only : new DisjunctionScorer(scorers, least, SUM_OF_SCORES)
}

/** What is not scored goes through the real server's cache of filters, which knows no more than that it matches. */
function explainUnscored(text: string, matches: boolean, doc: number): Explanation {
  return matches ? explainMatch(1, text) : explainNoMatch(`${text} doesn't match id ${doc}`)
}
