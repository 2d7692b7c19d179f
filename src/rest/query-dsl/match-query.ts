import type { EngineVersion } from '../../engine/engine-version.ts'
import type { MatchQuery, MultiMatchQuery, Query } from '../../engine/search/queries/query.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { phraseListener } from '../deprecation/query-deprecations.ts'
import { parsingException } from '../parsing-exception.ts'
import {
  boostedFields,
  fieldQuery,
  fuzzinessOption,
  javaFloat,
  lenientOption,
  operator,
  optional,
  zeroTerms,
} from './query-options.ts'
import { type QueryContext, QueryReader } from './query-reader.ts'

function fuzzyOptions(reader: QueryReader) {
  const prefixLength = reader.int('prefix_length') ?? 0
  const maxExpansions = reader.int('max_expansions') ?? 50
  if (prefixLength < 0) throw illegalArgument(`[${reader.name}] requires prefix length to be non-negative.`)
  if (maxExpansions <= 0) throw illegalArgument(`[${reader.name}] requires maxExpansions to be positive.`)
  const transpositions = reader.boolean('fuzzy_transpositions', true)
  return { prefixLength, maxExpansions, transpositions }
}

/** `slop`. @throws {ServiceError} illegal_argument_exception */
export function slopOf(reader: QueryReader): number {
  const slop = reader.int('slop') ?? 0
  if (slop < 0) throw illegalArgument('No negative slop allowed.')
  return slop
}

/** `match`. */
export function match(body: unknown, context: QueryContext): Query {
  return fieldQuery('match', body, context, ['query'], (field, value, reader) => {
    const query: MatchQuery = {
      kind: 'match',
      field,
      text: String(value),
      operator: operator(reader),
      ...fuzzyOptions(reader),
      lenient: reader.boolean('lenient', false),
      zeroTermsQuery: zeroTerms(reader, context),
      autoGenerateSynonymsPhraseQuery: reader.boolean('auto_generate_synonyms_phrase_query', true),
      ...optional('minimumShouldMatch', reader.text('minimum_should_match')),
      ...optional('fuzziness', fuzzinessOption(reader, context.engineVersion)),
      ...optional('fuzzyRewrite', reader.text('fuzzy_rewrite')),
      ...optional('analyzer', reader.text('analyzer')),
      ...optional('cutoffFrequency', javaFloat(reader, 'cutoff_frequency')),
      ...reader.base(),
    }
    return query
  })
}

/** `match_bool_prefix`: the words of a text, the last of them only begun. */
export function matchBoolPrefix(body: unknown, context: QueryContext): Query {
  return fieldQuery('match_bool_prefix', body, context, ['query'], (field, value, reader) => {
    return {
      kind: 'match',
      field,
      text: String(value),
      operator: operator(reader),
      ...fuzzyOptions(reader),
      lenient: false,
      zeroTermsQuery: 'none',
      autoGenerateSynonymsPhraseQuery: true,
      lastIsPrefix: true,
      ...optional('minimumShouldMatch', reader.text('minimum_should_match')),
      ...optional('fuzziness', fuzzinessOption(reader, context.engineVersion)),
      ...optional('fuzzyRewrite', reader.text('fuzzy_rewrite')),
      ...optional('analyzer', reader.text('analyzer')),
      ...reader.base(),
    }
  })
}

/** 6.x's `use_dis_max`, which adds scores up where it is false. */
function olderTieBreaker(reader: QueryReader, version: EngineVersion): number | undefined {
  return version === 'Elasticsearch_6.8' && !reader.boolean('use_dis_max', true) ? 1 : undefined
}

const TYPES = ['best_fields', 'most_fields', 'cross_fields', 'phrase', 'phrase_prefix'] as const

/** How words of a text are looked for in several fields. @throws {ServiceError} parse_exception for what a version does not know */
export function multiMatchType(asked: string, reader: QueryReader, version: EngineVersion): MultiMatchQuery['type'] {
  const types: readonly MultiMatchQuery['type'][] = version === 'Elasticsearch_6.8' ? TYPES : [...TYPES, 'bool_prefix']
  // Its name in 1.x.
  const type = asked === 'boolean' ? 'best_fields' : types.find((known) => known === asked)
  if (type !== undefined) return type
  const reason = `failed to parse [multi_match] query type [${asked}]. unknown type.`
  throw reader.at('type', new ServiceError('parse_exception', reason))
}

/** `multi_match`. */
export function multiMatch(body: unknown, context: QueryContext): Query {
  const { engineVersion } = context
  const reader = new QueryReader('multi_match', body, engineVersion)
  const text = reader.text('query')
  const type = multiMatchType(reader.text('type') ?? 'best_fields', reader, engineVersion)
  checkSuits(type, reader)
  const prefixLength = reader.int('prefix_length') ?? 0
  if (prefixLength < 0) throw illegalArgument('No negative prefix length allowed.')
  const maxExpansions = reader.int('max_expansions') ?? 50
  if (maxExpansions <= 0) throw illegalArgument('Max expansions must be strictly great than zero.')
  const fields = multiFields(reader)
  const query: Query = {
    kind: 'multi_match',
    text: text ?? '',
    fields,
    type,
    operator: operator(reader),
    prefixLength,
    maxExpansions,
    slop: slopOf(reader),
    ...optional('lenient', lenientOption(reader, fields, engineVersion)),
    zeroTermsQuery: zeroTerms(reader, { engineVersion }),
    transpositions: reader.boolean('fuzzy_transpositions', true),
    autoGenerateSynonymsPhraseQuery: reader.boolean('auto_generate_synonyms_phrase_query', true),
    ...optional('tieBreaker', olderTieBreaker(reader, engineVersion) ?? reader.number('tie_breaker')),
    ...optional('minimumShouldMatch', reader.text('minimum_should_match')),
    ...optional('fuzziness', fuzzinessOption(reader, engineVersion)),
    ...optional('fuzzyRewrite', reader.text('fuzzy_rewrite')),
    ...optional('analyzer', reader.text('analyzer')),
    ...optional('cutoffFrequency', javaFloat(reader, 'cutoff_frequency')),
    ...phraseListener(context),
    ...reader.base(),
  }
  reader.done()
  if (text === undefined) throw parsingException('No text specified for multi_match query')
  return query
}

/** `fields`: a list, or the one that there is. @throws {ServiceError} parsing_exception, illegal_state_exception */
function multiFields(reader: QueryReader): (readonly [string, number])[] {
  const fields = reader.raw('fields')
  if (fields !== null && !isObject(fields)) return boostedFields(fields)
  throw reader.at('fields', parsingException('[multi_match] query does not support [fields]'))
}

/** @throws {ServiceError} for options that mean nothing to a type */
function checkSuits(type: MultiMatchQuery['type'], reader: QueryReader): void {
  const refuse = (option: string, quoted: string): void => {
    if (!reader.has(option)) return
    throw parsingException(`${quoted} not allowed for type [${type}]`)
  }
  if (type === 'cross_fields' || type === 'phrase' || type === 'phrase_prefix') refuse('fuzziness', 'Fuzziness')
  if (type === 'bool_prefix') {
    refuse('slop', '[slop]')
    refuse('cutoff_frequency', '[cutoff_frequency]')
  }
}
