import { ServiceError } from '../../errors.ts'
import { shardCount } from '../metadata/shard-routing.ts'
import { globalStateOf } from './global-state.ts'
import { captureIndex, MissingRecordError } from './index-capture.ts'
import { RateLimit } from './rate-limit.ts'
import type { Repository } from './repository.ts'
import type { RunningSnapshot } from './running-snapshot.ts'
import type { SnapshotBases } from './snapshot-bases.ts'
import type { SnapshotHost } from './snapshot-host.ts'
import type { SnapshotFailure, SnapshotIndex, SnapshotRecord } from './snapshot-record.ts'

/** Tells that a snapshot was given up: it is being deleted, or the domain stops. */
export class SnapshotAbortedError extends Error {
  constructor() {
    super('aborted by snapshot deletion')
    this.name = 'SnapshotAbortedError'
  }
}

/**
 * Makes a snapshot: one moment of all its indices, put into the repository, then the snapshot itself.
 *
 * @throws {SnapshotAbortedError}
 * @throws {Error} when the repository cannot be written; no snapshot is there then
 */
export async function takeSnapshot(
  running: RunningSnapshot,
  repository: Repository,
  host: SnapshotHost,
  bases: SnapshotBases,
): Promise<SnapshotRecord> {
  const { request } = running
  const checkStop = () => {
    if (running.aborted) throw new SnapshotAbortedError()
  }
  await host.committed()
  checkStop()
  const moment = host.moment()
  try {
    // Together with the moment, before anything else can come in between.
    const taken = request.indices.map((name) => {
      const there = host.indices.get(name)
      if (there === undefined) return { name, held: undefined }
      const { unavailable, ...metadata } = there
      return { name, held: { metadata, unavailable, number: host.indexNumber(name), maxSeqNo: host.maxSeqNo(name) } }
    })
    const state = request.includeGlobalState ? globalStateOf(host) : undefined
    const rate = new RateLimit(repository.settings.maxSnapshotBytesPerSecond)
    const indices: SnapshotIndex[] = []
    const failures: SnapshotFailure[] = []
    const numbers = new Map<string, number>()
    for (const { name, held } of taken) {
      if (held === undefined) {
        failures.push({ index: name, indexUuid: '_na_', shards: 1, reason: 'the index was deleted' })
        continue
      }
      const { metadata, unavailable, number, maxSeqNo } = held
      const shards = shardCount(metadata)
      if (unavailable?.isMetadataLost === true) {
        failures.push({ index: name, indexUuid: metadata.uuid, shards, reason: unavailable.reason })
        running.done++
        continue
      }
      const startedAt = Date.now()
      try {
        const captured = await captureIndex({
          moment,
          indexNumber: number,
          metadata,
          maxSeqNo,
          repository,
          base: await bases.find(repository, number),
          slices: host.slices,
          rate,
          checkStop,
          onProgress: (files, bytes) => {
            running.files += files
            running.bytes += bytes
          },
        })
        const { manifest } = captured
        const file = await repository.putManifest('index', manifest)
        numbers.set(file.name, number)
        const total = manifest.chunks.reduce((sum, chunk) => sum + chunk.bytes, file.bytes)
        indices.push({
          name,
          uuid: metadata.uuid,
          shards,
          manifest: file.name,
          files: manifest.chunks.length + 1,
          bytes: total,
          newFiles: captured.newFiles + (file.isNew ? 1 : 0),
          newBytes: captured.newBytes + (file.isNew ? file.bytes : 0),
          startedAt,
          tookMs: Date.now() - startedAt,
        })
      } catch (error) {
        if (!isDamage(error)) throw error
        host.log('error', { index: name, error: error.message }, 'an index could not be taken into a snapshot')
        failures.push({ index: name, indexUuid: metadata.uuid, shards, reason: error.message })
      }
      running.done++
      checkStop()
    }
    const record: SnapshotRecord = {
      ...running.record,
      state: failures.length === 0 ? 'SUCCESS' : indices.length === 0 ? 'FAILED' : 'PARTIAL',
      endedAt: Date.now(),
      indices,
      failures,
      ...(state === undefined ? {} : { globalState: (await repository.putManifest('state', state)).name }),
    }
    await repository.putSnapshot(record)
    await rememberBases(repository, host, bases, numbers)
    return record
  } finally {
    moment.release()
  }
}

/** Whether an index cannot be captured, and others can. */
const isDamage = (error: unknown): error is Error =>
  error instanceof MissingRecordError || (error instanceof ServiceError && error.type === 'corrupt_index_exception')

/** Without it the next snapshot stores all anew; the snapshot is none the worse. */
async function rememberBases(
  repository: Repository,
  host: SnapshotHost,
  bases: SnapshotBases,
  numbers: ReadonlyMap<string, number>,
): Promise<void> {
  try {
    await Promise.all([...numbers].map(([manifest, number]) => bases.add(repository, number, manifest)))
    await bases.forgetOthers()
  } catch (error) {
    host.log('warn', { error: (error as Error).message }, 'the next snapshot will store all of its indices anew')
  }
}
