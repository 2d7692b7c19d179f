import { OrdinalColumnWriter } from './column-writer.ts'
import type { InvertedDraft } from './field-inverter.ts'
import { type GrowableBytes, GrowableInt32Array } from './growable-array.ts'
import type { ColumnDirectory, TermsDirectory } from './segment-directory.ts'
import type { SegmentFileWriter } from './segment-file.ts'
import { sortedTerms } from './sort-terms.ts'
import { TermsWriter } from './terms-writer.ts'

/** What {@link layOutTerms} laid out. */
export interface LaidOutTerms {
  readonly terms: TermsDirectory
  readonly sumDocFreq: number
  readonly sumTotalTermFreq: number
  readonly ordinals: ColumnDirectory | undefined
}

/**
 * Makes a dictionary and postings of a field's occurrences: one counting sort by term brings the occurrences of a term
 * together, documents still ascending.
 *
 * @param options.ordinals  whether to make the column of term ordinals too
 */
export function layOutTerms(
  draft: InvertedDraft,
  file: SegmentFileWriter,
  options: { readonly maxDoc: number; readonly ordinals: boolean },
): LaidOutTerms {
  const order = sortedTerms(draft.termBytes, draft.termEnds)
  const rank = new Int32Array(order.length)
  for (let i = 0; i < order.length; i++) rank[order[i] as number] = i
  const ordinals = options.ordinals ? ordinalColumn(draft, rank, file, options.maxDoc) : undefined
  const writer = writeTerms(draft, order, rank)
  return {
    terms: writer.finish(file),
    sumDocFreq: writer.sumDocFreq,
    // Lucene 7 knows no sum where frequencies are not indexed.
    sumTotalTermFreq: draft.hasFreqs ? writer.sumTotalTermFreq : -1,
    ordinals,
  }
}

function ordinalColumn(draft: InvertedDraft, rank: Int32Array, file: SegmentFileWriter, maxDoc: number) {
  const column = new OrdinalColumnWriter()
  const { termIds, docs } = draft
  for (let i = 0; i < termIds.length; i++) column.add(docs[i] as number, rank[termIds[i] as number] as number)
  return column.writeColumn(file, maxDoc)
}

function writeTerms(draft: InvertedDraft, order: Int32Array, rank: Int32Array): TermsWriter {
  const { termIds, hasPositions } = draft
  const count = termIds.length
  const starts = new Int32Array(order.length + 1)
  for (let i = 0; i < count; i++) starts[(rank[termIds[i] as number] as number) + 1]!++
  for (let i = 0; i < order.length; i++) starts[i + 1] = (starts[i + 1] as number) + (starts[i] as number)
  const next = starts.slice()
  const docs = new Int32Array(count)
  const positions = new Int32Array(hasPositions ? count : 0)
  for (let i = 0; i < count; i++) {
    const at = next[rank[termIds[i] as number] as number]!++
    docs[at] = draft.docs[i] as number
    if (hasPositions) positions[at] = draft.positions[i] as number
  }
  const writer = new TermsWriter(draft)
  const termDocs = new GrowableInt32Array()
  const termFreqs = new GrowableInt32Array()
  for (let i = 0; i < order.length; i++) {
    const from = starts[i] as number
    const to = starts[i + 1] as number
    termDocs.length = 0
    termFreqs.length = 0
    for (let j = from; j < to; ) {
      const doc = docs[j] as number
      let end = j + 1
      while (end < to && docs[end] === doc) end++
      termDocs.push(doc)
      termFreqs.push(end - j)
      if (hasPositions) appendPositions(writer.positions, positions, j, end)
      j = end
    }
    const id = order[i] as number
    const start = id === 0 ? 0 : (draft.termEnds[id - 1] as number)
    writer.add(draft.termBytes, start, draft.termEnds[id] as number, termDocs, termFreqs)
  }
  return writer
}

/** Of one document, each occurrence's distance from the one before. */
function appendPositions(out: GrowableBytes, positions: Int32Array, from: number, to: number): void {
  let previous = 0
  for (let i = from; i < to; i++) {
    const position = positions[i] as number
    out.vint(position - previous)
    previous = position
  }
}
