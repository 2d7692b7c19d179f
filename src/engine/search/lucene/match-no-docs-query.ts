import { type Explanation, explainNoMatch } from './explanation.ts'
import { LuceneQuery } from './lucene-query.ts'
import type { SearchContext } from './search-context.ts'
import { Weight } from './weight.ts'

/** Nothing, and why. */
export class MatchNoDocsQuery extends LuceneQuery {
  readonly reason: string
  constructor(reason: string) {
    super()
    this.reason = reason
  }
  toString(): string {
    return `MatchNoDocsQuery("${this.reason}")`
  }
  override get key(): string {
    return 'MatchNoDocsQuery'
  }
  createWeight(_context: SearchContext, _boost: number, needsScores: boolean): Weight {
    return new MatchNoDocsWeight(this, needsScores)
  }
}

class MatchNoDocsWeight extends Weight {
  scorer(): undefined {
    return undefined
  }
  override count(): number {
    return 0
  }
  explain(): Explanation {
    return explainNoMatch((this.query as MatchNoDocsQuery).reason)
  }
}
