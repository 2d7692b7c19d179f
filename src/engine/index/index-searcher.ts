import type { Long } from '../algorithms/long.ts'
import type { IndexMapping } from '../mapping/index-mapping.ts'
import type { DocumentName } from '../store/document-record.ts'
import type { SegmentReader } from './segment-reader.ts'

/** A document's stored record, as the store keeps it. */
export interface StoredDocument {
  readonly type: string
  readonly id: string
  readonly routing: string | undefined
  readonly version: Long
  readonly seqNo: number
  readonly primaryTerm: number
  /** `_source` exactly as received. Undefined when `_source` is disabled. */
  readonly source: Buffer | undefined
  /** True where it is known that no value of it was passed over as malformed. */
  readonly isWhole?: boolean
}

/** Some documents of an index, one after the other. */
export interface DocumentPage<D = StoredDocument> {
  readonly documents: readonly D[]
  /** The sequence number behind which to go on; undefined at the end. */
  readonly last: number | undefined
}

/**
 * A point-in-time view of one index: what was refreshed when it was taken. Release it when done:
 * while it is held the records of replaced documents are kept.
 */
export interface IndexSearcher {
  readonly indexName: string
  readonly indexUuid: string
  readonly segments: readonly SegmentReader[]
  /** First global doc id of each segment. */
  readonly docBases: readonly number[]
  readonly maxDoc: number
  readonly numDocs: number
  readonly mapping: IndexMapping
  /** True once its index was closed or removed: records of what it shows may be gone. */
  readonly isGone?: boolean
  /** False: queries that take long by their kind are refused (`search.allow_expensive_queries`). */
  readonly allowsExpensive?: boolean
  /** Most clauses of a boolean query, where the cluster's settings say so (`indices.query.bool.max_clause_count`). */
  readonly maxClauses?: number
  /** Finds the stored scripts that derived fields name. */
  readonly findScript?: ((id: string) => { readonly lang: string; readonly source: string } | undefined) | undefined
  /** A number among the index' settings (`index.max_terms_count`); the fallback where nobody set it. */
  limit(setting: string, fallback: number): number
  /** Reads the record a segment's document stands for. Synchronous and cheap. */
  document(segment: SegmentReader, doc: number): StoredDocument
  /** What that record is of: what is asked of many documents needs no sources. */
  name(segment: SegmentReader, doc: number): DocumentName
  /** Finds a document of this view by id: segment index and doc, or undefined. `type` undefined: every type. */
  locate(type: string | undefined, id: string): readonly { segment: number; doc: number }[]
  release(): void
}
