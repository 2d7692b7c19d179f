import type { AggregationProfiler } from '../../engine/aggregation/aggregation-profiler.ts'
import type { TopHitsResult } from '../../engine/aggregation/aggregation-result.ts'
import { AggregationRun } from '../../engine/aggregation/aggregation-run.ts'
import { checkPipelines } from '../../engine/aggregation/pipelines/check-pipelines.ts'
import { withRewrittenMetadata } from '../../engine/aggregation/rewritten-metadata.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'
import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import { isRewritten } from '../../engine/search/can-match.ts'
import type { DocsCollector } from '../../engine/search/docs-collector.ts'
import type { Query } from '../../engine/search/queries/query.ts'
import { type QueryDocuments, queryDocuments } from '../../engine/search/query-documents.ts'
import type { RescoreStage } from '../../engine/search/search-request.ts'
import type { SearchWatch } from '../../engine/search/search-watch.ts'
import { ServiceError } from '../../errors.ts'
import { aggregationText } from '../aggregation-dsl/aggregation-text.ts'
import { parseAggregations } from '../aggregation-dsl/parse-aggregations.ts'
import { renderAggregations } from '../aggregation-dsl/render-aggregations.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { noteAggregations, noteEarlyZones, noteReadAggregation } from '../deprecation/aggregation-deprecations.ts'
import type { Json } from '../json/json-writer.ts'
import { parseQuery } from '../query-dsl/parse-query.ts'
import type { QueryContext } from '../query-dsl/query-reader.ts'
import { parseSort } from './search-sort.ts'

/** What the aggregations of a search are told about it. */
export interface SearchAggregationsOptions {
  readonly searchers: readonly IndexSearcher[]
  readonly query: Query
  /** What a `global` sees of the indices; undefined: all of them. */
  readonly globalFilter?: Query | undefined
  /** What ranks the hits of the search anew. */
  readonly rescore?: readonly RescoreStage[]
  readonly engineVersion: EngineVersion
  readonly queries: QueryContext
  /** `search.max_buckets`. */
  readonly maxBuckets?: number
  /** Measures aggregators. */
  readonly profiler?: AggregationProfiler | undefined
  readonly renderTopHits: (result: TopHitsResult) => Json
  /** Told of each run of a script. */
  readonly watch?: SearchWatch
}

/**
 * Buckets an answer may hold unless the cluster says otherwise. 6.x sets no limit and dies of a few hundred million;
 * a million is more than anybody reads.
 */
const DEFAULT_MAX_BUCKETS: Readonly<Record<EngineVersion, number>> = {
  'Elasticsearch_6.8': 1_000_000,
  'Elasticsearch_7.10': 65_535,
  'OpenSearch_2.19': 65_535,
}

/** The `aggs` of a search: read from its body, run over its matches, rendered into its answer. */
export class SearchAggregations {
  readonly #run: AggregationRun
  readonly #options: SearchAggregationsOptions

  /** @throws {ServiceError} when the body is wrong or a field does not suit its aggregation */
  constructor(json: JsonValue, options: SearchAggregationsOptions) {
    this.#options = options
    const { searchers, engineVersion, queries } = options
    const { warnings } = queries
    const now = Date.now()
    const parsed = parseAggregations(json, {
      engineVersion,
      parseQuery: (query) => parseQuery(query, queries),
      parseSort: (sort) => parseSort(sort, queries),
      queries,
    })
    const [first] = searchers
    const tree =
      first === undefined
        ? parsed
        : withRewrittenMetadata(parsed, {
            engineVersion,
            isRewritten: (query) => isRewritten(query, first, { engineVersion, now }),
          })
    // 6.x has each index check them.
    if (engineVersion !== 'Elasticsearch_6.8') checkPipelines(tree, engineVersion)
    if (warnings !== undefined) noteEarlyZones(tree, searchers, warnings)
    const ready = new Map<Query, Map<IndexSearcher, QueryDocuments>>()
    const documentsOf = (query: Query, searcher: IndexSearcher, nestedPath: string | undefined): QueryDocuments => {
      const ofSearchers = ready.get(query) ?? new Map<IndexSearcher, QueryDocuments>()
      ready.set(query, ofSearchers)
      const documents =
        ofSearchers.get(searcher) ?? queryDocuments(query, searcher, { engineVersion, now, nestedPath, isFilter: true })
      ofSearchers.set(searcher, documents)
      return documents
    }
    this.#run = inQueryPhase(
      () =>
        new AggregationRun(tree, {
          searchers,
          engineVersion,
          now,
          watch: options.watch,
          maxBuckets: options.maxBuckets ?? DEFAULT_MAX_BUCKETS[engineVersion],
          ...(options.maxBuckets === undefined ? { hearMany: () => warnings?.note('too_many_buckets') } : {}),
          query: options.query,
          globalFilter: options.globalFilter,
          ...(options.rescore === undefined ? {} : { rescore: options.rescore }),
          profiler: options.profiler,
          hearRead: warnings && ((definition) => noteReadAggregation(definition, searchers, warnings)),
          matches: (query, { searcher, segmentOrdinal }, nestedPath) =>
            documentsOf(query, searcher, nestedPath).bits(segmentOrdinal),
          asked: (query, { searcher, segmentOrdinal }, nestedPath) =>
            documentsOf(query, searcher, nestedPath).asked(segmentOrdinal),
        }),
    )
    // Of what comes behind an aggregation that is refused nobody is told.
    if (warnings !== undefined) noteAggregations(tree, searchers, warnings)
  }

  /** Takes the search's matches. */
  get collector(): DocsCollector {
    return this.#run
  }

  /**
   * The `aggregations` of the answer, once the search is over.
   *
   * @param asText  true: as it is written, since nobody looks into it
   * @throws {ServiceError} too_many_buckets_exception
   */
  render(typedKeys: boolean, asText: boolean): Json {
    const { engineVersion, renderTopHits, watch } = this.#options
    watch?.lift()
    const results = this.#withinLimits(() => inQueryPhase(() => this.#run.finish()))
    const options = { engineVersion, typedKeys, renderTopHits }
    return asText ? aggregationText(results, options) : renderAggregations(results, options)
  }

  /**
   * The limit that 6.x does not have is no fault of the moment: answered as the request's own, since clients send again
   * what 503 refuses.
   */
  #withinLimits<T>(run: () => T): T {
    try {
      return run()
    } catch (error) {
      const isOwn = this.#options.maxBuckets === undefined && this.#options.engineVersion === 'Elasticsearch_6.8'
      if (!isOwn || !(error instanceof ServiceError) || error.type !== 'too_many_buckets_exception') throw error
      throw error.with({ status: 400 })
    }
  }
}

/** What goes wrong with the documents of an index is a failure of its shard. */
function inQueryPhase<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.detail.inQueryPhase || error.detail.inReducePhase) throw error
    throw error.with({ inQueryPhase: true })
  }
}
