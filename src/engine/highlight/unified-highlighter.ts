import type { Analyzer } from '../analysis/analyzer.ts'
import type { HighlightTerms } from './highlight-terms.ts'
import { matchedTokens } from './matched-tokens.ts'
import { bestPassages, type Passage } from './passage.ts'
import { boundedSentences, plainPassages, VALUE_SEPARATOR, valuePassages } from './passage-breaks.ts'
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
  /** Of the plain highlighter: whether fragments keep the words of a phrase together. */
  readonly fragmenter: 'span' | 'simple'
}

/**
 * Fragments of a field's values as Lucene's UnifiedHighlighter cuts them under Elasticsearch's settings: sentences,
 * ranked by BM25 within the text.
 */
export function highlightUnified(
  values: readonly string[],
  analyzer: Analyzer,
  wanted: HighlightTerms,
  format: HighlightFormat,
): string[] {
  const text = values.join(VALUE_SEPARATOR)
  const matches = matchedTokens(text, analyzer, wanted)
  const whole = format.numberOfFragments === 0
  if (matches.length === 0) return noMatch(text, format)
  const breaks = whole
    ? valuePassages(text)
    : format.boundary === 'sentence' && format.fragmentSize > 0
      ? boundedSentences(text, format.fragmentSize)
      : plainPassages(text, format.boundary)
  const passages = bestPassages(text, matches, breaks, whole ? values.length : format.numberOfFragments)
  if (format.byScore) passages.sort((a, b) => b.score - a.score)
  return passages.map((passage) => mark(passage, text, format))
}

function mark(passage: Passage, text: string, { preTag, postTag, encode }: HighlightFormat): string {
  let out = ''
  let at = passage.start
  for (const { start, end } of passage.matches) {
    if (start > at) out += encode(text.slice(at, start))
    if (end > at) {
      out += preTag + encode(text.slice(Math.max(at, start), end)) + postTag
      at = end
    }
  }
  out += encode(text.slice(at, Math.max(at, passage.end)))
  return trimmed(out)
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

/** Without the separator of values at its end, and without blanks as Java's `trim` knows them. */
function trimmed(fragment: string): string {
  const text = fragment.endsWith(VALUE_SEPARATOR) ? fragment.slice(0, -1) : fragment
  return text.replace(/^[\0- ]+|[\0- ]+$/g, '')
}
