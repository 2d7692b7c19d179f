import type { Query } from '../../engine/search/queries/query.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { tokenName } from '../../token-name.ts'
import { parsingException } from '../parsing-exception.ts'
import { javaFloat, operator, optional } from './query-options.ts'
import { oneField, QueryReader } from './query-reader.ts'

/** `common`. */
export function commonTerms(body: unknown): Query {
  return oneField('common', body, (field, value) => {
    const reader = new QueryReader('common', isObject(value) ? value : { query: value })
    const text = isObject(value) ? reader.text('query') : reader.raw('query')
    const minimum = reader.object('minimum_should_match')
    const query: Query = {
      kind: 'common',
      field,
      text: String(text ?? ''),
      cutoffFrequency: javaFloat(reader, 'cutoff_frequency') ?? Math.fround(0.01),
      lowFreqOperator: operator(reader, 'low_freq_operator'),
      highFreqOperator: operator(reader, 'high_freq_operator'),
      ...(minimum === undefined
        ? optional('lowFreqMinimumShouldMatch', reader.text('minimum_should_match'))
        : minimumOfGroups(minimum)),
      ...optional('analyzer', reader.text('analyzer')),
      ...reader.base(),
    }
    // Of old, without effect.
    reader.text('disable_coord')
    reader.done()
    if ((text ?? undefined) === undefined) throw illegalArgument('text cannot be null')
    return query
  })
}

/** `minimum_should_match` of rare and frequent words apart. */
function minimumOfGroups(json: { readonly [name: string]: unknown }) {
  const groups: { lowFreqMinimumShouldMatch?: string; highFreqMinimumShouldMatch?: string } = {}
  for (const [key, value] of Object.entries(json)) {
    if (typeof value === 'object' && value !== null)
      throw parsingException(`[common] unexpected token type [${tokenName(value)}] after [${key}]`).at(json, key)
    if (key === 'low_freq') groups.lowFreqMinimumShouldMatch = String(value)
    else if (key === 'high_freq') groups.highFreqMinimumShouldMatch = String(value)
    else throw parsingException(`[common] query does not support [${key}] for [minimum_should_match]`).at(json, key)
  }
  return groups
}
