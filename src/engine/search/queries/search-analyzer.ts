import type { Analyzer } from '../../analysis/analyzer.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'

/** What a field takes a searched text apart with; undefined: it is one word as it stands. */
export function searchAnalyzer(field: FieldMapping, isQuoted: boolean): Analyzer | undefined {
  if (field.kind === 'text') return isQuoted ? field.searchQuoteAnalyzer : field.searchAnalyzer
  if (field.kind !== 'keyword' || field.flat !== undefined) return undefined
  return isQuoted ? field.normalizer : field.searchAnalyzer
}
