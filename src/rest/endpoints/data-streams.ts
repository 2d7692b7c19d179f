import { inJavaHashOrder } from '../../engine/java/java-hash-order.ts'
import { type DataStream, dataStreams } from '../../engine/metadata/data-streams.ts'
import { STRICT_EXPAND } from '../../engine/metadata/indices-options.ts'
import { indexClosed, resolveNames } from '../../engine/metadata/resolve-indices.ts'
import { shardCount } from '../../engine/metadata/shard-routing.ts'
import { checkStreamsNotTaken } from '../../engine/snapshot/check-not-taken.ts'
import { bytesText } from '../cat/cat-value.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { scopeOf } from '../indices/index-names.ts'
import { judgeName } from '../indices/judge-names.ts'
import { firstBackingIndex, makeDataStream, templateFor } from '../indices/make-data-stream.ts'
import { replicaCount } from '../indices/shard-counts.ts'
import type { Json } from '../json/json-writer.ts'
import { ACKNOWLEDGED, type EndpointRequest } from '../rest-request.ts'
import { clusterHealth } from '../statistics/cluster-health.ts'

/** `GET /_data_stream[/<names>]`. */
export const getDataStream: EndpointHandler = (request, context) => {
  const streams = namedStreams(request, context)
  const json = streams.map((stream) => {
    const template = templateFor(stream.name, context)
    return {
      ...dataStreamJson(stream),
      status: clusterHealth(stream.indices, true).status.toUpperCase(),
      ...(template === undefined ? {} : { template: template.name }),
    }
  })
  return { status: 200, json: { data_streams: json } }
}

/** A data stream as answers show it. */
export function dataStreamJson({ name, timestampField, generation, indices }: DataStream) {
  return {
    name,
    timestamp_field: { name: timestampField },
    indices: indices.map((index) => ({ index_name: index.name, index_uuid: index.uuid })),
    generation,
  }
}

/** `GET /_data_stream[/<names>]/_stats`. */
export const dataStreamStats: EndpointHandler = (request, context) => {
  const streams = namedStreams(request, context)
  const indices = streams.flatMap((stream) => stream.indices)
  const closed = indices.find(({ state }) => state === 'close')
  if (closed !== undefined) throw indexClosed(closed)
  const isHuman = request.parameters.boolean('human', false)
  const sized = (name: string, bytes: number): { readonly [name: string]: Json } => ({
    ...(isHuman ? { [name]: bytesText(bytes) } : {}),
    [`${name}_bytes`]: bytes,
  })
  const byName = new Map(streams.map((stream) => [stream.name, statsOf(stream, context)]))
  return {
    status: 200,
    json: {
      _shards: {
        total: indices.reduce((sum, index) => sum + shardCount(index) * (1 + replicaCount(index)), 0),
        successful: indices.reduce((sum, index) => sum + shardCount(index), 0),
        failed: 0,
      },
      data_stream_count: streams.length,
      backing_indices: indices.length,
      ...sized(
        'total_store_size',
        [...byName.values()].reduce((sum, { bytes }) => sum + bytes, 0),
      ),
      data_streams: inJavaHashOrder([...byName.keys()]).map((name) => {
        const { count, bytes, latest } = byName.get(name) as StreamStats
        return {
          data_stream: name,
          backing_indices: count,
          ...sized('store_size', bytes),
          maximum_timestamp: latest,
        }
      }),
    },
  }
}

interface StreamStats {
  /** Indices behind it. */
  readonly count: number
  readonly bytes: number
  /** The latest time of a document that can be searched; 0: there is none. */
  readonly latest: number | bigint
}

function statsOf(stream: DataStream, { engine }: RestContext): StreamStats {
  const { indices } = stream
  return {
    count: indices.length,
    bytes: indices.reduce((sum, { name }) => sum + engine.stats(name).storeSizeBytes, 0),
    latest: latestTime(stream, engine) ?? 0,
  }
}

function latestTime(
  { indices, timestampField }: DataStream,
  engine: RestContext['engine'],
): number | bigint | undefined {
  let latest: number | bigint | undefined
  for (const { name } of indices) {
    const searcher = engine.searcher(name)
    for (const segment of searcher.segments) {
      const time = segment.field(timestampField)?.points?.values.at(-1)
      if (time !== undefined && (latest === undefined || time > latest)) latest = time
    }
    searcher.release()
  }
  return latest
}

/** `PUT /_data_stream/<name>`. */
export const createDataStream: EndpointHandler = async (request, context) => {
  const name = request.path['name'] as string
  if (name.trim() === '') throw validationFailed(['name is missing'])
  request.authorize([name, firstBackingIndex(name)], '', 'PUT')
  await makeDataStream(name, request, context)
  return ACKNOWLEDGED
}

/** `DELETE /_data_stream/<names>`, which need not be there: with all that is in them. */
export const deleteDataStream: EndpointHandler = async (request, context) => {
  const streams = namedStreams(request, context, true)
  const names = streams.map(({ name }) => name)
  checkStreamsNotTaken(context.engine.snapshots.running(), names)
  await context.engine.updateAliases(
    streams.flatMap(({ indices }) => indices.map(({ name }) => ({ kind: 'remove_index', index: name }) as const)),
  )
  return ACKNOWLEDGED
}

/**
 * The data streams that the path names, all of them where it names none, each allowed to the caller.
 *
 * @param isLenient  names need not be there
 * @throws {ServiceError} index_not_found_exception, invalid_index_name_exception, illegal_argument_exception
 */
function namedStreams(request: EndpointRequest, context: RestContext, isLenient = false): readonly DataStream[] {
  const { indices } = context.engine
  const given = request.path['name']?.split(',') ?? []
  const options = { ...STRICT_EXPAND, ignoreAliases: true, ignoreUnavailable: isLenient }
  const api = request.method === 'DELETE' ? '' : '_data_stream'
  // What is no data stream is passed over or complained of, which tells that it is there.
  for (const name of given) judgeName(request, context, name, api)
  const names = resolveNames(given, options, scopeOf(context))
  const streams = [...dataStreams(indices.values()).values()].filter(({ name }) => names.has(name))
  request.authorize(
    streams.flatMap((stream) => stream.indices.map(({ name }) => name)),
    api,
  )
  return streams
}
