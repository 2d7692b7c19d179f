import { type LmdbStore, MANIFESTS } from '../store/lmdb-store.ts'

/** What of a shard's segments is on disk; kept in the store, so that it changes as one with a commit. */
export interface ShardManifest {
  readonly segments: readonly {
    readonly name: string
    readonly minSeqNo: number
    readonly maxSeqNo: number
    /** Of its file (segment-file.ts); absent in manifests of earlier versions. */
    readonly checksum?: number
    /** live-docs.ts; absent when all are alive. */
    readonly liveDocs?: string
  }[]
  /** Writes up to here are in the segments. */
  readonly checkpoint: number
  readonly maxSeqNo: number
  /** Number of the next segment's name. */
  readonly nextSegment: number
  /** Sequence numbers of records that nothing needs any more once this manifest stands. */
  readonly garbage: readonly number[]
  /** Sequence numbers of deletes whose ids are still known (known-deletes.ts); absent in manifests of earlier versions. */
  readonly deletes?: readonly number[]
}

const nameOf = (indexNumber: number): string => `${MANIFESTS}${indexNumber}`

/** The manifest that was committed last; undefined when there is none, or a damaged one: all it says can be found out again. */
export function readManifest(store: LmdbStore, indexNumber: number): ShardManifest | undefined {
  return store.metadataOr(nameOf(indexNumber), () => undefined) as ShardManifest | undefined
}

/** Queues the manifest of an index that is made: without one, files that a kill left of its first flush would look as if theirs had been lost. */
export function putEmptyManifest(store: LmdbStore, indexNumber: number): void {
  putManifest(store, indexNumber, {
    segments: [],
    checkpoint: -1,
    maxSeqNo: -1,
    nextSegment: 0,
    garbage: [],
    deletes: [],
  })
}

/** Queues a manifest in the store. */
export function putManifest(store: LmdbStore, indexNumber: number, manifest: ShardManifest): void {
  store.putMetadata(nameOf(indexNumber), manifest)
}

/** Queues a manifest's removal. */
export function removeManifest(store: LmdbStore, indexNumber: number): void {
  store.removeMetadata(nameOf(indexNumber))
}
