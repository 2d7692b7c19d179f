import type { Analyzer } from '../analysis/analyzer.ts'
import { greatest, least } from '../long-lists.ts'
import type { HighlightTerms } from './highlight-terms.ts'
import { phraseTokens, type Token, tokensOf } from './matched-tokens.ts'
import type { HighlightFormat } from './unified-highlighter.ts'

interface ScoredToken extends Token {
  readonly score: number
}

interface Fragment {
  readonly number: number
  readonly text: string
  readonly score: number
}

/**
 * Fragments of a field's values as Lucene's older Highlighter cuts them: a new one every so many characters, ranked by
 * how many different words of the query it holds.
 */
export function highlightPlain(
  values: readonly string[],
  analyzer: Analyzer,
  wanted: HighlightTerms,
  format: HighlightFormat,
): string[] {
  const whole = format.numberOfFragments === 0
  const most = whole ? 1 : format.numberOfFragments
  const fragments = values.flatMap((value) => fragmentsOf(value, analyzer, wanted, format).slice(0, most))
  if (format.byScore) fragments.sort((a, b) => b.score - a.score)
  const shown = whole && values.length > 1 ? fragments : fragments.slice(0, most)
  if (shown.length > 0) return shown.map((fragment) => fragment.text)
  const [first] = values
  if (format.noMatchSize === 0 || first === undefined) return []
  const end = excerptEnd(first, analyzer, format.noMatchSize)
  return end > 0 ? [first.slice(0, end)] : []
}

/** Fragments with matches, the best first. */
function fragmentsOf(text: string, analyzer: Analyzer, wanted: HighlightTerms, format: HighlightFormat): Fragment[] {
  const tokens = scoredTokens(text, analyzer, wanted)
  const fragments: Fragment[] = []
  let current = ''
  let score = 0
  let seen = new Set<string>()
  let lastEnd = 0
  let group: ScoredToken[] = []
  let groupEnd = 0
  let boundaries = 1
  /** Position up to which a phrase runs that must not be torn. */
  let holdUntil = -1
  const phrases = format.fragmenter === 'span' ? phraseEnds(tokens, wanted) : new Map<number, number>()

  const flush = (): void => {
    const matched = group.filter((t) => t.score > 0)
    const extent = matched.length > 0 ? matched : group
    const start = least(extent.map((t) => t.start))
    const end = greatest(extent.map((t) => t.end))
    const marked = format.encode(text.slice(start, end))
    if (start > lastEnd) current += format.encode(text.slice(lastEnd, start))
    current += matched.length > 0 ? format.preTag + marked + format.postTag : marked
    lastEnd = Math.max(end, lastEnd)
    group = []
    groupEnd = 0
  }
  const startsFragment = (token: Token): boolean => {
    if (format.numberOfFragments === 0) return false
    if (format.fragmenter === 'span') {
      if (holdUntil <= token.position) holdUntil = -1
      else if (holdUntil !== -1) return false
      const end = phrases.get(token.position)
      if (end !== undefined) holdUntil = end + 1
      const fresh =
        token.end >= format.fragmentSize * boundaries && text.length - token.end >= format.fragmentSize >>> 1
      if (fresh) boundaries++
      return fresh
    }
    const fresh = token.end >= format.fragmentSize * boundaries
    if (fresh) boundaries++
    return fresh
  }
  const finish = (): void => {
    fragments.push({ number: fragments.length, text: current, score })
    current = ''
    score = 0
    seen = new Set()
  }

  for (const token of tokens) {
    if (group.length > 0 && token.start >= groupEnd) {
      flush()
      if (startsFragment(token)) finish()
    }
    if (token.score > 0 && !seen.has(token.term)) {
      score += token.score
      seen.add(token.term)
    }
    group.push(token)
    groupEnd = Math.max(groupEnd, token.end)
  }
  if (group.length > 0) flush()
  if (lastEnd < text.length) current += format.encode(text.slice(lastEnd))
  finish()
  return fragments.filter((f) => f.score > 0).sort((a, b) => b.score - a.score || a.number - b.number)
}

function scoredTokens(text: string, analyzer: Analyzer, wanted: HighlightTerms): ScoredToken[] {
  const bare = tokensOf(text, analyzer)
  const inPhrase = new Set(wanted.phrases.flatMap((phrase) => [...phraseTokens(bare, phrase)]))
  return bare.map((token, i) => {
    const matches =
      inPhrase.has(i) || wanted.terms.has(token.term) || wanted.patterns.some((p) => p.accepts(token.term))
    return { score: matches ? 1 : 0, ...token }
  })
}

/** First position of each phrase found → its last position. */
function phraseEnds(tokens: readonly Token[], wanted: HighlightTerms): Map<number, number> {
  const ends = new Map<number, number>()
  for (const phrase of wanted.phrases) {
    const found = [...phraseTokens(tokens, phrase)].map((i) => (tokens[i] as Token).position).sort((a, b) => a - b)
    const width = phrase.parts.length
    for (let i = 0; i + width <= found.length; i += width) ends.set(found[i] as number, found[i + width - 1] as number)
  }
  return ends
}

/** Where an excerpt of about so many characters ends: behind the last token that fits. */
function excerptEnd(text: string, analyzer: Analyzer, size: number): number {
  const tokens = analyzer.analyze(text)
  let end = -1
  for (let i = 0; i < tokens.length; i++) {
    const tokenEnd = tokens.endOffsets[i] as number
    if (tokenEnd >= size) return tokenEnd === size ? size : end
    end = tokenEnd
  }
  return end
}
