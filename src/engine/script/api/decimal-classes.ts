import { javaDouble } from '../../java-number-text.ts'
import type { ClassDefinition } from '../script-class.ts'
import type { ScriptEnum } from '../script-enum.ts'
import { fault } from '../script-fault.ts'
import { BigInteger } from '../script-json.ts'
import { ScriptObject } from '../script-object.ts'
import type { ScriptRun } from '../script-run.ts'
import { divided, ROUNDING_MODE_CLASS } from './rounding.ts'

/** Digits that a number of any length may have. */
const MAX_DIGITS = 4_000

/** Java's `BigDecimal`: `unscaled × 10^-scale`. */
class BigDecimal extends ScriptObject {
  readonly unscaled: bigint
  readonly scale: number

  constructor(unscaled: bigint, scale: number) {
    super()
    this.unscaled = unscaled
    this.scale = scale
  }

  get className(): string {
    return 'java.math.BigDecimal'
  }

  override get isJsonNumber(): boolean {
    return true
  }

  /** With an exponent where Java's `toString` has one: beyond a scale below 0, or small numbers with many zeros. */
  override toText(): string {
    const size = String(this.unscaled < 0n ? -this.unscaled : this.unscaled)
    const exponent = size.length - 1 - this.scale
    if (this.scale >= 0 && exponent >= -6) return this.plainText
    const digits = size.length === 1 ? size : `${size[0]}.${size.slice(1)}`
    return `${this.unscaled < 0n ? '-' : ''}${digits}E${exponent < 0 ? '' : '+'}${exponent}`
  }

  /** Without an exponent. */
  get plainText(): string {
    if (this.scale <= 0) return String(this.unscaled * 10n ** BigInt(-this.scale))
    const isNegative = this.unscaled < 0n
    const digits = String(isNegative ? -this.unscaled : this.unscaled).padStart(this.scale + 1, '0')
    return `${isNegative ? '-' : ''}${digits.slice(0, -this.scale)}.${digits.slice(-this.scale)}`
  }

  override isEqual(other: unknown): boolean {
    return other instanceof BigDecimal && other.unscaled === this.unscaled && other.scale === this.scale
  }

  override key(): unknown {
    return `\0B${this.toText()}`
  }

  override compare(other: unknown): number | undefined {
    if (!(other instanceof BigDecimal)) return undefined
    const scale = Math.max(this.scale, other.scale)
    const [a, b] = [atScale(this, scale), atScale(other, scale)]
    return a < b ? -1 : a > b ? 1 : 0
  }

  get value(): number {
    return Number(this.toText())
  }
}

function checked(digits: number, run: ScriptRun): void {
  if (digits > MAX_DIGITS) throw fault('ArithmeticException', 'a number has too many digits')
  run.allocate(64 + digits)
}

function atScale({ unscaled, scale }: BigDecimal, wanted: number): bigint {
  return unscaled * 10n ** BigInt(wanted - scale)
}

function parsed(text: string, run: ScriptRun): BigDecimal {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,5}))?$/.exec(text) ?? []
  if (whole + fraction === '') {
    const bad = /[^\d.eE+-]/.exec(text)?.[0]
    const why = `Character ${bad} is neither a decimal digit number, decimal point, nor "e" notation exponential mark.`
    throw fault('NumberFormatException', bad === undefined ? null : why)
  }
  const scale = fraction.length - Number(exponent)
  checked(whole.length + fraction.length + Math.abs(scale), run)
  const unscaled = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n)
  return new BigDecimal(unscaled, scale)
}

function scaled(self: BigDecimal, scale: number, mode: string, run: ScriptRun): BigDecimal {
  checked(Math.abs(scale) + Math.abs(self.scale), run)
  if (scale >= self.scale) return new BigDecimal(atScale(self, scale), scale)
  return new BigDecimal(divided(self.unscaled, 10n ** BigInt(self.scale - scale), mode), scale)
}

type Pair = (left: bigint, right: bigint) => bigint

function aligned(operation: Pair): (self: BigDecimal, other: BigDecimal, run: ScriptRun) => BigDecimal {
  return (self, other, run) => {
    const scale = Math.max(self.scale, other.scale)
    checked(scale - Math.min(self.scale, other.scale), run)
    return new BigDecimal(operation(atScale(self, scale), atScale(other, scale)), scale)
  }
}

function whole(operation: Pair): (self: BigInteger, other: BigInteger, run: ScriptRun) => BigInteger {
  return (self, other, run) => {
    const made = operation(self.value, other.value)
    checked(String(made).length, run)
    return new BigInteger(made)
  }
}

const precisionOf = ({ unscaled }: BigDecimal): number => String(unscaled < 0n ? -unscaled : unscaled).length

function pointMoved({ unscaled, scale }: BigDecimal, by: number, run: ScriptRun): BigDecimal {
  const moved = new BigDecimal(unscaled, scale + by)
  return moved.scale < 0 ? scaled(moved, 0, 'UNNECESSARY', run) : moved
}

/** Without the zeros at its end. */
function stripped({ unscaled, scale }: BigDecimal): BigDecimal {
  if (unscaled === 0n) return new BigDecimal(0n, 0)
  let [digits, places] = [unscaled, scale]
  while (digits % 10n === 0n) {
    digits /= 10n
    places--
  }
  return new BigDecimal(digits, places)
}

/** A quotient of so many digits. */
function quotientTo(self: BigDecimal, by: BigDecimal, digits: number, mode: string, run: ScriptRun): BigDecimal {
  if (digits === 0) return exactQuotient(self, by, run)
  if (by.unscaled === 0n) throw fault('ArithmeticException', 'Division by zero')
  const places = digits + precisionOf(by) - precisionOf(self) + 3
  checked(digits + Math.abs(places), run)
  const shift = Math.max(0, places)
  // What is left over counts as a digit more, so that it is rounded as all of it.
  const left = self.unscaled * 10n ** BigInt(shift)
  const quotient = left / by.unscaled
  const whole =
    left % by.unscaled === 0n ? quotient * 10n : quotient * 10n + (left < 0n === by.unscaled < 0n ? 1n : -1n)
  const long = new BigDecimal(whole, self.scale - by.scale + shift + 1)
  const rounded = scaled(long, long.scale - precisionOf(long) + digits, mode, run)
  const preferred = self.scale - by.scale
  let { unscaled, scale } = rounded
  while (scale > preferred && unscaled % 10n === 0n && unscaled !== 0n) {
    unscaled /= 10n
    scale--
  }
  return new BigDecimal(unscaled, scale)
}

/** A quotient that has an end. */
function exactQuotient(self: BigDecimal, by: BigDecimal, run: ScriptRun): BigDecimal {
  if (by.unscaled === 0n)
    throw fault('ArithmeticException', self.unscaled === 0n ? 'Division undefined' : 'Division by zero')
  const preferred = self.scale - by.scale
  if (self.unscaled === 0n) return new BigDecimal(0n, preferred)
  const digits = Math.ceil(precisionOf(self) + (10 * precisionOf(by)) / 3)
  checked(digits, run)
  const quotient = quotientTo(self, by, digits, 'DOWN', run)
  const product = new BigDecimal(quotient.unscaled * by.unscaled, quotient.scale + by.scale)
  if (product.compare(self) !== 0)
    throw fault('ArithmeticException', 'Non-terminating decimal expansion; no exact representable decimal result.')
  return quotient.scale < preferred ? scaled(quotient, preferred, 'UNNECESSARY', run) : quotient
}

/** Java's MathContext: how many digits, 0 for all, and how they are rounded. */
class MathContext extends ScriptObject {
  readonly digits: number
  readonly mode: string

  constructor(digits: number, mode = 'HALF_UP') {
    super()
    if (digits < 0) throw fault('IllegalArgumentException', 'Digits < 0')
    this.digits = digits
    this.mode = mode
  }

  get className(): string {
    return 'java.math.MathContext'
  }

  override toText(): string {
    return `precision=${this.digits} roundingMode=${this.mode}`
  }
}

const MATH_CONTEXT: ClassDefinition = {
  name: 'MathContext',
  javaName: 'java.math.MathContext',
  constructors: {
    '(int)': (digits: number) => new MathContext(digits),
    '(int,RoundingMode)': (digits: number, { name }: ScriptEnum) => new MathContext(digits, name),
  },
  methods: { 'int getPrecision()': ({ digits }: MathContext) => digits },
  constants: {
    'MathContext UNLIMITED': new MathContext(0),
    'MathContext DECIMAL32': new MathContext(7, 'HALF_EVEN'),
    'MathContext DECIMAL64': new MathContext(16, 'HALF_EVEN'),
    'MathContext DECIMAL128': new MathContext(34, 'HALF_EVEN'),
  },
}

const DECIMAL: ClassDefinition = {
  name: 'BigDecimal',
  javaName: 'java.math.BigDecimal',
  parents: ['Comparable'],
  constructors: { '(String)': parsed },
  constants: {
    'BigDecimal ZERO': new BigDecimal(0n, 0),
    'BigDecimal ONE': new BigDecimal(1n, 0),
    'BigDecimal TEN': new BigDecimal(10n, 0),
  },
  methods: {
    'BigDecimal abs()': (self: BigDecimal) => (self.unscaled < 0n ? new BigDecimal(-self.unscaled, self.scale) : self),
    'BigDecimal add(BigDecimal)': aligned((left, right) => left + right),
    'BigDecimal subtract(BigDecimal)': aligned((left, right) => left - right),
    'BigDecimal multiply(BigDecimal)': (self: BigDecimal, other: BigDecimal, run: ScriptRun) => {
      checked(String(self.unscaled).length + String(other.unscaled).length, run)
      return new BigDecimal(self.unscaled * other.unscaled, self.scale + other.scale)
    },
    'double doubleValue()': (self: BigDecimal) => self.value,
    'float floatValue()': (self: BigDecimal) => Math.fround(self.value),
    'int intValue()': (self: BigDecimal) =>
      Number(BigInt.asIntN(32, self.unscaled / 10n ** BigInt(Math.max(0, self.scale)))),
    'long longValue()': (self: BigDecimal) => BigInt.asIntN(64, self.unscaled / 10n ** BigInt(Math.max(0, self.scale))),
    'BigDecimal negate()': (self: BigDecimal) => new BigDecimal(-self.unscaled, self.scale),
    'int scale()': (self: BigDecimal) => self.scale,
    'BigDecimal setScale(int)': (self: BigDecimal, scale: number, run: ScriptRun) =>
      scaled(self, scale, 'UNNECESSARY', run),
    'BigDecimal setScale(int,RoundingMode)': (self: BigDecimal, scale: number, mode: ScriptEnum, run: ScriptRun) =>
      scaled(self, scale, mode.name, run),
    'int signum()': (self: BigDecimal) => (self.unscaled > 0n ? 1 : self.unscaled < 0n ? -1 : 0),
    'String toPlainString()': (self: BigDecimal) => self.plainText,
    'int compareTo(BigDecimal)': (self: BigDecimal, other: BigDecimal) => self.compare(other),
    'BigDecimal divide(BigDecimal)': exactQuotient,
    'BigDecimal divide(BigDecimal,MathContext)': (
      self: BigDecimal,
      by: BigDecimal,
      { digits, mode }: MathContext,
      run: ScriptRun,
    ) => quotientTo(self, by, digits, mode, run),
    'BigDecimal remainder(BigDecimal)': (self: BigDecimal, by: BigDecimal, run: ScriptRun) => {
      if (by.unscaled === 0n) throw fault('ArithmeticException', 'Division by zero')
      return aligned((left, right) => left % right)(self, by, run)
    },
    'BigDecimal max(BigDecimal)': (self: BigDecimal, other: BigDecimal) =>
      (self.compare(other) as number) >= 0 ? self : other,
    'BigDecimal min(BigDecimal)': (self: BigDecimal, other: BigDecimal) =>
      (self.compare(other) as number) <= 0 ? self : other,
    'BigDecimal movePointLeft(int)': (self: BigDecimal, by: number, run: ScriptRun) => pointMoved(self, by, run),
    'BigDecimal movePointRight(int)': (self: BigDecimal, by: number, run: ScriptRun) => pointMoved(self, -by, run),
    'BigDecimal pow(int)': (self: BigDecimal, to: number, run: ScriptRun) => {
      if (to < 0 || to > 999_999_999) throw fault('ArithmeticException', 'Invalid operation')
      checked(String(self.unscaled).length * to + Math.abs(self.scale) * to, run)
      return new BigDecimal(self.unscaled ** BigInt(to), self.scale * to)
    },
    'int precision()': (self: BigDecimal) => precisionOf(self),
    'BigDecimal round(MathContext)': (self: BigDecimal, { digits, mode }: MathContext, run: ScriptRun) =>
      digits === 0 || precisionOf(self) <= digits
        ? self
        : scaled(self, self.scale - precisionOf(self) + digits, mode, run),
    'BigDecimal stripTrailingZeros()': stripped,
    'BigInteger toBigInteger()': (self: BigDecimal) =>
      new BigInteger(self.scale > 0 ? self.unscaled / 10n ** BigInt(self.scale) : atScale(self, 0)),
  },
  statics: {
    'BigDecimal valueOf(double)': (value: number, run: ScriptRun) => {
      if (!Number.isFinite(value)) throw fault('NumberFormatException', 'Infinite or NaN')
      return parsed(javaDouble(value), run)
    },
  },
}

function nonZero(value: bigint): bigint {
  if (value === 0n) throw fault('ArithmeticException', 'BigInteger divide by zero')
  return value
}

function commonDivisor(left: bigint, right: bigint): bigint {
  let [a, b] = [left, right]
  while (b !== 0n) [a, b] = [b, a % b]
  return a < 0n ? -a : a
}

/** Binary digits; none of zero. */
const bitsOf = (value: bigint): string => (value === 0n ? '' : value.toString(2))

function exact(value: bigint, bits: 32 | 64, type: string): bigint {
  if (BigInt.asIntN(bits, value) === value) return value
  throw fault('ArithmeticException', `BigInteger out of ${type} range`)
}

const INTEGER: ClassDefinition = {
  name: 'BigInteger',
  javaName: 'java.math.BigInteger',
  constructors: {
    '(String)': (text: string, run: ScriptRun) => {
      checked(text.length, run)
      if (!/^[+-]?\d+$/.test(text)) throw fault('NumberFormatException', `For input string: "${text}"`)
      return new BigInteger(BigInt(text))
    },
  },
  methods: {
    'BigInteger add(BigInteger)': whole((left, right) => left + right),
    'BigInteger subtract(BigInteger)': whole((left, right) => left - right),
    'BigInteger multiply(BigInteger)': whole((left, right) => left * right),
    'BigInteger divide(BigInteger)': whole((left, right) => left / nonZero(right)),
    'BigInteger remainder(BigInteger)': whole((left, right) => left % nonZero(right)),
    'BigInteger mod(BigInteger)': whole((left, right) => {
      if (right <= 0n) throw fault('ArithmeticException', 'BigInteger: modulus not positive')
      return ((left % right) + right) % right
    }),
    'BigInteger gcd(BigInteger)': whole(commonDivisor),
    'BigInteger andNot(BigInteger)': whole((left, right) => left & ~right),
    'BigInteger not()': (self: BigInteger) => new BigInteger(~self.value),
    'int bitLength()': ({ value }: BigInteger) => bitsOf(value < 0n ? ~value : value).length,
    'int bitCount()': ({ value }: BigInteger) => bitsOf(value < 0n ? ~value : value).replaceAll('0', '').length,
    'boolean testBit(int)': ({ value }: BigInteger, bit: number) => ((value >> BigInt(bit)) & 1n) === 1n,
    'int intValueExact()': (self: BigInteger) => Number(exact(self.value, 32, 'int')),
    'long longValueExact()': (self: BigInteger) => exact(self.value, 64, 'long'),
    'BigInteger and(BigInteger)': whole((left, right) => left & right),
    'BigInteger or(BigInteger)': whole((left, right) => left | right),
    'BigInteger xor(BigInteger)': whole((left, right) => left ^ right),
    'BigInteger max(BigInteger)': (self: BigInteger, other: BigInteger) => (self.value < other.value ? other : self),
    'BigInteger min(BigInteger)': (self: BigInteger, other: BigInteger) => (self.value > other.value ? other : self),
    'BigInteger abs()': (self: BigInteger) => new BigInteger(self.value < 0n ? -self.value : self.value),
    'BigInteger negate()': (self: BigInteger) => new BigInteger(-self.value),
    'BigInteger pow(int)': (self: BigInteger, to: number, run: ScriptRun) => {
      if (to < 0) throw fault('ArithmeticException', 'Negative exponent')
      checked(String(self.value).length * to, run)
      return new BigInteger(self.value ** BigInt(to))
    },
    'BigInteger shiftLeft(int)': (self: BigInteger, by: number, run: ScriptRun) => {
      checked(Math.abs(by) >> 1, run)
      return new BigInteger(self.value << BigInt(by))
    },
    'BigInteger shiftRight(int)': (self: BigInteger, by: number, run: ScriptRun) => {
      checked(Math.abs(by) >> 1, run)
      return new BigInteger(self.value >> BigInt(by))
    },
    'int compareTo(BigInteger)': ({ value }: BigInteger, other: BigInteger) =>
      value < other.value ? -1 : value > other.value ? 1 : 0,
    'String toString(int)': (self: BigInteger, radix: number) => self.value.toString(radix),
    'int intValue()': (self: BigInteger) => Number(BigInt.asIntN(32, self.value)),
    'long longValue()': (self: BigInteger) => BigInt.asIntN(64, self.value),
    'double doubleValue()': (self: BigInteger) => Number(self.value),
    'int signum()': (self: BigInteger) => (self.value > 0n ? 1 : self.value < 0n ? -1 : 0),
  },
  statics: { 'BigInteger valueOf(long)': (value: bigint) => new BigInteger(value) },
  constants: {
    'BigInteger ZERO': new BigInteger(0n),
    'BigInteger ONE': new BigInteger(1n),
    'BigInteger TEN': new BigInteger(10n),
  },
}

/** Numbers of any length, `java.math`. */
export const DECIMAL_CLASSES: readonly ClassDefinition[] = [DECIMAL, INTEGER, MATH_CONTEXT, ROUNDING_MODE_CLASS]
