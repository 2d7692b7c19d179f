import type { TokenBuffer } from '../analysis/token-buffer.ts'
import type { FieldMapping } from '../mapping/field-mapping.ts'
import type { PhrasePlace } from './lucene/phrase-query.ts'
import { type QueryContext, shardError } from './query-context.ts'

/**
 * The words a text is for a field, place by place; several words at a place are alternatives.
 *
 * @param analyzer  named in the query, instead of the field's own
 * @param isQuoted  phrases have an analyzer of their own (`search_quote_analyzer`)
 */
export function textPlaces(
  field: FieldMapping,
  text: string,
  analyzer: string | undefined,
  isQuoted: boolean,
  context: QueryContext,
): PhrasePlace[] {
  if (analyzer !== undefined) {
    const named = context.search.mapping.analyzers.analyzer(analyzer)
    if (named === undefined) throw shardError(context, `[match] analyzer [${analyzer}] not found`)
    return placesOf(named.analyze(text))
  }
  if (field.kind === 'text')
    return placesOf((isQuoted ? field.searchQuoteAnalyzer : field.searchAnalyzer).analyze(text))
  if (field.kind === 'keyword' && field.normalizer !== undefined) return placesOf(field.normalizer.analyze(text))
  return [{ terms: [text], position: 0 }]
}

function placesOf(tokens: TokenBuffer): PhrasePlace[] {
  const places: { terms: string[]; position: number }[] = []
  let position = -1
  for (let i = 0; i < tokens.length; i++) {
    const increment = tokens.positionIncrements[i] as number
    position += increment
    const term = tokens.terms[i] as string
    const last = places.at(-1)
    if (increment === 0 && last !== undefined) last.terms.push(term)
    else places.push({ terms: [term], position })
  }
  return places
}
