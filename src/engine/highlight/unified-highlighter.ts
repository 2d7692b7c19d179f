import type { MatchedToken } from './matched-tokens.ts'
import { bestPassages, type Passage } from './passage.ts'
import {
  boundedSentences,
  type PassageBreaks,
  plainPassages,
  VALUE_SEPARATOR,
  valuePassages,
  withinValues,
} from './passage-breaks.ts'
import type { TextMatcher } from './text-matcher.ts'
import { wordBreaks } from './word-breaks.ts'

/** How fragments are cut and marked. */
export interface HighlightFormat {
  readonly preTag: string
  readonly postTag: string
  readonly encode: (text: string) => string
  /** Length of a fragment in UTF-16 units; 0: as long as it comes. */
  readonly fragmentSize: number
  /** 0: the whole value. */
  readonly numberOfFragments: number
  /** Length of the excerpt shown where nothing matches; 0: none. */
  readonly noMatchSize: number
  readonly byScore: boolean
  readonly boundary: 'sentence' | 'word'
  /** Whether fragments are whole values, as OpenSearch has it for keywords. */
  readonly keepsValues: boolean
  /** Whether what is found ends where its fragment does, as OpenSearch has it. */
  readonly cutsMatches: boolean
  /** Whether matches that overlap are marked as one, as Lucene does since 8. */
  readonly joinsMatches: boolean
  /** Of the plain highlighter: whether fragments keep the words of a phrase together. */
  readonly fragmenter: 'span' | 'simple'
}

/**
 * Fragments of a field's values as Lucene's UnifiedHighlighter cuts them under Elasticsearch's settings: sentences,
 * ranked by BM25 within the text.
 */
export function highlightUnified(values: readonly string[], matches: TextMatcher, format: HighlightFormat): string[] {
  const text = values.length === 1 ? (values[0] as string) : values.join(VALUE_SEPARATOR)
  const found = matchesOf(values, matches)
  const whole = format.numberOfFragments === 0
  if (found.length === 0) return noMatch(text, format)
  const breaks =
    whole || format.keepsValues ? valuePassages(text) : withinValues(text, (value) => passagesWithin(value, format))
  const most = whole ? values.length : format.numberOfFragments
  const passages = bestPassages(text, found, breaks, { most, byScore: format.byScore })
  return passages.map((passage) => mark(passage, text, format))
}

/** What is found in each value, as it stands in the text of all. */
function matchesOf(values: readonly string[], matches: TextMatcher): readonly MatchedToken[] {
  if (values.length === 1) return matches(values[0] as string)
  const found: MatchedToken[] = []
  let base = 0
  for (const value of values) {
    for (const { start, end, term } of matches(value, base > 0))
      found.push({ start: base + start, end: base + end, term })
    base += value.length + VALUE_SEPARATOR.length
  }
  return found
}

function passagesWithin(value: string, { boundary, fragmentSize }: HighlightFormat): PassageBreaks {
  if (boundary === 'sentence' && fragmentSize > 0) return boundedSentences(value, fragmentSize)
  return plainPassages(value, boundary)
}

function mark(passage: Passage, text: string, format: HighlightFormat): string {
  const { preTag, postTag, encode, cutsMatches, joinsMatches } = format
  const matches = joinsMatches ? joined(passage.matches) : passage.matches
  let out = ''
  let at = passage.start
  for (const { start, end: whole } of matches) {
    const end = cutsMatches ? Math.min(whole, passage.end) : whole
    if (start > at) out += encode(text.slice(at, start))
    if (end > at) {
      out += preTag + encode(text.slice(Math.max(at, start), end)) + postTag
      at = end
    }
  }
  out += encode(text.slice(at, Math.max(at, passage.end)))
  return trimmed(out)
}

/** Matches that overlap as one, which ends where the last of them does. */
function joined(matches: Passage['matches']): Passage['matches'] {
  const out: MatchedToken[] = []
  for (const match of matches) {
    const last = out[out.length - 1]
    if (last !== undefined && match.start < last.end)
      out[out.length - 1] = { start: last.start, end: match.end, term: match.term }
    else out.push(match)
  }
  return out
}

function noMatch(text: string, format: HighlightFormat): string[] {
  if (format.noMatchSize === 0) return []
  let start = 0
  while (text[start] === VALUE_SEPARATOR) start++
  if (start >= text.length) return []
  const separator = text.indexOf(VALUE_SEPARATOR, start)
  let end = separator < 0 ? text.length : separator
  if (format.noMatchSize + start < end) {
    const word = wordBreaks(text).following(format.noMatchSize + start)
    end = word < 0 ? text.length : word
  }
  return [trimmed(format.encode(text.slice(start, end)))]
}

const PARAGRAPH_SEPARATOR = '\u2029'

/** Without a paragraph's end, and without blanks as Java's `trim` knows them: the separator of values is one. */
function trimmed(fragment: string): string {
  let start = 0
  let end = fragment.endsWith(PARAGRAPH_SEPARATOR) ? fragment.length - 1 : fragment.length
  while (start < end && fragment.charCodeAt(start) <= 0x20) start++
  while (end > start && fragment.charCodeAt(end - 1) <= 0x20) end--
  return fragment.slice(start, end)
}
