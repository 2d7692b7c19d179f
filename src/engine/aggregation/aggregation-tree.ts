import type { ServiceError } from '../../errors.ts'
import type { AutoDateHistogramDefinition } from './buckets/auto-date-histogram-aggregator.ts'
import type { CompositeDefinition } from './buckets/composite-aggregator.ts'
import type { AdjacencyMatrixDefinition, FilterDefinition, FiltersDefinition } from './buckets/filter-aggregators.ts'
import type { DateHistogramDefinition, HistogramDefinition } from './buckets/histogram-aggregator.ts'
import type { IpRangeDefinition } from './buckets/ip-range-aggregator.ts'
import type { ChildrenDefinition, ParentDefinition } from './buckets/join-aggregator.ts'
import type { MissingDefinition } from './buckets/missing-aggregator.ts'
import type { GlobalDefinition, NestedDefinition, ReverseNestedDefinition } from './buckets/nested-aggregators.ts'
import type { RangeDefinition } from './buckets/range-aggregator.ts'
import type { SamplerDefinition } from './buckets/sampler-aggregator.ts'
import type { VariableWidthHistogramDefinition } from './buckets/variable-width-histogram-aggregator.ts'
import type { GeoBoundsDefinition } from './geo/geo-bounds-aggregator.ts'
import type { GeoCentroidDefinition } from './geo/geo-centroid-aggregator.ts'
import type { GeoDistanceDefinition } from './geo/geo-distance-aggregator.ts'
import type { GeoGridDefinition } from './geo/geo-grid-aggregator.ts'
import type { CardinalityDefinition } from './metrics/cardinality-aggregator.ts'
import type { MatrixStatsDefinition } from './metrics/matrix-stats-aggregator.ts'
import type { MedianAbsoluteDeviationDefinition } from './metrics/median-absolute-deviation-aggregator.ts'
import type { PercentilesDefinition } from './metrics/percentiles-aggregator.ts'
import type { ScriptedMetricDefinition } from './metrics/scripted-metric-aggregator.ts'
import type { StatsDefinition } from './metrics/stats-aggregator.ts'
import type { TopHitsDefinition } from './metrics/top-hits-aggregator.ts'
import type { ValueCountDefinition } from './metrics/value-count-aggregator.ts'
import type { WeightedAverageDefinition } from './metrics/weighted-average-aggregator.ts'
import type { PipelineDefinition } from './pipelines/pipeline-definition.ts'
import type { MultiTermsDefinition } from './terms/multi-terms-aggregator.ts'
import type { SignificantTermsDefinition } from './terms/significant-terms-aggregator.ts'
import type { SignificantTextDefinition } from './terms/significant-text-aggregator.ts'
import type { TermsDefinition } from './terms/terms-aggregator-definition.ts'

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
