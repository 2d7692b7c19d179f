import { keptNearTermSearch } from '../terms/kept-near-terms.ts'
import { BooleanQuery } from './boolean-query.ts'
import { BoostQuery } from './boost-query.ts'
import { LuceneQuery } from './lucene-query.ts'
import { MatchNoDocsQuery } from './match-no-docs-query.ts'
import type { SearchContext } from './search-context.ts'
import { TermQuery } from './term-query.ts'
import type { Weight } from './weight.ts'

const fround = Math.fround

/** How near a term must be. */
export interface FuzzyOptions {
  /** 0, 1 or 2. */
  readonly maxEdits: number
  readonly prefixLength: number
  readonly transpositions: boolean
  /** The nearest terms are taken, this many at most. */
  readonly maxExpansions: number
}

/** A near term. */
export interface Expansion {
  readonly bytes: Buffer
  readonly boost: number
}

/**
 * Documents that hold a term near another one: the nearest terms as a disjunction, boosted by likeness. They share the
 * largest document frequency, so that a rare misspelling does not outrank the word (top_terms_blended_freqs).
 */
export class FuzzyQuery extends LuceneQuery {
  readonly field: string
  readonly text: string
  readonly options: FuzzyOptions

  constructor(field: string, text: string, options: FuzzyOptions) {
    super()
    this.field = field
    this.text = text
    this.options = options
  }

  toString(): string {
    return `${this.field}:${this.text}~${this.options.maxEdits}`
  }

  override get key(): string {
    const { maxEdits, prefixLength, transpositions, maxExpansions } = this.options
    return `FuzzyQuery:${this.field}:${maxEdits}:${prefixLength}:${transpositions}:${maxExpansions}:${this.text}`
  }

  override rewrite(context: SearchContext): LuceneQuery {
    return context.rewritten<LuceneQuery>(this.key, () => this.#nearest(context))
  }

  #nearest(context: SearchContext): LuceneQuery {
    const { maxExpansions } = this.options
    const found = this.expansions(context)
      .sort((a, b) => b.boost - a.boost || Buffer.compare(a.bytes, b.bytes))
      .slice(0, maxExpansions)
      .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
      .map(({ bytes, boost }) => ({ boost, states: context.termStates(this.field, bytes) }))
      .filter(({ states }) => states.docFreq > 0)
    if (found.length === 0) return new MatchNoDocsQuery('empty BooleanQuery')
    const docFreq = Math.max(...found.map(({ states }) => states.docFreq))
    return new BooleanQuery(
      found.map(({ boost, states }) => {
        const term = new TermQuery(this.field, states.term, docFreq, states)
        return { occur: 'should', query: boost === 1 ? term : new BoostQuery(term, boost) }
      }),
    )
  }

  /** All terms near enough, in no order, with boosts by likeness. */
  expansions(context: SearchContext): Expansion[] {
    const length = Array.from(this.text).length
    const { maxEdits, prefixLength } = this.options
    // Nothing is like a word without letters; until Lucene 8 nothing was added to one that is all prefix.
    const isWhole = length === 0 || (context.isLucene7 && prefixLength >= length)
    if (maxEdits === 0 || isWhole) {
      const bytes = Buffer.from(this.text)
      return context.termStates(this.field, bytes).docFreq > 0 ? [{ bytes, boost: 1 }] : []
    }
    return this.#nearTerms(context, length)
  }

  createWeight(): Weight {
    throw new Error('a fuzzy query is rewritten first')
  }

  #nearTerms(context: SearchContext, length: number): Expansion[] {
    const found = new Map<string, Expansion>()
    const search = keptNearTermSearch(this.text, this.options)
    for (const { segment } of context.leaves) {
      const terms = segment.field(this.field)?.terms
      if (terms === undefined) continue
      for (const near of search(terms)) {
        // boost = 1 - edits / length of the shorter one, in float; what has nothing in common scores 0
        const boost = near.edits === 0 ? 1 : Math.max(0, fround(1 - fround(near.edits / Math.min(near.length, length))))
        const text = terms.termText(near.ordinal)
        if (!found.has(text)) found.set(text, { bytes: Buffer.from(terms.term(near.ordinal)), boost })
      }
    }
    return [...found.values()]
  }
}
