import { Automaton, MAX_CODE_POINT } from './automaton.ts'

/** Accepts nothing. */
export function emptyAutomaton(): Automaton {
  return new Automaton()
}

/** Accepts a text, and nothing else; the empty one too. */
export function stringAutomaton(text: string): Automaton {
  const automaton = new Automaton()
  let last = automaton.addState()
  for (const char of text) {
    const next = automaton.addState()
    automaton.add(last, next, char.codePointAt(0) as number)
    last = next
  }
  automaton.setAccepts(last, true)
  return automaton
}

/** Accepts one character of a range. */
export function rangeAutomaton(min: number, max: number): Automaton {
  const automaton = new Automaton()
  if (min > max) return automaton
  const from = automaton.addState()
  automaton.add(from, automaton.addState(true), min, max)
  return automaton
}

/** Accepts any text. */
export function anyStringAutomaton(): Automaton {
  const automaton = new Automaton()
  automaton.addState(true)
  automaton.add(0, 0, 0, MAX_CODE_POINT)
  return automaton
}

/**
 * Accepts the decimal numbers of a range.
 *
 * @param digits  how many digits each has; 0: any number of zeros may lead
 * @source        Lucene, Automata.makeDecimalInterval
 */
export function intervalAutomaton(min: number, max: number, digits: number): Automaton {
  const width = digits > 0 ? digits : String(max).length
  return new IntervalBuilder(String(min).padStart(width, '0'), String(max).padStart(width, '0'), digits <= 0).build()
}

const ZERO = 0x30
const NINE = 0x39

class IntervalBuilder {
  readonly #automaton = new Automaton()
  readonly #low: string
  readonly #high: string
  readonly #mayLeadWithZeros: boolean
  /** States that leading zeros may be followed by. */
  readonly #initials: number[] = []

  constructor(low: string, high: string, mayLeadWithZeros: boolean) {
    this.#low = low
    this.#high = high
    this.#mayLeadWithZeros = mayLeadWithZeros
  }

  build(): Automaton {
    const automaton = this.#automaton
    if (this.#mayLeadWithZeros) automaton.addState()
    this.#between(0, this.#mayLeadWithZeros)
    if (this.#mayLeadWithZeros) {
      automaton.add(0, 0, ZERO)
      for (const state of this.#initials) automaton.addEpsilon(0, state)
    }
    return automaton
  }

  /** A state after `at` digits that are those of both bounds. */
  #between(at: number, onlyZeros: boolean): number {
    if (at === this.#low.length) return this.#automaton.addState(true)
    const state = this.#digit(onlyZeros)
    const low = this.#low.charCodeAt(at)
    const high = this.#high.charCodeAt(at)
    if (low === high) this.#automaton.add(state, this.#between(at + 1, onlyZeros && low === ZERO), low)
    else {
      this.#automaton.add(state, this.#atLeast(at + 1, onlyZeros && low === ZERO), low)
      this.#automaton.add(state, this.#atMost(at + 1), high)
      if (low + 1 < high) this.#automaton.add(state, this.#anything(at + 1), low + 1, high - 1)
    }
    return state
  }

  #atLeast(at: number, onlyZeros: boolean): number {
    if (at === this.#low.length) return this.#automaton.addState(true)
    const state = this.#digit(onlyZeros)
    const low = this.#low.charCodeAt(at)
    this.#automaton.add(state, this.#atLeast(at + 1, onlyZeros && low === ZERO), low)
    if (low < NINE) this.#automaton.add(state, this.#anything(at + 1), low + 1, NINE)
    return state
  }

  #atMost(at: number): number {
    if (at === this.#high.length) return this.#automaton.addState(true)
    const state = this.#automaton.addState()
    const high = this.#high.charCodeAt(at)
    this.#automaton.add(state, this.#atMost(at + 1), high)
    if (high > ZERO) this.#automaton.add(state, this.#anything(at + 1), ZERO, high - 1)
    return state
  }

  /** Any digits up to the full length. */
  #anything(at: number): number {
    const state = this.#automaton.addState(at === this.#low.length)
    if (at < this.#low.length) this.#automaton.add(state, this.#anything(at + 1), ZERO, NINE)
    return state
  }

  #digit(onlyZeros: boolean): number {
    const state = this.#automaton.addState()
    if (onlyZeros) this.#initials.push(state)
    return state
  }
}
