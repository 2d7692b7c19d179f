import { namedDateFormat } from '../../engine/mapping/dates/named-date-formats.ts'
import type { Warnings } from './warnings.ts'

/** What 6.x says of letters that java.time reads otherwise. */
const JODA: Readonly<Record<string, string>> = {
  Y: "'Y' year-of-era should be replaced with 'y'. Use 'Y' for week-based-year.",
  y: "'y' year should be replaced with 'u'. Use 'y' for year-of-era.",
  C: "'C' century of era is no longer supported.",
  x: "'x' weak-year should be replaced with 'Y'. Use 'x' for zone-offset.",
  Z: "'Z' time zone offset/id fails when parsing 'Z' for Zulu timezone. Consider using 'X'.",
  z: "'z' time zone text. Will print 'Z' for Zulu given UTC timezone.",
}

/** Who is told of formats that indices find, not who reads a request. */
export const ofIndices = (warnings: Warnings): Pick<Warnings, 'note'> => ({
  note: (name, ...words) => warnings.noteOfIndices(name, ...words),
})

/** Notes what of a date format is deprecated: names in camel case, letters of Joda's in 6.x. */
export function noteDateFormat(format: unknown, warnings: Pick<Warnings, 'note'>): void {
  if (typeof format !== 'string') return
  for (const part of format.split('||')) {
    if (part === 'week_year') warnings.note('week_year')
    const isNamed = /^epoch_(?:millis|second)$/.test(part) || namedDateFormat(part) !== undefined
    if (isNamed) {
      const snake = part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      if (snake !== part) warnings.note('camel_case_format', part, snake)
      continue
    }
    if (part.startsWith('8')) continue
    const letters = part.replace(/'[^']*'/g, '')
    const said = Object.keys(JODA).filter((letter) => letters.includes(letter))
    if (said.length > 0) warnings.note('joda_format', said.map((letter) => JODA[letter]).join('; '))
  }
}
