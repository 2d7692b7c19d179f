import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { STRICT_EXPAND_OPEN, STRICT_EXPAND_OPEN_FORBID_CLOSED } from '../../engine/metadata/indices-options.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { expandIndices } from '../indices/index-names.ts'
import { copiesOf } from '../indices/shard-counts.ts'
import type { Json } from '../json/json-writer.ts'
import { unrecognizedParameters } from '../parameters/request-parameters.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { addStats, indexStatsJson, STATS_METRICS, type StatsSections } from '../statistics/index-stats-json.ts'
import { DATA_PATH } from '../statistics/node-sections.ts'
import { statsByShard } from '../statistics/stats-by-shard.ts'
import { readDetail } from '../statistics/stats-detail.ts'

/** `GET [/<index>]/_stats[/<metric>]`. */
export const indicesStats: EndpointHandler = async (request, context) => {
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
  const each: { readonly index: IndexMetadata; readonly stats: StatsSections; readonly shards?: Json }[] = []
  for (const index of indices) {
    const stats = pick(indexStatsJson(index, context, detail), wanted)
    each.push(level === 'shards' ? { index, stats, shards: await shardsJson(stats, index, context) } : { index, stats })
  }
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
              each.map(({ index, stats, shards }) => [
                index.name,
                {
                  uuid: index.uuid,
                  primaries: stats,
                  total: stats,
                  ...(shards === undefined ? {} : { shards }),
                },
              ]),
            ),
          }),
    },
  }
}

/** Statistics of an index, told shard by shard. */
export async function shardsJson(
  stats: StatsSections,
  index: IndexMetadata,
  context: RestContext,
): Promise<Readonly<Record<string, readonly [Json]>>> {
  const routing = { state: 'STARTED', primary: true, node: context.engine.nodeId, relocating_node: null }
  const parts = await statsByShard(index, stats, context)
  return Object.fromEntries(
    parts.map((part, shard) => [
      String(shard),
      [
        {
          routing,
          ...part.stats,
          commit: {
            id: context.ephemeralId,
            generation: 1,
            user_data: {},
            num_docs: part.segments.reduce((sum, s) => sum + (s.committed ? s.numDocs : 0), 0),
          },
          seq_no: part.seqNo,
          // Other copies, for which operations would be kept, there are none.
          retention_leases: { primary_term: 1, version: 0, leases: [] },
          shard_path: { state_path: DATA_PATH, data_path: DATA_PATH, is_custom_data_path: false },
        },
      ],
    ]),
  )
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
