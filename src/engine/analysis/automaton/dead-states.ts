import { Automaton } from './automaton.ts'

/** The same without states that cannot be reached, or from which no accepting one can be. */
export function withoutDeadStates(automaton: Automaton): Automaton {
  const live = liveStates(automaton)
  const result = new Automaton()
  const numbers = new Int32Array(automaton.size)
  for (let state = 0; state < automaton.size; state++) {
    if (live[state]) numbers[state] = result.addState(automaton.accepts(state))
  }
  for (let state = 0; state < automaton.size; state++) {
    if (!live[state]) continue
    const transitions = automaton.transitions(state)
    for (let i = 0; i < transitions.length; i += 3) {
      const to = transitions[i + 2] as number
      if (live[to]) {
        result.add(
          numbers[state] as number,
          numbers[to] as number,
          transitions[i] as number,
          transitions[i + 1] as number,
        )
      }
    }
  }
  return result
}

function liveStates(automaton: Automaton): Uint8Array {
  const { size } = automaton
  const live = new Uint8Array(size)
  if (size === 0) return live
  const before: number[][] = Array.from({ length: size }, () => [])
  const reached = new Uint8Array(size)
  reached[0] = 1
  const waiting = [0]
  const ends: number[] = []
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
    if (automaton.accepts(state)) {
      live[state] = 1
      ends.push(state)
    }
    const transitions = automaton.transitions(state)
    for (let i = 2; i < transitions.length; i += 3) {
      const to = transitions[i] as number
      ;(before[to] as number[]).push(state)
      if (reached[to] === 0) {
        reached[to] = 1
        waiting.push(to)
      }
    }
  }
  for (let state = ends.pop(); state !== undefined; state = ends.pop()) {
    for (const from of before[state] as number[]) {
      if (live[from] === 0) {
        live[from] = 1
        ends.push(from)
      }
    }
  }
  return live
}

/** Whether no text is accepted. */
export function acceptsNothing(automaton: Automaton): boolean {
  if (automaton.size === 0) return true
  const reached = new Uint8Array(automaton.size)
  reached[0] = 1
  const waiting = [0]
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
    if (automaton.accepts(state)) return false
    const transitions = automaton.transitions(state)
    for (let i = 2; i < transitions.length; i += 3) {
      const to = transitions[i] as number
      if (reached[to] === 0) {
        reached[to] = 1
        waiting.push(to)
      }
    }
  }
  return true
}
