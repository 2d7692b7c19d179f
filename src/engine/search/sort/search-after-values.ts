import { ServiceError, type ServiceErrorDetail } from '../../../errors.ts'
import type { EngineVersion } from '../../engine-version.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import { parseDateMath, parseDateMathNanos } from '../../mapping/dates/date-math.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import { isWholeType, narrow, outOfUnsigned, UNSIGNED_MAX } from '../../mapping/types/number-value.ts'
import { inQueryPhase } from '../query-phase.ts'
import type { SearchRequest, SortKey } from '../search-request.ts'
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
  const boxes: (Box | undefined)[] = []
  const values = searchAfter?.map((value, i) => {
    const key = sort[i]
    const field = key?.kind === 'field' ? searcher.mapping.field(key.field) : undefined
    const box = boxOf(key?.kind, field, engineVersion)
    boxes.push(box)
    if (value === null) return value
    if (field?.kind === 'number' && field.type === 'unsigned_long') return unsignedAfter(value, inQuery)
    // Java's reader of whole numbers has no words of its own for nothing.
    const isLong = box === 'Long' && engineVersion === 'Elasticsearch_6.8'
    const noNumber = value !== '' || box === 'Integer' || isLong ? `For input string: "${value}"` : 'empty String'
    const notParsed = (): ServiceError => unparsed(key?.kind === 'field' ? key.field : 'null', noNumber, inQuery)
    if (field?.kind === 'boolean' && engineVersion === 'Elasticsearch_7.10' && !isNumber(value))
      return flagAfter(String(value), inQuery)
    if (box !== undefined && field?.kind !== 'date') return numberAfter(value, box, engineVersion, notParsed)
    if (field?.kind === 'ip') return inQueryPhase(() => sortedAddressOf(String(value)))
    if (field?.kind === 'keyword' || field?.kind === 'text') return String(value)
    if ((typeof value !== 'string' && typeof value !== 'boolean') || field?.kind !== 'date') return value
    const text = String(value)
    if (engineVersion === 'Elasticsearch_6.8') {
      if (/^[+-]?\d+$/.test(text)) return Number(text)
      throw notParsed()
    }
    if (text.startsWith('now'))
      throw new ServiceError('parse_exception', 'could not read the current timestamp', inQuery)
    try {
      const options = { now: 0, roundUp: false }
      return field.inNanos
        ? parseDateMathNanos(text, field.format, options)
        : parseDateMath(text, field.format, options)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      throw error.with({ inQueryPhase: true })
    }
  })
  // Numbers are unwrapped once all values are read.
  const box = boxes.find((one, i) => one !== undefined && values?.[i] === null)
  if (box === undefined) return values
  const reason = `Cannot invoke "java.lang.${box}.${UNBOXING[box]}()" because "value" is null`
  throw new ServiceError('null_pointer_exception', reason, inQuery)
}

function unparsed(path: string, noNumber: string, detail: ServiceErrorDetail): ServiceError {
  return new ServiceError('illegal_argument_exception', `Failed to parse search_after value for field [${path}].`, {
    ...detail,
    cause: new ServiceError('number_format_exception', noNumber),
  })
}

const isNumber = (value: Values[number]): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint'

/** @throws {ServiceError} illegal_argument_exception for what is neither true nor false */
function flagAfter(text: string, detail: ServiceErrorDetail): number {
  if (text === 'true' || text === 'false') return text === 'true' ? 1 : 0
  const reason = `Cannot parse boolean [${text}], expected either [true] or [false]`
  throw new ServiceError('illegal_argument_exception', reason, detail)
}

/** What Java unwraps a number of each kind by. */
const UNBOXING = { Integer: 'intValue', Long: 'longValue', Float: 'floatValue', Double: 'doubleValue' } as const
type Box = keyof typeof UNBOXING

/** The numbers that are sorted by; undefined: other values are. OpenSearch sorts what has up to 32 bits as integers. */
function boxOf(
  kind: SortKey['kind'] | undefined,
  field: FieldMapping | undefined,
  engineVersion: EngineVersion,
): Box | undefined {
  if (kind === 'doc') return 'Integer'
  if (kind === 'score') return 'Float'
  if (kind === 'geo_distance') return 'Double'
  const small = engineVersion === 'OpenSearch_2.19' ? 'Integer' : 'Long'
  switch (field?.kind) {
    case 'boolean':
      return small
    case 'date':
      return 'Long'
    case 'number':
      if (field.type === 'unsigned_long') return undefined
      if (isWholeType(field.type)) return field.type === 'long' ? 'Long' : small
      return field.type === 'float' || field.type === 'half_float' ? 'Float' : 'Double'
    default:
      return undefined
  }
}

/** Numbers are cut to the type they are sorted as, texts are read as one. */
function numberAfter(
  value: NonNullable<Values[number]>,
  box: Box,
  engineVersion: EngineVersion,
  notParsed: () => ServiceError,
): Values[number] {
  const isWhole = box === 'Integer' || box === 'Long'
  if (isNumber(value)) return cutTo(box, value)
  const text = String(value)
  if (!isWhole && /^[+-]?Infinity$|^NaN$/.test(text)) return value
  const number = /^[+-]?[\d.]/.test(text) ? Number(text) : Number.NaN
  const needsWhole = box === 'Integer' || (isWhole && engineVersion === 'Elasticsearch_6.8')
  if (Number.isNaN(number)) throw notParsed()
  if (needsWhole && !/^[+-]?\d+$/.test(text)) throw notParsed()
  if (box === 'Integer' && number !== (number | 0)) throw notParsed()
  if (/^[+-]?\d+$/.test(text) && !Number.isSafeInteger(number)) return BigInt(text.replace('+', ''))
  return isWhole ? Math.floor(number) : box === 'Float' ? Math.fround(number) : number
}

function cutTo(box: Box, value: number | bigint): number | bigint {
  switch (box) {
    case 'Integer':
      return asInteger(value)
    case 'Long':
      if (typeof value === 'bigint') return value
      return Math.abs(value) < 2 ** 63 ? Math.trunc(value) : BigInt.asIntN(64, value < 0 ? 1n << 63n : ~(1n << 63n))
    case 'Float':
      return Math.fround(Number(value))
    case 'Double':
      return value
  }
}

/** What Java's `intValue` makes of a number: of whole ones the last 32 bits, of others the nearest there is. */
function asInteger(number: number | bigint): number {
  if (typeof number === 'bigint' || Number.isInteger(number)) return Number(BigInt.asIntN(32, BigInt(number)))
  return Math.trunc(Math.min(Math.max(number, -(2 ** 31)), 2 ** 31 - 1))
}

/** @throws {ServiceError} illegal_argument_exception for what no unsigned long is */
function unsignedAfter(value: NonNullable<Values[number]>, detail: ServiceErrorDetail): Values[number] {
  const refuse = (reason: string): ServiceError => new ServiceError('illegal_argument_exception', reason, detail)
  if (typeof value === 'number' && !Number.isInteger(value)) throw refuse(`Value [${value}] has a decimal part`)
  if (typeof value === 'string' && !/^[+-]?\d+$/.test(value)) throw refuse(`For input string: "${value}"`)
  if (typeof value === 'boolean') return value
  const whole = BigInt(value)
  if (whole < 0n || whole > UNSIGNED_MAX) throw refuse(outOfUnsigned(String(value)))
  return narrow(whole)
}
