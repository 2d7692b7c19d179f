import {
  checkedAgainstBoolean,
  concatenate,
  dynamicCompare,
  dynamicEquals,
  dynamicOperation,
  dynamicUnary,
  operationOf,
  SHIFTS,
} from '../arithmetic.ts'
import type { Expression } from '../parse/ast.ts'
import { CompileFault } from '../script-fault.ts'
import { box } from '../values/boxing.ts'
import { boxedByLane, comparedByLanes, laneOfConditional, laneOfOperation } from '../values/number-lane.ts'
import { boxedType, isPrimitive, rankOf, type ScriptType, unboxedType } from '../values/script-type.ts'
import { isEqualValue, type ScriptValue, textOf } from '../values/script-value.ts'
import { type CastKind, castTo, foldAt } from './casts.ts'
import type { Compiler } from './compiler.ts'
import type { Evaluate } from './frame.ts'
import { operatorSite } from './open-site.ts'
import { requireType } from './require-type.ts'
import type { Scope } from './scope.ts'
import { constant, type Typed } from './typed.ts'

type Node<K extends Expression['kind']> = Extract<Expression, { kind: K }>

const NAMES: Readonly<Record<string, string>> = {
  '*': 'multiply',
  '/': 'divide',
  '%': 'remainder',
  '+': 'add',
  '-': 'subtract',
  '<<': 'left shift',
  '>>': 'right shift',
  '>>>': 'unsigned shift',
  '&': 'and',
  '^': 'xor',
  '|': 'or',
  '<': 'less than',
  '<=': 'less than or equals',
  '>': 'greater than',
  '>=': 'greater than or equals',
  '==': 'equals',
  '!=': 'not equals',
  '===': 'reference equals',
  '!==': 'reference not equals',
}

const WHOLE = new Set(['&', '|', '^', '<<', '>>', '>>>'])

/** The type two values are brought to, one of which must be a number; undefined: none is. */
function promoted(left: ScriptType, right: ScriptType, allowsDecimals = true): ScriptType | undefined {
  if (left === 'def' || right === 'def') return 'def'
  if (allowsDecimals && (left === 'double' || right === 'double')) return 'double'
  if (allowsDecimals && (left === 'float' || right === 'float')) return 'float'
  if (left === 'long' || right === 'long') return 'long'
  const isInt = (type: ScriptType): boolean => rankOf(type) > 0 && rankOf(type) < 4
  return isInt(left) || isInt(right) ? 'int' : undefined
}

/** `a + b`. @throws {CompileFault} */
export function compileBinary(
  compiler: Compiler,
  node: Node<'binary'>,
  scope: Scope,
  expected: ScriptType | undefined,
): Typed {
  const left = compiler.expression(node.left, scope)
  const right = compiler.expression(node.right, scope)
  // Where a text is wanted of what may be anything, it is joined to one.
  const isJoined = node.op === '+' && expected === 'String' && (left.type === 'def' || right.type === 'def')
  if (isJoined && compiler.isLater) return concatenated(left, right, node.at)
  return binaryOf(compiler, node.op, left, right, node.at)
}

/**
 * An operation on two compiled expressions.
 *
 * @param isCompound  whether its left side is assigned what comes of it
 * @throws {CompileFault}
 */
export function binaryOf(
  compiler: Compiler,
  op: string,
  left: Typed,
  right: Typed,
  at: number,
  isCompound = false,
): Typed {
  const { classes } = compiler
  if (op === '+' && (left.type === 'String' || right.type === 'String')) return concatenated(left, right, at)
  const isBoolean = (typed: Typed): boolean => unboxedType(typed.type) === 'boolean'
  let type = promoted(left.type, right.type, !WHOLE.has(op))
  const isLogical = op === '^' || (isCompound && (op === '&' || op === '|'))
  if (isLogical && isBoolean(left) && isBoolean(right)) type = 'boolean'
  if (SHIFTS.has(op)) {
    // Whatever is shifted by has to be a whole number, too.
    if (promoted(right.type, right.type, false) === undefined) type = undefined
    else if (type !== undefined && type !== 'def') type = promoted(left.type, left.type, false)
  }
  if (type === undefined) {
    throw new CompileFault(
      at,
      'class_cast_exception',
      `Cannot apply ${NAMES[op]} [${op}] to types [${classes.shown(left.type)}] and [${classes.shown(right.type)}].`,
    )
  }
  if (type === 'def') {
    const a = castTo(classes, left, 'def').evaluate
    const b = castTo(classes, right, 'def').evaluate
    const operation = againstBoolean(op, dynamicOperation(op), left, right)
    const plain: Evaluate = (frame) => {
      // As the real server's: what stands in the operands is nearer to the fault than the operator.
      frame.run.at = at
      const x = a(frame) as ScriptValue
      const y = b(frame) as ScriptValue
      return operation(x, y, frame.run)
    }
    const lane = laneOfOperation(op, left, right, at)
    const isPure = arePure(left, right)
    const evaluate = lane === undefined ? plain : boxedByLane(lane, plain)
    return { type, at, isPure, lane, site: operatorSite(op, left.type, right.type), evaluate }
  }
  const a = castTo(classes, left, type)
  const b = castTo(classes, right, SHIFTS.has(op) ? 'int' : type, SHIFTS.has(op) ? 'explicit' : 'plain')
  const operation = operationOf(op, type) as (left: unknown, right: unknown) => unknown
  if (a.constant !== undefined && b.constant !== undefined) {
    const [x, y] = [a.constant.value, b.constant.value]
    return constant(
      type,
      foldAt(at, () => operation(x, y)),
      at,
    )
  }
  const evaluate = fast(op, type, a, b) ?? general(operation, a.evaluate, b.evaluate, at)
  return { type, at, isPure: arePure(a, b), evaluate }
}

/** An operation on values whose types are not known, of which one may be a boolean for all that. */
function againstBoolean<More extends unknown[], T>(
  op: string,
  operation: (left: ScriptValue, right: ScriptValue, ...more: More) => T,
  left: Typed,
  right: Typed,
): (left: ScriptValue, right: ScriptValue, ...more: More) => T {
  if (left.type !== 'boolean' && right.type !== 'boolean') return operation
  return checkedAgainstBoolean(op, operation, left.type === 'boolean')
}

function general(
  operation: (left: unknown, right: unknown) => unknown,
  left: Evaluate,
  right: Evaluate,
  at: number,
): Evaluate {
  return (frame) => {
    frame.run.at = at
    const x = left(frame)
    const y = right(frame)
    return operation(x, y)
  }
}

function arePure(...all: readonly Typed[]): boolean {
  return all.every(({ isPure }) => isPure === true)
}

/** The commonest operations without a call in between (measured: twice as fast in loops). */
function fast(op: string, type: ScriptType, left: Typed, right: Typed): Evaluate | undefined {
  const a = left.evaluate as (frame: unknown) => number
  const b = right.evaluate as (frame: unknown) => number
  if (type === 'int') {
    if (op === '+') return (frame) => (a(frame) + b(frame)) | 0
    if (op === '-') return (frame) => (a(frame) - b(frame)) | 0
    if (op === '*') return (frame) => Math.imul(a(frame), b(frame))
  }
  if (type === 'double') {
    if (op === '+') return (frame) => a(frame) + b(frame)
    if (op === '-') return (frame) => a(frame) - b(frame)
    if (op === '*') return (frame) => a(frame) * b(frame)
    if (op === '/') return (frame) => a(frame) / b(frame)
  }
  return undefined
}

function concatenated(left: Typed, right: Typed, at: number): Typed {
  const text = ({ type }: Typed, value: unknown): string => textOf(box(type, value))
  if (left.constant !== undefined && right.constant !== undefined) {
    return constant('String', text(left, left.constant.value) + text(right, right.constant.value), at)
  }
  return {
    type: 'String',
    at,
    evaluate: (frame) => {
      frame.run.at = at
      const x = left.evaluate(frame)
      const y = right.evaluate(frame)
      return concatenate(text(left, x), text(right, y), frame.run)
    },
  }
}

/** `a < b`, `a == b`. @throws {CompileFault} */
export function compileCompare(compiler: Compiler, node: Node<'compare'>, scope: Scope): Typed {
  const { classes } = compiler
  const { op, at } = node
  const left = compiler.expression(node.left, scope)
  const right = compiler.expression(node.right, scope)
  const isEquality = op.startsWith('=') || op.startsWith('!')
  const isNegated = op.startsWith('!')
  const isIdentity = op.length === 3
  if (isEquality && left.constant?.value === null && right.constant?.value === null && left.type === 'Object') {
    throw new CompileFault(at, 'illegal_argument_exception', 'Extraneous comparison of null constants.')
  }
  const type = isEquality ? promotedEquality(left.type, right.type) : promoted(left.type, right.type)
  if (type === undefined) {
    throw new CompileFault(
      at,
      'class_cast_exception',
      `Cannot apply ${NAMES[op]} [${op}] to types [${classes.shown(left.type)}] and [${classes.shown(right.type)}].`,
    )
  }
  const a = castTo(classes, left, type).evaluate as (frame: unknown) => never
  const b = castTo(classes, right, type).evaluate as (frame: unknown) => never
  const compared = comparison(op, type, isEquality, isIdentity)
  const test =
    type === 'def' && !isIdentity
      ? againstBoolean(op, compared as (left: ScriptValue, right: ScriptValue) => boolean, left, right)
      : compared
  const plain: Evaluate = isNegated
    ? (frame) => {
        frame.run.at = at
        const x = a(frame)
        const y = b(frame)
        return !test(x, y)
      }
    : (frame) => {
        // As with other operators: what stands in the operands is nearer to a fault.
        frame.run.at = at
        const x = a(frame)
        const y = b(frame)
        return test(x, y)
      }
  // Since 7.0 each text that is written, and each that is put together of such, is one of its own.
  const areTexts = left.type === 'String' && right.type === 'String'
  if (isIdentity && areTexts && compiler.isLater && left.constant !== undefined && right.constant !== undefined)
    return constant('boolean', isNegated, at)
  if (left.constant !== undefined && right.constant !== undefined && type !== 'def' && type !== 'Object') {
    const x = castTo(classes, left, type).constant?.value as never
    const y = castTo(classes, right, type).constant?.value as never
    return constant('boolean', test(x, y) !== isNegated, at)
  }
  const evaluate = type === 'def' ? comparedByLanes(op, left, right, at, plain) : plain
  return { type: 'boolean', at, isPure: arePure(left, right), evaluate }
}

function promotedEquality(left: ScriptType, right: ScriptType): ScriptType {
  if (left === 'def' || right === 'def') return 'def'
  const number = promoted(left, right)
  if (number !== undefined && isPrimitive(left) && isPrimitive(right)) return number
  if (left === 'boolean' && right === 'boolean') return 'boolean'
  return 'Object'
}

function comparison(
  op: string,
  type: ScriptType,
  isEquality: boolean,
  isIdentity: boolean,
): (left: never, right: never) => boolean {
  if (isEquality) {
    if (type === 'def') return isIdentity ? (left: unknown, right: unknown) => left === right : dynamicEquals
    if (type === 'Object') return isIdentity ? (left: unknown, right: unknown) => left === right : isEqualValue
    return (left: unknown, right: unknown) => left === right
  }
  if (type === 'def') return (left: ScriptValue, right: ScriptValue) => dynamicCompare(op, left, right)
  switch (op) {
    case '<':
      return (left: number, right: number) => left < right
    case '<=':
      return (left: number, right: number) => left <= right
    case '>':
      return (left: number, right: number) => left > right
    default:
      return (left: number, right: number) => left >= right
  }
}

/** `a && b`. @throws {CompileFault} */
export function compileLogic(compiler: Compiler, node: Node<'logic'>, scope: Scope): Typed {
  const left = compiler.cast(node.left, scope, 'boolean')
  const right = compiler.cast(node.right, scope, 'boolean')
  const { at } = node
  const [a, b] = [left.evaluate, right.evaluate]
  if (left.constant !== undefined && right.constant !== undefined) {
    const [x, y] = [left.constant.value as boolean, right.constant.value as boolean]
    return constant('boolean', node.op === '&&' ? x && y : x || y, at)
  }
  return {
    type: 'boolean',
    at,
    isPure: arePure(left, right),
    evaluate: node.op === '&&' ? (frame) => a(frame) && b(frame) : (frame) => a(frame) || b(frame),
  }
}

/** `!a`, `-a`, `~a`. @throws {CompileFault} */
export function compileUnary(
  compiler: Compiler,
  node: Node<'unary'>,
  scope: Scope,
  expected: ScriptType | undefined,
): Typed {
  const { op, at } = node
  if (op === '!') {
    const { evaluate, constant: known, isPure = false } = compiler.cast(node.operand, scope, 'boolean')
    if (known !== undefined) return constant('boolean', !known.value, at)
    return { type: 'boolean', at, isPure, evaluate: (frame) => !evaluate(frame) }
  }
  // The smallest numbers have no positive counterpart: the sign belongs to the constant.
  if (op === '-' && node.operand.kind === 'number') {
    return compiler.expression({ ...node.operand, at, text: `-${node.operand.text}` }, scope, expected)
  }
  const operand = compiler.expression(node.operand, scope)
  const type = promoted(operand.type, operand.type, op !== '~')
  if (type === undefined) {
    const name = op === '~' ? 'not' : op === '-' ? 'negative' : 'positive'
    const shown = compiler.classes.shown(operand.type)
    // Of signs the real server prints the class itself, not its name.
    const kind = op === '~' || isPrimitive(operand.type) ? '' : 'class '
    throw new CompileFault(at, 'class_cast_exception', `Cannot apply ${name} [${op}] to type [${kind}${shown}].`)
  }
  const inner = castTo(compiler.classes, operand, type)
  const apply = unaryOperation(op, type)
  if (inner.constant !== undefined) return constant(type, apply(inner.constant.value), at)
  const { evaluate, isPure = false } = inner
  return {
    type,
    at,
    isPure,
    evaluate: (frame) => {
      frame.run.at = at
      return apply(evaluate(frame))
    },
  }
}

function unaryOperation(op: '-' | '+' | '~', type: ScriptType): (value: unknown) => unknown {
  if (type === 'def') return (value) => dynamicUnary(op, value as ScriptValue)
  if (op === '+') return (value) => value
  if (op === '~') return type === 'int' ? (value) => ~(value as number) : (value) => ~(value as bigint)
  if (type === 'int') return (value) => -(value as number) | 0
  if (type === 'long') return (value) => BigInt.asIntN(64, -(value as bigint))
  return (value) => -(value as number)
}

/** `a instanceof List`. @throws {CompileFault} */
export function compileInstanceof(compiler: Compiler, node: Node<'instanceof'>, scope: Scope): Typed {
  const { classes } = compiler
  requireType(compiler, node.type, node.at, (name) => `Not a type [${name}].`)
  const type = classes.resolve(node.type)
  const operand = compiler.expression(node.operand, scope)
  const { evaluate } = operand
  if (type === 'def') return { type: 'boolean', at: node.at, evaluate: (frame) => evaluate(frame) !== undefined }
  const boxed = castTo(classes, operand, 'def').evaluate
  return {
    type: 'boolean',
    at: node.at,
    evaluate: (frame) => classes.isInstance(boxed(frame) as ScriptValue, boxedType(type)),
  }
}

/** What is wanted of an expression: the type, where that is known, and how it will be cast to it. */
export interface Wanted {
  readonly type: ScriptType | undefined
  readonly kind: CastKind
}

/** `a ? b : c`. @throws {CompileFault} */
export function compileConditional(compiler: Compiler, node: Node<'conditional'>, scope: Scope, wanted: Wanted): Typed {
  const { at } = node
  const test = compiler.cast(node.test, scope, 'boolean')
  if (test.constant !== undefined && !compiler.isLater) {
    throw new CompileFault(at, 'illegal_argument_exception', 'Extraneous conditional statement.')
  }
  const { type: expected, kind } = wanted
  const then = compiler.expression(node.then, scope, expected, kind)
  const otherwise = compiler.expression(node.otherwise, scope, expected, kind)
  const type = expected ?? commonType(compiler, then, otherwise)
  const a = castTo(compiler.classes, then, type, kind)
  const b = castTo(compiler.classes, otherwise, type, kind)
  const [condition, yes, no] = [test.evaluate, a.evaluate, b.evaluate]
  const isPure = arePure(test, a, b)
  const lane = isPure && type === 'def' ? laneOfConditional(condition, a, b) : undefined
  return { type, at, isPure, lane, evaluate: (frame) => (condition(frame) ? yes(frame) : no(frame)) }
}

/** `a ?: b`. @throws {CompileFault} */
export function compileElvis(compiler: Compiler, node: Node<'elvis'>, scope: Scope, wanted: Wanted): Typed {
  const { at } = node
  const { type: expected, kind } = wanted
  const refuse = (reason: string): never => {
    throw new CompileFault(at, 'illegal_argument_exception', reason)
  }
  if (expected !== undefined && isPrimitive(expected)) refuse('Elvis operator cannot return primitives')
  const left = compiler.expression(node.left, scope, expected, kind)
  const right = compiler.expression(node.right, scope, expected, kind)
  if (left.type === 'Object' && left.constant?.value === null) {
    refuse('Extraneous elvis operator. LHS is null.')
  }
  if (left.constant !== undefined) refuse('Extraneous elvis operator. LHS is a constant.')
  if (left.type !== 'def' && left.type === unboxedType(left.type) && rankOf(left.type) > 0) {
    refuse('Extraneous elvis operator. LHS is a primitive.')
  }
  if (right.type === 'Object' && right.constant?.value === null) refuse('Extraneous elvis operator. RHS is null.')
  const type = expected ?? commonType(compiler, left, right)
  const a = castTo(compiler.classes, left, type, kind).evaluate
  const b = castTo(compiler.classes, right, type, kind).evaluate
  return {
    type,
    at,
    evaluate: (frame) => {
      const found = a(frame)
      return found === null ? b(frame) : found
    },
  }
}

/** The type that both of two can be held as. */
function commonType({ classes }: Compiler, left: Typed, right: Typed): ScriptType {
  if (left.type === right.type) return left.type
  if (left.type === 'def' || right.type === 'def') return 'def'
  // What is boxed and what is not have nothing but `Object` in common, to which neither is cast by itself.
  if (isPrimitive(left.type) !== isPrimitive(right.type)) return 'Object'
  const number = rankOf(left.type) > 0 && rankOf(right.type) > 0
  if (number) return promoted(left.type, right.type) as ScriptType
  if (classes.isSubtype(left.type, right.type)) return right.type
  if (classes.isSubtype(right.type, left.type)) return left.type
  return 'Object'
}
