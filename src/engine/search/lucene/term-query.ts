import { latin1Text } from '../../algorithms/latin1-text.ts'
import type { FieldReader, TermDictionary } from '../../index/segment-reader.ts'
import { javaFloat } from '../../java/java-number-text.ts'
import { toldPath } from '../../mapping/types/text-sub-field.ts'
import { type Explanation, explainMatch, explainNoMatch } from './explanation.ts'
import { KeptArrays } from './kept-arrays.ts'
import type { Leaf } from './leaf.ts'
import { LuceneQuery } from './lucene-query.ts'
import { ScoredPostings } from './scored-postings.ts'
import type { BulkScorer, Scorer } from './scorer.ts'
import type { SearchContext, TermStates } from './search-context.ts'
import type { SimilarityWeight } from './similarity/term-similarity.ts'
import { TermBulkScorer } from './term-bulk-scorer.ts'
import { TermScorer } from './term-scorer.ts'
import type { TopScorer } from './top-scorer.ts'
import { TopTerm } from './top-term.ts'
import { Weight } from './weight.ts'

/** Documents that hold a term. */
export class TermQuery extends LuceneQuery {
  readonly field: string
  readonly term: Uint8Array
  /** Stands in for the term's own document frequency (blended queries). */
  readonly docFreq: number | undefined
  /** Stands in for how often the term is there at all, beside it. */
  readonly totalTermFreq: number | undefined
  /** Where the term is, when that is known already for the view to be searched. */
  readonly states: TermStates | undefined

  constructor(field: string, term: Uint8Array | string, docFreq?: number, states?: TermStates, totalTermFreq?: number) {
    super()
    this.field = field
    this.term = typeof term === 'string' ? Buffer.from(term, 'utf8') : term
    this.docFreq = docFreq
    this.states = states
    this.totalTermFreq = totalTermFreq
  }

  get text(): string {
    return Buffer.from(this.term.buffer, this.term.byteOffset, this.term.byteLength).toString('utf8')
  }

  toString(): string {
    return `${toldPath(this.field)}:${this.text}`
  }

  // TermQuery.equals looks at the term alone, not at borrowed statistics.
  override get key(): string {
    return `TermQuery:${this.field}:${latin1Text(this.term)}`
  }

  createWeight(context: SearchContext, boost: number, needsScores: boolean): TermWeight {
    return new TermWeight(this, context, boost, needsScores)
  }
}

/** By weight and segment; weights live as long as the view they are of. */
const keptPostings = new WeakMap<SimilarityWeight, KeptArrays<ScoredPostings>[]>()

/** A term's statistics and where it is in each segment. */
export class TermWeight extends Weight {
  readonly states: TermStates
  readonly similarity: SimilarityWeight | undefined
  readonly #field: string
  readonly #isLucene7: boolean
  /** False for borrowed statistics: such weights are many and seldom the same again. */
  readonly #isKept: boolean

  constructor(query: TermQuery, context: SearchContext, boost: number, needsScores: boolean) {
    super(query, needsScores)
    this.#field = query.field
    this.#isLucene7 = context.isLucene7
    this.states = query.states ?? context.termStates(query.field, query.term)
    const { docFreq = this.states.docFreq, totalTermFreq } = query
    this.#isKept = docFreq === this.states.docFreq
    if (needsScores) this.similarity = context.termWeight(this.states, docFreq, boost, totalTermFreq)
  }

  scorer(leaf: Leaf): Scorer | undefined {
    const found = this.#find(leaf)
    if (found === undefined) return undefined
    return new TermScorer(found.terms.postings(found.ordinal), this.similarity, found.reader.norms)
  }

  override bulkScorer(leaf: Leaf): BulkScorer | undefined {
    const found = this.#find(leaf)
    if (found === undefined) return undefined
    return new TermBulkScorer(found.terms.postings(found.ordinal), this.similarity, found.reader.norms)
  }

  override topScorer(leaf: Leaf): TopScorer | undefined {
    const postings = this.scoredPostings(leaf)
    return postings === undefined || postings.min < 0 ? undefined : new TopTerm(postings)
  }

  override summedTerms(leaf: Leaf): ScoredPostings[] | undefined {
    if ((this.states.ordinals[leaf.ord] as number) < 0) return []
    const postings = this.scoredPostings(leaf)
    return postings === undefined || postings.min < 0 ? undefined : [postings]
  }

  /**
   * The term's documents in a segment with their scores; undefined when there are none, or they are not scored.
   *
   * @param most  of more documents they are only made when asked for again; undefined the first time
   */
  scoredPostings(leaf: Leaf, most = Number.POSITIVE_INFINITY): ScoredPostings | undefined {
    const ordinal = this.states.ordinals[leaf.ord] as number
    const { similarity } = this
    if (ordinal < 0 || similarity === undefined) return undefined
    if (!this.#isKept) return this.#makePostings(leaf, ordinal, similarity)
    let bySegment = keptPostings.get(similarity)
    if (bySegment === undefined) {
      bySegment = []
      keptPostings.set(similarity, bySegment)
    }
    let kept = bySegment[leaf.ord]
    if (kept === undefined) {
      kept = new KeptArrays()
      bySegment[leaf.ord] = kept
    }
    let made = kept.value
    if (made === undefined) {
      if (this.count(leaf) > most && !kept.isAskedAgain()) return undefined
      made = this.#makePostings(leaf, ordinal, similarity)
      kept.set(made)
    }
    return made
  }

  #makePostings(leaf: Leaf, ordinal: number, similarity: SimilarityWeight): ScoredPostings {
    const { terms, norms } = leaf.segment.field(this.#field) as FieldReader
    return new ScoredPostings((terms as TermDictionary).postings(ordinal), similarity, norms, leaf.segment.maxDoc)
  }

  override count(leaf: Leaf): number {
    const found = this.#find(leaf)
    return found === undefined ? 0 : found.terms.docFreq(found.ordinal)
  }

  explain(leaf: Leaf, doc: number): Explanation {
    const scorer = this.scorer(leaf) as TermScorer | undefined
    if (scorer === undefined || scorer.advance(doc) !== doc) {
      return explainNoMatch('no matching term')
    }
    const { freq } = scorer.postings
    const freqExplanation = explainMatch(
      freq,
      this.#isLucene7 ? `termFreq=${javaFloat(freq)}` : 'freq, occurrences of term within document',
    )
    const norm = leaf.segment.field(this.#field)?.norms?.[doc] ?? -1
    const score = this.similarity?.explain(doc, freqExplanation, norm) ?? explainMatch(0, 'no score')
    return explainMatch(score.value, `weight(${this.query} in ${doc}) [PerFieldSimilarity], result of:`, [score])
  }

  #find(leaf: Leaf): { reader: FieldReader; terms: TermDictionary; ordinal: number } | undefined {
    const ordinal = this.states.ordinals[leaf.ord] as number
    if (ordinal < 0) return undefined
    const reader = leaf.segment.field(this.#field) as FieldReader
    return { reader, terms: reader.terms as TermDictionary, ordinal }
  }
}
