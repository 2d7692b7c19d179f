import type { IndexSearcher } from './index-searcher.ts'
import type { SegmentReader } from './segment-reader.ts'

/** A view of an index that is another one but for what a subclass says. */
export class DelegatingSearcher implements IndexSearcher {
  readonly base: IndexSearcher

  constructor(base: IndexSearcher) {
    this.base = base
  }

  get indexName(): string {
    return this.base.indexName
  }
  get indexUuid(): string {
    return this.base.indexUuid
  }
  get segments(): readonly SegmentReader[] {
    return this.base.segments
  }
  get docBases(): readonly number[] {
    return this.base.docBases
  }
  get maxDoc(): number {
    return this.base.maxDoc
  }
  get numDocs(): number {
    return this.base.numDocs
  }
  get mapping(): IndexSearcher['mapping'] {
    return this.base.mapping
  }
  get isGone(): boolean {
    return this.base.isGone === true
  }

  get findScript(): IndexSearcher['findScript'] {
    return this.base.findScript
  }

  limit(setting: string, fallback: number): number {
    return this.base.limit(setting, fallback)
  }

  document(segment: SegmentReader, doc: number): ReturnType<IndexSearcher['document']> {
    return this.base.document(segment, doc)
  }

  name(segment: SegmentReader, doc: number): ReturnType<IndexSearcher['name']> {
    return this.base.name(segment, doc)
  }

  locate(type: string | undefined, id: string): ReturnType<IndexSearcher['locate']> {
    return this.base.locate(type, id)
  }

  release(): void {
    this.base.release()
  }
}
