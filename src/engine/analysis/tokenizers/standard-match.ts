import { supplementaryWordBreak, WB, wordBreakTable } from '../unicode/word-break.ts'
import { STANDARD_TYPES, standardAutomaton } from './standard-grammar.ts'

/** A token of the standard grammar. */
export interface StandardMatch {
  readonly end: number
  readonly type: string
}

/** The longest token of the standard grammar that begins at a place and ends at `limit` at most; undefined for none. */
export function matchStandard(text: string, at: number, limit: number): StandardMatch | undefined {
  const table = wordBreakTable()
  const { transitions, accepts, width } = standardAutomaton()
  let state = width
  let rule = 0
  let end = at
  for (let next = at; next < limit; ) {
    const codePoint = text.codePointAt(next) as number
    const units = codePoint > 0xffff ? 2 : 1
    if (next + units > limit) break
    next += units
    const lone = codePoint >= 0xd800 && codePoint <= 0xdfff
    const c = units === 2 ? supplementaryWordBreak(codePoint) : lone ? WB.other : (table[codePoint] as number)
    state = transitions[state + c] as number
    if (state === 0) break
    const accepted = accepts[state / width] as number
    if (accepted === 0) continue
    rule = accepted
    end = next
  }
  return rule === 0 ? undefined : { end, type: STANDARD_TYPES[rule] as string }
}
