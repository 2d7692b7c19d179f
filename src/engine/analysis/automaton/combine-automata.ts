import { Automaton, MAX_CODE_POINT } from './automaton.ts'
import { withoutDeadStates } from './dead-states.ts'

/* How automata are put together decides how many states their determinizing meets, so each follows Lucene's way, state by
 * state (org.apache.lucene.util.automaton.Operations). */

/** One after the other. */
export function concatenated(parts: readonly Automaton[]): Automaton {
  const result = new Automaton()
  for (const part of parts) {
    // As in Lucene: nothing can follow, and what stands before leads nowhere.
    if (part.size === 0) return result
    for (let state = 0; state < part.size; state++) result.addState()
  }
  let offset = 0
  parts.forEach((part, i) => {
    for (let state = 0; state < part.size; state++) {
      addAll(result, offset + state, part.transitions(state), offset)
      if (!part.accepts(state)) continue
      // What follows, and what follows that where it may be empty.
      let next = i + 1
      let nextOffset = offset + part.size
      for (;;) {
        const follower = parts[next]
        if (follower === undefined) {
          result.setAccepts(offset + state, true)
          break
        }
        addAll(result, offset + state, follower.transitions(0), nextOffset)
        if (!follower.accepts(0)) break
        nextOffset += follower.size
        next++
      }
    }
    offset += part.size
  })
  if (result.size === 0) result.addState()
  return result
}

/** Any of them. */
export function united(parts: readonly Automaton[]): Automaton {
  const result = new Automaton()
  result.addState()
  for (const part of parts) result.copy(part)
  let offset = 1
  for (const part of parts) {
    if (part.size > 0) result.addEpsilon(0, offset)
    offset += part.size
  }
  return withoutDeadStates(result)
}

/** It or nothing. */
export function optional(inner: Automaton): Automaton {
  const result = new Automaton()
  result.addState(true)
  if (inner.size > 0) {
    result.copy(inner)
    result.addEpsilon(0, 1)
  }
  return result
}

/** Any number of it, none too. */
export function starred(inner: Automaton): Automaton {
  if (inner.size === 0) return inner
  const result = new Automaton()
  result.addState(true)
  result.copy(inner)
  addAll(result, 0, inner.transitions(0), 1)
  for (let state = 0; state < inner.size; state++) {
    if (inner.accepts(state)) addAll(result, state + 1, inner.transitions(0), 1)
  }
  return result
}

/** It a number of times, or more often. */
export function repeatedAtLeast(inner: Automaton, count: number): Automaton {
  if (count === 0) return starred(inner)
  return concatenated([...new Array<Automaton>(count).fill(inner), starred(inner)])
}

/** It from a number of times to another. */
export function repeatedBetween(inner: Automaton, least: number, most: number): Automaton {
  if (least > most) return new Automaton()
  const result = new Automaton()
  if (least === 0) result.addState(true)
  else if (least === 1) result.copy(inner)
  else result.copy(concatenated(new Array<Automaton>(least).fill(inner)))
  let ends: number[] = []
  for (let state = 0; state < result.size; state++) if (result.accepts(state)) ends.push(state)
  for (let i = least; i < most; i++) {
    const offset = result.size
    result.copy(inner)
    if (inner.size > 0) for (const end of ends) result.addEpsilon(end, offset)
    ends = []
    for (let state = 0; state < inner.size; state++) if (inner.accepts(state)) ends.push(offset + state)
  }
  return result
}

/** What both accept. */
export function intersected(left: Automaton, right: Automaton): Automaton {
  if (left === right || left.size === 0) return left
  if (right.size === 0) return right
  const result = new Automaton()
  const pairs: (readonly [left: number, right: number])[] = [[0, 0]]
  const states = new Map<number, number>([[0, result.addState()]])
  for (let state = 0; state < pairs.length; state++) {
    const [l, r] = pairs[state] as readonly [number, number]
    result.setAccepts(state, left.accepts(l) && right.accepts(r))
    const ours = left.transitions(l)
    const theirs = right.transitions(r)
    let from = 0
    for (let i = 0; i < ours.length; i += 3) {
      const min = ours[i] as number
      const max = ours[i + 1] as number
      while (from < theirs.length && (theirs[from + 1] as number) < min) from += 3
      for (let j = from; j < theirs.length && max >= (theirs[j] as number); j += 3) {
        if ((theirs[j + 1] as number) < min) continue
        const pair = [ours[i + 2] as number, theirs[j + 2] as number] as const
        const key = pair[0] * right.size + pair[1]
        let to = states.get(key)
        if (to === undefined) {
          to = result.addState()
          states.set(key, to)
          pairs.push(pair)
        }
        result.add(state, to, Math.max(min, theirs[j] as number), Math.min(max, theirs[j + 1] as number))
      }
    }
  }
  return withoutDeadStates(result)
}

/** What a deterministic automaton does not accept. */
export function complemented(inner: Automaton): Automaton {
  const result = new Automaton()
  for (let state = 0; state < inner.size; state++) result.addState(!inner.accepts(state))
  const other = result.addState(true)
  result.add(other, other, 0, MAX_CODE_POINT)
  for (let state = 0; state < inner.size; state++) {
    const transitions = inner.transitions(state)
    let next = 0
    for (let i = 0; i < transitions.length; i += 3) {
      const min = transitions[i] as number
      const max = transitions[i + 1] as number
      result.add(state, transitions[i + 2] as number, min, max)
      if (min > next) result.add(state, other, next, min - 1)
      next = Math.max(next, max + 1)
    }
    if (next <= MAX_CODE_POINT) result.add(state, other, next, MAX_CODE_POINT)
  }
  return withoutDeadStates(result)
}

/** The texts backwards. Not deterministic. */
export function reversed(inner: Automaton): Automaton {
  const result = new Automaton()
  result.addState()
  for (let state = 0; state < inner.size; state++) result.addState(state === 0)
  for (let state = 0; state < inner.size; state++) {
    const transitions = inner.transitions(state)
    for (let i = 0; i < transitions.length; i += 3) {
      result.add((transitions[i + 2] as number) + 1, state + 1, transitions[i] as number, transitions[i + 1] as number)
    }
  }
  result.finish()
  for (let state = 0; state < inner.size; state++) if (inner.accepts(state)) result.addEpsilon(0, state + 1)
  return result
}

function addAll(result: Automaton, from: number, transitions: readonly number[], offset: number): void {
  for (let i = 0; i < transitions.length; i += 3) {
    result.add(from, (transitions[i + 2] as number) + offset, transitions[i] as number, transitions[i + 1] as number)
  }
}
