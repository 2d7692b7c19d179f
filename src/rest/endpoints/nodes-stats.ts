import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'
import { mayReadStored } from '../judge-stored.ts'
import { attributesJson, nodeHost, nodeName } from '../node-identity.ts'
import { unrecognizedParameters } from '../parameters/request-parameters.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { indexStatsJson, STATS_METRICS } from '../statistics/index-stats-json.ts'
import {
  askedPath,
  checkMetrics,
  isThisNode,
  nodesAnswer,
  noNodes,
  statsSections,
} from '../statistics/node-sections.ts'
import { readDetail } from '../statistics/stats-detail.ts'
import { isStatsMetric, shardsJson, statsMetrics } from './indices-stats.ts'

const LEVELS: readonly string[] = ['node', 'indices', 'shards']

/** `GET /_nodes[/<node>]/stats[/<metric>[/<index metric>]]`. */
export const nodesStats: EndpointHandler = async (request, context) => {
  const metrics = request.path['metric']?.split(',').filter((m) => m !== '')
  const named = request.path['index_metric']?.split(',').filter((m) => m !== '') ?? []
  const indexMetrics = named.filter((m) => m !== '_all')
  const path = askedPath(request)
  checkMetrics(metrics, request)
  const sections = statsSections(
    context,
    indexMetrics.length === 0
      ? undefined
      : indexMetrics.map((m) => (Object.hasOwn(STATS_METRICS, m) && STATS_METRICS[m]) || m),
    readDetail(request),
  )
  const unknown = (metrics ?? []).filter((m) => m !== '_all' && !Object.hasOwn(sections, m))
  if (unknown.length > 0) throw unrecognizedParameters(path, unknown, Object.keys(sections), 'metric')
  const isWhole = metrics === undefined || metrics.includes('_all')
  if (named.length > 0 && (isWhole || !metrics.includes('indices'))) {
    throw illegalArgument(
      `request [${path}] contains index metrics [${named.join(',')}] but ${isWhole ? 'all stats requested' : 'indices stats not requested'}`,
    )
  }
  const unknownIndex = indexMetrics.filter((m) => !isStatsMetric(m, request))
  if (unknownIndex.length > 0) throw unrecognizedParameters(path, unknownIndex, statsMetrics(request), 'index metric')
  const level = request.parameters.text('level', 'node')
  if (request.dialect.takesTypedPaths && (isWhole || metrics.includes('indices')) && !LEVELS.includes(level))
    throw illegalArgument(`level parameter must be one of [indices] or [node] or [shards] but was [${level}]`)
  if (!isThisNode(request.path['node_id'], context)) return { status: 200, json: noNodes(context) }
  const body: { [name: string]: Json } = {
    timestamp: Date.now(),
    name: nodeName(context.engine.nodeId),
    transport_address: context.publishAddress(),
    host: nodeHost(context),
    ip: context.publishAddress(),
    roles: request.dialect.nodeRoles,
    ...attributesJson(context),
  }
  for (const [name, section] of Object.entries(sections)) {
    if (!isWhole && !metrics.includes(name)) continue
    body[name === 'breaker' ? 'breakers' : name] = section()
  }
  if (isObject(body['indices']) && level !== 'node')
    body['indices'] = {
      ...body['indices'],
      [level]: await statsByIndex(request, context, Object.keys(body['indices']), level),
    }
  // Pipelines go by their names.
  const { ingest } = body
  if (isObject(ingest) && !mayReadStored(request, '_ingest/pipeline'))
    body['ingest'] = { total: ingest['total'] as Json }
  return { status: 200, json: nodesAnswer(context, body) }
}

/** Statistics of each index, or of each one's shards. */
async function statsByIndex(
  request: EndpointRequest,
  context: RestContext,
  sections: readonly string[],
  level: string,
): Promise<Json> {
  const indices = [...context.engine.indices.values()].filter(({ state }) => state === 'open' || !request.dialect.typed)
  request.authorize(
    indices.map(({ name }) => name),
    '_stats',
  )
  const byIndex: { [index: string]: Json } = {}
  for (const index of indices) {
    const all = indexStatsJson(index, context, readDetail(request))
    const stats = Object.fromEntries(sections.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])))
    if (level === 'indices') byIndex[index.name] = stats
    else {
      const shards = Object.entries(await shardsJson(stats, index, context))
      byIndex[index.name] = shards.map(([shard, [copy]]) => ({ [shard]: copy as Json }))
    }
  }
  return byIndex
}
