import { ServiceError } from '../../errors.ts'
import type { IndexMapping } from '../mapping/index-mapping.ts'
import type { DocumentName, DocumentRecord } from '../store/document-record.ts'
import type { IdEntry } from '../store/id-entry.ts'
import type { IndexSearcher, StoredDocument } from './index-searcher.ts'
import type { SegmentReader } from './segment-reader.ts'
import type { LiveSegment } from './stored-segment.ts'

/** Segments of one moment, whose records are kept until they are released. */
export interface HeldView {
  readonly segments: readonly LiveSegment[]
  readonly release: () => void
}

/** What a view needs of its shard. */
export interface ViewedShard {
  readonly indexName: string
  readonly indexUuid: string
  readonly settings: () => Readonly<Record<string, unknown>>
  readonly mapping: IndexMapping
  /** Absent where nothing tells. */
  isClosed?(): boolean
  record(seqNo: number): DocumentRecord | undefined
  name(seqNo: number): DocumentName | undefined
  entry(type: string, id: string): IdEntry | undefined
}

/** One moment of a shard: segments as they were, whatever is written meanwhile. */
export class ShardView implements IndexSearcher {
  readonly segments: readonly LiveSegment[]
  readonly docBases: readonly number[]
  readonly maxDoc: number
  readonly numDocs: number
  readonly #shard: ViewedShard
  readonly #onRelease: () => void
  #released = false

  constructor(shard: ViewedShard, segments: readonly LiveSegment[], onRelease: () => void) {
    this.#shard = shard
    this.segments = segments
    this.#onRelease = onRelease
    const bases: number[] = []
    let maxDoc = 0
    let numDocs = 0
    for (const segment of segments) {
      bases.push(maxDoc)
      maxDoc += segment.maxDoc
      numDocs += segment.numDocs
    }
    this.docBases = bases
    this.maxDoc = maxDoc
    this.numDocs = numDocs
  }

  get indexName(): string {
    return this.#shard.indexName
  }
  get indexUuid(): string {
    return this.#shard.indexUuid
  }
  get isGone(): boolean {
    return this.#shard.isClosed?.() === true
  }
  limit(name: string, fallback: number): number {
    const value = this.#shard.settings()[name]
    return value === undefined || value === null ? fallback : Number(value)
  }
  get mapping(): IndexMapping {
    return this.#shard.mapping
  }

  document(segment: SegmentReader, doc: number): StoredDocument {
    const seqNo = segment.seqNo(doc)
    const record = this.#there(this.#shard.record(seqNo))
    return {
      type: record.type,
      id: record.id,
      routing: record.routing,
      version: record.version,
      seqNo,
      primaryTerm: record.primaryTerm,
      source: record.source,
    }
  }

  name(segment: SegmentReader, doc: number): DocumentName {
    return this.#there(this.#shard.name(segment.seqNo(doc)))
  }

  #there<T>(found: T | undefined): T {
    if (found !== undefined) return found
    if (this.isGone)
      throw new ServiceError(
        'search_context_missing_exception',
        `No search context found: index [${this.indexName}] was removed or closed meanwhile`,
      )
    // Records a view can see are kept until it is released: this would be a fault of ours, not of the caller.
    throw new ServiceError('exception', `the record of a document of [${this.indexName}] is missing`)
  }

  locate(type: string | undefined, id: string): { segment: number; doc: number }[] {
    const types = type === undefined ? this.mapping.types : [type]
    return types.flatMap((t) => this.#locate(t, id))
  }

  /** Follows an id from its last write back to the one this view shows. */
  #locate(type: string, id: string): { segment: number; doc: number }[] {
    let seqNo = this.#shard.entry(type, id)?.seqNo ?? -1
    while (seqNo >= 0) {
      for (let segment = this.segments.length - 1; segment >= 0; segment--) {
        const { stored, liveDocs } = this.segments[segment] as LiveSegment
        const doc = stored.docOfSeqNo(seqNo)
        if (doc < 0) continue
        const live = liveDocs === undefined || ((liveDocs[doc >>> 5] as number) & (1 << (doc & 31))) !== 0
        return live ? [{ segment, doc }] : []
      }
      seqNo = this.#shard.record(seqNo)?.replacedSeqNo ?? -1
    }
    return []
  }

  release(): void {
    if (this.#released) return
    this.#released = true
    this.#onRelease()
  }
}
