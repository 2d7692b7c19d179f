import { ScriptObject } from './script-object.ts'
import type { ScriptValue } from './script-value.ts'

/** A lambda or method reference; what takes one calls it by {@link invoke}. */
export class ScriptFunction extends ScriptObject {
  readonly className: string
  /** Runs it; arguments and result are boxed. */
  readonly invoke: (...args: ScriptValue[]) => ScriptValue
  /** Parameters that it takes; undefined: as many as it is given. */
  readonly arity: number | undefined

  constructor(className: string, invoke: (...args: ScriptValue[]) => ScriptValue, arity?: number) {
    super()
    this.className = className
    this.invoke = invoke
    this.arity = arity
  }
}
