import type { Analyzer } from '../analysis/analyzer.ts'
import type { TokenBuffer } from '../analysis/token-buffer.ts'
import type { HighlightTerms } from './highlight-terms.ts'
import type { Phrase } from './phrase.ts'
import { phraseSpans } from './phrase-spans.ts'

/** A token of a text that the query is about. */
export interface MatchedToken {
  readonly start: number
  /** Exclusive. */
  readonly end: number
  /** The term, or the pattern it matched. */
  readonly term: string
}

/** A token of a text and where it stands. */
export interface Token {
  readonly term: string
  readonly position: number
  readonly start: number
  readonly end: number
}

/**
 * The tokens of a text that a query is about, in the order of the text.
 *
 * @param isFurther  whether the text is a value behind the first, in whose positions nothing has to stand
 */
export function matchedTokens(
  text: string,
  analyzer: Analyzer,
  wanted: HighlightTerms,
  isFurther = false,
): MatchedToken[] {
  const buffer = analyzer.analyze(text)
  const phrases = isFurther ? wanted.phrases.filter(({ within }) => within === undefined) : wanted.phrases
  const inPhrase = phrasesIn(buffer, phrases)
  const found: MatchedToken[] = []
  let inOrder = true
  for (let i = 0; i < buffer.length; i++) {
    const own = buffer.terms[i] as string
    const term =
      wanted.terms.has(own) || inPhrase?.has(i) ? own : wanted.patterns.find((pattern) => pattern.accepts(own))?.name
    if (term === undefined) continue
    const start = buffer.startOffsets[i] as number
    const end = buffer.endOffsets[i] as number
    const last = found[found.length - 1]
    if (last !== undefined && (start < last.start || (start === last.start && end < last.end))) inOrder = false
    found.push({ start, end, term })
  }
  return inOrder ? found : found.sort((a, b) => a.start - b.start || a.end - b.end)
}

/** Indices of the tokens in occurrences of phrases; undefined when there are no phrases. */
function phrasesIn(buffer: TokenBuffer, phrases: readonly Phrase[]): Set<number> | undefined {
  if (phrases.length === 0) return undefined
  const tokens = tokensIn(buffer)
  return new Set(phrases.flatMap((phrase) => phraseSpans(tokens, phrase).flatMap((span) => span.tokens)))
}

/** The tokens of a text with their positions. */
export function tokensOf(text: string, analyzer: Analyzer): Token[] {
  return tokensIn(analyzer.analyze(text))
}

function tokensIn(buffer: TokenBuffer): Token[] {
  const tokens: Token[] = []
  let position = -1
  for (let i = 0; i < buffer.length; i++) {
    position += buffer.positionIncrements[i] as number
    tokens.push({
      term: buffer.terms[i] as string,
      position,
      start: buffer.startOffsets[i] as number,
      end: buffer.endOffsets[i] as number,
    })
  }
  return tokens
}
