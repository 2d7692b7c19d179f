import { type DocSet, docSetHas, docSetIterator } from './doc-set.ts'
import { type Explanation, explainMatch, explainNoMatch } from './explanation.ts'
import type { Leaf } from './leaf.ts'
import { LuceneQuery } from './lucene-query.ts'
import { ScoredDocs } from './scored-docs.ts'
import type { Scorer } from './scorer.ts'
import type { SearchContext } from './search-context.ts'
import { Weight } from './weight.ts'

/** The documents of a segment and what each scores. */
export interface DocScores {
  readonly docs: DocSet
  /** A document of the set's score as a 32-bit float, for a boost. */
  readonly score: (doc: number, boost: number) => number
  /** Why it scores so, or why it is none of the set; undefined: the query is all there is to say. */
  readonly explain?: (doc: number, boost: number) => Explanation
}

/** A set of documents that score by what they hold in a column. */
export class DocScoreQuery extends LuceneQuery {
  readonly #text: string
  readonly #key: string
  readonly open: (leaf: Leaf) => DocScores | undefined
  readonly #rewritten: (() => string) | undefined

  /**
   * @param text  Lucene's toString
   * @param open  undefined: no document of the segment matches
   * @param key  tells the query from others, where the text does not
   * @param rewritten  its text from then on
   */
  constructor(
    text: string,
    open: (leaf: Leaf) => DocScores | undefined,
    key = text,
    rewritten?: (() => string) | undefined,
  ) {
    super()
    this.#text = text
    this.#key = key
    this.open = open
    this.#rewritten = rewritten
  }

  toString(): string {
    return this.#text
  }

  override get key(): string {
    return `DocScoreQuery:${this.#key}`
  }

  override rewrite(): LuceneQuery {
    return this.#rewritten === undefined ? this : new DocScoreQuery(this.#rewritten(), this.open, this.#key)
  }

  createWeight(_context: SearchContext, boost: number, needsScores: boolean): Weight {
    return new DocScoreWeight(this, boost, needsScores)
  }
}

class DocScoreWeight extends Weight {
  readonly #open: DocScoreQuery['open']
  readonly #boost: number

  constructor(query: DocScoreQuery, boost: number, needsScores: boolean) {
    super(query, needsScores)
    this.#open = query.open
    this.#boost = boost
  }

  scorer(leaf: Leaf): Scorer | undefined {
    const opened = this.#open(leaf)
    if (opened === undefined) return undefined
    const { docs, score } = opened
    return new ScoredDocs(docSetIterator(docs), (doc) => score(doc, this.#boost))
  }

  override count(leaf: Leaf): number {
    return this.#open(leaf)?.docs.count ?? 0
  }

  explain(leaf: Leaf, doc: number): Explanation {
    const opened = this.#open(leaf)
    if (opened?.explain !== undefined) return opened.explain(doc, this.#boost)
    if (opened === undefined || !docSetHas(opened.docs, doc)) return explainNoMatch(`${this.query} has no value`)
    return explainMatch(opened.score(doc, this.#boost), String(this.query))
  }
}
