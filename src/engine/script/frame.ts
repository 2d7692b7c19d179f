import type { ScriptRun } from './script-run.ts'

/** One call of a function: its variables by their places, and the run it is part of. */
export class Frame {
  readonly slots: unknown[]
  readonly run: ScriptRun
  /** What the function answers, once it has. */
  result: unknown = null

  constructor(slots: unknown[], run: ScriptRun) {
    this.slots = slots
    this.run = run
  }
}

/** A compiled expression. */
export type Evaluate = (frame: Frame) => unknown

/** How a statement ended: 0 go on, 1 break, 2 continue, 3 return. */
export type Completion = 0 | 1 | 2 | 3

/** A compiled statement. */
export type Execute = (frame: Frame) => Completion
