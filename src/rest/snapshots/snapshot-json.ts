import { durationText } from '../../engine/duration-text.ts'
import { VERSION_IDS } from '../../engine/metadata/create-index-settings.ts'
import type { SnapshotRecord } from '../../engine/snapshot/snapshot-record.ts'
import { DIALECTS } from '../dialects/dialect.ts'
import type { Json } from '../json/json-writer.ts'
import type { EndpointRequest } from '../rest-request.ts'

/** A snapshot as answers show it. @param verbose  false: only what a list of names says */
export function snapshotJson(snapshot: SnapshotRecord, request: EndpointRequest, nodeId: string, verbose = true): Json {
  const { dialect } = request
  const human = request.parameters.boolean('human', false)
  const indices = [...indexNames(snapshot)]
  const streams = verbose ? (snapshot.dataStreams ?? []).map(({ name }) => name) : []
  const dataStreams = dialect.typed ? {} : { data_streams: streams }
  const head = { snapshot: snapshot.name, uuid: snapshot.uuid }
  if (!verbose) return { ...head, indices, ...dataStreams, state: snapshot.state }
  const { version } = DIALECTS[snapshot.engineVersion]
  const { endedAt, startedAt } = snapshot
  const tookMs = endedAt === 0 ? 0 : endedAt - startedAt
  return {
    ...head,
    version_id: Number(VERSION_IDS[snapshot.engineVersion]),
    version: version['number'] as string,
    ...(dialect.engineVersion === 'OpenSearch_2.19' ? { remote_store_index_shallow_copy: false } : {}),
    indices,
    ...dataStreams,
    include_global_state: snapshot.includeGlobalState,
    ...(snapshot.metadata === undefined ? {} : { metadata: snapshot.metadata as Json }),
    state: snapshot.state,
    ...failureReason(snapshot),
    start_time: new Date(startedAt).toISOString(),
    start_time_in_millis: startedAt,
    end_time: new Date(endedAt).toISOString(),
    end_time_in_millis: endedAt,
    ...(human ? { duration: durationText(tookMs) } : {}),
    duration_in_millis: tookMs,
    failures: snapshot.failures.map((failure) => ({
      index: failure.index,
      index_uuid: failure.indexUuid,
      shard_id: 0,
      reason: failure.reason,
      node_id: nodeId,
      status: 'INTERNAL_SERVER_ERROR',
    })),
    shards: shardCounts(snapshot),
  }
}

function failureReason({ state }: SnapshotRecord): { readonly reason?: string } {
  return state === 'FAILED' ? { reason: 'All indices failed' } : {}
}

/** Names of all indices a snapshot was made of, those that failed too. */
export function indexNames({ indices, failures }: SnapshotRecord): ReadonlySet<string> {
  return new Set([...indices.map(({ name }) => name), ...failures.map(({ index }) => index)].sort())
}

/** Shards in all, and how many failed. */
export function shardCounts({ indices, failures, isClone, state }: SnapshotRecord) {
  if (isClone || state === 'IN_PROGRESS') return { total: 0, failed: 0, successful: 0 }
  const successful = indices.reduce((sum, { shards }) => sum + shards, 0)
  const failed = failures.reduce((sum, { shards }) => sum + shards, 0)
  return { total: successful + failed, failed, successful }
}
