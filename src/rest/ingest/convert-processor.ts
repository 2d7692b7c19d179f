import { javaDouble } from '../../engine/mapping/java-text.ts'
import { JsonNumber } from '../../engine/mapping/lossless-json.ts'
import { ServiceError } from '../../errors.ts'
import { textOf, type Value } from './ingest-document.ts'
import { IngestFault } from './ingest-fault.ts'
import type { ProcessorFactory } from './processor.ts'

type Convert = (value: Value) => Value

const INTEGER = /^[+-]?(?:0[xX]|#)?[0-9a-fA-F]+$/

/** A whole number between two bounds; `0x1F` too. */
function whole(type: 'integer' | 'long', least: bigint, most: bigint): Convert {
  return (value) => {
    const text = textOf(value)
    const number = parseWhole(text)
    if (number === undefined || number < least || number > most) throw cannot(text, type)
    return Number.isSafeInteger(Number(number)) ? Number(number) : number
  }
}

function parseWhole(text: string): bigint | undefined {
  if (!INTEGER.test(text)) return undefined
  const negative = text.startsWith('-')
  const digits = text.replace(/^[+-]/, '')
  const isHex = /^(?:0[xX]|#)/.test(digits)
  if (!isHex && !/^\d+$/.test(digits)) return undefined
  const number = BigInt(isHex ? `0x${digits.replace(/^(?:0[xX]|#)/, '')}` : digits)
  return negative ? -number : number
}

/** A number with a point, as Java writes it. */
function decimal(type: 'float' | 'double'): Convert {
  return (value) => {
    const text = textOf(value)
    const trimmed = text.trim().replace(/[fFdD]$/, '')
    const number = trimmed === '' ? Number.NaN : Number(trimmed)
    if (Number.isNaN(number) || /^[+-]?0[xob]/i.test(trimmed)) throw cannot(text, type)
    return new JsonNumber(javaDouble(type === 'float' ? Number(Math.fround(number).toPrecision(8)) : number))
  }
}

function cannot(text: string, type: string): IngestFault {
  return new IngestFault(
    `unable to convert [${text}] to ${type}`,
    'illegal_argument_exception',
    new ServiceError('number_format_exception', `For input string: "${text}"`),
  )
}

const toBoolean: Convert = (value) => {
  const text = textOf(value)
  const lower = text.toLowerCase()
  if (lower === 'true' || lower === 'false') return lower === 'true'
  throw new IngestFault(`[${text}] is not a boolean value, cannot convert to boolean`)
}

const toInteger = whole('integer', -(2n ** 31n), 2n ** 31n - 1n)
const toLong = whole('long', -(2n ** 63n), 2n ** 63n - 1n)
const toFloat = decimal('float')

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
}

/** `convert`. */
export const convert: ProcessorFactory = (config) => {
  const field = config.text('field')
  const named = config.text('type')
  const type = named.toLowerCase()
  const target = config.text('target_field', field)
  const change = Object.hasOwn(TYPES, type) ? (TYPES[type] as Convert) : undefined
  if (change === undefined) throw config.fault('type', `type [${named}] not supported, cannot convert field.`)
  const ignoreMissing = config.boolean('ignore_missing', false)
  return (document) => {
    if (ignoreMissing && !document.has(field)) return
    const value = document.get(field)
    if (value === null) {
      if (ignoreMissing) return
      throw new IngestFault(`Field [${field}] is null, cannot be converted to type [${type}]`)
    }
    document.set(target, Array.isArray(value) ? value.map(change) : change(value))
    return undefined
  }
}
