import type { Execute, Frame } from './compile/frame.ts'
import { ScriptLimit } from './script-fault.ts'
import type { ScriptRun } from './script-run.ts'

/**
 * The run that pays for what goes through collections without being handed one (`toString`, `hashCode`, `equals`, the order
 * of a map). Scripts run one at a time and to their end, so that one place will do.
 */
let paying: ScriptRun | undefined

/** Members gone through for which a turn of a loop is counted. */
const MEMBERS_PER_STEP = 2

let left = 0

/** Runs a script, or a part of it, at its own expense. */
export function metered(frame: Frame, execute: Execute): void {
  const before = paying
  paying = frame.run
  try {
    execute(frame)
  } finally {
    paying = before
  }
}

/** Whether a script runs: one that has come to its end hears of no fault any more. */
export const isPaid = (): boolean => paying !== undefined

/** Counts members gone through. @throws {ScriptLimit} painless_error */
export function countMembers(count: number): void {
  left += count
  if (left < MEMBERS_PER_STEP) return
  const steps = Math.floor(left / MEMBERS_PER_STEP)
  left -= steps * MEMBERS_PER_STEP
  if (paying !== undefined) paying.step(steps)
  else if (count > 5_000_000) throw new ScriptLimit('painless_error', 'a collection is too large to go through')
}
