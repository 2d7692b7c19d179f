import type { Automaton } from './automaton.ts'

/** Labels of a state that are looked up by a table. */
const TABLE_SIZE = 0x80

/** A deterministic automaton over code points, ready to run. State 0 is the start. */
export class RunAutomaton {
  readonly #automaton: Automaton
  /** Where each state leads to by ASCII, made when a state is first left. */
  readonly #tables: (Int32Array | undefined)[]

  constructor(automaton: Automaton) {
    this.#automaton = automaton
    this.#tables = new Array<Int32Array | undefined>(automaton.size).fill(undefined)
  }

  /** The state after a code point; -1: nothing can match any more. */
  step(state: number, codePoint: number): number {
    if (codePoint >= TABLE_SIZE) return this.#find(state, codePoint)
    return (this.#tables[state] ?? this.#table(state))[codePoint] as number
  }

  accepts(state: number): boolean {
    return this.#automaton.accepts(state)
  }

  /** Whether a text is accepted as a whole. */
  matches(text: string): boolean {
    let state = 0
    for (let i = 0; i < text.length; i++) {
      let code = text.charCodeAt(i)
      if (code >= 0xd800 && code < 0xdc00) {
        code = text.codePointAt(i) as number
        if (code > 0xffff) i++
      }
      state = this.step(state, code)
      if (state < 0) return false
    }
    return this.accepts(state)
  }

  #table(state: number): Int32Array {
    const table = new Int32Array(TABLE_SIZE).fill(-1)
    if (state < this.#automaton.size) {
      const transitions = this.#automaton.transitions(state)
      for (let i = 0; i < transitions.length; i += 3) {
        const end = Math.min((transitions[i + 1] as number) + 1, TABLE_SIZE)
        table.fill(transitions[i + 2] as number, Math.min(transitions[i] as number, TABLE_SIZE), end)
      }
    }
    this.#tables[state] = table
    return table
  }

  #find(state: number, codePoint: number): number {
    if (state >= this.#automaton.size) return -1
    const transitions = this.#automaton.transitions(state)
    let low = 0
    let high = transitions.length / 3
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((transitions[middle * 3 + 1] as number) < codePoint) low = middle + 1
      else high = middle
    }
    const at = low * 3
    return at < transitions.length && (transitions[at] as number) <= codePoint ? (transitions[at + 2] as number) : -1
  }
}
