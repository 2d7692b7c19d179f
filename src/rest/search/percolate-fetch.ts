import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import type { SegmentReader } from '../../engine/index/segment-reader.ts'
import { inJavaHashOrder } from '../../engine/java/java-hash-order.ts'
import { type PercolatedHit, percolatedHit } from '../../engine/search/percolator/percolated-document.ts'
import type { PercolateQuery, Query } from '../../engine/search/queries/query.ts'
import type { JsonValue } from '../body/parse-json.ts'
import type { Json } from '../json/json-writer.ts'
import { type HighlightContext, HighlightFetch } from './highlight-fetch.ts'

/** What a hit shows of a percolation. */
export interface PercolatedMembers {
  readonly fields: { readonly [name: string]: Json }
  readonly highlight: { readonly [name: string]: Json }
}

/** Shows for each hit of a percolation which of the given documents its query finds, and where. */
export class PercolateFetch {
  readonly #queries: readonly PercolateQuery[]
  readonly #highlight: JsonValue | undefined
  readonly #context: HighlightContext
  readonly #now = Date.now()

  private constructor(queries: readonly PercolateQuery[], highlight: JsonValue | undefined, context: HighlightContext) {
    this.#queries = queries
    this.#highlight = highlight
    this.#context = context
  }

  /** @returns undefined where nothing is percolated */
  static of(context: HighlightContext, highlight: JsonValue | undefined): PercolateFetch | undefined {
    const queries = [...percolateQueries(context.query)]
    return queries.length === 0 ? undefined : new PercolateFetch(queries, highlight, context)
  }

  render(searcher: IndexSearcher, segment: SegmentReader, doc: number): PercolatedMembers {
    const fields: Record<string, Json> = {}
    const highlight: Record<string, Json> = {}
    const isOnly = this.#queries.length === 1
    const { engineVersion } = this.#context
    for (const percolate of this.#queries) {
      const found = percolatedHit(percolate, searcher, { segment, doc }, { engineVersion, now: this.#now })
      if (found === undefined) continue
      const label = percolate.label ?? percolate.field
      fields[isOnly ? SLOT : `${SLOT}_${label}`] = [...found.slots]
      const prefix = isOnly ? '' : `${label}_`
      const isSingle = percolate.documents.length === 1
      for (const slot of found.slots) {
        if (slot < 0) continue
        for (const [path, fragments] of Object.entries(this.#highlighted(found, slot))) {
          highlight[`${prefix}${isSingle ? '' : `${slot}_`}${path}`] = fragments
        }
      }
    }
    return { fields: inMapOrder(fields), highlight: inMapOrder(highlight) }
  }

  #highlighted({ query, percolation }: PercolatedHit, slot: number): { readonly [path: string]: Json } {
    if (this.#highlight === undefined) return {}
    const { shown } = percolation
    const fetch = new HighlightFetch(this.#highlight, { ...this.#context, query })
    return fetch.highlight(shown, shown.given(slot)) ?? {}
  }
}

/** Members in the order of the real server's maps. */
function inMapOrder(members: { readonly [name: string]: Json }): { readonly [name: string]: Json } {
  return Object.fromEntries(inJavaHashOrder(Object.keys(members)).map((name) => [name, members[name] as Json]))
}

/** Where hits name the documents that they find. */
const SLOT = '_percolator_document_slot'

/** Percolate queries in a query, where the real server looks for them. */
function* percolateQueries(query: Query): Iterable<PercolateQuery> {
  switch (query.kind) {
    case 'percolate':
      yield query
      return
    case 'constant_score':
      yield* percolateQueries(query.filter)
      return
    case 'bool':
      for (const part of [...query.must, ...query.mustNot, ...query.should, ...query.filter])
        yield* percolateQueries(part)
      return
    case 'dis_max':
      for (const part of query.queries) yield* percolateQueries(part)
      return
    case 'function_score':
      yield* percolateQueries(query.query)
      return
    default:
  }
}
