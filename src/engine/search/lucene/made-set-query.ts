import type { DocSet } from './doc-set.ts'
import type { Leaf } from './leaf.ts'
import { SetQuery } from './set-query.ts'

/** A set of documents that a function makes; for queries too small for a class of their own (ids, types, existence). */
export class MadeSetQuery extends SetQuery {
  readonly #text: string
  readonly #make: (leaf: Leaf) => DocSet | undefined
  override readonly isCacheable: boolean

  /**
   * @param text  Lucene's toString; tells the query from others
   * @param isCacheable  false where the set is that of one view only
   */
  constructor(text: string, make: (leaf: Leaf) => DocSet | undefined, isCacheable = true) {
    super()
    this.#text = text
    this.#make = make
    this.isCacheable = isCacheable
  }

  toString(): string {
    return this.#text
  }

  docSet(leaf: Leaf): DocSet | undefined {
    return this.#make(leaf)
  }
}
