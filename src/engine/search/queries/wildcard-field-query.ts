import { luceneGeneration } from '../../analysis/automaton/lucene-generation.ts'
import { FIELD_NAMES } from '../../index/segment-builder.ts'
import type { TermDictionary } from '../../index/segment-reader.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import { MultiTermQuery, type TermSelection } from '../lucene/multi-term-query.ts'
import type { SetQuery } from '../lucene/set-query.ts'
import { TermQuery } from '../lucene/term-query.ts'
import { ToldSetQuery } from '../lucene/told-set-query.ts'
import { eitherCase } from '../terms/either-case.ts'
import { regexpTerms } from '../terms/regexp-terms.ts'
import { checkWildcard } from '../terms/wildcard-automaton.ts'
import { wildcardTerms } from '../terms/wildcard-terms.ts'
import { fieldExists } from './exists-query.ts'
import { creating, normalized, type QueryContext } from './query-context.ts'

/** Documents whose value in a `wildcard` field fits a pattern with `*` and `?`, which a single value is, too. */
export function wildcardFieldQuery(
  field: FieldMapping,
  pattern: string,
  context: QueryContext,
  caseInsensitive = false,
): LuceneQuery {
  const text = normalized(field, pattern)
  // Values are found by their letters: the empty one is never.
  if (text === '') return new MatchNoDocsQuery('no letters to find')
  creating(context, () => checkWildcard(text, luceneGeneration(context.search.engineVersion)))
  if (/^\*+$/.test(text)) return anyValue(field, context)
  const select = (terms: TermDictionary): TermSelection =>
    caseInsensitive ? regexpTerms(terms, eitherCase(text)) : wildcardTerms(terms, text)
  return asWildcard(field, text, new MultiTermQuery(field.path, text, select, `wildcard ${text}${caseInsensitive}`))
}

/** Documents with any value in a `wildcard` field; where names of fields tell, they score by it. */
export function anyValue({ path, docValues }: FieldMapping, context: QueryContext): LuceneQuery {
  return docValues ? fieldExists(path, context) : new TermQuery(FIELD_NAMES, path)
}

/** What is found in a `wildcard` field, told as the real server tells it. */
export function asWildcard(field: FieldMapping, text: string, query: SetQuery): LuceneQuery {
  const told = `WildcardMatchingQuery(${field.path}:"${text}")`
  return new ToldSetQuery(query, () => ({ whole: told, explained: told }))
}
