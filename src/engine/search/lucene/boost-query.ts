import { javaFloat } from '../../java/java-number-text.ts'
import { ConstantScoreQuery } from './constant-score-query.ts'
import { LuceneQuery } from './lucene-query.ts'
import { MatchNoDocsQuery } from './match-no-docs-query.ts'
import type { SearchContext } from './search-context.ts'
import type { Weight } from './weight.ts'

const fround = Math.fround

/** A query whose scores are multiplied. */
export class BoostQuery extends LuceneQuery {
  readonly query: LuceneQuery
  readonly boost: number

  constructor(query: LuceneQuery, boost: number) {
    super()
    this.query = query
    this.boost = fround(boost)
  }

  toString(): string {
    return `(${this.query})^${javaFloat(this.boost)}`
  }

  override get key(): string {
    return `BoostQuery:${this.boost}:${this.query.key}`
  }

  override rewrite(context: SearchContext): LuceneQuery {
    const rewritten = this.query.rewrite(context)
    if (this.boost === 1) return rewritten
    if (rewritten instanceof MatchNoDocsQuery && context.isLucene9) return rewritten
    if (rewritten instanceof BoostQuery) return new BoostQuery(rewritten.query, fround(this.boost * rewritten.boost))
    if (this.boost === 0 && !(rewritten instanceof ConstantScoreQuery)) {
      // So that nothing is scored for naught.
      return new BoostQuery(new ConstantScoreQuery(rewritten), 0)
    }
    return rewritten === this.query ? this : new BoostQuery(rewritten, this.boost)
  }

  createWeight(context: SearchContext, boost: number, needsScores: boolean): Weight {
    // Lucene asks the query itself, past its profiler.
    return this.query.createWeight(context, fround(boost * this.boost), needsScores)
  }

  override visit(visitor: (query: LuceneQuery) => void): void {
    visitor(this)
    this.query.visit(visitor)
  }
}
