import { Automaton } from './automaton/automaton.ts'
import { compileAutomaton, toServiceError } from './automaton/compile-automaton.ts'
import type { DeterminizeLimit } from './automaton/determinize.ts'
import { PatternWork } from './automaton/pattern-work.ts'
import { type LuceneGeneration, parseRegexp, type RegexpSyntax } from './automaton/regexp-parser.ts'
import { regexpToAutomaton } from './automaton/regexp-to-automaton.ts'
import { RunAutomaton } from './automaton/run-automaton.ts'

/** States a pattern may unfold into unless the query says otherwise. */
const MAX_STATES = 10_000

/** How a pattern is understood. */
export interface RegexpOptions extends RegexpSyntax {
  /** States it may unfold into (`max_determinized_states`). */
  readonly maxStates?: number
}

/** What bounds the work on a pattern, in a generation's way of counting. */
export function determinizeLimit(lucene: LuceneGeneration = 7, max = MAX_STATES): DeterminizeLimit {
  return { max, byEffort: lucene >= 9, work: new PatternWork() }
}

/** The deterministic automaton of a pattern. @throws {ServiceError} illegal_argument_exception, too_complex_to_determinize_exception */
export function regexpAutomaton(pattern: string, options: RegexpOptions = {}): Automaton {
  // Terms are UTF-8: half a surrogate pair stands for U+FFFD in them.
  const node = parseRegexp(pattern.toWellFormed(), options)
  const limit = determinizeLimit(options.lucene, options.maxStates)
  try {
    return regexpToAutomaton(node, limit)
  } catch (error) {
    throw toServiceError(error, new Automaton(), limit, pattern)
  }
}

/** A regular expression of Lucene's syntax, ready to run over the terms of a field. State 0 is the start. */
export class RegexpAutomaton extends RunAutomaton {
  /** @throws {ServiceError} illegal_argument_exception for bad syntax, too_complex_to_determinize_exception */
  constructor(pattern: string, options: RegexpOptions = {}) {
    const limit = determinizeLimit(options.lucene, options.maxStates)
    super(compileAutomaton(() => regexpAutomaton(pattern, options), limit))
  }
}

/**
 * Compiles a regular expression of Lucene's syntax, all operators on (`|&~?*+{}[]."()@#<>`): matched against the whole
 * text.
 *
 * @throws {ServiceError} illegal_argument_exception for bad syntax, too_complex_to_determinize_exception
 */
export function luceneRegexp(pattern: string, options: RegexpOptions = {}): (text: string) => boolean {
  const automaton = new RegexpAutomaton(pattern, options)
  return (text) => automaton.matches(text)
}
