import { civilTime, DAY_MS, daysInMonth, daysOfDate, isLeapYear } from '../../mapping/dates/civil-time.ts'
import { localToEpoch, type TimeZone, timeZone } from '../../mapping/dates/time-zone.ts'
import { fault } from '../script-fault.ts'
import type { ClassDefinition } from '../values/script-class.ts'
import { ScriptObject } from '../values/script-object.ts'
import type { ScriptValue } from '../values/script-value.ts'
import { ScriptWeekFields } from './calendar-field.ts'
import { DAYS, MONTHS } from './calendar-name.ts'
import { ScriptDate } from './script-date.ts'
import { ScriptJavaDate } from './script-java-date.ts'
import { ScriptInstant, ScriptZone } from './script-time.ts'

/** Java's TimeZone. */
export class ScriptTimeZone extends ScriptObject {
  readonly zone: TimeZone

  constructor(zone: TimeZone) {
    super()
    this.zone = zone
  }

  get className(): string {
    return 'sun.util.calendar.ZoneInfo'
  }
}

/** A zone by its name; GMT for names that there are not, as Java has it. */
function zoneNamed(id: string): ScriptTimeZone {
  try {
    return new ScriptTimeZone(timeZone(id.replace(/^GMT(?=[+-])/, '')))
  } catch {
    return new ScriptTimeZone({ ...timeZone('GMT'), id: 'GMT' })
  }
}

/** A zone's offset without daylight saving time: the smaller of the year's. */
function rawOffset(zone: TimeZone, millis = Date.now()): number {
  const { year } = civilTime(millis)
  const halves = [1, 7].map((month) => zone.offsetAt(daysOfDate(year, month, 1) * DAY_MS))
  return Math.min(...halves)
}

/** Java's numbers of fields. */
const FIELDS = {
  ERA: 0,
  YEAR: 1,
  MONTH: 2,
  WEEK_OF_YEAR: 3,
  WEEK_OF_MONTH: 4,
  DATE: 5,
  DAY_OF_MONTH: 5,
  DAY_OF_YEAR: 6,
  DAY_OF_WEEK: 7,
  DAY_OF_WEEK_IN_MONTH: 8,
  AM_PM: 9,
  HOUR: 10,
  HOUR_OF_DAY: 11,
  MINUTE: 12,
  SECOND: 13,
  MILLISECOND: 14,
  ZONE_OFFSET: 15,
  DST_OFFSET: 16,
} as const

/** Milliseconds of fields that are moved by a length of time. */
const LENGTHS: ReadonlyMap<number, number> = new Map([
  [FIELDS.AM_PM, DAY_MS / 2],
  [FIELDS.HOUR, 3_600_000],
  [FIELDS.HOUR_OF_DAY, 3_600_000],
  [FIELDS.MINUTE, 60_000],
  [FIELDS.SECOND, 1_000],
  [FIELDS.MILLISECOND, 1],
])

/** Java's GregorianCalendar: a point of time that scripts move by the fields of its date. */
class ScriptCalendar extends ScriptObject {
  millis: number
  zone: TimeZone

  constructor(millis: number, zone: TimeZone) {
    super()
    this.millis = millis
    this.zone = zone
  }

  get className(): string {
    return 'java.util.GregorianCalendar'
  }

  override get isJsonText(): boolean {
    return true
  }

  override get jsonText(): string {
    return new ScriptInstant(this.millis).jsonText
  }

  override isEqual(other: unknown): boolean {
    return other instanceof ScriptCalendar && other.millis === this.millis
  }

  override compare(other: unknown): number | undefined {
    return other instanceof ScriptCalendar ? Math.sign(this.millis - other.millis) : undefined
  }

  get #date(): ScriptDate {
    return new ScriptDate(this.millis, 0, this.zone)
  }

  #become({ millis }: ScriptDate): void {
    this.millis = millis
  }

  get(field: number): number {
    const date = this.#date
    const hour = Math.floor(date.millisOfDay / 3_600_000)
    const weeks = new ScriptWeekFields(7, 1)
    switch (field) {
      case FIELDS.ERA:
        return date.year > 0 ? 1 : 0
      case FIELDS.YEAR:
        return date.year > 0 ? date.year : 1 - date.year
      case FIELDS.MONTH:
        return date.month - 1
      case FIELDS.WEEK_OF_YEAR:
        return Number(weeks.weekOfWeekBasedYear.of(date))
      case FIELDS.WEEK_OF_MONTH:
        return Number(weeks.weekOfMonth.of(date))
      case FIELDS.DATE:
        return date.day
      case FIELDS.DAY_OF_YEAR:
        return date.dayOfYear
      case FIELDS.DAY_OF_WEEK:
        return (date.weekday % 7) + 1
      case FIELDS.DAY_OF_WEEK_IN_MONTH:
        return Math.floor((date.day - 1) / 7) + 1
      case FIELDS.AM_PM:
        return Math.floor(hour / 12)
      case FIELDS.HOUR:
        return hour % 12
      case FIELDS.HOUR_OF_DAY:
        return hour
      case FIELDS.MINUTE:
        return Math.floor(date.millisOfDay / 60_000) % 60
      case FIELDS.SECOND:
        return Math.floor(date.millisOfDay / 1_000) % 60
      case FIELDS.MILLISECOND:
        return date.millisOfDay % 1_000
      case FIELDS.ZONE_OFFSET:
        return rawOffset(this.zone, this.millis)
      case FIELDS.DST_OFFSET:
        return this.zone.offsetAt(this.millis) - rawOffset(this.zone, this.millis)
      default:
        throw fault('ArrayIndexOutOfBoundsException', `Index ${field} out of bounds for length 17`)
    }
  }

  /** Counts on from values that a field does not have, as a lenient calendar does. */
  set(field: number, value: number): void {
    const date = this.#date
    const length = LENGTHS.get(field)
    if (length !== undefined) this.#at(date.local + (value - this.get(field)) * length)
    else if (field === FIELDS.YEAR) this.#on(value, date.month - 1, date.day, date.millisOfDay)
    else if (field === FIELDS.MONTH) this.#on(date.year, value, date.day, date.millisOfDay)
    else if (field === FIELDS.WEEK_OF_YEAR || field === FIELDS.WEEK_OF_MONTH || field === FIELDS.DAY_OF_WEEK_IN_MONTH)
      this.#become(date.plusDays((value - this.get(field)) * 7))
    else this.#become(date.plusDays(value - this.get(field)))
  }

  /** Sets the parts of a date, months from 0 on; what is not told of the time stays. */
  setDate(year: number, month: number, day: number, hour?: number, minute?: number, second?: number): void {
    const { millisOfDay } = this.#date
    const now = [3_600_000, 60_000, 1_000].map((unit, i) => Math.floor(millisOfDay / unit) % (i === 0 ? 24 : 60))
    const [h = 0, m = 0, s = 0] = [hour ?? now[0], minute ?? now[1], second ?? now[2]]
    this.#on(year, month, day, ((h * 60 + m) * 60 + s) * 1_000 + (millisOfDay % 1_000))
  }

  add(field: number, amount: number): void {
    const date = this.#date
    const length = LENGTHS.get(field)
    if (length !== undefined) this.millis += amount * length
    else if (field === FIELDS.YEAR) this.#become(date.plusMonths(amount * 12))
    else if (field === FIELDS.MONTH) this.#become(date.plusMonths(amount))
    else if (field === FIELDS.WEEK_OF_YEAR || field === FIELDS.WEEK_OF_MONTH || field === FIELDS.DAY_OF_WEEK_IN_MONTH)
      this.#become(date.plusDays(amount * 7))
    else this.#become(date.plusDays(amount))
  }

  /** The largest value that a field has at this date. */
  mostOf(field: number): number {
    const { year, month } = this.#date
    switch (field) {
      case FIELDS.DATE:
        return daysInMonth(year, month)
      case FIELDS.DAY_OF_YEAR:
        return isLeapYear(year) ? 366 : 365
      case FIELDS.MONTH:
        return 11
      case FIELDS.DAY_OF_WEEK:
        return 7
      case FIELDS.HOUR:
        return 11
      case FIELDS.HOUR_OF_DAY:
        return 23
      case FIELDS.MILLISECOND:
        return 999
      default:
        return 59
    }
  }

  get asDate(): ScriptDate {
    return this.#date
  }

  #at(local: number): void {
    this.millis = localToEpoch(local, this.zone)
  }

  #on(year: number, month: number, day: number, millisOfDay: number): void {
    const first = daysOfDate(year + Math.floor(month / 12), (((month % 12) + 12) % 12) + 1, 1)
    this.#at((first + day - 1) * DAY_MS + millisOfDay)
  }
}

const now = (zone: ScriptTimeZone | undefined): ScriptCalendar =>
  new ScriptCalendar(Date.now(), zone?.zone ?? timeZone('UTC'))

function calendarOn(...parts: Parameters<ScriptCalendar['setDate']>): ScriptCalendar {
  const calendar = new ScriptCalendar(0, timeZone('UTC'))
  calendar.setDate(...parts)
  return calendar
}

/** `java.util.Calendar` and its kin. */
export const CALENDAR_CLASSES: readonly ClassDefinition[] = [
  {
    name: 'Calendar',
    javaName: 'java.util.Calendar',
    parents: ['Comparable'],
    methods: {
      'void add(int,int)': (self: ScriptCalendar, field: number, amount: number) => self.add(field, amount),
      'boolean after(Object)': (self: ScriptCalendar, other: ScriptValue) => (self.compare(other) ?? 0) > 0,
      'boolean before(Object)': (self: ScriptCalendar, other: ScriptValue) => (self.compare(other) ?? 0) < 0,
      'int compareTo(Calendar)': (self: ScriptCalendar, other: ScriptValue) => self.compare(other),
      'def clone()': (self: ScriptCalendar) => new ScriptCalendar(self.millis, self.zone),
      'int get(int)': (self: ScriptCalendar, field: number) => self.get(field),
      'int getActualMaximum(int)': (self: ScriptCalendar, field: number) => self.mostOf(field),
      'Date getTime()': (self: ScriptCalendar) => new ScriptJavaDate(self.millis),
      'long getTimeInMillis()': (self: ScriptCalendar) => BigInt(self.millis),
      'TimeZone getTimeZone()': (self: ScriptCalendar) => new ScriptTimeZone(self.zone),
      'int getFirstDayOfWeek()': () => 1,
      'void set(int,int)': (self: ScriptCalendar, field: number, value: number) => self.set(field, value),
      'void set(int,int,int)': (self: ScriptCalendar, year: number, month: number, day: number) =>
        self.setDate(year, month, day),
      'void set(int,int,int,int,int)': (self: ScriptCalendar, ...[y, month, d, h, minute]: number[]) =>
        self.setDate(y as number, month as number, d as number, h, minute),
      'void set(int,int,int,int,int,int)': (self: ScriptCalendar, ...[y, month, d, h, minute, s]: number[]) =>
        self.setDate(y as number, month as number, d as number, h, minute, s),
      'void setTime(Date)': (self: ScriptCalendar, { millis }: ScriptJavaDate) => {
        self.millis = millis
      },
      'void setTimeInMillis(long)': (self: ScriptCalendar, millis: bigint) => {
        self.millis = Number(millis)
      },
      'void setTimeZone(TimeZone)': (self: ScriptCalendar, { zone }: ScriptTimeZone) => {
        self.zone = zone
      },
      'Instant toInstant()': (self: ScriptCalendar) => new ScriptInstant(self.millis),
    },
    statics: {
      'Calendar getInstance()': () => now(undefined),
      'Calendar getInstance(TimeZone)': now,
      'Calendar getInstance(TimeZone,Locale)': now,
    },
    constants: Object.fromEntries([
      ...Object.entries(FIELDS).map(([name, field]) => [`int ${name}`, field]),
      // Sunday is the first here.
      ...DAYS.map((name, i) => [`int ${name}`, ((i + 1) % 7) + 1]),
      ...MONTHS.map((name, i) => [`int ${name}`, i]),
      ['int AM', 0],
      ['int PM', 1],
    ]),
  },
  {
    name: 'GregorianCalendar',
    javaName: 'java.util.GregorianCalendar',
    parents: ['Calendar'],
    constructors: {
      '()': () => now(undefined),
      '(TimeZone)': now,
      '(int,int,int)': (year: number, month: number, day: number) => calendarOn(year, month, day),
      '(int,int,int,int,int)': (...[y, month, d, h, minute]: number[]) =>
        calendarOn(y as number, month as number, d as number, h, minute),
      '(int,int,int,int,int,int)': (...[y, month, d, h, minute, s]: number[]) =>
        calendarOn(y as number, month as number, d as number, h, minute, s),
    },
    methods: {
      'boolean isLeapYear(int)': (_: ScriptCalendar, year: number) => isLeapYear(year),
      'ZonedDateTime toZonedDateTime()': (self: ScriptCalendar) => self.asDate,
    },
    statics: {
      'GregorianCalendar from(ZonedDateTime)': ({ millis, zone }: ScriptDate) => new ScriptCalendar(millis, zone),
    },
  },
  {
    name: 'TimeZone',
    javaName: 'java.util.TimeZone',
    methods: {
      'String getID()': ({ zone }: ScriptTimeZone) =>
        zone.fixedOffset === undefined || zone.fixedOffset === 0 ? zone.id : `GMT${zone.id}`,
      'int getOffset(long)': ({ zone }: ScriptTimeZone, millis: bigint) => zone.offsetAt(Number(millis)),
      'int getRawOffset()': ({ zone }: ScriptTimeZone) => rawOffset(zone),
      'boolean inDaylightTime(Date)': ({ zone }: ScriptTimeZone, { millis }: ScriptJavaDate) =>
        zone.offsetAt(millis) !== rawOffset(zone, millis),
      'ZoneId toZoneId()': ({ zone }: ScriptTimeZone) => new ScriptZone(zone),
    },
    statics: {
      'TimeZone getTimeZone(String)': zoneNamed,
      'TimeZone getDefault()': () => zoneNamed('Etc/UTC'),
    },
  },
  {
    name: 'sun.util.calendar.ZoneInfo',
    javaName: 'sun.util.calendar.ZoneInfo',
    parents: ['TimeZone'],
    isUnnamed: true,
  },
]
