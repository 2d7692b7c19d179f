import type { CardinalityDefinition, ValueCountDefinition } from './count-aggregators.ts'
import type { AdjacencyMatrixDefinition, FilterDefinition, FiltersDefinition } from './filter-aggregators.ts'
import type { DateHistogramDefinition, HistogramDefinition } from './histogram-aggregator.ts'
import type { MissingDefinition } from './missing-aggregator.ts'
import type { GlobalDefinition, NestedDefinition, ReverseNestedDefinition } from './nested-aggregators.ts'
import type { PipelineDefinition } from './pipeline-definition.ts'
import type { RangeDefinition } from './range-aggregator.ts'
import type { StatsDefinition } from './stats-aggregator.ts'
import type { TermsDefinition } from './terms-aggregator-definition.ts'

/** What one aggregation computes. A new kind fails to compile until every stage handles it. */
export type AggregationDefinition =
  | TermsDefinition
  | HistogramDefinition
  | DateHistogramDefinition
  | RangeDefinition
  | StatsDefinition
  | ValueCountDefinition
  | CardinalityDefinition
  | FilterDefinition
  | FiltersDefinition
  | AdjacencyMatrixDefinition
  | MissingDefinition
  | NestedDefinition
  | ReverseNestedDefinition
  | GlobalDefinition

/** An aggregation with those inside it. */
export interface AggregationNode {
  readonly name: string
  readonly metadata: Readonly<Record<string, unknown>> | undefined
  readonly definition: AggregationDefinition
  readonly inside: AggregationTree
}

/** A pipeline aggregation: it works on results of others. */
export interface PipelineNode {
  readonly name: string
  readonly metadata: Readonly<Record<string, unknown>> | undefined
  readonly definition: PipelineDefinition
}

/** The aggregations of one level, in the order of the request. */
export interface AggregationTree {
  readonly aggregations: readonly AggregationNode[]
  readonly pipelines: readonly PipelineNode[]
}

/** No aggregations. */
export const NO_AGGREGATIONS: AggregationTree = { aggregations: [], pipelines: [] }
