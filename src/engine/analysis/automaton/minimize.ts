import { Automaton, MAX_CODE_POINT } from './automaton.ts'
import { withoutDeadStates } from './dead-states.ts'
import { type DeterminizeLimit, determinized } from './determinize.ts'

/** Work of a transition by a range of the common alphabet, in that of following one while an automaton is determinized. */
const STEP_WORK = 25

/**
 * The deterministic automaton with fewest states that accepts the same; no dead ones among them.
 *
 * @throws {TooComplexError} where the limit is met
 */
export function minimized(automaton: Automaton, limit: DeterminizeLimit): Automaton {
  if (automaton.size === 0 || (!automaton.accepts(0) && automaton.transitions(0).length === 0)) return new Automaton()
  const deterministic = determinized(automaton, limit)
  if (isLoopOfAll(deterministic)) return deterministic
  const live = withoutDeadStates(deterministic)
  if (live.size <= 1 || isChain(live)) return live
  return new Refinement(live, limit).run()
}

/** Whether the start leads by every character to itself alone. */
function isLoopOfAll(automaton: Automaton): boolean {
  const [min, max, to, more] = automaton.transitions(0)
  return min === 0 && max === MAX_CODE_POINT && to === 0 && more === undefined
}

/** Whether each state leads to the next one only and just the last accepts: as short as it can be. */
function isChain(automaton: Automaton): boolean {
  const last = automaton.size - 1
  for (let state = 0; state < last; state++) {
    const transitions = automaton.transitions(state)
    if (transitions.length !== 3 || transitions[2] !== state + 1 || automaton.accepts(state)) return false
  }
  return automaton.transitions(last).length === 0
}

/**
 * A partition that is refined by taking marked members out of their sets.
 *
 * Sets are numbered from 0; `elements` has each set's members side by side.
 */
class Partition {
  count = 0
  readonly elements: Int32Array
  readonly setOf: Int32Array
  readonly first: Int32Array
  readonly end: Int32Array
  readonly #places: Int32Array
  readonly #marked: Int32Array
  readonly #touched: number[] = []

  constructor(size: number) {
    this.elements = Int32Array.from({ length: size }, (_, i) => i)
    this.#places = Int32Array.from(this.elements)
    this.setOf = new Int32Array(size)
    this.first = new Int32Array(size + 1)
    this.end = new Int32Array(size + 1)
    this.#marked = new Int32Array(size + 1)
    if (size > 0) {
      this.count = 1
      this.end[0] = size
    }
  }

  mark(element: number): void {
    const set = this.setOf[element] as number
    const place = this.#places[element] as number
    const target = (this.first[set] as number) + (this.#marked[set] as number)
    if (place < target) return
    const other = this.elements[target] as number
    this.elements[place] = other
    this.#places[other] = place
    this.elements[target] = element
    this.#places[element] = target
    const marked = this.#marked[set] as number
    if (marked === 0) this.#touched.push(set)
    this.#marked[set] = marked + 1
  }

  /** Parts each set with marked members; the smaller half gets a new number. */
  split(): void {
    for (let set = this.#touched.pop(); set !== undefined; set = this.#touched.pop()) {
      const first = this.first[set] as number
      const end = this.end[set] as number
      const border = first + (this.#marked[set] as number)
      this.#marked[set] = 0
      if (border === end) continue
      const added = this.count++
      if (border - first <= end - border) {
        this.first[added] = first
        this.end[added] = border
        this.first[set] = border
      } else {
        this.first[added] = border
        this.end[added] = end
        this.end[set] = border
      }
      for (let i = this.first[added] as number; i < (this.end[added] as number); i++) {
        this.setOf[this.elements[i] as number] = added
      }
    }
  }
}

/**
 * Merges states that no text tells apart.
 *
 * @source Hopcroft's algorithm in the form for partial automata: Valmari and Lehtinen, «Efficient minimization of DFAs with
 *         partial transition functions», 2008
 */
class Refinement {
  readonly #automaton: Automaton
  readonly #limit: DeterminizeLimit

  constructor(automaton: Automaton, limit: DeterminizeLimit) {
    this.#automaton = automaton
    this.#limit = limit
  }

  run(): Automaton {
    const automaton = this.#automaton
    const { tails, heads, labels } = this.#steps()
    const blocks = new Partition(automaton.size)
    for (let state = 0; state < automaton.size; state++) if (automaton.accepts(state)) blocks.mark(state)
    blocks.split()
    const cords = this.#byLabel(labels)
    const { starts, incoming } = incomingSteps(heads, automaton.size)
    // Block 0 needs no look of its own: what is not in the others is in it.
    let block = 1
    for (let cord = 0; cord < cords.count; cord++) {
      for (let i = cords.first[cord] as number; i < (cords.end[cord] as number); i++) {
        blocks.mark(tails[cords.elements[i] as number] as number)
      }
      blocks.split()
      for (; block < blocks.count; block++) {
        for (let i = blocks.first[block] as number; i < (blocks.end[block] as number); i++) {
          const state = blocks.elements[i] as number
          for (let j = starts[state] as number; j < (starts[state + 1] as number); j++)
            cords.mark(incoming[j] as number)
        }
        cords.split()
      }
    }
    return this.#merged(blocks)
  }

  /** Transitions by ranges that no transition cuts. */
  #steps(): { readonly tails: Int32Array; readonly heads: Int32Array; readonly labels: Int32Array } {
    const automaton = this.#automaton
    const points = new Set<number>()
    for (let state = 0; state < automaton.size; state++) {
      const transitions = automaton.transitions(state)
      for (let i = 0; i < transitions.length; i += 3) {
        points.add(transitions[i] as number)
        points.add((transitions[i + 1] as number) + 1)
      }
    }
    const labelAt = new Map([...points].sort((a, b) => a - b).map((point, i) => [point, i]))
    let count = 0
    const each = (visit: (tail: number, head: number, from: number, to: number) => void): void => {
      for (let state = 0; state < automaton.size; state++) {
        const transitions = automaton.transitions(state)
        for (let i = 0; i < transitions.length; i += 3) {
          const from = labelAt.get(transitions[i] as number) as number
          const to = labelAt.get((transitions[i + 1] as number) + 1) as number
          visit(state, transitions[i + 2] as number, from, to)
        }
      }
    }
    each((_tail, _head, from, to) => {
      count += to - from
    })
    this.#limit.work?.spend(count * STEP_WORK)
    const tails = new Int32Array(count)
    const heads = new Int32Array(count)
    const labels = new Int32Array(count)
    let step = 0
    each((tail, head, from, to) => {
      for (let label = from; label < to; label++, step++) {
        tails[step] = tail
        heads[step] = head
        labels[step] = label
      }
    })
    return { tails, heads, labels }
  }

  /** A partition of the steps by their labels. */
  #byLabel(labels: Int32Array): Partition {
    const cords = new Partition(labels.length)
    const steps: number[][] = []
    labels.forEach((label, step) => {
      let list = steps[label]
      if (list === undefined) {
        list = []
        steps[label] = list
      }
      list.push(step)
    })
    for (const list of steps) {
      // A label no step has: nothing to part.
      if (list === undefined) continue
      for (const step of list) cords.mark(step)
      cords.split()
    }
    return cords
  }

  #merged(blocks: Partition): Automaton {
    const automaton = this.#automaton
    // The start keeps number 0.
    const start = blocks.setOf[0] as number
    const number = (block: number): number => (block === start ? 0 : block < start ? block + 1 : block)
    const result = new Automaton()
    for (let block = 0; block < blocks.count; block++) result.addState()
    for (let block = 0; block < blocks.count; block++) {
      const state = blocks.elements[blocks.first[block] as number] as number
      const from = number(block)
      result.setAccepts(from, automaton.accepts(state))
      const transitions = automaton.transitions(state)
      for (let i = 0; i < transitions.length; i += 3) {
        const to = number(blocks.setOf[transitions[i + 2] as number] as number)
        result.add(from, to, transitions[i] as number, transitions[i + 1] as number)
      }
    }
    return result
  }
}

/** Steps by the state they lead to. */
function incomingSteps(
  heads: Int32Array,
  states: number,
): { readonly starts: Int32Array; readonly incoming: Int32Array } {
  const starts = new Int32Array(states + 1)
  for (const head of heads) starts[head + 1] = (starts[head + 1] as number) + 1
  for (let state = 0; state < states; state++)
    starts[state + 1] = (starts[state + 1] as number) + (starts[state] as number)
  const next = starts.slice()
  const incoming = new Int32Array(heads.length)
  heads.forEach((head, step) => {
    const place = next[head] as number
    incoming[place] = step
    next[head] = place + 1
  })
  return { starts, incoming }
}
