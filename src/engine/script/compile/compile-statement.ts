import type { Block, Expression, Statement } from '../parse/ast.ts'
import { asScriptFault, CompileFault, fault, ScriptFault, ScriptThrowable } from '../script-fault.ts'
import { initialValue } from '../values/script-array.ts'
import type { ScriptType } from '../values/script-type.ts'
import type { ScriptValue } from '../values/script-value.ts'
import { castTo } from './casts.ts'
import { compileEach, compileFor, compileWhile } from './compile-loop.ts'
import type { Compiled, Place } from './compiled-statement.ts'
import type { Compiler } from './compiler.ts'
import type { Completion, Evaluate, Execute, Frame } from './frame.ts'
import { requireType } from './require-type.ts'
import type { Scope } from './scope.ts'
import type { Typed } from './typed.ts'
import { isStatement, notStatement, unreadValue, unusedValue } from './unused-value.ts'

/** Compiles statements, one after the other. @throws {CompileFault} */
export function compileStatements(
  compiler: Compiler,
  statements: readonly Statement[],
  scope: Scope,
  place: Place,
): Compiled {
  const all: Compiled[] = []
  for (const [i, statement] of statements.entries()) {
    if (all.at(-1)?.escapes) {
      throw new CompileFault(place.at, 'illegal_argument_exception', 'Unreachable statement.')
    }
    const isLast = place.isLast && i === statements.length - 1
    all.push(compileStatement(compiler, statement, scope, { ...place, isLast }))
  }
  const last = all.at(-1)
  return {
    execute: sequence(all.map(({ execute }) => execute)),
    answer: all.length === 1 ? last?.answer : undefined,
    returns: last?.returns ?? false,
    escapes: last?.escapes ?? false,
    hasBreak: all.some(({ hasBreak }) => hasBreak),
    hasContinue: all.some(({ hasContinue }) => hasContinue),
  }
}

function sequence(all: readonly Execute[]): Execute {
  const [first, second] = all
  if (first === undefined) return () => 0
  if (second === undefined) return first
  if (all.length === 2) return (frame) => first(frame) || second(frame)
  return (frame) => {
    for (const execute of all) {
      const completion = execute(frame)
      if (completion !== 0) return completion
    }
    return 0
  }
}

const PLAIN = { returns: false, escapes: false, hasBreak: false, hasContinue: false }

function compileStatement(compiler: Compiler, statement: Statement, scope: Scope, place: Place): Compiled {
  switch (statement.kind) {
    case 'block':
      return compileStatements(compiler, statement.statements, scope.inner(), { ...place, at: statement.at })
    case 'expression':
      return compileExpressionStatement(compiler, statement, scope, place)
    case 'declare':
      return { ...PLAIN, execute: compileDeclaration(compiler, statement, scope) }
    case 'return':
      return {
        ...PLAIN,
        ...compileReturn(compiler, statement, scope),
        returns: true,
        escapes: true,
        hasBreak: true,
      }
    case 'throw':
      return {
        ...PLAIN,
        execute: compileThrow(compiler, statement, scope),
        returns: true,
        escapes: true,
        hasBreak: true,
      }
    case 'break':
      if (!place.isInLoop) {
        throw new CompileFault(statement.at, 'illegal_argument_exception', 'Break statement outside of a loop.')
      }
      return { ...PLAIN, execute: () => 1, escapes: true, hasBreak: true }
    case 'continue':
      if (!place.isInLoop) {
        throw new CompileFault(statement.at, 'illegal_argument_exception', 'Continue statement outside of a loop.')
      }
      return { ...PLAIN, execute: () => 2, escapes: true, hasContinue: true }
    case 'if':
      return compileIf(compiler, statement, scope, place)
    case 'while':
    case 'do':
      return compileWhile(compiler, statement, scope, compileStatements)
    case 'for':
      return compileFor(compiler, statement, scope, compileStatements)
    case 'each':
      return compileEach(compiler, statement, scope, compileStatements)
    case 'try':
      return compileTry(compiler, statement, scope, place)
  }
}

function compileExpressionStatement(
  compiler: Compiler,
  { expression, at }: Extract<Statement, { kind: 'expression' }>,
  scope: Scope,
  place: Place,
): Compiled {
  const isAnswer = place.isLast && scope.returns !== 'void'
  // Since 7.0 it is seen before what it consists of.
  if (compiler.isLater && !isAnswer && !isStatement(expression)) throw unusedValue(expression)
  // That it is the answer is seen only afterwards: branches of a conditional are not boxed for it, and no site is asked for its type.
  const typed = compiler.expression(expression, scope)
  if (isAnswer && typed.type !== 'void') {
    const { site: _, ...unasked } = typed
    const value = castTo(compiler.classes, unasked, scope.returns, 'internal')
    return { ...PLAIN, ...answer(value), returns: true, escapes: true, hasBreak: true }
  }
  if (!typed.isStatement) {
    if (compiler.isLater) throw unusedValue(expression)
    const wrong = unreadValue(compiler, expression, typed, scope) ?? (place.isLast ? undefined : notStatement(at))
    if (wrong !== undefined) throw wrong
  }
  const { evaluate } = typed
  return {
    ...PLAIN,
    execute: (frame) => {
      evaluate(frame)
      return 0
    },
  }
}

function answer(value: Typed): Pick<Compiled, 'execute' | 'answer'> {
  const { evaluate } = value
  return {
    execute: (frame) => {
      frame.result = evaluate(frame)
      return 3
    },
    answer: value,
  }
}

function compileDeclaration(
  compiler: Compiler,
  statement: Extract<Statement, { kind: 'declare' }>,
  scope: Scope,
): Execute {
  const [first] = statement.variables
  requireType(
    compiler,
    statement.type,
    first?.at ?? statement.at,
    (name) => `invalid declaration: cannot resolve type [${name}]`,
  )
  const type = compiler.classes.resolve(statement.type)
  const all = statement.variables.map(({ name, value, at }) => {
    const initial = value === undefined ? undefined : compiler.cast(value, scope, type).evaluate
    const { slot } = scope.declare(name, type, at)
    const nothing = initialValue(type)
    return (frame: Frame): Completion => {
      frame.slots[slot] = initial === undefined ? nothing : initial(frame)
      return 0
    }
  })
  return sequence(all)
}

function compileReturn(
  compiler: Compiler,
  { value, at }: Extract<Statement, { kind: 'return' }>,
  scope: Scope,
): Pick<Compiled, 'execute' | 'answer'> {
  if (value === undefined) {
    if (scope.returns !== 'void') {
      throw new CompileFault(at, 'class_cast_exception', noValue(compiler, scope.returns))
    }
    return { execute: () => 3 }
  }
  return answer(compiler.cast(value, scope, scope.returns, 'internal'))
}

function noValue({ classes, isLater }: Compiler, returns: ScriptType): string {
  // What a whole script answers is told as unknown.
  const words = `annot cast from [${returns === 'Object' ? 'def' : classes.shown(returns)}] to [void]`
  return isLater ? `c${words}` : `C${words}.`
}

function compileThrow(compiler: Compiler, { value, at }: Extract<Statement, { kind: 'throw' }>, scope: Scope): Execute {
  const thrown = compiler.cast(value, scope, 'Exception').evaluate
  return (frame) => {
    const throwable = thrown(frame)
    // Java tells where an exception was made, not where it is thrown.
    if (throwable instanceof ScriptThrowable) throw new ScriptFault(throwable)
    frame.run.at = at
    throw fault('NullPointerException', null)
  }
}

function compileIf(
  compiler: Compiler,
  { test, then, otherwise, at }: Extract<Statement, { kind: 'if' }>,
  scope: Scope,
  place: Place,
): Compiled {
  const condition = compiler.cast(test, scope, 'boolean')
  if (condition.constant !== undefined || then.statements.length === 0) throw extraneous('if', at)
  const yes = compileStatements(compiler, then.statements, scope.inner(), { ...place, at: then.at })
  if (otherwise?.statements.length === 0) throw extraneous('else', at)
  const no =
    otherwise === undefined
      ? undefined
      : compileStatements(compiler, otherwise.statements, scope.inner(), { ...place, at: otherwise.at })
  const { evaluate } = condition
  const first = yes.execute
  const second = no?.execute
  return {
    execute:
      second === undefined
        ? (frame) => (evaluate(frame) ? first(frame) : 0)
        : (frame) => (evaluate(frame) ? first(frame) : second(frame)),
    returns: yes.returns && (no?.returns ?? false),
    escapes: yes.escapes && (no?.escapes ?? false),
    hasBreak: yes.hasBreak || (no?.hasBreak ?? false),
    hasContinue: yes.hasContinue || (no?.hasContinue ?? false),
  }
}

const extraneous = (what: 'if' | 'else' | 'try', at: number): CompileFault =>
  new CompileFault(at, 'illegal_argument_exception', `Extraneous ${what} statement.`)

function compileTry(
  compiler: Compiler,
  { block, traps, at }: Extract<Statement, { kind: 'try' }>,
  scope: Scope,
  place: Place,
): Compiled {
  const { classes } = compiler
  if (block.statements.length === 0) throw extraneous('try', at)
  const tried = compileStatements(compiler, block.statements, scope.inner(), { ...place, at: block.at })
  const caught = traps.map((trap) => {
    requireType(compiler, trap.type, trap.at, (name) => `invalid catch declaration: cannot resolve type [${name}]`)
    const type = classes.resolve(trap.type)
    if (!classes.isSubtype(type, 'Exception')) {
      throw new CompileFault(
        trap.at,
        'class_cast_exception',
        `Cannot cast from [${classes.shown(type)}] to [java.lang.Exception].`,
      )
    }
    const inner = scope.inner()
    const { slot } = inner.declare(trap.name, type, trap.at)
    return {
      type,
      slot,
      body: compileStatements(compiler, trap.block.statements, inner, { ...place, at: trap.block.at }),
    }
  })
  const all = [tried, ...caught.map(({ body }) => body)]
  const { execute } = tried
  return {
    execute: (frame) => {
      const { depth } = frame.run
      try {
        return execute(frame)
      } catch (error) {
        const thrown = asScriptFault(error)
        const trap = thrown && caught.find(({ type }) => classes.isInstance(thrown.throwable as ScriptValue, type))
        if (trap === undefined || thrown === undefined) throw error
        frame.run.depth = depth
        frame.slots[trap.slot] = thrown.throwable
        return trap.body.execute(frame)
      }
    },
    returns: all.every(({ returns }) => returns),
    escapes: all.every(({ escapes }) => escapes),
    hasBreak: all.some(({ hasBreak }) => hasBreak),
    hasContinue: all.some(({ hasContinue }) => hasContinue),
  }
}

/**
 * Compiles the body of a lambda or function; what it answers is of the scope's type.
 *
 * @param later  what 7.x and later say where not all paths answer something
 * @throws {CompileFault}
 */
export function compileBody(
  compiler: Compiler,
  body: Block | Expression,
  scope: Scope,
  { name, at, later }: { readonly name: string; readonly at: number; readonly later: string },
): Evaluate {
  const returns: ScriptType = scope.returns
  if (body.kind !== 'block') {
    if (returns !== 'void') return compiler.cast(body, scope, returns, 'internal').evaluate
    return compiler.expression(body, scope).evaluate
  }
  const compiled = compileStatements(compiler, body.statements, scope, { isInLoop: false, isLast: true, at: body.at })
  if (!compiled.returns && returns !== 'void') {
    throw new CompileFault(
      at,
      'illegal_argument_exception',
      compiler.isLater ? later : `Not all paths provide a return value for method [${name}].`,
    )
  }
  const { execute } = compiled
  return (frame) => {
    execute(frame)
    return frame.result
  }
}
