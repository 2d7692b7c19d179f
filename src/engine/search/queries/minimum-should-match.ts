import { ServiceError } from '../../../errors.ts'

/**
 * How many of `count` optional clauses must match, by the field's syntax: `2`, `-1`, `75%`, `-25%`, `3<90%`, `2<-25% 9<-3`.
 * The answer is never below 0; more than `count` means that nothing can match.
 */
export function minimumShouldMatch(specification: string, count: number): number {
  const text = specification.trim()
  if (text.includes('<')) {
    let result = count
    for (const condition of text.replace(/\s*<\s*/g, '<').split(/\s+/)) {
      const [limit, value] = condition.split('<') as [string, string]
      if (count <= whole(limit)) return result
      result = minimumShouldMatch(value, count)
    }
    return result
  }
  let result: number
  if (text.endsWith('%')) {
    // In floats, as Lucene has it; less than one of a share below zero is none, and all the others are wanted.
    const share = Math.fround(Math.fround(count * whole(text.slice(0, -1))) * Math.fround(0.01))
    result = share < 0 ? count + Math.trunc(share) : Math.trunc(share)
  } else {
    const value = whole(text)
    result = value < 0 ? count + value : value
  }
  return Math.max(0, result)
}

function whole(text: string): number {
  const number = /^[-+]?\d+$/.test(text.trim()) ? Number(text) : Number.NaN
  if (number !== (number | 0)) throw new ServiceError('number_format_exception', `For input string: "${text}"`)
  return number
}
