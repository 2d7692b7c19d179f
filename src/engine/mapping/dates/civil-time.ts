/** Milliseconds of a day. */
export const DAY_MS = 86_400_000

/** An instant as a calendar and a clock show it (ISO calendar, no leap seconds). */
export interface CivilTime {
  readonly year: number
  /** 1-12. */
  readonly month: number
  /** 1-31. */
  readonly day: number
  /** Since midnight. */
  readonly millisOfDay: number
}

/** Days since 1970-01-01 of a date; any year. */
export function daysOfDate(year: number, month: number, day: number): number {
  // Years run from March, so that the leap day is the last: day of year = (153 × month + 2) / 5.
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
}

/** The calendar's and the clock's reading of milliseconds since 1970 (local ones when shifted by an offset before). */
export function civilTime(epochMillis: number): CivilTime {
  const days = Math.floor(epochMillis / DAY_MS)
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
    millisOfDay: epochMillis - days * DAY_MS,
  }
}

/** True for leap years. */
export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

/** Days of a month. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** ISO day of the week, Monday 1 to Sunday 7, of days since 1970. */
export function dayOfWeek(days: number): number {
  return ((((days + 3) % 7) + 7) % 7) + 1
}

/** Days since 1970 of the Monday that begins an ISO week-based year. */
export function startOfWeekyear(weekyear: number): number {
  // The 4th of January is always in week 1.
  const fourth = daysOfDate(weekyear, 1, 4)
  return fourth - (dayOfWeek(fourth) - 1)
}

/** Weeks of an ISO week-based year: 52 or 53. */
export function weeksInWeekyear(weekyear: number): number {
  return (startOfWeekyear(weekyear + 1) - startOfWeekyear(weekyear)) / 7
}

/** ISO week-based year and week of days since 1970. */
export function isoWeek(days: number): { readonly weekyear: number; readonly week: number } {
  const { year } = civilTime(days * DAY_MS)
  let weekyear = year + 1
  while (days < startOfWeekyear(weekyear)) weekyear--
  return { weekyear, week: Math.floor((days - startOfWeekyear(weekyear)) / 7) + 1 }
}
