import { DAY_MS, isLeapYear, isoWeek } from '../../mapping/civil-time.ts'
import { ScriptObject } from '../script-object.ts'
import type { ScriptDate } from './script-date.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Java's ChronoField, or a field of its IsoFields: a part of a date that is asked for by name. */
export class ScriptField extends ScriptObject {
  readonly name: string
  readonly #shown: string
  readonly #read: (date: ScriptDate) => number | bigint

  constructor(name: string, shown: string, read: (date: ScriptDate) => number | bigint) {
    super()
    this.name = name
    this.#shown = shown
    this.#read = read
  }

  get className(): string {
    return 'java.time.temporal.ChronoField'
  }

  override get isJsonText(): boolean {
    return true
  }

  override toText(): string {
    return this.#shown
  }

  /** The field of a date. */
  of(date: ScriptDate): bigint {
    return BigInt(this.#read(date))
  }

  /** Whether its values are those of an int, which `get` can answer. */
  get isSmall(): boolean {
    return !LONG.has(this.name)
  }
}

const LONG: ReadonlySet<string> = new Set([
  'EPOCH_DAY',
  'INSTANT_SECONDS',
  'MICRO_OF_DAY',
  'NANO_OF_DAY',
  'PROLEPTIC_MONTH',
])

const nanoOfSecond = (date: ScriptDate): number => (date.millisOfDay % 1_000) * 1_000_000 + date.nanosOfMilli
const hourOf = (date: ScriptDate): number => Math.floor(date.millisOfDay / HOUR)
const clock = (hour: number, most: number): number => (hour % most === 0 ? most : hour % most)
const yearOfEra = ({ year }: ScriptDate): number => (year > 0 ? year : 1 - year)

/** All of them, by Java's names and as Java shows them. */
export const CHRONO_FIELDS: readonly ScriptField[] = [
  new ScriptField('NANO_OF_SECOND', 'NanoOfSecond', nanoOfSecond),
  new ScriptField(
    'NANO_OF_DAY',
    'NanoOfDay',
    (date) => BigInt(date.millisOfDay) * 1_000_000n + BigInt(date.nanosOfMilli),
  ),
  new ScriptField('MICRO_OF_SECOND', 'MicroOfSecond', (date) => Math.floor(nanoOfSecond(date) / 1_000)),
  new ScriptField(
    'MICRO_OF_DAY',
    'MicroOfDay',
    (date) => date.millisOfDay * 1_000 + Math.floor(date.nanosOfMilli / 1_000),
  ),
  new ScriptField('MILLI_OF_SECOND', 'MilliOfSecond', (date) => date.millisOfDay % 1_000),
  new ScriptField('MILLI_OF_DAY', 'MilliOfDay', (date) => date.millisOfDay),
  new ScriptField('SECOND_OF_MINUTE', 'SecondOfMinute', (date) => Math.floor(date.millisOfDay / 1_000) % 60),
  new ScriptField('SECOND_OF_DAY', 'SecondOfDay', (date) => Math.floor(date.millisOfDay / 1_000)),
  new ScriptField('MINUTE_OF_HOUR', 'MinuteOfHour', (date) => Math.floor(date.millisOfDay / MINUTE) % 60),
  new ScriptField('MINUTE_OF_DAY', 'MinuteOfDay', (date) => Math.floor(date.millisOfDay / MINUTE)),
  new ScriptField('HOUR_OF_AMPM', 'HourOfAmPm', (date) => hourOf(date) % 12),
  new ScriptField('CLOCK_HOUR_OF_AMPM', 'ClockHourOfAmPm', (date) => clock(hourOf(date), 12)),
  new ScriptField('HOUR_OF_DAY', 'HourOfDay', hourOf),
  new ScriptField('CLOCK_HOUR_OF_DAY', 'ClockHourOfDay', (date) => clock(hourOf(date), 24)),
  new ScriptField('AMPM_OF_DAY', 'AmPmOfDay', (date) => Math.floor(hourOf(date) / 12)),
  new ScriptField('DAY_OF_WEEK', 'DayOfWeek', (date) => date.weekday),
  new ScriptField('ALIGNED_DAY_OF_WEEK_IN_MONTH', 'AlignedDayOfWeekInMonth', (date) => ((date.day - 1) % 7) + 1),
  new ScriptField('ALIGNED_DAY_OF_WEEK_IN_YEAR', 'AlignedDayOfWeekInYear', (date) => ((date.dayOfYear - 1) % 7) + 1),
  new ScriptField('DAY_OF_MONTH', 'DayOfMonth', (date) => date.day),
  new ScriptField('DAY_OF_YEAR', 'DayOfYear', (date) => date.dayOfYear),
  new ScriptField('EPOCH_DAY', 'EpochDay', (date) => Math.floor(date.local / DAY_MS)),
  new ScriptField('ALIGNED_WEEK_OF_MONTH', 'AlignedWeekOfMonth', (date) => Math.floor((date.day - 1) / 7) + 1),
  new ScriptField('ALIGNED_WEEK_OF_YEAR', 'AlignedWeekOfYear', (date) => Math.floor((date.dayOfYear - 1) / 7) + 1),
  new ScriptField('MONTH_OF_YEAR', 'MonthOfYear', (date) => date.month),
  new ScriptField('PROLEPTIC_MONTH', 'ProlepticMonth', (date) => date.year * 12 + date.month - 1),
  new ScriptField('YEAR_OF_ERA', 'YearOfEra', yearOfEra),
  new ScriptField('YEAR', 'Year', (date) => date.year),
  new ScriptField('ERA', 'Era', (date) => (date.year > 0 ? 1 : 0)),
  new ScriptField('INSTANT_SECONDS', 'InstantSeconds', (date) => Math.floor(date.millis / 1_000)),
  new ScriptField('OFFSET_SECONDS', 'OffsetSeconds', (date) => Math.trunc(date.zone.offsetAt(date.millis) / 1_000)),
]

const quarterOf = ({ month }: ScriptDate): number => Math.floor((month - 1) / 3)
/** Days of a year before each quarter. */
const BEFORE_QUARTERS = [0, 90, 181, 273]
const weekOf = (date: ScriptDate): ReturnType<typeof isoWeek> => isoWeek(Math.floor(date.local / DAY_MS))

/** Fields of quarters and of weeks that begin on Monday, by Java's names. */
export const ISO_FIELDS: readonly ScriptField[] = [
  new ScriptField('DAY_OF_QUARTER', 'DayOfQuarter', (date) => {
    const quarter = quarterOf(date)
    const leap = quarter > 0 && isLeapYear(date.year) ? 1 : 0
    return date.dayOfYear - (BEFORE_QUARTERS[quarter] as number) - leap
  }),
  new ScriptField('QUARTER_OF_YEAR', 'QuarterOfYear', (date) => quarterOf(date) + 1),
  new ScriptField('WEEK_OF_WEEK_BASED_YEAR', 'WeekOfWeekBasedYear', (date) => weekOf(date).week),
  new ScriptField('WEEK_BASED_YEAR', 'WeekBasedYear', (date) => weekOf(date).weekyear),
]
