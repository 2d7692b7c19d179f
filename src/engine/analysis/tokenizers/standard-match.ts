import { type UnicodeVersion, WB, wordBreakClasses } from '../unicode/word-break.ts'
import { STANDARD_TYPES, standardAutomaton } from './standard-grammar.ts'

/** A token of the standard grammar. */
export interface StandardMatch {
  readonly end: number
  readonly type: string
}

/** The longest token of the standard grammar that begins at a place and ends at `limit` at most; undefined for none. */
export function matchStandard(
  unicode: UnicodeVersion,
  text: string,
  at: number,
  limit: number,
): StandardMatch | undefined {
  const classes = wordBreakClasses(unicode)
  const { transitions, accepts, width } = standardAutomaton(unicode)
  let state = width
  let rule = 0
  let end = at
  for (let next = at; next < limit; ) {
    const codePoint = text.codePointAt(next) as number
    const units = codePoint > 0xffff ? 2 : 1
    if (next + units > limit) break
    next += units
    const lone = codePoint >= 0xd800 && codePoint <= 0xdfff
    const c = units === 2 ? classes.supplementary(codePoint) : lone ? WB.other : (classes.units[codePoint] as number)
    state = transitions[state + c] as number
    if (state === 0) break
    const accepted = accepts[state / width] as number
    if (accepted === 0) continue
    rule = accepted
    end = next
  }
  return rule === 0 ? undefined : { end, type: STANDARD_TYPES[rule] as string }
}
