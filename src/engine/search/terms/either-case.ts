import { RegexpAutomaton } from '../../analysis/lucene-regexp.ts'

/**
 * What matches a pattern whose letters of ASCII count in either case, others as they are (`case_insensitive`).
 *
 * @param pattern  with `*` and `?`; `\` takes the next character as it is
 */
export function eitherCase(pattern: string): RegexpAutomaton {
  let expression = ''
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i] as string
    if (char === '*') expression += '.*'
    else if (char === '?') expression += '.'
    else expression += escaped(char === '\\' && i + 1 < pattern.length ? (pattern[++i] as string) : char)
  }
  return new RegexpAutomaton(expression, { flags: 'NONE', caseInsensitive: true })
}

/** A text as a pattern that describes nothing but itself. */
export function literalPattern(text: string): string {
  return text.replace(/[*?\\]/g, '\\$&')
}

function escaped(char: string): string {
  return /[.?+*|{}[\]()"\\^]/.test(char) ? `\\${char}` : char
}
