import { javaTrim, parseJavaDouble, parseJavaInteger } from '../../engine/java/java-number.ts'
import { narrow } from '../../engine/mapping/types/number-value.ts'
import { IngestFault } from './ingest-fault.ts'

const BITS = { int: 32, long: 64 } as const

/** A whole number as Java's `Integer.parseInt` and `Long.parseLong` read it. @throws {IngestFault} number_format_exception */
export function parseInteger(text: string, type: keyof typeof BITS): number | bigint {
  const number = parseJavaInteger(text, BITS[type])
  if (number === undefined) throw notANumber(text)
  return narrow(number)
}

/** A number as Java's `Double.parseDouble` reads it. @throws {IngestFault} number_format_exception */
export function parseDouble(text: string): number {
  const number = parseJavaDouble(text)
  if (number !== undefined) return number
  const trimmed = javaTrim(text)
  if (trimmed === '') throw new IngestFault('empty String', 'number_format_exception')
  if (/^[+-]?\d*\.\d*\./.test(trimmed)) throw new IngestFault('multiple points', 'number_format_exception')
  throw notANumber(trimmed)
}

/** A number as Java's `Float.parseFloat` reads it. @throws {IngestFault} number_format_exception */
export function parseSingle(text: string): number {
  return Math.fround(parseDouble(text))
}

function notANumber(text: string): IngestFault {
  return new IngestFault(`For input string: "${text}"`, 'number_format_exception')
}
