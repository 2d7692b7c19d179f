import { ServiceError, type ServiceErrorDetail } from '../../errors.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import { parseDateMath, parseDateMathNanos } from '../mapping/date-math.ts'
import type { BooleanField, NumberField } from '../mapping/field-mapping.ts'
import { isWholeType, narrow, outOfUnsigned, UNSIGNED_MAX } from '../mapping/number-value.ts'
import { rewriting } from './query-context.ts'
import type { SearchRequest } from './search-request.ts'
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
    const notParsed = (): ServiceError => unparsed(key.field, value, inQuery)
    if (field?.kind === 'boolean' || field?.kind === 'number')
      return value === null ? value : numberAfter(value, field, engineVersion, notParsed)
    if (typeof value !== 'string') return value
    if (field?.kind === 'ip') return rewriting(() => sortedAddressOf(value))
    if (field?.kind !== 'date') return value
    if (engineVersion === 'Elasticsearch_6.8') {
      if (/^[+-]?\d+$/.test(value)) return Number(value)
      throw notParsed()
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

function unparsed(path: string, value: Values[number], detail: ServiceErrorDetail): ServiceError {
  return new ServiceError('illegal_argument_exception', `Failed to parse search_after value for field [${path}].`, {
    ...detail,
    cause: new ServiceError('number_format_exception', `For input string: "${value}"`),
  })
}

/** Numbers are cut to the type they are sorted as, texts are read as one; 7.x and later sort what has up to 32 bits as integers. */
function numberAfter(
  value: NonNullable<Values[number]>,
  field: NumberField | BooleanField,
  engineVersion: EngineVersion,
  notParsed: () => ServiceError,
): Values[number] {
  const isWhole = field.kind === 'boolean' || isWholeType(field.type)
  const isInteger =
    isWhole && engineVersion !== 'Elasticsearch_6.8' && (field.kind === 'boolean' || field.type !== 'long')
  if (typeof value === 'number' || typeof value === 'bigint') return isInteger ? asInteger(Number(value)) : value
  const text = String(value)
  if (!isWhole && /^[+-]?Infinity$|^NaN$/.test(text)) return value
  const number = /^[+-]?[\d.]/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(number)) throw notParsed()
  const needsWhole = isInteger || (isWhole && engineVersion === 'Elasticsearch_6.8')
  if (needsWhole && !/^[+-]?\d+$/.test(text)) throw notParsed()
  if (isInteger && number !== (number | 0)) throw notParsed()
  return /^[+-]?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text.replace('+', '')) : number
}

/** What Java's `intValue` makes of a number: of whole ones the last 32 bits, of others the nearest there is. */
function asInteger(number: number): number {
  if (Number.isInteger(number)) return Number(BigInt.asIntN(32, BigInt(number)))
  return Math.trunc(Math.min(Math.max(number, -(2 ** 31)), 2 ** 31 - 1))
}

/** @throws {ServiceError} illegal_argument_exception for what no unsigned long is */
function unsignedAfter(value: Values[number], detail: ServiceErrorDetail): Values[number] {
  const refuse = (reason: string): ServiceError => new ServiceError('illegal_argument_exception', reason, detail)
  if (typeof value === 'number' && !Number.isInteger(value)) throw refuse(`Value [${value}] has a decimal part`)
  if (typeof value === 'string' && !/^[+-]?\d+$/.test(value)) throw refuse(`For input string: "${value}"`)
  if (typeof value === 'boolean' || value === null) return value
  const whole = BigInt(value)
  if (whole < 0n || whole > UNSIGNED_MAX) throw refuse(outOfUnsigned(String(value)))
  return narrow(whole)
}
