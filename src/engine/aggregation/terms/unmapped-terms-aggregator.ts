import type { TermsResult } from '../aggregation-result.ts'
import { BucketAggregator, type NamedAggregator } from '../aggregator.ts'
import type { TermsDefinition } from './terms-aggregator-definition.ts'

/** Terms of a field that no index maps: none. */
export class UnmappedTermsAggregator extends BucketAggregator {
  readonly #definition: TermsDefinition

  constructor(definition: TermsDefinition, children: readonly NamedAggregator[]) {
    super(children)
    this.#definition = definition
  }

  collect(): void {}

  build(): TermsResult {
    return {
      kind: 'terms',
      type: this.#definition.maxDocCount === undefined ? 'umterms' : 'umrareterms',
      docCountError: 0,
      showsBucketErrors: this.#definition.showsBucketErrors,
      otherDocCount: 0,
      buckets: [],
    }
  }
}
