import type { ServiceError } from '../../errors.ts'
import type { AutoDateHistogramDefinition } from './auto-date-histogram-aggregator.ts'
import type { CardinalityDefinition } from './cardinality-aggregator.ts'
import type { CompositeDefinition } from './composite-aggregator.ts'
import type { AdjacencyMatrixDefinition, FilterDefinition, FiltersDefinition } from './filter-aggregators.ts'
import type { GeoBoundsDefinition } from './geo-bounds-aggregator.ts'
import type { GeoCentroidDefinition } from './geo-centroid-aggregator.ts'
import type { GeoDistanceDefinition } from './geo-distance-aggregator.ts'
import type { GeoGridDefinition } from './geo-grid-aggregator.ts'
import type { DateHistogramDefinition, HistogramDefinition } from './histogram-aggregator.ts'
import type { IpRangeDefinition } from './ip-range-aggregator.ts'
import type { ChildrenDefinition, ParentDefinition } from './join-aggregator.ts'
import type { MatrixStatsDefinition } from './matrix-stats-aggregator.ts'
import type { MedianAbsoluteDeviationDefinition } from './median-absolute-deviation-aggregator.ts'
import type { MissingDefinition } from './missing-aggregator.ts'
import type { MultiTermsDefinition } from './multi-terms-aggregator.ts'
import type { GlobalDefinition, NestedDefinition, ReverseNestedDefinition } from './nested-aggregators.ts'
import type { PercentilesDefinition } from './percentiles-aggregator.ts'
import type { PipelineDefinition } from './pipeline-definition.ts'
import type { RangeDefinition } from './range-aggregator.ts'
import type { SamplerDefinition } from './sampler-aggregator.ts'
import type { ScriptedMetricDefinition } from './scripted-metric-aggregator.ts'
import type { SignificantTermsDefinition } from './significant-terms-aggregator.ts'
import type { SignificantTextDefinition } from './significant-text-aggregator.ts'
import type { StatsDefinition } from './stats-aggregator.ts'
import type { TermsDefinition } from './terms-aggregator-definition.ts'
import type { TopHitsDefinition } from './top-hits-aggregator.ts'
import type { ValueCountDefinition } from './value-count-aggregator.ts'
import type { VariableWidthHistogramDefinition } from './variable-width-histogram-aggregator.ts'
import type { WeightedAverageDefinition } from './weighted-average-aggregator.ts'

/** What one aggregation computes. A new kind fails to compile until every stage handles it. */
export type AggregationDefinition =
  | TermsDefinition
  | MultiTermsDefinition
  | VariableWidthHistogramDefinition
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
  | ChildrenDefinition
  | ParentDefinition
  | GlobalDefinition
  | PercentilesDefinition
  | MedianAbsoluteDeviationDefinition
  | WeightedAverageDefinition
  | ScriptedMetricDefinition
  | MatrixStatsDefinition
  | TopHitsDefinition
  | SamplerDefinition
  | IpRangeDefinition
  | GeoGridDefinition
  | GeoDistanceDefinition
  | GeoBoundsDefinition
  | GeoCentroidDefinition
  | CompositeDefinition
  | AutoDateHistogramDefinition
  | SignificantTermsDefinition
  | SignificantTextDefinition

/** An aggregation with those inside it. */
export interface AggregationNode {
  readonly name: string
  readonly metadata: Readonly<Record<string, unknown>> | undefined
  readonly definition: AggregationDefinition
  readonly inside: AggregationTree
  /** What is known to be wrong with it, and told when it is made in an index. */
  readonly faults?: readonly ServiceError[]
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
