import { ServiceError } from '../../errors.ts'
import type { AggregationContext } from './aggregation-context.ts'
import type { AggregationNode, AggregationTree } from './aggregation-tree.ts'
import type { Aggregator, NamedAggregator } from './aggregator.ts'
import { CardinalityAggregator, ValueCountAggregator } from './count-aggregators.ts'
import { AdjacencyMatrixAggregator, FilterAggregator, FiltersAggregator } from './filter-aggregators.ts'
import { HistogramAggregator } from './histogram-aggregator.ts'
import { MissingAggregator } from './missing-aggregator.ts'
import { GlobalAggregator, NestedAggregator, ReverseNestedAggregator } from './nested-aggregators.ts'
import { RangeAggregator } from './range-aggregator.ts'
import { StatsAggregator } from './stats-aggregator.ts'
import { createTermsAggregator } from './terms-aggregator.ts'

/** Where in the tree an aggregation stands. */
interface Place {
  readonly depth: number
  /** Nested path of the documents it is given; undefined: roots. */
  readonly nestedPath: string | undefined
}

/**
 * Makes the aggregators of a tree ready to collect.
 *
 * @throws {ServiceError} when a field does not suit its aggregation
 */
export function createAggregators(tree: AggregationTree, context: AggregationContext): NamedAggregator[] {
  return createLevel(tree, context, { depth: 0, nestedPath: undefined })
}

function createLevel(tree: AggregationTree, context: AggregationContext, place: Place): NamedAggregator[] {
  return tree.aggregations.map((node) => ({
    name: node.name,
    metadata: node.metadata,
    aggregator: createOne(node, context, place),
  }))
}

function createOne(node: AggregationNode, context: AggregationContext, place: Place): Aggregator {
  const { definition, name } = node
  const inside = (nestedPath = place.nestedPath): NamedAggregator[] =>
    createLevel(node.inside, context, { depth: place.depth + 1, nestedPath })
  switch (definition.kind) {
    case 'terms':
      return createTermsAggregator(definition, context, inside(), { name, isTopLevel: place.depth === 0 })
    case 'histogram':
    case 'date_histogram':
      return new HistogramAggregator(definition, context, inside())
    case 'range':
    case 'date_range':
      return new RangeAggregator(definition, context, inside())
    case 'stats':
      return new StatsAggregator(definition, context)
    case 'value_count':
      return new ValueCountAggregator(definition, context)
    case 'cardinality':
      return new CardinalityAggregator(definition, context)
    case 'filter':
      return new FilterAggregator(definition, context, inside())
    case 'filters':
      return new FiltersAggregator(definition, context, inside())
    case 'adjacency_matrix':
      return new AdjacencyMatrixAggregator(definition, context, inside())
    case 'missing':
      return new MissingAggregator(definition, context, inside())
    case 'nested':
      return new NestedAggregator(definition, place.nestedPath, inside(definition.path))
    case 'reverse_nested':
      checkReverseNested(definition.path, context, place)
      return new ReverseNestedAggregator(
        definition,
        createLevel(node.inside, context, { depth: place.depth + 1, nestedPath: definition.path }),
      )
    case 'global':
      if (place.depth > 0) {
        throw new ServiceError(
          'aggregation_execution_exception',
          `Aggregation [${name}] cannot have a global sub-aggregation [${name}]. Global aggregations can only be defined as top level aggregations`,
          { inQueryPhase: true },
        )
      }
      return new GlobalAggregator(inside())
  }
}

function checkReverseNested(path: string | undefined, context: AggregationContext, place: Place): void {
  if (place.nestedPath === undefined) {
    throw new ServiceError(
      'illegal_argument_exception',
      `Reverse nested aggregation [reverse] can only be used inside a [nested] aggregation`,
      {
        inQueryPhase: true,
      },
    )
  }
  if (path === undefined || context.searchers.some(({ mapping }) => mapping.isNested(path))) return
  throw new ServiceError('aggregation_execution_exception', `[reverse_nested] nested path [${path}] is not nested`, {
    inQueryPhase: true,
  })
}
