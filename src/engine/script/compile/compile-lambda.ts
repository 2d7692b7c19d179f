import type { Expression } from '../parse/ast.ts'
import { CompileFault, fault } from '../script-fault.ts'
import type { ScriptRun } from '../script-run.ts'
import { box } from '../values/boxing.ts'
import type { ScriptMethod } from '../values/script-class.ts'
import { ScriptFunction } from '../values/script-function.ts'
import type { ScriptType } from '../values/script-type.ts'
import type { ScriptValue } from '../values/script-value.ts'
import { conversion } from './casts.ts'
import { compileBody } from './compile-statement.ts'
import type { Compiler } from './compiler.ts'
import { bindArguments } from './dynamic-member.ts'
import { Frame } from './frame.ts'
import { Scope } from './scope.ts'
import type { Typed } from './typed.ts'

type Invoke = (...args: ScriptValue[]) => ScriptValue

/** `(a, b) -> a + b` and `Integer::compare`. @throws {CompileFault} */
export function compileLambda(
  compiler: Compiler,
  node: Extract<Expression, { kind: 'lambda' | 'functionRef' }>,
  scope: Scope,
  type: ScriptType,
): Typed {
  const functional = compiler.classes.functional(type)
  if (functional === undefined && type !== 'def') {
    throw new CompileFault(
      node.at,
      'illegal_argument_exception',
      node.kind === 'lambda'
        ? `Cannot pass lambda to [${compiler.classes.shown(type)}], not a functional interface`
        : `Cannot convert function reference [${node.owner}::${node.name}] to [${compiler.classes.shown(type)}], not a functional interface`,
    )
  }
  const className = compiler.classes.named(type)?.javaName ?? 'java.lang.Object'
  return node.kind === 'lambda'
    ? lambda(compiler, node, scope, type, functional, className)
    : reference(compiler, node, scope, type, functional, className)
}

function lambda(
  compiler: Compiler,
  node: Extract<Expression, { kind: 'lambda' }>,
  scope: Scope,
  type: ScriptType,
  functional: ScriptMethod | undefined,
  className: string,
): Typed {
  const { classes } = compiler
  if (functional !== undefined && functional.params.length !== node.params.length) {
    throw new CompileFault(
      undefined,
      'illegal_argument_exception',
      `Incorrect number of parameters for [${functional.name}] in [${classes.shown(type)}]`,
    )
  }
  const returns = functional?.returns ?? 'def'
  const inner = Scope.of(returns, scope)
  const params = node.params.map(({ name, type: declared, at }, i) => {
    const own = classes.resolve(declared ?? functional?.params[i] ?? 'def')
    const variable = inner.declare(name, own, at)
    return { slot: variable.slot, convert: conversion(classes, 'def', own, 'plain') as (value: unknown) => unknown }
  })
  const body = compileBody(compiler, node.body, inner, {
    name: 'lambda$0',
    at: node.at,
    later: 'not all paths return a value for lambda',
  })
  const { captures } = inner
  const arity = node.params.length
  return {
    type,
    at: node.at,
    isLambda: true,
    evaluate: ({ slots: outer, run }) => {
      run.at = node.at
      const taken = captures.map(({ from }) => outer[from])
      const invoke: Invoke = (...args) => {
        run.step()
        const outside = run.at
        const slots: unknown[] = new Array(inner.size)
        captures.forEach(({ to }, i) => {
          slots[to] = taken[i]
        })
        params.forEach(({ slot, convert }, i) => {
          slots[slot] = convert(args[i] ?? null)
        })
        run.enter()
        const result = body(new Frame(slots, run))
        run.depth--
        // What is wrong with the result is found where the lambda was called.
        run.at = outside
        return box(returns, result)
      }
      return new ScriptFunction(className, invoke, arity)
    },
  }
}

function reference(
  compiler: Compiler,
  node: Extract<Expression, { kind: 'functionRef' }>,
  scope: Scope,
  type: ScriptType,
  functional: ScriptMethod | undefined,
  className: string,
): Typed {
  const { at } = node
  const find = node.owner === 'this' ? localOf(compiler, node.name) : methodOf(compiler, node)
  const variable = node.isType || node.owner === 'this' ? undefined : scope.lookup(node.owner)
  if (!node.isType && node.owner !== 'this') {
    if (variable === undefined) {
      const { owner } = node
      const reason = compiler.isLater ? `variable [${owner}] is not defined` : `Variable [${owner}] is not defined.`
      throw new CompileFault(at, 'illegal_argument_exception', reason)
    }
    const { slot, type: own } = variable
    return {
      type,
      at,
      isLambda: true,
      evaluate: ({ slots, run }) => {
        const target = box(own, slots[slot])
        const { classes } = compiler
        const invoke: Invoke = (...args) => {
          run.step()
          const method = target === null ? undefined : classes.method(classes.of(target), node.name, args.length)
          if (method === undefined) throw unknownReference(node, className)
          return box(method.returns, method.call(target, ...bindArguments(classes, method)(args), run))
        }
        return new ScriptFunction(className, invoke)
      },
    }
  }
  if (functional !== undefined && find(functional.params.length) === undefined) {
    throw new CompileFault(
      at,
      'illegal_argument_exception',
      `function reference [${node.owner}::${node.name}/${functional.params.length}] matching [${compiler.classes.shown(type)}, ${functional.name}/${functional.params.length}] not found`,
    )
  }
  const found = { text: `${node.owner}::${node.name}`, has: (arity: number) => find(arity) !== undefined }
  return {
    type,
    at,
    isLambda: true,
    evaluate: ({ run }) => {
      run.at = at
      const invoke: Invoke = (...args) => {
        run.step()
        const call = find(args.length)
        if (call === undefined) throw unknownReference(node, className)
        return call(args, run)
      }
      return new ScriptFunction(className, invoke, undefined, found)
    },
  }
}

function unknownReference(node: Extract<Expression, { kind: 'functionRef' }>, className: string): Error {
  return fault('IllegalArgumentException', `Unknown reference [${node.owner}::${node.name}] matching [${className}]`)
}

type Call = (args: readonly ScriptValue[], run: ScriptRun) => ScriptValue

/** `this::f`, by the number of arguments. */
function localOf({ functions, classes }: Compiler, name: string): (arity: number) => Call | undefined {
  return (arity) => {
    const called = functions.get(`${name}/${arity}`)
    if (called === undefined) return undefined
    const converts = called.params.map(
      ({ type }) => conversion(classes, 'def', type, 'plain') as (value: unknown) => unknown,
    )
    return (args, run) =>
      box(
        called.returns,
        called.call(
          args.map((value, i) => (converts[i] as (value: unknown) => unknown)(value)),
          run,
        ),
      )
  }
}

/** `Type::method` and `Type::new`, by the number of arguments. */
function methodOf(
  { classes }: Compiler,
  node: Extract<Expression, { kind: 'functionRef' }>,
): (arity: number) => Call | undefined {
  const type = classes.resolve(node.owner)
  const owner = classes.named(type)
  const found = new Map<number, Call | undefined>()
  const search = (arity: number): Call | undefined => {
    if (owner === undefined) return undefined
    const direct = node.name === 'new' ? owner.constructors.get(arity) : owner.statics.get(`${node.name}/${arity}`)
    if (direct !== undefined) {
      const bind = bindArguments(classes, direct)
      return (args, run) => box(direct.returns, direct.call(...bind(args), run))
    }
    const method = arity === 0 ? undefined : classes.method(owner, node.name, arity - 1)
    if (method === undefined) return undefined
    const bind = bindArguments(classes, method)
    const self = conversion(classes, 'def', type, 'plain') as (value: unknown) => unknown
    return ([target = null, ...args], run) => {
      if (target === null) throw fault('NullPointerException', null)
      return box(method.returns, method.call(self(target), ...bind(args), run))
    }
  }
  return (arity) => {
    if (!found.has(arity)) found.set(arity, search(arity))
    return found.get(arity)
  }
}
