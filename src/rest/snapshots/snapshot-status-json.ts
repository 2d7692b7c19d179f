import { durationText } from '../../engine/duration-text.ts'
import type { RunningSnapshot } from '../../engine/snapshot/running-snapshot.ts'
import type { SnapshotIndex, SnapshotRecord } from '../../engine/snapshot/snapshot-record.ts'
import { bytesText } from '../cat/cat-value.ts'
import type { Json } from '../json/json-writer.ts'
import type { EndpointRequest } from '../rest-request.ts'

/** What a snapshot, an index or a shard of it comes to. */
type Amounts = Pick<SnapshotIndex, 'files' | 'bytes' | 'newFiles' | 'newBytes' | 'startedAt' | 'tookMs'>

/** A finished snapshot as `_status` shows it. */
export function snapshotStatusJson(snapshot: SnapshotRecord, repository: string, request: EndpointRequest): Json {
  const { indices, failures, startedAt, endedAt } = snapshot
  const sum = (of: (index: SnapshotIndex) => number): number => indices.reduce((total, index) => total + of(index), 0)
  const shards = sum((index) => index.shards)
  const failed = failures.reduce((total, failure) => total + failure.shards, 0)
  const amounts = {
    files: sum(({ files }) => files),
    bytes: sum(({ bytes }) => bytes),
    newFiles: sum(({ newFiles }) => newFiles),
    newBytes: sum(({ newBytes }) => newBytes),
    startedAt,
    tookMs: endedAt - startedAt,
  }
  return {
    snapshot: snapshot.name,
    repository,
    uuid: snapshot.uuid,
    state: snapshot.state,
    include_global_state: snapshot.includeGlobalState,
    shards_stats: shardsStats({ done: shards, failed, started: 0 }),
    stats: statsJson(amounts, request),
    indices: Object.fromEntries(indices.map((index) => [index.name, indexStatus(index, request)])),
  }
}

function indexStatus(index: SnapshotIndex, request: EndpointRequest): Json {
  // All of an index is in its first shard.
  const nothing = { ...index, files: 0, bytes: 0, newFiles: 0, newBytes: 0, tookMs: 0 }
  const shards = Array.from({ length: index.shards }, (_, shard) => [
    String(shard),
    { stage: 'DONE', stats: statsJson(shard === 0 ? index : nothing, request) },
  ])
  return {
    shards_stats: shardsStats({ done: index.shards, failed: 0, started: 0 }),
    stats: statsJson(index, request),
    shards: Object.fromEntries(shards) as Json,
  }
}

/** A snapshot under way: how far it is. */
export function runningStatusJson(running: RunningSnapshot, request: EndpointRequest): Json {
  const { files, bytes, startedAt } = running
  const total = running.request.indices.length
  const amounts = { files, bytes, newFiles: files, newBytes: bytes, startedAt, tookMs: Date.now() - startedAt }
  return {
    snapshot: running.request.name,
    repository: running.request.repository,
    uuid: running.uuid,
    state: running.aborted ? 'ABORTED' : 'STARTED',
    include_global_state: running.request.includeGlobalState,
    shards_stats: shardsStats({ done: running.done, failed: 0, started: total - running.done }),
    stats: statsJson(amounts, request),
    indices: {},
  }
}

function shardsStats(count: { readonly done: number; readonly failed: number; readonly started: number }): Json {
  const { done, failed, started } = count
  return { initializing: 0, started, finalizing: 0, done, failed, total: done + failed + started }
}

function statsJson(amounts: Amounts, request: EndpointRequest): Json {
  const human = request.parameters.boolean('human', false)
  const size = (name: string, bytes: number) => ({
    ...(human ? { [name]: bytesText(bytes) } : {}),
    [`${name}_in_bytes`]: bytes,
  })
  const { files, bytes, newFiles, newBytes, startedAt, tookMs } = amounts
  return {
    incremental: { file_count: newFiles, ...size('size', newBytes) },
    total: { file_count: files, ...size('size', bytes) },
    start_time_in_millis: startedAt,
    ...(human ? { time: durationText(tookMs) } : {}),
    time_in_millis: tookMs,
    ...(request.dialect.typed
      ? {
          number_of_files: newFiles,
          processed_files: newFiles,
          ...size('total_size', newBytes),
          ...size('processed_size', newBytes),
        }
      : {}),
  }
}
