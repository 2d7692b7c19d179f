import type { Analyzer, AnalyzerChain, CharFilter, TokenFilter, Tokenizer } from './analyzer.ts'
import { goOnIfCut, TokenBuffer } from './token-buffer.ts'
import { LOWERCASE } from './token-filters/lowercase-filter.ts'
import { StandardTokenizer } from './tokenizers/standard-tokenizer.ts'

/** An analyzer made of char filters, a tokenizer and token filters. */
export class ChainAnalyzer implements Analyzer {
  readonly name: string
  readonly positionIncrementGap: number
  readonly chain: AnalyzerChain
  readonly #charFilters: readonly CharFilter[]
  readonly #tokenizer: Tokenizer
  readonly #tokenFilters: readonly TokenFilter[]
  readonly #buffer = new TokenBuffer()

  /** Absent where there are none. */
  readonly searchOnly?: readonly string[]

  constructor(name: string, chain: AnalyzerChain, positionIncrementGap = 100, searchOnly: readonly string[] = []) {
    this.name = name
    this.positionIncrementGap = positionIncrementGap
    this.chain = chain
    if (searchOnly.length > 0) this.searchOnly = searchOnly
    this.#charFilters = chain.charFilters
    // The commonest pair does its work in one pass (see StandardTokenizer).
    const fused = chain.tokenizer instanceof StandardTokenizer && chain.tokenFilters[0] === LOWERCASE
    this.#tokenizer = fused ? (chain.tokenizer as StandardTokenizer).lowercasing() : chain.tokenizer
    this.#tokenFilters = fused ? chain.tokenFilters.slice(1) : chain.tokenFilters
  }

  analyze(text: string): TokenBuffer {
    const out = this.#buffer
    const filters = this.#tokenFilters
    tokenizeFiltered(text, this.#charFilters, this.#tokenizer, out)
    for (let i = 0; i < filters.length; i++) (filters[i] as TokenFilter).filter(out)
    return out
  }
}

/** Runs char filters and a tokenizer; offsets come back in the original text. */
export function tokenizeFiltered(
  text: string,
  charFilters: readonly CharFilter[],
  tokenizer: Tokenizer,
  out: TokenBuffer,
): void {
  out.clear()
  if (charFilters.length === 0) {
    tokenize(tokenizer, text, out)
    return
  }
  let filtered = text
  const corrections: ((offset: number) => number)[] = []
  for (const charFilter of charFilters) {
    const result = charFilter.filter(filtered)
    filtered = result.text
    if (result.correctOffset !== undefined) corrections.unshift(result.correctOffset)
  }
  tokenize(tokenizer, filtered, out)
  for (const correct of corrections) {
    for (let i = 0; i < out.length; i++) {
      out.startOffsets[i] = correct(out.startOffsets[i] as number)
      out.endOffsets[i] = correct(out.endOffsets[i] as number)
    }
    out.finalOffset = correct(out.finalOffset)
  }
}

function tokenize(tokenizer: Tokenizer, text: string, out: TokenBuffer): void {
  try {
    tokenizer.tokenize(text, out)
  } catch (error) {
    goOnIfCut(error)
  }
}
