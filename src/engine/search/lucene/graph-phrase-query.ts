import { NO_MORE_DOCS, type PostingsCursor, type TermDictionary } from '../../index/segment-reader.ts'
import { ConjunctionIterator } from './conjunction-scorer.ts'
import { DisjunctionIterator } from './disjunction-iterator.ts'
import type { Explanation } from './explanation.ts'
import type { Leaf } from './leaf.ts'
import { LuceneQuery } from './lucene-query.ts'
import { explainFrequency, spanSimilarity } from './phrase-frequency.ts'
import type { PhrasePlace } from './phrase-query.ts'
import type { DocIterator, Scorer, TwoPhase } from './scorer.ts'
import type { SearchContext } from './search-context.ts'
import { TermScorer } from './term-scorer.ts'
import type { SimilarityWeight } from './term-similarity.ts'
import { Weight } from './weight.ts'

/** Ways of words that may stand at one stretch of the phrase; each way's words have one term a place. */
export type PhraseStretch = readonly (readonly PhrasePlace[])[]

/**
 * A phrase some of whose words have alternatives of several words: stretches one behind the other, with up to `slop`
 * places between them (what Lucene makes of a token graph: ordered near spans over alternatives).
 */
export class GraphPhraseQuery extends LuceneQuery {
  readonly field: string
  readonly stretches: readonly PhraseStretch[]
  readonly slop: number

  constructor(field: string, stretches: readonly PhraseStretch[], slop: number) {
    super()
    this.field = field
    this.stretches = stretches
    this.slop = slop
  }

  toString(): string {
    const near = (parts: readonly string[]): string =>
      parts.length === 1 ? (parts[0] as string) : `spanNear([${parts.join(', ')}], 0, true)`
    const either = (parts: readonly string[]): string =>
      parts.length === 1 ? (parts[0] as string) : `spanOr([${parts.join(', ')}])`
    const parts = this.stretches.map((ways) =>
      either(ways.map((way) => near(way.map(({ terms }) => `${this.field}:${terms[0]}`)))),
    )
    return parts.length === 1 ? (parts[0] as string) : `spanNear([${parts.join(', ')}], ${this.slop}, true)`
  }

  override get key(): string {
    return `GraphPhraseQuery:${this.field}:${this.slop}:${JSON.stringify(this.stretches)}`
  }

  createWeight(context: SearchContext, boost: number, needsScores: boolean): Weight {
    return new GraphPhraseWeight(this, context, boost, needsScores)
  }
}

class GraphPhraseWeight extends Weight {
  readonly #phrase: GraphPhraseQuery
  readonly #similarity: SimilarityWeight | undefined
  readonly #isLucene7: boolean

  constructor(query: GraphPhraseQuery, context: SearchContext, boost: number, needsScores: boolean) {
    super(query, needsScores)
    this.#phrase = query
    this.#isLucene7 = context.isLucene7
    if (!needsScores) return
    const terms = new Set(
      query.stretches.flatMap((ways) => ways.flatMap((way) => way.map((place) => place.terms[0] as string))),
    )
    const placed = [...terms].map((term) => ({ field: query.field, term }))
    this.#similarity = spanSimilarity(context, query.field, boost, placed)
  }

  scorer(leaf: Leaf): GraphPhraseScorer | undefined {
    const { field, stretches, slop } = this.#phrase
    const reader = leaf.segment.field(field)
    const dictionary = reader?.terms
    if (reader === undefined || dictionary === undefined || !dictionary.hasPositions) return undefined
    const open = stretches.map((ways) => new StretchSpans(ways, dictionary))
    if (open.some(({ isEmpty }) => isEmpty)) return undefined
    return new GraphPhraseScorer(open, slop, this.#similarity, reader.norms, this.#isLucene7)
  }

  explain(leaf: Leaf, doc: number): Explanation {
    const of = { query: this.query, field: this.#phrase.field, similarity: this.#similarity }
    return explainFrequency(of, this.scorer(leaf), leaf, doc)
  }
}

/** Where the ways of one stretch stand in a document. */
class StretchSpans {
  readonly iterator: DocIterator
  readonly isEmpty: boolean
  /** Starts and ends (exclusive) in the current document, by start, then end. */
  spans: (readonly [start: number, end: number])[] = []
  readonly #ways: readonly (readonly { readonly cursor: PostingsCursor; readonly offset: number }[])[]

  constructor(ways: PhraseStretch, dictionary: TermDictionary) {
    const cursors = new Map<string, PostingsCursor | undefined>()
    const cursorOf = (term: string): PostingsCursor | undefined => {
      if (!cursors.has(term)) {
        const ordinal = dictionary.find(Buffer.from(term))
        cursors.set(term, ordinal < 0 ? undefined : dictionary.postings(ordinal))
      }
      return cursors.get(term)
    }
    this.#ways = ways.flatMap((way) => {
      const first = way[0]?.position ?? 0
      const words = way.flatMap(({ terms, position }) => {
        const cursor = cursorOf(terms[0] as string)
        return cursor === undefined ? [] : [{ cursor, offset: position - first }]
      })
      // A way one of whose words nothing holds leads nowhere.
      return words.length === way.length ? [words] : []
    })
    const used = new Set(this.#ways.flat().map(({ cursor }) => cursor))
    this.isEmpty = used.size === 0
    this.iterator = new DisjunctionIterator([...used].map((cursor) => new TermScorer(cursor, undefined, undefined)))
  }

  load(): void {
    const { doc } = this.iterator
    this.spans = []
    for (const way of this.#ways) {
      if (way.some(({ cursor }) => cursor.doc !== doc)) continue
      const lists = way.map(
        ({ cursor, offset }) => new Set(Array.from(cursor.positions().subarray(0, cursor.freq), (p) => p - offset)),
      )
      const length = (way.at(-1)?.offset ?? 0) + 1
      for (const start of lists[0] as Set<number>) {
        if (lists.every((list) => list.has(start))) this.spans.push([start, start + length])
      }
    }
    this.spans.sort((a, b) => a[0] - b[0] || a[1] - b[1])
  }
}

class GraphPhraseScorer implements Scorer {
  readonly cost: number
  readonly twoPhase: TwoPhase
  /** How often the phrase is in the current document. */
  freq = 0
  readonly #conjunction: ConjunctionIterator
  readonly #stretches: readonly StretchSpans[]
  readonly #slop: number
  readonly #similarity: SimilarityWeight | undefined
  readonly #norms: Uint8Array | undefined
  readonly #isLucene7: boolean

  constructor(
    stretches: readonly StretchSpans[],
    slop: number,
    similarity: SimilarityWeight | undefined,
    norms: Uint8Array | undefined,
    isLucene7: boolean,
  ) {
    this.#isLucene7 = isLucene7
    this.#stretches = stretches
    this.#slop = slop
    this.#similarity = similarity
    this.#norms = norms
    this.#conjunction = new ConjunctionIterator(stretches.map(({ iterator }) => iterator))
    this.cost = this.#conjunction.cost
    this.twoPhase = { approximation: this.#conjunction, matches: () => this.#matches() }
  }

  get doc(): number {
    return this.#conjunction.doc
  }
  nextDoc(): number {
    return this.#confirm(this.#conjunction.nextDoc())
  }
  advance(target: number): number {
    return this.#confirm(this.#conjunction.advance(target))
  }
  score(): number {
    return this.#similarity?.score(this.freq, this.#norms === undefined ? -1 : (this.#norms[this.doc] as number)) ?? 0
  }

  #confirm(doc: number): number {
    while (doc !== NO_MORE_DOCS && !this.#matches()) doc = this.#conjunction.nextDoc()
    return doc
  }

  /** From each place of the first stretch the others follow at their first place behind it, and none goes back. */
  #matches(): boolean {
    const stretches = this.#stretches
    for (const stretch of stretches) stretch.load()
    const at = stretches.map(() => 0)
    this.freq = 0
    const first = (stretches[0] as StretchSpans).spans
    for (const [, firstEnd] of first) {
      let end = firstEnd
      let width = 0
      for (let i = 1; i < stretches.length; i++) {
        const { spans } = stretches[i] as StretchSpans
        let k = at[i] as number
        while (k < spans.length && (spans[k] as readonly [number, number])[0] < end) k++
        at[i] = k
        const span = spans[k]
        if (span === undefined) return this.freq > 0
        width += span[0] - end
        end = span[1]
      }
      if (width > this.#slop) continue
      const part = 1 / (width + 1)
      // From Lucene 8 on the sum alone is a float, not what is added.
      this.freq = Math.fround(this.freq + (this.#isLucene7 ? Math.fround(part) : part))
    }
    return this.freq > 0
  }
}
