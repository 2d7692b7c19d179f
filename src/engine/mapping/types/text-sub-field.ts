import type { Analyzer } from '../../analysis/analyzer.ts'
import { TokenBuffer } from '../../analysis/token-buffer.ts'
import { ngramFilter } from '../../analysis/token-filters/ngram-filter.ts'
import { type CompletionFormOptions, formsOf } from './completion-forms.ts'
import { phrasePairs, phraseShingles, type ShingleOptions } from './phrase-shingles.ts'

/** What a field that a text field makes for itself holds of the text. */
export type TextSubField =
  /** Pairs of words (`index_phrases`); from Lucene 8 on, tokens that span several places are followed to their ends. */
  | { readonly kind: 'phrase'; readonly followsGraph: boolean }
  /** Beginnings of words (`index_prefixes`), of so many characters; of runs of so many words (`search_as_you_type`). */
  | { readonly kind: 'prefix'; readonly minChars: number; readonly maxChars: number; readonly words?: number }
  /** Runs of so many words (`search_as_you_type`). */
  | { readonly kind: 'shingle'; readonly size: number }
  /** A completion's inputs, each one word (which its field does not show). */
  | ({ readonly kind: 'completion' } & CompletionFormOptions)

/** Last part of the path of such a field. */
export function subFieldName(subField: TextSubField): string {
  return subField.kind === 'shingle' ? `_${subField.size}gram` : `_index_${subField.kind}`
}

const COMPLETED = `.${subFieldName({ kind: 'completion', preserveSeparators: true, preservePositionIncrements: true })}`

/** A field's path as it is told: a completion's inputs are found in the field itself in the real server. */
export function toldPath(path: string): string {
  return path.endsWith(COMPLETED) ? path.slice(0, -COMPLETED.length) : path
}

/** The analyzer of a field that a text field makes for itself: the text's own, its tokens paired or cut. */
export function subFieldAnalyzer(analyzer: Analyzer, subField: TextSubField): Analyzer {
  const out = new TokenBuffer()
  const { name, positionIncrementGap } = analyzer
  if (subField.kind === 'phrase' || subField.kind === 'shingle') {
    const options = subField.kind === 'phrase' ? phrasePairs(subField.followsGraph) : wordRuns(subField.size)
    const analyze = (text: string) => phraseShingles(analyzer.analyze(text), options, out)
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
  const { minChars, maxChars, words } = subField
  const cut = ngramFilter({ min: minChars, max: maxChars, edge: 'front', preserveOriginal: words !== undefined })
  const analyze = (text: string) => {
    const tokens = analyzer.analyze(text)
    // Positions behind the last token are lost, as in Lucene's filter; those of words too short are kept.
    out.clear()
    if (words === undefined) out.replaceTokens(tokens)
    else {
      // The last words begin runs, too.
      phraseShingles(tokens, wordRuns(words), out, words - 1)
      out.trailingPositionIncrement = 0
    }
    out.finalOffset = tokens.finalOffset
    cut.filter(out)
    return out
  }
  return { name, positionIncrementGap, analyze }
}

const wordRuns = (size: number): ShingleOptions => ({ size, filler: '', followsGraph: true })
