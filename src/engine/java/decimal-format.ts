import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { javaDouble } from './java-number-text.ts'

/** One half of a pattern: what stands before and after the digits. */
interface Affixes {
  readonly prefix: string
  readonly suffix: string
}

/** Digits that Java shows behind the point at most. */
const MAX_FRACTION = 340

/**
 * Numbers by a pattern of `java.text.DecimalFormat` in the root locale (`#,##0.00`, `000.0`, `0.##E0`, `#%`),
 * rounded half even.
 */
export class DecimalFormat {
  readonly #positive: Affixes
  readonly #negative: Affixes
  readonly #minInteger: number
  readonly #maxInteger: number
  readonly #minFraction: number
  readonly #maxFraction: number
  readonly #grouping: number
  readonly #multiplier: number
  readonly #exponentDigits: number

  /** @throws {ServiceError} illegal_argument_exception for a malformed pattern */
  constructor(pattern: string) {
    const [positive, negative] = splitHalves(pattern)
    const parts = /^((?:[^#0,.';]|'[^']*')*)([#,0]*)(?:\.([0#]*))?(?:E(0+))?((?:[^#0,.;]|'[^']*')*)$/s.exec(positive)
    if (parts === null) {
      const isTwice = /\..*\./.test(positive.replace(/'[^']*'/g, ''))
      throw illegalArgument(`${isTwice ? 'Multiple decimal separators in' : 'Malformed'} pattern "${pattern}"`)
    }
    const [, prefix = '', integer = '', fraction = '', exponent = '', suffix = ''] = parts
    const digits = integer.replaceAll(',', '')
    if (/0#/.test(digits) || /#0/.test(fraction)) {
      throw illegalArgument(`Unexpected '0' in pattern "${pattern}"`)
    }
    this.#positive = { prefix: unquote(prefix), suffix: unquote(suffix) }
    const other = negative === undefined ? undefined : /^((?:[^#0,.']|'[^']*')*)[#0,.E]*(.*)$/s.exec(negative)
    this.#negative =
      other === undefined || other === null
        ? { prefix: `-${this.#positive.prefix}`, suffix: this.#positive.suffix }
        : { prefix: unquote(other[1] ?? ''), suffix: unquote(other[2] ?? '') }
    const hasZero = digits.includes('0') || fraction.includes('0')
    // Without a 0 one stands in for the last # before the point, or for the first behind it where there is none before.
    const isFraction = fraction !== '' || positive.includes('.')
    this.#minInteger = digits.replaceAll('#', '').length + (!hasZero && isFraction && digits !== '' ? 1 : 0)
    this.#maxInteger = digits.length
    this.#minFraction = fraction.replaceAll('#', '').length + (!hasZero && isFraction && digits === '' ? 1 : 0)
    // Nothing at all shows all of a number.
    this.#maxFraction = pattern === '' ? MAX_FRACTION : fraction.length
    this.#grouping = pattern === '' ? 3 : integer.includes(',') ? integer.length - integer.lastIndexOf(',') - 1 : 0
    const affixes = prefix + suffix
    this.#multiplier = affixes.includes('%') ? 100 : affixes.includes('\u2030') ? 1000 : 1
    this.#exponentDigits = exponent.length
  }

  /** @param value  a whole number beyond 2^53 as a bigint shows all of its digits */
  format(value: number | bigint): string {
    if (Number.isNaN(value)) return 'NaN'
    const affixes = value < 0 || Object.is(value, -0) ? this.#negative : this.#positive
    const size =
      typeof value === 'bigint'
        ? (value < 0n ? -value : value) * BigInt(this.#multiplier)
        : Math.abs(value) * this.#multiplier
    const digits =
      size === Number.POSITIVE_INFINITY
        ? '\u221e'
        : this.#exponentDigits > 0
          ? this.#scientific(Number(size))
          : this.#plain(size)
    return affixes.prefix + digits + affixes.suffix
  }

  /** @throws {ServiceError} runtime_exception when the text does not begin with what the pattern makes of a number */
  parse(text: string): number {
    const read = (affixes: Affixes): { readonly size: number; readonly affixes: Affixes } | undefined => {
      if (!text.startsWith(affixes.prefix)) return undefined
      const rest = text.slice(affixes.prefix.length)
      const number = /^[\d,]*\.?\d*(?:E-?\d+)?/.exec(rest)?.[0] ?? ''
      if (!/\d/.test(number) || !rest.startsWith(affixes.suffix, number.length)) return undefined
      return { size: Number(number.replaceAll(',', '')), affixes }
    }
    const [positive, negative] = [read(this.#positive), read(this.#negative)]
    const found = isLonger(negative?.affixes, positive?.affixes) ? negative : positive
    if (found === undefined) {
      const cause = new ServiceError('parse_exception', `Unparseable number: "${text}"`)
      throw new ServiceError('runtime_exception', `java.text.ParseException: ${cause.reason}`, { cause })
    }
    return ((found === negative ? -1 : 1) * found.size) / this.#multiplier
  }

  #plain(size: number | bigint): string {
    let [integer = '', fraction = ''] = halfEven(size, this.#maxFraction).split('.')
    while (fraction.length > this.#minFraction && fraction.endsWith('0')) fraction = fraction.slice(0, -1)
    if (integer === '0' && this.#minInteger === 0 && (fraction !== '' || this.#maxFraction > 0)) {
      integer = fraction === '' ? '0' : ''
    }
    integer = integer.padStart(this.#minInteger, '0')
    if (this.#grouping > 0) {
      integer = integer.replace(new RegExp(`\\B(?=(?:\\d{${this.#grouping}})+(?!\\d))`, 'g'), ',')
    }
    return fraction === '' ? integer : `${integer}.${fraction}`
  }

  #scientific(size: number): string {
    // With more optional than required integer digits the exponent is a multiple of their number.
    const step = this.#maxInteger > 1 && this.#maxInteger > this.#minInteger ? this.#maxInteger : 0
    const integers = this.#minInteger
    const places = Math.max(1, (step || integers) + this.#maxFraction)
    const [digits = '', power = ''] = significant(size, places).split('e')
    const wanted = step === 0 ? Number(power) - integers + 1 : Math.floor(Number(power) / step) * step
    const exponent = size === 0 ? 0 : wanted
    const whole = size === 0 ? integers : Number(power) - exponent + 1
    const all = digits.replace('.', '').padEnd(whole, '0')
    let integer = all.slice(0, whole)
    // Digits that must be there are counted from the first one.
    const least = Math.max(0, integers + this.#minFraction - whole)
    let fraction = all.slice(whole).padEnd(least, '0')
    while (fraction.length > least && fraction.endsWith('0')) fraction = fraction.slice(0, -1)
    integer = integer.padStart(this.#minInteger, '0')
    const sign = exponent < 0 ? '-' : ''
    return `${integer}${fraction === '' ? '' : `.${fraction}`}E${sign}${String(Math.abs(exponent)).padStart(this.#exponentDigits, '0')}`
  }
}

/**
 * A number with so many digits in front of its exponent, or fewer that tell it. Exact halves go to the even digit, but those
 * of whole numbers up: Java does not know of them that they are exact.
 */
function significant(size: number, digits: number): string {
  const shortest = size.toExponential()
  if (shortest.replace(/e.*$|\./g, '').length <= digits) return shortest
  const rounded = size.toExponential(digits - 1)
  if (Number.isInteger(size)) return rounded
  // toExponential takes the larger of two that are as near.
  const [mantissa = '', power] = size
    .toExponential(Math.min(100, digits + 60))
    .replace('.', '')
    .split('e')
  const below = mantissa.slice(0, digits)
  const isEven = /^50*$/.test(mantissa.slice(digits)) && Number(below.at(-1)) % 2 === 0
  return isEven ? `${below[0]}.${below.slice(1)}e${power}` : rounded
}

/** Whether of the affixes that fit those of negative numbers say more. */
function isLonger(negative: Affixes | undefined, positive: Affixes | undefined): boolean {
  if (negative === undefined || positive === undefined) return negative !== undefined
  return negative.prefix.length + negative.suffix.length > positive.prefix.length + positive.suffix.length
}

function splitHalves(pattern: string): [string, string | undefined] {
  let quoted = false
  for (let i = 0; i < pattern.length; i++) {
    if (pattern[i] === "'") quoted = !quoted
    else if (pattern[i] === ';' && !quoted) return [pattern.slice(0, i), pattern.slice(i + 1)]
  }
  return [pattern, undefined]
}

function unquote(text: string): string {
  return text.replace(/'([^']*)'/g, (_, inner: string) => (inner === '' ? "'" : inner))
}

/** A number with so many digits behind the point, exact halves going to the even digit. */
function halfEven(size: number | bigint, fractionDigits: number): string {
  if (fractionDigits > 100) fractionDigits = 100
  if (!Number.isSafeInteger(size)) {
    const [integer = '', fraction = ''] = shortestDigits(size)
    if (fraction.length <= fractionDigits) return `${integer}.${fraction.padEnd(fractionDigits, '0')}`
  }
  size = Number(size)
  const rounded = size.toFixed(fractionDigits)
  // toFixed rounds the exact value half up: only an exact half whose last digit came out odd differs.
  const scale = 10 ** fractionDigits
  const scaled = size * scale
  // (0.05 is a little more than half of 0.1: what ends there has no more binary than decimal places.)
  const isHalf = scaled < 2 ** 52 && scaled % 1 === 0.5 && Number.isInteger(size * 2 ** (fractionDigits + 1))
  if (isHalf && Number(rounded.at(-1)) % 2 === 1) {
    return (Math.floor(scaled) / scale).toFixed(fractionDigits)
  }
  return rounded
}

/** What stands before and after the point where no more digits are shown than tell a double from others, zeros behind them. */
function shortestDigits(size: number | bigint): string[] {
  const text = typeof size === 'bigint' ? String(size) : javaDouble(size)
  const [mantissa = '', exponent] = text.split('E')
  const [integer = '', fraction = ''] = mantissa.split('.')
  if (exponent === undefined) return [integer, fraction]
  const places = Number(exponent)
  if (places < 0) return ['0', '0'.repeat(-places - 1) + integer + fraction]
  const digits = (integer + fraction).padEnd(places + 1, '0')
  return [digits.slice(0, places + 1), digits.slice(places + 1)]
}
