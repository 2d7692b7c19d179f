import { NO_MORE_DOCS } from '../../index/segment-reader.ts'
import { javaFloat } from '../../java/java-number-text.ts'
import { type DisjunctionEntry, DisjunctionIterator } from './disjunction-iterator.ts'
import { type Explanation, explainCount, explainMatch, explainNoMatch } from './explanation.ts'
import type { Leaf } from './leaf.ts'
import { LuceneQuery } from './lucene-query.ts'
import type { Scorer } from './scorer.ts'
import type { SearchContext, TermStates } from './search-context.ts'
import type { SimilarityWeight } from './similarity/term-similarity.ts'
import { TermQuery } from './term-query.ts'
import { TermScorer } from './term-scorer.ts'
import { Weight } from './weight.ts'

/** Several terms of a field that count as one word: frequencies add up, the commonest one's statistics are used. */
export class SynonymQuery extends LuceneQuery {
  readonly field: string
  readonly terms: readonly string[]

  constructor(field: string, terms: readonly string[]) {
    super()
    this.field = field
    // A term that comes twice counts twice.
    this.terms = [...terms].sort()
  }

  toString(): string {
    return `Synonym(${this.terms.map((term) => `${this.field}:${term}`).join(' ')})`
  }

  override rewrite(): LuceneQuery {
    return this.terms.length === 1 ? new TermQuery(this.field, this.terms[0] as string) : this
  }

  createWeight(context: SearchContext, boost: number, needsScores: boolean): Weight {
    return new SynonymWeight(this, context, boost, needsScores)
  }
}

class SynonymWeight extends Weight {
  readonly #field: string
  readonly #states: readonly TermStates[]
  readonly #similarity: SimilarityWeight | undefined
  /** Whether a document has each of the terms once, and no norm. */
  readonly #once: boolean
  readonly #isLucene7: boolean

  constructor(query: SynonymQuery, context: SearchContext, boost: number, needsScores: boolean) {
    super(query, needsScores)
    this.#field = query.field
    this.#isLucene7 = context.isLucene7
    this.#states = query.terms.map((term) => context.termStates(query.field, Buffer.from(term)))
    const collection = context.collectionStatistics(query.field)
    const similarity = context.similarity(query.field)
    this.#once = similarity.ofSynonyms !== undefined
    if (needsScores && collection !== undefined) {
      const terms = this.#states.map(({ docFreq, totalTermFreq }, i) =>
        context.termStatistics(query.field, { term: query.terms[i] as string, docFreq, totalTermFreq }),
      )
      const docFreq = Math.max(...terms.map((term) => term.docFreq))
      const totalTermFreq = terms.reduce((sum, term) => sum + term.totalTermFreq, 0)
      const together = [{ term: query.terms.join(' '), docFreq, totalTermFreq }]
      this.#similarity = (similarity.ofSynonyms ?? similarity).weigh(
        boost,
        context.fieldStatistics(collection),
        together,
      )
    }
  }

  scorer(leaf: Leaf): Scorer | undefined {
    return this.#open(leaf)
  }

  explain(leaf: Leaf, doc: number): Explanation {
    const scorer = this.#open(leaf)
    if (scorer === undefined || scorer.advance(doc) !== doc) return explainNoMatch('no matching term')
    const freq = scorer instanceof TermScorer ? scorer.postings.freq : scorer.freq
    const norm = (this.#once ? undefined : leaf.segment.field(this.#field)?.norms?.[doc]) ?? -1
    const freqExplanation = this.#isLucene7
      ? explainMatch(freq, `termFreq=${javaFloat(freq)}`)
      : explainCount(freq, `termFreq=${javaFloat(freq)}`)
    const score = this.#similarity?.explain(doc, freqExplanation, norm) ?? explainMatch(0, 'no score')
    return explainMatch(score.value, `weight(${this.query} in ${doc}) [PerFieldSimilarity], result of:`, [score])
  }

  #open(leaf: Leaf): SynonymScorer | TermScorer | undefined {
    const reader = leaf.segment.field(this.#field)
    const dictionary = reader?.terms
    if (reader === undefined || dictionary === undefined) return undefined
    const scorers: TermScorer[] = []
    for (const { ordinals } of this.#states) {
      const ordinal = ordinals[leaf.ord] as number
      if (ordinal >= 0) scorers.push(new TermScorer(dictionary.postings(ordinal), this.#similarity, reader.norms))
    }
    if (scorers.length === 0 || (scorers.length === 1 && !this.#once)) return scorers[0]
    return new SynonymScorer(scorers, this.#similarity, this.#once ? undefined : reader.norms, this.#once)
  }
}

class SynonymScorer implements Scorer {
  readonly cost: number
  readonly #iterator: DisjunctionIterator
  readonly #top: DisjunctionEntry[] = []
  readonly #similarity: SimilarityWeight | undefined
  readonly #norms: Uint8Array | undefined
  readonly #once: boolean

  constructor(
    scorers: readonly TermScorer[],
    similarity: SimilarityWeight | undefined,
    norms: Uint8Array | undefined,
    once: boolean,
  ) {
    this.#once = once
    this.#iterator = new DisjunctionIterator(scorers)
    this.#similarity = similarity
    this.#norms = norms
    this.cost = this.#iterator.cost
  }

  get twoPhase(): undefined {
    return undefined
  }
  get doc(): number {
    return this.#iterator.doc
  }
  nextDoc(): number {
    return this.#iterator.nextDoc()
  }
  advance(target: number): number {
    return this.#iterator.advance(target)
  }

  /** Occurrences of all the terms in the current document. */
  get freq(): number {
    let freq = 0
    if (this.doc === NO_MORE_DOCS) return 0
    const top = this.#top
    for (let i = this.#iterator.onTop(top) - 1; i >= 0; i--) {
      freq += this.#once ? 1 : ((top[i] as DisjunctionEntry).scorer as TermScorer).postings.freq
    }
    return freq
  }

  score(): number {
    return this.#similarity?.score(this.freq, this.#norms === undefined ? -1 : (this.#norms[this.doc] as number)) ?? 0
  }
}
