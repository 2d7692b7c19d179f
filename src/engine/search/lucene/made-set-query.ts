import type { DocSet } from './doc-set.ts'
import type { Leaf } from './leaf.ts'
import type { LuceneQuery } from './lucene-query.ts'
import { SetQuery } from './set-query.ts'

/** A set of documents that a function makes; for queries too small for a class of their own (ids, types, existence). */
export class MadeSetQuery extends SetQuery {
  readonly #text: string
  readonly #make: (leaf: Leaf) => DocSet | undefined
  readonly #kind: string | undefined
  override readonly isCacheable: boolean

  /**
   * @param text  Lucene's toString; tells the query from others
   * @param isCacheable  false where the set is that of one view only
   * @param kind  what a profile calls it, where that is not what its text begins with
   */
  constructor(text: string, make: (leaf: Leaf) => DocSet | undefined, isCacheable = true, kind?: string) {
    super()
    this.#text = text
    this.#make = make
    this.isCacheable = isCacheable
    this.#kind = kind
  }

  override get profiledAs(): string | LuceneQuery {
    return this.#kind ?? this
  }

  toString(): string {
    return this.#text
  }

  docSet(leaf: Leaf): DocSet | undefined {
    return this.#make(leaf)
  }
}
