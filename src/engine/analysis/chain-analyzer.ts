import type { Analyzer, CharFilter, TokenFilter, Tokenizer } from './analyzer.ts'
import { TokenBuffer } from './token-buffer.ts'

/** The parts of an analyzer. */
export interface AnalyzerChain {
  readonly charFilters: readonly CharFilter[]
  readonly tokenizer: Tokenizer
  readonly tokenFilters: readonly TokenFilter[]
}

/** An analyzer made of char filters, a tokenizer and token filters. */
export class ChainAnalyzer implements Analyzer {
  readonly name: string
  readonly positionIncrementGap: number
  readonly chain: AnalyzerChain
  readonly #buffer = new TokenBuffer()

  constructor(name: string, chain: AnalyzerChain, positionIncrementGap = 100) {
    this.name = name
    this.chain = chain
    this.positionIncrementGap = positionIncrementGap
  }

  analyze(text: string): TokenBuffer {
    const { charFilters, tokenizer, tokenFilters } = this.chain
    const out = this.#buffer
    tokenizeFiltered(text, charFilters, tokenizer, out)
    for (let i = 0; i < tokenFilters.length; i++) (tokenFilters[i] as TokenFilter).filter(out)
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
  let filtered = text
  const corrections: ((offset: number) => number)[] = []
  for (const charFilter of charFilters) {
    const result = charFilter.filter(filtered)
    filtered = result.text
    if (result.correctOffset !== undefined) corrections.unshift(result.correctOffset)
  }
  tokenizer.tokenize(filtered, out)
  if (corrections.length === 0) return
  const correct = (offset: number) => corrections.reduce((o, correction) => correction(o), offset)
  for (let i = 0; i < out.length; i++) {
    out.startOffsets[i] = correct(out.startOffsets[i] as number)
    out.endOffsets[i] = correct(out.endOffsets[i] as number)
  }
  out.finalOffset = correct(out.finalOffset)
}
