/**
 * A regular expression over character classes, as a tree.
 */
export type Expression =
  | { readonly kind: 'one'; readonly classes: readonly number[] }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Expression[] }
  | { readonly kind: 'star'; readonly part: Expression }

/** One character of any of these classes. */
export const one = (...classes: readonly number[]): Expression => ({ kind: 'one', classes })
/** One behind the other; without parts: nothing. */
export const sequence = (...parts: readonly Expression[]): Expression => ({ kind: 'sequence', parts })
/** Any of them. */
export const choice = (...parts: readonly Expression[]): Expression => ({ kind: 'choice', parts })
/** Zero or more. */
export const star = (part: Expression): Expression => ({ kind: 'star', part })
/** One or more. */
export const plus = (part: Expression): Expression => sequence(part, star(part))
/** Zero or one. */
export const optional = (part: Expression): Expression => choice(part, sequence())

/** A rule of a grammar: what it matches, and the number it answers with (1 to 255). */
export interface TokenRule {
  readonly expression: Expression
  readonly accept: number
}

/**
 * A grammar as a deterministic automaton. A state is a multiple of `width`, so that `transitions[state + class]` is the
 * next state; 0 is the dead state, `width` the first.
 */
export interface TokenAutomaton {
  readonly width: number
  readonly transitions: Uint16Array
  /** By state / width: what the rule matched here answers with, 0 for none. */
  readonly accepts: Uint8Array
}

/**
 * Compiles a grammar: Thompson's construction, then subsets. Of two rules that match the same text the first wins.
 *
 * @param classCount  classes are numbered from 0
 */
export function compileGrammar(rules: readonly TokenRule[], classCount: number): TokenAutomaton {
  const nfa = new Nfa()
  const start = nfa.state()
  for (const [order, rule] of rules.entries()) {
    const end = nfa.add(rule.expression, nfa.branch(start))
    nfa.accepting.set(end, { order, accept: rule.accept })
  }
  const width = 2 ** Math.ceil(Math.log2(classCount))
  const numbers = new Map<string, number>()
  const sets: (readonly number[])[] = [[]]
  const numberOf = (set: readonly number[]): number => {
    if (set.length === 0) return 0
    const key = set.join()
    let number = numbers.get(key)
    if (number === undefined) {
      number = sets.push(set) - 1
      numbers.set(key, number)
    }
    return number
  }
  // Many classes lead to the same states: their closure is looked up.
  const steps = new Map<string, readonly number[]>()
  const step = (reached: readonly number[]): readonly number[] => {
    const key = reached.join()
    let closure = steps.get(key)
    if (closure === undefined) {
      closure = nfa.closure(reached)
      steps.set(key, closure)
    }
    return closure
  }
  numberOf(nfa.closure([start]))
  const transitions: number[] = new Array(width).fill(0)
  const accepts: number[] = [0]
  for (let s = 1; s < sets.length; s++) {
    const targets = new Map<number, number[]>()
    let best: { order: number; accept: number } | undefined
    for (const state of sets[s] as readonly number[]) {
      const accepting = nfa.accepting.get(state)
      if (accepting !== undefined && (best === undefined || accepting.order < best.order)) best = accepting
      const edge = nfa.edges[state]
      if (edge === undefined) continue
      for (const c of edge.classes) {
        const reached = targets.get(c)
        if (reached === undefined) targets.set(c, [edge.to])
        else reached.push(edge.to)
      }
    }
    accepts.push(best?.accept ?? 0)
    for (let c = 0; c < width; c++) {
      const reached = targets.get(c)
      transitions.push(reached === undefined ? 0 : numberOf(step(reached)) * width)
    }
  }
  if (transitions.length > 0x10000) throw new RangeError('token grammar has too many states')
  return { width, transitions: Uint16Array.from(transitions), accepts: Uint8Array.from(accepts) }
}

/** States with at most one labelled edge each, and any number of empty ones. */
class Nfa {
  readonly edges: ({ readonly classes: readonly number[]; readonly to: number } | undefined)[] = []
  readonly #empty: number[][] = []
  readonly #closures = new Map<number, readonly number[]>()
  readonly accepting = new Map<number, { order: number; accept: number }>()

  state(): number {
    this.#empty.push([])
    return this.edges.push(undefined) - 1
  }

  branch(from: number): number {
    const to = this.state()
    this.#link(from, to)
    return to
  }

  /** Adds an expression that begins in `from`; answers the state it ends in. */
  add(expression: Expression, from: number): number {
    switch (expression.kind) {
      case 'one': {
        const to = this.state()
        const at = this.branch(from)
        this.edges[at] = { classes: expression.classes, to }
        return to
      }
      case 'sequence':
        return expression.parts.reduce((state, part) => this.add(part, state), from)
      case 'choice': {
        const to = this.state()
        for (const part of expression.parts) this.#link(this.add(part, this.branch(from)), to)
        return to
      }
      case 'star': {
        const loop = this.branch(from)
        this.#link(this.add(expression.part, loop), loop)
        return this.branch(loop)
      }
    }
  }

  /** What can be reached over empty edges, of which only states that read or accept something matter. */
  closure(states: readonly number[]): readonly number[] {
    const all = new Set<number>()
    for (const state of states) for (const reached of this.#closureOf(state)) all.add(reached)
    return [...all].sort((a, b) => a - b)
  }

  #closureOf(state: number): readonly number[] {
    let closure = this.#closures.get(state)
    if (closure === undefined) {
      const seen = new Set([state])
      for (const s of seen) for (const next of this.#empty[s] as number[]) seen.add(next)
      closure = [...seen].filter((s) => this.edges[s] !== undefined || this.accepting.has(s))
      this.#closures.set(state, closure)
    }
    return closure
  }

  #link(from: number, to: number): void {
    this.#empty[from]?.push(to)
  }
}
