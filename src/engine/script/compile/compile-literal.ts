import type { Expression } from '../parse/ast.ts'
import { CompileFault, ScriptThrowable } from '../script-fault.ts'
import { newArray, ScriptArray } from '../values/script-array.ts'
import { ScriptList } from '../values/script-list.ts'
import { ScriptMap } from '../values/script-map.ts'
import { isPrimitive, type ScriptType } from '../values/script-type.ts'
import type { ScriptValue } from '../values/script-value.ts'
import { castTo } from './casts.ts'
import { argument } from './compile-member.ts'
import type { Compiler } from './compiler.ts'
import type { Evaluate } from './frame.ts'
import { requireType } from './require-type.ts'
import type { Scope } from './scope.ts'
import { constant, type Typed } from './typed.ts'

type Node<K extends Expression['kind']> = Extract<Expression, { kind: K }>

/** `12`, `1.5f`, `0x1F`, `7L`; a sign may stand in front. @throws {CompileFault} for what does not fit */
export function compileNumber({ text, at }: Node<'number'>, expected?: ScriptType): Typed {
  const [, sign = '', digits = ''] = /^(-?)(.*)$/.exec(text) ?? []
  const last = digits.slice(-1)
  const isHex = /^0[xX]/.test(digits)
  const isOctal = /^0[0-7]+[lL]?$/.test(digits)
  if (isHex || isOctal) {
    const isLong = /[lL]/.test(last)
    const bare = isLong ? digits.slice(0, -1) : digits
    // What ends as a float does is taken for one, which there is not in this radix.
    if (/[dDfF]/.test(last))
      throw new CompileFault(at + sign.length, 'illegal_state_exception', 'Illegal tree structure.')
    const value = BigInt(isHex ? bare : `0o${bare}`)
    const shown = `${sign}${digits.slice(isHex ? 2 : 1)}`
    return whole(sign === '-' ? -value : value, isLong, shown, at)
  }
  if (/[lL]/.test(last)) return whole(BigInt(sign + digits.slice(0, -1)), true, text, at)
  if (/[fF]/.test(last)) return constant('float', Math.fround(Number(sign + digits.slice(0, -1))), at)
  if (/[dD]/.test(last)) return constant('double', Number(sign + digits.slice(0, -1)), at)
  if (/[.eE]/.test(digits)) {
    return constant('double', Number(sign + digits), at)
  }
  const typed = whole(BigInt(sign + digits), false, text, at)
  const value = typed.constant?.value as number
  return fitsSmall(value, expected) ? constant(expected as ScriptType, value, at) : typed
}

/** Whether a constant is of a smaller type where one is wanted. */
function fitsSmall(value: number, type: ScriptType | undefined): boolean {
  if (type === 'byte') return value >= -128 && value <= 127
  if (type === 'short') return value >= -32768 && value <= 32767
  return type === 'char' && value >= 0 && value <= 0xffff
}

function whole(value: bigint, isLong: boolean, text: string, at: number): Typed {
  if (isLong) {
    if (BigInt.asIntN(64, value) === value) return constant('long', value, at)
    throw new CompileFault(at, 'illegal_argument_exception', `Invalid long constant [${text}].`)
  }
  if (BigInt.asIntN(32, value) === value) return constant('int', Number(value), at)
  const isLongOne = BigInt.asIntN(64, value) === value
  throw new CompileFault(
    at,
    'illegal_argument_exception',
    isLongOne
      ? `Invalid int constant [${text}]. If you want a long constant then change it to [${text}L].`
      : `Invalid int constant [${text}].`,
  )
}

/** What a literal holds at a place; where it is cast, an error behind it is told to be there, as in the real server. */
function memberOf(compiler: Compiler, node: Expression, scope: Scope, type: string, at: number): Evaluate {
  const given = compiler.expression(node, scope, type, 'internal')
  const { evaluate } = castTo(compiler.classes, given, type, 'internal')
  const place = given.type === type ? at : given.at
  return (frame) => {
    const value = evaluate(frame)
    frame.run.at = place
    return value
  }
}

/** `[1, 2]`. @throws {CompileFault} */
export function compileList(compiler: Compiler, node: Node<'list'>, scope: Scope): Typed {
  const items = node.items.map((item) => memberOf(compiler, item, scope, 'def', node.at))
  return {
    type: 'ArrayList',
    at: node.at,
    isStatement: false,
    evaluate: (frame) => {
      const values: ScriptValue[] = []
      frame.run.at = node.at
      for (const item of items) values.push(item(frame) as ScriptValue)
      frame.run.allocate(values.length * 8 + 32)
      return new ScriptList(values)
    },
  }
}

/** `['a': 1]`. @throws {CompileFault} */
export function compileMap(compiler: Compiler, node: Node<'map'>, scope: Scope): Typed {
  const entries = node.entries.map(
    ([key, value]) =>
      [memberOf(compiler, key, scope, 'def', node.at), memberOf(compiler, value, scope, 'def', node.at)] as const,
  )
  return {
    type: 'HashMap',
    at: node.at,
    evaluate: (frame) => {
      frame.run.allocate(64)
      const map = new ScriptMap()
      for (const [key, value] of entries) {
        const name = key(frame) as ScriptValue
        map.put(name, value(frame) as ScriptValue, frame.run)
      }
      return map
    },
  }
}

const notType = (name: string): string => `Not a type [${name}].`

/** `new int[3][2]`. @throws {CompileFault} */
export function compileNewArray(compiler: Compiler, node: Node<'newArray'>, scope: Scope): Typed {
  const { at } = node
  requireType(compiler, node.type, at, (name) => notType(name + '[]'.repeat(node.sizes.length)))
  const element = compiler.classes.resolve(node.type)
  const sizes = node.sizes.map((size) => compiler.cast(size, scope, 'int', 'internal').evaluate)
  const type = element + '[]'.repeat(sizes.length)
  const make = (lengths: readonly number[], depth: number, frame: Parameters<Evaluate>[0]): ScriptArray => {
    const inner = element + '[]'.repeat(lengths.length - depth - 1)
    const array = newArray(inner, lengths[depth] as number, frame.run)
    if (depth + 1 < lengths.length) {
      for (let i = 0; i < array.items.length; i++) array.items[i] = make(lengths, depth + 1, frame)
    }
    return array
  }
  return {
    type,
    at,
    evaluate: (frame) => {
      const lengths = sizes.map((size) => size(frame) as number)
      frame.run.at = at
      return make(lengths, 0, frame)
    },
  }
}

/** `new int[] {1, 2}`. @throws {CompileFault} */
export function compileArrayItems(compiler: Compiler, node: Node<'arrayItems'>, scope: Scope): Typed {
  requireType(compiler, node.type, node.at, (name) => notType(`${name}[]`))
  const element = compiler.classes.resolve(node.type)
  const items = node.items.map((item) => memberOf(compiler, item, scope, element, node.at))
  return {
    type: `${element}[]`,
    at: node.at,
    evaluate: (frame) => {
      frame.run.at = node.at
      frame.run.allocate(items.length * 8 + 16)
      return new ScriptArray(
        element,
        items.map((item) => item(frame)),
      )
    },
  }
}

/** `new ArrayList(other)`. @throws {CompileFault} */
export function compileNew(compiler: Compiler, node: Node<'new'>, scope: Scope): Typed {
  const { classes } = compiler
  const { at } = node
  requireType(compiler, node.type, at, notType)
  const type = classes.resolve(node.type)
  const made = isPrimitive(type) ? undefined : classes.named(type)?.constructors.get(node.args.length)
  if (made === undefined) {
    throw new CompileFault(
      at,
      'illegal_argument_exception',
      `constructor [${classes.shown(type)}, <init>/${node.args.length}] not found`,
    )
  }
  const args = node.args.map((arg, i) => argument(compiler, arg, scope, made.params[i] as string).evaluate)
  return {
    type,
    at,
    isStatement: true,
    evaluate: (frame) => {
      frame.run.at = at
      const values = args.map((arg) => arg(frame))
      frame.run.allocate(32)
      const object = made.call(...values, frame.run)
      if (object instanceof ScriptThrowable) object.madeAt = frame.run.at
      return object
    },
  }
}
