import { fault, ScriptFault, ScriptThrowable } from './script-fault.ts'
import type { ScriptRun } from './script-run.ts'
import { box, convertNumber, numberIn, numericType } from './values/boxing.ts'
import { longOf, numberOfLong } from './values/long-of.ts'
import { ScriptObject } from './values/script-object.ts'
import { boxedType, type ScriptType } from './values/script-type.ts'
import { Box, classNameOf, isEqualValue, type ScriptValue, textOf } from './values/script-value.ts'

type IntOperation = (left: number, right: number) => number
type LongOperation = (left: bigint, right: bigint) => bigint

function byZero(): Error {
  return fault('ArithmeticException', '/ by zero')
}

const INT: Readonly<Record<string, IntOperation>> = {
  '+': (left, right) => (left + right) | 0,
  '-': (left, right) => (left - right) | 0,
  '*': (left, right) => Math.imul(left, right),
  '/': (left, right) => {
    if (right === 0) throw byZero()
    return (left / right) | 0
  },
  '%': (left, right) => {
    if (right === 0) throw byZero()
    return (left % right) | 0
  },
  '&': (left, right) => left & right,
  '|': (left, right) => left | right,
  '^': (left, right) => left ^ right,
  '<<': (left, right) => left << right,
  '>>': (left, right) => left >> right,
  '>>>': (left, right) => (left >>> right) | 0,
}

const wrap = (value: bigint): bigint => BigInt.asIntN(64, value)

const LONG: Readonly<Record<string, LongOperation>> = {
  '+': (left, right) => wrap(left + right),
  '-': (left, right) => wrap(left - right),
  '*': (left, right) => wrap(left * right),
  '/': (left, right) => {
    if (right === 0n) throw byZero()
    return wrap(left / right)
  },
  '%': (left, right) => {
    if (right === 0n) throw byZero()
    return left % right
  },
  '&': (left, right) => left & right,
  '|': (left, right) => left | right,
  '^': (left, right) => left ^ right,
}

/** Shifts of a long; the distance is an int. */
const LONG_SHIFT: Readonly<Record<string, (left: bigint, right: number) => bigint>> = {
  '<<': (left, right) => wrap(left << BigInt(right & 63)),
  '>>': (left, right) => left >> BigInt(right & 63),
  '>>>': (left, right) => wrap(BigInt.asUintN(64, left) >> BigInt(right & 63)),
}

const DOUBLE: Readonly<Record<string, IntOperation>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
}

const FLOAT: Readonly<Record<string, IntOperation>> = Object.fromEntries(
  Object.entries(DOUBLE).map(([op, operation]) => [
    op,
    (left: number, right: number) => Math.fround(operation(left, right)),
  ]),
)

const BOOLEAN: Readonly<Record<string, (left: boolean, right: boolean) => boolean>> = {
  '^': (left, right) => left !== right,
  '&': (left, right) => left && right,
  '|': (left, right) => left || right,
}

/** An operation on two values of a type; undefined: the type has none. Shifts of a long take an int. */
export function operationOf(op: string, type: ScriptType): ((left: never, right: never) => unknown) | undefined {
  switch (type) {
    case 'int':
      return INT[op]
    case 'long':
      return LONG[op] ?? LONG_SHIFT[op]
    case 'float':
      return FLOAT[op]
    case 'double':
      return DOUBLE[op]
    case 'boolean':
      return BOOLEAN[op]
    default:
      return undefined
  }
}

const RANK = { int: 1, long: 2, float: 3, double: 4 }

function wider(left: keyof typeof RANK, right: keyof typeof RANK): keyof typeof RANK {
  return RANK[left] >= RANK[right] ? left : right
}

/** Joins two texts. @throws {ScriptLimit} when there is too much text */
export function concatenate(left: string, right: string, run: ScriptRun): string {
  const length = left.length + right.length
  run.allocate(length > 4_096 ? length : 32)
  if (length > 32_000_000) throw fault('OutOfMemoryError', 'Java heap space')
  return left + right
}

/** Operators whose right side is a distance, of whatever type the left one is. */
export const SHIFTS: ReadonlySet<string> = new Set(['<<', '>>', '>>>'])

/** An operation on values whose types are seen only at run time. @throws {ScriptFault} class_cast_exception, arithmetic_exception */
export type DynamicOperation = (left: ScriptValue, right: ScriptValue, run: ScriptRun) => ScriptValue

/** An operator for values whose types are not known. */
export function dynamicOperation(op: string): DynamicOperation {
  const ints = INT[op] as IntOperation
  const longs = LONG[op]
  const doubles = DOUBLE[op]
  return (left, right, run) => {
    if (typeof left === 'number' && typeof right === 'number') return ints(left, right)
    // Numbers of fields are Long and Double, those that are written out Integer and Double.
    if (longs !== undefined && typeof left === 'bigint') {
      if (typeof right === 'bigint') return longs(left, right)
      if (typeof right === 'number') return longs(left, longOf(right))
    }
    if (doubles !== undefined && left instanceof Box && left.kind === 'double') {
      if (right instanceof Box && right.kind === 'double') return new Box('double', doubles(left.value, right.value))
      if (typeof right === 'number') return new Box('double', doubles(left.value, right))
      if (typeof right === 'bigint') return new Box('double', doubles(left.value, numberOfLong(right)))
    }
    return operate(op, left, right, run)
  }
}

function operate(op: string, left: ScriptValue, right: ScriptValue, run: ScriptRun): ScriptValue {
  if (op === '+' && (typeof left === 'string' || typeof right === 'string')) {
    return concatenate(textOf(left), textOf(right), run)
  }
  const from = numericType(left)
  const to = numericType(right)
  if (from !== undefined && to !== undefined) {
    if (SHIFTS.has(op)) {
      if (from === 'float' || from === 'double' || to === 'float' || to === 'double')
        throw cannotCalculate(op, left, right)
      const distance = convertNumber(numberIn(right), 'int') as number
      return from === 'long'
        ? (LONG_SHIFT[op] as (left: bigint, right: number) => bigint)(left as bigint, distance)
        : (INT[op] as IntOperation)(numberIn(left) as number, distance)
    }
    const type = wider(from, to)
    const operation = operationOf(op, type) as ((left: unknown, right: unknown) => unknown) | undefined
    if (operation !== undefined) {
      const result = operation(convertNumber(numberIn(left), type), convertNumber(numberIn(right), type))
      return type === 'float' || type === 'double' ? new Box(type, result as number) : (result as ScriptValue)
    }
  }
  if (typeof left === 'boolean' && typeof right === 'boolean') {
    const operation = BOOLEAN[op]
    if (operation !== undefined) return operation(left, right)
  }
  const cut = cutBeside(left, right)
  if (cut !== undefined) {
    if (DOUBLE[op] !== undefined) return operate(op, ...cut, run)
    throw notIntegral(op, left, right)
  }
  throw cannotCalculate(op, left, right)
}

/** The primitive type of a number or a boolean, chars and lesser numbers being ints. */
function calculated(value: ScriptValue): keyof typeof RANK | 'boolean' | undefined {
  return typeof value === 'boolean' ? 'boolean' : numericType(value)
}

const notBoolean = (type: keyof typeof RANK): Error =>
  fault('ClassCastException', `Cannot cast java.lang.Boolean to java.lang.${boxedType(type)}`)

const notOfType = (op: string, type: string): Error =>
  fault('ClassCastException', `Cannot apply [${op}] operation to type [${type}]`)

/** Why an operator is none of two numbers or booleans. */
function cannotCalculate(op: string, left: ScriptValue, right: ScriptValue): Error {
  const from = calculated(left)
  const to = calculated(right)
  if (from === undefined || to === undefined) return cannotApply(op, left, right)
  if (SHIFTS.has(op)) {
    if (to === 'int' || to === 'long') return notOfType(op, from)
    return fault('ClassCastException', `Cannot cast java.lang.${boxedType(to)} to java.lang.Long`)
  }
  if (from === 'boolean' && to === 'boolean') return notOfType(op, 'boolean')
  if (from === 'boolean') return notBoolean(to as keyof typeof RANK)
  if (to === 'boolean') return notBoolean(from)
  // Of doubles, too, the real server speaks as of floats.
  return notOfType(op, 'float')
}

/**
 * Two numbers of which one or both are larger or more exact than others: cut to the other's type, or both to ints, as
 * Java's `Number` does it; undefined: it is something else.
 */
function cutBeside(left: ScriptValue, right: ScriptValue): [ScriptValue, ScriptValue] | undefined {
  if (!(left instanceof ScriptObject || right instanceof ScriptObject)) return undefined
  const type = numericType(left) ?? numericType(right) ?? 'int'
  const [a, b] = [cutTo(type, left), cutTo(type, right)]
  return a === undefined || b === undefined ? undefined : [a, b]
}

function cutTo(type: keyof typeof RANK, value: ScriptValue): ScriptValue | undefined {
  const number = value instanceof ScriptObject ? value.number : undefined
  if (number === undefined) return numericType(value) === undefined ? undefined : value
  if (type === 'long') return number.whole
  return type === 'int' ? Number(BigInt.asIntN(32, number.whole)) : box(type, convertNumber(number.double, type))
}

function notIntegral(op: string, left: ScriptValue, right: ScriptValue): Error {
  const isIntegral = (value: ScriptValue): boolean => ['int', 'long'].includes(numericType(value) ?? '')
  const reason =
    SHIFTS.has(op) && !isIntegral(right)
      ? `Cannot cast ${classNameOf(right)} to java.lang.Long`
      : `Cannot convert [${classNameOf(isIntegral(left) ? right : left)}] to an integral value.`
  return fault('ClassCastException', reason)
}

function cannotApply(op: string, left: ScriptValue, right: ScriptValue): Error {
  if (left === null || right === null) {
    const side = left === null ? 'left' : 'right'
    return fault('NullPointerException', `Cannot invoke "Object.getClass()" because "${side}" is null`)
  }
  return fault(
    'ClassCastException',
    `Cannot apply [${op}] operation to types [${classNameOf(left)}] and [${classNameOf(right)}].`,
  )
}

/**
 * Whether two values whose types are not known are equal, numbers by what they come to.
 *
 * @throws {ScriptFault} class_cast_exception for a number and a boolean
 */
export function dynamicEquals(left: ScriptValue, right: ScriptValue): boolean {
  if (left === right) return !(left instanceof Box) || !Number.isNaN(left.value)
  if (isWhole(left) && isWhole(right)) return orderOfWhole(left, right) === 0
  const from = numericType(left)
  const to = from === undefined && typeof left !== 'boolean' ? undefined : numericType(right)
  if (from === undefined || to === undefined) {
    if (typeof left === 'boolean' && to !== undefined) throw notBoolean(to)
    if (typeof right === 'boolean' && from !== undefined) throw notBoolean(from)
    const cut = cutBeside(left, right)
    return cut === undefined ? isEqualValue(left, right) : dynamicEquals(...cut)
  }
  return compareAs(wider(from, to), left, right) === 0
}

/** Less than 0, 0, more than 0 or NaN; compared in a type that both have. */
function compareAs(type: keyof typeof RANK, left: ScriptValue, right: ScriptValue): number {
  const a = convertNumber(numberIn(left), type)
  const b = convertNumber(numberIn(right), type)
  if (a === b) return 0
  return a < b ? -1 : a > b ? 1 : Number.NaN
}

/** `<`, `<=`, `>` and `>=` of values whose types are not known. @throws {ScriptFault} class_cast_exception */
export function dynamicCompare(op: string, left: ScriptValue, right: ScriptValue): boolean {
  if (isWhole(left) && isWhole(right)) return ordered(op, orderOfWhole(left, right))
  if (isDouble(left) || isDouble(right)) {
    const a = doubleOf(left)
    const b = doubleOf(right)
    if (a !== undefined && b !== undefined) return ordered(op, a === b ? 0 : a < b ? -1 : a > b ? 1 : Number.NaN)
  }
  const from = numericType(left)
  const to = numericType(right)
  if (from === undefined || to === undefined) {
    const cut = cutBeside(left, right)
    if (cut === undefined) throw cannotCalculate(op, left, right)
    return dynamicCompare(op, ...cut)
  }
  return ordered(op, compareAs(wider(from, to), left, right))
}

/** Whether a value is an Integer or a Long. */
function isWhole(value: ScriptValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** Whatever of the two is a Long: their order is that of the numbers. */
function orderOfWhole(left: number | bigint, right: number | bigint): number {
  return left < right ? -1 : left > right ? 1 : 0
}

function isDouble(value: ScriptValue): value is Box {
  return value instanceof Box && value.kind === 'double'
}

/** An Integer, Long or Double as a double; undefined: it is something else. */
function doubleOf(value: ScriptValue): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return numberOfLong(value)
  return isDouble(value) ? value.value : undefined
}

function ordered(op: string, order: number): boolean {
  switch (op) {
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    default:
      return order >= 0
  }
}

/** `-`, `+` and `~` of a value whose type is not known. @throws {ScriptFault} class_cast_exception */
export function dynamicUnary(op: '-' | '+' | '~', value: ScriptValue): ScriptValue {
  const type = numericType(value)
  if (type !== undefined) {
    const number = numberIn(value)
    if (op === '~' && type === 'int') return ~(number as number)
    if (op === '~' && type === 'long') return ~(number as bigint)
    if (op !== '~') {
      if (type === 'long') return op === '-' ? wrap(-(number as bigint)) : number
      const signed = op === '-' ? -(number as number) : (number as number)
      return type === 'int' ? signed | 0 : new Box(type, signed)
    }
  }
  if (value === null) throw fault('NullPointerException', 'Cannot invoke "Object.getClass()" because "args[0]" is null')
  const known = calculated(value)
  if (known === undefined)
    throw fault('ClassCastException', `Cannot apply [${op}] operation to type [${classNameOf(value)}].`)
  throw op === '~' ? fault('ClassCastException', `Cannot apply not [~] to type [${known}]`) : notOfType(op, known)
}

/**
 * The real server's refusal of an operator of a number and what is written as a boolean, whose types do not meet.
 *
 * @param op  tells what comes of it: a boolean of a comparison
 */
export function checkedAgainstBoolean<More extends unknown[], T>(
  op: string,
  operation: (left: ScriptValue, right: ScriptValue, ...more: More) => T,
  isLeft: boolean,
): (left: ScriptValue, right: ScriptValue, ...more: More) => T {
  const returns = COMPARISONS.has(op) ? 'boolean' : 'Object'
  const sides = isLeft ? 'boolean,Object' : 'Object,boolean'
  return (left, right, ...more) => {
    const type = numericType(isLeft ? right : left)
    if (type === undefined || SHIFTS.has(op)) return operation(left, right, ...more)
    const made = returns === 'boolean' ? 'boolean' : type
    const cause = `cannot convert MethodHandle(${type},${type})${made} to (${sides})${returns}`
    throw new ScriptFault(
      new ScriptThrowable(
        'java.lang.ClassCastException',
        `Cannot cast from: ${made} to ${returns === 'boolean' ? returns : 'class java.lang.Object'}`,
        new ScriptThrowable('java.lang.invoke.WrongMethodTypeException', cause),
      ),
    )
  }
}

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>='])
