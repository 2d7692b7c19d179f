import { ServiceError } from '../../../errors.ts'
import { createDateFormat } from '../../mapping/dates/create-date-format.ts'
import type { DateFormat } from '../../mapping/dates/date-format.ts'
import { type TimeZone, UTC } from '../../mapping/dates/time-zone.ts'
import { fault } from '../script-fault.ts'
import type { ClassDefinition } from '../values/script-class.ts'
import type { ScriptLocale } from '../values/script-locale.ts'
import { ScriptObject } from '../values/script-object.ts'
import { ScriptTimeZone } from './script-calendar.ts'
import { ScriptJavaDate } from './script-java-date.ts'

/** Java's SimpleDateFormat. */
class ScriptDateFormat extends ScriptObject {
  readonly pattern: string
  readonly #format: DateFormat
  zone: TimeZone = UTC

  /** @throws {ScriptFault} illegal_argument_exception where the pattern is none */
  constructor(pattern: string, locale: string) {
    super()
    this.pattern = pattern
    this.#format = javaTimeFormat(pattern, locale)
  }

  get className(): string {
    return 'java.text.SimpleDateFormat'
  }

  format(millis: number): string {
    return this.#format.format(millis, this.zone.id)
  }

  /** @throws {ScriptFault} parse_exception, which the scripts' server shows as a cause */
  parse(text: string): ScriptJavaDate {
    // What follows a date in a text is left there.
    for (let end = text.length; end > 0; end--) {
      try {
        return new ScriptJavaDate(this.#format.parse(text.slice(0, end), { timeZone: this.zone.id }))
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
      }
    }
    throw fault('java.text.ParseException', `Unparseable date: "${text}"`)
  }
}

/** A pattern as java.time has it: its `u` is the day of the week, and its `X` and `Z` are as there. */
function javaTimeFormat(pattern: string, locale: string): DateFormat {
  try {
    return createDateFormat(pattern.replaceAll('u', 'e'), 'OpenSearch_2.19', locale)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const letter = /letter: (.)/.exec((error.cause as ServiceError | undefined)?.reason ?? error.reason ?? '')?.[1]
    throw fault(
      'IllegalArgumentException',
      letter === undefined ? error.reason : `Illegal pattern character '${letter}'`,
    )
  }
}

/** `java.text.SimpleDateFormat`. */
export const DATE_FORMAT_CLASSES: readonly ClassDefinition[] = [
  {
    name: 'DateFormat',
    javaName: 'java.text.DateFormat',
    methods: {
      'String format(Object)': (self: ScriptDateFormat, date: unknown) => {
        const millis = date instanceof ScriptJavaDate ? date.millis : typeof date === 'bigint' ? Number(date) : date
        if (typeof millis === 'number') return self.format(millis)
        throw fault('IllegalArgumentException', 'Cannot format given Object as a Date')
      },
      'Date parse(String)': (self: ScriptDateFormat, text: string) => self.parse(text),
      'void setTimeZone(TimeZone)': (self: ScriptDateFormat, { zone }: ScriptTimeZone) => {
        self.zone = zone
      },
      'TimeZone getTimeZone()': (self: ScriptDateFormat) => new ScriptTimeZone(self.zone),
      'void setLenient(boolean)': () => undefined,
    },
  },
  {
    name: 'SimpleDateFormat',
    javaName: 'java.text.SimpleDateFormat',
    parents: ['DateFormat'],
    constructors: {
      '(String)': (pattern: string) => new ScriptDateFormat(pattern, ''),
      '(String,Locale)': (pattern: string, locale: ScriptLocale) => new ScriptDateFormat(pattern, locale.formatTag),
    },
    methods: { 'String toPattern()': (self: ScriptDateFormat) => self.pattern },
  },
]
