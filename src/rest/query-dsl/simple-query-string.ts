import type { Query } from '../../engine/search/queries/query.ts'
import { SIMPLE_QUERY_STRING_FLAGS } from '../../engine/search/queries/simple-query-string.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { phraseListener } from '../deprecation/query-deprecations.ts'
import { parsingException } from '../parsing-exception.ts'
import { boostedFields, lenientOption, operator, optional } from './query-options.ts'
import { type QueryContext, QueryReader } from './query-reader.ts'

/** `simple_query_string`. */
export function simpleQueryString(body: unknown, context: QueryContext): Query {
  const { engineVersion } = context
  const reader = new QueryReader('simple_query_string', body, engineVersion)
  const query = reader.text('query')
  const allFields = reader.has('all_fields') && reader.boolean('all_fields', false)
  const fields = boostedFields(reader.list('fields'), engineVersion !== 'Elasticsearch_6.8')
  const parsed: Query = {
    kind: 'simple_query_string',
    query: query ?? '',
    fields: allFields ? [] : fields,
    defaultOperator: operator(reader, 'default_operator'),
    flags: flagsOf(reader),
    analyzeWildcard: reader.boolean('analyze_wildcard', false),
    fuzzyPrefixLength: reader.int('fuzzy_prefix_length') ?? 0,
    fuzzyMaxExpansions: reader.int('fuzzy_max_expansions') ?? 50,
    fuzzyTranspositions: reader.boolean('fuzzy_transpositions', true),
    autoGenerateSynonymsPhraseQuery: reader.boolean('auto_generate_synonyms_phrase_query', true),
    ...optional('analyzer', reader.text('analyzer')),
    ...optional('quoteFieldSuffix', reader.text('quote_field_suffix')),
    ...optional('minimumShouldMatch', reader.text('minimum_should_match')),
    ...optional('lenient', lenientOption(reader, fields, engineVersion)),
    ...phraseListener(context),
    ...reader.base(),
  }
  // Settings of old: taken, and without effect since 6.0.
  reader.text('lowercase_expanded_terms')
  reader.text('locale')
  reader.done()
  if (query === undefined) throw parsingException('[simple_query_string] query text missing')
  return parsed
}

/** Bits of `flags`: a number, or names joined by `|`. @throws {ServiceError} illegal_argument_exception */
function flagsOf(reader: QueryReader): number {
  const isNumber = ['number', 'bigint'].includes(typeof reader.raw('flags'))
  const bits = isNumber ? (reader.int('flags') ?? 0) : namedFlags(reader)
  return bits < 0 ? SIMPLE_QUERY_STRING_FLAGS.ALL : bits
}

function namedFlags(reader: QueryReader): number {
  const names = reader.text('flags') ?? ''
  return names === '' ? SIMPLE_QUERY_STRING_FLAGS.ALL : reader.placed('flags', () => bitsOf(names))
}

function bitsOf(names: string): number {
  let flags = 0
  for (const part of names.split('|')) {
    const bits = Object.entries(SIMPLE_QUERY_STRING_FLAGS).find(([known]) => known === part.toUpperCase())?.[1]
    if (bits === undefined) throw illegalArgument(`Unknown simple_query_string flag [${part}]`)
    if (bits === SIMPLE_QUERY_STRING_FLAGS.NONE) return bits
    flags |= bits
  }
  return flags
}
