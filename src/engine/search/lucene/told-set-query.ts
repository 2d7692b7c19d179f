import type { DocSet } from './doc-set.ts'
import type { Leaf } from './leaf.ts'
import type { LuceneQuery } from './lucene-query.ts'
import type { SearchContext } from './search-context.ts'
import { SetQuery } from './set-query.ts'

/** What the real server calls a query. */
export interface Telling {
  /** As a whole. */
  readonly whole: string
  /** Where a document is explained, which is looked at by one part of the query alone. */
  readonly explained: string
}

/** A query told otherwise than by what finds its documents here: the real server has several ways, and names them. */
export class ToldSetQuery extends SetQuery {
  readonly query: SetQuery
  /** The field that is asked for a range of points, which tells root documents from nested ones; undefined: none. */
  readonly pointsOf: string | undefined
  /** Lucene's name of its kind; undefined: that of what finds the documents. */
  readonly kind: string | undefined
  override readonly isCacheable: boolean
  readonly #tell: () => Telling
  readonly #rewritten: (() => Telling) | undefined

  /**
   * @param tell  asked only where the query is told
   * @param options.rewritten  asked once it is rewritten, where that is not the same
   */
  constructor(
    query: SetQuery,
    tell: () => Telling,
    {
      pointsOf,
      kind,
      rewritten,
    }: {
      readonly pointsOf?: string | undefined
      readonly kind?: string | undefined
      readonly rewritten?: (() => Telling) | undefined
    } = {},
  ) {
    super()
    this.query = query
    this.pointsOf = pointsOf
    this.kind = kind
    this.isCacheable = query.isCacheable
    this.#tell = tell
    this.#rewritten = rewritten
  }

  toString(): string {
    return this.#tell().whole
  }

  override get explained(): string {
    return this.#tell().explained
  }

  override get key(): string {
    return this.query.key
  }

  override get profiledAs(): string | LuceneQuery {
    return this.kind ?? this.query
  }

  override rewrite(): LuceneQuery {
    const { query, pointsOf, kind } = this
    return this.#rewritten === undefined ? this : new ToldSetQuery(query, this.#rewritten, { pointsOf, kind })
  }

  docSet(leaf: Leaf, context: SearchContext): DocSet | undefined {
    return this.query.docSet(leaf, context)
  }

  override visit(visitor: (query: LuceneQuery) => void): void {
    this.query.visit(visitor)
  }
}
