import { javaDouble } from '../../java/java-number-text.ts'
import { fault } from '../script-fault.ts'
import type { ScriptRun } from '../script-run.ts'
import { ScriptArray } from '../values/script-array.ts'
import type { ClassDefinition } from '../values/script-class.ts'
import type { ScriptEnum } from '../values/script-enum.ts'
import { BigInteger } from '../values/script-json.ts'
import { ScriptObject } from '../values/script-object.ts'
import { divided, MODES, ROUNDING_MODE_CLASS } from './rounding.ts'

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

  override get number(): { readonly whole: bigint; readonly double: number } {
    const whole = this.unscaled / 10n ** BigInt(Math.max(0, this.scale))
    return { whole: BigInt.asIntN(64, whole), double: this.value }
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
  methods: {
    'int getPrecision()': ({ digits }: MathContext) => digits,
    'RoundingMode getRoundingMode()': ({ mode }: MathContext) => MODES.find(({ name }) => name === mode),
  },
  constants: {
    'MathContext UNLIMITED': new MathContext(0),
    'MathContext DECIMAL32': new MathContext(7, 'HALF_EVEN'),
    'MathContext DECIMAL64': new MathContext(16, 'HALF_EVEN'),
    'MathContext DECIMAL128': new MathContext(34, 'HALF_EVEN'),
  },
}

/** To as many digits as a context has. */
function rounded(value: BigDecimal, { digits, mode }: MathContext, run: ScriptRun): BigDecimal {
  const precision = precisionOf(value)
  if (digits === 0 || precision <= digits) return value
  const made = scaled(value, value.scale - precision + digits, mode, run)
  // What is rounded up to a power of ten has a digit more.
  return precisionOf(made) > digits ? scaled(made, made.scale - 1, mode, run) : made
}

type Operation = (self: BigDecimal, other: BigDecimal, run: ScriptRun) => BigDecimal

const within =
  (operation: Operation) =>
  (self: BigDecimal, other: BigDecimal, context: MathContext, run: ScriptRun): BigDecimal =>
    rounded(operation(self, other, run), context, run)

const add = aligned((left, right) => left + right)
const subtract = aligned((left, right) => left - right)

function multiply(self: BigDecimal, other: BigDecimal, run: ScriptRun): BigDecimal {
  checked(String(self.unscaled).length + String(other.unscaled).length, run)
  return new BigDecimal(self.unscaled * other.unscaled, self.scale + other.scale)
}

/** The whole part of a quotient, at the scale it would have. */
function wholeQuotient(self: BigDecimal, by: BigDecimal, run: ScriptRun): BigDecimal {
  if (by.unscaled === 0n)
    throw fault('ArithmeticException', self.unscaled === 0n ? 'Division undefined' : 'Division by zero')
  const scale = Math.max(self.scale, by.scale)
  checked(scale - Math.min(self.scale, by.scale), run)
  const preferred = self.scale - by.scale
  const made = new BigDecimal(atScale(self, scale) / atScale(by, scale), 0)
  if (preferred >= 0) return scaled(made, preferred, 'UNNECESSARY', run)
  const least = stripped(made)
  return least.scale < preferred ? scaled(made, preferred, 'UNNECESSARY', run) : least
}

function remainder(self: BigDecimal, by: BigDecimal, run: ScriptRun): BigDecimal {
  return subtract(self, multiply(wholeQuotient(self, by, run), by, run), run)
}

/** A number that is whole and of so many bits. @throws {ScriptFault} arithmetic_exception */
function exactBits(self: BigDecimal, bits: number): bigint {
  const { unscaled, scale } = stripped(self)
  if (scale > 0) throw fault('ArithmeticException', 'Rounding necessary')
  const value = unscaled * 10n ** BigInt(Math.min(-scale, 40))
  if (BigInt.asIntN(bits, value) !== value) throw fault('ArithmeticException', 'Overflow')
  return value
}

/** With exponents that are multiples of three. */
function engineeringText(self: BigDecimal): string {
  const digits = String(self.unscaled < 0n ? -self.unscaled : self.unscaled)
  const exponent = digits.length - 1 - self.scale
  if (self.scale >= 0 && exponent >= -6) return self.plainText
  const sign = self.unscaled < 0n ? '-' : ''
  const before = (((exponent % 3) + 3) % 3) + 1
  const power = self.unscaled === 0n ? 3 * Math.ceil(exponent / 3) : exponent - before + 1
  const zeros = self.unscaled === 0n ? power - exponent : 0
  const whole = self.unscaled === 0n ? '0' : digits.slice(0, before).padEnd(before, '0')
  const fraction = self.unscaled === 0n ? '0'.repeat(zeros) : digits.slice(before)
  const text = `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`
  return power === 0 ? text : `${text}E${power > 0 ? '+' : ''}${power}`
}

const DECIMAL: ClassDefinition = {
  name: 'BigDecimal',
  javaName: 'java.math.BigDecimal',
  parents: ['Comparable'],
  constructors: {
    '(String)': parsed,
    '(String,MathContext)': (text: string, context: MathContext, run: ScriptRun) =>
      rounded(parsed(text, run), context, run),
  },
  constants: {
    'BigDecimal ZERO': new BigDecimal(0n, 0),
    'BigDecimal ONE': new BigDecimal(1n, 0),
    'BigDecimal TEN': new BigDecimal(10n, 0),
  },
  methods: {
    'BigDecimal abs()': (self: BigDecimal) => (self.unscaled < 0n ? new BigDecimal(-self.unscaled, self.scale) : self),
    'BigDecimal abs(MathContext)': (self: BigDecimal, context: MathContext, run: ScriptRun) =>
      rounded(self.unscaled < 0n ? new BigDecimal(-self.unscaled, self.scale) : self, context, run),
    'BigDecimal add(BigDecimal)': add,
    'BigDecimal add(BigDecimal,MathContext)': within(add),
    'BigDecimal subtract(BigDecimal)': subtract,
    'BigDecimal subtract(BigDecimal,MathContext)': within(subtract),
    'BigDecimal multiply(BigDecimal)': multiply,
    'BigDecimal multiply(BigDecimal,MathContext)': within(multiply),
    'byte byteValueExact()': (self: BigDecimal) => Number(exactBits(self, 8)),
    'short shortValueExact()': (self: BigDecimal) => Number(exactBits(self, 16)),
    'int intValueExact()': (self: BigDecimal) => Number(exactBits(self, 32)),
    'long longValueExact()': (self: BigDecimal) => exactBits(self, 64),
    'double doubleValue()': (self: BigDecimal) => self.value,
    'float floatValue()': (self: BigDecimal) => Math.fround(self.value),
    'int intValue()': (self: BigDecimal) =>
      Number(BigInt.asIntN(32, self.unscaled / 10n ** BigInt(Math.max(0, self.scale)))),
    'long longValue()': (self: BigDecimal) => BigInt.asIntN(64, self.unscaled / 10n ** BigInt(Math.max(0, self.scale))),
    'BigDecimal plus()': (self: BigDecimal) => self,
    'BigDecimal plus(MathContext)': rounded,
    'BigDecimal negate(MathContext)': (self: BigDecimal, context: MathContext, run: ScriptRun) =>
      rounded(new BigDecimal(-self.unscaled, self.scale), context, run),
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
    'BigDecimal remainder(BigDecimal)': remainder,
    'BigDecimal divideToIntegralValue(BigDecimal)': wholeQuotient,
    'BigDecimal[] divideAndRemainder(BigDecimal)': (self: BigDecimal, by: BigDecimal, run: ScriptRun) => {
      const quotient = wholeQuotient(self, by, run)
      return new ScriptArray('BigDecimal', [quotient, remainder(self, by, run)])
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
    'BigDecimal round(MathContext)': rounded,
    'BigDecimal scaleByPowerOfTen(int)': ({ unscaled, scale }: BigDecimal, by: number, run: ScriptRun) => {
      checked(Math.abs(by), run)
      return new BigDecimal(unscaled, scale - by)
    },
    'String toEngineeringString()': engineeringText,
    'BigDecimal ulp()': ({ scale }: BigDecimal) => new BigDecimal(1n, scale),
    'BigInteger toBigIntegerExact()': (self: BigDecimal, run: ScriptRun) =>
      new BigInteger(scaled(self, 0, 'UNNECESSARY', run).unscaled),
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

function greatestCommon(left: bigint, right: bigint): bigint {
  let [a, b] = [left < 0n ? -left : left, right < 0n ? -right : right]
  while (b !== 0n) [a, b] = [b, a % b]
  return a
}

function modulo(value: bigint, by: bigint): bigint {
  if (by <= 0n) throw fault('ArithmeticException', 'BigInteger: modulus not positive')
  return ((value % by) + by) % by
}

function modInverse(value: bigint, by: bigint): bigint {
  let [a, b] = [modulo(value, by), by]
  let [x, y] = [1n, 0n]
  while (b !== 0n) {
    const quotient = a / b
    ;[a, b] = [b, a - quotient * b]
    ;[x, y] = [y, x - quotient * y]
  }
  if (a !== 1n) throw fault('ArithmeticException', 'BigInteger not invertible.')
  return modulo(x, by)
}

function modPow(self: BigInteger, to: BigInteger, by: BigInteger, run: ScriptRun): BigInteger {
  let base = to.value < 0n ? modInverse(self.value, by.value) : modulo(self.value, by.value)
  let made = 1n % by.value
  for (let rest = to.value < 0n ? -to.value : to.value; rest > 0n; rest >>= 1n) {
    checked(bitLength(by.value) >> 1, run)
    if ((rest & 1n) === 1n) made = (made * base) % by.value
    base = (base * base) % by.value
  }
  return new BigInteger(made)
}

/** Bits of a number without its sign, as Java counts them. */
const bitLength = (value: bigint): number =>
  value === 0n || value === -1n ? 0 : (value < 0n ? ~value : value).toString(2).length

function place(bit: number): number {
  if (bit < 0) throw fault('ArithmeticException', 'Negative bit address')
  return bit
}

const withBit =
  (operation: Pair) =>
  ({ value }: BigInteger, bit: number, run: ScriptRun): BigInteger => {
    checked(place(bit) >> 1, run)
    return new BigInteger(operation(value, 1n << BigInt(bit)))
  }

function inBits({ value }: BigInteger, bits: number, type: string): bigint {
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
    '(String,int)': (text: string, radix: number, run: ScriptRun) => {
      checked(text.length * 2, run)
      if (radix < 2 || radix > 36) throw fault('NumberFormatException', 'Radix out of range')
      const isNegative = text.startsWith('-')
      let value = 0n
      const digits = text.replace(/^[+-]/, '')
      for (const digit of digits) {
        const one = Number.parseInt(digit, radix)
        if (Number.isNaN(one)) throw fault('NumberFormatException', `For input string: "${text}" under radix ${radix}`)
        value = value * BigInt(radix) + BigInt(one)
      }
      if (digits === '') throw fault('NumberFormatException', 'Zero length BigInteger')
      return new BigInteger(isNegative ? -value : value)
    },
  },
  methods: {
    'BigInteger add(BigInteger)': whole((left, right) => left + right),
    'BigInteger subtract(BigInteger)': whole((left, right) => left - right),
    'BigInteger multiply(BigInteger)': whole((left, right) => left * right),
    'BigInteger divide(BigInteger)': whole((left, right) => left / nonZero(right)),
    'BigInteger remainder(BigInteger)': whole((left, right) => left % nonZero(right)),
    'BigInteger mod(BigInteger)': whole(modulo),
    'BigInteger and(BigInteger)': whole((left, right) => left & right),
    'BigInteger andNot(BigInteger)': whole((left, right) => left & ~right),
    'BigInteger not()': (self: BigInteger) => new BigInteger(~self.value),
    'BigInteger gcd(BigInteger)': whole(greatestCommon),
    'BigInteger modPow(BigInteger,BigInteger)': modPow,
    'BigInteger modInverse(BigInteger)': whole(modInverse),
    'BigInteger[] divideAndRemainder(BigInteger)': ({ value }: BigInteger, { value: by }: BigInteger) =>
      new ScriptArray('BigInteger', [new BigInteger(value / nonZero(by)), new BigInteger(value % by)]),
    'int bitLength()': ({ value }: BigInteger) => bitLength(value),
    'int bitCount()': ({ value }: BigInteger) => (value < 0n ? ~value : value).toString(2).replaceAll('0', '').length,
    'int getLowestSetBit()': ({ value }: BigInteger) =>
      value === 0n ? -1 : (/0*$/.exec(value.toString(2)) as RegExpExecArray)[0].length,
    'boolean testBit(int)': ({ value }: BigInteger, bit: number) => ((value >> BigInt(place(bit))) & 1n) === 1n,
    'BigInteger setBit(int)': withBit((value, bit) => value | bit),
    'BigInteger clearBit(int)': withBit((value, bit) => value & ~bit),
    'BigInteger flipBit(int)': withBit((value, bit) => value ^ bit),
    'byte byteValueExact()': (self: BigInteger) => Number(inBits(self, 8, 'byte')),
    'short shortValueExact()': (self: BigInteger) => Number(inBits(self, 16, 'short')),
    'int intValueExact()': (self: BigInteger) => Number(inBits(self, 32, 'int')),
    'long longValueExact()': (self: BigInteger) => inBits(self, 64, 'long'),
    'byte[] toByteArray()': ({ value }: BigInteger) => {
      const bytes: number[] = []
      for (let i = bitLength(value) >> 3; i >= 0; i--) bytes.push(Number(BigInt.asIntN(8, value >> BigInt(8 * i))))
      return new ScriptArray('byte', bytes)
    },
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
