import type { Analyzer } from '../analysis/analyzer.ts'
import type { HighlightTerms } from './highlight-terms.ts'
import { type Token, tokensOf } from './matched-tokens.ts'
import type { Phrase } from './phrase.ts'
import { phraseSpans } from './phrase-spans.ts'
import type { HighlightFormat } from './unified-highlighter.ts'

interface ScoredToken extends Token {
  readonly score: number
  /** Distance from the position of the token before. */
  readonly increment: number
}

interface Fragment {
  readonly number: number
  readonly text: string
  readonly score: number
}

/**
 * Fragments of a field's values as Lucene's older Highlighter cuts them: a new one every so many characters, ranked by
 * what the different words of the query in it weigh.
 *
 * @param hold  what the values before, of other hits too, have left
 */
export function highlightPlain(
  values: readonly string[],
  analyzer: Analyzer,
  wanted: HighlightTerms,
  format: HighlightFormat,
  hold: PhraseHold = { until: -1 },
): string[] {
  const whole = format.numberOfFragments === 0
  const most = whole ? 1 : format.numberOfFragments
  const fragments = values.flatMap((value) => fragmentsOf(value, analyzer, wanted, format, hold).slice(0, most))
  if (format.byScore) fragments.sort((a, b) => b.score - a.score)
  const shown = whole && values.length > 1 ? fragments : fragments.slice(0, most)
  if (shown.length > 0) return shown.map((fragment) => fragment.text)
  const [first] = values
  if (format.noMatchSize === 0 || first === undefined) return []
  const end = excerptEnd(first, analyzer, format.noMatchSize)
  return end > 0 ? [first.slice(0, end)] : []
}

/** Tokens of a group at most: what overlaps more of them neither widens it nor counts for it. */
const GROUP_SIZE = 50

/**
 * Position up to which a phrase runs that must not be torn; -1: there is none. What a value ends with is held in the next one, too,
 * and in the next hit's that is fetched with it.
 */
export interface PhraseHold {
  until: number
}

/** Tokens that overlap, which are marked as one. */
interface TokenGroup {
  size: number
  end: number
  /** Of what is wanted in it; while nothing is: of its first token. */
  matchStart: number
  matchEnd: number
  isMatch: boolean
}

/** Fragments with matches, the best first. */
function fragmentsOf(
  text: string,
  analyzer: Analyzer,
  wanted: HighlightTerms,
  format: HighlightFormat,
  hold: PhraseHold,
): Fragment[] {
  const bare = tokensOf(text, analyzer)
  const phrases = wanted.phrases.map((phrase) => phraseIn(bare, phrase))
  const tokens = scoredTokens(bare, wanted, phrases)
  const fragments: Fragment[] = []
  let current = ''
  let score = 0
  let seen = new Set<string>()
  let lastEnd = 0
  let group: TokenGroup | undefined
  const startsFragment = fragmenterOf(text, tokens, phrases, { ...format, hold })

  const flush = ({ matchStart, matchEnd, isMatch }: TokenGroup): void => {
    const marked = format.encode(text.slice(matchStart, matchEnd))
    if (matchStart > lastEnd) current += format.encode(text.slice(lastEnd, matchStart))
    current += isMatch ? format.preTag + marked + format.postTag : marked
    lastEnd = Math.max(matchEnd, lastEnd)
  }
  const finish = (): void => {
    fragments.push({ number: fragments.length, text: current, score })
    current = ''
    score = 0
    seen = new Set()
  }

  for (const token of tokens) {
    if (group !== undefined && token.start >= group.end) {
      flush(group)
      group = undefined
      if (startsFragment(token)) finish()
    }
    if (!seen.has(token.term) && token.score !== 0) {
      score = Math.fround(score + token.score)
      seen.add(token.term)
    }
    group = grown(group, token)
  }
  if (group !== undefined) flush(group)
  if (lastEnd < text.length) current += format.encode(text.slice(lastEnd))
  finish()
  return fragments.filter((f) => f.score > 0).sort((a, b) => b.score - a.score || a.number - b.number)
}

function grown(group: TokenGroup | undefined, { start, end, score }: ScoredToken): TokenGroup {
  const isMatch = score > 0
  if (group === undefined) return { size: 1, end, matchStart: start, matchEnd: end, isMatch }
  if (group.size === GROUP_SIZE) return group
  group.size++
  group.end = Math.max(group.end, end)
  if (isMatch) {
    group.matchStart = group.isMatch ? Math.min(group.matchStart, start) : start
    group.matchEnd = group.isMatch ? Math.max(group.matchEnd, end) : end
    group.isMatch = true
  }
  return group
}

/**
 * What says whether a fragment begins with a token, the first of its group: every so many characters, and as Lucene's
 * SimpleSpanFragmenter has it not within a phrase, of which it knows from its second word on.
 */
function fragmenterOf(
  text: string,
  tokens: readonly ScoredToken[],
  phrasesAsked: readonly Phrase[],
  { fragmenter, fragmentSize, numberOfFragments, hold }: HighlightFormat & { readonly hold: PhraseHold },
): (token: ScoredToken) => boolean {
  let boundaries = 1
  if (numberOfFragments === 0) return () => false
  if (fragmenter === 'simple')
    return ({ end }) => {
      const isFresh = end >= fragmentSize * boundaries
      if (isFresh) boundaries++
      return isFresh
    }
  const phrases = placesOf(tokens, phrasesAsked)
  /** Counts what it is asked about alone. */
  let position = -1
  return ({ term, end, increment }) => {
    position += increment
    if (hold.until <= position) hold.until = -1
    else if (hold.until !== -1) return false
    const phrase = phrases.find(({ start, accepts }) => start === position && accepts(term))
    if (phrase !== undefined) hold.until = phrase.end + 1
    const isFresh = end >= fragmentSize * boundaries && text.length - end >= fragmentSize >>> 1
    if (isFresh) boundaries++
    return isFresh
  }
}

/** A phrase as a value is searched for it: without its last word where nothing begins as that does. */
function phraseIn(tokens: readonly Token[], phrase: Phrase): Phrase {
  const last = phrase.parts.at(-1)
  if (phrase.isBegun === undefined || last === undefined || tokens.some(({ term }) => last.accepts(term))) return phrase
  return { ...phrase, parts: phrase.parts.slice(0, -1) }
}

function scoredTokens(bare: readonly Token[], wanted: HighlightTerms, phrases: readonly Phrase[]): ScoredToken[] {
  const inPhrases = new Map<number, number>()
  for (const phrase of phrases) {
    const marked = phrase.parts.filter(({ isUnmarked }) => isUnmarked === undefined)
    const spans = phraseSpans(bare, phrase)
    if (spans.length === 0) continue
    // Any of its words from where it begins to where it ends.
    for (const [i, { term, position }] of bare.entries()) {
      if (!marked.some(({ accepts }) => accepts(term))) continue
      if (spans.some(({ start, end }) => start <= position && position < end)) inPhrases.set(i, phrase.weight)
    }
  }
  return bare.map((token, i) => {
    const { term } = token
    const score =
      wanted.terms.get(term) ??
      inPhrases.get(i) ??
      wanted.patterns.findLast(({ accepts }) => accepts(term))?.weight(term) ??
      0
    return { score, increment: token.position - (bare[i - 1]?.position ?? -1), ...token }
  })
}

/** First and last position of each phrase found, and which words are its own. */
function placesOf(
  tokens: readonly ScoredToken[],
  phrases: readonly Phrase[],
): { readonly start: number; readonly end: number; readonly accepts: (term: string) => boolean }[] {
  return phrases.flatMap((phrase) => {
    const accepts = (term: string): boolean => phrase.parts.some((part) => part.accepts(term))
    return phraseSpans(tokens, phrase).map(({ start, end }) => ({ start, end: end - 1, accepts }))
  })
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
