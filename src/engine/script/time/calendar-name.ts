import { ScriptObject } from '../values/script-object.ts'

/** Java's names of days of the week. */
export const DAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY']
/** Java's names of months. */
export const MONTHS = [
  'JANUARY',
  'FEBRUARY',
  'MARCH',
  'APRIL',
  'MAY',
  'JUNE',
  'JULY',
  'AUGUST',
  'SEPTEMBER',
  'OCTOBER',
  'NOVEMBER',
  'DECEMBER',
]

/** A day of the week or a month. */
export class ScriptCalendarName extends ScriptObject {
  readonly className: string
  /** From 1 on. */
  readonly value: number
  readonly #names: readonly string[]

  constructor(className: string, value: number, names: readonly string[]) {
    super()
    this.className = className
    this.value = value
    this.#names = names
  }

  /** The field of a date whose value it is. */
  get field(): 'DAY_OF_WEEK' | 'MONTH_OF_YEAR' {
    return this.#names === DAYS ? 'DAY_OF_WEEK' : 'MONTH_OF_YEAR'
  }

  override get isJsonText(): boolean {
    return true
  }

  override toText(): string {
    return this.#names[this.value - 1] as string
  }

  override isEqual(other: unknown): boolean {
    return other instanceof ScriptCalendarName && other.className === this.className && other.value === this.value
  }

  override compare(other: unknown): number | undefined {
    return this.constructor === other?.constructor ? this.value - (other as ScriptCalendarName).value : undefined
  }

  override key(): unknown {
    return `\0C${this.toText()}`
  }
}

/** Java's name of a day of the week, Monday 1. */
export const dayName = (value: number): ScriptCalendarName => new ScriptCalendarName('java.time.DayOfWeek', value, DAYS)
/** Java's name of a month. */
export const monthNamed = (value: number): ScriptCalendarName =>
  new ScriptCalendarName('java.time.Month', value, MONTHS)
