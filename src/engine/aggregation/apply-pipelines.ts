import type { EngineVersion } from '../engine-version.ts'
import type { NamedResult } from './aggregation-result.ts'
import type { AggregationTree } from './aggregation-tree.ts'

/** Computes the pipeline aggregations of a tree over its results. */
export function applyPipelines(
  results: readonly NamedResult[],
  _tree: AggregationTree,
  _engineVersion: EngineVersion,
): NamedResult[] {
  return [...results]
}
