import type { Expression } from '../parse/ast.ts'
import type { BoundFunction, FunctionBinding } from '../script-context.ts'
import { CompileFault, fault } from '../script-fault.ts'
import { NO_NUMBER, unboxed } from '../values/number-lane.ts'
import type { Implementation, ScriptMethod } from '../values/script-class.ts'
import { type DocNumbers, ScriptMap } from '../values/script-map.ts'
import { ScriptObject } from '../values/script-object.ts'
import { boxedType, elementType, isPrimitive } from '../values/script-type.ts'
import type { ScriptValue } from '../values/script-value.ts'
import { castTo } from './casts.ts'
import { type Place, placeOf } from './compile-place.ts'
import type { Compiler } from './compiler.ts'
import { dynamicCaller } from './dynamic-member.ts'
import type { Evaluate, Frame, NumberLane } from './frame.ts'
import { nodeText } from './node-text.ts'
import type { Scope } from './scope.ts'
import type { Typed } from './typed.ts'

type Node<K extends Expression['kind']> = Extract<Expression, { kind: K }>

/** A variable, a property or a place of a list, read. @throws {CompileFault} */
export function compileRead(
  compiler: Compiler,
  node: Node<'variable'> | Node<'field'> | Node<'index'>,
  scope: Scope,
): Typed {
  if (node.kind === 'field' && node.target.kind === 'type') return compileConstant(compiler, node, node.target.type)
  const place = placeOf(compiler, node, scope)
  const { type, at, load, receiver, key } = place
  if (place.slot !== undefined) {
    const { slot } = place
    return { type, at, isPure: true, evaluate: (frame) => frame.slots[slot] }
  }
  const target = receiver as Evaluate
  const isNullSafe = node.kind === 'field' && node.isNullSafe
  if (isNullSafe) {
    if (isPrimitive(type)) throw primitiveNullSafe(at)
    return {
      type,
      at,
      evaluate: (frame) => {
        const object = target(frame)
        // Whether there is anything to read from or not: what fails next is told to be here.
        frame.run.at = at
        return object === null ? null : load(frame, object, undefined)
      },
    }
  }
  if (key === undefined) {
    const evaluate: Evaluate = (frame) => {
      const object = target(frame)
      frame.run.at = at
      return load(frame, object, undefined)
    }
    const isPure = place.isPure === true
    const found = firstValue(node, scope)
    const read = { type, at, isPure, ...siteOf(place) }
    if (found === undefined) return { ...read, evaluate }
    return { ...read, evaluate: found.evaluate(evaluate), lane: found.lane(evaluate) }
  }
  return {
    type,
    at,
    ...siteOf(place),
    isPure: place.isPure === true,
    evaluate: (frame) => {
      const object = target(frame)
      const index = key(frame)
      // That there is nothing to look into is found before the place is noted.
      if (!place.isOpen || object instanceof ScriptObject) frame.run.at = at
      return load(frame, object, index)
    },
  }
}

/** Where a place is an open one, which only what changes nothing is asked once more. */
function siteOf({ isOpen, getter, receiver, isPure }: Place): Pick<Typed, 'site'> {
  if (isOpen !== true) return {}
  const method = (frame: Frame): ScriptMethod | undefined =>
    isPure === true && getter !== undefined ? getter(receiver?.(frame)) : undefined
  return { site: { method, args: [] } }
}

/** Ways of `doc['field'].value` without the list in between, where the map knows the value. @param plain  the one with it */
interface FirstValue {
  evaluate(plain: Evaluate): Evaluate
  lane(plain: Evaluate): NumberLane
}

/** @returns undefined: it is something else */
function firstValue(node: Expression, scope: Scope): FirstValue | undefined {
  if (node.kind !== 'field' || node.name !== 'value' || node.target.kind !== 'index') return undefined
  const { target, index } = node.target
  if (target.kind !== 'variable' || index.kind !== 'string') return undefined
  const variable = scope.lookup(target.name)
  if (variable === undefined || !variable.isReadOnly) return undefined
  const { slot } = variable
  const { at } = node
  const key = index.value
  const known = scope.place()
  return {
    evaluate: (plain) => (frame) => {
      const map = frame.slots[slot]
      const value = map instanceof ScriptMap ? map.firstOf(key) : undefined
      if (value === undefined) return plain(frame)
      frame.run.at = at
      return value
    },
    lane: (plain) => (frame) => {
      let numbers = frame.slots[known] as DocNumbers | undefined
      if (numbers === undefined) {
        const map = frame.slots[slot]
        numbers = map instanceof ScriptMap ? map.numbersOf(key) : undefined
        if (numbers === undefined) return unboxed(plain(frame) as ScriptValue, frame)
        frame.slots[known] = numbers
      }
      frame.run.at = at
      const number = numbers.read()
      frame.kind = Number.isNaN(number) ? NO_NUMBER : numbers.kind
      return number
    },
  }
}

function primitiveNullSafe(at: number): CompileFault {
  return new CompileFault(at, 'illegal_argument_exception', 'Result of null safe operator must be nullable')
}

/** `Math.PI`. @throws {CompileFault} */
function compileConstant({ classes }: Compiler, node: Node<'field'>, typeName: string): Typed {
  const type = classes.resolve(typeName)
  const found = classes.named(type)?.constants.get(node.name)
  if (found === undefined) {
    throw new CompileFault(
      node.at,
      'illegal_argument_exception',
      `field [${classes.shown(type)}, ${node.name}] not found`,
    )
  }
  const { value } = found
  const { at } = node
  return {
    type: found.type,
    at,
    evaluate: (frame) => {
      frame.run.at = at
      return value
    },
  }
}

/** `list.add(1)`, `Math.max(1, 2)`. @throws {CompileFault} */
export function compileCall(compiler: Compiler, node: Node<'call'>, scope: Scope): Typed {
  const { classes } = compiler
  const { name, args } = node
  if (node.target.kind === 'type') {
    const type = classes.resolve(node.target.type)
    const method = classes.named(type)?.statics.get(`${name}/${args.length}`)
    if (method === undefined) throw methodNotFound(compiler, type, node, compiler.isLater ? 'static ' : '')
    const isPure = (type === 'Math' || type === 'StrictMath') && name !== 'random'
    return invocation(compiler, method, undefined, node, scope, isPure)
  }
  const target = compiler.expression(node.target, scope)
  if (target.type === 'def') return dynamicInvocation(compiler, target, node, scope)
  const boxed = boxedType(target.type)
  const owner =
    elementType(target.type) === undefined
      ? classes.named(boxed === 'void' ? 'Object' : boxed)
      : classes.named('Object')
  const method = owner === undefined ? undefined : classes.method(owner, name, args.length)
  if (method === undefined) throw methodNotFound(compiler, target.type, node)
  const self = castTo(classes, target, boxed, 'internal')
  return invocation(compiler, method, self, node, scope, self.isPure === true && isLook(name, args.length))
}

function methodNotFound(
  { classes }: Compiler,
  type: string,
  { at, name, args }: Node<'call'>,
  kind = '',
): CompileFault {
  return new CompileFault(
    at,
    'illegal_argument_exception',
    `${kind}method [${classes.shown(type)}, ${name}/${args.length}] not found`,
  )
}

/** Whether a method only looks, as scripts do before they read a value. */
function isLook(name: string, args: number): boolean {
  return args === 0 ? name === 'size' || name === 'isEmpty' : args === 1 && name === 'containsKey'
}

/** A call of a method that is known. @param isPureWithPure  whether it is where its arguments are */
function invocation(
  compiler: Compiler,
  method: ScriptMethod,
  target: Typed | undefined,
  node: Node<'call'>,
  scope: Scope,
  isPureWithPure: boolean,
): Typed {
  const { at } = node
  const given = node.args.map((arg, i) => argument(compiler, arg, scope, method.params[i] as string))
  const args = given.map(({ evaluate }) => evaluate)
  const isNullSafe = node.isNullSafe && target !== undefined
  if (isNullSafe && isPrimitive(method.returns)) throw primitiveNullSafe(at)
  const evaluate =
    target === undefined ? staticCall(method.call, args, at) : methodCall(method, target.evaluate, args, at, isNullSafe)
  const isPure = isPureWithPure && given.every((arg) => arg.isPure === true)
  return { type: method.returns, at, isStatement: true, isPure, evaluate }
}

/** An argument; where it is cast as it runs, an error in the call is told to be there, as in the real server. */
export function argument(compiler: Compiler, node: Expression, scope: Scope, type: string): Typed {
  const given = compiler.expression(node, scope, type, 'internal')
  const cast = castTo(compiler.classes, given, type, 'internal')
  const isFolded = cast.constant !== undefined && (isPrimitive(type) || type === 'String')
  if (given.type === type || isFolded) return cast
  const { evaluate } = cast
  const { at } = given
  return {
    ...cast,
    evaluate: (frame) => {
      const value = evaluate(frame)
      frame.run.at = at
      return value
    },
  }
}

function staticCall(call: Implementation, args: readonly Evaluate[], at: number): Evaluate {
  const [first, second] = args
  if (args.length === 1 && first !== undefined) {
    return (frame) => {
      frame.run.at = at
      const a = first(frame)
      return call(a, frame.run)
    }
  }
  if (args.length === 2 && first !== undefined && second !== undefined) {
    return (frame) => {
      frame.run.at = at
      const a = first(frame)
      const b = second(frame)
      return call(a, b, frame.run)
    }
  }
  return (frame) => {
    frame.run.at = at
    const values = args.map((arg) => arg(frame))
    return call(...values, frame.run)
  }
}

function methodCall(
  { call, name }: ScriptMethod,
  target: Evaluate,
  args: readonly Evaluate[],
  at: number,
  isNullSafe: boolean,
): Evaluate {
  const ofNull = (frame: Frame): null => {
    frame.run.at = at
    if (isNullSafe) return null
    throw fault('NullPointerException', `Cannot invoke "${name}" because value is null`)
  }
  const [first] = args
  if (args.length === 0) {
    return (frame) => {
      const object = target(frame)
      if (object === null) return ofNull(frame)
      frame.run.at = at
      if (typeof object === 'string') frame.run.read(object)
      return call(object, frame.run)
    }
  }
  if (args.length === 1 && first !== undefined) {
    return (frame) => {
      const object = target(frame)
      frame.run.at = at
      if (object === null && isNullSafe) return null
      const a = first(frame)
      if (object === null) return ofNull(frame)
      if (typeof object === 'string') frame.run.read(object)
      return call(object, a, frame.run)
    }
  }
  return (frame) => {
    const object = target(frame)
    frame.run.at = at
    if (object === null && isNullSafe) return null
    const values = args.map((arg) => arg(frame))
    if (object === null) return ofNull(frame)
    if (typeof object === 'string') frame.run.read(object)
    return call(object, ...values, frame.run)
  }
}

/** A call on an object whose class is seen only at run time. */
function dynamicInvocation(compiler: Compiler, target: Typed, node: Node<'call'>, scope: Scope): Typed {
  const { at, name, isNullSafe } = node
  const { classes } = compiler
  const given = node.args.map((arg) => compiler.expression(arg, scope, 'def'))
  const args = given.map((arg) => castTo(classes, arg, 'def').evaluate)
  const call = dynamicCaller(classes, name, args.length)
  const object = target.evaluate
  const method = (frame: Frame): ScriptMethod | undefined => {
    const value = target.isPure === true ? (object(frame) as ScriptValue) : null
    return value === null ? undefined : classes.method(classes.of(value), name, args.length)
  }
  return {
    type: 'def',
    at,
    ...(isNullSafe ? {} : { site: { method, args: given.map(({ type }) => type) } }),
    isStatement: true,
    isPure: target.isPure === true && args.length === 0 && isLook(name, 0),
    evaluate: (frame) => {
      const value = object(frame) as ScriptValue
      frame.run.at = at
      if (isNullSafe && value === null) return null
      const values: ScriptValue[] = []
      for (const arg of args) values.push(arg(frame) as ScriptValue)
      return call(value, values, frame.run)
    },
  }
}

/** `f(1)`, a function that the script declares. @throws {CompileFault} */
export function compileLocalCall(compiler: Compiler, node: Node<'localCall'>, scope: Scope): Typed {
  const { at, name } = node
  const called = compiler.functions.get(`${name}/${node.args.length}`)
  if (called === undefined) {
    const given = compiler.isLater ? `[${node.args.map(nodeText).join(', ')}]` : node.args.length
    throw new CompileFault(at, 'illegal_argument_exception', `Unknown call [${name}] with [${given}] arguments.`)
  }
  const typed = node.args.map((arg, i) => compiler.cast(arg, scope, called.params[i]?.type as string, 'internal'))
  const args = typed.map(({ evaluate }) => evaluate)
  // What takes nothing when it is made tells of a fault where its last argument stands.
  const told = called.bind?.count === 0 ? (typed.at(-1)?.at ?? at) : at
  if (called.bind !== undefined) return boundCall(called.bind, called.returns, args, told)
  return {
    type: called.returns,
    at,
    isStatement: true,
    evaluate: (frame) => {
      const values: unknown[] = []
      for (const arg of args) values.push(arg(frame))
      frame.run.at = at
      return called.call(values, frame.run)
    },
  }
}

/** A call of a function that is made at its first call here. */
function boundCall({ count, make }: FunctionBinding, type: string, args: readonly Evaluate[], at: number): Typed {
  const place = {}
  const given = args.slice(0, count)
  const rest = args.slice(count)
  return {
    type,
    at,
    isStatement: true,
    evaluate: (frame) => {
      const { run } = frame
      let made: BoundFunction | undefined = run.host?.bindings.get(place)
      if (made === undefined) {
        const values = given.map((arg) => arg(frame))
        run.at = at
        made = make(values, run.host)
        run.host?.bindings.set(place, made)
      }
      const values = rest.map((arg) => arg(frame))
      run.at = at
      return made(values)
    },
  }
}
