import type { Analyzer, CharFilter, TokenFilter, Tokenizer } from './analyzer.ts'

/** The analyzers, normalizers and their parts that one index can name: its own settings first, then the built-in ones. */
export interface IndexAnalyzers {
  /** Analyzer by name, or undefined. `default` is the index's default (standard unless the settings say otherwise). */
  analyzer(name: string): Analyzer | undefined
  /**
   * Normalizer by name, or undefined: an analyzer with the keyword tokenizer that answers exactly one token, or one that
   * does the same to each word between blanks.
   */
  normalizer(name: string, tokenizer?: 'keyword' | 'whitespace'): Analyzer | undefined
  tokenizer(name: string): Tokenizer | undefined
  tokenFilter(name: string): TokenFilter | undefined
  charFilter(name: string): CharFilter | undefined
}
