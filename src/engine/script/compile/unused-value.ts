import type { Expression } from '../parse/ast.ts'
import { LATER_OPERATORS } from '../parse/later-words.ts'
import { CompileFault } from '../script-fault.ts'
import type { Compiler } from './compiler.ts'
import { isDecimal } from './node-text.ts'
import type { Scope } from './scope.ts'
import type { Typed } from './typed.ts'

const STATEMENTS: ReadonlySet<Expression['kind']> = new Set([
  'assign',
  'increment',
  'call',
  'localCall',
  'new',
  'lambda',
  'functionRef',
  // Names are looked up first.
  'variable',
])

/** Whether an expression may stand as a statement, as far as can be told without looking into it. */
export const isStatement = ({ kind }: Expression): boolean => STATEMENTS.has(kind)

/** What later versions say of an expression that stands as a statement and does nothing. */
export function unusedValue(node: Expression): CompileFault {
  return new CompileFault(node.at, 'illegal_argument_exception', `not a statement: ${wordsFor(node)}`)
}

function wordsFor(node: Expression): string {
  switch (node.kind) {
    case 'number':
      return `${isDecimal(node.text) ? 'decimal' : 'numeric'} constant [${node.text}] not used`
    case 'string':
      return `string constant [${node.value}] not used`
    case 'boolean':
      return `boolean constant [${node.value}] not used`
    case 'null':
      return 'null constant not used'
    case 'regex': {
      const end = node.text.lastIndexOf('/')
      return `regex constant [${node.text.slice(1, end)}] with flags [${node.text.slice(end + 1)}] not used`
    }
    case 'variable':
      return `variable [${node.name}] not used`
    case 'field':
      return 'result of dot operator [.] not used'
    case 'index':
      return 'result of brace operator not used'
    case 'type':
      return `static type [${node.type}] not used`
    case 'list':
      return 'result not used from list initializer'
    case 'map':
      return 'result not used from map initializer'
    case 'newArray':
    case 'arrayItems':
      return 'result not used from new array'
    case 'conditional':
      return 'result not used from conditional operation [?:]'
    case 'elvis':
      return 'result not used from elvis operation [?:]'
    case 'cast':
      return `result not used from explicit cast with target type [${node.type}]`
    case 'instanceof':
      return `result not used from instanceof with target type [${node.type}]`
    case 'unary':
    case 'binary':
    case 'logic':
    case 'compare':
    case 'match':
      return `result not used from ${LATER_OPERATORS[node.op] ?? node.op} operation [${node.op}]`
    default:
      return 'result not used'
  }
}

/** What 6.x says of an expression that stands as a statement and does nothing. */
export const notStatement = (at: number): CompileFault =>
  new CompileFault(at, 'illegal_argument_exception', 'Not a statement.')

/** What 6.x finds wrong with a value that nobody reads, wherever it stands; undefined: nothing. */
export function unreadValue(
  compiler: Compiler,
  node: Expression,
  typed: Typed,
  scope: Scope,
): CompileFault | undefined {
  const refused = (reason: string) => new CompileFault(node.at, 'illegal_argument_exception', reason)
  switch (node.kind) {
    case 'number':
    case 'boolean':
    case 'string':
      return refused(`Must read from constant [${String(typed.constant?.value)}].`)
    case 'null':
      return refused('Must read from null constant.')
    case 'list':
    case 'map':
      return refused(`Must read from ${node.kind} initializer.`)
    case 'field':
    case 'index': {
      const owner = node.target.kind === 'type' ? 'def' : compiler.expression(node.target, scope).type
      const { classes } = compiler
      const shortcut = ['Map', 'List'].find((name) => owner !== 'def' && classes.isSubtype(owner, name))
      if (shortcut === undefined) return undefined
      return refused(`Illegal ${shortcut.toLowerCase()} shortcut for type [${classes.shown(owner)}].`)
    }
    default:
      // What is worked out beforehand it fails over.
      return typed.constant === undefined ? undefined : notStatement(node.at)
  }
}

/** Later versions take an unknown name with those behind it for a class'. @throws {CompileFault} */
export function checkName(node: Expression, scope: Scope): void {
  if (node.kind !== 'field' && node.kind !== 'call') return
  const name = unknownName(node.kind === 'field' ? node : node.target, scope)
  if (name !== undefined)
    throw new CompileFault(node.at, 'illegal_argument_exception', `cannot resolve symbol [${name}]`)
}

/** A name that leads nowhere, with those behind it; undefined: it leads somewhere. */
function unknownName(node: Expression, scope: Scope): string | undefined {
  if (node.kind === 'variable') return scope.lookup(node.name) === undefined ? node.name : undefined
  if (node.kind !== 'field') return undefined
  const owner = unknownName(node.target, scope)
  return owner === undefined ? undefined : `${owner}.${node.name}`
}
