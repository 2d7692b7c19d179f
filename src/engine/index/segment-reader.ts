import type { DocMap, GatheredPostings } from './gathered-postings.ts'

/**
 * What a segment offers to a search. The bytes behind it are immutable; only live docs change, by copy.
 *
 * Documents are numbered 0…maxDoc-1 in the order of their sequence numbers, so doc-id order is indexing order
 * across segments too; where an index is sorted (`index.sort`), in that order within each segment. A nested object is a
 * document of its own, before its root (Lucene's block join).
 */
export interface SegmentReader {
  readonly name: string
  /** Documents, deleted ones and nested ones included. */
  readonly maxDoc: number
  /** Bit d is set while document d is alive; undefined when all are. 32 bits a word, bit `d & 31` of word `d >>> 5`. */
  readonly liveDocs: Uint32Array | undefined
  /** Live root documents. */
  readonly numDocs: number
  /** Bit d is set when document d is a root; undefined when there are no nested documents. */
  readonly rootDocs: Uint32Array | undefined
  /** Nested path of a non-root document (`authors`, `authors.papers`); undefined for a root. */
  nestedPath(doc: number): string | undefined
  /** Sequence number by document: the key of its record in the store. Nested documents bear their root's. */
  seqNo(doc: number): number
  /** Whether sequence numbers ascend with the documents. */
  readonly isInWriteOrder: boolean
  /** Mapping type by document (`_doc`, `book`): index into {@link SegmentReader.typeNames}. */
  readonly typeOrdinals: Uint8Array | Uint16Array
  readonly typeNames: readonly string[]
  /** Indexed and columnar data of a field by full path; undefined when no document of the segment has it. */
  field(path: string): FieldReader | undefined
  /** Full paths of all fields that have data here. */
  fieldNames(): Iterable<string>
}

/** One field of one segment. */
export interface FieldReader {
  /** Inverted index; undefined when not indexed or indexed as numbers. Keyword, text, boolean, ip. */
  readonly terms: TermDictionary | undefined
  /** Length norm by document, SmallFloat byte4 as Lucene 7+ encodes it; undefined when norms are off. */
  readonly norms: Uint8Array | undefined
  /** Documents that have at least one term / one value of the field, deleted ones included. */
  readonly docCount: number
  /** Sum of total term frequencies; -1 when frequencies are not indexed. */
  readonly sumTotalTermFreq: number
  readonly sumDocFreq: number
  /** Column; undefined when doc values are off. */
  readonly docValues: DocValues | undefined
  /** Documents in the order of a number, for ranges; undefined for fields that are not numeric (or not indexed). */
  readonly points: PointIndex | undefined
}

/** Sorted terms of a field; a term's ordinal is its rank in UTF-8 byte order. */
export interface TermDictionary {
  readonly size: number
  /** Whether positions of occurrences are indexed (phrases). */
  readonly hasPositions: boolean
  /** Ordinal of a term, or -1. */
  find(term: Uint8Array): number
  /** Ordinals of those that there are of some terms, which ascend. */
  findAll(terms: readonly Uint8Array[]): number[]
  /** Smallest ordinal whose term is >= the given one; `size` when there is none. @param from  none before this is, and it stands near */
  ceiling(term: Uint8Array, from?: number): number
  /** Bytes of a term (a view into the segment: do not change). */
  term(ordinal: number): Uint8Array
  /** The term as text. */
  termText(ordinal: number): string
  /** All terms of the field one after the other; term i is bytes `termOffsets[i]` to `termOffsets[i + 1]`. For scans. */
  readonly termBytes: Uint8Array
  readonly termOffsets: Uint32Array
  docFreq(ordinal: number): number
  /** Occurrences in all documents; equals docFreq when frequencies are not indexed. */
  totalTermFreq(ordinal: number): number
  /** A fresh cursor over a term's documents. */
  postings(ordinal: number): PostingsCursor
  /** Sets the bit of each of a term's documents; cheaper than a cursor where there are many terms. */
  addDocs(ordinal: number, bits: Uint32Array): void
  /** Writes a term's documents to `out` from `at` on; answers where they end. */
  copyDocs(ordinal: number, out: Int32Array, at: number): number
  /**
   * Writes all occurrences of a term as places: position p of document d stands at `starts[d] + p`.
   *
   * @param starts  where documents begin, and where the last one ends
   * @param margin  places left free at the end of each document
   * @param out     room for {@link totalTermFreq} places; ascending
   * @returns       false when a document has not room enough for its positions, or there are none
   */
  copyPlaces(ordinal: number, starts: Int32Array, margin: number, out: Int32Array): boolean
  /** Appends a term's postings for a merge, those of deleted documents left out. */
  copyPostings(ordinal: number, docMap: DocMap, out: GatheredPostings): void
}

/** No more documents. Larger than any document number. */
export const NO_MORE_DOCS = 0x7fffffff

/**
 * A cursor over a term's documents in doc-id order, deleted and nested ones included.
 *
 * Two ways to read: one by one ({@link nextDoc}, {@link advance}), or a block at a time ({@link nextBlock}) for
 * loops that score or count everything.
 */
export interface PostingsCursor {
  /** Documents that hold the term. */
  readonly cost: number
  /** Current document: -1 before the start, NO_MORE_DOCS after the end. */
  readonly doc: number
  nextDoc(): number
  /** First document >= target; skips whole blocks. */
  advance(target: number): number
  /** Occurrences in the current document; 1 when frequencies are not indexed. */
  readonly freq: number
  /**
   * Positions in the current document, ascending; valid in [0, freq) until the cursor moves.
   * Empty when positions are not indexed.
   */
  positions(): Int32Array
  /**
   * Decodes the next up to 128 documents into {@link blockDocs} and {@link blockFreqs}; answers how many, 0 at the end.
   *
   * @param needsFreqs  false: frequencies are left undefined until {@link loadFreqs}
   */
  nextBlock(needsFreqs?: boolean): number
  /** Decodes the frequencies of the current block, if that is still to be done. */
  loadFreqs(): void
  readonly blockDocs: Int32Array
  readonly blockFreqs: Int32Array
}

/** A column: the values of one field by document. */
export type DocValues = NumericDocValues | BigIntDocValues | OrdinalDocValues | BinaryDocValues

interface Column {
  /** Bit d is set when document d has a value; undefined when all have. */
  readonly present: Uint32Array | undefined
  /** Where values of several a document can be: values of d stand at offsets[d]…offsets[d+1]-1, ascending. Undefined: one value a document, at index d. */
  readonly offsets: Uint32Array | undefined
}

/** Numbers (integers, floats, dates in ms since 1970, booleans as 0/1); all exact in a double. */
export interface NumericDocValues extends Column {
  readonly kind: 'numeric'
  readonly values:
    | Float64Array
    | Float32Array
    | Int32Array
    | Int16Array
    | Int8Array
    | Uint8Array
    | Uint16Array
    | Uint32Array
}

/** Longs that are not all exact in doubles; unsigned where some are beyond 2^63. */
export type LongArray = BigInt64Array | BigUint64Array

/** `long` values of which at least one is not exact in a double. */
export interface BigIntDocValues extends Column {
  readonly kind: 'bigint'
  readonly values: LongArray
}

/** Term ordinals of the same field's {@link TermDictionary}: keyword, ip. */
export interface OrdinalDocValues extends Column {
  readonly kind: 'ordinal'
  readonly values: Uint8Array | Uint16Array | Uint32Array
  readonly dictionary: TermDictionary
}

/** Raw bytes (binary, geo_point as two little-endian doubles: lat, lon). */
export interface BinaryDocValues extends Column {
  readonly kind: 'binary'
  /** Bytes of the value at an index (see {@link Column.offsets}). */
  value(index: number): Uint8Array
}

/** (value, document) pairs sorted by value, then document. */
export interface PointIndex {
  readonly values: NumericDocValues['values'] | LongArray
  readonly docs: Uint8Array | Uint16Array | Uint32Array
}
