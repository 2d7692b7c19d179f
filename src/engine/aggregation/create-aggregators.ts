import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { inJavaHashOrder } from '../java/java-hash-order.ts'
import { faultInQueryPhase, illegalInQueryPhase, queryPhaseFault } from '../search/query-phase.ts'
import { factoryClass } from './aggregation-class-names.ts'
import type { AggregationContext } from './aggregation-context.ts'
import { type AggregationPlace, placeInside, TOP } from './aggregation-place.ts'
import type { AggregationDefinition, AggregationNode, AggregationTree } from './aggregation-tree.ts'
import type { Aggregator, NamedAggregator } from './aggregator.ts'
import { AutoDateHistogramAggregator } from './buckets/auto-date-histogram-aggregator.ts'
import { CompositeAggregator } from './buckets/composite-aggregator.ts'
import { AdjacencyMatrixAggregator, FilterAggregator, FiltersAggregator } from './buckets/filter-aggregators.ts'
import { HistogramAggregator } from './buckets/histogram-aggregator.ts'
import { IpRangeAggregator } from './buckets/ip-range-aggregator.ts'
import { JoinAggregator } from './buckets/join-aggregator.ts'
import { MissingAggregator } from './buckets/missing-aggregator.ts'
import { GlobalAggregator, NestedAggregator, ReverseNestedAggregator } from './buckets/nested-aggregators.ts'
import { RangeAggregator } from './buckets/range-aggregator.ts'
import { SamplerAggregator } from './buckets/sampler-aggregator.ts'
import { VariableWidthHistogramAggregator } from './buckets/variable-width-histogram-aggregator.ts'
import { withoutEnded } from './ended-indices.ts'
import { GeoBoundsAggregator } from './geo/geo-bounds-aggregator.ts'
import { GeoCentroidAggregator } from './geo/geo-centroid-aggregator.ts'
import { GeoDistanceAggregator } from './geo/geo-distance-aggregator.ts'
import { GeoGridAggregator } from './geo/geo-grid-aggregator.ts'
import { isUnmapped } from './is-unmapped.ts'
import { late } from './late-fault.ts'
import { CardinalityAggregator } from './metrics/cardinality-aggregator.ts'
import { MatrixStatsAggregator } from './metrics/matrix-stats-aggregator.ts'
import { MedianAbsoluteDeviationAggregator } from './metrics/median-absolute-deviation-aggregator.ts'
import { PercentilesAggregator } from './metrics/percentiles-aggregator.ts'
import { ScriptedMetricAggregator } from './metrics/scripted-metric-aggregator.ts'
import { StatsAggregator } from './metrics/stats-aggregator.ts'
import { TopHitsAggregator } from './metrics/top-hits-aggregator.ts'
import { ValueCountAggregator } from './metrics/value-count-aggregator.ts'
import { WeightedAverageAggregator } from './metrics/weighted-average-aggregator.ts'
import { firstFault } from './order-of-making.ts'
import { checkPipelines } from './pipelines/check-pipelines.ts'
import { MultiTermsAggregator } from './terms/multi-terms-aggregator.ts'
import { SignificantTermsAggregator } from './terms/significant-terms-aggregator.ts'
import { SignificantTextAggregator } from './terms/significant-text-aggregator.ts'
import { createTermsAggregator } from './terms/terms-aggregator.ts'
import { withoutUnmapped } from './unmapped-insides.ts'
import { derivedIn, derivedSource } from './values/derived-source.ts'
import { computedSource } from './values/script-values.ts'
import { ScriptedAggregator } from './values/scripted-aggregator.ts'
import { sourcesOf, takenFor, withSources } from './values/scripted-sources.ts'
import type { ValuesSourceConfig } from './values/values-source.ts'

/**
 * Makes the aggregators of a tree ready to collect.
 *
 * @param hearRead  told of each that is read where one is refused
 * @throws {ServiceError} when a field does not suit its aggregation
 */
export function createAggregators(
  tree: AggregationTree,
  context: AggregationContext,
  hearRead?: (definition: AggregationDefinition) => void,
): NamedAggregator[] {
  const is6 = context.engineVersion === 'Elasticsearch_6.8'
  const made = is6 ? withoutUnmapped(tree, context) : tree
  const faultIn = (asked: AggregationTree): ServiceError | undefined => {
    const unmeasured = { ...context, profiler: undefined }
    return firstFault(asked, context, (node, place) => createOne(node, unmeasured, place), hearRead)
  }
  try {
    if (is6) checkPipelines(tree, context.engineVersion)
    // What is not made is read all the same.
    const unmade = made === tree ? undefined : faultIn(tree)
    if (unmade !== undefined && !unmade.detail.isLate) throw unmade
    refuseNoted(made)
    if (is6 && context.searchers.length > 1 && readsWhatLacks(made)) {
      for (const searcher of context.searchers)
        createLevel(made, { ...context, searchers: [searcher], profiler: undefined }, TOP)
    }
    return createLevel(made, context, TOP)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw faultIn(made) ?? error
  }
}

/** Whether an index is found fault with for what it lacks, though others have it. */
const readsWhatLacks = ({ aggregations }: AggregationTree): boolean =>
  aggregations.some(
    ({ definition, inside }) =>
      definition.kind === 'weighted_avg' ||
      (definition.kind === 'composite' && definition.after !== undefined) ||
      readsWhatLacks(inside),
  )

const MAX_FILTERS = 'index.max_adjacency_matrix_filters'

/** @throws {ServiceError} what was found wrong with an aggregation as it was read */
function refuseNoted({ aggregations }: AggregationTree): void {
  for (const { faults, inside } of aggregations) {
    if (faults?.[0] !== undefined) throw faults[0]
    refuseNoted(inside)
  }
}

function createLevel(tree: AggregationTree, context: AggregationContext, place: AggregationPlace): NamedAggregator[] {
  const { aggregations } = tree
  const nodes = aggregations.length < 2 ? aggregations : inOrderOfAnswers(aggregations)
  return nodes.map((node) => ({
    name: node.name,
    metadata: node.metadata,
    aggregator:
      context.profiler === undefined
        ? createOne(node, context, place)
        : context.profiler.create(node, () => createOne(node, context, place)),
  }))
}

/** The real servers merge their shards' results by name in a hash map: answers stand in its order. */
function inOrderOfAnswers(nodes: readonly AggregationNode[]): readonly AggregationNode[] {
  const byName = new Map(nodes.map((node) => [node.name, node]))
  return inJavaHashOrder(nodes.map(({ name }) => name).reverse()).map((name) => byName.get(name) as AggregationNode)
}

function createOne(node: AggregationNode, context: AggregationContext, place: AggregationPlace): Aggregator {
  const { searchers } = context
  const mayDerive = searchers.some(({ mapping }) => mapping.hasDerived)
  const scripted = sourcesOf(node.definition).filter(
    (source) => source.script !== undefined || (mayDerive && derivedIn(source, searchers) !== undefined),
  )
  const aggregator =
    scripted.length === 0 ? createPlain(node, context, place) : createScripted(node, scripted, context, place)
  return withoutEnded(aggregator, node, context)
}

function createScripted(
  node: AggregationNode,
  scripted: readonly ValuesSourceConfig[],
  context: AggregationContext,
  place: AggregationPlace,
): Aggregator {
  const computed = new Map(
    scripted.map((source, i) => {
      const { definition } = node
      const open = derivedIn(source, context.searchers) === undefined ? computedSource : derivedSource
      const name = definition.kind === 'stats' ? definition.metric : definition.kind
      return [source, open(source, takenFor(definition, source), `\0script${i}`, context, name)]
    }),
  )
  const definition = withSources(node.definition, (source) => computed.get(source)?.config ?? source)
  return new ScriptedAggregator([...computed.values()], context, (inner) =>
    createPlain({ ...node, definition }, inner, place),
  )
}

/** What a composite may stand in: in OpenSearch more. */
const AROUND_COMPOSITE: ReadonlySet<AggregationDefinition['kind']> = new Set(['nested', 'reverse_nested', 'filter'])

/** A composite may only stand at the top, or in nothing but `nested` (OpenSearch: {@link AROUND_COMPOSITE}). */
function checkComposite({ around }: AggregationPlace, { engineVersion }: AggregationContext): void {
  const other = around.findLast(({ kind }) =>
    engineVersion === 'OpenSearch_2.19' ? !AROUND_COMPOSITE.has(kind) : kind !== 'nested',
  )
  if (other === undefined) return
  throw illegalInQueryPhase(
    `[composite] aggregation cannot be used with a parent aggregation of type: [${factoryClass(other)}]`,
  )
}

/** Aggregations with one bucket in every one around them. */
const SINGLE_BUCKET: ReadonlySet<AggregationDefinition['kind']> = new Set([
  'filter',
  'missing',
  'nested',
  'reverse_nested',
  'children',
  'parent',
  'global',
] as const)

/** Does the real server know that there is but one bucket that an aggregation stands in? */
function isInOneBucket({ around }: AggregationPlace, { engineVersion }: AggregationContext): boolean {
  if (engineVersion === 'Elasticsearch_6.8') return around.length === 0
  return around.every(({ kind }) => SINGLE_BUCKET.has(kind))
}

/** Aggregations whose buckets do not depend on what documents hold. */
const EVERYWHERE: ReadonlySet<AggregationDefinition['kind']> = new Set([
  'children',
  'date_range',
  'filter',
  'filters',
  'geo_distance',
  'global',
  'ip_range',
  'missing',
  'nested',
  'parent',
  'range',
  'reverse_nested',
  'sampler',
] as const)

/** Whether every index has the buckets that an aggregation stands in. */
const isEverywhere = ({ around }: AggregationPlace): boolean => around.every(({ kind }) => EVERYWHERE.has(kind))

/** Whether the real server knows that an aggregation has, in a bucket around it, one: of fields and paths that are not mapped it has none. */
function hasOneBucket(definition: AggregationDefinition, { searchers }: AggregationContext): boolean {
  switch (definition.kind) {
    case 'range':
    case 'date_range':
    case 'ip_range':
    case 'geo_distance':
    case 'missing':
      return (!('ranges' in definition) || definition.ranges.length === 1) && !isUnmapped(definition.source, searchers)
    case 'filters':
      return definition.filters.length === 1 && definition.otherKey === undefined
    case 'nested':
    case 'reverse_nested': {
      const { path } = definition
      return path === undefined || searchers.some(({ mapping }) => mapping.isNested(path))
    }
    default:
      return definition.kind === 'filter' || definition.kind === 'global'
  }
}

function checkSingleBucket({ around }: AggregationPlace, context: AggregationContext): void {
  if (around.every((definition) => hasOneBucket(definition, context))) return
  const reason =
    '[variable_width_histogram] cannot be nested inside an aggregation that collects more than a single bucket.'
  throw late(illegalArgument(reason))
}

/** A context in which queries are asked about the objects of a nested path. */
function askedAbout(nestedPath: string | undefined, context: AggregationContext): AggregationContext {
  return {
    ...context,
    matches: (query, segment) => context.matches(query, segment, nestedPath),
    asked: (query, segment) => context.asked(query, segment, nestedPath),
  }
}

function createPlain(node: AggregationNode, context: AggregationContext, place: AggregationPlace): Aggregator {
  const { definition, name } = node
  const inside = (): NamedAggregator[] => createLevel(node.inside, context, placeInside(node, place))
  switch (definition.kind) {
    case 'terms':
      return createTermsAggregator(definition, context, inside(), { name, isTopLevel: place.depth === 0 })
    case 'variable_width_histogram': {
      // The field is looked at first; where there is none, nothing else is.
      const aggregator = new VariableWidthHistogramAggregator(definition, context, inside())
      if (!isUnmapped(definition.source, context.searchers)) checkSingleBucket(place, context)
      return aggregator
    }
    case 'multi_terms':
      return new MultiTermsAggregator(definition, context, inside())
    case 'histogram':
    case 'date_histogram':
      return new HistogramAggregator(definition, context, inside(), place.depth === 0)
    case 'range':
    case 'date_range':
      return new RangeAggregator(definition, context, inside(), place.depth === 0)
    case 'stats':
      return new StatsAggregator(definition, context)
    case 'value_count':
      return new ValueCountAggregator(definition, context)
    case 'cardinality':
      return new CardinalityAggregator(definition, context)
    case 'filter':
      return new FilterAggregator(definition, askedAbout(place.nestedPath, context), inside())
    case 'filters':
      return new FiltersAggregator(definition, askedAbout(place.nestedPath, context), inside())
    case 'adjacency_matrix':
      checkFilterCount(definition.filters.length, context)
      return new AdjacencyMatrixAggregator(definition, askedAbout(place.nestedPath, context), inside())
    case 'missing':
      return new MissingAggregator(definition, context, inside())
    case 'nested':
      checkNested('nested', definition.path, context)
      return new NestedAggregator(definition, place.nestedPath, context, inside())
    case 'children':
    case 'parent':
      return new JoinAggregator(definition, context, inside())
    case 'reverse_nested':
      checkReverseNested(name, definition.path, context, place)
      return new ReverseNestedAggregator(definition, inside())
    case 'percentiles':
      return new PercentilesAggregator(definition, context)
    case 'median_absolute_deviation':
      return new MedianAbsoluteDeviationAggregator(definition, context)
    case 'weighted_avg':
      return new WeightedAverageAggregator(definition, context)
    case 'scripted_metric':
      return new ScriptedMetricAggregator(definition, context, {
        isTopLevel: place.depth === 0,
        isEverywhere: isEverywhere(place),
      })
    case 'matrix_stats':
      return new MatrixStatsAggregator(definition, context)
    case 'top_hits':
      return new TopHitsAggregator(definition, context)
    case 'sampler':
      return new SamplerAggregator(definition, context, inside())
    case 'ip_range':
      return new IpRangeAggregator(definition, context, inside())
    case 'geohash_grid':
    case 'geotile_grid':
      return new GeoGridAggregator(definition, context, inside())
    case 'geo_distance':
      return new GeoDistanceAggregator(definition, context, inside())
    case 'geo_bounds':
      return new GeoBoundsAggregator(definition, context)
    case 'geo_centroid':
      return new GeoCentroidAggregator(definition, context)
    case 'significant_terms':
      return new SignificantTermsAggregator(definition, context, {
        name,
        children: inside(),
        isInOneBucket: isInOneBucket(place, context),
        isEverywhere: isEverywhere(place),
      })
    case 'significant_text':
      return new SignificantTextAggregator(definition, context, {
        name,
        children: inside(),
        isEverywhere: isEverywhere(place),
      })
    case 'composite':
      checkComposite(place, context)
      return new CompositeAggregator(definition, context, inside())
    case 'auto_date_histogram':
      return new AutoDateHistogramAggregator(definition, context, inside(), {
        hasPipelines: node.inside.pipelines.length > 0,
        isTopLevel: place.depth === 0,
      })
    case 'global':
      if (place.depth > 0) {
        const reason = `Aggregation [${place.aroundName}] cannot have a global sub-aggregation [${name}]. Global aggregations can only be defined as top level aggregations`
        throw late(new ServiceError('aggregation_execution_exception', reason))
      }
      return new GlobalAggregator(inside())
  }
}

/** An object that is there must be a nested one. @throws {ServiceError} aggregation_execution_exception */
function checkNested(kind: string, path: string, { searchers }: AggregationContext): void {
  if (!searchers.some(({ mapping }) => mapping.isObject(path) && !mapping.isNested(path))) return
  throw faultInQueryPhase('aggregation_execution_exception', `[${kind}] nested path [${path}] is not nested`)
}

function checkReverseNested(
  name: string,
  path: string | undefined,
  context: AggregationContext,
  place: AggregationPlace,
): void {
  if (place.nestedPath === undefined) {
    const is6 = context.engineVersion === 'Elasticsearch_6.8'
    const reason = `Reverse nested aggregation [${name}] can only be used inside a [nested] aggregation`
    throw faultInQueryPhase(is6 ? 'search_parse_exception' : 'illegal_argument_exception', reason)
  }
  if (path !== undefined) checkNested('reverse_nested', path, context)
}

/** @throws {ServiceError} when an `adjacency_matrix` has more filters than an index allows */
function checkFilterCount(count: number, { searchers, engineVersion }: AggregationContext): void {
  for (const searcher of searchers) {
    const limit = searcher.limit(MAX_FILTERS, 100)
    if (count <= limit) continue
    const reason =
      `Number of filters is too large, must be less than or equal to: [${limit}] but was [${count}].` +
      `This limit can be set by changing the [${MAX_FILTERS}] index level setting.`
    throw queryPhaseFault(engineVersion, reason)
  }
}
