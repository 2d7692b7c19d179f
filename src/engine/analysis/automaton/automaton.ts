/** The largest code point, and with it the end of every alphabet of characters. */
export const MAX_CODE_POINT = 0x10ffff

/** What an automaton holds at most while it is made: more is a pattern that is there to cost time. */
const MOST_PARTS = 1_200_000

/** Thrown where an automaton becomes larger than any that is of use. */
export class AutomatonTooLargeError extends Error {}

/**
 * A finite automaton over numbers (code points, or bytes): states with transitions by ranges. State 0 is the start; without
 * states it accepts nothing.
 *
 * States, transitions and whether it is deterministic are counted as Lucene counts them: what is refused as too complex
 * depends on it, and the numbers stand in its messages.
 */
export class Automaton {
  /** Transitions of each state, three numbers each: least label, greatest label, destination. */
  readonly #transitions: number[][] = []
  readonly #accepts: boolean[] = []
  readonly #unfinished = new Set<number>()
  #isDeterministic = true
  #added = 0

  get size(): number {
    return this.#transitions.length
  }

  /** Whether no state has two transitions for one label. */
  get isDeterministic(): boolean {
    this.finish()
    return this.#isDeterministic
  }

  /** Transitions of all states. */
  get transitionCount(): number {
    this.finish()
    let count = 0
    for (const transitions of this.#transitions) count += transitions.length / 3
    return count
  }

  /** A new state's number. @throws {AutomatonTooLargeError} */
  addState(accepts = false): number {
    this.#count(1)
    this.#transitions.push([])
    return this.#accepts.push(accepts) - 1
  }

  accepts(state: number): boolean {
    return this.#accepts[state] === true
  }

  setAccepts(state: number, accepts: boolean): void {
    this.#accepts[state] = accepts
  }

  /** Adds a transition from one state to another by the labels `min` to `max`. @throws {AutomatonTooLargeError} */
  add(from: number, to: number, min: number, max = min): void {
    this.#count(1)
    ;(this.#transitions[from] as number[]).push(min, max, to)
    this.#unfinished.add(from)
  }

  /** Lets a state do what another one does: its transitions and whether it accepts. */
  addEpsilon(from: number, to: number): void {
    const { length } = this.#transitions[to] as number[]
    for (let i = 0; i < length; i += 3) {
      const [min, max, next] = (this.#transitions[to] as number[]).slice(i, i + 3) as [number, number, number]
      this.add(from, next, min, max)
    }
    if (this.accepts(to)) this.setAccepts(from, true)
  }

  /** Appends another automaton's states. */
  copy(other: Automaton): void {
    other.finish()
    this.#count(other.#added)
    const offset = this.size
    for (let state = 0; state < other.size; state++) {
      const transitions = other.transitions(state).slice()
      for (let i = 2; i < transitions.length; i += 3) transitions[i] = (transitions[i] as number) + offset
      this.#transitions.push(transitions)
      this.#accepts.push(other.accepts(state))
    }
    if (!other.isDeterministic) this.#isDeterministic = false
  }

  /** Least label, greatest label and destination of each transition of a state; sorted, neighbours joined. */
  transitions(state: number): readonly number[] {
    if (this.#unfinished.size > 0) this.finish()
    return this.#transitions[state] as number[]
  }

  #count(parts: number): void {
    this.#added += parts
    if (this.#added > MOST_PARTS) throw new AutomatonTooLargeError('automaton too large')
  }

  /** Sorts what was added and joins what adjoins. */
  finish(): void {
    for (const state of this.#unfinished) {
      const transitions = this.#transitions[state] as number[]
      if (transitions.length === 3 || isJoined(transitions)) continue
      const joined = joinTransitions(transitions)
      this.#transitions[state] = joined
      for (let i = 3; i < joined.length; i += 3) {
        if ((joined[i] as number) <= (joined[i - 2] as number)) this.#isDeterministic = false
      }
    }
    this.#unfinished.clear()
  }
}

/** Whether ranges are sorted, apart and as few as they can be. */
function isJoined(flat: readonly number[]): boolean {
  for (let i = 3; i < flat.length; i += 3) {
    const end = flat[i - 2] as number
    const min = flat[i] as number
    if (min <= end || (min === end + 1 && flat[i + 2] === flat[i - 1])) return false
  }
  return true
}

/** Joins ranges that adjoin or overlap where they lead to one state; sorted by labels, then by destination. */
function joinTransitions(flat: readonly number[]): number[] {
  const triples: (readonly [min: number, max: number, to: number])[] = []
  for (let i = 0; i < flat.length; i += 3) {
    triples.push([flat[i] as number, flat[i + 1] as number, flat[i + 2] as number])
  }
  triples.sort((a, b) => a[2] - b[2] || a[0] - b[0] || a[1] - b[1])
  const joined: [number, number, number][] = []
  let last: [number, number, number] | undefined
  for (const [min, max, to] of triples) {
    if (last !== undefined && last[2] === to && min <= last[1] + 1) last[1] = Math.max(last[1], max)
    else {
      last = [min, max, to]
      joined.push(last)
    }
  }
  joined.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
  return joined.flat()
}
