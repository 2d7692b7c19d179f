import { ServiceError } from '../../../errors.ts'
import { Automaton, AutomatonTooLargeError, MAX_CODE_POINT } from './automaton.ts'
import { reversed } from './combine-automata.ts'
import { acceptsNothing } from './dead-states.ts'
import {
  checkDeterminizes,
  type DeterminizeLimit,
  determinized,
  determinizesWithin,
  TooComplexError,
} from './determinize.ts'
import { utf8Automaton } from './utf8-automaton.ts'

/** Levels that a look for loops goes down. */
export const MAX_LEVEL = 1_000

/**
 * Makes an automaton ready to run over characters, after the checks of Lucene's, which goes on to bytes: what it would refuse
 * there is refused here.
 *
 * @param make  the automaton; what makes it may find it too large
 * @param looksForEnd  whether Lucene looks for an end that all accepted texts share, as it did until 8
 * @returns     the deterministic automaton over code points
 * @throws {ServiceError} too_complex_to_determinize_exception; illegal_argument_exception for one that is too deep
 * @source Lucene, CompiledAutomaton
 */
export function compileAutomaton(
  make: () => Automaton,
  limit: DeterminizeLimit,
  { looksForEnd = true }: { readonly looksForEnd?: boolean } = {},
): Automaton {
  let automaton = new Automaton()
  try {
    automaton = make()
    if (acceptsNothing(automaton) || acceptsEverything(automaton)) return automaton
    const deterministic = determinized(automaton, limit)
    if (isSingle(deterministic)) return deterministic
    const isEndless = !endsAlways(deterministic)
    const isNear = mayBeTooComplex(deterministic, limit)
    // For the end that all accepted texts have in common.
    const looksBack = looksForEnd && isEndless && !limit.byEffort && mayBeTooComplexBackwards(deterministic, limit)
    if (isNear || looksBack) {
      const bytes = utf8Automaton(deterministic)
      if (looksBack) checkDeterminizes(reversed(bytes), limit)
      if (isNear) checkDeterminizes(bytes, limit)
    }
    return deterministic
  } catch (error) {
    throw toServiceError(error, automaton, limit)
  }
}

/**
 * The error to answer for what went wrong with an automaton.
 *
 * @param pattern  what is refused, where it is to be named
 */
export function toServiceError(
  error: unknown,
  automaton: Automaton,
  limit: DeterminizeLimit,
  pattern?: string,
): unknown {
  if (error instanceof AutomatonTooLargeError) return new TooComplexError(automaton, limit).toServiceError(pattern)
  return error instanceof TooComplexError ? error.toServiceError(pattern) : error
}

/** States over bytes that one transition by characters can come to, generously. */
const STATES_PER_TRANSITION = 60

/** Whether the way over bytes could meet the limit at all. */
function mayBeTooComplex(automaton: Automaton, limit: DeterminizeLimit): boolean {
  return automaton.size + STATES_PER_TRANSITION * automaton.transitionCount >= limit.max
}

/** States over bytes, for each one over characters and each transition, that the way backwards comes to; as generous. */
const STATES_BACKWARDS = 50

/** The same for the way backwards, of which the states over characters tell at a fraction of the cost. */
function mayBeTooComplexBackwards(automaton: Automaton, limit: DeterminizeLimit): boolean {
  const max = Math.floor(limit.max / (STATES_BACKWARDS * automaton.transitionCount))
  return max < 2 || !determinizesWithin(reversed(automaton), { ...limit, max })
}

function acceptsEverything(automaton: Automaton): boolean {
  if (!automaton.accepts(0)) return false
  const [min, max, to, more] = automaton.transitions(0)
  return min === 0 && max === MAX_CODE_POINT && to === 0 && more === undefined
}

/** Whether just one text is accepted. */
function isSingle(automaton: Automaton): boolean {
  const seen = new Set<number>()
  for (let state = 0; ; ) {
    seen.add(state)
    const transitions = automaton.transitions(state)
    if (automaton.accepts(state)) return transitions.length === 0
    const [min, max, to] = transitions
    if (transitions.length !== 3 || min !== max || seen.has(to as number)) return false
    state = to as number
  }
}

/** What is said of an automaton that is looked through beyond {@link MAX_LEVEL}. */
export const tooLarge = (level: number): ServiceError =>
  new ServiceError('illegal_argument_exception', `input automaton is too large: ${level}`)

/** Whether there is no loop. @throws {ServiceError} illegal_argument_exception beyond a depth */
function endsAlways(automaton: Automaton): boolean {
  const onPath = new Uint8Array(automaton.size)
  const seen = new Uint8Array(automaton.size)
  const visit = (state: number, level: number): boolean => {
    if (level > MAX_LEVEL) throw tooLarge(level)
    onPath[state] = 1
    const transitions = automaton.transitions(state)
    for (let i = 2; i < transitions.length; i += 3) {
      const to = transitions[i] as number
      if (onPath[to] === 1 || (seen[to] === 0 && !visit(to, level + 1))) return false
    }
    onPath[state] = 0
    seen[state] = 1
    return true
  }
  return visit(0, 0)
}
