import { ServiceError, type ServiceErrorDetail } from '../../errors.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import { parseDateMath, parseDateMathNanos } from '../mapping/date-math.ts'
import { outOfUnsigned, UNSIGNED_MAX } from '../mapping/number-value.ts'
import { rewriting } from './query-context.ts'
import type { SearchRequest } from './search-request.ts'
import { numeral } from './sort-values.ts'
import { sortedAddressOf } from './sorted-address.ts'

type Values = NonNullable<SearchRequest['searchAfter']>

/**
 * What a search's `search_after` means by the fields of an index: a text for a date is that date in the field's format. 6.x
 * wants milliseconds.
 *
 * @throws {ServiceError} for texts that are no dates
 */
export function searchAfterValues(
  { searchAfter, sort }: SearchRequest,
  searcher: IndexSearcher,
  engineVersion: EngineVersion,
): Values | undefined {
  const inQuery = { inQueryPhase: true, index: searcher.indexName }
  return searchAfter?.map((value, i) => {
    const key = sort[i]
    if (key?.kind !== 'field') return value
    const field = searcher.mapping.field(key.field)
    if (field?.kind === 'number' && field.type === 'unsigned_long') return unsignedAfter(value, inQuery)
    if (typeof value !== 'string') return value
    if (field?.kind === 'number') return numeral(field, value)
    if (field?.kind === 'ip') return rewriting(() => sortedAddressOf(value))
    if (field?.kind !== 'date') return value
    if (engineVersion === 'Elasticsearch_6.8') {
      if (/^[+-]?\d+$/.test(value)) return Number(value)
      throw new ServiceError(
        'illegal_argument_exception',
        `Failed to parse search_after value for field [${key.field}].`,
        {
          ...inQuery,
          cause: new ServiceError('number_format_exception', `For input string: "${value}"`),
        },
      )
    }
    if (value.startsWith('now'))
      throw new ServiceError('parse_exception', 'could not read the current timestamp', inQuery)
    try {
      const options = { now: 0, roundUp: false }
      return field.inNanos
        ? parseDateMathNanos(value, field.format, options)
        : parseDateMath(value, field.format, options)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      throw new ServiceError(error.type, error.reason, { ...error.detail, ...inQuery })
    }
  })
}

/** @throws {ServiceError} illegal_argument_exception for what no unsigned long is */
function unsignedAfter(value: Values[number], detail: ServiceErrorDetail): Values[number] {
  const refuse = (reason: string): ServiceError => new ServiceError('illegal_argument_exception', reason, detail)
  if (typeof value === 'number' && !Number.isInteger(value)) throw refuse(`Value [${value}] has a decimal part`)
  if (typeof value === 'string' && !/^[+-]?\d+$/.test(value)) throw refuse(`For input string: "${value}"`)
  if (typeof value === 'boolean' || value === null) return value
  const whole = BigInt(value)
  if (whole < 0n || whole > UNSIGNED_MAX) throw refuse(outOfUnsigned(String(value)))
  return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole
}
