import type { Analyzer } from '../../analysis/analyzer.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import { isCompletion } from './query-context.ts'
import { searchAnalyzer } from './search-analyzer.ts'

/**
 * Whether anything of a query string's text is left when a field's analyzer has seen it.
 *
 * @param field     undefined: there is none of that name
 * @param analyzer  instead of the field's own
 */
export function hasWords(
  field: FieldMapping | undefined,
  text: string,
  analyzer: Analyzer | undefined,
  isQuoted: boolean,
): boolean {
  if (field === undefined) return true
  const chosen = analyzer ?? searchAnalyzer(isCompletion(field) ? field.words : field, isQuoted)
  return chosen === undefined || chosen.analyze(text).length > 0
}
