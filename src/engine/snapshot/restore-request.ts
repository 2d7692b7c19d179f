import type { EngineVersion } from '../engine-version.ts'
import type { SettingsChange } from './restored-settings.ts'
import type { SnapshotIndex } from './snapshot-record.ts'

/** What a restore asks for. */
export interface RestoreRequest extends SettingsChange {
  readonly repository: string
  readonly snapshot: string
  /** Names and patterns; none: all. */
  readonly indices: readonly string[]
  readonly ignoreUnavailable: boolean
  readonly renamePattern: string | undefined
  readonly renameReplacement: string | undefined
  readonly includeAliases: boolean
  readonly includeGlobalState: boolean
  readonly partial: boolean
}

/** An index of a snapshot and the name it is restored under. */
export interface RestoreTarget {
  readonly source: SnapshotIndex
  readonly name: string
  /** The data stream it comes to stand behind. */
  readonly dataStream?: string
}

/** What a restore came to. */
export interface RestoreOutcome {
  readonly indices: readonly string[]
  readonly shards: number
}

/** How an index was restored. */
export interface ShardRecovery {
  readonly repository: string
  readonly snapshot: string
  readonly engineVersion: EngineVersion
  /** The index' name in the snapshot. */
  readonly index: string
  readonly files: number
  readonly bytes: number
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly tookMs: number
}
