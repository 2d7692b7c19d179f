import type { IndexMetadata } from '../metadata/index-metadata.ts'

/** A chunk of records as one snapshot of an index uses it. */
export interface ChunkEntry {
  /** Name of its file. */
  readonly file: string
  readonly bytes: number
  /** All records of the index that were alive in this range when the chunk was made are in it; no other chunk has any. */
  readonly from: number
  /** Inclusive: the number of its last record. (What is written meanwhile has larger ones, and comes into another.) */
  readonly to: number
  /** Records in the chunk. */
  readonly records: number
  /** Those that the snapshot has (sequence-list.ts); absent: all. */
  readonly live?: string
}

/** One index as a snapshot has it: what it is, and where its records are. */
export interface IndexManifest {
  readonly metadata: IndexMetadata
  /** Numbers up to here had been given to writes. */
  readonly maxSeqNo: number
  /** Documents, deleted ones not counted. */
  readonly documents: number
  /** Records, those of deletes counted. */
  readonly records: number
  /** Ranges in order. */
  readonly chunks: readonly ChunkEntry[]
  /** Absent in snapshots of early builds: their chunks may tell of numbers beyond their last record, of writes that were under way. */
  readonly endsAtRecords?: true
}
