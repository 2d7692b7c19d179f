import type { TermDictionary } from '../../index/segment-reader.ts'
import type { OrdinalColumn } from './ordinal-leaf.ts'

/** Sorted terms of a column. */
export interface TermList {
  readonly size: number
  /** UTF-8 bytes; do not change. */
  term(ordinal: number): Uint8Array
  termText(ordinal: number): string
}

/** A column of term ordinals in one segment. */
export interface StringColumn extends OrdinalColumn {
  readonly terms: TermList
  /** Live documents a term has, known without a visit; undefined when they must be counted. */
  readonly dictionary: TermDictionary | undefined
}
