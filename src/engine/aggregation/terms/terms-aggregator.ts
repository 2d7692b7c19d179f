import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { typeName } from '../../search/queries/query-context.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { Aggregator, NamedAggregator } from '../aggregator.ts'
import { late } from '../late-fault.ts'
import { checkSortPaths } from '../sort-path.ts'
import { noTerms, resolveValuesSource, unsupportedType } from '../values/values-source.ts'
import { NumericTermsAggregator } from './numeric-terms-aggregator.ts'
import { StringTermsAggregator } from './string-terms-aggregator.ts'
import type { TermsDefinition } from './terms-aggregator-definition.ts'
import { UnmappedTermsAggregator } from './unmapped-terms-aggregator.ts'

/**
 * Chooses by the field: strings by ordinal, numbers by value.
 *
 * @throws {ServiceError} when the field has no values that could be terms, or different ones in different indices
 */
export function createTermsAggregator(
  definition: TermsDefinition,
  context: AggregationContext,
  children: readonly NamedAggregator[],
  place: { readonly name: string; readonly isTopLevel: boolean },
): Aggregator {
  const { name, isTopLevel } = place
  const options = { wanted: 'any', engineVersion: context.engineVersion, now: context.now } as const
  const sources = context.searchers.map((searcher) => resolveValuesSource(searcher, definition.source, options))
  const kinds = new Set(sources.map((source) => source.kind))
  for (const kind of ['geo', 'range'] as const) {
    if (!kinds.has(kind)) continue
    const field = context.searchers
      .map((searcher) => searcher.mapping.field(definition.source.field ?? ''))
      .find((f) => f !== undefined)
    if (context.engineVersion === 'Elasticsearch_6.8' && kind === 'geo') throw noTerms('terms', definition.source.field)
    if (context.engineVersion !== 'Elasticsearch_6.8' && field !== undefined) {
      const aggregation = definition.maxDocCount === undefined ? 'terms' : 'rare_terms'
      throw unsupportedType(definition.source.field, typeName(field), aggregation)
    }
    const reason = `Expected string or numeric type on field [${definition.source.field}], but got [${field === undefined ? kind : typeName(field)}]`
    throw late(illegalArgument(reason))
  }
  const numeric = sources.filter((source) => source.kind === 'numeric')
  // Doubles take what is whole with them.
  const isMixed =
    definition.maxDocCount === undefined &&
    !numeric.some((source) => source.isFloating) &&
    new Set(numeric.map((source) => source.isUnsigned === true)).size > 1
  if ((kinds.has('string') && kinds.has('numeric')) || isMixed) {
    throw new ServiceError(
      'aggregation_execution_exception',
      `Merging/Reducing the aggregations failed when computing the aggregation [${name}] because the field you gave in the aggregation query existed as two different types in two different indices`,
      { inReducePhase: true },
    )
  }
  checkSortPaths(definition.order, children, context.engineVersion)
  if (kinds.has('string'))
    return new StringTermsAggregator(definition, context, children, { name, sources, isTopLevel })
  if (kinds.has('numeric'))
    return new NumericTermsAggregator(definition, context, children, { name, sources, isTopLevel })
  return new UnmappedTermsAggregator(definition, children)
}
