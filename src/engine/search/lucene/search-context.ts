import { latin1Text } from '../../algorithms/latin1-text.ts'
import type { EngineVersion } from '../../engine-version.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import type { IndexMapping } from '../../mapping/index-mapping.ts'
import type { QueryProfiler } from '../profile/query-profiler.ts'
import { scriptedKeys } from '../script/script-mark.ts'
import type { SearchWatch } from '../search-watch.ts'
import type { Leaf } from './leaf.ts'
import type { CollectionStatistics } from './similarity/collection-statistics.ts'
import type { StatisticsInstead } from './similarity/gathered-statistics.ts'
import { similarityNamed } from './similarity/similarity.ts'
import type { Similarity, SimilarityWeight, TermStatistics } from './similarity/term-similarity.ts'

/** Where a term stands in each segment and how often it occurs in all. */
export interface TermStates {
  readonly field: string
  readonly term: Uint8Array
  /** Ordinal by segment; -1 where the term does not occur. */
  readonly ordinals: Int32Array
  readonly docFreq: number
  readonly totalTermFreq: number
}

/** What changes how a query is understood. */
export interface SearchOptions {
  readonly engineVersion?: EngineVersion
  /** What `now` means, ms since 1970. */
  readonly now?: number
  /** Measures queries. */
  readonly profiler?: QueryProfiler | undefined
  /** Told of each run of a script. */
  readonly watch?: SearchWatch | undefined
  /** How the terms of all fields are scored; undefined: as the mapping says of each. */
  readonly similarity?: Similarity | undefined
  /** What terms are scored by; undefined: by the statistics of the index. */
  readonly statistics?: StatisticsInstead | undefined
}

/** Terms whose states are kept for a view at most. */
const MAX_KEPT_TERMS = 4096
/** Terms whose weights, with their tables of scores, are kept for a view at most. */
const MAX_KEPT_WEIGHTS = 4096

/** Queries whose terms took long to find that are kept for a view at most. */
const MAX_KEPT_QUERIES = 512

/** What is known of one state of an index, for all searches of it. */
interface KnownView {
  readonly leaves: readonly Leaf[]
  readonly statistics: Map<string, CollectionStatistics | undefined>
  readonly terms: Map<string, TermStates>
  readonly termWeights: Map<string, SimilarityWeight>
  readonly rewritten: Map<string, unknown>
}

/** By the list of segments, which all views of one state share. */
const knownViews = new WeakMap<IndexSearcher['segments'], KnownView>()

/** One view of an index while a query is compiled and run against it. */
export class SearchContext {
  readonly searcher: IndexSearcher
  readonly mapping: IndexMapping
  readonly leaves: readonly Leaf[]
  readonly engineVersion: EngineVersion
  /** True for Elasticsearch 6.x, whose Lucene is 7. */
  readonly isLucene7: boolean
  /** True for OpenSearch 2.x; between the two lies the Lucene 8 of Elasticsearch 7.10. */
  readonly isLucene9: boolean
  readonly now: number
  /** Measures the queries of the search, where that is asked for. */
  readonly profiler: QueryProfiler | undefined
  /** Told of each run of a script. */
  readonly watch: SearchWatch | undefined
  /** Of all fields, whatever the mapping says. */
  readonly #similarity: Similarity | undefined
  readonly #statistics: StatisticsInstead | undefined
  readonly #view: KnownView
  readonly #scriptsBefore = scriptedKeys()

  constructor(searcher: IndexSearcher, options: SearchOptions = {}) {
    this.searcher = searcher
    this.mapping = searcher.mapping
    let view = knownViews.get(searcher.segments)
    if (view === undefined) {
      const leaves = searcher.segments.map((segment, ord) => ({
        segment,
        ord,
        docBase: searcher.docBases[ord] as number,
      }))
      view = { leaves, statistics: new Map(), terms: new Map(), termWeights: new Map(), rewritten: new Map() }
      knownViews.set(searcher.segments, view)
    }
    this.leaves = view.leaves
    this.#view = view
    this.engineVersion = options.engineVersion ?? 'Elasticsearch_6.8'
    this.isLucene7 = this.engineVersion === 'Elasticsearch_6.8'
    this.isLucene9 = this.engineVersion === 'OpenSearch_2.19'
    this.now = options.now ?? Date.now()
    this.profiler = options.profiler
    this.watch = options.watch
    this.#similarity = options.similarity
    this.#statistics = options.statistics
  }

  /** Most clauses of a boolean query: `indices.query.bool.max_clause_count`, of which a server has 1024 unless told otherwise. */
  get maxClauses(): number {
    return this.searcher.maxClauses ?? 1_024
  }

  /** Whether a query made since runs a script; the keys of queries tell which, but take longer to ask. */
  get mayRunScripts(): boolean {
    return scriptedKeys() !== this.#scriptsBefore
  }

  /** Statistics of a field; undefined when no document has a term of it. */
  collectionStatistics(field: string): CollectionStatistics | undefined {
    const known = this.#view.statistics
    if (known.has(field)) return known.get(field)
    let docCount = 0
    let sumTotalTermFreq = 0
    let sumDocFreq = 0
    for (const { segment } of this.leaves) {
      const reader = segment.field(field)
      if (reader?.terms === undefined) continue
      docCount += reader.docCount
      sumDocFreq += reader.sumDocFreq
      if (reader.sumTotalTermFreq < 0 || sumTotalTermFreq < 0) sumTotalTermFreq = -1
      else sumTotalTermFreq += reader.sumTotalTermFreq
    }
    const statistics =
      docCount === 0 ? undefined : { field, maxDoc: this.searcher.maxDoc, docCount, sumTotalTermFreq, sumDocFreq }
    known.set(field, statistics)
    return statistics
  }

  /** Looks a term up in every segment. */
  termStates(field: string, term: Uint8Array): TermStates {
    const { terms } = this.#view
    const name = `${field} ${latin1Text(term)}`
    let states = terms.get(name)
    if (states === undefined) {
      states = this.#findTerm(field, term)
      if (terms.size >= MAX_KEPT_TERMS) terms.delete(terms.keys().next().value as string)
      terms.set(name, states)
    }
    return states
  }

  /**
   * What a query becomes for this view, by its key: kept, since its terms take long to find.
   *
   * @throws {OverrunError} where the search has taken its time: a query may have a thousand of them
   */
  rewritten<T>(key: string, rewrite: () => T): T {
    const { rewritten } = this.#view
    const name = `${this.engineVersion} ${key}`
    let query = rewritten.get(name) as T | undefined
    if (query === undefined) {
      this.watch?.requireClient()
      query = rewrite()
      if (rewritten.size >= MAX_KEPT_QUERIES) rewritten.delete(rewritten.keys().next().value as string)
      rewritten.set(name, query)
    }
    return query
  }

  #findTerm(field: string, term: Uint8Array): TermStates {
    const ordinals = new Int32Array(this.leaves.length).fill(-1)
    let docFreq = 0
    let totalTermFreq = 0
    for (let i = 0; i < ordinals.length; i++) {
      const terms = (this.leaves[i] as Leaf).segment.field(field)?.terms
      if (terms === undefined) continue
      const ordinal = terms.find(term)
      if (ordinal < 0) continue
      ordinals[i] = ordinal
      docFreq += terms.docFreq(ordinal)
      totalTermFreq += terms.totalTermFreq(ordinal)
    }
    return { field, term, ordinals, docFreq, totalTermFreq }
  }

  /**
   * How a term is scored; the same for all queries of a view.
   *
   * @param docFreq  stands in for the term's own
   */
  termWeight(
    { field, term, docFreq: own, totalTermFreq: ownTotal }: TermStates,
    docFreq: number,
    boost: number,
    totalTermFreq = ownTotal,
  ): SimilarityWeight | undefined {
    const collection = this.collectionStatistics(field)
    if (collection === undefined) return undefined
    const text = Buffer.from(term.buffer, term.byteOffset, term.byteLength).toString('utf8')
    const terms = [{ term: text, docFreq, totalTermFreq }]
    // Blended terms are many and seldom the same again.
    if (docFreq !== own || this.#statistics !== undefined) return this.weigh(boost, collection, terms)
    const { termWeights } = this.#view
    const borrowed = totalTermFreq === ownTotal ? '' : ` ${totalTermFreq}`
    const name = `${this.engineVersion} ${boost} ${field} ${text}${borrowed}`
    let weight = termWeights.get(name)
    if (weight === undefined) {
      weight = this.similarity(field).weigh(boost, collection, terms)
      if (termWeights.size >= MAX_KEPT_WEIGHTS) termWeights.delete(termWeights.keys().next().value as string)
      termWeights.set(name, weight)
    }
    return weight
  }

  /** How terms of a field are scored together; undefined: there are none. */
  weigh(boost: number, own: CollectionStatistics, terms: readonly TermStatistics[]): SimilarityWeight | undefined {
    const { field } = own
    // Asked for where the index has none of the terms, too: others may.
    const collection = this.fieldStatistics(own)
    if (terms.length === 0) return undefined
    const scored = this.#statistics === undefined ? terms : terms.map((term) => this.termStatistics(field, term))
    return this.similarity(field).weigh(boost, collection, scored)
  }

  /** What a field's terms are scored by, in the place of its own statistics. */
  fieldStatistics(own: CollectionStatistics): CollectionStatistics {
    return this.#statistics?.field(own) ?? own
  }

  /** What a term is scored by, in the place of its own statistics. */
  termStatistics(field: string, own: TermStatistics): TermStatistics {
    return own.docFreq === 0 ? own : (this.#statistics?.term(field, own) ?? own)
  }

  /** How a field's terms are scored. */
  similarity(field: string): Similarity {
    if (this.#similarity !== undefined) return this.#similarity
    const mapping: FieldMapping | undefined = this.mapping.field(field)
    const scored = mapping?.kind === 'text' || mapping?.kind === 'keyword' ? mapping : undefined
    return similarityNamed(scored?.similarity ?? 'BM25', scored?.similarityParameters ?? {}, this.engineVersion)
  }
}
