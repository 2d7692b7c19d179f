import { ServiceError } from '../../../errors.ts'
import type { EngineVersion } from '../../engine-version.ts'
import { timeZone, UTC } from '../../mapping/dates/time-zone.ts'
import { notMultiBucket } from '../aggregation-class-names.ts'
import type { AggregationResult, BucketResult, NamedResult } from '../aggregation-result.ts'
import type { AggregationDefinition, AggregationNode, AggregationTree, PipelineNode } from '../aggregation-tree.ts'
import { unitOfWidth } from '../buckets/auto-date-histogram-aggregator.ts'
import { dateRounding } from '../buckets/date-rounding.ts'
import { scriptBuckets, selectBuckets, sortBuckets } from './bucket-pipelines.ts'
import { addMovingAverage, type BucketMaker } from './moving-average-pipeline.ts'
import { addToBuckets } from './parent-pipeline.ts'
import { bucketsOf, withBuckets } from './path-bucket.ts'
import type { PipelineDefinition, SiblingPipeline } from './pipeline-definition.ts'
import { inOrder } from './pipeline-order.ts'
import { siblingResult } from './sibling-pipeline.ts'

/**
 * Computes the pipeline aggregations of a tree over its results: from the innermost level outwards, those of one level in
 * the order in which they read one another.
 *
 * @throws {ServiceError} when a path names nothing that is a number
 */
export function applyPipelines(
  results: readonly NamedResult[],
  tree: AggregationTree,
  engineVersion: EngineVersion,
): NamedResult[] {
  if (!hasPipelines(tree)) return [...results]
  const applied = results.map((named) => {
    const node = tree.aggregations.find(({ name }) => name === named.name)
    return node === undefined ? named : { ...named, result: applyInside(named.result, node, engineVersion) }
  })
  for (const pipeline of inOrder(tree.pipelines)) {
    const { name, metadata, definition } = pipeline
    if (isSibling(definition)) applied.push({ name, metadata, result: siblingResult(definition, applied) })
  }
  return applied
}

function hasPipelines({ pipelines, aggregations }: AggregationTree): boolean {
  return pipelines.length > 0 || aggregations.some(({ inside }) => hasPipelines(inside))
}

/** A result with the pipelines of its own level inside applied. */
function applyInside(
  result: AggregationResult,
  node: AggregationNode,
  engineVersion: EngineVersion,
): AggregationResult {
  const { inside } = node
  if (!hasPipelines(inside)) return result
  // Pipelines of a level are computed one after the other over all of its buckets: one may read another's numbers.
  const deeper: AggregationTree = { aggregations: inside.aggregations, pipelines: [] }
  if (result.kind === 'single_bucket') {
    const applied = { ...result, aggregations: applyPipelines(result.aggregations, inside, engineVersion) }
    if (inside.pipelines.every(({ definition }) => isSibling(definition))) return applied
    throw notMultiBucket(result.type, engineVersion)
  }
  let buckets: BucketResult[] | undefined = bucketsOf(result)?.map((bucket) => ({
    ...bucket,
    aggregations: applyPipelines(bucket.aggregations, deeper, engineVersion),
  }))
  if (buckets === undefined) return result
  if (result.kind === 'buckets' && result.emptyBucket !== undefined)
    applyPipelines(result.emptyBucket(), deeper, engineVersion)
  // Buckets that 6.x makes anew with a number more have no score.
  const losesScores = result.kind === 'significant_terms' && engineVersion === 'Elasticsearch_6.8'
  for (const pipeline of inOrder(inside.pipelines)) {
    const before: ReadonlySet<BucketResult> | undefined = losesScores ? new Set(buckets) : undefined
    const applied = applyOne(pipeline, buckets, node, result, engineVersion)
    buckets = before ? applied.map((bucket) => (before.has(bucket) ? bucket : { ...bucket, score: 0 })) : applied
  }
  return withBuckets(result, buckets)
}

function applyOne(
  { name, metadata, definition }: PipelineNode,
  buckets: BucketResult[],
  node: AggregationNode,
  result: AggregationResult,
  engineVersion: EngineVersion,
): BucketResult[] {
  const named = { name, metadata }
  switch (definition.kind) {
    case 'derivative':
    case 'cumulative_sum':
    case 'serial_diff':
    case 'moving_fn':
      return addToBuckets(definition, buckets, named, engineVersion)
    case 'moving_avg':
      return addMovingAverage(definition, buckets, named, bucketMaker(node.definition, result, engineVersion))
    case 'bucket_sort':
      return sortBuckets(definition, buckets)
    case 'bucket_script':
      return scriptBuckets(definition, buckets, named, engineVersion)
    case 'bucket_selector':
      return selectBuckets(definition, buckets, engineVersion)
    case 'avg_bucket':
    case 'sum_bucket':
    case 'min_bucket':
    case 'max_bucket':
    case 'stats_bucket':
    case 'extended_stats_bucket':
    case 'percentiles_bucket':
      return buckets.map((bucket) => ({
        ...bucket,
        aggregations: [...bucket.aggregations, { ...named, result: siblingResult(definition, bucket.aggregations) }],
      }))
  }
}

function isSibling(definition: PipelineDefinition): definition is SiblingPipeline {
  return definition.kind.endsWith('_bucket')
}

function bucketMaker(
  definition: AggregationDefinition,
  result: AggregationResult,
  engineVersion: EngineVersion,
): BucketMaker {
  const format = result.kind === 'buckets' ? result.keyFormat : undefined
  const isFloating = definition.kind === 'histogram'
  return {
    nextKey(key) {
      const isAuto = definition.kind === 'auto_date_histogram'
      if (definition.kind !== 'histogram' && definition.kind !== 'date_histogram' && !isAuto) return key
      if (!isAuto && definition.minDocCount > 0) throw nothingEmpty(definition.kind)
      if (definition.kind === 'histogram') return key + definition.interval
      const unit = result.kind === 'buckets' ? unitOfWidth(result.interval ?? '') : undefined
      const interval = isAuto ? ({ kind: 'calendar', unit: unit ?? 'year' } as const) : definition.interval
      const { timeZone: zone } = definition.source
      const offset = isAuto ? 0 : definition.offset
      const rounding = dateRounding(interval, zone === undefined ? UTC : timeZone(zone), engineVersion)
      return rounding.next(key - offset) + offset
    },
    make(key, aggregations) {
      const text = format?.format(key) ?? String(key)
      const isRaw = format?.isRaw ?? true
      return {
        key,
        isFloatingKey: isFloating,
        ...(isRaw ? {} : { keyAsString: text }),
        name: text,
        docCount: 0,
        aggregations,
      }
    },
  }
}

/** What 6.x fails with where it has no empty bucket to tell the next key by; later versions refuse that before. */
function nothingEmpty(kind: 'histogram' | 'date_histogram'): ServiceError {
  const member = kind === 'histogram' ? 'interval' : 'rounding'
  return new ServiceError(
    'null_pointer_exception',
    `Cannot read field "${member}" because "this.emptyBucketInfo" is null`,
  )
}
