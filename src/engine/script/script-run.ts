import type { ScriptHost } from './script-context.ts'
import { ScriptLimit } from './script-fault.ts'

/** Turns of loops, calls of lambdas and functions in one run, as the real server counts turns of one function's loops. */
const MAX_STEPS = 1_000_000

/** Calls in one another. */
const MAX_DEPTH = 800

/** Units of about a byte that one run may make in texts and collections. */
const MAX_ALLOCATION = 64_000_000

/** One run of a script: what it may still use up, and where it is. */
export class ScriptRun {
  steps = MAX_STEPS
  memory = MAX_ALLOCATION
  depth = 0
  /** What functions of the place are made in. */
  host: ScriptHost | undefined
  /** Offset in the source of what is being done, for errors; -1: of that no place is known. */
  at = -1

  /** Makes it a run that has used up nothing. */
  renew(): void {
    this.steps = MAX_STEPS
    this.memory = MAX_ALLOCATION
    this.depth = 0
    this.at = -1
  }

  /** Counts turns of a loop. @throws {ScriptLimit} painless_error */
  step(turns = 1): void {
    this.steps -= turns
    if (this.steps <= 0) {
      throw new ScriptLimit(
        'painless_error',
        'The maximum number of statements that can be executed in a loop has been reached.',
      )
    }
  }

  /** Turns counted up to now. */
  get stepsTaken(): number {
    return MAX_STEPS - this.steps
  }

  /** Counts what is made. @throws {ScriptLimit} circuit_breaking_exception */
  allocate(bytes: number): void {
    this.memory -= bytes
    if (this.memory < 0) {
      throw new ScriptLimit(
        'circuit_breaking_exception',
        `a script may not make more than [${MAX_ALLOCATION}] bytes of texts and collections`,
      )
    }
  }

  /** What was made up to now. */
  get spent(): number {
    return MAX_ALLOCATION - this.memory
  }

  /** Counts a text that is made; short ones are free but for their place. */
  allocateText(text: string): string {
    this.allocate(text.length + 16)
    return text
  }

  /** Counts work on a text: that of short ones is part of the turn it is in. */
  read(text: string): void {
    if (text.length > 1_024) this.step(text.length >> 8)
  }

  /** Goes into a function. @throws {ScriptLimit} stack_overflow_error */
  enter(): void {
    this.step()
    if (++this.depth > MAX_DEPTH) throw new ScriptLimit('stack_overflow_error', null)
  }
}
