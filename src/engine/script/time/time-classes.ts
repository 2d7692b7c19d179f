import { ServiceError } from '../../../errors.ts'
import { type TimeZone, timeZone, UTC } from '../../mapping/dates/time-zone.ts'
import { fault } from '../script-fault.ts'
import { enumConstant } from '../values/enum-constant.ts'
import { ScriptArray } from '../values/script-array.ts'
import type { ClassDefinition } from '../values/script-class.ts'
import type { ScriptLocale } from '../values/script-locale.ts'
import { ScriptObject } from '../values/script-object.ts'
import type { ScriptValue } from '../values/script-value.ts'
import { CHRONO_FIELDS, ISO_FIELDS, type ScriptField, ScriptWeekFields } from './calendar-field.ts'
import type { ScriptCalendarName } from './calendar-name.ts'
import { DURATION_CLASSES } from './duration-classes.ts'
import { ISO_WEEKS, SUNDAY_WEEKS, weeksOfCountry, weeksOfLanguage } from './locale-weeks.ts'
import { CALENDAR_CLASSES } from './script-calendar.ts'
import { ScriptDate } from './script-date.ts'
import { CALENDAR_NAME_CLASSES, fieldDateClass } from './script-date-class.ts'
import { DATE_FORMAT_CLASSES } from './script-date-format.ts'
import { FORMS, formatterOf, parsedAny, ScriptFormatter } from './script-formatter.ts'
import { JAVA_DATE_CLASS } from './script-java-date.ts'
import { ScriptInstant, type ScriptUnit, ScriptZone } from './script-time.ts'
import { dateOf, likeOf, QUARTER_YEARS, truncated } from './temporal-arithmetic.ts'
import {
  INSTANT_STATICS,
  moves,
  TEMPORAL_CLASSES,
  UTC_REGION,
  ZONED_METHODS,
  ZONED_STATICS,
} from './temporal-classes.ts'
import { OFFSET_DATE_TIME } from './temporal-kind.ts'
import { TEXT_STYLE_CLASS } from './text-style.ts'

/** Zones that java.time has both as an offset and as a region of that name. */
const REGIONS: ReadonlyMap<string, TimeZone> = new Map(
  ['UTC', 'GMT', 'UT'].map((id) => [id, { ...UTC_REGION, id }] as const),
)

function zoneOf(id: string | null): ScriptZone {
  if (id === null) throw fault('NullPointerException', 'zoneId')
  try {
    return new ScriptZone(REGIONS.get(id) ?? timeZone(id))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw /^[A-Za-z][\w~/.+-]+$/.test(id)
      ? fault('java.time.zone.ZoneRulesException', `Unknown time-zone ID: ${id}`)
      : fault('java.time.DateTimeException', `Invalid ID for region-based ZoneId, invalid format: ${id}`)
  }
}

/** An offset by its seconds. @throws {ScriptFault} date_time_exception for one beyond 18 hours */
function offsetOf(seconds: number): ScriptZone {
  const size = Math.abs(seconds)
  if (size > 64_800) throw fault('java.time.DateTimeException', 'Zone offset not in valid range: -18:00 to +18:00')
  const two = (number: number): string => String(Math.floor(number)).padStart(2, '0')
  const rest = size % 60 === 0 ? '' : `:${two(size % 60)}`
  const id = `${seconds < 0 ? '-' : '+'}${two(size / 3_600)}:${two((size / 60) % 60)}${rest}`
  return new ScriptZone(seconds === 0 ? UTC : timeZone(id))
}

function offsetNamed(id: string | null): ScriptZone {
  if (id === null) throw fault('NullPointerException', 'offsetId')
  const wrong = (reason: string): Error => fault('java.time.DateTimeException', reason)
  if (id === 'Z') return offsetOf(0)
  const parts = /^([+-])(\d\d?)(?::?(\d\d)(?::?(\d\d))?)?$/.exec(id)
  if (parts === null) throw wrong(`Invalid ID for ZoneOffset, invalid format: ${id}`)
  const [hours, minutes, seconds] = parts.slice(2).map((part) => Number(part ?? 0)) as [number, number, number]
  return offsetOf((parts[1] === '-' ? -1 : 1) * ((hours * 60 + minutes) * 60 + seconds))
}

const inNanos = (self: ScriptInstant): bigint => BigInt(((self.millis % 1_000) + 1_000) % 1_000) * 1_000_000n
const later = (self: ScriptInstant, nanos: bigint): ScriptInstant =>
  likeOf(dateOf(self).plusNanos(nanos)) as ScriptInstant

const INSTANT_CLASS: ClassDefinition = {
  name: 'Instant',
  javaName: 'java.time.Instant',
  parents: ['Temporal', 'TemporalAdjuster', 'Comparable'],
  methods: {
    ...moves('Instant'),
    'long toEpochMilli()': (self: ScriptInstant) => BigInt(self.millis),
    'long getEpochSecond()': (self: ScriptInstant) => BigInt(Math.floor(self.millis / 1_000)),
    'int getNano()': (self: ScriptInstant) => Number(inNanos(self)) + self.nanosOfMilli,
    'Instant plusMillis(long)': (self: ScriptInstant, amount: bigint) => later(self, amount * 1_000_000n),
    'Instant minusMillis(long)': (self: ScriptInstant, amount: bigint) => later(self, -amount * 1_000_000n),
    'Instant plusSeconds(long)': (self: ScriptInstant, amount: bigint) => later(self, amount * 1_000_000_000n),
    'Instant minusSeconds(long)': (self: ScriptInstant, amount: bigint) => later(self, -amount * 1_000_000_000n),
    'Instant plusNanos(long)': (self: ScriptInstant, amount: bigint) => later(self, amount),
    'Instant minusNanos(long)': (self: ScriptInstant, amount: bigint) => later(self, -amount),
    'boolean isAfter(Instant)': (self: ScriptInstant, other: ScriptInstant) => (self.compare(other) as number) > 0,
    'boolean isBefore(Instant)': (self: ScriptInstant, other: ScriptInstant) => (self.compare(other) as number) < 0,
    'int compareTo(Instant)': (self: ScriptInstant, other: ScriptInstant) => self.compare(other),
    'Instant truncatedTo(TemporalUnit)': (self: ScriptInstant, unit: ScriptUnit) =>
      likeOf(truncated(dateOf(self), unit)),
    'ZonedDateTime atZone(ZoneId)': (self: ScriptInstant, zone: ScriptZone) =>
      new ScriptDate(self.millis, self.nanosOfMilli, zone.zone),
    'OffsetDateTime atOffset(ZoneOffset)': (self: ScriptInstant, zone: ScriptZone) =>
      new ScriptDate(self.millis, self.nanosOfMilli, zone.zone, OFFSET_DATE_TIME),
  },
  statics: {
    ...INSTANT_STATICS,
    'Instant ofEpochMilli(long)': (millis: bigint) => new ScriptInstant(Number(millis)),
    'Instant ofEpochSecond(long)': (seconds: bigint) => new ScriptInstant(Number(seconds) * 1_000),
    'Instant ofEpochSecond(long,long)': (seconds: bigint, nanos: bigint) =>
      later(new ScriptInstant(Number(seconds) * 1_000), nanos),
  },
  constants: { 'Instant EPOCH': new ScriptInstant(0) },
}

/** Java's ZoneRules: how far a zone is ahead of UTC. */
class ScriptZoneRules extends ScriptObject {
  readonly zone: TimeZone

  constructor(zone: TimeZone) {
    super()
    this.zone = zone
  }

  get className(): string {
    return 'java.time.zone.ZoneRules'
  }
}

const ZONE_CLASSES: readonly ClassDefinition[] = [
  {
    name: 'ZoneId',
    javaName: 'java.time.ZoneId',
    methods: {
      'String getId()': (self: ScriptZone) => self.toText(),
      'ZoneRules getRules()': (self: ScriptZone) => new ScriptZoneRules(self.zone),
      'ZoneId normalized()': (self: ScriptZone) => (self.zone.id === 'UTC' ? new ScriptZone(UTC) : self),
    },
    statics: {
      'ZoneId of(String)': zoneOf,
      'ZoneId from(TemporalAccessor)': (value: ScriptValue) => new ScriptZone(dateOf(value).zone),
      'ZoneId systemDefault()': () => new ScriptZone(timeZone('Etc/UTC')),
    },
  },
  {
    name: 'ZoneRules',
    javaName: 'java.time.zone.ZoneRules',
    methods: {
      'ZoneOffset getOffset(Instant)': ({ zone }: ScriptZoneRules, at: ScriptInstant) =>
        offsetOf(zone.offsetAt(at.millis) / 1_000),
      'boolean isFixedOffset()': ({ zone }: ScriptZoneRules) => zone.fixedOffset !== undefined || zone.id === 'UTC',
    },
  },
  {
    name: 'ZoneOffset',
    javaName: 'java.time.ZoneOffset',
    parents: ['ZoneId', 'Comparable'],
    methods: { 'int getTotalSeconds()': (self: ScriptZone) => (self.zone.fixedOffset ?? 0) / 1_000 },
    statics: {
      'ZoneOffset of(String)': offsetNamed,
      'ZoneOffset ofHours(int)': (hours: number) => offsetOf(hours * 3_600),
      'ZoneOffset ofHoursMinutes(int,int)': (hours: number, minutes: number) => offsetOf(hours * 3_600 + minutes * 60),
      'ZoneOffset ofHoursMinutesSeconds(int,int,int)': (hours: number, minutes: number, seconds: number) =>
        offsetOf(hours * 3_600 + minutes * 60 + seconds),
      'ZoneOffset ofTotalSeconds(int)': offsetOf,
    },
    constants: {
      'ZoneOffset UTC': offsetOf(0),
      'ZoneOffset MIN': offsetOf(-64_800),
      'ZoneOffset MAX': offsetOf(64_800),
    },
  },
  {
    name: 'java.time.ZoneRegion',
    javaName: 'java.time.ZoneRegion',
    parents: ['ZoneId'],
    isUnnamed: true,
  },
]

const FORMATTER_CLASS: ClassDefinition = {
  name: 'DateTimeFormatter',
  javaName: 'java.time.format.DateTimeFormatter',
  methods: {
    'String format(TemporalAccessor)': (self: ScriptFormatter, date: ScriptValue) => self.format(dateOf(date), date),
    'TemporalAccessor parse(CharSequence)': (self: ScriptFormatter, text: ScriptValue) => parsedAny(text, self),
    'DateTimeFormatter withZone(ZoneId)': (self: ScriptFormatter, zone: ScriptZone | null) => self.in(zone?.zone),
    'DateTimeFormatter withLocale(Locale)': (self: ScriptFormatter, locale: ScriptLocale) =>
      new ScriptFormatter(self.form, locale.formatTag, self.zone),
    'ZoneId getZone()': ({ zone }: ScriptFormatter) => (zone === undefined ? null : new ScriptZone(zone)),
  },
  statics: {
    'DateTimeFormatter ofPattern(String)': (pattern: string | null) => formatterOf(pattern),
    'DateTimeFormatter ofPattern(String,Locale)': (pattern: string | null, locale: ScriptLocale | null) => {
      if (locale === null) throw fault('NullPointerException', 'locale')
      return formatterOf(pattern, locale.formatTag)
    },
  },
  constants: Object.fromEntries(
    Object.entries(FORMS).map(([name, form]) => [`DateTimeFormatter ${name}`, new ScriptFormatter(form)]),
  ),
}

const FIELD_CLASSES: readonly ClassDefinition[] = [
  {
    name: 'TemporalField',
    javaName: 'java.time.temporal.TemporalField',
    methods: {
      'long getFrom(TemporalAccessor)': (self: ScriptField, date: ScriptValue) => self.of(dateOf(date)),
      'boolean isSupportedBy(TemporalAccessor)': (self: ScriptField, date: ScriptValue) => self.isOf(dateOf(date)),
    },
  },
  {
    name: 'ChronoField',
    javaName: 'java.time.temporal.ChronoField',
    parents: ['TemporalField', 'Comparable'],
    methods: {
      'String name()': (self: ScriptField) => self.name,
      'int checkValidIntValue(long)': (self: ScriptField, value: bigint) => Number(self.check(value)),
      'long checkValidValue(long)': (self: ScriptField, value: bigint) => self.check(value),
    },
    statics: {
      'ChronoField[] values()': () => new ScriptArray('ChronoField', [...CHRONO_FIELDS]),
      'ChronoField valueOf(String)': (text: string | null) =>
        enumConstant(CHRONO_FIELDS, 'java.time.temporal.ChronoField', text, ({ name }) => name),
    },
    constants: Object.fromEntries(CHRONO_FIELDS.map((field) => [`ChronoField ${field.name}`, field])),
  },
  {
    name: 'IsoFields',
    javaName: 'java.time.temporal.IsoFields',
    constants: {
      ...Object.fromEntries(ISO_FIELDS.map((field) => [`TemporalField ${field.name}`, field])),
      'TemporalUnit QUARTER_YEARS': QUARTER_YEARS,
    },
  },
  ...['java.time.temporal.IsoFields$Field', 'java.time.temporal.WeekFields$ComputedDayOfField'].map(
    (javaName): ClassDefinition => ({ name: javaName, javaName, parents: ['TemporalField'], isUnnamed: true }),
  ),
]

/** @param weeksOf  weeks of a locale */
const weekFieldsClass = (weeksOf: (locale: ScriptLocale) => ScriptWeekFields): ClassDefinition => ({
  name: 'WeekFields',
  javaName: 'java.time.temporal.WeekFields',
  methods: {
    'TemporalField dayOfWeek()': (self: ScriptWeekFields) => self.dayOfWeek,
    'TemporalField weekBasedYear()': (self: ScriptWeekFields) => self.weekBasedYear,
    'TemporalField weekOfMonth()': (self: ScriptWeekFields) => self.weekOfMonth,
    'TemporalField weekOfWeekBasedYear()': (self: ScriptWeekFields) => self.weekOfWeekBasedYear,
    'TemporalField weekOfYear()': (self: ScriptWeekFields) => self.weekOfYear,
    'int getMinimalDaysInFirstWeek()': (self: ScriptWeekFields) => self.minimalDays,
  },
  statics: {
    'WeekFields of(DayOfWeek,int)': (first: ScriptCalendarName, days: number) =>
      new ScriptWeekFields(first.value, days),
    'WeekFields of(Locale)': weeksOf,
  },
  constants: { 'WeekFields ISO': ISO_WEEKS, 'WeekFields SUNDAY_START': SUNDAY_WEEKS },
})

const WEEK_FIELDS_CLASS: ClassDefinition = {
  ...weekFieldsClass(weeksOfCountry),
  later: weekFieldsClass(weeksOfLanguage),
}

/** Classes of `java.time`. */
export const TIME_CLASSES: readonly ClassDefinition[] = timeClasses(false)

/** The same in 7.x and later, where dates of fields are temporals like others. */
export const TIME_CLASSES_7: readonly ClassDefinition[] = timeClasses(true)

/** @param isTemporal  whether fields' dates are dates of java.time's */
function timeClasses(isTemporal: boolean): readonly ClassDefinition[] {
  return [
    JAVA_DATE_CLASS,
    ...CALENDAR_CLASSES,
    ...DATE_FORMAT_CLASSES,
    fieldDateClass(isTemporal),
    ...CALENDAR_NAME_CLASSES,
    ...TEMPORAL_CLASSES,
    {
      name: 'ZonedDateTime',
      javaName: 'java.time.ZonedDateTime',
      parents: ['ChronoZonedDateTime'],
      methods: ZONED_METHODS,
      statics: ZONED_STATICS,
    },
    INSTANT_CLASS,
    ...ZONE_CLASSES,
    ...DURATION_CLASSES,
    FORMATTER_CLASS,
    ...FIELD_CLASSES,
    WEEK_FIELDS_CLASS,
    TEXT_STYLE_CLASS,
  ]
}
