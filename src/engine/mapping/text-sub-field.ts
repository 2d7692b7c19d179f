import type { Analyzer } from '../analysis/analyzer.ts'
import { TokenBuffer } from '../analysis/token-buffer.ts'
import { ngramFilter } from '../analysis/token-filters/ngram-filter.ts'
import { type CompletionFormOptions, formsOf } from './completion-forms.ts'
import { phraseShingles } from './phrase-shingles.ts'

/** What a field that a text field makes for itself holds of the text. */
export type TextSubField =
  /** Pairs of words (`index_phrases`); from Lucene 8 on, tokens that span several places are followed to their ends. */
  | { readonly kind: 'phrase'; readonly followsGraph: boolean }
  /** Beginnings of words (`index_prefixes`), of so many characters. */
  | { readonly kind: 'prefix'; readonly minChars: number; readonly maxChars: number }
  /** A completion's inputs, each one word (which its field does not show). */
  | ({ readonly kind: 'completion' } & CompletionFormOptions)

/** Last part of the path of such a field. */
export const SUB_FIELD_NAMES = {
  phrase: '_index_phrase',
  prefix: '_index_prefix',
  completion: '_index_completion',
} as const

/** The analyzer of a field that a text field makes for itself: the text's own, its tokens paired or cut. */
export function subFieldAnalyzer(analyzer: Analyzer, subField: TextSubField): Analyzer {
  const out = new TokenBuffer()
  const { name, positionIncrementGap } = analyzer
  if (subField.kind === 'phrase') {
    const analyze = (text: string) => phraseShingles(analyzer.analyze(text), subField.followsGraph, out)
    return { name, positionIncrementGap, analyze }
  }
  if (subField.kind === 'completion') {
    const analyze = (text: string) => {
      const forms = formsOf(text, analyzer, subField)
      out.clear()
      for (const [i, form] of forms.entries()) out.push(form, 0, text.length, 'word', i === 0 ? 1 : 0)
      out.finalOffset = text.length
      return out
    }
    return { name, positionIncrementGap, analyze }
  }
  const cut = ngramFilter({ min: subField.minChars, max: subField.maxChars, edge: 'front' })
  const analyze = (text: string) => {
    const tokens = analyzer.analyze(text)
    // Positions behind the last token are lost, as in Lucene's filter; those of words too short are kept.
    out.clear()
    out.replaceTokens(tokens)
    out.finalOffset = tokens.finalOffset
    cut.filter(out)
    return out
  }
  return { name, positionIncrementGap, analyze }
}
