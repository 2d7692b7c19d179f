import type { Frame, NumberLane } from './compile/frame.ts'
import type { Typed } from './compile/typed.ts'
import type { ScriptVariables } from './script-context.ts'
import { laneOf, NO_NUMBER } from './values/number-lane.ts'

/** A variable as a frame holds it. */
export function variableValue(variable: unknown): unknown {
  return typeof variable === 'function' ? variable() : (variable ?? null)
}

/**
 * A script that does nothing but answer, asked again and again in one frame. What it cannot tell is left to `CompiledScript.run`, which
 * comes to the same, or to the fault in its own words.
 */
export class ScriptAnswers {
  readonly #answer: Typed
  readonly #lane: NumberLane | undefined
  readonly #frame: Frame
  readonly #variables: ScriptVariables
  readonly #changing: readonly { readonly name: string; readonly slot: number }[]

  constructor(
    answer: Typed,
    frame: Frame,
    variables: ScriptVariables,
    changing: readonly { readonly name: string; readonly slot: number }[],
  ) {
    this.#answer = answer
    this.#lane = laneOf(answer)
    this.#frame = frame
    this.#variables = variables
    this.#changing = changing
  }

  /** The answer to what the variables are now, held as the context's type says; undefined: run the script. */
  next(): unknown {
    try {
      this.#read()
      return this.#answer.evaluate(this.#frame)
    } catch {
      return undefined
    }
  }

  /** The same as a number without a box, a Long too; undefined: run the script. */
  nextNumber(): number | undefined {
    if (this.#lane === undefined) return undefined
    try {
      this.#read()
      const number = this.#lane(this.#frame)
      return this.#frame.kind === NO_NUMBER ? undefined : number
    } catch {
      return undefined
    }
  }

  #read(): void {
    const { slots, run } = this.#frame
    run.renew()
    for (const { name, slot } of this.#changing) slots[slot] = variableValue(this.#variables[name])
  }
}
