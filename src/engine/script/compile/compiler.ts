import type { ClassTable } from '../class-table.ts'
import type { Expression, Parameter } from '../parse/ast.ts'
import type { FunctionBinding } from '../script-context.ts'
import type { ScriptRun } from '../script-run.ts'
import type { ScriptFunction } from '../values/script-function.ts'
import type { ScriptType } from '../values/script-type.ts'
import type { CastKind } from './casts.ts'
import type { Scope } from './scope.ts'
import type { Typed } from './typed.ts'

/** A function that the script declares. */
export interface LocalFunction {
  readonly name: string
  readonly params: readonly (Parameter & { readonly type: ScriptType })[]
  readonly returns: ScriptType
  /** Calls it with arguments of its parameters' types; set once its body is compiled. */
  call: (args: unknown[], run: ScriptRun) => unknown
  /** In place of `call`: makes it. */
  readonly bind?: FunctionBinding | undefined
}

/** What compiling one construct needs of the rest. */
export interface Compiler {
  readonly classes: ClassTable
  /** Declared functions by name and number of arguments, `f/2`. */
  readonly functions: ReadonlyMap<string, LocalFunction>
  /** Whether it is the language of 7.x and later. */
  readonly isLater: boolean
  /**
   * Compiles an expression.
   *
   * @param expected  the type wanted, where lambdas and empty lists need to know
   * @param kind      how it will be cast to that
   * @throws {CompileFault}
   */
  expression(node: Expression, scope: Scope, expected?: ScriptType, kind?: CastKind): Typed
  /** Compiles an expression and casts it. @throws {CompileFault} */
  cast(node: Expression, scope: Scope, type: ScriptType, kind?: CastKind): Typed
  /** Compiles a lambda for a functional interface (`def`: told when called). @throws {CompileFault} */
  lambda(node: Expression & { kind: 'lambda' | 'functionRef' }, scope: Scope, type: ScriptType): Typed
}

/** A lambda on its way to what takes it. */
export type LambdaValue = ScriptFunction
