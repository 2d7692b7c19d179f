import type { TermDictionary } from '../../index/segment-reader.ts'
import { toldPath } from '../../mapping/types/text-sub-field.ts'
import { emptyBits } from './bit-set.ts'
import { bitsDocSet, type DocSet, listDocSet } from './doc-set.ts'
import type { Leaf } from './leaf.ts'
import { SetQuery } from './set-query.ts'

/** Which terms of a dictionary a multi-term query means: ordinals, ascending, or a range of them. */
export type TermSelection = ArrayLike<number> | { readonly from: number; readonly to: number }

/** Documents that hold any of the terms a pattern, prefix or range describes; all score alike. */
export class MultiTermQuery extends SetQuery {
  readonly field: string
  readonly #text: string
  readonly #key: string
  readonly #select: (terms: TermDictionary) => TermSelection

  /**
   * @param text  Lucene's toString of the query without its field
   * @param select  picks the terms of one segment
   * @param key  tells the query from others of the field, where the text does not
   */
  constructor(field: string, text: string, select: (terms: TermDictionary) => TermSelection, key = text) {
    super()
    this.field = field
    this.#text = text
    this.#key = key
    this.#select = select
  }

  toString(): string {
    return `${toldPath(this.field)}:${this.#text}`
  }

  override get key(): string {
    return `${this.constructor.name}:${this.field}:${this.#key}`
  }

  /** Ordinals of the terms of a dictionary, ascending. */
  *ordinals(terms: TermDictionary): Iterable<number> {
    const selection = this.#select(terms)
    if ('from' in selection) for (let ordinal = selection.from; ordinal < selection.to; ordinal++) yield ordinal
    else for (let i = 0; i < selection.length; i++) yield selection[i] as number
  }

  docSet({ segment }: Leaf): DocSet | undefined {
    const terms = segment.field(this.field)?.terms
    if (terms === undefined) return undefined
    return docsOfTerms(terms, this.#select(terms), segment.maxDoc)
  }
}

/** The documents of some terms. */
export function docsOfTerms(terms: TermDictionary, selection: TermSelection, maxDoc: number): DocSet | undefined {
  const isRange = 'from' in selection
  const count = isRange ? selection.to - selection.from : selection.length
  if (count <= 0) return undefined
  const ordinalAt = (i: number): number => (isRange ? selection.from + i : (selection[i] as number))
  let postings = 0
  for (let i = 0; i < count && postings * 32 <= maxDoc; i++) postings += terms.docFreq(ordinalAt(i))
  if (postings * 32 <= maxDoc) {
    const docs = new Int32Array(postings)
    let n = 0
    for (let i = 0; i < count; i++) n = terms.copyDocs(ordinalAt(i), docs, n)
    return listDocSet(count === 1 ? docs : withoutRepeats(docs.sort()))
  }
  const bits = emptyBits(maxDoc)
  for (let i = 0; i < count; i++) terms.addDocs(ordinalAt(i), bits)
  return bitsDocSet(bits)
}

function withoutRepeats(docs: Int32Array): Int32Array {
  let n = 0
  for (let i = 0; i < docs.length; i++) if (i === 0 || docs[i] !== docs[i - 1]) docs[n++] = docs[i] as number
  return n === docs.length ? docs : docs.slice(0, n)
}
