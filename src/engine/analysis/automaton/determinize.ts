import { ServiceError } from '../../../errors.ts'
import { Automaton } from './automaton.ts'
import type { PatternWork } from './pattern-work.ts'

/** How much work making an automaton deterministic may be, and how that is counted. */
export interface DeterminizeLimit {
  /** `max_determinized_states`. */
  readonly max: number
  /** True, since Lucene 8.9: ten times the limit bounds the sizes of the sets of states met; else it bounds their number. */
  readonly byEffort: boolean
  /** What bounds the time for the whole pattern. */
  readonly work?: PatternWork
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
    const error = (what: string, cause?: ServiceError): ServiceError =>
      new ServiceError(
        'too_complex_to_determinize_exception',
        `Determinizing ${what} would ${byEffort ? `require more than ${max} effort` : `result in more than ${max} states`}.`,
        { cause },
      )
    const { size, transitionCount } = this.automaton
    const unnamedError = error(`automaton with ${size} states and ${transitionCount} transitions`)
    return pattern === undefined ? unnamedError : error(pattern, unnamedError)
  }
}

/**
 * What is held at once, whatever limit was asked for: states made, and members of all their sets. A real server goes on for as
 * long as its memory lasts.
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
  const result = new Automaton()
  new SubsetConstruction(automaton, limit, result).run()
  return result
}

/** Whether an automaton could be made deterministic. */
export function determinizesWithin(automaton: Automaton, limit: DeterminizeLimit): boolean {
  try {
    checkDeterminizes(automaton, limit)
    return true
  } catch (error) {
    if (error instanceof TooComplexError) return false
    throw error
  }
}

/** As {@link determinized}, for the error alone. @throws {TooComplexError} where the limit is met */
export function checkDeterminizes(automaton: Automaton, limit: DeterminizeLimit): void {
  if (!automaton.isDeterministic && automaton.size > 1) new SubsetConstruction(automaton, limit).run()
}

/** A set of states met, as it is kept. */
interface StateSet {
  readonly members: Int32Array
  readonly state: number
}

/** Transitions side by side, their labels by places in the list of all labels at which anything begins or ends. */
interface FlatTransitions {
  /** Labels at which a transition begins, or behind which one ends, ascending. */
  readonly points: Int32Array
  /** Where each state's transitions begin; one more than states. */
  readonly starts: Int32Array
  readonly begins: Int32Array
  /** The point behind a transition's greatest label. */
  readonly ends: Int32Array
  readonly targets: Int32Array
}

function flatten(automaton: Automaton): FlatTransitions {
  const starts = new Int32Array(automaton.size + 1)
  const labels = new Set<number>()
  for (let state = 0; state < automaton.size; state++) {
    const transitions = automaton.transitions(state)
    starts[state + 1] = (starts[state] as number) + transitions.length / 3
    for (let i = 0; i < transitions.length; i += 3) {
      labels.add(transitions[i] as number)
      labels.add((transitions[i + 1] as number) + 1)
    }
  }
  const points = Int32Array.from(labels).sort()
  const places = new Map<number, number>()
  points.forEach((label, place) => {
    places.set(label, place)
  })
  const count = starts[automaton.size] as number
  const begins = new Int32Array(count)
  const ends = new Int32Array(count)
  const targets = new Int32Array(count)
  let at = 0
  for (let state = 0; state < automaton.size; state++) {
    const transitions = automaton.transitions(state)
    for (let i = 0; i < transitions.length; i += 3, at++) {
      begins[at] = places.get(transitions[i] as number) as number
      ends[at] = places.get((transitions[i + 1] as number) + 1) as number
      targets[at] = transitions[i + 2] as number
    }
  }
  return { points, starts, begins, ends, targets }
}

class SubsetConstruction {
  readonly #automaton: Automaton
  readonly #limit: DeterminizeLimit
  readonly #result: Automaton | undefined
  readonly #flat: FlatTransitions
  readonly #sets: StateSet[] = []
  /** Sets by hash. */
  readonly #byHash = new Map<number, StateSet[]>()
  /** How many open transitions lead to each state; the set now is where that is not 0. */
  readonly #counts: Int32Array
  readonly #members: Int32Array
  readonly #places: Int32Array
  /** The first transition, and one more, that begins or ends at each point, as far as the set now goes; 0: none. */
  readonly #firstBegin: Int32Array
  readonly #firstEnd: Int32Array
  readonly #nextBegin: Int32Array
  readonly #nextEnd: Int32Array
  #size = 0
  #hash = 0
  #accepting = 0
  #kept = 0

  constructor(automaton: Automaton, limit: DeterminizeLimit, result?: Automaton) {
    this.#automaton = automaton
    this.#limit = limit
    this.#result = result
    this.#flat = flatten(automaton)
    const { points, targets } = this.#flat
    this.#counts = new Int32Array(automaton.size)
    this.#members = new Int32Array(automaton.size)
    this.#places = new Int32Array(automaton.size)
    this.#firstBegin = new Int32Array(points.length)
    this.#firstEnd = new Int32Array(points.length)
    this.#nextBegin = new Int32Array(targets.length + 1)
    this.#nextEnd = new Int32Array(targets.length + 1)
  }

  run(): void {
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
  }

  /** Finds where a set of states leads to, label by label. */
  #leave(from: number, members: Int32Array): void {
    const { points, targets } = this.#flat
    const firstBegin = this.#firstBegin
    const firstEnd = this.#firstEnd
    let last = 0
    for (const place of this.#gather(members)) {
      const label = points[place] as number
      if (this.#size > 0) {
        const to = this.#stateOfSet()
        this.#result?.add(from, to, last, label - 1)
      }
      for (let i = firstEnd[place] as number; i > 0; i = this.#nextEnd[i] as number) {
        this.#close(targets[i - 1] as number)
      }
      for (let i = firstBegin[place] as number; i > 0; i = this.#nextBegin[i] as number) {
        this.#open(targets[i - 1] as number)
      }
      firstBegin[place] = 0
      firstEnd[place] = 0
      last = label
    }
  }

  /** Lines up the transitions of a set of states by points. @returns places of those points, ascending */
  #gather(members: Int32Array): number[] {
    const { starts, begins, ends } = this.#flat
    const firstBegin = this.#firstBegin
    const firstEnd = this.#firstEnd
    const touched: number[] = []
    let steps = 0
    const touch = (place: number): void => {
      if (firstBegin[place] === 0 && firstEnd[place] === 0) touched.push(place)
    }
    for (let m = 0; m < members.length; m++) {
      const state = members[m] as number
      const end = starts[state + 1] as number
      for (let i = starts[state] as number; i < end; i++) {
        const begin = begins[i] as number
        touch(begin)
        this.#nextBegin[i + 1] = firstBegin[begin] as number
        firstBegin[begin] = i + 1
        const behind = ends[i] as number
        touch(behind)
        this.#nextEnd[i + 1] = firstEnd[behind] as number
        firstEnd[behind] = i + 1
      }
      steps += end - (starts[state] as number)
    }
    this.#limit.work?.spend(steps)
    return touched.sort(ascending)
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
    const state = this.#sets.length
    this.#result?.addState(this.#accepting > 0)
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
    const counts = this.#counts
    for (let i = 0; i < members.length; i++) if (counts[members[i] as number] === 0) return false
    return true
  }

  #tooComplex(): TooComplexError {
    return new TooComplexError(this.#automaton, this.#limit)
  }
}

function ascending(a: number, b: number): number {
  return a - b
}

/** A state's share of a set's hash. */
function mixed(state: number): number {
  let x = Math.imul(state + 1, 0x9e3779b1)
  x ^= x >>> 15
  return Math.imul(x, 0x85ebca77) ^ (x >>> 13)
}
