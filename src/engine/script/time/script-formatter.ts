import { ServiceError } from '../../../errors.ts'
import { createDateFormat } from '../../mapping/dates/create-date-format.ts'
import { localToEpoch, type TimeZone, timeZone, UTC } from '../../mapping/dates/time-zone.ts'
import { fault, ScriptFault, ScriptThrowable } from '../script-fault.ts'
import { ScriptObject } from '../values/script-object.ts'
import { type ScriptValue, textOf } from '../values/script-value.ts'
import { unsupported } from './calendar-field.ts'
import { type IsoForm, type IsoPart, type ReadDate, readIso } from './iso-text.ts'
import { ScriptDate } from './script-date.ts'
import { ScriptInstant } from './script-time.ts'
import { converted } from './temporal-arithmetic.ts'
import {
  INSTANT,
  LOCAL_DATE,
  LOCAL_DATE_TIME,
  LOCAL_TIME,
  MONTH_DAY,
  OFFSET_DATE_TIME,
  OFFSET_TIME,
  type TemporalKind,
  YEAR,
  YEAR_MONTH,
  ZONED_DATE_TIME,
} from './temporal-kind.ts'

/** A form by name: how it is written, the letters a pattern would have for it, and how it is read where it can be. */
export interface NamedForm {
  readonly letters: string
  readonly write: (date: ScriptDate) => string
  readonly iso?: IsoForm
}

/** Java's DateTimeFormatter. */
export class ScriptFormatter extends ScriptObject {
  readonly form: string | NamedForm
  readonly locale: string
  /** What it reads and writes in where a date has no zone or another. */
  readonly zone: TimeZone | undefined

  constructor(form: string | NamedForm, locale = '', zone?: TimeZone) {
    super()
    this.form = form
    this.locale = locale
    this.zone = zone
  }

  get className(): string {
    return 'java.time.format.DateTimeFormatter'
  }

  in(zone: TimeZone | undefined): ScriptFormatter {
    return new ScriptFormatter(this.form, this.locale, zone)
  }

  /** A date in this form. @throws {ScriptFault} unsupported_temporal_type_exception for what the date does not have */
  format(date: ScriptDate, from: ScriptValue = date): string {
    const { form, zone } = this
    const moved = zone === undefined || !date.kind.fields.has('instant') ? date : date.as(ZONED_DATE_TIME).in(zone)
    for (const letter of lettersOf(form)) requireLetter(letter, moved, from)
    if (typeof form !== 'string') return form.write(moved)
    const nanos = BigInt(moved.millis) * 1_000_000n + BigInt(moved.nanosOfMilli)
    return javaFormat(form, this.locale).formatNanos(nanos, moved.zone.id)
  }

  /** What a text says. @throws {ScriptFault} date_time_parse_exception */
  read(text: string): ReadDate & { readonly letters: string } {
    const { form } = this
    const letters = lettersOf(form)
    const read = typeof form === 'string' ? this.#readPattern(text, form, letters) : readNamed(text, form)
    return { ...read, zone: read.zone ?? this.zone, letters }
  }

  #readPattern(text: string, pattern: string, letters: string): ReadDate {
    try {
      const local = javaFormat(pattern, this.locale).parseNanos(text)
      const zone = /[zZXxVO]/.test(letters) ? zoneIn(text) : undefined
      const millis = Number((local - (((local % 1_000_000n) + 1_000_000n) % 1_000_000n)) / 1_000_000n)
      const offset = zone?.offsetAt(millis) ?? 0
      return { localMillis: millis + offset, nanosOfMilli: Number(local - BigInt(millis) * 1_000_000n), zone }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      throw unreadable(reasonIn(error) ?? `Text '${text}' could not be parsed at index 0`)
    }
  }
}

const unreadable = (reason: string, cause?: ScriptThrowable): ScriptFault =>
  new ScriptFault(new ScriptThrowable('java.time.format.DateTimeParseException', reason, cause))

/** What java.time itself says in a fault of a format. */
function reasonIn(error: ServiceError): string | undefined {
  for (let at: unknown = error; at instanceof ServiceError; at = at.cause) {
    if (at.type === 'date_time_parse_exception') return at.reason ?? undefined
  }
  return undefined
}

function javaFormat(pattern: string, locale: string) {
  try {
    return createDateFormat(pattern, 'OpenSearch_2.19', locale)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const inner = error.cause instanceof ServiceError ? error.cause : error
    throw fault('IllegalArgumentException', inner.reason)
  }
}

/** Makes a formatter of a pattern. @throws {ScriptFault} illegal_argument_exception for one that is none */
export function formatterOf(pattern: string | null, locale = ''): ScriptFormatter {
  if (pattern === null) throw fault('NullPointerException', 'pattern')
  javaFormat(pattern, locale)
  return new ScriptFormatter(pattern, locale)
}

function zoneIn(text: string): TimeZone {
  const [, region] = /\[(.*)\]$/.exec(text) ?? []
  const id = region ?? /(?:[+-]\d\d:?(?:\d\d)?|Z|[A-Z][A-Za-z]+(?:\/[\w/+-]+)?)$/.exec(text)?.[0] ?? 'Z'
  return timeZone(id)
}

function readNamed(text: string, { iso }: NamedForm): ReadDate {
  let read: ReturnType<typeof readIso>
  try {
    read = readIso(text, iso ?? { parts: ['date'] })
  } catch (error) {
    if (!(error instanceof ScriptFault)) throw error
    throw unreadable(`Text '${shown(text)}' could not be parsed: ${error.throwable.message}`, error.throwable)
  }
  if (!('failedAt' in read)) return read
  const place = read.isRest ? `, unparsed text found at index ${read.failedAt}` : ` at index ${read.failedAt}`
  throw unreadable(`Text '${shown(text)}' could not be parsed${place}`)
}

const shown = (text: string): string => (text.length > 64 ? `${text.slice(0, 64)}...` : text)

/** Letters of a pattern outside its quotes. */
function lettersOf(form: string | NamedForm): string {
  return typeof form === 'string' ? form.replace(/'[^']*'|[^A-Za-z]/g, '') : form.letters
}

/** Names of the fields that letters stand for, by the group they are of. */
const LETTERS: ReadonlyMap<
  string,
  readonly [group: 'year' | 'month' | 'dayOfMonth' | 'day' | 'time' | 'fraction', name: string]
> = new Map([
  ['y', ['year', 'YearOfEra']],
  ['u', ['year', 'Year']],
  ['G', ['year', 'Era']],
  ['M', ['month', 'MonthOfYear']],
  ['L', ['month', 'MonthOfYear']],
  ['Q', ['month', 'QuarterOfYear']],
  ['q', ['month', 'QuarterOfYear']],
  ['d', ['dayOfMonth', 'DayOfMonth']],
  ['D', ['day', 'DayOfYear']],
  ['E', ['day', 'DayOfWeek']],
  ['e', ['day', 'DayOfWeek']],
  ['c', ['day', 'DayOfWeek']],
  ['Y', ['day', 'WeekBasedYear[WeekFields[SUNDAY,1]]']],
  ['w', ['day', 'WeekOfWeekBasedYear[WeekFields[SUNDAY,1]]']],
  ['H', ['time', 'HourOfDay']],
  ['k', ['time', 'ClockHourOfDay']],
  ['K', ['time', 'HourOfAmPm']],
  ['h', ['time', 'ClockHourOfAmPm']],
  ['a', ['time', 'AmPmOfDay']],
  ['m', ['time', 'MinuteOfHour']],
  ['s', ['time', 'SecondOfMinute']],
  ['A', ['time', 'MilliOfDay']],
  ['N', ['time', 'NanoOfDay']],
  ['S', ['fraction', 'NanoOfSecond']],
  ['n', ['fraction', 'NanoOfSecond']],
])

function requireLetter(letter: string, { kind }: ScriptDate, from: ScriptValue): void {
  if (letter === 'I' && !kind.fields.has('instant')) throw unsupported('Unsupported field: InstantSeconds')
  if (/[ZXxO]/.test(letter) && !kind.fields.has('offset')) throw unsupported('Unsupported field: OffsetSeconds')
  if (/[zV]/.test(letter) && !kind.hasOffset)
    throw fault('java.time.DateTimeException', `Unable to extract ZoneId from temporal ${textOf(from)}`)
  const [group, name] = LETTERS.get(letter) ?? []
  if (group !== undefined && !kind.fields.has(group)) throw unsupported(`Unsupported field: ${name}`)
}

const clockOf = (date: ScriptDate): string => {
  const nanos = (date.millisOfDay % 1_000) * 1_000_000 + date.nanosOfMilli
  return `${date.format('HH:mm:ss')}${nanos === 0 ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`}`
}
const localOf = (date: ScriptDate): string => `${date.dateText}T${clockOf(date)}`
const offsetOf = ({ kind, offsetText }: ScriptDate): string => (kind.hasOffset ? offsetText : '')
const regionOf = ({ kind, zone }: ScriptDate): string =>
  kind.hasRegion && zone.fixedOffset === undefined ? `[${zone.id}]` : ''
const two = (number: number): string => String(number).padStart(2, '0')
const DAY: readonly IsoPart[] = ['date']
const LOCAL: readonly IsoPart[] = ['date', 'T', 'time']

/** Java's forms of dates by their names. */
export const FORMS = {
  ISO_LOCAL_DATE: { letters: 'uMd', write: (date) => date.dateText, iso: { parts: DAY } },
  ISO_DATE: {
    letters: 'uMd',
    write: (date) => `${date.dateText}${offsetOf(date)}`,
    iso: { parts: DAY, more: ['offset'] },
  },
  ISO_OFFSET_DATE: {
    letters: 'uMdX',
    write: (date) => `${date.dateText}${date.offsetText}`,
    iso: { parts: ['date', 'offset'] },
  },
  ISO_LOCAL_TIME: { letters: 'Hms', write: clockOf, iso: { parts: ['time'] } },
  ISO_TIME: {
    letters: 'Hms',
    write: (date) => `${clockOf(date)}${offsetOf(date)}`,
    iso: { parts: ['time'], more: ['offset'] },
  },
  ISO_OFFSET_TIME: {
    letters: 'HmsX',
    write: (date) => `${clockOf(date)}${date.offsetText}`,
    iso: { parts: ['time', 'offset'] },
  },
  ISO_LOCAL_DATE_TIME: { letters: 'uMdHms', write: localOf, iso: { parts: LOCAL } },
  ISO_OFFSET_DATE_TIME: {
    letters: 'uMdHmsX',
    write: (date) => `${localOf(date)}${date.offsetText}`,
    iso: { parts: [...LOCAL, 'offset'] },
  },
  ISO_DATE_TIME: {
    letters: 'uMdHms',
    write: (date) => `${localOf(date)}${offsetOf(date)}${regionOf(date)}`,
    iso: { parts: LOCAL, more: ['offset', 'region'] },
  },
  ISO_ZONED_DATE_TIME: {
    letters: 'uMdHmsX',
    write: (date) => `${localOf(date)}${date.offsetText}${regionOf(date)}`,
    iso: { parts: [...LOCAL, 'offset'], more: ['region'] },
  },
  // A fraction has three, six or nine digits here.
  ISO_INSTANT: {
    letters: 'I',
    write: (date) => new ScriptInstant(date.millis, date.nanosOfMilli).toText(),
    iso: { parts: ['date', 'T', 'fullTime', 'offset'] },
  },
  BASIC_ISO_DATE: {
    letters: 'uMd',
    write: (date) => `${date.format('yyyyMMdd')}${offsetOf(date).replace(':', '')}`,
    iso: { parts: ['basicDate'] },
  },
  ISO_ORDINAL_DATE: {
    letters: 'uD',
    write: (date) => `${date.dateText.slice(0, -6)}-${String(date.dayOfYear).padStart(3, '0')}${offsetOf(date)}`,
  },
  ISO_WEEK_DATE: {
    letters: 'D',
    write: (date) => `${date.isoWeek.weekyear}-W${two(date.isoWeek.week)}-${date.weekday}${offsetOf(date)}`,
  },
  RFC_1123_DATE_TIME: {
    letters: 'EdMuHmsX',
    write: (date) =>
      `${date.format('EEE, d MMM yyyy HH:mm:ss')} ${date.offsetText === 'Z' ? 'GMT' : date.offsetText.replace(':', '')}`,
  },
} satisfies Readonly<Record<string, NamedForm>>

const reading = (letters: string, part: IsoPart): NamedForm => ({
  letters,
  write: (date) => date.dateText,
  iso: { parts: [part] },
})

/** What texts of each kind are read by unless a script says otherwise. */
const OWN_FORMS: ReadonlyMap<TemporalKind, ScriptFormatter> = new Map(
  (
    [
      [LOCAL_DATE, FORMS.ISO_LOCAL_DATE],
      [LOCAL_DATE_TIME, FORMS.ISO_LOCAL_DATE_TIME],
      [LOCAL_TIME, FORMS.ISO_LOCAL_TIME],
      [OFFSET_DATE_TIME, FORMS.ISO_OFFSET_DATE_TIME],
      [OFFSET_TIME, FORMS.ISO_OFFSET_TIME],
      [ZONED_DATE_TIME, FORMS.ISO_ZONED_DATE_TIME],
      [INSTANT, { ...FORMS.ISO_INSTANT, letters: 'uMdHmsX' }],
      [YEAR_MONTH, reading('uM', 'yearMonth')],
      [YEAR, reading('u', 'year')],
      [MONTH_DAY, reading('Md', 'monthDay')],
    ] as const
  ).map(([kind, form]) => [kind, new ScriptFormatter(form)]),
)

/**
 * Reads a text as a kind of date: its `parse`.
 *
 * @throws {ScriptFault} date_time_parse_exception
 */
export function parsedAs(kind: TemporalKind, text: ScriptValue, formatter?: ScriptFormatter | null): ScriptDate {
  if (formatter === null) throw fault('NullPointerException', 'formatter')
  if (text === null) throw fault('NullPointerException', 'text')
  const shownText = textOf(text)
  const read = (formatter ?? (OWN_FORMS.get(kind) as ScriptFormatter)).read(shownText)
  const { date, lacking } = readDate(read, kind)
  if (lacking.length === 0) return converted(date, kind)
  const of = `from TemporalAccessor: ${resolvedText(read, date)} of type java.time.format.Parsed`
  let cause: ScriptThrowable | undefined
  for (const name of lacking)
    cause = new ScriptThrowable('java.time.DateTimeException', `Unable to obtain ${name} ${of}`, cause)
  throw unreadable(`Text '${shown(shownText)}' could not be parsed: ${cause?.message}`, cause)
}

/** What a text says, whatever kind of date that is. */
export function parsedAny(text: ScriptValue, formatter: ScriptFormatter): ScriptDate {
  if (text === null) throw fault('NullPointerException', 'text')
  const read = formatter.read(textOf(text))
  return readDate(read, kindOf(read)).date
}

type Read = ReturnType<ScriptFormatter['read']>

const hasDay = (letters: string): boolean =>
  (/[yu]/.test(letters) && (/[ML].*d|d.*[ML]/.test(letters) || letters.includes('D'))) || /Y.*w/.test(letters)
const hasClock = (letters: string): boolean => /[HkAN]|[hK].*a|a.*[hK]/.test(letters)

function kindOf({ letters, zone }: Read): TemporalKind {
  if (!hasDay(letters)) return hasClock(letters) ? LOCAL_TIME : YEAR_MONTH
  if (!hasClock(letters)) return LOCAL_DATE
  return zone === undefined ? LOCAL_DATE_TIME : ZONED_DATE_TIME
}

/** The moment, and what a kind needs that was not there: from the inmost on. */
function readDate(read: Read, kind: TemporalKind): { readonly date: ScriptDate; readonly lacking: readonly string[] } {
  const { localMillis, nanosOfMilli, zone = UTC, letters } = read
  const date = new ScriptDate(localToEpoch(localMillis, zone), nanosOfMilli, zone)
  const lacking: string[] = []
  const needsClock = kind.hasClock || kind === INSTANT
  const needsDay = kind.calendar === 'date' || kind === INSTANT
  if (needsDay && !hasDay(letters)) lacking.push('LocalDate')
  else if (needsClock && !hasClock(letters)) lacking.push('LocalTime')
  if ((kind.hasOffset || kind === INSTANT) && read.zone === undefined) {
    lacking.length = 0
    lacking.push(kind.hasRegion ? 'ZoneId' : 'ZoneOffset')
  }
  const own = kind.name
  if (kind === YEAR_MONTH && !(/[yu]/.test(letters) && /[ML]/.test(letters))) lacking.push(own)
  else if (kind === YEAR && !/[yu]/.test(letters)) lacking.push(own)
  else if (kind === MONTH_DAY && !(/[ML]/.test(letters) && letters.includes('d'))) lacking.push(own)
  else if (lacking.length > 0 && lacking.at(-1) !== own) lacking.push(own)
  return { date, lacking }
}

function resolvedText({ letters, zone }: Read, date: ScriptDate): string {
  const parts = [hasDay(letters) ? date.dateText : '', hasClock(letters) ? date.timeText : ''].filter(Boolean)
  return `{},ISO${zone === undefined ? '' : `,${zone.id}`}${parts.length === 0 ? '' : ` resolved to ${parts.join('T')}`}`
}
