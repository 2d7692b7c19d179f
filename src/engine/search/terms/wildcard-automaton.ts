import { type Automaton, MAX_CODE_POINT } from '../../analysis/automaton/automaton.ts'
import { anyStringAutomaton, rangeAutomaton } from '../../analysis/automaton/basic-automata.ts'
import { concatenated } from '../../analysis/automaton/combine-automata.ts'
import { compileAutomaton, MAX_LEVEL, tooLarge } from '../../analysis/automaton/compile-automaton.ts'
import type { LuceneGeneration } from '../../analysis/automaton/regexp-parser.ts'
import { determinizeLimit } from '../../analysis/lucene-regexp.ts'

/** Patterns up to these lengths are never too complex. */
const EASY_QUESTION_MARKS = 6
const EASY_LENGTH = 500

/**
 * Refuses a pattern with `*` and `?` that Lucene's automaton of it would be too complex for; to find its terms no automaton
 * is made.
 *
 * @throws {ServiceError} too_complex_to_determinize_exception, illegal_argument_exception
 * @source Lucene, WildcardQuery
 */
export function checkWildcard(pattern: string, lucene: LuceneGeneration): void {
  if (isEasy(pattern)) return
  const chars = [...pattern]
  const parts: Automaton[] = []
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i] as string
    if (char === '*') parts.push(anyStringAutomaton())
    else if (char === '?') parts.push(rangeAutomaton(0, MAX_CODE_POINT))
    else {
      const literal = char === '\\' && i + 1 < chars.length ? (chars[++i] as string) : char
      const code = literal.codePointAt(0) as number
      parts.push(rangeAutomaton(code, code))
    }
  }
  compileAutomaton(() => concatenated(parts), determinizeLimit(lucene))
}

/** Refuses a beginning that Lucene's automaton of it would be too deep for. @throws {ServiceError} illegal_argument_exception */
export function checkPrefix(prefix: Uint8Array): void {
  if (prefix.length > MAX_LEVEL) throw tooLarge(MAX_LEVEL + 1)
}

function isEasy(pattern: string): boolean {
  if (pattern.length > EASY_LENGTH) return false
  return !pattern.includes('*') || pattern.split('?').length - 1 <= EASY_QUESTION_MARKS
}
