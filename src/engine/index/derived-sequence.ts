import type { FieldReader } from './segment-reader.ts'

/** Path under which a segment offers its documents' sequence numbers as a column; none of a mapping. */
export const SEQUENCE_PATH = '\u0000seq_no'

/** A field of sequence numbers, of which every document has one. @param numbers  by document */
export function sequenceField(numbers: Uint32Array | Float64Array): FieldReader {
  return {
    terms: undefined,
    norms: undefined,
    docCount: numbers.length,
    sumTotalTermFreq: -1,
    sumDocFreq: -1,
    docValues: { kind: 'numeric', present: undefined, offsets: undefined, values: numbers },
    points: undefined,
  }
}
