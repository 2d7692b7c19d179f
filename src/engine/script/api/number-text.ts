import { fault } from '../script-fault.ts'

function badNumber(text: string | null, radix = 10): Error {
  if (text === null) return fault('NumberFormatException', 'Cannot parse null string')
  const suffix = radix === 10 ? '' : ` under radix ${radix}`
  return fault('NumberFormatException', `For input string: "${text}"${suffix}`)
}

/** Java's `Long.parseLong` and the like. @throws {ScriptFault} number_format_exception */
export function parseWhole(text: string | null, bits: number, radix = 10): bigint {
  if (text === null) throw badNumber(null)
  if (radix < 2) throw fault('NumberFormatException', `radix ${radix} less than Character.MIN_RADIX`)
  if (radix > 36) throw fault('NumberFormatException', `radix ${radix} greater than Character.MAX_RADIX`)
  const [, sign = '', digits = ''] = /^([+-]?)([0-9a-zA-Z]+)$/.exec(text) ?? []
  if (digits === '' || digits.length > 80) throw badNumber(text, digits === '' ? 10 : radix)
  let value = 0n
  for (const digit of digits) {
    const number = Number.parseInt(digit, 36)
    if (number >= radix) throw badNumber(text, radix)
    value = value * BigInt(radix) + BigInt(number)
  }
  if (sign === '-') value = -value
  if (BigInt.asIntN(bits, value) !== value) {
    if (bits < 32) {
      throw fault('NumberFormatException', `Value out of range. Value:"${text}" Radix:${radix}`)
    }
    throw badNumber(text, radix)
  }
  return value
}

/** Java's `Integer.parseUnsignedInt` and the like: the same bits with their sign. @throws {ScriptFault} number_format_exception */
export function parseUnsigned(text: string | null, bits: number, radix = 10): bigint {
  if (text?.startsWith('-') === true)
    throw fault('NumberFormatException', `Illegal leading minus sign on unsigned string ${text}.`)
  const value = parseWhole(text, 512, radix)
  if (value >> BigInt(bits) !== 0n)
    throw fault(
      'NumberFormatException',
      `String value ${text} exceeds range of unsigned ${bits === 32 ? 'int' : 'long'}.`,
    )
  return BigInt.asIntN(bits, value)
}

/** Java's `Integer.decode`. @throws {ScriptFault} number_format_exception */
export function decodeWhole(text: string, bits: number): bigint {
  const [, sign = '', prefix = '', digits = ''] = /^([+-]?)(0[xX]|#|0(?=[0-7]))?(.+)$/.exec(text) ?? []
  return parseWhole(sign + digits, bits, prefix === '' ? 10 : prefix === '0' ? 8 : 16)
}

/** Java's `Double.parseDouble`. @throws {ScriptFault} number_format_exception */
export function parseDecimal(text: string | null): number {
  if (text === null) throw fault('NullPointerException', null)
  const trimmed = text.trim()
  if (trimmed === '') throw fault('NumberFormatException', 'empty String')
  const [, sign = '', digits = ''] =
    /^([+-]?)(NaN|Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[fFdD]?$/.exec(trimmed) ?? []
  if (digits === '') throw badNumber(text)
  return Number(sign + digits)
}
