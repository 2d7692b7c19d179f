import type { ScriptType } from '../values/script-type.ts'

/** `at` of every node: the offset in the source that errors name. */
interface Placed {
  readonly at: number
}

/** A parameter of a function or lambda; undefined: a lambda that does not say. */
export interface Parameter extends Placed {
  readonly name: string
  readonly type: ScriptType | undefined
}

/** What an expression can be. */
export type Expression =
  | (Placed & { readonly kind: 'null' })
  | (Placed & { readonly kind: 'boolean'; readonly value: boolean })
  | (Placed & { readonly kind: 'number'; readonly text: string })
  | (Placed & { readonly kind: 'string'; readonly value: string })
  | (Placed & { readonly kind: 'regex'; readonly text: string })
  | (Placed & { readonly kind: 'variable'; readonly name: string })
  | (Placed & { readonly kind: 'type'; readonly type: ScriptType })
  | (Placed & {
      readonly kind: 'field'
      readonly target: Expression
      readonly name: string
      readonly isNullSafe: boolean
    })
  | (Placed & {
      readonly kind: 'call'
      readonly target: Expression
      readonly name: string
      readonly args: readonly Expression[]
      readonly isNullSafe: boolean
    })
  | (Placed & { readonly kind: 'index'; readonly target: Expression; readonly index: Expression })
  | (Placed & { readonly kind: 'localCall'; readonly name: string; readonly args: readonly Expression[] })
  | (Placed & { readonly kind: 'new'; readonly type: ScriptType; readonly args: readonly Expression[] })
  | (Placed & { readonly kind: 'newArray'; readonly type: ScriptType; readonly sizes: readonly Expression[] })
  | (Placed & { readonly kind: 'arrayItems'; readonly type: ScriptType; readonly items: readonly Expression[] })
  | (Placed & { readonly kind: 'list'; readonly items: readonly Expression[] })
  | (Placed & { readonly kind: 'map'; readonly entries: readonly (readonly [Expression, Expression])[] })
  | (Placed & { readonly kind: 'unary'; readonly op: '!' | '~' | '+' | '-'; readonly operand: Expression })
  | (Placed & { readonly kind: 'binary'; readonly op: string; readonly left: Expression; readonly right: Expression })
  | (Placed & {
      readonly kind: 'logic'
      readonly op: '&&' | '||'
      readonly left: Expression
      readonly right: Expression
    })
  | (Placed & { readonly kind: 'compare'; readonly op: string; readonly left: Expression; readonly right: Expression })
  | (Placed & { readonly kind: 'match'; readonly op: string; readonly left: Expression; readonly right: Expression })
  | (Placed & { readonly kind: 'instanceof'; readonly operand: Expression; readonly type: ScriptType })
  | (Placed & {
      readonly kind: 'conditional'
      readonly test: Expression
      readonly then: Expression
      readonly otherwise: Expression
    })
  | (Placed & { readonly kind: 'elvis'; readonly left: Expression; readonly right: Expression })
  | (Placed & {
      readonly kind: 'assign'
      readonly target: Expression
      /** Operator of a compound assignment; undefined: `=`. */
      readonly op: string | undefined
      readonly value: Expression
    })
  | (Placed & {
      readonly kind: 'increment'
      readonly target: Expression
      readonly by: 1 | -1
      readonly isPostfix: boolean
    })
  | (Placed & { readonly kind: 'cast'; readonly type: ScriptType; readonly operand: Expression })
  | (Placed & {
      readonly kind: 'lambda'
      readonly params: readonly Parameter[]
      readonly body: Block | Expression
    })
  | (Placed & { readonly kind: 'functionRef'; readonly owner: string; readonly isType: boolean; readonly name: string })

/** Statements in braces, or the one statement that stands in their place. */
export interface Block extends Placed {
  readonly kind: 'block'
  readonly statements: readonly Statement[]
}

/** One variable that a declaration names. */
export interface Declared extends Placed {
  readonly name: string
  readonly value: Expression | undefined
}

/** A `catch`. */
export interface Trap extends Placed {
  readonly type: ScriptType
  readonly name: string
  readonly block: Block
}

/** What a statement can be. */
export type Statement =
  | Block
  | (Placed & { readonly kind: 'expression'; readonly expression: Expression })
  | (Placed & { readonly kind: 'declare'; readonly type: ScriptType; readonly variables: readonly Declared[] })
  | (Placed & { readonly kind: 'return'; readonly value: Expression | undefined })
  | (Placed & { readonly kind: 'throw'; readonly value: Expression })
  | (Placed & { readonly kind: 'break' | 'continue' })
  | (Placed & {
      readonly kind: 'if'
      readonly test: Expression
      readonly then: Block
      readonly otherwise: Block | undefined
    })
  | (Placed & { readonly kind: 'while' | 'do'; readonly test: Expression; readonly body: Block | undefined })
  | (Placed & {
      readonly kind: 'for'
      readonly start: Statement | undefined
      readonly test: Expression | undefined
      readonly after: Expression | undefined
      readonly body: Block | undefined
    })
  | (Placed & {
      readonly kind: 'each'
      readonly type: ScriptType
      readonly name: string
      readonly values: Expression
      readonly body: Block
    })
  | (Placed & { readonly kind: 'try'; readonly block: Block; readonly traps: readonly Trap[] })

/** A function that a script declares. */
export interface FunctionDeclaration extends Placed {
  readonly name: string
  readonly returns: ScriptType
  readonly params: readonly (Parameter & { readonly type: ScriptType })[]
  readonly block: Block
}

/** A whole script. */
export interface Script {
  readonly functions: readonly FunctionDeclaration[]
  readonly statements: readonly Statement[]
  /** Where statements begin, in their order, those of functions and lambdas too. */
  readonly starts: readonly number[]
}
