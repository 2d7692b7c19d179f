import type { BreakIterator } from './break-iterator.ts'
import { sentenceBreaks } from './sentence-breaks.ts'
import { wordBreaks } from './word-breaks.ts'

/** Cuts passages out of a text: where the one around an offset begins and ends. Asked for ascending offsets. */
export interface PassageBreaks {
  around(offset: number): { readonly start: number; readonly end: number }
}

/** Between two values of a field. */
export const VALUE_SEPARATOR = '\0'

/** Each value is a passage. */
export function valuePassages(text: string): PassageBreaks {
  return {
    around(offset) {
      const start = text.lastIndexOf(VALUE_SEPARATOR, offset - 1) + 1
      const next = text.indexOf(VALUE_SEPARATOR, offset)
      return { start: offset === 0 ? 0 : start, end: next < 0 ? text.length : next + 1 }
    },
  }
}

/** Passages of each value for itself. */
export function withinValues(text: string, breaksOf: (value: string) => PassageBreaks): PassageBreaks {
  if (!text.includes(VALUE_SEPARATOR)) return breaksOf(text)
  let valueStart = 0
  let valueEnd = 0
  let breaks: PassageBreaks | undefined
  return {
    around(offset) {
      if (breaks === undefined || offset < valueStart || offset >= valueEnd) {
        valueStart = offset === 0 ? 0 : text.lastIndexOf(VALUE_SEPARATOR, offset - 1) + 1
        const separator = text.indexOf(VALUE_SEPARATOR, offset)
        valueEnd = separator < 0 ? text.length : separator
        breaks = breaksOf(text.slice(valueStart, valueEnd))
      }
      const { start, end } = breaks.around(offset - valueStart)
      return { start: valueStart + start, end: valueStart + end }
    },
  }
}

/** Each word, or each sentence whatever its length, is a passage. */
export function plainPassages(text: string, unit: 'word' | 'sentence'): PassageBreaks {
  const breaks = unit === 'word' ? wordBreaks(text) : sentenceBreaks(text)
  return {
    around: (offset) => ({
      start: Math.max(0, breaks.preceding(offset + 1)),
      end: orEnd(breaks.following(offset), text),
    }),
  }
}

/**
 * Sentences joined up to a length, and cut at words beyond it, as Elasticsearch's BoundedBreakIteratorScanner does.
 *
 * @param maxLength  in UTF-16 units
 */
export function boundedSentences(text: string, maxLength: number): PassageBreaks {
  const sentences = sentenceBreaks(text)
  let words: BreakIterator | undefined
  let windowStart = -1
  let windowEnd = -1
  let start = -1
  let end = 0
  return {
    around(at) {
      const offset = at + 1
      if (offset > windowStart && offset < windowEnd) {
        start = end
        end = windowEnd
      } else {
        windowStart = start = Math.max(0, sentences.preceding(offset))
        windowEnd = end = orEnd(sentences.following(offset - 1), text)
        // Sentences are joined while they fit.
        while (end - start < maxLength) {
          const next = sentences.following(end)
          if (next < 0 || next - start > maxLength) break
          windowEnd = end = next
        }
      }
      if (end - start > maxLength) {
        words ??= wordBreaks(text)
        if (offset - maxLength > start) start = Math.max(start, words.preceding(offset - maxLength))
        const remaining = Math.max(0, maxLength - (offset - start))
        if (offset + remaining < windowEnd) end = Math.min(windowEnd, orEnd(words.following(offset + remaining), text))
      }
      return { start, end }
    },
  }
}

function orEnd(boundary: number, text: string): number {
  return boundary < 0 ? text.length : boundary
}
