import { ServiceError } from '../../../errors.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import { MemorySearcher } from '../../index/memory-searcher.ts'
import { parseSource } from '../../index/parse-source.ts'
import { NO_MORE_DOCS, type SegmentReader } from '../../index/segment-reader.ts'
import type { IndexMapping } from '../../mapping/index-mapping.ts'
import { hasBit } from '../lucene/bit-set.ts'
import type { Explanation } from '../lucene/explanation.ts'
import type { Leaf } from '../lucene/leaf.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { SearchContext } from '../lucene/search-context.ts'
import { Bm25Lucene8Similarity } from '../lucene/similarity/bm25-lucene8-similarity.ts'
import { Bm25Similarity } from '../lucene/similarity/bm25-similarity.ts'
import type { PercolateQuery, Query } from '../queries/query.ts'
import { storedQueryMapping, withKnownFields } from './unmapped-as-text.ts'

/** Makes a query ready for a view. */
export type CreateQuery = (query: Query, search: SearchContext) => LuceneQuery

// Lucene's own, which knows nothing of the mapping.
const LUCENE_7 = new Bm25Similarity()
const LUCENE_8 = new Bm25Lucene8Similarity(undefined, undefined, false)

/** How a stored query finds what is percolated. */
export interface PercolatedMatch {
  /** Of the document that fits best. */
  readonly score: number
  /** Numbers of the documents it finds, ascending; 6.x counts their nested objects too, as `-number - 1`. */
  readonly slots: readonly number[]
}

/** Documents that stored queries are asked about. */
export class Percolation {
  readonly searcher: MemorySearcher
  /** The same by the index' own mapping, by which documents are shown. */
  readonly shown: MemorySearcher
  readonly #search: SearchContext
  readonly #create: CreateQuery

  /** @throws {ServiceError} mapper_parsing_exception for documents the mapping refuses */
  constructor(query: PercolateQuery, index: IndexSearcher, around: SearchContext, create: CreateQuery) {
    const { mapping } = index
    const type = mapping.types[0] ?? '_doc'
    if (query.documentType !== undefined && query.documentType !== type) {
      throw new ServiceError(
        'illegal_argument_exception',
        `specified document_type [${query.documentType}] is not equal to the actual type [${type}]`,
      )
    }
    const documents = query.documents.map((text) => {
      const source = Buffer.from(text)
      return { type, source, parsed: mapping.parse(type, '_temp_id', parseSource(source), source) }
    })
    const { indexName, indexUuid } = index
    this.searcher = new MemorySearcher({ indexName, indexUuid, mapping: storedQueryMapping(mapping) }, documents)
    this.shown = mapping.mapsUnmappedAsText ? new MemorySearcher(index, documents) : this.searcher
    const similarity = around.isLucene7 ? LUCENE_7 : LUCENE_8
    this.#search = new SearchContext(this.searcher, {
      engineVersion: around.engineVersion,
      now: around.now,
      similarity,
    })
    const isNarrowed = mapping.mapsUnmappedAsText && around.engineVersion === 'Elasticsearch_7.10'
    this.#create = isNarrowed ? (stored, search) => create(withKnownFields(stored, mapping), search) : create
  }

  /** Why the document that fits a query best has its score. */
  explain(query: Query): Explanation | undefined {
    const best = this.#bestDoc(query)
    if (best === undefined) return undefined
    const leaf = this.#search.leaves[0] as Leaf
    return plainly(this.#create(query, this.#search).createWeight(this.#search, 1, true).explain(leaf, best))
  }

  #bestDoc(query: Query): number | undefined {
    const leaf = this.#search.leaves[0] as Leaf
    const scorer = this.#create(query, this.#search).createWeight(this.#search, 1, true).scorer(leaf)
    if (scorer === undefined) return undefined
    const { rootDocs } = leaf.segment
    let best: { readonly doc: number; readonly score: number } | undefined
    for (let doc = scorer.nextDoc(); doc !== NO_MORE_DOCS; doc = scorer.nextDoc()) {
      if (rootDocs !== undefined && !hasBit(rootDocs, doc)) continue
      const score = scorer.score()
      if (best === undefined || score > best.score) best = { doc, score }
    }
    return best?.doc
  }

  /** Runs a query over the documents; undefined: it finds none. */
  match(query: Query, needsScores: boolean): PercolatedMatch | undefined {
    const leaf = this.#search.leaves[0] as Leaf
    const weight = this.#create(query, this.#search).createWeight(this.#search, 1, needsScores)
    const scorer = weight.scorer(leaf)
    if (scorer === undefined) return undefined
    const { rootDocs } = leaf.segment
    const slots: number[] = []
    let score = Number.NEGATIVE_INFINITY
    let found = false
    for (let doc = scorer.nextDoc(); doc !== NO_MORE_DOCS; doc = scorer.nextDoc()) {
      const slot = leaf.segment.seqNo(doc)
      if (rootDocs !== undefined && !hasBit(rootDocs, doc)) {
        if (this.#search.isLucene7) slots.push(-slot - 1)
        continue
      }
      found = true
      slots.push(slot)
      if (needsScores) score = Math.max(score, scorer.score())
    }
    return found ? { score: needsScores ? score : 0, slots } : undefined
  }
}

/** The documents are scored by BM25 whatever the index says, which explanations name. */
function plainly(explanation: Explanation): Explanation {
  return {
    ...explanation,
    description: explanation.description.replace('[PerFieldSimilarity]', '[BM25Similarity]'),
    details: explanation.details.map(plainly),
  }
}

/** Percolations by query: a search asks for one many times. */
const opened = new WeakMap<PercolateQuery, { readonly mapping: IndexMapping; readonly percolation: Percolation }>()

/** The documents of a query, taken apart by an index' mapping. @throws {ServiceError} as the constructor */
export function openPercolation(
  query: PercolateQuery,
  index: IndexSearcher,
  around: SearchContext,
  create: CreateQuery,
): Percolation {
  const known = opened.get(query)
  if (known?.mapping === index.mapping) return known.percolation
  const percolation = new Percolation(query, index, around, create)
  opened.set(query, { mapping: index.mapping, percolation })
  return percolation
}

/** The JSON of the query that a document stores in a field; undefined: none. */
export function storedQueryJson(segment: SegmentReader, path: string, doc: number): string | undefined {
  const column = segment.field(path)?.docValues
  if (column?.kind !== 'binary' || (column.present !== undefined && !hasBit(column.present, doc))) return undefined
  const at = column.offsets === undefined ? doc : (column.offsets[doc] as number)
  if (column.offsets !== undefined && at === column.offsets[doc + 1]) return undefined
  return Buffer.from(column.value(at)).toString('utf8')
}
