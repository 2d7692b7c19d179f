import { ServiceError } from '../../../errors.ts'
import { type Automaton, MAX_CODE_POINT } from './automaton.ts'
import {
  anyStringAutomaton,
  emptyAutomaton,
  intervalAutomaton,
  rangeAutomaton,
  stringAutomaton,
} from './basic-automata.ts'
import {
  complemented,
  concatenated,
  intersected,
  optional,
  repeatedAtLeast,
  repeatedBetween,
  starred,
  united,
} from './combine-automata.ts'
import { type DeterminizeLimit, determinized, TooComplexError } from './determinize.ts'
import { minimized } from './minimize.ts'
import type { RegexpNode } from './regexp-node.ts'

/** States that repetitions may be unrolled into before they are made fewer, whatever limit was asked for. */
const MOST_UNROLLED = 250_000

/**
 * The automaton of a regular expression. Minimal in most cases: with Lucene, that of `{n,m}` is not.
 *
 * @throws {ServiceError}   illegal_argument_exception for an automaton by name
 * @throws {TooComplexError} where the limit is met
 * @source Lucene, RegExp.toAutomaton: each operator's automaton is minimized before the next is made of it
 */
export function regexpToAutomaton(node: RegexpNode, limit: DeterminizeLimit): Automaton {
  const build = (inner: RegexpNode): Automaton => regexpToAutomaton(inner, limit)
  switch (node.kind) {
    case 'union':
      return minimized(united(node.parts.map(build)), limit)
    case 'concatenation':
      return minimized(concatenated(partsOf(node).map(build)), limit)
    case 'intersection':
      return minimized(intersected(build(node.left), build(node.right)), limit)
    case 'optional':
      return minimized(optional(build(node.inner)), limit)
    case 'repeat':
      return minimized(starred(build(node.inner)), limit)
    case 'repeat-at-least': {
      const inner = build(node.inner)
      checkUnrolled(inner, node.least, limit)
      return minimized(repeatedAtLeast(inner, node.least), limit)
    }
    case 'repeat-between': {
      const inner = build(node.inner)
      checkUnrolled(inner, node.most, limit)
      return repeatedBetween(inner, node.least, node.most)
    }
    case 'complement':
      return minimized(complemented(determinized(build(node.inner), limit)), limit)
    case 'named-class':
      return build(node.inner)
    case 'char':
      return charAutomaton(node.code, node.eitherCase, limit)
    case 'string':
      if (!node.eitherCase) return stringAutomaton(node.text)
      return minimized(
        concatenated([...node.text].map((char) => charAutomaton(char.codePointAt(0) as number, true, limit))),
        limit,
      )
    case 'range':
      return rangeAutomaton(node.from, node.to)
    case 'any-char':
      return rangeAutomaton(0, MAX_CODE_POINT)
    case 'empty':
      return emptyAutomaton()
    case 'any-string':
      return anyStringAutomaton()
    case 'automaton':
      throw new ServiceError('illegal_argument_exception', `'${node.name}' not found`)
    case 'interval':
      return intervalAutomaton(node.min, node.max, node.digits)
  }
}

/** What stands behind one another. */
function partsOf(node: RegexpNode): RegexpNode[] {
  const parts: RegexpNode[] = []
  const waiting = [node]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.kind === 'concatenation') waiting.push(next.right, next.left)
    else parts.push(next)
  }
  return parts
}

/** @throws {TooComplexError} that names the states of the repetitions as the limit, as Lucene does */
function checkUnrolled(inner: Automaton, count: number, limit: DeterminizeLimit): void {
  const states = Math.imul(inner.size - 1, count)
  if (states > limit.max) throw new TooComplexError(inner, { ...limit, max: states })
  // Where 32 bits do not hold the number Lucene goes on until its memory is full.
  if ((inner.size - 1) * count > MOST_UNROLLED || count > MOST_UNROLLED) throw new TooComplexError(inner, limit)
}

/** A character; a letter of ASCII in either case. */
function charAutomaton(code: number, eitherCase: boolean, limit: DeterminizeLimit): Automaton {
  const one = rangeAutomaton(code, code)
  if (!eitherCase || code > 0x80) return one
  const char = String.fromCharCode(code)
  const other = (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()).charCodeAt(0)
  return other === code ? one : minimized(united([one, rangeAutomaton(other, other)]), limit)
}
