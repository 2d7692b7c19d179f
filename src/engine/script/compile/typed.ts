import type { ScriptType } from '../values/script-type.ts'
import type { Evaluate, NumberLane } from './frame.ts'
import type { OpenSite } from './open-site.ts'

/** A compiled expression with its type. */
export interface Typed {
  readonly type: ScriptType
  readonly evaluate: Evaluate
  /** Where it stands, for errors. */
  readonly at: number
  /** Its value where that is known beforehand, held as the type says. */
  readonly constant?: { readonly value: unknown }
  /** Set where evaluating it changes nothing and gives the same again. */
  readonly isPure?: boolean
  /** A number of an unknown type without its box. */
  readonly lane?: NumberLane | undefined
  /** Set where it is read from what is seen only at run time. */
  readonly site?: OpenSite
  /** Whether it does something by itself, so that it may stand as a statement. */
  readonly isStatement?: boolean
  /** Set for a lambda whose interface is told only by who is called. */
  readonly isLambda?: boolean
}

/** An expression that is always the same. */
export function constant(type: ScriptType, value: unknown, at: number): Typed {
  return { type, at, evaluate: () => value, constant: { value }, isPure: true }
}
