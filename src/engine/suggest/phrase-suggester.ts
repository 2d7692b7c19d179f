import { compareTexts } from '../algorithms/text-order.ts'
import type { Analyzer, TokenFilter } from '../analysis/analyzer.ts'
import { ChainAnalyzer } from '../analysis/chain-analyzer.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import { faultInQueryPhase, illegalInQueryPhase } from '../search/query-phase.ts'
import { type SpellCheckOptions, similarWords } from './spell-checker.ts'
import { analyzerNamed, suggestAnalyzer } from './suggest-analyzer.ts'
import { SuggestDictionary } from './suggest-dictionary.ts'
import type { SuggestEntry, SuggestOption } from './suggest-result.ts'
import { type Candidate, type SmoothingModel, WordScorer } from './word-scorer.ts'

/** `phrase`: whole phrases a text may have been meant as. */
export interface PhraseSuggestion {
  readonly kind: 'phrase'
  readonly text: string
  readonly field: string
  readonly analyzer: string | undefined
  readonly size: number
  readonly shardSize: number
  readonly maxErrors: number
  readonly confidence: number
  readonly realWordErrorLikelihood: number
  readonly separator: string
  /** Longest n-gram; undefined: what the analyzer makes. */
  readonly gramSize: number | undefined
  readonly forceUnigrams: boolean
  readonly tokenLimit: number
  readonly model: SmoothingModel
  readonly highlight: { readonly preTag: string; readonly postTag: string } | undefined
  readonly generators: readonly CandidateGenerator[]
  /** Whether nobody asked for the generator. */
  readonly hasDefaultGenerator: boolean
  /** Which phrases an index has documents for; undefined: nobody asks. */
  readonly collate?: PhraseCollation
}

/** Looks for documents of each phrase. */
export interface PhraseCollation {
  /** True: phrases without documents are kept, and marked. */
  readonly prune: boolean
  /** @throws {ServiceError} for a query that the index cannot run */
  readonly matches: (phrase: string, searcher: IndexSearcher) => boolean
}

/** Where the words of other phrases come from. */
export interface CandidateGenerator extends SpellCheckOptions {
  readonly field: string
  readonly size: number
  readonly preFilter: string | undefined
  readonly postFilter: string | undefined
}

interface Phrase {
  readonly candidates: readonly Candidate[]
  readonly score: number
}

/** Paths looked at most, so that a text cannot keep a search busy. */
const MAX_PATHS = 200_000

/**
 * Phrases for a text, the likeliest first.
 *
 * @source Elasticsearch's phrase suggester: a noisy channel over n-grams
 */
export function suggestPhrases(
  suggestion: PhraseSuggestion,
  searchers: readonly IndexSearcher[],
  engineVersion: EngineVersion,
): SuggestEntry[] {
  const { text, size } = suggestion
  const options = new Map<string, SuggestOption>()
  for (const searcher of searchers) {
    for (const option of inIndex(suggestion, searcher, engineVersion)) {
      const known = options.get(option.text)
      if (known === undefined || known.score < option.score) options.set(option.text, option)
    }
  }
  const sorted = [...options.values()].sort((a, b) => b.score - a.score || compareTexts(a.text, b.text))
  return [{ text, offset: 0, length: text.length, options: sorted.slice(0, size) }]
}

function inIndex(suggestion: PhraseSuggestion, searcher: IndexSearcher, engineVersion: EngineVersion): SuggestOption[] {
  const { text, field, separator, realWordErrorLikelihood, model, shardSize, confidence, highlight } = suggestion
  const analyzer = suggestAnalyzer(searcher, field, suggestion.analyzer, engineVersion)
  const shingles = shinglesOf(analyzer)
  if (suggestion.hasDefaultGenerator && suggestion.forceUnigrams && shingles?.outputUnigrams === false)
    throw illegalInQueryPhase(
      `The default candidate generator for phrase suggest can't operate on field: [${field}] since it doesn't emit unigrams. If this is intentional try to set the candidate generator field explicitly`,
    )
  const dictionary = new SuggestDictionary(searcher, field)
  if (!dictionary.hasTerms) return []
  const tokens = analyzer.analyze(text)
  const words: string[] = []
  let longest = 1
  for (let i = 0; i < tokens.length; i++) {
    const term = tokens.terms[i] as string
    if (tokens.types[i] === 'shingle') {
      // The filter may join words by another separator; where it gives no single words, positions are no words either.
      longest = Math.max(longest, tokens.positionLengths[i] as number, term.split(separator).length)
      if (suggestion.forceUnigrams) continue
    }
    words.push(term)
  }
  if (words.length === 0 && tokens.length > 0) {
    const reason = 'At least one unigram is required but all tokens were ngrams'
    throw faultInQueryPhase('illegal_state_exception', reason)
  }
  if (words.length === 0 || words.length >= suggestion.tokenLimit) return []
  const gramSize = suggestion.gramSize ?? shingles?.maxShingleSize ?? longest
  const scorer = new WordScorer(dictionary, {
    model,
    separator,
    realWordLikelihood: realWordErrorLikelihood,
    engineVersion,
  })
  const generators = suggestion.generators
    .map((generator) => ({ generator, source: new GeneratorSource(generator, searcher) }))
    .filter(({ source }) => source.dictionary.hasTerms)
  const [first] = generators
  if (first === undefined) return []
  const sets = words.map((word) => {
    const original = first.source.input(word)
    const alternatives = new Map<string, Candidate>()
    for (const { source } of generators) for (const one of source.draw(original)) alternatives.set(one.term, one)
    const sorted = [...alternatives.values()].sort((a, b) => b.score - a.score || compareTexts(b.term, a.term))
    return { original, alternatives: sorted.slice(0, shardSize) }
  })
  const inputScore = (): number => {
    const path = sets.map(({ original }) => original)
    let sum = 0
    for (let i = 0; i < path.length; i++) sum += scorer.score(path, i, gramSize)
    return Math.exp(sum)
  }
  const cutoff = confidence > 0 ? inputScore() * confidence : Number.MIN_VALUE
  const phrases = bestPhrases(sets, suggestion, scorer, { gramSize, cutoff })
  const { collate } = suggestion
  return phrases.flatMap(({ candidates, score }) => {
    const phrase = candidates.map(({ term }) => term).join(' ')
    const collateMatch = collate?.matches(phrase, searcher)
    if (collateMatch === false && !collate?.prune) return []
    return {
      text: phrase,
      score: Math.fround(score),
      ...(highlight === undefined ? {} : { highlighted: marked(candidates, highlight) }),
      ...(collate?.prune ? { collateMatch: collateMatch === true } : {}),
    }
  })
}

/** How an analyzer joins words, where a filter of its own does. */
function shinglesOf(analyzer: Analyzer): TokenFilter['shingles'] {
  if (!(analyzer instanceof ChainAnalyzer)) return undefined
  return analyzer.chain.tokenFilters.find(({ shingles }) => shingles !== undefined)?.shingles
}

interface CandidateSet {
  readonly original: Candidate
  readonly alternatives: readonly Candidate[]
}

function bestPhrases(
  sets: readonly CandidateSet[],
  { maxErrors, shardSize }: PhraseSuggestion,
  scorer: WordScorer,
  { gramSize, cutoff }: { readonly gramSize: number; readonly cutoff: number },
): Phrase[] {
  const errors = Math.max(1, maxErrors >= 1 ? Math.trunc(maxErrors) : Math.round(maxErrors * sets.length))
  const path: Candidate[] = []
  let found: Phrase[] = []
  let visited = 0
  const visit = (at: number, left: number, score: number): void => {
    if (at === sets.length) {
      const likelihood = Math.exp(score)
      if (likelihood > cutoff) found.push({ candidates: [...path], score: likelihood })
      if (found.length > shardSize * 8 + 64) found = best(found, shardSize)
      return
    }
    const { original, alternatives } = sets[at] as CandidateSet
    for (const candidate of left > 0 ? [original, ...alternatives] : [original]) {
      if (visited++ > MAX_PATHS) return
      path[at] = candidate
      visit(at + 1, candidate === original ? left : left - 1, score + scorer.score(path, at, gramSize))
    }
  }
  visit(0, errors, 0)
  return best(found, shardSize)
}

function best(phrases: readonly Phrase[], size: number): Phrase[] {
  return [...phrases].sort((a, b) => b.score - a.score || comparePaths(a, b)).slice(0, size)
}

function comparePaths(a: Phrase, b: Phrase): number {
  for (const [i, { term }] of a.candidates.entries()) {
    const order = compareTexts(term, b.candidates[i]?.term ?? '')
    if (order !== 0) return order
  }
  return 0
}

/** The phrase with changed words between tags, neighbours in one pair. */
function marked(candidates: readonly Candidate[], tags: { readonly preTag: string; readonly postTag: string }): string {
  return candidates
    .map(({ term, isInput }, i) => {
      if (isInput) return term
      const opens = candidates[i - 1]?.isInput !== false
      const closes = candidates[i + 1]?.isInput !== false
      return `${opens ? tags.preTag : ''}${term}${closes ? tags.postTag : ''}`
    })
    .join(' ')
}

/** Candidates of one generator. */
class GeneratorSource {
  readonly dictionary: SuggestDictionary
  readonly #generator: CandidateGenerator
  readonly #searcher: IndexSearcher
  readonly #size: number

  constructor(generator: CandidateGenerator, searcher: IndexSearcher) {
    this.#generator = generator
    this.#searcher = searcher
    this.dictionary = new SuggestDictionary(searcher, generator.field)
    const { sumTotalTermFreq, maxDoc } = this.dictionary
    this.#size = sumTotalTermFreq === -1 ? maxDoc : sumTotalTermFreq
  }

  /** A word as it was typed. Its frequency is that of what the filter before makes of it. */
  input(term: string): Candidate {
    const frequency = this.#frequency(this.#asked(term))
    return { term, frequency, distance: 1, score: (frequency + 1) / (this.#size + 1), isInput: true }
  }

  draw({ term, frequency }: Candidate): Candidate[] {
    const { postFilter, size, suggestMode } = this.#generator
    const minDocFreq = suggestMode === 'always' ? 0 : threshold(frequency)
    const found: Candidate[] = []
    for (const similar of similarWords(this.#asked(term), size, this.dictionary, { ...this.#generator, minDocFreq })) {
      const score = similar.score * ((similar.freq + 1) / (this.#size + 1))
      const { text, score: distance } = similar
      const candidate = { term: text, frequency: this.#frequency(text), distance, score, isInput: false }
      const texts = postFilter === undefined ? [text] : this.#filtered(postFilter, text)
      // What a filter changes is as likely as a word that is there, and counts as what it was made of.
      for (const made of texts) found.push(made === text ? candidate : { ...candidate, term: made, distance: 1 })
    }
    return found
  }

  #frequency(term: string): number {
    const { dictionary } = this
    return dictionary.sumTotalTermFreq === -1 ? dictionary.docFreq(term) : dictionary.totalTermFreq(term)
  }

  /** What is looked for: of several words that the filter before makes, the last. */
  #asked(term: string): string {
    const { preFilter } = this.#generator
    return preFilter === undefined ? term : (this.#filtered(preFilter, term).at(-1) ?? '')
  }

  #filtered(analyzerName: string, text: string): string[] {
    const tokens = analyzerNamed(this.#searcher, analyzerName, 'Analyzer').analyze(text)
    return tokens.terms.slice(0, tokens.length)
  }
}

/** A word that is there is replaced only by far more frequent ones. */
function threshold(frequency: number): number {
  if (frequency <= 0) return 0
  return Math.max(0, Math.round(frequency * (Math.log10(frequency) * (1 / Math.log10(5))) + 1))
}
