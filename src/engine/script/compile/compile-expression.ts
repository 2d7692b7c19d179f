import type { ClassTable } from '../class-table.ts'
import type { Expression } from '../parse/ast.ts'
import { CompileFault } from '../script-fault.ts'
import type { ScriptType } from '../values/script-type.ts'
import { type CastKind, castTo } from './casts.ts'
import { compileAssign, compileIncrement } from './compile-assignment.ts'
import { compileLambda } from './compile-lambda.ts'
import {
  compileArrayItems,
  compileList,
  compileMap,
  compileNew,
  compileNewArray,
  compileNumber,
} from './compile-literal.ts'
import { compileCall, compileLocalCall, compileRead } from './compile-member.ts'
import {
  compileBinary,
  compileCompare,
  compileConditional,
  compileElvis,
  compileInstanceof,
  compileLogic,
  compileUnary,
} from './compile-operator.ts'
import { compileMatch, compileRegex } from './compile-regex.ts'
import type { Compiler, LocalFunction } from './compiler.ts'
import { requireType } from './require-type.ts'
import type { Scope } from './scope.ts'
import { constant, type Typed } from './typed.ts'
import { checkName } from './unused-value.ts'

/** Compiles expressions, each kind by its own function. */
export function expressionCompiler(
  classes: ClassTable,
  functions: ReadonlyMap<string, LocalFunction>,
  isLater: boolean,
): Compiler {
  const compiler: Compiler = {
    classes,
    functions,
    isLater,
    expression: (node, scope, expected, kind) => compile(compiler, node, scope, expected, kind),
    cast: (node, scope, type, kind) => castTo(classes, compile(compiler, node, scope, type, kind), type, kind),
    lambda: (node, scope, type) => compileLambda(compiler, node, scope, type),
  }
  return compiler
}

function compile(
  compiler: Compiler,
  node: Expression,
  scope: Scope,
  expected: ScriptType | undefined,
  kind: CastKind = 'plain',
): Typed {
  const { at } = node
  switch (node.kind) {
    case 'null':
      return nothing(compiler, expected, at)
    case 'boolean':
      return constant('boolean', node.value, at)
    case 'number':
      return compileNumber(node, expected)
    case 'string':
      return constant('String', node.value, at)
    case 'match':
      return compileMatch(compiler, node, scope)
    case 'regex':
      return compileRegex(compiler, node)
    case 'type':
      throw new CompileFault(
        at,
        'illegal_argument_exception',
        `Must read a static type [${compiler.classes.shown(node.type)}].`,
      )
    case 'variable':
    case 'field':
    case 'index':
      return compileRead(compiler, node, scope)
    case 'call':
      if (compiler.isLater) checkName(node, scope)
      return compileCall(compiler, node, scope)
    case 'localCall':
      return compileLocalCall(compiler, node, scope)
    case 'new':
      return compileNew(compiler, node, scope)
    case 'newArray':
      return compileNewArray(compiler, node, scope)
    case 'arrayItems':
      return compileArrayItems(compiler, node, scope)
    case 'list':
      return compileList(compiler, node, scope)
    case 'map':
      return compileMap(compiler, node, scope)
    case 'unary':
      return compileUnary(compiler, node, scope, expected)
    case 'binary':
      return compileBinary(compiler, node, scope, expected)
    case 'logic':
      return compileLogic(compiler, node, scope)
    case 'compare':
      return compileCompare(compiler, node, scope)
    case 'instanceof':
      return compileInstanceof(compiler, node, scope)
    case 'conditional':
      return compileConditional(compiler, node, scope, { type: expected, kind })
    case 'elvis':
      return compileElvis(compiler, node, scope, { type: expected, kind })
    case 'assign':
      return compileAssign(compiler, node, scope)
    case 'increment':
      return compileIncrement(compiler, node, scope)
    case 'cast': {
      requireType(compiler, node.type, at, (name) => `cannot resolve type [${name}]`)
      const type = compiler.classes.resolve(node.type)
      const operand = compile(compiler, node.operand, scope, type, 'explicit')
      const typed = castTo(compiler.classes, operand, type, 'explicit')
      // A constant stays where it is written.
      return { ...typed, at: typed.constant === undefined ? at : operand.at }
    }
    case 'lambda':
    case 'functionRef':
      return compileLambda(compiler, node, scope, expected ?? 'def')
  }
}

/** `null`, of whatever type of objects is wanted. */
function nothing({ classes }: Compiler, expected: ScriptType | undefined, at: number): Typed {
  if (expected === undefined || expected === 'def') return constant(expected ?? 'Object', null, at)
  if (classes.named(expected) !== undefined || expected.endsWith('[]')) return constant(expected, null, at)
  if (expected === 'void') return constant('Object', null, at)
  throw new CompileFault(at, 'illegal_argument_exception', `Cannot cast null to a primitive type [${expected}].`)
}
