import { convertNumber } from '../values/boxing.ts'
import type { ClassDefinition } from '../values/script-class.ts'

const bits = new DataView(new ArrayBuffer(8))

/** The double next to one, `by` steps away from zero's side of the sign. */
function neighbour(value: number, isUp: boolean): number {
  if (Number.isNaN(value)) return value
  if (value === 0) return isUp ? Number.MIN_VALUE : -Number.MIN_VALUE
  if (value === (isUp ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY)) return value
  bits.setFloat64(0, value)
  const raw = bits.getBigInt64(0)
  bits.setBigInt64(0, value > 0 === isUp ? raw + 1n : raw - 1n)
  return bits.getFloat64(0)
}

/** To the nearest whole number, halves to the even one. */
function rint(value: number): number {
  const floor = Math.floor(value)
  const rest = value - floor
  if (rest < 0.5) return floor
  if (rest > 0.5) return floor + 1
  return floor % 2 === 0 ? floor : floor + 1
}

/** Java's `Math.round`: halves upwards, what does not fit cut to the ends of long. */
function round(value: number): bigint {
  const floor = Math.floor(value)
  return convertNumber(value - floor >= 0.5 ? floor + 1 : floor, 'long') as bigint
}

/** Java's `IEEEremainder`. */
function remainder(left: number, right: number): number {
  if (!Number.isFinite(left) || Number.isNaN(right) || right === 0) return Number.NaN
  if (!Number.isFinite(right)) return left
  return left - right * rint(left / right)
}

type Pair = (left: number, right: number) => number

const MEMBERS = {
  constants: { 'double E': Math.E, 'double PI': Math.PI },
  statics: {
    'double abs(double)': Math.abs,
    'double acos(double)': Math.acos,
    'double asin(double)': Math.asin,
    'double atan(double)': Math.atan,
    'double atan2(double,double)': Math.atan2,
    'double cbrt(double)': Math.cbrt,
    'double ceil(double)': Math.ceil,
    'double copySign(double,double)': ((value, sign) =>
      sign < 0 || Object.is(sign, -0) ? -Math.abs(value) : Math.abs(value)) as Pair,
    'double cos(double)': Math.cos,
    'double cosh(double)': Math.cosh,
    'double exp(double)': Math.exp,
    'double expm1(double)': Math.expm1,
    'double floor(double)': Math.floor,
    'double hypot(double,double)': ((left, right) => Math.hypot(left, right)) as Pair,
    'double IEEEremainder(double,double)': remainder,
    'double log(double)': Math.log,
    'double log10(double)': Math.log10,
    'double log1p(double)': Math.log1p,
    'double max(double,double)': ((left, right) => Math.max(left, right)) as Pair,
    'double min(double,double)': ((left, right) => Math.min(left, right)) as Pair,
    'double nextAfter(double,double)': ((value, towards) =>
      value === towards ? towards : neighbour(value, towards > value)) as Pair,
    'double nextDown(double)': (value: number) => neighbour(value, false),
    'double nextUp(double)': (value: number) => neighbour(value, true),
    'double pow(double,double)': ((base, power) => base ** power) as Pair,
    'double rint(double)': rint,
    'long round(double)': round,
    'double scalb(double,int)': ((value, power) => value * 2 ** power) as Pair,
    'double signum(double)': Math.sign,
    'double sin(double)': Math.sin,
    'double sinh(double)': Math.sinh,
    'double sqrt(double)': Math.sqrt,
    'double tan(double)': Math.tan,
    'double tanh(double)': Math.tanh,
    'double toDegrees(double)': (value: number) => value * (180 / Math.PI),
    'double toRadians(double)': (value: number) => (value / 180) * Math.PI,
    'double ulp(double)': (value: number) =>
      Number.isFinite(value) ? neighbour(Math.abs(value), true) - Math.abs(value) : Math.abs(value),
  },
}

/** `java.lang.Math` and `StrictMath`. */
export const MATH_CLASSES: readonly ClassDefinition[] = [
  {
    name: 'Math',
    javaName: 'java.lang.Math',
    constants: MEMBERS.constants,
    statics: { ...MEMBERS.statics, 'double random()': () => Math.random() },
  },
  { name: 'StrictMath', javaName: 'java.lang.StrictMath', ...MEMBERS },
]
