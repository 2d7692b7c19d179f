import { ServiceError } from '../../errors.ts'
import { javaDouble } from '../java-number-text.ts'
import { causedError, illegalArgument, mapperParsing } from './caused-error.ts'
import { commonParameters, fieldBase, scalarText } from './common-parameters.ts'
import { DEFAULT_DATE_FORMAT } from './create-date-format.ts'
import { FORMAT, fieldDateFormat, LOCALE } from './date-field-type.ts'
import type { DateFormat } from './date-format.ts'
import { parseDateMath } from './date-math.ts'
import type { NumericType, RangeField } from './field-mapping.ts'
import { type FieldType, parameterValue } from './field-type.ts'
import { ADDRESS_BYTES, formatAddress, neighbourAddress, parseAddress, parseNetwork } from './ip-address.ts'
import { readNumber } from './number-value.ts'
import { booleanParameter } from './parameter.ts'

type RangeType = RangeField['type']

const BOUNDS: Readonly<Record<Exclude<RangeType, 'ip_range'>, readonly [low: number, high: number]>> = {
  integer_range: [-2147483648, 2147483647],
  long_range: [-(2 ** 63), 2 ** 63],
  date_range: [-(2 ** 63), 2 ** 63],
  float_range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  double_range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
}

/** A range of numbers, dates or addresses. */
export function rangeType(name: RangeType): FieldType {
  const isDate = name === 'date_range'
  const type: FieldType = {
    name,
    family: 'range',
    parameters: [
      ...commonParameters({ docValues: true }),
      { name: 'format', fallback: isDate ? DEFAULT_DATE_FORMAT : undefined, read: FORMAT.read },
      { name: 'locale', fallback: '', read: LOCALE.read },
      booleanParameter('coerce', true, { explicit: true }),
    ],
    check: (parameters, scope) => {
      if (isDate || !parameters.has('format')) return
      const kind = name.replace('_range', '').toUpperCase()
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
        ...fieldBase(type, scope),
        kind: 'range',
        type: name,
        coerce: value('coerce') as boolean,
        format,
      }
      return {
        field,
        parse: (json) => (name === 'ip_range' ? addressRange(json, field) : numberRange(json, field, name)),
      }
    },
  }
  return type
}

interface RangeEnd {
  readonly value: unknown
  readonly inclusive: boolean
}

/** The two ends that a JSON object names; absent or null is open. */
function rangeEnds(json: unknown, field: RangeField): { from: RangeEnd | undefined; to: RangeEnd | undefined } {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    const name = field.path.slice(field.path.lastIndexOf('.') + 1)
    throw mapperParsing(`error parsing field [${field.path}], expected an object but got ${name}`)
  }
  let from: RangeEnd | undefined
  let to: RangeEnd | undefined
  for (const [key, value] of Object.entries(json)) {
    const end: RangeEnd | undefined = value === null ? undefined : { value, inclusive: key === 'gte' || key === 'lte' }
    if (key === 'gt' || key === 'gte') from = end ?? from
    else if (key === 'lt' || key === 'lte') to = end ?? to
    else throw mapperParsing(`error parsing field [${field.path}], with unknown parameter [${key}]`)
  }
  return { from, to }
}

function numberRange(json: unknown, field: RangeField, type: Exclude<RangeType, 'ip_range'>): Uint8Array {
  const { from, to } = rangeEnds(json, field)
  const [low, high] = BOUNDS[type]
  const start = from === undefined ? low : endValue(from, field, type, 1)
  const end = to === undefined ? high : endValue(to, field, type, -1)
  if (start > end) {
    const isFloat = type === 'float_range' || type === 'double_range'
    const text = (value: number): string => (isFloat ? javaDouble(value) : String(value))
    throw illegalArgument(`min value (${text(start)}) is greater than max value (${text(end)})`)
  }
  const bytes = new Uint8Array(16)
  const view = new DataView(bytes.buffer)
  view.setFloat64(0, start, true)
  view.setFloat64(8, end, true)
  return bytes
}

function endValue(end: RangeEnd, field: RangeField, type: Exclude<RangeType, 'ip_range'>, step: 1 | -1): number {
  if (type === 'date_range') {
    const format = field.format as DateFormat
    const text = scalarText(end.value)
    if (text.startsWith('now')) {
      const cause = illegalArgument('now is not used at indexing time')
      throw causedError('parse_exception', 'could not read the current timestamp', cause)
    }
    const millis = parseDateMath(text, format, { now: 0, roundUp: false })
    return end.inclusive ? millis : millis + step
  }
  const numeric = type.replace('_range', '') as NumericType
  const value = Number(
    readNumber(end.value, {
      type: numeric,
      coerce: field.coerce,
      scalingFactor: undefined,
      rangeError: 'json_parse_exception',
    }),
  )
  if (end.inclusive) return value
  if (type === 'integer_range' || type === 'long_range') return value + step
  return type === 'float_range' ? nextFloat(value, step) : nextDouble(value, step)
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

function addressRange(json: unknown, field: RangeField): Uint8Array {
  let first: Uint8Array
  let last: Uint8Array
  if (typeof json === 'string') ({ first, last } = parseNetwork(json))
  else {
    const { from, to } = rangeEnds(json, field)
    first = from === undefined ? new Uint8Array(ADDRESS_BYTES) : addressEnd(from, 1)
    last = to === undefined ? new Uint8Array(ADDRESS_BYTES).fill(0xff) : addressEnd(to, -1)
  }
  if (Buffer.compare(first, last) > 0) {
    throw illegalArgument(`min value (${formatAddress(first)}) is greater than max value (${formatAddress(last)})`)
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
      'illegal_argument_exception',
      step === 1
        ? 'overflow: there is no address after the last one'
        : 'underflow: there is no address before the first one',
    )
  }
  return next
}
