import type { AggregationContext } from './aggregation-context.ts'
import type { AggregationDefinition, AggregationNode, AggregationTree } from './aggregation-tree.ts'
import { isUnmapped } from './is-unmapped.ts'

/**
 * A tree as 6.x collects it: where no index has an aggregation's field or nested path, most make nothing of what is inside.
 * The same tree where there is no such aggregation.
 */
export function withoutUnmapped(tree: AggregationTree, context: AggregationContext): AggregationTree {
  if (!tree.aggregations.some(({ inside }) => inside.aggregations.length > 0)) return tree
  const aggregations = tree.aggregations.map((node) => reduced(node, context))
  return aggregations.every((node, i) => node === tree.aggregations[i]) ? tree : { ...tree, aggregations }
}

function reduced(node: AggregationNode, context: AggregationContext): AggregationNode {
  const inside = isEmptied(node.definition, context)
    ? { ...node.inside, aggregations: [] }
    : withoutUnmapped(node.inside, context)
  return inside === node.inside ? node : { ...node, inside }
}

function isEmptied(definition: AggregationDefinition, { searchers }: AggregationContext): boolean {
  switch (definition.kind) {
    case 'range':
    case 'date_range':
    case 'geo_distance':
    case 'geohash_grid':
    case 'significant_terms':
      return isUnmapped(definition.source, searchers)
    case 'nested':
    case 'reverse_nested': {
      const { path } = definition
      return path !== undefined && !searchers.some(({ mapping }) => mapping.isObject(path))
    }
    default:
      return false
  }
}
