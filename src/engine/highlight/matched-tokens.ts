import type { Analyzer } from '../analysis/analyzer.ts'
import type { TokenBuffer } from '../analysis/token-buffer.ts'
import type { HighlightTerms, Phrase } from './highlight-terms.ts'

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
  return new Set(phrases.flatMap((phrase) => [...phraseTokens(tokens, phrase)]))
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

/** Indices of the tokens that make up occurrences of a phrase. */
export function phraseTokens(
  all: readonly { readonly term: string; readonly position: number }[],
  phrase: Phrase,
): Set<number> {
  const { within } = phrase
  const tokens = within === undefined ? all : all.filter(({ position }) => position < within)
  const places = phrase.parts.map((part) => tokens.flatMap((t, i) => (part.accepts(t.term) ? [i] : [])))
  const found = new Set<number>()
  const first = phrase.parts[0]
  if (first === undefined || places.some((p) => p.length === 0)) return found
  if (phrase.slop === 0) {
    for (const start of places[0] as number[]) {
      const base = (tokens[start] as { position: number }).position - first.position
      const match = phrase.parts.map((part, k) =>
        (places[k] as number[]).filter((i) => (tokens[i] as { position: number }).position === base + part.position),
      )
      if (match.every((m) => m.length > 0)) for (const i of match.flat()) found.add(i)
    }
    return found
  }
  // Words near one another in any order: the window from its first to its last may be so much wider than the words.
  for (const anchor of places.flat()) {
    const from = (tokens[anchor] as { position: number }).position
    const match = places.map((p) => p.find((i) => (tokens[i] as { position: number }).position >= from))
    if (match.some((i) => i === undefined)) continue
    const to = Math.max(...(match as number[]).map((i) => (tokens[i] as { position: number }).position))
    if (to - from + 1 - phrase.parts.length <= phrase.slop) for (const i of match as number[]) found.add(i)
  }
  return found
}
