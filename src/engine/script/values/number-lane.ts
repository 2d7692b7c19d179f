import type { Evaluate, Frame, NumberLane } from '../compile/frame.ts'
import type { Typed } from '../compile/typed.ts'
import { longOf, numberOfLong } from './long-of.ts'
import { Box, doubleBox, type ScriptValue } from './script-value.ts'

/*
 * Arithmetic on values whose types are seen only at run time, without an object or a bigint for each value in between: a Long
 * is a double while it is exact in one, and what comes of it, too. Where anything else comes up (larger numbers, division by zero,
 * texts, null, floats) the plain way is gone from the beginning, so that only what changes nothing has a lane.
 */

/** What a lane's number is, in {@link Frame.kind}; without one, the expression is to be evaluated the plain way. */
export const NO_NUMBER = 0
export const INT = 1
export const LONG = 2
export const DOUBLE = 3

/** The lane of an expression; undefined: it has none. */
export function laneOf(typed: Typed): NumberLane | undefined {
  if (typed.lane !== undefined) return typed.lane
  if (typed.constant !== undefined) return laneOfConstant(typed)
  if (typed.isPure !== true) return undefined
  const { type, evaluate, at } = typed
  switch (type) {
    case 'def':
      return (frame) => unboxed(evaluate(frame) as ScriptValue, frame)
    case 'int':
      return (frame) => {
        const number = evaluate(frame) as number
        frame.kind = INT
        return number
      }
    case 'double':
      return (frame) => {
        const number = evaluate(frame) as number
        frame.kind = DOUBLE
        // Boxing it would have been a cast.
        frame.run.at = at
        return number
      }
    default:
      return undefined
  }
}

function laneOfConstant({ type, constant }: Typed): NumberLane | undefined {
  const value = constant?.value
  const always =
    (number: number, kind: number): NumberLane =>
    (frame) => {
      frame.kind = kind
      return number
    }
  if (typeof value === 'bigint') return isExact(Number(value)) ? always(Number(value), LONG) : undefined
  if (value instanceof Box && value.kind === 'double') return always(value.value, DOUBLE)
  if (typeof value !== 'number') return undefined
  if (type === 'double') return always(value, DOUBLE)
  return type === 'int' || type === 'def' || type === 'Object' ? always(value, INT) : undefined
}

/** Whether a double stands for one Long alone. */
function isExact(number: number): boolean {
  return number >= Number.MIN_SAFE_INTEGER && number <= Number.MAX_SAFE_INTEGER
}

/** A value as a number without its box, as lanes give it. */
export function unboxed(value: ScriptValue, frame: Frame): number {
  if (typeof value === 'number') {
    frame.kind = INT
    return value
  }
  if (typeof value === 'bigint') {
    const number = numberOfLong(value)
    frame.kind = isExact(number) ? LONG : NO_NUMBER
    return number
  }
  const isDouble = value instanceof Box && value.kind === 'double'
  frame.kind = isDouble ? DOUBLE : NO_NUMBER
  return isDouble ? value.value : 0
}

const OPERATORS = '+-*/%'
const [ADD, SUBTRACT, MULTIPLY, DIVIDE] = [0, 1, 2, 3]

/** The lane of an operation on two expressions, one of which is of an unknown type. @param at  where the operator stands */
export function laneOfOperation(op: string, left: Typed, right: Typed, at: number): NumberLane | undefined {
  const code = OPERATORS.indexOf(op)
  const [readLeft, readRight] = [laneOf(left), laneOf(right)]
  if (code < 0 || readLeft === undefined || readRight === undefined) return undefined
  return (frame) => {
    frame.run.at = at
    const x = readLeft(frame)
    const leftKind = frame.kind
    if (leftKind === NO_NUMBER) return 0
    const y = readRight(frame)
    const rightKind = frame.kind
    if (rightKind === NO_NUMBER) return 0
    if (leftKind === DOUBLE || rightKind === DOUBLE) {
      frame.kind = DOUBLE
      return ofDoubles(code, x, y)
    }
    if (leftKind === LONG || rightKind === LONG) {
      const result = ofLongs(code, x, y)
      frame.kind = isExact(result) ? LONG : NO_NUMBER
      return result
    }
    frame.kind = y === 0 && code >= DIVIDE ? NO_NUMBER : INT
    return ofInts(code, x, y)
  }
}

function ofDoubles(code: number, x: number, y: number): number {
  if (code === ADD) return x + y
  if (code === SUBTRACT) return x - y
  if (code === MULTIPLY) return x * y
  return code === DIVIDE ? x / y : x % y
}

/** NaN, or beyond what is exact, where a double cannot tell the result. No zero is negative. */
function ofLongs(code: number, x: number, y: number): number {
  if (code === ADD) return x + y
  if (code === SUBTRACT) return x - y
  if (code === MULTIPLY) return x * y + 0
  const rest = x % y
  // The quotient of what divides without a rest is exact; that of x and y may be rounded to the next whole number.
  return code === DIVIDE ? (x - rest) / y + 0 : rest + 0
}

function ofInts(code: number, x: number, y: number): number {
  if (code === ADD) return (x + y) | 0
  if (code === SUBTRACT) return (x - y) | 0
  if (code === MULTIPLY) return Math.imul(x, y)
  return code === DIVIDE ? (x / y) | 0 : (x % y) | 0
}

/** The lane of `condition ? then : otherwise`. */
export function laneOfConditional(condition: Evaluate, then: Typed, otherwise: Typed): NumberLane | undefined {
  const [yes, no] = [laneOf(then), laneOf(otherwise)]
  if (yes === undefined || no === undefined) return undefined
  return (frame) => (condition(frame) ? yes(frame) : no(frame))
}

/** An expression by its lane, boxed in the end. @param plain  the same without lanes */
export function boxedByLane(lane: NumberLane, plain: Evaluate): Evaluate {
  return (frame) => {
    const number = lane(frame)
    const { kind } = frame
    if (kind === INT) return number
    if (kind === LONG) return longOf(number)
    return kind === DOUBLE ? doubleBox(number) : plain(frame)
  }
}

/** An expression of an unknown type by its lane as a `double`. @param plain  the same by its box */
export function doubleByLane(lane: NumberLane, plain: Evaluate, at: number): Evaluate {
  return (frame) => {
    const number = lane(frame)
    if (frame.kind === NO_NUMBER) return plain(frame)
    frame.run.at = at
    return number
  }
}

type NumberTest = (left: number, right: number) => boolean

/** Ints and exact Longs compare as doubles do, and beside a Double they are widened to one. */
const TESTS: Readonly<Record<string, NumberTest>> = {
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
}

/** A comparison by the lanes of its sides; where one has none, and of identity, the plain one. */
export function comparedByLanes(op: string, left: Typed, right: Typed, at: number, plain: Evaluate): Evaluate {
  const test = TESTS[op]
  const [readLeft, readRight] = [laneOf(left), laneOf(right)]
  if (test === undefined || readLeft === undefined || readRight === undefined) return plain
  return (frame) => {
    if (op !== '!=') frame.run.at = at
    const x = readLeft(frame)
    if (frame.kind === NO_NUMBER) return plain(frame)
    const y = readRight(frame)
    return frame.kind === NO_NUMBER ? plain(frame) : test(x, y)
  }
}
