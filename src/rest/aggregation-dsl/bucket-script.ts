import {
  type BinaryOperator,
  type BucketExpression,
  MATH_FUNCTIONS,
  type MathFunction,
} from '../../engine/aggregation/bucket-expression.ts'
import { JsonNumber } from '../../engine/mapping/lossless-json.ts'
import type { SearchScript } from '../../engine/search/script/search-script.ts'
import { ServiceError } from '../../errors.ts'

/** Operators by how tightly they bind, the loosest first. */
const LEVELS: readonly (readonly BinaryOperator[])[] = [
  ['||'],
  ['&&'],
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
]

const TOKEN =
  /\s*(?:(\d+\.?\d*(?:[eE][-+]?\d+)?[dDfFlL]?|\.\d+)|([A-Za-z_][A-Za-z_0-9.]*)|(\|\||&&|==|!=|<=|>=|[-+*/%<>!?:(),;]))/y

const MAX_DEPTH = 100

/**
 * What a script of a pipeline says in the language `expression`; undefined: it is in another.
 *
 * @throws {ServiceError} script_exception for what is no arithmetic
 */
export function readExpression({ script, params }: SearchScript): BucketExpression | undefined {
  if (script.kind !== 'inline' || script.lang !== 'expression') return undefined
  const numbers = new Map<string, number>()
  for (const [name, value] of Object.entries(params)) {
    const number = value instanceof JsonNumber ? value.value : value
    if (typeof number !== 'number') throw notComputable(script.source)
    numbers.set(name, number)
  }
  return parseBucketScript(script.source, numbers)
}

/**
 * Reads a script that is nothing but arithmetic over its parameters (`params.a / params.b * 100`, `a > 10 && b < 3`).
 *
 * @param params  constants that come with the script
 * @throws {ServiceError} script_exception for everything else
 */
export function parseBucketScript(source: string, params: ReadonlyMap<string, number>): BucketExpression {
  const tokens = tokenize(source)
  let at = 0
  const peek = (): string | undefined => tokens[at]
  const take = (expected: string): void => {
    if (tokens[at++] !== expected) throw notComputable(source)
  }
  const choice = (depth: number): BucketExpression => {
    if (depth > MAX_DEPTH) throw notComputable(source)
    const condition = level(0, depth)
    if (peek() !== '?') return condition
    at++
    const then = choice(depth + 1)
    take(':')
    return { kind: 'choice', condition, then, otherwise: choice(depth + 1) }
  }
  const level = (index: number, depth: number): BucketExpression => {
    const operators = LEVELS[index]
    if (operators === undefined) return unary(depth)
    let left = level(index + 1, depth)
    for (;;) {
      const operator = operators.find((one) => one === peek())
      if (operator === undefined) return left
      at++
      left = { kind: 'binary', operator, left, right: level(index + 1, depth) }
    }
  }
  const unary = (depth: number): BucketExpression => {
    if (depth > MAX_DEPTH) throw notComputable(source)
    const token = tokens[at++]
    if (token === undefined) throw notComputable(source)
    if (token === '-' || token === '+' || token === '!')
      return { kind: 'unary', operator: token, operand: unary(depth + 1) }
    if (token === '(') {
      const inner = choice(depth + 1)
      take(')')
      return inner
    }
    if (/^[\d.]/.test(token)) return { kind: 'constant', value: Number(token.replace(/[dDfFlL]$/, '')) }
    if (token === 'true' || token === 'false') return { kind: 'constant', value: token === 'true' }
    const math = MATH_FUNCTIONS.find((name) => token === `Math.${name}`)
    if (math !== undefined) return call(math, depth)
    const name = token.startsWith('params.') ? token.slice('params.'.length) : token
    if (!/^[A-Za-z_][A-Za-z_0-9]*$/.test(name)) throw notComputable(source)
    const constant = params.get(name)
    return constant === undefined ? { kind: 'parameter', name } : { kind: 'constant', value: constant }
  }
  const call = (name: MathFunction, depth: number): BucketExpression => {
    take('(')
    const given = [choice(depth + 1)]
    while (peek() === ',') {
      at++
      given.push(choice(depth + 1))
    }
    take(')')
    const wanted = name === 'max' || name === 'min' || name === 'pow' ? 2 : 1
    if (given.length !== wanted) throw notComputable(source)
    return { kind: 'call', name, arguments: given }
  }
  if (peek() === 'return') at++
  const expression = choice(0)
  if (peek() === ';') at++
  if (at !== tokens.length) throw notComputable(source)
  return expression
}

function tokenize(source: string): string[] {
  const tokens: string[] = []
  const text = source.trimEnd()
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text)
    if (found === null) throw notComputable(source)
    tokens.push((found[1] ?? found[2] ?? found[3]) as string)
  }
  return tokens
}

/** What a script is answered with that is more than arithmetic. */
export function notComputable(source: string): ServiceError {
  return new ServiceError(
    'script_exception',
    `scripts of the language [expression] are arithmetic over paths and constants here: [${source}]`,
  )
}
