import type { Analyzer } from '../../analysis/analyzer.ts'
import { ChainAnalyzer } from '../../analysis/chain-analyzer.ts'
import { lowerCase } from '../../analysis/unicode/lower-case.ts'
import type { FieldMapping, TextField } from '../../mapping/field-mapping.ts'

/** Latin letters that folding filters change one by one. */
const FOLDED = /[\u00c0-\u024f]/g

/**
 * The beginning of a word as a field's terms begin, as far as its analyzer works letter by letter (case, accents): what
 * prefixes and fuzzy words of query strings go through, which are no whole words that could be analyzed.
 *
 * @param analyzer  instead of the field's own
 */
export function normalizedWord(field: FieldMapping, text: string, analyzer?: Analyzer): string {
  if (field.kind === 'keyword' && field.flat !== undefined) return text
  if (field.kind === 'keyword' && analyzer === undefined) {
    return field.normalizer === undefined ? text : (field.normalizer.analyze(text).terms[0] ?? text)
  }
  const own = analyzer ?? (field.kind === 'text' ? wordAnalyzer(field) : undefined)
  if (own === undefined) return text
  const normalizer = own instanceof ChainAnalyzer ? own.chain.normalizer : undefined
  if (normalizer !== undefined) return normalizer.analyze(text).terms[0] ?? text
  const cased = letter(own, 'Q') === 'q' ? lowerCase(text) : text
  return cased.replace(FOLDED, (char) => letter(own, char) ?? char)
}

/** What takes single words apart, also where a field holds runs of them. */
function wordAnalyzer({ subField, prefixes, searchAnalyzer, searchQuoteAnalyzer }: TextField): Analyzer {
  if (subField?.kind === 'shingle') return prefixes?.searchQuoteAnalyzer ?? searchAnalyzer
  return subField?.kind === 'prefix' && subField.words !== undefined ? searchQuoteAnalyzer : searchAnalyzer
}

function letter(analyzer: Analyzer, char: string): string | undefined {
  const tokens = analyzer.analyze(char)
  return tokens.length === 1 ? tokens.terms[0] : undefined
}
