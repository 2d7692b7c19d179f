import { daysInMonth } from '../../mapping/dates/civil-time.ts'
import { fault } from '../script-fault.ts'
import { ScriptObject } from '../values/script-object.ts'
import type { ScriptCalendarName } from './calendar-name.ts'
import type { ScriptDate } from './script-date.ts'

/** One of Java's TemporalAdjusters: makes another date of a date. */
export class ScriptAdjuster extends ScriptObject {
  readonly adjust: (date: ScriptDate) => ScriptDate

  constructor(adjust: (date: ScriptDate) => ScriptDate) {
    super()
    this.adjust = adjust
  }

  get className(): string {
    return 'java.time.temporal.TemporalAdjusters'
  }
}

const firstOf = (date: ScriptDate): ScriptDate => date.on(date.year, date.month, 1)
const lastOf = ({ year, month }: ScriptDate, date: ScriptDate): ScriptDate =>
  date.on(year, month, daysInMonth(year, month))

/** The day of a week nearest before or after, or the day itself where that counts. */
function toward({ value }: ScriptCalendarName, direction: 1 | -1, isSame: boolean): ScriptAdjuster {
  return new ScriptAdjuster((date) => {
    const days = ((value - date.weekday) * direction + 7) % 7
    return date.plusDays((days === 0 && !isSame ? 7 : days) * direction)
  })
}

/** The nth such day of a week in the month; counted from its end where negative. */
function inMonth(nth: number, { value }: ScriptCalendarName): ScriptAdjuster {
  return new ScriptAdjuster((date) => {
    const from = nth >= 0 ? firstOf(date) : lastOf(date, date)
    const days = nth >= 0 ? (value - from.weekday + 7) % 7 : -((from.weekday - value + 7) % 7)
    return from.plusDays(days + (nth - Math.sign(nth)) * 7 - (nth === 0 ? 7 : 0))
  })
}

const adjuster = (adjust: (date: ScriptDate) => ScriptDate) => (): ScriptAdjuster => new ScriptAdjuster(adjust)

function named(day: ScriptCalendarName | null): ScriptCalendarName {
  if (day === null) throw fault('NullPointerException', null)
  return day
}

/** Java's `TemporalAdjusters`, by signature. */
export const ADJUSTERS = {
  'TemporalAdjuster firstDayOfMonth()': adjuster(firstOf),
  'TemporalAdjuster lastDayOfMonth()': adjuster((date) => lastOf(date, date)),
  'TemporalAdjuster firstDayOfNextMonth()': adjuster((date) => firstOf(date).plusMonths(1)),
  'TemporalAdjuster firstDayOfYear()': adjuster((date) => date.on(date.year, 1, 1)),
  'TemporalAdjuster lastDayOfYear()': adjuster((date) => date.on(date.year, 12, 31)),
  'TemporalAdjuster firstDayOfNextYear()': adjuster((date) => date.on(date.year + 1, 1, 1)),
  'TemporalAdjuster firstInMonth(DayOfWeek)': (day: ScriptCalendarName | null) => inMonth(1, named(day)),
  'TemporalAdjuster lastInMonth(DayOfWeek)': (day: ScriptCalendarName | null) => inMonth(-1, named(day)),
  'TemporalAdjuster dayOfWeekInMonth(int,DayOfWeek)': (nth: number, day: ScriptCalendarName | null) =>
    inMonth(nth, named(day)),
  'TemporalAdjuster next(DayOfWeek)': (day: ScriptCalendarName | null) => toward(named(day), 1, false),
  'TemporalAdjuster nextOrSame(DayOfWeek)': (day: ScriptCalendarName | null) => toward(named(day), 1, true),
  'TemporalAdjuster previous(DayOfWeek)': (day: ScriptCalendarName | null) => toward(named(day), -1, false),
  'TemporalAdjuster previousOrSame(DayOfWeek)': (day: ScriptCalendarName | null) => toward(named(day), -1, true),
}
