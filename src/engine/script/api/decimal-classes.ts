import { javaDouble } from '../../java-number-text.ts'
import type { ClassDefinition } from '../script-class.ts'
import { fault } from '../script-fault.ts'
import { BigInteger } from '../script-json.ts'
import { ScriptObject } from '../script-object.ts'
import type { ScriptRun } from '../script-run.ts'

/** Digits that a number of any length may have. */
const MAX_DIGITS = 4_000

/** Java's `RoundingMode`. */
class RoundingMode extends ScriptObject {
  readonly name: string

  constructor(name: string) {
    super()
    this.name = name
  }

  get className(): string {
    return 'java.math.RoundingMode'
  }

  override toText(): string {
    return this.name
  }
}

const MODES = ['UP', 'DOWN', 'CEILING', 'FLOOR', 'HALF_UP', 'HALF_DOWN', 'HALF_EVEN', 'UNNECESSARY'].map(
  (name) => new RoundingMode(name),
)

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

  override toText(): string {
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

/** A quotient as a rounding mode has it. */
function divided(left: bigint, right: bigint, mode: string): bigint {
  if (right === 0n) throw fault('ArithmeticException', '/ by zero')
  const quotient = left / right
  const rest = left % right
  if (rest === 0n) return quotient
  const away = left < 0n === right < 0n ? 1n : -1n
  const twice = (rest < 0n ? -rest : rest) * 2n
  const size = right < 0n ? -right : right
  switch (mode) {
    case 'UP':
      return quotient + away
    case 'DOWN':
      return quotient
    case 'CEILING':
      return away > 0n ? quotient + 1n : quotient
    case 'FLOOR':
      return away < 0n ? quotient - 1n : quotient
    case 'HALF_UP':
      return twice >= size ? quotient + away : quotient
    case 'HALF_DOWN':
      return twice > size ? quotient + away : quotient
    case 'HALF_EVEN':
      return twice > size || (twice === size && quotient % 2n !== 0n) ? quotient + away : quotient
    default:
      throw fault('ArithmeticException', 'Rounding necessary')
  }
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
    'BigDecimal setScale(int,RoundingMode)': (self: BigDecimal, scale: number, mode: RoundingMode, run: ScriptRun) =>
      scaled(self, scale, mode.name, run),
    'int signum()': (self: BigDecimal) => (self.unscaled > 0n ? 1 : self.unscaled < 0n ? -1 : 0),
    'String toPlainString()': (self: BigDecimal) => self.toText(),
  },
  statics: {
    'BigDecimal valueOf(double)': (value: number, run: ScriptRun) => {
      if (!Number.isFinite(value)) throw fault('NumberFormatException', 'Infinite or NaN')
      return parsed(javaDouble(value), run)
    },
  },
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
    'int intValue()': (self: BigInteger) => Number(BigInt.asIntN(32, self.value)),
    'long longValue()': (self: BigInteger) => BigInt.asIntN(64, self.value),
    'double doubleValue()': (self: BigInteger) => Number(self.value),
    'int signum()': (self: BigInteger) => (self.value > 0n ? 1 : self.value < 0n ? -1 : 0),
  },
  statics: { 'BigInteger valueOf(long)': (value: bigint) => new BigInteger(value) },
}

/** Numbers of any length, `java.math`. */
export const DECIMAL_CLASSES: readonly ClassDefinition[] = [
  DECIMAL,
  INTEGER,
  {
    name: 'RoundingMode',
    javaName: 'java.math.RoundingMode',
    constants: Object.fromEntries(MODES.map((mode) => [`RoundingMode ${mode.name}`, mode])),
  },
]
