import type { SegmentReader } from '../../index/segment-reader.ts'
import type { IndexMapping } from '../../mapping/index-mapping.ts'
import { segmentKey } from '../lucene/leaf.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import type { PercolateQuery, Query } from '../query.ts'
import { storedQueryJson } from './percolation.ts'
import { type FieldTerm, requiredTerms } from './required-terms.ts'

/** A query that a document stores. */
interface StoredQuery {
  readonly query: Query
  /** Of the mapping that {@link terms} were made with. */
  mapping: IndexMapping | undefined
  terms: readonly FieldTerm[] | undefined
}

/** By segment, then field and document; queries that look something up elsewhere are not kept. */
const known = new WeakMap<object, Map<string, Map<number, StoredQuery>>>()

/** The queries that a segment's documents store in a field, read once. */
export class StoredQueries {
  readonly #segment: SegmentReader
  readonly #path: string
  readonly #percolate: PercolateQuery
  readonly #kept: Map<number, StoredQuery>

  constructor(segment: SegmentReader, path: string, percolate: PercolateQuery) {
    this.#segment = segment
    this.#path = path
    this.#percolate = percolate
    const key = segmentKey(segment)
    let fields = known.get(key)
    if (fields === undefined) {
      fields = new Map()
      known.set(key, fields)
    }
    let kept = fields.get(path)
    if (kept === undefined) {
      kept = new Map()
      fields.set(path, kept)
    }
    this.#kept = kept
  }

  /** @throws {ServiceError} for a query that cannot be read any more */
  read(doc: number): StoredQuery | undefined {
    const kept = this.#kept.get(doc)
    if (kept !== undefined) return kept
    const json = storedQueryJson(this.#segment, this.#path, doc)
    if (json === undefined) return undefined
    const { query, isFixed } = this.#percolate.readQuery(json)
    const stored = { query, mapping: undefined, terms: undefined }
    if (isFixed) this.#kept.set(doc, stored)
    return stored
  }

  /**
   * Terms of which a document must have one to be found by a stored query; undefined: any may be.
   *
   * @param make  makes a query without rewriting it for a view
   */
  terms(stored: StoredQuery, mapping: IndexMapping, make: (query: Query) => LuceneQuery): StoredQuery['terms'] {
    if (stored.mapping !== mapping) {
      stored.mapping = mapping
      stored.terms = dependsOnView(stored.query) ? undefined : requiredTerms(make(stored.query))
    }
    return stored.terms
  }
}

/** Whether a query is made after what an index holds, so that its terms differ from view to view. */
function dependsOnView(query: Query): boolean {
  if (query.kind === 'common' || query.kind === 'more_like_this' || query.kind === 'percolate') return true
  if ('cutoffFrequency' in query) return true
  return Object.values(query).some((value: unknown) =>
    (Array.isArray(value) ? value : [value]).some((part: unknown) => isPart(part) && dependsOnView(part)),
  )
}

function isPart(value: unknown): value is Query {
  return typeof value === 'object' && value !== null && ('kind' in value || 'filter' in value)
}
