import type { Frame } from '../../script/compile/frame.ts'
import { convertNumber } from '../../script/values/boxing.ts'
import type { ExpressionFunctions } from './expression-functions.ts'
import type { BinaryOperator, Expression } from './expression-tree.ts'

/** Computes an expression. */
export type NumberOf = (frame: Frame) => number
type LongOf = (frame: Frame) => bigint

/** What there is of the place where an expression is evaluated. */
export interface Surroundings {
  readonly functions: ExpressionFunctions
  /** How a variable is read. @throws {LinkFault} where there is none of the name */
  readonly variable: (name: string) => NumberOf
}

/*
 * Everything is a double but what operators on bits are at, which are Longs, and what logic and conditions are at, which
 * are ints: doubles are cut to these, so that 0.5 is false.
 */

/** An expression as a double. */
export function doubleOf(expression: Expression, at: Surroundings): NumberOf {
  switch (expression.kind) {
    case 'number':
    case 'integer': {
      const value = Number(expression.value)
      return () => value
    }
    case 'variable':
      return at.variable(expression.name)
    case 'call':
      return callOf(expression, at)
    case 'unary': {
      if (expression.op === '!') return intOf(expression, at)
      if (expression.op === '~') return narrowed(longOf(expression, at))
      const operand = doubleOf(expression.operand, at)
      return expression.op === '-' ? (frame) => -operand(frame) : operand
    }
    case 'binary':
      return binaryOf(expression, at)
    case 'conditional':
      return conditionalOf(expression, at, doubleOf)
  }
}

function binaryOf(expression: Expression & { kind: 'binary' }, at: Surroundings): NumberOf {
  const { op } = expression
  if (isOfBits(op)) return narrowed(longOf(expression, at))
  if (op === '&&' || op === '||') return intOf(expression, at)
  const [left, right] = [doubleOf(expression.left, at), doubleOf(expression.right, at)]
  switch (op) {
    case '+':
      return (frame) => left(frame) + right(frame)
    case '-':
      return (frame) => left(frame) - right(frame)
    case '*':
      return (frame) => left(frame) * right(frame)
    case '/':
      return (frame) => left(frame) / right(frame)
    case '%':
      return (frame) => left(frame) % right(frame)
    case '==':
      return (frame) => (left(frame) === right(frame) ? 1 : 0)
    case '!=':
      return (frame) => (left(frame) !== right(frame) ? 1 : 0)
    case '<':
      return (frame) => (left(frame) < right(frame) ? 1 : 0)
    case '<=':
      return (frame) => (left(frame) <= right(frame) ? 1 : 0)
    case '>':
      return (frame) => (left(frame) > right(frame) ? 1 : 0)
    case '>=':
      return (frame) => (left(frame) >= right(frame) ? 1 : 0)
  }
}

const narrowed =
  (long: LongOf): NumberOf =>
  (frame) =>
    Number(long(frame))

type BitOperator = '&' | '|' | '^' | '<<' | '>>' | '>>>'

const isOfBits = (op: BinaryOperator): op is BitOperator => ['&', '|', '^', '<<', '>>', '>>>'].includes(op)

/** An expression as a Long. */
function longOf(expression: Expression, at: Surroundings): LongOf {
  switch (expression.kind) {
    case 'integer': {
      const { value } = expression
      return () => value
    }
    case 'unary':
      if (expression.op === '+') return longOf(expression.operand, at)
      if (expression.op === '~') {
        const operand = longOf(expression.operand, at)
        return (frame) => ~operand(frame)
      }
      break
    case 'binary':
      if (isOfBits(expression.op)) return bitsOf(expression.op, expression.left, expression.right, at)
      break
    case 'conditional':
      return conditionalOf(expression, at, longOf)
  }
  const double = doubleOf(expression, at)
  return (frame) => convertNumber(double(frame), 'long') as bigint
}

function bitsOf(op: BitOperator, leftSide: Expression, rightSide: Expression, at: Surroundings): LongOf {
  const left = longOf(leftSide, at)
  if (op === '&' || op === '|' || op === '^') {
    const right = longOf(rightSide, at)
    if (op === '&') return (frame) => left(frame) & right(frame)
    return op === '|' ? (frame) => left(frame) | right(frame) : (frame) => left(frame) ^ right(frame)
  }
  // Java takes the lowest six bits of how far.
  const far = intOf(rightSide, at)
  if (op === '<<') return (frame) => BigInt.asIntN(64, left(frame) << BigInt(far(frame) & 63))
  if (op === '>>') return (frame) => left(frame) >> BigInt(far(frame) & 63)
  return (frame) => BigInt.asIntN(64, BigInt.asUintN(64, left(frame)) >> BigInt(far(frame) & 63))
}

/** An expression as an int. */
function intOf(expression: Expression, at: Surroundings): NumberOf {
  switch (expression.kind) {
    case 'unary': {
      if (expression.op === '+') return intOf(expression.operand, at)
      if (expression.op === '-') break
      if (expression.op === '~') return intOfLong(longOf(expression, at))
      const operand = intOf(expression.operand, at)
      return (frame) => (operand(frame) === 0 ? 1 : 0)
    }
    case 'binary': {
      const { op } = expression
      if (isOfBits(op)) return intOfLong(longOf(expression, at))
      if (op !== '&&' && op !== '||') break
      const [left, right] = [intOf(expression.left, at), intOf(expression.right, at)]
      if (op === '&&') return (frame) => (left(frame) !== 0 && right(frame) !== 0 ? 1 : 0)
      return (frame) => (left(frame) !== 0 || right(frame) !== 0 ? 1 : 0)
    }
    case 'conditional':
      return conditionalOf(expression, at, intOf)
    case 'integer':
      return intOfLong(longOf(expression, at))
  }
  const double = doubleOf(expression, at)
  return (frame) => convertNumber(double(frame), 'int') as number
}

const intOfLong =
  (long: LongOf): NumberOf =>
  (frame) =>
    Number(BigInt.asIntN(32, long(frame)))

function conditionalOf<T>(
  { condition, then, otherwise }: Expression & { kind: 'conditional' },
  at: Surroundings,
  of: (expression: Expression, at: Surroundings) => (frame: Frame) => T,
): (frame: Frame) => T {
  const [test, yes, no] = [intOf(condition, at), of(then, at), of(otherwise, at)]
  return (frame) => (test(frame) !== 0 ? yes(frame) : no(frame))
}

function callOf({ name, args }: Expression & { kind: 'call' }, at: Surroundings): NumberOf {
  const call = at.functions[name] as (...numbers: number[]) => number
  const [first, second] = args.map((arg) => doubleOf(arg, at))
  if (first !== undefined && args.length === 1) return (frame) => call(first(frame))
  if (first !== undefined && second !== undefined && args.length === 2)
    return (frame) => call(first(frame), second(frame))
  const all = args.map((arg) => doubleOf(arg, at))
  return (frame) => call(...all.map((arg) => arg(frame)))
}
