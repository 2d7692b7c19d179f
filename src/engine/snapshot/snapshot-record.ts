import type { EngineVersion } from '../engine-version.ts'

/** An index in a snapshot. */
export interface SnapshotIndex {
  readonly name: string
  readonly uuid: string
  /** `number_of_shards`. */
  readonly shards: number
  /** Name of the manifest's file. */
  readonly manifest: string
  /** Files it stands on, its manifest counted. */
  readonly files: number
  readonly bytes: number
  /** Of these, those the snapshot brought. */
  readonly newFiles: number
  readonly newBytes: number
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly tookMs: number
}

/** A data stream that was taken into a snapshot by its name: restored, it is one again. */
export interface SnapshotStream {
  readonly name: string
  /** Names of the indices behind it. */
  readonly indices: readonly string[]
}

/** An index that could not be taken into a snapshot. */
export interface SnapshotFailure {
  readonly index: string
  readonly indexUuid: string
  readonly shards: number
  readonly reason: string
}

/** What became of a snapshot. */
export type SnapshotState = 'IN_PROGRESS' | 'SUCCESS' | 'PARTIAL' | 'FAILED'

/** A snapshot; stored in a file of its own once all it stands on is there. */
export interface SnapshotRecord {
  readonly name: string
  readonly uuid: string
  readonly engineVersion: EngineVersion
  readonly state: SnapshotState
  readonly includeGlobalState: boolean
  readonly partial: boolean
  /** What the caller noted; absent: nothing. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** 0 while it is under way. */
  readonly endedAt: number
  readonly indices: readonly SnapshotIndex[]
  /** Absent: none. */
  readonly dataStreams?: readonly SnapshotStream[]
  readonly failures: readonly SnapshotFailure[]
  /** Name of the global state's file. */
  readonly globalState?: string
  /** Shards it counts; a clone counts none, as in the real server. */
  readonly isClone?: boolean
}
