import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { STRICT_EXPAND_OPEN, STRICT_EXPAND_OPEN_FORBID_CLOSED } from '../../engine/metadata/indices-options.ts'
import { shardCount } from '../../engine/metadata/shard-routing.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { expandIndices } from '../indices/index-names.ts'
import { copiesOf } from '../indices/shard-counts.ts'
import type { Json } from '../json/json-writer.ts'
import { unrecognizedParameters } from '../parameters/request-parameters.ts'
import type { EndpointRequest } from '../rest-request.ts'
import {
  addStats,
  indexStatsJson,
  nothingDone,
  STATS_METRICS,
  type StatsSections,
} from '../statistics/index-stats-json.ts'
import { DATA_PATH } from '../statistics/node-sections.ts'
import { readDetail } from '../statistics/stats-detail.ts'

/** `GET [/<index>]/_stats[/<metric>]`. */
export const indicesStats: EndpointHandler = (request, context) => {
  const { parameters } = request
  const wanted = metricsOf(request)
  const level = parameters.text('level', 'indices')
  if (!['cluster', 'indices', 'shards'].includes(level)) {
    throw illegalArgument(`level parameter must be one of [cluster] or [indices] or [shards] but was [${level}]`)
  }
  const detail = readDetail(request)
  const options = parameters.boolean('forbid_closed_indices', true)
    ? STRICT_EXPAND_OPEN_FORBID_CLOSED
    : STRICT_EXPAND_OPEN
  const indices = expandIndices(request, context, request.path['index'], options, '_stats')
  const each = indices.map((index) => ({ index, stats: pick(indexStatsJson(index, context, detail), wanted) }))
  // No shard, no numbers.
  const total =
    each.length === 0
      ? {}
      : pick(
          addStats(
            each.map(({ stats }) => stats),
            context.engine.version,
          ),
          wanted,
        )
  return {
    status: 200,
    json: {
      _shards: copiesOf(indices),
      _all: { primaries: total, total },
      ...(level === 'cluster'
        ? {}
        : {
            indices: Object.fromEntries(
              each.map(({ index, stats }) => [
                index.name,
                {
                  uuid: index.uuid,
                  primaries: stats,
                  total: stats,
                  ...(level === 'shards' ? { shards: shardsJson(stats, index, context) } : {}),
                },
              ]),
            ),
          }),
    },
  }
}

/** All of an index is in its first shard. */
export function shardsJson(
  stats: StatsSections,
  index: IndexMetadata,
  context: Parameters<EndpointHandler>[1],
): Readonly<Record<string, readonly [Json]>> {
  const routing = { state: 'STARTED', primary: true, node: context.engine.nodeId, relocating_node: null }
  const empty = pick(nothingDone(context.engine.version), new Set(Object.keys(stats)))
  return Object.fromEntries(
    Array.from({ length: shardCount(index) }, (_, shard) => [
      String(shard),
      [
        {
          routing,
          ...(shard === 0 ? stats : empty),
          commit: {
            id: context.ephemeralId,
            generation: 1,
            user_data: {},
            num_docs: shard === 0 ? (stats['docs']?.['count'] ?? 0) : 0,
          },
          seq_no: shard === 0 && index.state === 'open' ? sequenceNumbers(index.name, context) : NO_NUMBERS,
          // Other copies, for which operations would be kept, there are none.
          retention_leases: { primary_term: 1, version: 0, leases: [] },
          shard_path: { state_path: DATA_PATH, data_path: DATA_PATH, is_custom_data_path: false },
        },
      ],
    ]),
  )
}

const NO_NUMBERS = { max_seq_no: -1, local_checkpoint: -1, global_checkpoint: -1 }

/** One copy alone knows all there is. */
function sequenceNumbers(index: string, { engine }: Parameters<EndpointHandler>[1]): Json {
  const { maxSeqNo, localCheckpoint } = engine.stats(index)
  return { max_seq_no: maxSeqNo, local_checkpoint: localCheckpoint, global_checkpoint: localCheckpoint }
}

/** @throws {ServiceError} illegal_argument_exception for a metric that is none */
export function metricsOf(request: EndpointRequest): ReadonlySet<string> | undefined {
  const { metric } = request.path
  const path = request.uri.split('?')[0] ?? ''
  const names = metric?.split(',').filter((name) => name !== '')
  if (names === undefined || names.length === 0 || (names.length === 1 && names[0] === '_all')) return undefined
  if (names.includes('_all')) {
    throw illegalArgument(`request [${path}] contains _all and individual metrics [${metric}]`)
  }
  const unknown = names.filter((name) => !isStatsMetric(name, request))
  if (unknown.length > 0) throw unrecognizedParameters(path, unknown, statsMetrics(request), 'metric')
  return new Set(names.map((name) => STATS_METRICS[name] as string))
}

/** Whether there are statistics of that name: what suggestions did was told apart from searches in 6.x alone. */
export function isStatsMetric(name: string, { dialect }: EndpointRequest): boolean {
  return Object.hasOwn(STATS_METRICS, name) && (dialect.typed || name !== 'suggest')
}

/** All of them. */
export const statsMetrics = (request: EndpointRequest): readonly string[] =>
  Object.keys(STATS_METRICS).filter((name) => isStatsMetric(name, request))

function pick(stats: StatsSections, wanted: ReadonlySet<string> | undefined): StatsSections {
  if (wanted === undefined) return stats
  return Object.fromEntries(Object.entries(stats).filter(([section]) => wanted.has(section)))
}
