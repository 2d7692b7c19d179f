import type { Query } from '../../engine/search/query.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { tokenName } from '../../token-name.ts'
import { javaFloat, operator, optional } from './query-options.ts'
import { QueryReader, singleField } from './query-reader.ts'

/** `common`. */
export function commonTerms(body: unknown): Query {
  const [field, value] = singleField('common', body)
  const reader = new QueryReader('common', isObject(value) ? value : { query: value })
  const given = reader.raw('query')
  if (!isObject(value) && Array.isArray(given))
    throw new ServiceError('illegal_state_exception', `Can't get text on a START_ARRAY`)
  // A list's members are read one after the other; the last one stays.
  const text = Array.isArray(given) ? given.flat(Number.POSITIVE_INFINITY).at(-1) : given
  if (isObject(text)) throw reader.unsupported('query')
  const low = reader.raw('minimum_should_match')
  const groups = isObject(low) ? minimumOfGroups(low) : {}
  const query: Query = {
    kind: 'common',
    field,
    text: String(text ?? ''),
    cutoffFrequency: javaFloat(reader, 'cutoff_frequency') ?? Math.fround(0.01),
    lowFreqOperator: operator(reader, 'low_freq_operator'),
    highFreqOperator: operator(reader, 'high_freq_operator'),
    ...groups,
    ...(isObject(low) || low === undefined || low === null ? {} : { lowFreqMinimumShouldMatch: String(low) }),
    ...optional('analyzer', reader.text('analyzer')),
    ...reader.base(),
  }
  reader.done()
  if (text === undefined || text === null) throw new ServiceError('illegal_argument_exception', 'text cannot be null')
  return query
}

/** `minimum_should_match` of rare and frequent words apart. */
function minimumOfGroups(json: { readonly [name: string]: unknown }) {
  const groups: { lowFreqMinimumShouldMatch?: string; highFreqMinimumShouldMatch?: string } = {}
  for (const [key, value] of Object.entries(json)) {
    if (typeof value === 'object' && value !== null)
      throw new ServiceError('parsing_exception', `[common] unexpected token type [${tokenName(value)}] after [${key}]`)
    if (key === 'low_freq') groups.lowFreqMinimumShouldMatch = String(value)
    else if (key === 'high_freq') groups.highFreqMinimumShouldMatch = String(value)
    else
      throw new ServiceError('parsing_exception', `[common] query does not support [${key}] for [minimum_should_match]`)
  }
  return groups
}
