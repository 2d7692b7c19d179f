import { fault } from '../script-fault.ts'
import { numberIn, numericType } from '../values/boxing.ts'
import { type Box, classNameOf, type ScriptValue, textOf } from '../values/script-value.ts'

const PLACE = /%(?:(\d+)\$)?([-#+ 0,(]*)(\d{1,4})?(?:\.(\d{1,3}))?([a-zA-Z%])/g

/** Java's `String.format`: `%s`, `%d`, `%x`, `%f`, `%e`, `%b`, `%c`, `%n`, with flags, width and precision. @throws {ScriptFault} */
export function formatText(pattern: string, values: readonly ScriptValue[]): string {
  let next = 0
  return pattern.replace(
    PLACE,
    (
      _,
      index: string | undefined,
      flags: string,
      width: string | undefined,
      precision: string | undefined,
      kind: string,
    ) => {
      if (kind === 'n') return '\n'
      if (kind === '%') return padded('%', flags, width)
      const at = index === undefined ? next++ : Number(index) - 1
      if (at >= values.length) throw fault('java.util.MissingFormatArgumentException', `Format specifier '${_}'`)
      return padded(shown(kind, values[at] as ScriptValue, flags, precision, width), flags, width)
    },
  )
}

function padded(text: string, flags: string, width: string | undefined): string {
  const length = Number(width ?? 0)
  return flags.includes('-') ? text.padEnd(length) : text.padStart(length)
}

function shown(
  kind: string,
  value: ScriptValue,
  flags: string,
  precision: string | undefined,
  width: string | undefined,
): string {
  const cut = (text: string): string => (precision === undefined ? text : text.slice(0, Number(precision)))
  switch (kind) {
    case 's':
      return cut(textOf(value))
    case 'S':
      return cut(textOf(value)).toUpperCase()
    case 'b':
      return cut(String(typeof value === 'boolean' ? value : value !== null))
    case 'c':
    case 'd':
    case 'x':
    case 'X':
    case 'f':
    case 'e':
      return value === null ? 'null' : number(kind, value, flags, precision, width)
    default:
      throw fault('java.util.UnknownFormatConversionException', `Conversion = '${kind}'`)
  }
}

function number(
  kind: string,
  value: ScriptValue,
  flags: string,
  precision: string | undefined,
  width: string | undefined,
): string {
  if (kind === 'c' && (value as Box).kind === 'char') return textOf(value)
  const type = numericType(value)
  const isDecimal = type === 'double' || type === 'float'
  if (type === undefined || isDecimal !== (kind === 'f' || kind === 'e')) {
    throw fault('java.util.IllegalFormatConversionException', `${kind} != ${classNameOf(value)}`)
  }
  const raw = numberIn(value)
  if (kind === 'c') return String.fromCodePoint(Number(raw))
  if (kind === 'x' || kind === 'X') {
    const text = BigInt.asUintN(type === 'long' ? 64 : 32, BigInt(raw)).toString(16)
    return zeroed(kind === 'X' ? text.toUpperCase() : text, '', flags, width)
  }
  const isNegative = raw < 0 || Object.is(raw, -0)
  const sign = isNegative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
  const size = typeof raw === 'bigint' ? (raw < 0n ? -raw : raw) : Math.abs(raw)
  if (!isDecimal) return zeroed(grouped(String(size), flags), sign, flags, width)
  const digits = Number(precision ?? 6)
  const text =
    kind === 'e'
      ? Number(size)
          .toExponential(digits)
          .replace(/e([+-])(\d)$/, 'e$10$2')
      : halfUp(Number(size), digits)
  return zeroed(grouped(text, flags), sign, flags, width)
}

/** Rounded half up, as Java's formatter does to the shortest digits of a number. */
function halfUp(value: number, digits: number): string {
  if (!Number.isFinite(value)) return String(value)
  const [whole = '0', fraction = ''] = plainDigits(value).split('.')
  if (fraction.length <= digits) return digits === 0 ? whole : `${whole}.${fraction.padEnd(digits, '0')}`
  const kept = BigInt(whole + fraction.slice(0, digits)) + (fraction.charCodeAt(digits) >= 0x35 ? 1n : 0n)
  const text = String(kept).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

function plainDigits(value: number): string {
  const text = String(value)
  const [mantissa = '', exponent] = text.split('e')
  if (exponent === undefined) return text
  const [whole = '', fraction = ''] = mantissa.split('.')
  const shift = Number(exponent)
  if (shift >= 0) return whole + fraction.padEnd(shift, '0')
  return `0.${'0'.repeat(-shift - 1)}${whole}${fraction}`
}

function grouped(text: string, flags: string): string {
  return flags.includes(',') ? text.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',') : text
}

function zeroed(text: string, sign: string, flags: string, width: string | undefined): string {
  return sign + (flags.includes('0') ? text.padStart(Number(width ?? 0) - sign.length, '0') : text)
}
