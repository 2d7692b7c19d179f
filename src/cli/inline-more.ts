import { setFlagsFromString } from 'node:v8'

/**
 * Bytes of bytecode that V8's compiler may put into a function it compiles: of all that this calls (920 by default), and of one that it
 * calls (460).
 */
const FLAGS = ['--max-inlined-bytecode-size-cumulative=2500', '--max-inlined-bytecode-size=900']

/**
 * Lets V8's compiler put more of what a function calls into it: a request goes through some hundreds of short functions, few of
 * which are chosen while there is little room. 2 to 8 % of a search's processor time (measured, with what else was tried: bench/README.md),
 * nothing for bulks.
 */
export function inlineMore(): void {
  for (const flag of FLAGS) setFlagsFromString(flag)
}
