import { ServiceError } from '../../../errors.ts'
import { latin1Text } from '../../algorithms/latin1-text.ts'
import type { SegmentReader } from '../../index/segment-reader.ts'
import type { IndexMapping } from '../../mapping/index-mapping.ts'
import { hasBit } from '../lucene/bit-set.ts'
import { segmentKey } from '../lucene/leaf.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import type { SearchContext } from '../lucene/search-context.ts'
import type { PercolateQuery, Query } from '../queries/query.ts'
import { storedQueryJson } from './percolation.ts'
import { type FieldTerm, requiredTerms } from './required-terms.ts'

/** What is known of the queries of a segment's documents in a field. */
interface KnownQueries {
  /** By document; queries that look something up elsewhere are not kept. */
  readonly read: Map<number, Query>
  terms: TermsOfQueries | undefined
}

/** Which documents' queries may find something, by a term of it. */
interface TermsOfQueries {
  /** That they were made with. */
  readonly mapping: IndexMapping
  /** Whose queries may find anything. */
  readonly always: readonly number[]
  /** By field, then term (its bytes as Latin-1). */
  readonly byTerm: ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>
  /** By document: lists of terms of each of which its query needs one more. */
  readonly further: ReadonlyMap<number, readonly (readonly FieldTerm[])[]>
}

/** By segment, then field. */
const known = new WeakMap<object, Map<string, KnownQueries>>()

/** The queries that a segment's documents store in a field, read once. */
export class StoredQueries {
  readonly #segment: SegmentReader
  readonly #path: string
  readonly #percolate: PercolateQuery
  readonly #known: KnownQueries

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
    let ofField = fields.get(path)
    if (ofField === undefined) {
      ofField = { read: new Map(), terms: undefined }
      fields.set(path, ofField)
    }
    this.#known = ofField
  }

  /** @throws {ServiceError} for a query that cannot be read any more */
  read(doc: number): Query | undefined {
    const kept = this.#known.read.get(doc)
    if (kept !== undefined) return kept
    const json = storedQueryJson(this.#segment, this.#path, doc)
    if (json === undefined) return undefined
    const { query, isFixed } = this.#percolate.readQuery(json)
    if (isFixed) this.#known.read.set(doc, query)
    return query
  }

  /**
   * Live documents whose queries may find what a segment holds, ascending.
   *
   * @param make  makes a query without rewriting it for a view; undefined: it finds nothing, whatever it is asked about
   */
  candidates(
    found: SegmentReader,
    mapping: IndexMapping,
    make: (query: Query) => LuceneQuery | undefined,
    watch: SearchContext['watch'],
  ): number[] {
    if (this.#known.terms?.mapping !== mapping) this.#known.terms = this.#readTerms(mapping, make, watch)
    const { always, byTerm, further } = this.#known.terms
    const isThere = ({ field, term }: FieldTerm): boolean => (found.field(field)?.terms?.find(term) ?? -1) >= 0
    const mayFind = (doc: number): boolean => further.get(doc)?.every((list) => list.some(isThere)) ?? true
    const { liveDocs } = this.#segment
    const docs = new Set(always)
    for (const [field, queries] of byTerm) {
      const terms = found.field(field)?.terms
      for (let ordinal = 0; ordinal < (terms?.size ?? 0); ordinal++) {
        for (const doc of queries.get(latin1Text(terms?.term(ordinal) as Uint8Array)) ?? []) {
          if (mayFind(doc)) docs.add(doc)
        }
      }
    }
    const live = liveDocs === undefined ? [...docs] : [...docs].filter((doc) => hasBit(liveDocs, doc))
    return live.sort((a, b) => a - b)
  }

  #readTerms(
    mapping: IndexMapping,
    make: (query: Query) => LuceneQuery | undefined,
    watch: SearchContext['watch'],
  ): TermsOfQueries {
    const always: number[] = []
    const byTerm = new Map<string, Map<string, number[]>>()
    const further = new Map<number, readonly (readonly FieldTerm[])[]>()
    for (let doc = 0; doc < this.#segment.maxDoc; doc++) {
      if (storedQueryJson(this.#segment, this.#path, doc) === undefined) continue
      watch?.turn()
      const [terms, ...others] = this.#termsOf(doc, make)
      if (terms === undefined) always.push(doc)
      if (others.length > 0) further.set(doc, others)
      for (const { field, term } of terms ?? []) {
        const ofField = byTerm.get(field) ?? new Map<string, number[]>()
        byTerm.set(field, ofField)
        const key = latin1Text(term)
        const docs = ofField.get(key)
        if (docs === undefined) ofField.set(key, [doc])
        else docs.push(doc)
      }
    }
    return { mapping, always, byTerm, further }
  }

  /** None: nothing can be said, or the query cannot be read, which matters when the document is live. */
  #termsOf(doc: number, make: (query: Query) => LuceneQuery | undefined): readonly (readonly FieldTerm[])[] {
    try {
      const query = this.read(doc)
      const isKept = query !== undefined && this.#known.read.has(doc)
      if (!isKept || dependsOnView(query)) return []
      const made = make(query)
      return made === undefined ? [[]] : requiredTerms(made)
    } catch (error) {
      if (error instanceof ServiceError) return []
      throw error
    }
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
