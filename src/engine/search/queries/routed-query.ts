import type { IndexSearcher } from '../../index/index-searcher.ts'
import { documentShard } from '../document-shard.ts'
import { hasBit } from '../lucene/bit-set.ts'
import { CheckedScorer } from '../lucene/constant-score.ts'
import { docSetIterator } from '../lucene/doc-set.ts'
import { type Explanation, explainMatch, explainNoMatch } from '../lucene/explanation.ts'
import type { Leaf } from '../lucene/leaf.ts'
import { LuceneQuery } from '../lucene/lucene-query.ts'
import type { Scorer } from '../lucene/scorer.ts'
import type { SearchContext } from '../lucene/search-context.ts'
import { Weight } from '../lucene/weight.ts'
import type { RoutedQuery } from './query.ts'

/** Numbers of views: a kept answer must not outlive its own, which alone has the records of what is deleted later. */
const viewIds = new WeakMap<object, number>()
let lastViewId = 0

/**
 * Documents that are in some of their index' shards: an index is stored whole, so a document's shard is worked out from
 * its routing when somebody asks, once a document.
 */
export class RoutedDocsQuery extends LuceneQuery {
  readonly #query: RoutedQuery
  readonly #searcher: IndexSearcher

  constructor(query: RoutedQuery, searcher: IndexSearcher) {
    super()
    this.#query = query
    this.#searcher = searcher
  }

  toString(): string {
    return `_shards:(${this.#query.shards.join(' ')})`
  }

  override get key(): string {
    const { segments } = this.#searcher
    const id = viewIds.get(segments) ?? ++lastViewId
    viewIds.set(segments, id)
    return `RoutedDocsQuery:${id}:${this.#query.shards.join(' ')}`
  }

  createWeight(_context: SearchContext, boost: number, needsScores: boolean): Weight {
    return new RoutedDocsWeight(this, (leaf, doc) => this.#isIn(leaf, doc), boost, needsScores)
  }

  #isIn({ segment }: Leaf, doc: number): boolean {
    // What is deleted may have no record any more.
    if (segment.liveDocs !== undefined && !hasBit(segment.liveDocs, doc)) return false
    const shard = documentShard(this.#searcher, segment, doc, this.#query.shardOf)
    return this.#query.shards.includes(shard)
  }
}

class RoutedDocsWeight extends Weight {
  readonly #isIn: (leaf: Leaf, doc: number) => boolean
  readonly #boost: number

  constructor(
    query: { toString(): string },
    isIn: (leaf: Leaf, doc: number) => boolean,
    boost: number,
    needsScores: boolean,
  ) {
    super(query, needsScores)
    this.#isIn = isIn
    this.#boost = boost
  }

  override get constantScore(): number {
    return this.#boost
  }

  scorer(leaf: Leaf): Scorer {
    const approximation = docSetIterator({ kind: 'all', count: leaf.segment.maxDoc })
    return new CheckedScorer({ approximation, matches: () => this.#isIn(leaf, approximation.doc) }, this.#boost)
  }

  explain(leaf: Leaf, doc: number): Explanation {
    return this.#isIn(leaf, doc)
      ? explainMatch(this.#boost, String(this.query))
      : explainNoMatch(`${this.query} doesn't match id ${doc}`)
  }
}
