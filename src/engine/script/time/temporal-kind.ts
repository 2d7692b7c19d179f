/** Groups of fields that a kind of date has or has not: Java's classes are told apart by them. */
export type FieldGroup =
  | 'year'
  | 'month'
  | 'yearMonth'
  | 'dayOfMonth'
  | 'day'
  | 'fraction'
  | 'time'
  | 'offset'
  | 'instant'

/** A class of java.time that is a date, a time, or a part of one. */
export interface TemporalKind {
  /** As scripts write it: `LocalDate`. */
  readonly name: string
  readonly className: string
  readonly fields: ReadonlySet<FieldGroup>
  /** Smallest and largest unit it can be moved by, as places in Java's list of them; undefined: by none. */
  readonly units: readonly [smallest: number, largest: number] | undefined
  /** How much of the calendar it names; undefined: nothing. */
  readonly calendar?: 'date' | 'yearMonth' | 'year' | 'monthDay'
  readonly hasClock: boolean
  readonly hasOffset: boolean
  /** Whether it may be in a region, whose offset changes. */
  readonly hasRegion: boolean
}

const DATE: readonly FieldGroup[] = ['year', 'month', 'yearMonth', 'dayOfMonth', 'day']
const CLOCK: readonly FieldGroup[] = ['fraction', 'time']
const MOMENT: readonly FieldGroup[] = [...DATE, ...CLOCK, 'offset', 'instant']
/** Places of `HALF_DAYS`, `DAYS`, `MONTHS`, `YEARS` and the last one among units. */
const [HALF_DAYS, DAYS, MONTHS, YEARS, LAST] = [6, 7, 9, 10, 14] as const

function kind(
  name: string,
  fields: readonly FieldGroup[],
  units: TemporalKind['units'],
  more: Partial<TemporalKind> = {},
): TemporalKind {
  return {
    name,
    className: `java.time.${name}`,
    fields: new Set(fields),
    units,
    hasClock: false,
    hasOffset: false,
    hasRegion: false,
    ...more,
  }
}

const ZONED = { calendar: 'date', hasClock: true, hasOffset: true, hasRegion: true } as const

export const ZONED_DATE_TIME = kind('ZonedDateTime', MOMENT, [0, LAST], ZONED)
/** What fields give: a ZonedDateTime that knows Joda's methods too. */
export const FIELD_DATE = kind('ZonedDateTime', MOMENT, [0, LAST], {
  ...ZONED,
  className: 'org.elasticsearch.script.JodaCompatibleZonedDateTime',
})
export const OFFSET_DATE_TIME = kind('OffsetDateTime', MOMENT, [0, LAST], { ...ZONED, hasRegion: false })
export const LOCAL_DATE = kind('LocalDate', DATE, [DAYS, LAST], { calendar: 'date' })
export const LOCAL_DATE_TIME = kind('LocalDateTime', [...DATE, ...CLOCK], [0, LAST], {
  calendar: 'date',
  hasClock: true,
})
export const LOCAL_TIME = kind('LocalTime', CLOCK, [0, HALF_DAYS], { hasClock: true })
export const OFFSET_TIME = kind('OffsetTime', [...CLOCK, 'offset'], [0, HALF_DAYS], {
  hasClock: true,
  hasOffset: true,
})
export const YEAR_MONTH = kind('YearMonth', ['year', 'month', 'yearMonth'], [MONTHS, LAST], { calendar: 'yearMonth' })
export const YEAR = kind('Year', ['year'], [YEARS, LAST], { calendar: 'year' })
export const MONTH_DAY = kind('MonthDay', ['month', 'dayOfMonth'], undefined, { calendar: 'monthDay' })
export const INSTANT = kind('Instant', ['fraction', 'instant'], [0, DAYS])
