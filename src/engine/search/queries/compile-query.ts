import type { EngineVersion } from '../../engine-version.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import type { SegmentReader } from '../../index/segment-reader.ts'
import { docsOfBits } from '../lucene/doc-set.ts'
import { queryDocuments } from '../query-documents.ts'
import type { Query } from './query.ts'

/** A query made ready for one index: its documents in a segment, ascending, deleted and nested ones included. */
export type CompiledQuery = (segment: SegmentReader, segmentIndex: number) => { readonly docs: Int32Array }

/** {@link queryDocuments} as lists. */
export function compileQuery(
  query: Query,
  {
    searcher,
    ...options
  }: {
    readonly searcher: IndexSearcher
    readonly engineVersion: EngineVersion
    readonly now: number
    readonly nestedPath?: string | undefined
  },
): CompiledQuery {
  const documents = queryDocuments(query, searcher, options)
  return (segment, i) => ({ docs: docsOfBits(documents.bits(i), segment.maxDoc) })
}
