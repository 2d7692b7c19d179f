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
}

/** Rewrites a token sequence in place. */
export interface TokenFilter {
  filter(tokens: TokenBuffer): void
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
}
