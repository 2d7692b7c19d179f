import { type GlobalOrdinals, globalOrdinals, type SortedTerms } from '../../index/global-ordinals.ts'
import type { OrdinalDocValues, SegmentReader } from '../../index/segment-reader.ts'
import { type BitSet, emptyBits, hasBit } from './bit-set.ts'

/** Parents' ids in one segment, by the numbers they have in all of the view. */
export class JoinColumn {
  readonly #column: OrdinalDocValues
  readonly #map: Int32Array | undefined

  constructor(column: OrdinalDocValues, map: Int32Array | undefined) {
    this.#column = column
    this.#map = map
  }

  /** Number of a document's id; -1: it has none. */
  ordinal(doc: number): number {
    const { values, present, offsets } = this.#column
    let at = doc
    if (offsets !== undefined) {
      at = offsets[doc] as number
      if (at === offsets[doc + 1]) return -1
    } else if (present !== undefined && !hasBit(present, doc)) return -1
    const own = values[at] as number
    return this.#map === undefined ? own : (this.#map[own] as number)
  }
}

/** Parents' ids over all segments of a view, under one numbering. */
export interface JoinOrdinals {
  readonly size: number
  /** By segment; undefined: no document has an id there. */
  readonly columns: readonly (JoinColumn | undefined)[]
  text(ordinal: number): string
}

/** Numbers the ids that a field of a join has in a view. @param path  the field of one parent's ids */
export function joinOrdinals(segments: readonly SegmentReader[], path: string): JoinOrdinals {
  const found = segments.map((segment) => {
    const docValues = segment.field(path)?.docValues
    return docValues?.kind === 'ordinal' ? docValues : undefined
  })
  const lists: SortedTerms[] = []
  for (const column of found) if (column !== undefined) lists.push(column.dictionary)
  const ordinals: GlobalOrdinals = globalOrdinals(lists)
  let at = 0
  return {
    size: ordinals.size,
    columns: found.map((column) => (column === undefined ? undefined : new JoinColumn(column, ordinals.maps[at++]))),
    text: (ordinal) => ordinals.termText(ordinal),
  }
}

/**
 * Documents of a segment that bear one of some names; undefined: none does.
 *
 * @param path  the join field
 */
export function namedDocuments(segment: SegmentReader, path: string, names: readonly string[]): BitSet | undefined {
  const terms = segment.field(path)?.terms
  if (terms === undefined) return undefined
  let bits: BitSet | undefined
  for (const name of names) {
    const ordinal = terms.find(Buffer.from(name))
    if (ordinal < 0) continue
    bits ??= emptyBits(segment.maxDoc)
    terms.addDocs(ordinal, bits)
  }
  return bits
}
