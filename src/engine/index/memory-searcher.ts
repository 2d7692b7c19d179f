import type { IndexMapping } from '../mapping/index-mapping.ts'
import type { ParsedDocument } from '../mapping/parsed-document.ts'
import type { IndexSearcher, StoredDocument } from './index-searcher.ts'
import { SegmentBuilder } from './segment-builder.ts'
import type { SegmentReader } from './segment-reader.ts'
import { LiveSegment, StoredSegment } from './stored-segment.ts'

/** A document that is in no index. */
export interface MemoryDocument {
  readonly type: string
  readonly parsed: ParsedDocument
  readonly source: Buffer
}

/** Documents that are in no index, made searchable as if they were: one segment, nothing deleted. */
export class MemorySearcher implements IndexSearcher {
  readonly indexName: string
  readonly indexUuid: string
  readonly mapping: IndexMapping
  readonly segments: readonly SegmentReader[]
  readonly docBases: readonly number[]
  readonly maxDoc: number
  readonly numDocs: number
  readonly #documents: readonly MemoryDocument[]

  /**
   * @param index      whose name and mapping the documents are searched by
   * @param documents  numbered in this order by their sequence numbers
   * @throws {ServiceError} illegal_argument_exception when a term is too long
   */
  constructor(
    index: Pick<IndexSearcher, 'indexName' | 'indexUuid' | 'mapping'>,
    documents: readonly MemoryDocument[] = [],
  ) {
    this.indexName = index.indexName
    this.indexUuid = index.indexUuid
    this.mapping = index.mapping
    this.#documents = documents
    if (documents.length === 0) this.segments = []
    else {
      const builder = new SegmentBuilder()
      for (const [i, { type, parsed }] of documents.entries()) builder.add(i, type, parsed)
      this.segments = [new LiveSegment('memory', new StoredSegment(builder.finish(), { trusted: true }), undefined)]
    }
    this.docBases = this.segments.map(() => 0)
    this.maxDoc = this.segments[0]?.maxDoc ?? 0
    this.numDocs = documents.length
  }

  limit(_setting: string, fallback: number): number {
    return fallback
  }

  document(segment: SegmentReader, doc: number): StoredDocument {
    return this.given(segment.seqNo(doc))
  }

  name(segment: SegmentReader, doc: number): StoredDocument {
    return this.document(segment, doc)
  }

  /** A document by its place among those given. */
  given(seqNo: number): StoredDocument {
    const { type, source } = this.#documents[seqNo] as MemoryDocument
    return { type, id: '_temp_id', routing: undefined, version: 1, seqNo, primaryTerm: 1, source }
  }

  locate(): readonly { segment: number; doc: number }[] {
    return []
  }

  release(): void {}
}
