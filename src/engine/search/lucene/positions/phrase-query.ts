import { type FieldReader, NO_MORE_DOCS, type TermDictionary } from '../../../index/segment-reader.ts'
import { faultInQueryPhase } from '../../query-phase.ts'
import { BooleanQuery } from '../boolean-query.ts'
import { ConjunctionIterator } from '../conjunction-scorer.ts'
import { type Explanation, explainNoMatch } from '../explanation.ts'
import type { Leaf } from '../leaf.ts'
import { LuceneQuery } from '../lucene-query.ts'
import { MatchNoDocsQuery } from '../match-no-docs-query.ts'
import type { Scorer, TwoPhase } from '../scorer.ts'
import type { SearchContext, TermStates } from '../search-context.ts'
import type { SimilarityWeight } from '../similarity/term-similarity.ts'
import { TermQuery } from '../term-query.ts'
import { NO_TOP, type TopScorer } from '../top-scorer.ts'
import { Weight } from '../weight.ts'
import { exactOccurrences } from './exact-phrase.ts'
import { explainFrequency } from './phrase-frequency.ts'
import { arePlacesWorthMaking, placeStarts, termPlaces } from './phrase-places.ts'
import { PhraseSlot } from './phrase-slot.ts'
import { SloppyPhrase } from './sloppy-phrase.ts'
import { fitsMargin, type PlacedWord, TopPhrase } from './top-phrase.ts'

/** One place of a phrase and the terms that may stand there. */
export interface PhrasePlace {
  readonly terms: readonly string[]
  /** Distance from the phrase's first place. */
  readonly position: number
}

/** Terms one behind the other, up to `slop` moves (Lucene's PhraseQuery and MultiPhraseQuery). */
export class PhraseQuery extends LuceneQuery {
  readonly field: string
  readonly places: readonly PhrasePlace[]
  readonly slop: number

  constructor(field: string, places: readonly PhrasePlace[], slop: number) {
    super()
    const first = places[0]?.position ?? 0
    this.field = field
    this.places = first === 0 ? places : places.map(({ terms, position }) => ({ terms, position: position - first }))
    this.slop = slop
  }

  toString(): string {
    const words: string[] = []
    for (const { terms, position } of this.places) {
      const text = terms.length === 1 ? (terms[0] as string) : `(${terms.join(' ')})`
      words[position] = words[position] === undefined ? text : `${words[position]}|${text}`
    }
    const phrase = Array.from(words, (word) => word ?? '?').join(' ')
    return `${this.field}:"${phrase}"${this.slop > 0 ? `~${this.slop}` : ''}`
  }

  override get key(): string {
    return `PhraseQuery:${this.field}:${this.slop}:${JSON.stringify(this.places)}`
  }

  override rewrite(): LuceneQuery {
    const [only] = this.places
    if (only === undefined || this.places.some(({ terms }) => terms.length === 0))
      return new MatchNoDocsQuery('empty PhraseQuery')
    if (this.places.length > 1) return this
    if (only.terms.length === 1) return new TermQuery(this.field, only.terms[0] as string)
    return new BooleanQuery(only.terms.map((term) => ({ occur: 'should', query: new TermQuery(this.field, term) })))
  }

  createWeight(context: SearchContext, boost: number, needsScores: boolean): Weight {
    return new PhraseWeight(this, context, boost, needsScores)
  }
}

class PhraseWeight extends Weight {
  readonly #phrase: PhraseQuery
  readonly #states: readonly (readonly TermStates[])[]
  readonly #similarity: SimilarityWeight | undefined

  constructor(query: PhraseQuery, context: SearchContext, boost: number, needsScores: boolean) {
    super(query, needsScores)
    this.#phrase = query
    this.#states = query.places.map(({ terms }) =>
      terms.map((term) => context.termStates(query.field, Buffer.from(term))),
    )
    const collection = context.collectionStatistics(query.field)
    if (collection !== undefined && needsScores) {
      const statistics = this.#states.flatMap((states, i) =>
        states
          .map(({ docFreq, totalTermFreq }, j) => ({
            term: query.places[i]?.terms[j] as string,
            docFreq,
            totalTermFreq,
          }))
          // Lucene 7 counts alternatives that the index does not have, too.
          .filter(({ docFreq }) => docFreq > 0 || context.isLucene7),
      )
      this.#similarity = context.weigh(boost, collection, statistics)
    }
  }

  scorer(leaf: Leaf): PhraseScorer | undefined {
    const reader = leaf.segment.field(this.#phrase.field)
    const terms = reader?.terms
    if (reader === undefined || terms === undefined) return undefined
    if (!terms.hasPositions) {
      throw faultInQueryPhase(
        'illegal_state_exception',
        `field "${this.#phrase.field}" was indexed without position data; cannot run ${this.#phrase.places.some((p) => p.terms.length > 1) ? 'MultiPhraseQuery' : 'PhraseQuery'} (phrase=${this.#phrase})`,
      )
    }
    const slots = this.#slots(leaf, terms)
    return slots === undefined ? undefined : new PhraseScorer(slots, this.#phrase.slop, this.#similarity, reader)
  }

  override topScorer(leaf: Leaf): TopScorer | undefined {
    const { field, places, slop } = this.#phrase
    const similarity = this.#similarity
    const reader = leaf.segment.field(field)
    const dictionary = reader?.terms
    if (slop > 0 || similarity === undefined || reader?.norms === undefined || dictionary?.hasPositions !== true)
      return undefined
    const ordinals: number[] = []
    for (const [i, { terms, position }] of places.entries()) {
      if (terms.length !== 1 || !fitsMargin(position)) return undefined
      const ordinal = this.#states[i]?.[0]?.ordinals[leaf.ord] as number
      if (ordinal < 0) return NO_TOP
      ordinals.push(ordinal)
    }
    if (!arePlacesWorthMaking(dictionary, ordinals)) return undefined
    const starts = placeStarts(reader, leaf.segment.maxDoc)
    if (starts === undefined) return undefined
    const words: PlacedWord[] = []
    for (const [i, ordinal] of ordinals.entries()) {
      const term = termPlaces(dictionary, ordinal, starts)
      if (term === undefined || term.hasRepeats) return undefined
      words.push({ term, offset: (places[i] as PhrasePlace).position })
    }
    return new TopPhrase(words, starts, reader.norms, similarity)
  }

  explain(leaf: Leaf, doc: number): Explanation {
    const of = { query: this.query, field: this.#phrase.field, similarity: this.#similarity }
    const words = this.scorer(leaf)?.twoPhase.approximation
    if (words === undefined || words.advance(doc) !== doc) return explainNoMatch('no matching terms')
    return explainFrequency(of, this.scorer(leaf), leaf, doc, 'no matching phrase')
  }

  #slots(leaf: Leaf, dictionary: TermDictionary): PhraseSlot[] | undefined {
    const slots: PhraseSlot[] = []
    for (const [i, { terms, position }] of this.#phrase.places.entries()) {
      const cursors = (this.#states[i] as readonly TermStates[])
        .map(({ ordinals }) => ordinals[leaf.ord] as number)
        .filter((ordinal) => ordinal >= 0)
        .map((ordinal) => dictionary.postings(ordinal))
      if (cursors.length === 0) return undefined
      slots.push(new PhraseSlot(cursors, position, terms))
    }
    return slots
  }
}

class PhraseScorer implements Scorer {
  readonly cost: number
  readonly twoPhase: TwoPhase
  readonly #conjunction: ConjunctionIterator
  readonly #slots: readonly PhraseSlot[]
  readonly #sloppy: SloppyPhrase | undefined
  readonly #similarity: SimilarityWeight | undefined
  readonly #norms: Uint8Array | undefined
  /** How often the phrase is in the current document; less than 1 for looser occurrences. */
  freq = 0

  constructor(
    slots: readonly PhraseSlot[],
    slop: number,
    similarity: SimilarityWeight | undefined,
    reader: FieldReader,
  ) {
    this.#slots = slots
    this.#conjunction = new ConjunctionIterator(slots.map((slot) => slot.iterator))
    this.#sloppy = slop === 0 ? undefined : new SloppyPhrase(slots, slop)
    this.#similarity = similarity
    this.#norms = reader.norms
    this.cost = this.#conjunction.cost
    this.twoPhase = { approximation: this.#conjunction, matches: () => this.#matches() }
  }

  get doc(): number {
    return this.#conjunction.doc
  }

  nextDoc(): number {
    let doc = this.#conjunction.nextDoc()
    while (doc !== NO_MORE_DOCS && !this.#matches()) doc = this.#conjunction.nextDoc()
    return doc
  }

  advance(target: number): number {
    const doc = this.#conjunction.advance(target)
    return doc === NO_MORE_DOCS || this.#matches() ? doc : this.nextDoc()
  }

  score(): number {
    return this.#similarity?.score(this.freq, this.#norms === undefined ? -1 : (this.#norms[this.doc] as number)) ?? 0
  }

  #matches(): boolean {
    const slots = this.#slots
    for (let i = 0; i < slots.length; i++) (slots[i] as PhraseSlot).load()
    this.freq = this.#sloppy === undefined ? exactOccurrences(slots) : this.#sloppy.frequency()
    return this.freq > 0
  }
}
