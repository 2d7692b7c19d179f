import { ScriptObject } from './script-object.ts'
import type { ScriptValue } from './script-value.ts'

/** `Type::method`, for which what takes it looks by the number of arguments. */
export interface FunctionReference {
  readonly text: string
  has(arity: number): boolean
}

/** A lambda or method reference; what takes one calls it by {@link invoke}. */
export class ScriptFunction extends ScriptObject {
  readonly className: string
  /** Runs it; arguments and result are boxed. */
  readonly invoke: (...args: ScriptValue[]) => ScriptValue
  /** Parameters that it takes; undefined: as many as it is given. */
  readonly arity: number | undefined
  /** Set where it is a reference to what is looked for once it is known what takes it. */
  readonly reference: FunctionReference | undefined

  constructor(
    className: string,
    invoke: (...args: ScriptValue[]) => ScriptValue,
    arity?: number,
    reference?: FunctionReference,
  ) {
    super()
    this.reference = reference
    this.className = className
    this.invoke = invoke
    this.arity = arity
  }
}
