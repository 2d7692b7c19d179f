/**
 * Reads a whole number as Java's `Integer.parseInt` and `Long.parseLong` do, digits of any script included; undefined: they
 * refuse it.
 */
export function parseJavaInteger(text: string, bits: 32 | 64): bigint | undefined {
  if (!/^[+-]?\p{Nd}+$/u.test(text)) return undefined
  const number = BigInt(text.replace(/^\+/, '').replace(/\p{Nd}/gu, (digit) => String(digitOf(digit))))
  return BigInt.asIntN(bits, number) === number ? number : undefined
}

function digitOf(digit: string): number {
  const point = digit.codePointAt(0) as number
  if (point < 0x80) return point - 0x30
  // Digits stand ten in a row.
  let zero = point
  while (point - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return point - zero
}

/** Reads a number as Java's `Double.parseDouble` does; undefined: it refuses it. */
export function parseJavaDouble(text: string): number | undefined {
  const trimmed = javaTrim(text)
  const named = /^([+-]?)(NaN|Infinity)$/.exec(trimmed)
  if (named !== null) return named[2] === 'NaN' ? Number.NaN : Number(trimmed)
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?$/.test(trimmed)) return Number(trimmed.replace(/[fFdD]$/, ''))
  const hex = /^([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?\d+)[fFdD]?$/.exec(trimmed)
  if (hex === null || `${hex[2]}${hex[3]}` === '') return undefined
  const [, sign, whole = '', part = '', exponent] = hex
  const value = Number.parseInt(`${whole}${part}`, 16) * 2 ** (Number(exponent) - 4 * part.length)
  return sign === '-' ? -value : value
}

/** A text without the controls and blanks around it (Java's `String.trim`). */
export function javaTrim(text: string): string {
  return text.replace(/^[\0-\x20]+|[\0-\x20]+$/g, '')
}
