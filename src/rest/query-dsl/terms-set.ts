import type { Query, QueryValue } from '../../engine/search/queries/query.ts'
import type { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { placed } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { parsingException } from '../parsing-exception.ts'
import { optional } from './query-options.ts'
import { type QueryContext, QueryReader } from './query-reader.ts'
import { readScript } from './read-script.ts'
import { termOf } from './terms-query.ts'
import { writtenNumber } from './written-number.ts'

/** `terms_set`. */
export function termsSet(body: unknown, context: QueryContext): Query {
  if (!isObject(body)) throw parsingException('[terms_set] query malformed, no start_object after query name')
  const [entry, second] = Object.entries(body)
  if (entry === undefined) throw unknownToken('END_OBJECT')
  const [field, value] = entry
  if (!isObject(value)) throw unknownToken(tokenName(value)).at(body, field)
  const reader = new QueryReader('terms_set', value)
  const query: Query = {
    kind: 'terms_set',
    field,
    terms: reader.has('terms') ? values(reader) : [],
    ...optional('minimumField', reader.text('minimum_should_match_field')),
    ...reader.base(),
  }
  const script = reader.raw('minimum_should_match_script')
  reader.done()
  if (second !== undefined) throw unknownToken('FIELD_NAME').at(body, second[0], 'name')
  if (script === undefined) return query
  if (!isObject(script)) throw reader.unsupported('minimum_should_match_script')
  if (query.minimumField !== undefined)
    throw illegalArgument('A field has already been specified. Cannot specify both a field and script')
  return { ...query, minimumScript: readScript(script, context) }
}

function values(reader: QueryReader): QueryValue[] {
  const given = reader.raw('terms')
  if (!Array.isArray(given)) throw reader.unsupported('terms')
  return given.map(
    (value, i) =>
      writtenNumber(
        given,
        i,
        placed(given, i, () => termOf(value, 'terms', 'terms_set')),
      ) as QueryValue,
  )
}

function unknownToken(token: string): ServiceError {
  return parsingException(`[terms_set] unknown token [${token}]`)
}
