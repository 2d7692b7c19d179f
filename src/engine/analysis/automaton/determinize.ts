import { ServiceError } from '../../../errors.ts'
import { Automaton } from './automaton.ts'

/** How much work making an automaton deterministic may be, and how that is counted. */
export interface DeterminizeLimit {
  /** `max_determinized_states`. */
  readonly max: number
  /** True, since Lucene 8.9: ten times the limit bounds the sizes of the sets of states met; else it bounds their number. */
  readonly byEffort: boolean
}

/** Thrown where the limit is met. */
export class TooComplexError extends Error {
  /** The limit to name. */
  readonly limit: DeterminizeLimit
  readonly automaton: Automaton

  constructor(automaton: Automaton, limit: DeterminizeLimit) {
    super('too complex')
    this.automaton = automaton
    this.limit = limit
  }

  /**
   * The error to answer.
   *
   * @param pattern  the expression, where it was met while that was being made
   */
  toServiceError(pattern?: string): ServiceError {
    const { max, byEffort } = this.limit
    const what =
      pattern ?? `automaton with ${this.automaton.size} states and ${this.automaton.transitionCount} transitions`
    return new ServiceError(
      'too_complex_to_determinize_exception',
      `Determinizing ${what} would ${byEffort ? `require more than ${max} effort` : `result in more than ${max} states`}.`,
    )
  }
}

/**
 * What is held at once, whatever limit was asked for: states made, and members of all their sets. A real server takes on more,
 * for as long as its memory lasts.
 */
const MOST_STATES = 100_000
const MOST_MEMBERS = 8_000_000

/**
 * An automaton that accepts the same and has one way for each text.
 *
 * @throws {TooComplexError} where the limit is met
 */
export function determinized(automaton: Automaton, limit: DeterminizeLimit): Automaton {
  if (automaton.isDeterministic || automaton.size <= 1) return automaton
  return new SubsetConstruction(automaton, limit).run()
}

/** A set of states met, as it is kept. */
interface StateSet {
  readonly members: Int32Array
  readonly state: number
}

class SubsetConstruction {
  readonly #automaton: Automaton
  readonly #limit: DeterminizeLimit
  readonly #result = new Automaton()
  readonly #sets: StateSet[] = []
  /** Sets by hash. */
  readonly #byHash = new Map<number, StateSet[]>()
  /** How many open transitions lead to each state; the set now is where that is not 0. */
  readonly #counts: Int32Array
  readonly #members: Int32Array
  readonly #places: Int32Array
  #size = 0
  #hash = 0
  #accepting = 0
  #kept = 0

  constructor(automaton: Automaton, limit: DeterminizeLimit) {
    this.#automaton = automaton
    this.#limit = limit
    this.#counts = new Int32Array(automaton.size)
    this.#members = new Int32Array(automaton.size)
    this.#places = new Int32Array(automaton.size)
  }

  run(): Automaton {
    this.#open(0)
    this.#stateOfSet()
    this.#close(0)
    let effort = 0
    for (let i = 0; i < this.#sets.length; i++) {
      const { members, state } = this.#sets[i] as StateSet
      effort += members.length
      if (this.#limit.byEffort && effort >= this.#limit.max * 10) throw this.#tooComplex()
      this.#leave(state, members)
    }
    return this.#result
  }

  /** Finds where a set of states leads to, label by label. */
  #leave(from: number, members: Int32Array): void {
    // Labels at which a transition begins, or behind which one ends.
    const points = new Map<number, { readonly begins: number[]; readonly ends: number[] }>()
    const point = (label: number): { readonly begins: number[]; readonly ends: number[] } => {
      let found = points.get(label)
      if (found === undefined) {
        found = { begins: [], ends: [] }
        points.set(label, found)
      }
      return found
    }
    for (const member of members) {
      const transitions = this.#automaton.transitions(member)
      for (let i = 0; i < transitions.length; i += 3) {
        const to = transitions[i + 2] as number
        point(transitions[i] as number).begins.push(to)
        point((transitions[i + 1] as number) + 1).ends.push(to)
      }
    }
    let last = 0
    for (const [label, { begins, ends }] of [...points].sort((a, b) => a[0] - b[0])) {
      if (this.#size > 0) this.#result.add(from, this.#stateOfSet(), last, label - 1)
      for (const to of ends) this.#close(to)
      for (const to of begins) this.#open(to)
      last = label
    }
  }

  #open(state: number): void {
    const count = this.#counts[state] as number
    this.#counts[state] = count + 1
    if (count > 0) return
    this.#places[state] = this.#size
    this.#members[this.#size++] = state
    this.#hash = (this.#hash + mixed(state)) | 0
    if (this.#automaton.accepts(state)) this.#accepting++
  }

  #close(state: number): void {
    const count = this.#counts[state] as number
    this.#counts[state] = count - 1
    if (count > 1) return
    const place = this.#places[state] as number
    const moved = this.#members[--this.#size] as number
    this.#members[place] = moved
    this.#places[moved] = place
    this.#hash = (this.#hash - mixed(state)) | 0
    if (this.#automaton.accepts(state)) this.#accepting--
  }

  /** The new automaton's state for the set now. */
  #stateOfSet(): number {
    let sets = this.#byHash.get(this.#hash)
    if (sets === undefined) {
      sets = []
      this.#byHash.set(this.#hash, sets)
    }
    for (const { members, state } of sets) if (this.#isSet(members)) return state
    const state = this.#result.addState(this.#accepting > 0)
    this.#kept += this.#size
    const isTooMany = state >= MOST_STATES || this.#kept > MOST_MEMBERS
    if (isTooMany || (!this.#limit.byEffort && state > 0 && state >= this.#limit.max)) throw this.#tooComplex()
    const set = { members: this.#members.slice(0, this.#size), state }
    sets.push(set)
    this.#sets.push(set)
    return state
  }

  #isSet(members: Int32Array): boolean {
    if (members.length !== this.#size) return false
    for (const member of members) if (this.#counts[member] === 0) return false
    return true
  }

  #tooComplex(): TooComplexError {
    return new TooComplexError(this.#automaton, this.#limit)
  }
}

/** A state's share of a set's hash. */
function mixed(state: number): number {
  let x = Math.imul(state + 1, 0x9e3779b1)
  x ^= x >>> 15
  return Math.imul(x, 0x85ebca77) ^ (x >>> 13)
}
