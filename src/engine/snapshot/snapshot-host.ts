import type { EngineLog } from '../engine.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { WorkSlices } from '../index/work-slices.ts'
import type { IndexMetadata } from '../metadata/index-metadata.ts'
import type { DocumentRecord } from '../store/document-record.ts'
import type { StoreMoment } from '../store/store-moment.ts'
import type { GlobalStateHolder } from './global-state.ts'

/** What snapshots are taken from and restored to: the engine, as far as they need it. */
export interface SnapshotHost extends GlobalStateHolder {
  readonly version: EngineVersion
  readonly log: EngineLog
  readonly slices: WorkSlices
  readonly indices: ReadonlyMap<string, IndexMetadata>
  /** The number an index' records are filed under; never another's. */
  indexNumber(name: string): number
  /** An index as it was opened last: another one each time. Undefined where there is none that is open. */
  shard(name: string): object | undefined
  /** Numbers up to here have been given to an index' writes. */
  maxSeqNo(name: string): number
  /** Settles when all that was written until now is on disk. */
  committed(): Promise<void>
  /** Holds what is on disk now for reading. */
  moment(): StoreMoment
  /** Checks that an index with these settings and mappings can be opened. @throws {ServiceError} */
  checkOpens(metadata: IndexMetadata): void
  /** Begins an index that nobody sees until it is published; a process that ends before leaves nothing of it. */
  beginRestore(metadata: IndexMetadata): Promise<IndexRestoration>
  /**
   * Shows restored indices, all in one commit. A closed index of the same name is replaced.
   *
   * @param alongside  makes changes that belong to the same commit
   * @throws {ServiceError} when one of the names has been taken; none is shown then
   */
  publish(restorations: readonly IndexRestoration[], alongside?: () => Promise<void>): Promise<void>
}

/** An index that is being restored. */
export interface IndexRestoration {
  readonly number: number
  readonly metadata: IndexMetadata
  /** Takes over writes, in order of their numbers; settles when there is room for more. */
  add(writes: readonly (readonly [seqNo: number, DocumentRecord])[]): Promise<void>
  /** After the last; settles when all is on disk. */
  finish(maxSeqNo: number): Promise<void>
  /** Removes what is there of it. */
  abandon(): Promise<void>
}
