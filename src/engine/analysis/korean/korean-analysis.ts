import type { AnalyzerFactory, CharFilterFactory, TokenFilterFactory, TokenizerFactory } from '../factories.ts'

/** Korean tokenizers by their type in the settings. */
export const koreanTokenizerFactories: Readonly<Record<string, TokenizerFactory>> = {}

/** Korean token filters by their type. */
export const koreanTokenFilterFactories: Readonly<Record<string, TokenFilterFactory>> = {}

/** Char filters that Korean text needs, by their type. */
export const koreanCharFilterFactories: Readonly<Record<string, CharFilterFactory>> = {}

/** Korean analyzers by name. */
export const koreanAnalyzers: Readonly<Record<string, AnalyzerFactory>> = {}
