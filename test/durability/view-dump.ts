import type { EmbeddedEngine } from '../../src/engine/embedded-engine.ts'
import { NO_MORE_DOCS, type SegmentReader } from '../../src/engine/index/segment-reader.ts'

/** Everything a search of an index can see, independent of how it is cut into segments. */
export interface ViewDump {
  /** `type/id` → version, sequence number, source. */
  readonly documents: Readonly<Record<string, string>>
  /** `field:term` → the documents it leads to, with frequencies and positions. */
  readonly postings: Readonly<Record<string, readonly string[]>>
}

/** Reads an index whole, through the view a search gets. */
export function dumpView(engine: EmbeddedEngine, index: string): ViewDump {
  const view = engine.searcher(index)
  try {
    const documents: Record<string, string> = {}
    const postings: Record<string, string[]> = {}
    for (const segment of view.segments) {
      for (let doc = 0; doc < segment.maxDoc; doc++) {
        if (!isLive(segment, doc) || segment.nestedPath(doc) !== undefined) continue
        const { type, id, version, seqNo, source } = view.document(segment, doc)
        const key = `${type}/${id}`
        if (documents[key] !== undefined) throw new Error(`${key} is there twice`)
        documents[key] = `${version} ${seqNo} ${source}`
      }
      for (const path of segment.fieldNames()) {
        const terms = segment.field(path)?.terms
        for (let ordinal = 0; terms !== undefined && ordinal < terms.size; ordinal++) {
          const cursor = terms.postings(ordinal)
          const list: string[] = []
          for (let doc = cursor.nextDoc(); doc !== NO_MORE_DOCS; doc = cursor.nextDoc()) {
            if (!isLive(segment, doc)) continue
            const { freq } = cursor
            list.push(`${segment.seqNo(doc)}×${freq}@${cursor.positions().subarray(0, freq)}`)
          }
          if (list.length === 0) continue
          const key = `${path}:${terms.termText(ordinal)}`
          postings[key] = [...(postings[key] ?? []), ...list]
        }
      }
    }
    return { documents, postings }
  } finally {
    view.release()
  }
}

const isLive = ({ liveDocs }: SegmentReader, doc: number): boolean =>
  liveDocs === undefined || ((liveDocs[doc >>> 5] as number) & (1 << (doc & 31))) !== 0
