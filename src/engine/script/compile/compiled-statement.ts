import type { Execute } from './frame.ts'
import type { Typed } from './typed.ts'

/** A compiled statement with what is known of how it ends. */
export interface Compiled {
  readonly execute: Execute
  /** What it answers, where it does nothing else. */
  readonly answer?: Typed | undefined
  /** Every way through it returns or throws. */
  readonly returns: boolean
  /** Nothing behind it is reached: it returns, throws, breaks or continues. */
  readonly escapes: boolean
  /** A `break` or `return` of the loop around it is in it. */
  readonly hasBreak: boolean
  readonly hasContinue: boolean
}

/** Where a statement stands. */
export interface Place {
  readonly isInLoop: boolean
  /** Whether it is the last of a script or function, whose value may be the answer without `return`. */
  readonly isLast: boolean
  /** Where the block that it is part of begins. */
  readonly at: number
}
