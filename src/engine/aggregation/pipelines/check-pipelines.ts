import { faultOf, ServiceError } from '../../../errors.ts'
import type { EngineVersion } from '../../engine-version.ts'
import { parseTimeMs } from '../../metadata/time-value.ts'
import { faultInQueryPhase, inQueryPhase } from '../../search/query-phase.ts'
import { builderClass, movingAverageClass } from '../aggregation-class-names.ts'
import type { AggregationDefinition, AggregationNode, AggregationTree, PipelineNode } from '../aggregation-tree.ts'
import { isMinimizable } from './minimize-moving-average.ts'
import { DERIVATIVE_UNIT } from './parent-pipeline.ts'
import { type BucketsPath, type ParentPipeline, pathsOf } from './pipeline-definition.ts'
import { inOrder } from './pipeline-order.ts'

const HISTOGRAMS: ReadonlySet<AggregationDefinition['kind']> = new Set([
  'histogram',
  'date_histogram',
  'auto_date_histogram',
])

/** Aggregations with several buckets that pipelines take for such. */
const MULTI_BUCKET: ReadonlySet<AggregationDefinition['kind']> = new Set([
  'adjacency_matrix',
  'auto_date_histogram',
  'date_histogram',
  'date_range',
  'filters',
  'geo_distance',
  'geohash_grid',
  'geotile_grid',
  'histogram',
  'ip_range',
  'multi_terms',
  'range',
  'significant_terms',
  'significant_text',
  'terms',
  'variable_width_histogram',
])

/** Those of them that pipelines of 6.x do not take for such. */
const SINCE_7: ReadonlySet<AggregationDefinition['kind']> = new Set([
  'auto_date_histogram',
  'geo_distance',
  'ip_range',
  'significant_text',
])

/**
 * Checks that pipeline aggregations stand where they can work and read what is there, before anything is computed.
 *
 * @throws {ServiceError} illegal_state_exception, illegal_argument_exception (6.8), action_request_validation_exception
 *   that tells of all faults (later)
 */
export function checkPipelines(tree: AggregationTree, engineVersion: EngineVersion): void {
  if (engineVersion === 'Elasticsearch_6.8') {
    visitLevels(tree, undefined, (level, parent) => checkLevel(level, engineVersion, parent))
    return
  }
  const reasons: string[] = []
  visitLevels(tree, undefined, (level, parent) => reasons.push(...faultsOfLevel(level, engineVersion, parent)))
  if (reasons.length === 0) return
  const list = reasons.map((reason, i) => `${i + 1}: ${reason};`).join('')
  throw new ServiceError('action_request_validation_exception', `Validation Failed: ${list}`)
}

/** The pipelines of one level as 6.8 checks them. @throws {ServiceError} illegal_state_exception, illegal_argument_exception */
export function checkLevel(
  tree: AggregationTree,
  engineVersion: EngineVersion,
  parent: AggregationNode | undefined,
): void {
  const resolved = new Set<PipelineNode>()
  for (const pipeline of tree.pipelines) {
    checkModel(pipeline, engineVersion)
    checkOne(pipeline, tree, { parent, engineVersion })
    resolve(pipeline, tree, resolved)
  }
}

function visitLevels(
  tree: AggregationTree,
  parent: AggregationNode | undefined,
  visit: (level: AggregationTree, parent: AggregationNode | undefined) => void,
): void {
  visit(tree, parent)
  for (const node of tree.aggregations) visitLevels(node.inside, node, visit)
}

/** What later versions say of a level: a path that leads nowhere, else what is wrong with each of its pipelines. */
function faultsOfLevel(
  tree: AggregationTree,
  engineVersion: EngineVersion,
  parent: AggregationNode | undefined,
): string[] {
  const resolved = new Set<PipelineNode>()
  const astray = faultOf(() => {
    for (const pipeline of tree.pipelines) resolve(pipeline, tree, resolved)
  })
  if (astray !== undefined && astray.type !== 'illegal_argument_exception') throw astray.with({ inQueryPhase: false })
  if (astray !== undefined) return [astray.reason]
  return inOrder(tree.pipelines).flatMap((pipeline) => [
    ...reasonOf(() => checkModel(pipeline, engineVersion)),
    ...reasonOf(() => checkOne(pipeline, tree, { parent, engineVersion })),
  ])
}

/** 6.8 reads a unit in each shard. */
function checkUnit({ unit }: ParentPipeline): void {
  if (typeof unit === 'string') inQueryPhase(() => parseTimeMs(unit, DERIVATIVE_UNIT))
}

const reasonOf = (check: () => void): readonly string[] => {
  const fault = faultOf(check)
  return fault === undefined ? [] : [fault.reason]
}

/** @throws {ServiceError} illegal_state_exception where the factors of a model that has none are looked for */
function checkModel({ name, definition }: PipelineNode, engineVersion: EngineVersion): void {
  if (definition.kind !== 'moving_avg' || !definition.minimize || isMinimizable(definition.model)) return
  const shown = movingAverageClass(definition.model, engineVersion)
  const reason = `The [${shown}@0] model cannot be minimized for aggregation [${name}]`
  throw faultInQueryPhase('illegal_state_exception', reason)
}

function checkOne(
  { name, definition }: PipelineNode,
  tree: AggregationTree,
  options: { readonly parent: AggregationNode | undefined; readonly engineVersion: EngineVersion },
): void {
  const { kind } = definition
  const { parent, engineVersion } = options
  if (definition.kind === 'derivative' && engineVersion === 'Elasticsearch_6.8') checkUnit(definition)
  const isLater = engineVersion !== 'Elasticsearch_6.8'
  switch (kind) {
    case 'derivative':
    case 'cumulative_sum':
    case 'serial_diff':
    case 'moving_fn':
    case 'moving_avg':
      if (parent === undefined || !HISTOGRAMS.has(parent.definition.kind)) {
        const lacking = parent === undefined && isLater ? " but doesn't have a parent" : ''
        throw faultInQueryPhase(
          'illegal_state_exception',
          `${kind} aggregation [${name}] must have a histogram, date_histogram or auto_date_histogram as parent${lacking}`,
        )
      }
      if (isLater && needsAllBuckets(parent.definition)) {
        throw faultInQueryPhase(
          'illegal_state_exception',
          `parent histogram of ${kind} aggregation [${name}] must have min_doc_count of 0`,
        )
      }
      return
    case 'bucket_sort':
    case 'bucket_script':
    case 'bucket_selector':
      if (parent === undefined) {
        throw faultInQueryPhase(
          'illegal_state_exception',
          `${kind} aggregation [${name}] must be declared inside of another aggregation`,
        )
      }
      if (
        definition.kind === 'bucket_sort' &&
        definition.sort.length === 0 &&
        definition.from === 0 &&
        definition.size === undefined
      ) {
        throw faultInQueryPhase(
          'illegal_state_exception',
          `[${name}] is configured to perform nothing. Please set either of [sort, size, from] to use bucket_sort`,
        )
      }
      return
    default: {
      const { path } = definition
      const first = tree.aggregations.find((node) => node.name === path.names[0]?.name)
      // 6.8 takes a key for a part of the name.
      if (first === undefined || (!isLater && path.names[0]?.key !== undefined)) {
        throw faultInQueryPhase(
          'illegal_argument_exception',
          `buckets_path aggregation does not exist for aggregation [${name}]: ${path.text}`,
        )
      }
      const { kind: firstKind } = first.definition
      if (!MULTI_BUCKET.has(firstKind) || (engineVersion === 'Elasticsearch_6.8' && SINCE_7.has(firstKind))) {
        throw faultInQueryPhase(
          'illegal_argument_exception',
          `The first aggregation in buckets_path must be a multi-bucket aggregation for aggregation [${name}] found :${builderClass(first.definition, engineVersion)} for buckets path: ${path.text}`,
        )
      }
    }
  }
}

/**
 * Looks whether all is there that a pipeline reads, and that what it reads itself reads.
 *
 * @param resolved  those that were looked at; added to
 * @param open  those that wait for it
 */
function resolve(
  pipeline: PipelineNode,
  tree: AggregationTree,
  resolved: Set<PipelineNode>,
  open = new Set<PipelineNode>(),
): void {
  const { name, definition } = pipeline
  if (open.has(pipeline))
    throw faultInQueryPhase(
      'illegal_argument_exception',
      `Cyclical dependency found with pipeline aggregator [${name}]`,
    )
  if (resolved.has(pipeline)) return
  open.add(pipeline)
  for (const path of pathsOf(definition)) {
    checkPath(path, tree)
    const first = path.names[0]?.name
    if (tree.aggregations.some((node) => node.name === first)) continue
    const read = tree.pipelines.find((node) => node.name === first)
    if (read !== undefined) resolve(read, tree, resolved, open)
  }
  open.delete(pipeline)
  resolved.add(pipeline)
}

/** Each name of a path must be an aggregation (or pipeline) of its level. */
function checkPath(path: BucketsPath, tree: AggregationTree): void {
  if (path.fault !== undefined) throw path.fault.with({ inQueryPhase: true })
  let level: AggregationTree | undefined = tree
  for (const [i, { name }] of path.names.entries()) {
    const node: AggregationNode | undefined = level?.aggregations.find((one) => one.name === name)
    const isPipeline = level?.pipelines.some((one) => one.name === name) ?? false
    if (node === undefined && !isPipeline) {
      throw faultInQueryPhase(
        'illegal_argument_exception',
        i === 0
          ? `No aggregation found for path [${path.text}]`
          : `No aggregation [${name}] found for path [${path.text}]`,
      )
    }
    level = node?.inside
  }
}

/** Whether a histogram leaves out buckets that a series of values needs. */
function needsAllBuckets(definition: AggregationDefinition): boolean {
  return (definition.kind === 'histogram' || definition.kind === 'date_histogram') && definition.minDocCount !== 0
}
