import type { SectionRef } from './segment-file.ts'

/** What a segment's directory says: which data it holds and in which sections. */
export interface SegmentDirectory {
  readonly maxDoc: number
  /** First and last sequence number of its documents; documents between may be missing (replaced before they got here). */
  readonly minSeqNo: number
  readonly maxSeqNo: number
  /** Sequence number of each document minus minSeqNo; absent: they follow one another. */
  readonly seqNos?: SectionRef
  /** What documents are ordered by (a {@link DocumentOrder} as JSON); absent: by sequence number. */
  readonly order?: string
  /** Documents by sequence number; absent where that is their order. */
  readonly docsBySeqNo?: SectionRef
  /** Index into typeNames of each document's type; absent: all are of the first. */
  readonly types?: SectionRef
  readonly typeNames: readonly string[]
  /** Bit set of root documents and, for each document, 1 + index into nestedPaths (0: root); absent without nested objects. */
  readonly nested?: { readonly roots: SectionRef; readonly paths: SectionRef; readonly pathNames: readonly string[] }
  readonly fields: Readonly<Record<string, FieldDirectory>>
}

/** One field's sections. */
export interface FieldDirectory {
  readonly docCount: number
  readonly sumTotalTermFreq: number
  readonly sumDocFreq: number
  readonly terms?: TermsDirectory
  readonly norms?: SectionRef
  readonly docValues?: ColumnDirectory
  readonly points?: { readonly values: SectionRef; readonly docs: SectionRef }
}

/** Sections of a field's terms and postings; `offsets`, `docFreqs` and `starts` by ordinal of the term. */
export interface TermsDirectory {
  readonly hasFreqs: boolean
  readonly hasPositions: boolean
  readonly bytes: SectionRef
  readonly offsets: SectionRef
  readonly docFreqs: SectionRef
  /** Only with frequencies. */
  readonly totalTermFreqs?: SectionRef
  readonly starts: SectionRef
  /** Only with positions. */
  readonly positionStarts?: SectionRef
  readonly words: SectionRef
  readonly positions?: SectionRef
}

/** Sections of a field's doc values: `present` where not all documents have one, `offsets` where some have several. */
export interface ColumnDirectory {
  readonly kind: 'numeric' | 'bigint' | 'ordinal' | 'binary'
  readonly values: SectionRef
  readonly present?: SectionRef
  readonly offsets?: SectionRef
  /** binary: byte offsets of each value into `values`. */
  readonly valueOffsets?: SectionRef
}
