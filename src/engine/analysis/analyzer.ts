import type { TokenBuffer } from './token-buffer.ts'

/** Replaces text before tokenization and remembers where each character came from. */
export interface CharFilter {
  filter(text: string): FilteredText
}

/** A char filter's output. */
export interface FilteredText {
  readonly text: string
  /** Maps an offset in `text` to the offset in the filter's input. Absent when nothing moved. */
  readonly correctOffset?: (offset: number) => number
}

/** Cuts text into tokens. Appends to `out`, which the caller has cleared, and sets `out.finalOffset`. */
export interface Tokenizer {
  tokenize(text: string, out: TokenBuffer): void
  /** Whether `_analyze` with `explain` shows no frequencies of its tokens. */
  readonly hidesFrequency?: boolean
}

/** An attribute of tokens that is there once something in their chain asks for it. */
export type ShownAttribute = 'keyword' | 'payload' | 'termFrequency'

/** Rewrites a token sequence in place. */
export interface TokenFilter {
  filter(tokens: TokenBuffer): void
  /** What `_analyze` with `explain` shows once this filter is in the chain (KeywordAttribute, PayloadAttribute, …). */
  readonly attribute?: ShownAttribute | readonly ShownAttribute[]
  /** How it joins words, where it does nothing else. */
  readonly shingles?: {
    readonly minShingleSize: number
    readonly maxShingleSize: number
    readonly outputUnigrams: boolean
  }
  /** Whether its tokens are made anew, and show no attributes of the filters before it. */
  readonly makesAnew?: boolean
  /**
   * For filters that depend on where they stand: the filter to use behind these char filters, tokenizer and filters
   * (`synonym` analyzes its rules with them).
   */
  behind?(chain: AnalyzerChain): TokenFilter
  /** What stands for this filter where synonym rules are analyzed, if not itself. */
  readonly forSynonyms?: TokenFilter
  /** What stands for this filter in a normalizer, if not itself. */
  readonly forNormalizers?: TokenFilter
}

/** The parts of an analyzer. */
export interface AnalyzerChain {
  readonly charFilters: readonly CharFilter[]
  readonly tokenizer: Tokenizer
  readonly tokenFilters: readonly TokenFilter[]
  /** Names of the parts, where the settings name them (a `custom` analyzer). */
  readonly names?: ChainNames
  /** What beginnings of words go through, which are no whole words: the parts that work character by character. */
  readonly normalizer?: Analyzer
}

/** Names of an analyzer's parts, in order. */
export interface ChainNames {
  readonly charFilters: readonly string[]
  readonly tokenizer: string
  readonly tokenFilters: readonly string[]
}

/**
 * Char filters, a tokenizer and token filters in a row, by the name the settings give it.
 */
export interface Analyzer {
  readonly name: string
  /**
   * Analyzes one text.
   *
   * @returns the buffer, owned by the analyzer and valid until its next call (use before the next `analyze`)
   */
  analyze(text: string): TokenBuffer
  /** Positions skipped between two values of one field (`position_increment_gap` of a mapping overrides it). */
  readonly positionIncrementGap: number
  /** Names of its filters that may change later, so that it is for searches only; absent where there are none. */
  readonly searchOnly?: readonly string[]
}
