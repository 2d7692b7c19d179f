import type { Query } from '../../engine/search/query.ts'
import { SIMPLE_QUERY_STRING_FLAGS } from '../../engine/search/simple-query-string.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { boostedFields, lenientOption, operator, optional } from './query-options.ts'
import { type QueryContext, QueryReader } from './query-reader.ts'

/** `simple_query_string`. */
export function simpleQueryString(body: unknown, { engineVersion }: QueryContext): Query {
  const reader = new QueryReader('simple_query_string', body)
  for (const [key, value] of Object.entries(body as object)) {
    if (isObject(value))
      throw reader.at(
        key,
        new ServiceError('parsing_exception', `[simple_query_string] unknown token [START_OBJECT] after [${key}]`),
      )
  }
  const query = reader.text('query')
  const allFields = reader.has('all_fields') && reader.boolean('all_fields', false)
  const fields = boostedFields(reader.raw('fields'), engineVersion !== 'Elasticsearch_6.8')
  const parsed: Query = {
    kind: 'simple_query_string',
    query: query ?? '',
    fields: allFields ? [] : fields,
    defaultOperator: operator(reader, 'default_operator'),
    flags: reader.placed('flags', () => flagsOf(reader.raw('flags'))),
    analyzeWildcard: reader.boolean('analyze_wildcard', false),
    fuzzyPrefixLength: reader.number('fuzzy_prefix_length') ?? 0,
    fuzzyMaxExpansions: reader.number('fuzzy_max_expansions') ?? 50,
    fuzzyTranspositions: reader.boolean('fuzzy_transpositions', true),
    autoGenerateSynonymsPhraseQuery: reader.boolean('auto_generate_synonyms_phrase_query', true),
    ...optional('analyzer', reader.text('analyzer')),
    ...optional('quoteFieldSuffix', reader.text('quote_field_suffix')),
    ...optional('minimumShouldMatch', reader.text('minimum_should_match')),
    ...optional('lenient', lenientOption(reader, fields, engineVersion)),
    ...reader.base(),
  }
  // Settings of old: taken, and without effect since 6.0.
  reader.raw('lowercase_expanded_terms')
  reader.raw('locale')
  for (const key of Object.keys(body as object)) {
    if (reader.wasRead(key)) continue
    throw reader.at(key, new ServiceError('parsing_exception', `[simple_query_string] unsupported field [${key}]`))
  }
  if (query === undefined) throw new ServiceError('parsing_exception', '[simple_query_string] query text missing')
  return parsed
}

/** Bits of `flags`: a number, or names joined by `|`. @throws {ServiceError} illegal_argument_exception */
function flagsOf(value: unknown): number {
  if (value === undefined || value === null || value === '') return SIMPLE_QUERY_STRING_FLAGS.ALL
  if (typeof value === 'number') return value < 0 ? SIMPLE_QUERY_STRING_FLAGS.ALL : Math.trunc(value)
  let flags = 0
  for (const part of String(value).split('|')) {
    const bits = Object.entries(SIMPLE_QUERY_STRING_FLAGS).find(([known]) => known === part.toUpperCase())?.[1]
    if (bits === undefined)
      throw new ServiceError('illegal_argument_exception', `Unknown simple_query_string flag [${part}]`)
    if (bits === SIMPLE_QUERY_STRING_FLAGS.NONE) return bits
    flags |= bits
  }
  return flags
}
