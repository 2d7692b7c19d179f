import type { EngineVersion } from '../engine-version.ts'
import type { SuggestDictionary } from './suggest-dictionary.ts'

/** How likely words follow one another where they were never seen to. */
export type SmoothingModel =
  | { readonly kind: 'stupid_backoff'; readonly discount: number }
  | { readonly kind: 'laplace'; readonly alpha: number }
  | {
      readonly kind: 'linear_interpolation'
      readonly trigramLambda: number
      readonly bigramLambda: number
      readonly unigramLambda: number
    }

/** A word that may stand in a phrase. */
export interface Candidate {
  readonly term: string
  readonly frequency: number
  /** Likeness to the word as typed; 1: that word itself. */
  readonly distance: number
  readonly score: number
  readonly isInput: boolean
}

/** Keeps a quotient from dividing by nothing. */
const TINY = 0.00000000001

/** Scores the words of a phrase by the frequencies of n-grams. */
export class WordScorer {
  readonly #dictionary: SuggestDictionary
  readonly #model: SmoothingModel
  readonly #separator: string
  readonly #realWordLikelihood: number
  readonly #vocabulary: number
  readonly #numTerms: number
  /** What Laplace's model counts for each word; undefined: another model, or 6.x. */
  readonly #alpha: number | undefined

  constructor(
    dictionary: SuggestDictionary,
    options: {
      readonly model: SmoothingModel
      readonly separator: string
      readonly realWordLikelihood: number
      readonly engineVersion: EngineVersion
    },
  ) {
    this.#dictionary = dictionary
    this.#model = options.model
    this.#separator = options.separator
    this.#realWordLikelihood = options.realWordLikelihood
    const { sumTotalTermFreq, maxDoc } = dictionary
    this.#vocabulary = sumTotalTermFreq === -1 ? maxDoc : sumTotalTermFreq
    const { model, engineVersion } = options
    this.#alpha = model.kind === 'laplace' && engineVersion !== 'Elasticsearch_6.8' ? model.alpha : undefined
    // Of several segments nobody knows how many terms there are: 6.x goes on with -1, later versions take the documents.
    const isKnown = dictionary.size >= 0 || engineVersion === 'Elasticsearch_6.8'
    const numTerms = isKnown ? dictionary.size : maxDoc
    this.#numTerms = this.#vocabulary + numTerms > 1 ? numTerms : 0
  }

  /** Logarithm of the likelihood of the word at a place of a path. */
  score(path: readonly Candidate[], at: number, gramSize: number): number {
    const word = path[at] as Candidate
    const channel = word.distance === 1 ? this.#realWordLikelihood : word.distance
    if (at === 0 || gramSize === 1) return Math.log10(channel * this.#unigram(word))
    const before = path[at - 1] as Candidate
    if (at === 1 || gramSize === 2) return Math.log10(channel * this.#bigram(word, before))
    return Math.log10(channel * this.#trigram(word, before, path[at - 2] as Candidate))
  }

  frequency(term: string): number {
    return this.#dictionary.sumTotalTermFreq === -1
      ? this.#dictionary.docFreq(term)
      : this.#dictionary.totalTermFreq(term)
  }

  #unigram({ term }: Candidate): number {
    const seen = this.#alpha ?? 1
    return (seen + this.frequency(term)) / (this.#vocabulary + seen * this.#numTerms)
  }

  #joined(...words: readonly Candidate[]): number {
    return this.frequency(words.map(({ term }) => term).join(this.#separator))
  }

  /** 6.x adds what is to count for each word to all of them once. */
  #laplace(alpha: number, count: number, before: number): number {
    const others = this.#alpha === undefined ? alpha + this.#vocabulary : alpha * this.#numTerms
    return (alpha + count) / (before + others)
  }

  #bigram(word: Candidate, before: Candidate): number {
    const model = this.#model
    const count = this.#joined(before, word)
    switch (model.kind) {
      case 'stupid_backoff':
        return count < 1 ? model.discount * this.#unigram(word) : count / (before.frequency + TINY)
      case 'laplace':
        return this.#laplace(model.alpha, count, before.frequency)
      case 'linear_interpolation':
        if (count < 1) return model.unigramLambda * this.#unigram(word)
        return model.bigramLambda * (count / (0.5 + before.frequency)) + model.unigramLambda * this.#unigram(word)
    }
  }

  #trigram(word: Candidate, before: Candidate, first: Candidate): number {
    const model = this.#model
    switch (model.kind) {
      case 'stupid_backoff': {
        const pairs = this.#joined(before, word)
        if (pairs < 1) return model.discount * this.#unigram(word)
        const triples = this.#joined(first, before, word)
        if (triples < 1) return model.discount * (pairs / (before.frequency + TINY))
        return triples / (pairs + TINY)
      }
      case 'laplace':
        return this.#laplace(model.alpha, this.#joined(first, before, word), this.#joined(before, word))
      case 'linear_interpolation': {
        const count = this.#joined(first, before, word)
        if (count < 1) return this.#bigram(word, before)
        return model.trigramLambda * (count / (1 + this.#joined(before, word))) + this.#bigram(word, before)
      }
    }
  }
}
