import type { EngineVersion } from '../engine-version.ts'
import { newUuid } from '../metadata/create-index-settings.ts'
import type { SnapshotIndex, SnapshotRecord, SnapshotStream } from './snapshot-record.ts'

/** What a new snapshot is to have. */
export interface CreateSnapshotRequest {
  readonly repository: string
  readonly name: string
  /** Names of indices that are there. */
  readonly indices: readonly string[]
  /** Data streams, all of whose indices are among these; absent: none. */
  readonly dataStreams?: readonly SnapshotStream[]
  readonly includeGlobalState: boolean
  /** Take what can be taken when some index cannot. */
  readonly partial: boolean
  readonly metadata: Readonly<Record<string, unknown>> | undefined
}

const NOTHING_YET: Omit<SnapshotIndex, 'name'> = {
  uuid: '_na_',
  shards: 0,
  manifest: '',
  files: 0,
  bytes: 0,
  newFiles: 0,
  newBytes: 0,
  startedAt: 0,
  tookMs: 0,
}

/** A snapshot under way. */
export class RunningSnapshot {
  readonly request: CreateSnapshotRequest
  readonly uuid = newUuid()
  readonly startedAt = Date.now()
  readonly #version: EngineVersion
  /** Files and bytes written so far. */
  files = 0
  bytes = 0
  /** Indices that are done. */
  done = 0
  aborted = false
  /** Settles when it is over, however. */
  over: Promise<void> = Promise.resolve()

  constructor(request: CreateSnapshotRequest, version: EngineVersion) {
    this.request = request
    this.#version = version
  }

  /** As it is listed meanwhile. */
  get record(): SnapshotRecord {
    const { name, includeGlobalState, partial, metadata, dataStreams = [] } = this.request
    return {
      name,
      uuid: this.uuid,
      engineVersion: this.#version,
      state: 'IN_PROGRESS',
      includeGlobalState,
      partial,
      ...(metadata === undefined ? {} : { metadata }),
      ...(dataStreams.length === 0 ? {} : { dataStreams }),
      startedAt: this.startedAt,
      endedAt: 0,
      indices: this.request.indices.map((index) => ({ ...NOTHING_YET, name: index })),
      failures: [],
    }
  }
}
