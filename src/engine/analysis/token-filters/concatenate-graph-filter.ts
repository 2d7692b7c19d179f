import type { TokenFilter } from '../analyzer.ts'
import { Automaton, AutomatonTooLargeError } from '../automaton/automaton.ts'
import { determinized, TooComplexError } from '../automaton/determinize.ts'
import type { TokenBuffer } from '../token-buffer.ts'
import { RewritingFilter } from './rewriting-filter.ts'

/** How tokens are joined. */
export interface ConcatenateGraphOptions {
  /** One UTF-16 unit between neighbours; empty: nothing. Within a token it is written twice. */
  readonly separator: string
  /** Whether a place that was left empty is one between two separators. */
  readonly preservesIncrements: boolean
  /** So many readings are answered at most, -1: all; it also bounds the work to find them. */
  readonly maxExpansions: number
}

/** Behind the bytes: between two tokens, and in the place of one left out. */
const SEPARATOR = 0x100
const HOLE = 0x101

/**
 * Joins the tokens of a text into one, or into one for each reading where tokens have alternatives: sorted, all in one place.
 *
 * @source Lucene 9.12.2, ConcatenateGraphFilter and TokenStreamToAutomaton
 */
export function concatenateGraphFilter(options: ConcatenateGraphOptions): TokenFilter {
  const { maxExpansions } = options
  const joined = new RewritingFilter((tokens, out) => {
    let count = 0
    for (const reading of readings(automatonOf(tokens, options), maxExpansions)) {
      if (count++ === maxExpansions) break
      out.push(reading, 0, tokens.finalOffset, 'word', count === 1 ? 1 : 0)
    }
    tokens.trailingPositionIncrement = 0
  })
  return { filter: (tokens) => joined.filter(tokens), makesAnew: true }
}

function readings(automaton: Automaton, max: number): Iterable<string> {
  const limit = { max, byEffort: true }
  try {
    return acceptedTexts(determinized(automaton, limit))
  } catch (error) {
    if (error instanceof AutomatonTooLargeError) throw new TooComplexError(automaton, limit).toServiceError()
    throw error instanceof TooComplexError ? error.toServiceError() : error
  }
}

/** A place between tokens: the states in which those before it end, and those behind it begin. */
interface Place {
  arriving: number
  leaving: number
}

/** An automaton over bytes that accepts every way through the tokens. */
function automatonOf(tokens: TokenBuffer, { separator, preservesIncrements }: ConcatenateGraphOptions): Automaton {
  const automaton = new Automaton()
  automaton.addState()
  const places: Place[] = []
  const placeAt = (position: number): Place => {
    while (places.length <= position) places.push({ arriving: -1, leaving: -1 })
    return places[position] as Place
  }
  let position = -1
  for (let i = 0; i < tokens.length; i++) {
    const given = tokens.positionIncrements[i] as number
    const increment = preservesIncrements ? given : Math.min(given, 1)
    if (increment > 0) {
      position += increment
      leave(automaton, placeAt, position, increment)
    }
    const end = placeAt(position + (tokens.positionLengths[i] as number))
    if (end.arriving === -1) end.arriving = automaton.addState()
    const term = tokens.terms[i] as string
    addBytes(automaton, placeAt(position).leaving, end.arriving, separator === '' ? term : escaped(term, separator))
  }
  addEnd(automaton, places.slice(position + 1), preservesIncrements ? tokens.trailingPositionIncrement : 0)
  return withSeparators(automaton, separator)
}

/** Opens a place for tokens that begin there. */
function leave(automaton: Automaton, placeAt: (position: number) => Place, position: number, increment: number): void {
  const place = placeAt(position)
  if (place.arriving === -1) {
    if (position === 0) place.leaving = 0
    else {
      place.leaving = automaton.addState()
      addHoles(automaton, placeAt, position)
    }
    return
  }
  place.leaving = automaton.addState()
  automaton.add(place.arriving, place.leaving, SEPARATOR)
  // A token spans what was left out.
  if (increment > 1) addHoles(automaton, placeAt, position)
}

/** Leads to a place from those before it that no token leads from. */
function addHoles(automaton: Automaton, placeAt: (position: number) => Place, position: number): void {
  for (let at = position; at > 0; at--) {
    const place = placeAt(at)
    const before = placeAt(at - 1)
    if (place.arriving !== -1 && before.leaving !== -1) return
    if (place.arriving === -1) {
      place.arriving = automaton.addState()
      automaton.add(place.arriving, place.leaving, SEPARATOR)
    }
    if (before.leaving === -1) {
      before.leaving = at === 1 ? 0 : automaton.addState()
      if (before.arriving !== -1) automaton.add(before.arriving, before.leaving, SEPARATOR)
    }
    automaton.add(before.leaving, place.arriving, HOLE)
  }
}

const escaped = (term: string, separator: string): string => term.replaceAll(separator, separator + separator)

function addBytes(automaton: Automaton, from: number, to: number, term: string): void {
  const bytes = Buffer.from(term, 'utf8')
  let state = from
  for (let i = 0; i < bytes.length; i++) {
    const next = i === bytes.length - 1 ? to : automaton.addState()
    automaton.add(state, next, bytes[i] as number)
    state = next
  }
}

/** Accepts where tokens end behind the last place that one begins at, and behind what was left out there. */
function addEnd(automaton: Automaton, last: readonly Place[], holes: number): void {
  const end = holes > 0 ? automaton.addState() : -1
  for (let state = end, left = holes; left > 0; left--) {
    const hole = automaton.addState(left === 1)
    automaton.add(state, hole, HOLE)
    if (left === 1) break
    state = automaton.addState()
    automaton.add(hole, state, SEPARATOR)
  }
  for (const { arriving } of last) {
    if (arriving === -1) continue
    if (end === -1) automaton.setAccepts(arriving, true)
    else automaton.add(arriving, end, SEPARATOR)
  }
}

/** The same with separators written, and nothing in the place of what was left out. */
function withSeparators(automaton: Automaton, separator: string): Automaton {
  const result = new Automaton()
  for (let state = 0; state < automaton.size; state++) result.addState(automaton.accepts(state))
  const written = separator === '' ? undefined : separator.charCodeAt(0)
  // A state's own transitions come behind those of the states that it leads to.
  for (const state of behindFirst(automaton)) {
    const transitions = automaton.transitions(state)
    for (let i = 0; i < transitions.length; i += 3) {
      const [min, max, to] = transitions.slice(i, i + 3) as [number, number, number]
      const label = min === SEPARATOR ? written : min
      if (label === undefined || label === HOLE) result.addEpsilon(state, to)
      else result.add(state, to, label, min === SEPARATOR ? label : max)
    }
  }
  return result
}

/** States from the last one back: each behind all that it leads to. */
function behindFirst(automaton: Automaton): number[] {
  const order: number[] = []
  const isMet = new Uint8Array(automaton.size)
  // No recursion: a text's automaton is as deep as the text is long.
  for (let first = 0; first < automaton.size; first++) {
    const path = isMet[first] === 1 ? [] : [{ state: first, next: 2 }]
    isMet[first] = 1
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const to = automaton.transitions(top.state)[top.next]
      top.next += 3
      if (to === undefined) {
        order.push(top.state)
        path.pop()
      } else if (isMet[to] === 0) {
        isMet[to] = 1
        path.push({ state: to, next: 2 })
      }
    }
  }
  return order
}

/** Texts that a deterministic automaton without loops accepts, by their bytes; what begins others comes before them. */
function* acceptedTexts(automaton: Automaton): Iterable<string> {
  if (automaton.size === 0) return
  if (automaton.accepts(0)) yield ''
  const bytes: number[] = []
  const path = [{ state: 0, next: 0, label: -1 }]
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const transitions = automaton.transitions(top.state)
    const min = transitions[top.next]
    if (min === undefined) {
      path.pop()
      bytes.pop()
      continue
    }
    // A transition stands for all labels of its range.
    top.label = Math.max(top.label + 1, min)
    const to = transitions[top.next + 2] as number
    bytes.push(top.label)
    if (top.label === transitions[top.next + 1]) top.next += 3
    if (automaton.accepts(to)) yield Buffer.from(bytes).toString('utf8')
    path.push({ state: to, next: 0, label: -1 })
  }
}
