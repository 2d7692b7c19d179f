import { javaFloat } from '../../java/java-number-text.ts'
import { DocSetBulkScorer, docSetScorer } from './constant-score.ts'
import { type Explanation, explainMatch } from './explanation.ts'
import type { Leaf } from './leaf.ts'
import { LuceneQuery } from './lucene-query.ts'
import type { BulkScorer, Scorer } from './scorer.ts'
import type { SearchContext } from './search-context.ts'
import { Weight } from './weight.ts'

/** Every document. */
export class MatchAllDocsQuery extends LuceneQuery {
  toString(): string {
    return '*:*'
  }
  createWeight(_context: SearchContext, boost: number, needsScores: boolean): Weight {
    return new MatchAllWeight(this, boost, needsScores)
  }
}

class MatchAllWeight extends Weight {
  readonly #boost: number
  constructor(query: LuceneQuery, boost: number, needsScores: boolean) {
    super(query, needsScores)
    this.#boost = boost
  }
  override get constantScore(): number {
    return this.#boost
  }
  scorer({ segment }: Leaf): Scorer {
    return docSetScorer({ kind: 'all', count: segment.maxDoc }, this.#boost)
  }
  override bulkScorer({ segment }: Leaf): BulkScorer {
    return new DocSetBulkScorer({ kind: 'all', count: segment.maxDoc }, this.#boost)
  }
  override count({ segment }: Leaf): number {
    return segment.maxDoc
  }
  explain(): Explanation {
    return explainMatch(this.#boost, this.#boost === 1 ? '*:*' : `*:*^${javaFloat(this.#boost)}`)
  }
}
