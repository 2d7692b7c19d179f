import type { EngineVersion } from '../engine-version.ts'
import type { Query } from '../search/queries/query.ts'
import type { AggregationDefinition, AggregationNode, AggregationTree } from './aggregation-tree.ts'

/** What tells which aggregations the real servers make anew before they run. */
export interface RewriteOptions {
  readonly engineVersion: EngineVersion
  /** Whether a shard puts another query in this one's place, an equal one too. */
  readonly isRewritten: (query: Query) => boolean
}

/**
 * The same aggregations with the metadata they answer with: one that is made anew, since a query of its own or of one inside
 * it was, has metadata even if it was given none.
 */
export function withRewrittenMetadata(tree: AggregationTree, options: RewriteOptions): AggregationTree {
  let isSame = true
  const aggregations = tree.aggregations.map((node) => {
    const told = rewrittenNode(node, options)
    isSame &&= told === node
    return told
  })
  return isSame ? tree : { ...tree, aggregations }
}

function rewrittenNode(node: AggregationNode, options: RewriteOptions): AggregationNode {
  const inside = withRewrittenMetadata(node.inside, options)
  if (inside === node.inside && !queriesOf(node.definition, options.engineVersion).some(options.isRewritten))
    return node
  return { ...node, inside, metadata: node.metadata ?? {} }
}

/** The queries of an aggregation that are rewritten with it. */
function queriesOf(definition: AggregationDefinition, engineVersion: EngineVersion): readonly Query[] {
  if (definition.kind === 'filter') return [definition.query]
  if (definition.kind === 'filters') return definition.filters.map(({ query }) => query)
  if (engineVersion === 'Elasticsearch_6.8') return []
  if (definition.kind === 'adjacency_matrix') return definition.filters.map(({ query }) => query)
  const { background } = definition as { readonly background?: Query }
  return background === undefined ? [] : [background]
}
