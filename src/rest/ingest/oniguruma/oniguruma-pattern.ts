import { parsePattern } from './parse-pattern.ts'
import { compilePattern, type PatternProgram } from './pattern-program.ts'
import { PatternMachine } from './run-pattern.ts'

/** What the groups of a match took; undefined: took no part. */
export interface PatternMatch {
  readonly start: number
  readonly end: number
  /** By name, in the order in which names first stand in the pattern; of groups of one name the first that took part. */
  readonly named: ReadonlyMap<string, string>
}

/** Steps that a search may take: some tenths of a second. */
const MAX_STEPS = 10_000_000
/** Steps it may take at least, however often searches for this pattern were broken off before. */
const MIN_STEPS = MAX_STEPS / 64

/**
 * A regular expression in the Ruby syntax of Oniguruma, the one of grok patterns. It is run by a machine of its own, which
 * counts its steps: no pattern can hold up the server, whatever the text.
 */
export class OnigurumaPattern {
  readonly #program: PatternProgram
  readonly #names: ReadonlyMap<string, readonly number[]>
  /** Halved by each search that was broken off, doubled by each that was not: a pattern gone wrong costs little over many texts. */
  #maxSteps = MAX_STEPS

  /** @throws {PatternSyntaxError} */
  constructor(source: string) {
    const parsed = parsePattern(source)
    this.#program = compilePattern(parsed)
    this.#names = parsed.names
  }

  /** The first match. @throws {PatternInterrupted} when it takes too many steps */
  search(text: string): PatternMatch | undefined {
    const slots = this.#run(text)
    if (slots === undefined) return undefined
    const named = new Map<string, string>()
    for (const [name, groups] of this.#names) {
      for (const group of groups) {
        const start = slots[group * 2] as number
        const end = slots[group * 2 + 1] as number
        if (start < 0 || end < 0) continue
        named.set(name, text.slice(start, end))
        break
      }
    }
    return { start: slots[0] as number, end: slots[1] as number, named }
  }

  #run(text: string): Int32Array | undefined {
    const machine = new PatternMachine(this.#program, text, this.#maxSteps)
    // Until it is known to end.
    this.#maxSteps = Math.max(MIN_STEPS, this.#maxSteps / 2)
    const slots = machine.search()
    this.#maxSteps = Math.min(MAX_STEPS, this.#maxSteps * 4)
    return slots
  }
}
