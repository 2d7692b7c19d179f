import type { RepositoryMetadata } from './repository-settings.ts'
import type { RestoreOutcome, RestoreRequest, RestoreTarget, ShardRecovery } from './restore-request.ts'
import type { CreateSnapshotRequest, RunningSnapshot } from './running-snapshot.ts'
import type { SnapshotRecord } from './snapshot-record.ts'

/** What is to be copied from one snapshot to a new one. */
export interface CloneRequest {
  readonly repository: string
  readonly source: string
  readonly target: string
  readonly indices: readonly string[]
  readonly ignoreUnavailable: boolean
}

/** Work that has begun. */
export interface Begun<T> {
  /** Its end; somebody must wait for it or catch its failure. */
  readonly done: Promise<T>
}

/** Snapshots of an engine's indices: repositories, what is in them, and the work on them. */
export interface Snapshots {
  /** Registered repositories by name. */
  readonly repositories: readonly (readonly [name: string, RepositoryMetadata])[]
  /** Snapshots under way, oldest first. */
  running(repository?: string): readonly RunningSnapshot[]
  /** How an index came to be, when it was restored and has been open since. */
  recovery(index: string): ShardRecovery | undefined
  /** Whether an index is being restored under this name; it is there when that is done. */
  isRestoring(index: string): boolean
  /** Other repositories whose folder is, holds or lies in the one that is meant. @throws {ServiceError} repository_exception */
  sharing(name: string, metadata: RepositoryMetadata): readonly string[]
  /**
   * Registers a repository, or changes it.
   *
   * @param verify  see that it can be written
   * @throws {ServiceError} repository_exception, repository_verification_exception, illegal_state_exception
   */
  putRepository(name: string, metadata: RepositoryMetadata, verify: boolean): Promise<void>
  /** Forgets repositories; what is in them stays. @throws {ServiceError} repository_missing_exception, illegal_state_exception */
  deleteRepositories(names: readonly string[]): Promise<void>
  /** Sees that a repository can be written and read. @throws {ServiceError} repository_verification_exception, … */
  verify(name: string): Promise<void>
  /** Removes what no snapshot leads to. @throws {ServiceError} repository_exception */
  cleanup(name: string): Promise<{ readonly files: number; readonly bytes: number }>
  /**
   * Finished snapshots of a repository, oldest first.
   *
   * @param ignoreDamaged  leave out what cannot be read; otherwise it is an error
   * @throws {ServiceError} repository_missing_exception, repository_exception
   */
  list(name: string, ignoreDamaged: boolean): Promise<readonly SnapshotRecord[]>
  /**
   * Begins a snapshot. When this settles, its name is taken and the work waits for its turn.
   *
   * @throws {ServiceError} invalid_snapshot_name_exception, repository_missing_exception, repository_exception,
   *   concurrent_snapshot_execution_exception
   */
  create(request: CreateSnapshotRequest): Promise<Begun<SnapshotRecord>>
  /**
   * Deletes snapshots; those under way are given up. What only they stood on is removed.
   *
   * @param names  6.8 takes one name; later versions patterns too
   * @throws {ServiceError} snapshot_missing_exception, repository_exception, concurrent_snapshot_execution_exception
   */
  delete(repository: string, names: readonly string[]): Promise<void>
  /** Copies a snapshot, or some of its indices, within a repository. @throws {ServiceError} as the other calls do */
  clone(request: CloneRequest): Promise<void>
  /** The snapshot a restore is to read. @throws {ServiceError} snapshot_restore_exception, repository_missing_exception */
  toRestore(repository: string, name: string): Promise<SnapshotRecord>
  /**
   * Begins to restore indices. When this settles, it has been seen that they can be, and the work has begun.
   *
   * @param targets  of restore-plan.ts
   * @param judge    throws when what is restored may not have these aliases
   * @throws {ServiceError} snapshot_restore_exception, invalid_index_name_exception, …
   */
  restore(
    request: RestoreRequest,
    record: SnapshotRecord,
    targets: readonly RestoreTarget[],
    judge?: (aliases: ReadonlySet<string>) => void,
  ): Promise<Begun<RestoreOutcome>>
}
