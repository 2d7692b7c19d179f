import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { javaDouble, javaFloat } from '../../java/java-number-text.ts'
import { createDateFormat, DEFAULT_DATE_FORMAT } from '../dates/create-date-format.ts'
import type { DateFormat } from '../dates/date-format.ts'
import { parseDateMath } from '../dates/date-math.ts'
import type { NumericType, RangeField } from '../field-mapping.ts'
import { JsonNumber } from '../lossless-json.ts'
import { mapperParsing } from '../mapping-errors.ts'
import { MemberError } from '../member-error.ts'
import { commonParameters, fieldBase, scalarText } from './common-parameters.ts'
import { fieldDateFormat, formatText, LOCALE } from './date-field-type.ts'
import { type FieldType, parameterValue } from './field-type.ts'
import { ADDRESS_BYTES, formatAddress, neighbourAddress, parseAddress, parseNetwork } from './ip-address.ts'
import { readNumber } from './number-value.ts'
import { booleanParameter, type FieldScope, type MappingScope } from './parameter.ts'

type RangeType = RangeField['type']

const BOUNDS: Readonly<Record<Exclude<RangeType, 'ip_range'>, readonly [low: number, high: number]>> = {
  integer_range: [-2147483648, 2147483647],
  long_range: [-(2 ** 63), 2 ** 63],
  date_range: [-(2 ** 63), 2 ** 63],
  float_range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  double_range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
}

const isLegacy = ({ engineVersion }: MappingScope): boolean => engineVersion === 'Elasticsearch_6.8'

/** Checked where the field is known to be one of dates, without that field's name. */
function readFormat(value: unknown, scope: FieldScope): unknown {
  const pattern = formatText(value, scope)
  createDateFormat(pattern, scope.engineVersion)
  return pattern
}

/** A range of numbers, dates or addresses. */
export function rangeType(name: RangeType): FieldType {
  const isDate = name === 'date_range'
  const type: FieldType = {
    name,
    family: 'range',
    parameters: [
      ...commonParameters({ docValues: true }),
      { name: 'format', fallback: isDate ? DEFAULT_DATE_FORMAT : undefined, read: isDate ? readFormat : formatText },
      { name: 'locale', fallback: '', read: LOCALE.read },
      booleanParameter('coerce', true, { explicit: true }),
      booleanParameter('ignore_malformed', false, { explicit: true, isOpenSearch: true }),
    ],
    check: (parameters, scope) => {
      if (isDate || !parameters.has('format')) return
      const kind = isLegacy(scope) ? name.replace('_range', '').toUpperCase() : 'range'
      throw illegalArgument(
        `field [${scope.name}] of type [${kind}] should not define a dateTimeFormatter unless it is a DATE type`,
      )
    },
    build: (scope) => {
      const value = (parameter: string): unknown => parameterValue(type, scope.definition, parameter)
      const format = isDate
        ? fieldDateFormat(value('format') as string, scope.engineVersion, value('locale') as string)
        : undefined
      const field: RangeField = {
        kind: 'range',
        nullValue: undefined,
        type: name,
        coerce: value('coerce') as boolean,
        format,
        ignoreMalformed: value('ignore_malformed') === true,
        rangeError: isLegacy(scope) ? 'json_parse_exception' : 'input_coercion_exception',
        ...fieldBase(type, scope),
      }
      return {
        field,
        parse: (json, inArray = false) =>
          name === 'ip_range' ? addressRange(json, field, inArray) : numberRange(json, field, name, inArray),
      }
    },
  }
  return type
}

interface RangeEnd {
  readonly value: unknown
  readonly inclusive: boolean
}

/** Reads the two ends that a JSON object names, one after the other; absent or null is open. */
function readEnds<T>(
  json: unknown,
  field: RangeField,
  { inArray, read }: { readonly inArray: boolean; readonly read: (end: RangeEnd, step: 1 | -1) => T },
): { from: T | undefined; to: T | undefined } {
  if (typeof json !== 'object' || json === null || Array.isArray(json) || json instanceof JsonNumber) {
    const name = inArray ? 'null' : field.path.slice(field.path.lastIndexOf('.') + 1)
    throw mapperParsing(`error parsing field [${field.path}], expected an object but got ${name}`)
  }
  let from: T | undefined
  let to: T | undefined
  for (const [key, value] of Object.entries(json)) {
    MemberError.in(value, () => {
      const step = FROM_KEYS.has(key) ? 1 : TO_KEYS.has(key) ? -1 : undefined
      if (step === undefined) {
        throw mapperParsing(`error parsing field [${field.path}], with unknown parameter [${key}]`)
      }
      if (value === null) return
      const end = read({ value, inclusive: key.endsWith('e') }, step)
      if (step === 1) from = end
      else to = end
    })
  }
  return { from, to }
}

const FROM_KEYS: ReadonlySet<string> = new Set(['gt', 'gte'])
const TO_KEYS: ReadonlySet<string> = new Set(['lt', 'lte'])

/** The ends are compared when all of the object is read. */
const emptyRange = (reason: string): MemberError => new MemberError(illegalArgument(reason), null)

function numberRange(
  json: unknown,
  field: RangeField,
  type: Exclude<RangeType, 'ip_range'>,
  inArray: boolean,
): Uint8Array {
  const [low, high] = BOUNDS[type]
  const read = (end: RangeEnd, step: 1 | -1): number => endValue(end, field, type, step)
  const { from: start = low, to: end = high } = readEnds(json, field, { inArray, read })
  // The ends are compared where they are made a point, and what is not indexed has none.
  if (start > end && field.index) {
    const isFloat = type === 'float_range' || type === 'double_range'
    const text = (value: number): string =>
      type === 'float_range' ? javaFloat(value) : isFloat ? javaDouble(value) : String(value)
    throw emptyRange(`min value (${text(start)}) is greater than max value (${text(end)})`)
  }
  const bytes = new Uint8Array(16)
  const view = new DataView(bytes.buffer)
  view.setFloat64(0, start, true)
  view.setFloat64(8, end, true)
  return bytes
}

function endValue(end: RangeEnd, field: RangeField, type: Exclude<RangeType, 'ip_range'>, step: 1 | -1): number {
  const value = Number(givenEnd(end.value, field, type))
  if (end.inclusive) return value
  if (type === 'float_range') return nextFloat(value, step)
  if (type === 'double_range') return nextDouble(value, step)
  // Beyond the last of them is the first, as Java counts.
  return type === 'integer_range' ? (value + step) | 0 : value + step
}

/** An end as it was given: a number, or milliseconds. */
function givenEnd(value: unknown, field: RangeField, type: Exclude<RangeType, 'ip_range'>): number | bigint {
  if (type !== 'date_range') {
    return readNumber(value, {
      type: type.replace('_range', '') as NumericType,
      coerce: field.coerce,
      scalingFactor: undefined,
      rangeError: field.rangeError,
    })
  }
  const text = scalarText(value)
  if (text.startsWith('now')) {
    const cause = illegalArgument('now is not used at indexing time')
    throw new ServiceError('parse_exception', 'could not read the current timestamp', { cause })
  }
  return parseDateMath(text, field.format as DateFormat, { now: 0, roundUp: false })
}

/** A range as Lucene prints it, its ends as they were given: `(1 : 5]`. @throws {ServiceError} where it is none */
export function rangeText(json: unknown, field: RangeField): string {
  const { type } = field
  if (type === 'ip_range' && typeof json === 'string') {
    const { first, last } = parseNetwork(json)
    return `[${formatAddress(first)} : ${formatAddress(last)}]`
  }
  const [low, high] = PRINTED_BOUNDS[type]
  const read = ({ value, inclusive }: RangeEnd): PrintedEnd => ({ text: endText(value, field), inclusive })
  const { from = { text: low, inclusive: true }, to = { text: high, inclusive: true } } = readEnds(json, field, {
    inArray: false,
    read,
  })
  return `${from.inclusive ? '[' : '('}${from.text} : ${to.text}${to.inclusive ? ']' : ')'}`
}

interface PrintedEnd {
  readonly text: string
  readonly inclusive: boolean
}

function endText(value: unknown, field: RangeField): string {
  const { type } = field
  if (type === 'ip_range') return formatAddress(parseAddress(scalarText(value)))
  const given = givenEnd(value, field, type)
  if (type === 'float_range') return javaFloat(Number(given))
  return type === 'double_range' ? javaDouble(Number(given)) : String(given)
}

const LONGS = ['-9223372036854775808', '9223372036854775807'] as const
const FLOATS = ['-Infinity', 'Infinity'] as const
const PRINTED_BOUNDS: Readonly<Record<RangeType, readonly [low: string, high: string]>> = {
  integer_range: ['-2147483648', '2147483647'],
  long_range: LONGS,
  date_range: LONGS,
  float_range: FLOATS,
  double_range: FLOATS,
  ip_range: ['::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
}

/** The neighbour of a float, towards ±infinity. */
export function nextFloat(value: number, step: 1 | -1): number {
  if (value === 0) return step * 2 ** -149
  const view = new DataView(new ArrayBuffer(4))
  view.setFloat32(0, value)
  view.setInt32(0, view.getInt32(0) + (value > 0 ? step : -step))
  return view.getFloat32(0)
}

/** The neighbour of a double, towards ±infinity. */
export function nextDouble(value: number, step: 1 | -1): number {
  if (value === 0) return step * Number.MIN_VALUE
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(value > 0 ? step : -step))
  return view.getFloat64(0)
}

function addressRange(json: unknown, field: RangeField, inArray: boolean): Uint8Array {
  let first: Uint8Array
  let last: Uint8Array
  if (typeof json === 'string') ({ first, last } = parseNetwork(json))
  else {
    const ends = readEnds(json, field, { inArray, read: addressEnd })
    first = ends.from ?? new Uint8Array(ADDRESS_BYTES)
    last = ends.to ?? new Uint8Array(ADDRESS_BYTES).fill(0xff)
  }
  if (Buffer.compare(first, last) > 0 && field.index) {
    throw emptyRange('min value cannot be greater than max value for InetAddressRange field')
  }
  const bytes = new Uint8Array(2 * ADDRESS_BYTES)
  bytes.set(first)
  bytes.set(last, ADDRESS_BYTES)
  return bytes
}

function addressEnd(end: RangeEnd, step: 1 | -1): Uint8Array {
  const address = parseAddress(scalarText(end.value))
  if (end.inclusive) return address
  const next = neighbourAddress(address, step)
  if (next === undefined) {
    throw new ServiceError(
      'arithmetic_exception',
      step === 1
        ? 'Overflow: there is no greater InetAddress than ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'
        : 'Underflow: there is no smaller InetAddress than 0:0:0:0:0:0:0:0',
    )
  }
  return next
}
