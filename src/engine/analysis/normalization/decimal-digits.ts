import { digitValue } from '../unicode/java-character.ts'

/** Decimal digits of any script as `0` to `9`. */
export function normalizeDecimalDigits(term: string): string {
  if (!/[^\0-\x7f]/.test(term)) return term
  return term.replace(/[^\0-\x7f]/gu, (char) => {
    const value = digitValue(char.codePointAt(0) as number)
    return value === undefined ? char : String(value)
  })
}
