import type { Block, Statement } from '../parse/ast.ts'
import { CompileFault, fault } from '../script-fault.ts'
import { box } from '../values/boxing.ts'
import { ScriptArray } from '../values/script-array.ts'
import { ScriptCollection } from '../values/script-collection.ts'
import { elementType } from '../values/script-type.ts'
import { classNameOf, type ScriptValue } from '../values/script-value.ts'
import { conversion } from './casts.ts'
import type { Compiled, Place } from './compiled-statement.ts'
import type { Compiler } from './compiler.ts'
import type { Completion, Evaluate, Execute } from './frame.ts'
import { requireType } from './require-type.ts'
import type { Scope } from './scope.ts'
import { unusedValue } from './unused-value.ts'

/** Compiles statements one after the other; given, since loops are statements themselves. */
type CompileStatements = (compiler: Compiler, statements: readonly Statement[], scope: Scope, place: Place) => Compiled

function inLoop(at: number): Place {
  return { isInLoop: true, isLast: false, at }
}

/** A loop goes on behind itself unless it never ends. */
function around(execute: Execute, isEndless: boolean): Compiled {
  return { execute, returns: isEndless, escapes: isEndless, hasBreak: false, hasContinue: false }
}

function checkTest(test: { readonly value: unknown } | undefined, isEmpty: boolean, kind: string, at: number) {
  if (test === undefined) return false
  if (test.value === false) {
    throw new CompileFault(at, 'illegal_argument_exception', `Extraneous ${kind.toLowerCase()} loop.`)
  }
  if (isEmpty) {
    throw new CompileFault(at, 'illegal_argument_exception', `${kind} loop has no escape.`)
  }
  return true
}

/** Whether a loop has no body, or an empty one. */
const isNothing = (body: Block | undefined): boolean => body === undefined || body.statements.length === 0

const NO_TURN = { escapes: true, hasContinue: false } as const

function checkTurns(body: Pick<Compiled, 'escapes' | 'hasContinue'> | undefined, kind: string, at: number): void {
  if (body?.escapes && !body.hasContinue) {
    throw new CompileFault(at, 'illegal_argument_exception', `Extraneous ${kind} loop.`)
  }
}

/** `while (a) { … }`, `do { … } while (a)`. @throws {CompileFault} */
export function compileWhile(
  compiler: Compiler,
  { kind, test, body, at }: Extract<Statement, { kind: 'while' | 'do' }>,
  scope: Scope,
  statements: CompileStatements,
): Compiled {
  if (kind === 'do' && isNothing(body))
    throw new CompileFault(at, 'illegal_argument_exception', 'Extraneous do while loop.')
  const inner = scope.inner()
  const condition = compiler.cast(test, inner, 'boolean')
  const compiled =
    body === undefined ? undefined : statements(compiler, body.statements, inner.inner(), inLoop(body.at))
  const name = kind === 'while' ? 'While' : 'Do while'
  const isAlways = checkTest(condition.constant, isNothing(body), name, at)
  checkTurns(compiled, name.toLowerCase(), at)
  const { evaluate } = condition
  const execute: Execute = compiled?.execute ?? (() => 0)
  const isDo = kind === 'do'
  return around((frame) => {
    const { run } = frame
    let isFirst = isDo
    while (isFirst || evaluate(frame)) {
      isFirst = false
      run.at = at
      run.step()
      const completion = execute(frame)
      if (completion === 1) break
      if (completion === 3) return 3
    }
    return 0
  }, isAlways && !mayBreak(body))
}

/** `for (a; b; c) { … }`. @throws {CompileFault} */
export function compileFor(
  compiler: Compiler,
  { start, test, after, body, at }: Extract<Statement, { kind: 'for' }>,
  scope: Scope,
  statements: CompileStatements,
): Compiled {
  const inner = scope.inner()
  const begin = start === undefined ? undefined : statements(compiler, [start], inner, inLoop(at)).execute
  const condition = test === undefined ? undefined : compiler.cast(test, inner, 'boolean')
  const next = after === undefined ? undefined : compiler.expression(after, inner)
  if (after !== undefined && next !== undefined && !next.isStatement) {
    if (compiler.isLater) throw unusedValue(after)
    throw new CompileFault(next.at, 'illegal_argument_exception', 'Not a statement.')
  }
  const compiled =
    body === undefined ? undefined : statements(compiler, body.statements, inner.inner(), inLoop(body.at))
  const isAlways = test === undefined ? true : checkTest(condition?.constant, isNothing(body), 'For', at)
  checkTurns(compiled, 'for', at)
  const evaluate: Evaluate = condition?.evaluate ?? (() => true)
  const step: Evaluate = next?.evaluate ?? (() => null)
  const execute: Execute = compiled?.execute ?? (() => 0)
  return around(
    (frame) => {
      const { run } = frame
      begin?.(frame)
      for (; evaluate(frame); step(frame)) {
        run.at = at
        run.step()
        const completion = execute(frame)
        if (completion === 1) break
        if (completion === 3) return 3
      }
      return 0
    },
    isAlways && compiled?.hasBreak === true && !mayBreak(body),
  )
}

/** `for (x in list) { … }`. @throws {CompileFault} */
export function compileEach(
  compiler: Compiler,
  { type: declared, name, values, body, at }: Extract<Statement, { kind: 'each' }>,
  scope: Scope,
  statements: CompileStatements,
): Compiled {
  const { classes } = compiler
  const of = compiler.expression(values, scope)
  const inner = scope.inner()
  requireType(compiler, declared, at, (name) => `invalid foreach loop: type [${name}] not found`)
  const type = classes.resolve(declared)
  const { slot } = inner.declare(name, type, at)
  const compiled = statements(compiler, body.statements, inner.inner(), inLoop(body.at))
  if (compiler.isLater) checkTurns(isNothing(body) ? NO_TURN : compiled, 'foreach', at)
  const { evaluate } = of
  const { execute } = compiled
  const element = elementType(of.type)
  if (element === undefined && of.type !== 'def' && !classes.isSubtype(of.type, 'Iterable')) {
    throw new CompileFault(at, 'illegal_argument_exception', `Illegal for each type [${classes.shown(of.type)}].`)
  }
  if (!compiler.isLater) checkTurns(compiled, 'for', at)
  // What comes one by one is cast as if the script said so.
  const convert = conversion(classes, element ?? 'def', type, element === undefined ? 'explicit' : 'internal')
  if (convert === undefined) {
    throw new CompileFault(
      at,
      'class_cast_exception',
      `Cannot cast from [${classes.shown(element ?? 'def')}] to [${classes.shown(type)}].`,
    )
  }
  return around((frame): Completion => {
    const { run, slots } = frame
    const collection = evaluate(frame) as ScriptValue
    run.at = of.at
    for (const value of turnsOf(collection, element !== undefined)) {
      slots[slot] = convert(value)
      run.at = at
      run.step()
      const completion = execute(frame)
      if (completion === 1) break
      if (completion === 3) return 3
    }
    return 0
  }, false)
}

/** What a loop goes through. @throws {ScriptFault} illegal_argument_exception, null_pointer_exception */
function turnsOf(collection: ScriptValue, isTyped: boolean): Iterable<unknown> {
  if (collection instanceof ScriptCollection) return collection.values()
  if (collection instanceof ScriptArray) {
    return isTyped ? collection.items : collection.items.map((item) => box(collection.element, item))
  }
  if (collection === null) {
    throw fault('NullPointerException', 'Cannot invoke "Object.getClass()" because "callArgs[0]" is null')
  }
  throw fault('IllegalArgumentException', `Cannot iterate over [${classNameOf(collection).replaceAll('$', '.')}]`)
}

/** Whether a loop's own `break` is in its body. */
function mayBreak(body: Block | undefined): boolean {
  return body?.statements.some(breaks) ?? false
}

function breaks(statement: Statement): boolean {
  switch (statement.kind) {
    case 'break':
      return true
    case 'block':
      return statement.statements.some(breaks)
    case 'if':
      return mayBreak(statement.then) || mayBreak(statement.otherwise)
    case 'try':
      return mayBreak(statement.block) || statement.traps.some((trap) => mayBreak(trap.block))
    default:
      return false
  }
}
