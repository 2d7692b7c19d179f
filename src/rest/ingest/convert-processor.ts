import { javaDouble, javaFloat } from '../../engine/java/java-number-text.ts'
import { JsonNumber } from '../../engine/mapping/lossless-json.ts'
import { ServiceError } from '../../errors.ts'
import { textOf, type Value } from './ingest-document.ts'
import { IngestFault } from './ingest-fault.ts'
import { parseDouble, parseInteger } from './java-number.ts'
import { ipBytes } from './network/ip-bytes.ts'
import type { ProcessorFactory } from './processor.ts'

type Convert = (value: Value) => Value

/** A whole number between two bounds; `0x1F` too. */
function whole(type: 'integer' | 'long'): Convert {
  const java = type === 'integer' ? 'int' : 'long'
  return (value) => {
    const text = textOf(value)
    try {
      const hex = /^(-?)0x([\s\S]*)$/.exec(text)
      if (hex === null) return parseInteger(text, java)
      const [, sign, digits = ''] = hex
      if (!/^[0-9a-fA-F]+$/.test(digits)) throw cannot(text, type)
      return parseInteger(`${sign}${BigInt(`0x${digits}`)}`, java)
    } catch (error) {
      throw error instanceof IngestFault ? cannot(text, type) : error
    }
  }
}

/** A number with a point, as Java writes it. */
function decimal(type: 'float' | 'double'): Convert {
  return (value) => {
    const text = textOf(value)
    try {
      const number = parseDouble(text)
      return new JsonNumber(type === 'float' ? javaFloat(Math.fround(number)) : javaDouble(number))
    } catch (error) {
      throw error instanceof IngestFault ? cannot(text, type, error.message) : error
    }
  }
}

function cannot(text: string, type: string, why = `For input string: "${text}"`): IngestFault {
  return new IngestFault(
    `unable to convert [${text}] to ${type}`,
    'illegal_argument_exception',
    new ServiceError('number_format_exception', why),
  )
}

const toBoolean: Convert = (value) => {
  const text = textOf(value)
  const lower = text.toLowerCase()
  if (lower === 'true' || lower === 'false') return lower === 'true'
  throw new IngestFault(`[${text}] is not a boolean value, cannot convert to boolean`)
}

const toInteger = whole('integer')
const toLong = whole('long')
const toFloat = decimal('float')

/** An address, which stays as it is written (OpenSearch). */
const toAddress: Convert = (value) => {
  const text = textOf(value)
  if (ipBytes(text.replace(/%[\w.]+$/, '')) !== undefined) return value
  throw new IngestFault(`[${text}] is not a valid ipv4/ipv6 address`)
}

/** The first type that takes a text; else it stays. */
const auto: Convert = (value) => {
  if (typeof value !== 'string') return value
  for (const convert of [toBoolean, toInteger, toLong, toFloat]) {
    try {
      return convert(value)
    } catch (error) {
      if (!(error instanceof IngestFault)) throw error
    }
  }
  return value
}

const TYPES: Readonly<Record<string, Convert>> = {
  integer: toInteger,
  long: toLong,
  float: toFloat,
  double: decimal('double'),
  boolean: toBoolean,
  string: textOf,
  auto,
  ip: toAddress,
}

/** `convert`. */
export const convert: ProcessorFactory = (config, { engineVersion }) => {
  const field = config.text('field')
  const named = config.text('type')
  const type = named.toLowerCase()
  const target = config.text('target_field', field)
  const isKnown = Object.hasOwn(TYPES, type) && (type !== 'ip' || engineVersion === 'OpenSearch_2.19')
  const change = isKnown ? (TYPES[type] as Convert) : undefined
  if (change === undefined) throw config.fault('type', `type [${named}] not supported, cannot convert field.`)
  const ignoreMissing = config.boolean('ignore_missing', false)
  return (document) => {
    if (ignoreMissing && !document.has(field)) return
    const value = document.get(field)
    if (value === null) {
      if (ignoreMissing) return
      throw new IngestFault(`Field [${field}] is null, cannot be converted to type [${type}]`)
    }
    document.set(target, Array.isArray(value) ? value.map((item) => ofItem(item, change)) : change(value))
    return undefined
  }
}

/** Java asks what is null in a list for its text. */
function ofItem(item: Value, change: Convert): Value {
  if (item !== null || change === auto || change === toAddress) return change(item)
  const reason = 'Cannot invoke "Object.toString()" because "value" is null'
  throw new IngestFault(reason, 'null_pointer_exception')
}
