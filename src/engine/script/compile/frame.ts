import type { ScriptRun } from '../script-run.ts'

/** One call of a function: its variables by their places, and the run it is part of. */
export class Frame {
  readonly slots: unknown[]
  readonly run: ScriptRun
  /** What the function answers, once it has. */
  result: unknown = null
  /** What the number is that a lane has just given (`number-lane.ts`). */
  kind = 0

  constructor(slots: unknown[], run: ScriptRun) {
    this.slots = slots
    this.run = run
  }
}

/** A compiled expression. */
export type Evaluate = (frame: Frame) => unknown

/** An expression as a number without a box. It tells in {@link Frame.kind} what that is, and leaves `run.at` as evaluating would. */
export type NumberLane = (frame: Frame) => number

/** How a statement ended: 0 go on, 1 break, 2 continue, 3 return. */
export type Completion = 0 | 1 | 2 | 3

/** A compiled statement. */
export type Execute = (frame: Frame) => Completion
