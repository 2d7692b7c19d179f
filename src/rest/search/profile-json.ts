import type { AggregationProfile, AggregationProfiler } from '../../engine/aggregation/aggregation-profiler.ts'
import type { MeasuredStep } from '../../engine/search/profile/measured-step.ts'
import type { QueryProfile } from '../../engine/search/profile/query-profiler.ts'
import type { IndexProfile, SearchProfile } from '../../engine/search/profile/search-profile.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Json } from '../json/json-writer.ts'
import { aggregationType, debugEntries } from './profile-aggregations.ts'
import type { SearchBody } from './search-body.ts'

/** What a search measured of itself. */
export interface MeasuredSearch {
  readonly search: SearchProfile
  /** Undefined: the search has no aggregations. */
  readonly aggregations: AggregationProfiler | undefined
}

const NOTHING: MeasuredStep = { count: 0, nanos: 0 }

/**
 * The `profile` of an answer, by index: all of an index is its shard 0 here. Steps of Lucene that the execution does not
 * have are there with 0.
 */
export function profileJson(profile: MeasuredSearch, body: SearchBody, dialect: Dialect, node: string): Json {
  const shards = profile.search.indices.map((index, i) => ({
    id: `[${node}][${index.index}][0]`,
    ...(dialect.engineVersion === 'OpenSearch_2.19'
      ? { inbound_network_time_in_millis: 0, outbound_network_time_in_millis: 0 }
      : {}),
    searches: [
      {
        query: index.queries.roots.map((root) => queryJson(root, dialect)),
        rewrite_time: index.rewrite.nanos,
        collector: [collectorJson(index, body, dialect)],
      },
    ],
    // Aggregations are worked out over all indices at once: the first one tells of them.
    aggregations: i > 0 ? [] : (profile.aggregations?.roots ?? []).map((root) => aggregationJson(root, dialect)),
  }))
  return { shards }
}

type Steps = readonly (readonly [name: string, step: MeasuredStep])[]

/** In the order of the real server's hash map. */
function querySteps(dialect: Dialect): readonly string[] {
  return dialect.typed
    ? [
        'score',
        'build_scorer_count',
        'match_count',
        'create_weight',
        'next_doc',
        'match',
        'create_weight_count',
        'next_doc_count',
        'score_count',
        'build_scorer',
        'advance',
        'advance_count',
      ]
    : [
        'set_min_competitive_score_count',
        'match_count',
        'shallow_advance_count',
        'next_doc',
        'score_count',
        'compute_max_score_count',
        'advance',
        'advance_count',
        'score',
        'shallow_advance',
        'create_weight_count',
        'build_scorer',
        'set_min_competitive_score',
        'match',
        'next_doc_count',
        'compute_max_score',
        'build_scorer_count',
        'create_weight',
      ]
}

function breakdown(names: readonly string[], steps: Steps): { readonly [name: string]: number } {
  const byName = new Map(steps)
  return Object.fromEntries(
    names.map((name) =>
      name.endsWith('_count')
        ? [name, (byName.get(name.slice(0, -'_count'.length)) ?? NOTHING).count]
        : [name, (byName.get(name) ?? NOTHING).nanos],
    ),
  )
}

const timeOf = (steps: Steps): number => steps.reduce((sum, [, { nanos }]) => sum + nanos, 0)

function queryJson(profile: QueryProfile, dialect: Dialect): Json {
  const { steps } = profile
  const named: Steps = [
    ['create_weight', steps.createWeight],
    ['build_scorer', steps.buildScorer],
    ['next_doc', steps.nextDoc],
    ['advance', steps.advance],
    ['match', steps.match],
    ['score', steps.score],
  ]
  return {
    type:
      profile.type === 'ESToParentBlockJoinQuery' && dialect.engineVersion === 'OpenSearch_2.19'
        ? 'OpenSearchToParentBlockJoinQuery'
        : profile.type,
    description: profile.description,
    time_in_nanos: timeOf(named),
    breakdown: breakdown(querySteps(dialect), named),
    ...(profile.children.length === 0 ? {} : { children: profile.children.map((child) => queryJson(child, dialect)) }),
  }
}

function aggregationJson(profile: AggregationProfile, dialect: Dialect, isInner = false): Json {
  const { steps } = profile
  const named: Steps = [
    ['initialize', steps.initialize],
    ...(dialect.typed ? [] : ([['build_leaf_collector', steps.buildLeafCollector]] as const)),
    ['collect', steps.collect],
    ...(dialect.typed ? [] : ([['post_collection', steps.postCollection]] as const)),
    ['build_aggregation', steps.buildAggregation],
  ]
  const names = dialect.typed
    ? [
        'reduce',
        'build_aggregation',
        'build_aggregation_count',
        'initialize',
        'initialize_count',
        'reduce_count',
        'collect',
        'collect_count',
      ]
    : [
        'reduce',
        'build_aggregation_count',
        'post_collection',
        'initialize_count',
        'reduce_count',
        'collect_count',
        'post_collection_count',
        'build_leaf_collector',
        'build_aggregation',
        'build_leaf_collector_count',
        'initialize',
        'collect',
      ]
  const debug = dialect.typed ? undefined : debugEntries(profile, dialect.engineVersion, isInner)
  return {
    type: aggregationType(profile, dialect.typed),
    description: profile.name,
    time_in_nanos: timeOf(named),
    breakdown: breakdown(names, named),
    ...(debug === undefined ? {} : { debug }),
    ...(profile.children.length === 0
      ? {}
      : { children: profile.children.map((child) => aggregationJson(child, dialect, true)) }),
  }
}

/** Who takes the matches, the outermost first. */
function collectorJson({ rank, collect }: IndexProfile, body: SearchBody, { typed }: Dialect): Json {
  const hasAggregations = body.aggregations !== undefined
  const collector = (name: string, reason: string, nanos: number, children: readonly Json[] = []): Json => ({
    name,
    reason,
    time_in_nanos: nanos,
    ...(children.length === 0 ? {} : { children }),
  })
  let top =
    body.size + body.from === 0
      ? collector(typed ? 'TotalHitCountCollector' : 'EarlyTerminatingCollector', 'search_count', rank.nanos)
      : collector(topCollector(body), 'search_top_hits', rank.nanos)
  let nanos = rank.nanos
  const around = (name: string, reason: string): void => {
    top = collector(name, reason, nanos, [top])
  }
  if (body.terminateAfter !== undefined) around('EarlyTerminatingCollector', 'search_terminate_after_count')
  if (body.postFilter !== undefined) around('FilteredCollector', 'search_post_filter')
  if (hasAggregations) {
    nanos += collect.nanos
    const names = Object.keys(body.aggregations as object)
    const name =
      names.length === 1 ? `ProfilingAggregator: [${names[0]}]` : `MultiBucketCollector: [[${names.join(', ')}]]`
    top = collector('MultiCollector', 'search_multi', nanos, [top, collector(name, 'aggregation', collect.nanos)])
  }
  if (body.minScore !== undefined) around('MinimumScoreCollector', 'search_min_score')
  if (typed) around('CancellableCollector', 'search_cancelled')
  return top
}

function topCollector({ collapse, sort, searchAfter }: SearchBody): string {
  if (collapse !== undefined) return 'CollapsingTopDocsCollector'
  const paging = searchAfter === undefined ? 'Simple' : 'Paging'
  const [first] = sort
  const byScore = first === undefined || (sort.length === 1 && first.kind === 'score' && first.order === 'desc')
  if (byScore) return searchAfter === undefined ? 'SimpleTopScoreDocCollector' : 'PagingTopScoreDocCollector'
  return `${paging}FieldCollector`
}
