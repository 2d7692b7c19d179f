import { ServiceError } from '../../../errors.ts'
import { MemorySearcher } from '../../index/memory-searcher.ts'
import type { SegmentReader } from '../../index/segment-reader.ts'
import { knowsNoField } from '../../mapping/knows-no-field.ts'
import { TYPED_METADATA } from '../../mapping/metadata-fields.ts'
import { docSetIterator, listDocSet } from '../lucene/doc-set.ts'
import { type Explanation, explainMatch, explainNoMatch } from '../lucene/explanation.ts'
import type { Leaf } from '../lucene/leaf.ts'
import { LuceneQuery } from '../lucene/lucene-query.ts'
import { ScoredDocs } from '../lucene/scored-docs.ts'
import type { Scorer } from '../lucene/scorer.ts'
import { SearchContext } from '../lucene/search-context.ts'
import { Weight } from '../lucene/weight.ts'
import type { PercolateQuery, Query } from '../queries/query.ts'
import { failedToCreate, fieldOf, type QueryContext, shardError, typeName } from '../queries/query-context.ts'
import { scriptedKey } from '../script/script-mark.ts'
import { type CreateQuery, openPercolation, type Percolation } from './percolation.ts'
import { StoredQueries } from './stored-queries.ts'
import { rewriteStoredQuery, storedQueryMapping } from './unmapped-as-text.ts'

/** How queries are made for the documents. */
export interface QueryMaking {
  readonly create: CreateQuery
  /** The same, not rewritten for the view. */
  readonly createPlain: CreateQuery
}

/** The DSL's `percolate`: documents that store a query which finds what is given. */
export function percolateQuery(query: PercolateQuery, context: QueryContext, making: QueryMaking): LuceneQuery {
  const { search } = context
  const field = fieldOf(query.field, context)
  if (field?.kind !== 'opaque' || field.type !== 'percolator') {
    const { mapping } = search.searcher
    const isMetadata = !knowsNoField(mapping, query.field) && TYPED_METADATA[mapping.engineVersion].has(query.field)
    const type = field === undefined ? (isMetadata ? query.field : undefined) : typeName(field)
    if (type === undefined) throw shardError(context, `field [${query.field}] does not exist`)
    throw shardError(context, `expected field [${query.field}] to be of type [percolator], but is of type [${type}]`)
  }
  if (query.documents.length === 0) throw new ServiceError('illegal_state_exception', 'no document to percolate')
  const percolation = naming(context, () => openPercolation(query, search.searcher, search, making.create))
  const { indexName, indexUuid, mapping } = search.searcher
  const empty = new MemorySearcher({ indexName, indexUuid, mapping: storedQueryMapping(mapping) })
  const nowhere = new SearchContext(empty, {
    engineVersion: search.engineVersion,
    now: search.now,
  })
  const makePlain = (stored: Query): LuceneQuery | undefined => {
    if (!mapping.mapsUnmappedAsText) return making.createPlain(stored, nowhere)
    const rewritten = rewriteStoredQuery(stored, search.searcher, search.engineVersion)
    return rewritten.kind === 'match_none' ? undefined : making.createPlain(rewritten, nowhere)
  }
  return new PercolateLuceneQuery(field.path, query, percolation, makePlain)
}

/** Tells of a fault of a document that is percolated as of the query. */
function naming<T>(context: QueryContext, open: () => T): T {
  try {
    return open()
  } catch (error) {
    throw error instanceof ServiceError ? failedToCreate(context, error) : error
  }
}

class PercolateLuceneQuery extends LuceneQuery {
  readonly path: string
  readonly query: PercolateQuery
  readonly percolation: Percolation
  readonly makePlain: (query: Query) => LuceneQuery | undefined
  readonly #key = scriptedKey()

  constructor(
    path: string,
    query: PercolateQuery,
    percolation: Percolation,
    makePlain: (query: Query) => LuceneQuery | undefined,
  ) {
    super()
    this.path = path
    this.query = query
    this.percolation = percolation
    this.makePlain = makePlain
  }

  toString(): string {
    return `PercolateQuery{document_sources={${this.query.documents.join(',')}},inner={${this.path}}}`
  }

  // What it finds hangs on documents that are in no index: nothing of it is kept.
  override get key(): string {
    return this.#key
  }

  createWeight({ watch }: SearchContext, _boost: number, needsScores: boolean): Weight {
    return new PercolateWeight(this, watch, needsScores)
  }
}

/** As in the real server, boosts around it do not matter. */
class PercolateWeight extends Weight {
  readonly #made: PercolateLuceneQuery
  readonly #watch: SearchContext['watch']
  /** What was found in the segment asked about last: explaining hits asks again and again. */
  #last: { readonly leaf: Leaf; readonly docs: Int32Array; readonly scores: Float32Array } | undefined

  constructor(made: PercolateLuceneQuery, watch: SearchContext['watch'], needsScores: boolean) {
    super(made, needsScores)
    this.#made = made
    this.#watch = watch
  }

  scorer(leaf: Leaf): Scorer | undefined {
    if (this.#last?.leaf !== leaf) this.#last = { leaf, ...this.#percolate(leaf) }
    const { docs, scores } = this.#last
    if (docs.length === 0) return undefined
    let at = 0
    return new ScoredDocs(docSetIterator(listDocSet(docs)), (doc) => {
      while ((docs[at] as number) < doc) at++
      return scores[at] as number
    })
  }

  #percolate(leaf: Leaf): { readonly docs: Int32Array; readonly scores: Float32Array } {
    const { path, query, percolation, makePlain } = this.#made
    const column = leaf.segment.field(path)?.docValues
    if (column?.kind !== 'binary') return { docs: new Int32Array(0), scores: new Float32Array(0) }
    const stored = new StoredQueries(leaf.segment, path, query)
    const { mapping, segments } = percolation.searcher
    const found = segments[0] as SegmentReader
    const docs: number[] = []
    const scores: number[] = []
    for (const doc of stored.candidates(found, mapping, makePlain, this.#watch)) {
      this.#watch?.turn()
      const match = percolation.match(stored.read(doc) as Query, this.needsScores)
      if (match === undefined) continue
      docs.push(doc)
      scores.push(match.score)
    }
    return { docs: Int32Array.from(docs), scores: Float32Array.from(scores) }
  }

  explain(leaf: Leaf, doc: number): Explanation {
    const { path, query, percolation } = this.#made
    const one = new StoredQueries(leaf.segment, path, query).read(doc)
    const match = one === undefined ? undefined : percolation.match(one, true)
    if (match === undefined) return explainNoMatch('PercolateQuery')
    const inner = one === undefined ? undefined : percolation.explain(one)
    return explainMatch(match.score, 'PercolateQuery', inner === undefined ? [] : [inner])
  }
}
