import { ServiceError } from '../../../errors.ts'
import { API, API_7 } from '../api/api.ts'
import { ClassTable } from '../class-table.ts'
import type { FunctionDeclaration, Script } from '../parse/ast.ts'
import { parseScript } from '../parse/parse-script.ts'
import { ScriptAnswers, variableValue } from '../script-answers.ts'
import { ScriptCache } from '../script-cache.ts'
import type { ScriptContext, ScriptHost, ScriptVariables } from '../script-context.ts'
import { compileError, runtimeError } from '../script-error.ts'
import { CompileFault, ScriptFault } from '../script-fault.ts'
import { ScriptRun } from '../script-run.ts'
import { asToldOf, type ScriptSource } from '../script-source.ts'
import { initialValue } from '../values/script-array.ts'
import { isPrimitive } from '../values/script-type.ts'
import { metered } from '../work-meter.ts'
import { expressionCompiler } from './compile-expression.ts'
import { compileBody, compileStatements } from './compile-statement.ts'
import type { Compiler, LocalFunction } from './compiler.ts'
import { type Execute, Frame } from './frame.ts'
import { requireType } from './require-type.ts'
import { Scope } from './scope.ts'
import type { Typed } from './typed.ts'

/** `script.max_size_in_bytes`. */
const MAX_SCRIPT_BYTES = 65_535

/** What runs of scripts made, whether it was kept or not. */
export interface ScriptSpending {
  /** Units of about a byte. */
  bytes: number
  /** Turns of loops. */
  steps: number
}

/** What compiling makes of a text. */
interface ScriptBody {
  readonly execute: Execute
  /** What it answers, where that is all that it does, and changes nothing. */
  readonly answer: Typed | undefined
  readonly size: number
  readonly inputs: readonly { readonly name: string; readonly slot: number }[]
  /** Where its statements begin. */
  readonly starts: readonly number[]
}

/** A script, ready to run any number of times. */
export class CompiledScript {
  readonly source: string
  readonly context: ScriptContext
  /** Variables of the context that the script names; the others need not be given. */
  readonly uses: ReadonlySet<string>
  readonly #text: ScriptSource
  readonly #body: ScriptBody
  readonly #nothing: unknown

  constructor(text: ScriptSource, context: ScriptContext, body: ScriptBody) {
    this.source = text.source
    this.context = context
    this.#text = text
    this.#body = body
    this.uses = new Set(body.inputs.map(({ name }) => name))
    this.#nothing = isPrimitive(context.returns) ? initialValue(context.returns) : null
  }

  /**
   * Runs the script once, with steps and memory of its own.
   *
   * @param host   what functions of the place are made in
   * @param spent  told what it made
   * @returns  held as the context's type says: `double` a number, `boolean` a boolean, `Object` a ScriptValue
   * @throws {ServiceError} script_exception `runtime error`
   */
  run(variables: ScriptVariables, host?: ScriptHost, spent?: ScriptSpending): unknown {
    const { execute, size, inputs, starts } = this.#body
    const slots: unknown[] = new Array(size)
    for (const { name, slot } of inputs) {
      slots[slot] = variableValue(variables[name])
    }
    const run = new ScriptRun()
    run.host = host
    const frame = new Frame(slots, run)
    frame.result = this.#nothing
    try {
      metered(frame, execute)
    } catch (error) {
      const { source, stored } = this.#text
      const ended = { source, name: stored?.id ?? source, context: this.context, at: madeAt(error) ?? run.at, starts }
      throw asToldOf(this.#text, runtimeError(error, ended))
    }
    if (spent !== undefined) {
      spent.bytes += run.spent
      spent.steps += run.stepsTaken
    }
    return frame.result
  }

  /**
   * The script with the same variables again and again; undefined: it does more than answer.
   *
   * @param fixed  variables that stay what they are
   */
  answers(variables: ScriptVariables, fixed: ReadonlySet<string>, host?: ScriptHost): ScriptAnswers | undefined {
    const { answer, size, inputs } = this.#body
    if (answer === undefined) return undefined
    const frame = new Frame(new Array(size), new ScriptRun())
    frame.run.host = host
    for (const { name, slot } of inputs) if (fixed.has(name)) frame.slots[slot] = variableValue(variables[name])
    const changing = inputs.filter(({ name }) => !fixed.has(name))
    return new ScriptAnswers(answer, frame, variables, changing)
  }

  /** The same script under the name that it is stored by. */
  storedAs(stored: ScriptSource['stored']): CompiledScript {
    return stored === undefined ? this : new CompiledScript({ source: this.source, stored }, this.context, this.#body)
  }
}

const tables = new WeakMap<ScriptContext, ClassTable>()
const scripts = new ScriptCache(compileSource)

/**
 * Compiles a Painless script for a place; scripts used before are remembered.
 *
 * @throws {ServiceError} script_exception `compile error` with `script_stack`, `script`, `lang` and the cause;
 *   illegal_argument_exception for one that is too long
 */
export function compileScript(text: ScriptSource, context: ScriptContext): CompiledScript {
  try {
    return scripts.get(text, context).storedAs(text.stored)
  } catch (error) {
    throw asToldOf(text, error)
  }
}

/** Looks at a Painless script that is to be stored for a place. @throws {ServiceError} as {@link compileScript} */
export function checkScript(source: string, context: ScriptContext): void {
  compileSource({ source }, context)
}

function compileSource({ source }: ScriptSource, context: ScriptContext): CompiledScript {
  checkScriptSize(source)
  try {
    return compileParsed(source, context)
  } catch (error) {
    throw compileError(error, source, context)
  }
}

/** @throws {ServiceError} illegal_argument_exception for a script that is too long */
export function checkScriptSize(source: string): void {
  const bytes = Buffer.byteLength(source)
  if (bytes <= MAX_SCRIPT_BYTES) return
  throw new ServiceError(
    'illegal_argument_exception',
    `exceeded max allowed inline script size in bytes [${MAX_SCRIPT_BYTES}] with size [${bytes}] for script [${source}]`,
  )
}

function tableOf(context: ScriptContext): ClassTable {
  let table = tables.get(context)
  if (table === undefined) {
    table = new ClassTable([...(context.isLater ? API_7 : API), ...(context.classes ?? [])], context.isLater)
    tables.set(context, table)
  }
  return table
}

function compileParsed(source: string, context: ScriptContext): CompiledScript {
  const classes = tableOf(context)
  const script = parseScript(source, (name) => classes.isType(name), context.isLater === true)
  const functions = new Map<string, LocalFunction>()
  const compiler = expressionCompiler(classes, functions, context.isLater === true)
  declareFunctions(script, compiler, functions)
  offerFunctions(context, functions)
  for (const declared of script.functions) {
    const local = functions.get(`${declared.name}/${declared.params.length}`) as LocalFunction
    const scope = Scope.of(local.returns)
    for (const { name, type, at } of local.params) scope.declare(name, type, at)
    if (declared.block.statements.length === 0) throw emptyFunction(declared, context.isLater === true)
    const { name, at } = declared
    const later = `invalid function definition: not all paths provide a return value for function [${name}] with [${local.params.length}] parameters`
    const body = compileBody(compiler, declared.block, scope, { name, at, later })
    local.call = (args, run) => {
      run.enter()
      const result = body(new Frame(args, run))
      run.depth--
      return result
    }
  }
  if (script.statements.length === 0) {
    const count = context.argumentCount ?? 0
    const later = `invalid function definition: found no statements for function [execute] with [${count}] parameters`
    throw new CompileFault(
      0,
      'illegal_argument_exception',
      context.isLater ? later : 'Cannot generate an empty script.',
    )
  }
  const scope = Scope.of(context.returns)
  const isReadOnly = context.isLater !== true
  const inputs = Object.entries(context.variables).map(([name, type]) => scope.declare(name, type, 0, isReadOnly))
  const main = scope.inner()
  const { execute, answer } = compileStatements(compiler, script.statements, main, {
    isInLoop: false,
    isLast: true,
    at: 0,
  })
  const used = inputs.filter(({ name }) => source.includes(name))
  return new CompiledScript({ source }, context, {
    execute,
    answer: answer?.isPure === true ? answer : undefined,
    size: scope.size,
    inputs: used,
    starts: script.starts,
  })
}

/** Where an exception was made by the script. */
function madeAt(error: unknown): number | undefined {
  return error instanceof ScriptFault ? error.throwable.madeAt : undefined
}

function emptyFunction({ at, name, params }: FunctionDeclaration, isLater: boolean): CompileFault {
  const later = `invalid function definition: found no statements for function [${name}] with [${params.length}] parameters`
  return new CompileFault(
    at,
    'illegal_argument_exception',
    isLater ? later : `Cannot generate an empty function [${name}].`,
  )
}

function offerFunctions({ functions = [] }: ScriptContext, known: Map<string, LocalFunction>): void {
  for (const { name, params, returns, call, bind } of functions) {
    const key = `${name}/${params.length}`
    if (known.has(key)) continue
    known.set(key, {
      name,
      params: params.map((type) => ({ name: '', type, at: 0 })),
      returns,
      call: call ?? (() => null),
      bind,
    })
  }
}

function declareFunctions(script: Script, compiler: Compiler, functions: Map<string, LocalFunction>): void {
  const { classes } = compiler
  for (const { at, name, params, returns } of script.functions) {
    const shown = `for function [${name}/${params.length}]`
    requireType(
      compiler,
      returns,
      at,
      (type) => `invalid function definition: return type [${type}] not found ${shown}`,
    )
    for (const { type } of params)
      requireType(compiler, type, at, () => `invalid function definition: parameter type [${type}] not found ${shown}`)
    const key = `${name}/${params.length}`
    if (functions.has(key)) {
      throw new CompileFault(0, 'illegal_argument_exception', `Duplicate functions with name [${name}].`)
    }
    functions.set(key, {
      name,
      params: params.map((param) => ({ ...param, type: classes.resolve(param.type) })),
      returns: classes.resolve(returns),
      call: () => null,
    })
  }
}
