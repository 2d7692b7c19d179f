/** A value of a {@link BucketExpression}. */
export type ExpressionValue = number | boolean

/** Arithmetic over named values of a bucket: the part of a script that can be computed without running code. */
export type BucketExpression =
  | { readonly kind: 'constant'; readonly value: ExpressionValue }
  | { readonly kind: 'parameter'; readonly name: string }
  | { readonly kind: 'unary'; readonly operator: '-' | '+' | '!'; readonly operand: BucketExpression }
  | {
      readonly kind: 'binary'
      readonly operator: BinaryOperator
      readonly left: BucketExpression
      readonly right: BucketExpression
    }
  | {
      readonly kind: 'choice'
      readonly condition: BucketExpression
      readonly then: BucketExpression
      readonly otherwise: BucketExpression
    }
  | { readonly kind: 'call'; readonly name: MathFunction; readonly arguments: readonly BucketExpression[] }

/** What stands between two operands. */
export type BinaryOperator = '+' | '-' | '*' | '/' | '%' | '<' | '<=' | '>' | '>=' | '==' | '!=' | '&&' | '||'

/** Functions of java.lang.Math. */
export const MATH_FUNCTIONS = ['abs', 'ceil', 'exp', 'floor', 'log', 'log10', 'max', 'min', 'pow', 'sqrt'] as const
export type MathFunction = (typeof MATH_FUNCTIONS)[number]

/** Names of the values that an expression reads. */
export function parametersOf(expression: BucketExpression): string[] {
  switch (expression.kind) {
    case 'constant':
      return []
    case 'parameter':
      return [expression.name]
    case 'unary':
      return parametersOf(expression.operand)
    case 'binary':
      return [...parametersOf(expression.left), ...parametersOf(expression.right)]
    case 'choice':
      return [expression.condition, expression.then, expression.otherwise].flatMap(parametersOf)
    case 'call':
      return expression.arguments.flatMap(parametersOf)
  }
}

/** Computes an expression; all its parameters are given. */
export function evaluate(expression: BucketExpression, parameters: ReadonlyMap<string, number>): ExpressionValue {
  switch (expression.kind) {
    case 'constant':
      return expression.value
    case 'parameter':
      return parameters.get(expression.name) ?? Number.NaN
    case 'unary': {
      const value = evaluate(expression.operand, parameters)
      return expression.operator === '!' ? !value : expression.operator === '-' ? -Number(value) : Number(value)
    }
    case 'binary':
      return binary(expression, parameters)
    case 'choice':
      return evaluate(expression.condition, parameters) === true
        ? evaluate(expression.then, parameters)
        : evaluate(expression.otherwise, parameters)
    case 'call':
      return Math[expression.name](
        ...(expression.arguments.map((one) => Number(evaluate(one, parameters))) as [number, number]),
      )
  }
}

function binary(
  { operator, left, right }: BucketExpression & { kind: 'binary' },
  parameters: ReadonlyMap<string, number>,
): ExpressionValue {
  const a = evaluate(left, parameters)
  if (operator === '&&') return a === true && evaluate(right, parameters) === true
  if (operator === '||') return a === true || evaluate(right, parameters) === true
  const b = evaluate(right, parameters)
  switch (operator) {
    case '==':
      return a === b
    case '!=':
      return a !== b
    case '+':
      return Number(a) + Number(b)
    case '-':
      return Number(a) - Number(b)
    case '*':
      return Number(a) * Number(b)
    case '/':
      return Number(a) / Number(b)
    case '%':
      return Number(a) % Number(b)
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
  }
}
