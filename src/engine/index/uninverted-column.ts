import type { FieldReader, OrdinalDocValues, TermDictionary } from './segment-reader.ts'

const uninverted = new WeakMap<FieldReader, OrdinalDocValues>()

/**
 * The terms of each document of an indexed field, as a column: what sorting and aggregating by an analyzed text needs
 * (`fielddata: true`). Made when first asked for, kept as long as the segment; undefined for a field without terms.
 */
export function uninvertedColumn(field: FieldReader, maxDoc: number): OrdinalDocValues | undefined {
  if (field.terms === undefined) return undefined
  let column = uninverted.get(field)
  if (column === undefined) {
    column = uninvert(field.terms, maxDoc)
    uninverted.set(field, column)
  }
  return column
}

/** Bytes that {@link uninvertedColumn} keeps for a field; 0 while nobody has asked for it. */
export function uninvertedBytes(field: FieldReader): number {
  const column = uninverted.get(field)
  if (column === undefined) return 0
  return column.values.byteLength + (column.present?.byteLength ?? 0) + (column.offsets?.byteLength ?? 0)
}

function uninvert(dictionary: TermDictionary, maxDoc: number): OrdinalDocValues {
  const offsets = new Uint32Array(maxDoc + 1)
  const present = new Uint32Array((maxDoc + 31) >>> 5)
  eachPosting(dictionary, (_, doc) => {
    offsets[doc + 1] = (offsets[doc + 1] as number) + 1
    present[doc >>> 5] = (present[doc >>> 5] as number) | (1 << (doc & 31))
  })
  for (let doc = 0; doc < maxDoc; doc++) offsets[doc + 1] = (offsets[doc + 1] as number) + (offsets[doc] as number)
  const values = new Uint32Array(offsets[maxDoc] as number)
  const at = offsets.slice()
  eachPosting(dictionary, (ordinal, doc) => {
    const i = at[doc] as number
    values[i] = ordinal
    at[doc] = i + 1
  })
  return { kind: 'ordinal', values, present, offsets, dictionary }
}

/** Every term of every document, by term. */
function eachPosting(dictionary: TermDictionary, visit: (ordinal: number, doc: number) => void): void {
  for (let ordinal = 0; ordinal < dictionary.size; ordinal++) {
    const cursor = dictionary.postings(ordinal)
    for (let n = cursor.nextBlock(); n > 0; n = cursor.nextBlock()) {
      for (let i = 0; i < n; i++) visit(ordinal, cursor.blockDocs[i] as number)
    }
  }
}
