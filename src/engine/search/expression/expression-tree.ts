/** An expression of the language `expression`. */
export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  /** Written in hexadecimal or octal: a Long. */
  | { readonly kind: 'integer'; readonly value: bigint }
  /** `a.b['c'].d()`, as it is written but for its quotes, which are single ones. */
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[]; readonly at: number }
  | { readonly kind: 'unary'; readonly op: UnaryOperator; readonly operand: Expression }
  | { readonly kind: 'binary'; readonly op: BinaryOperator; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: 'conditional'
      readonly condition: Expression
      readonly then: Expression
      readonly otherwise: Expression
    }

export type UnaryOperator = '!' | '~' | '+' | '-'

export type BinaryOperator = keyof typeof PRECEDENCE

/** How closely operators bind: the greater, the closer. */
export const PRECEDENCE = {
  '||': 1,
  '&&': 2,
  '|': 3,
  '^': 4,
  '&': 5,
  '==': 6,
  '!=': 6,
  '<': 7,
  '<=': 7,
  '>': 7,
  '>=': 7,
  '<<': 8,
  '>>': 8,
  '>>>': 8,
  '+': 9,
  '-': 9,
  '*': 10,
  '/': 10,
  '%': 10,
} as const

/** What is wrong with the text of an expression. */
export class ExpressionFault extends Error {
  /** Where in the text. */
  readonly at: number
  /** What the parser ran into. */
  readonly inner: 'no_viable_alt_exception' | 'lexer_no_viable_alt_exception' | undefined

  constructor(message: string, at: number, inner?: ExpressionFault['inner']) {
    super(message)
    this.at = at
    this.inner = inner
  }
}

/** A number in hexadecimal or octal that is no Long. */
export class IntegerFault extends Error {}
