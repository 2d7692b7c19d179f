import type { ClassDefinition } from '../values/script-class.ts'
import { ScriptObject } from '../values/script-object.ts'
import { longHash } from '../values/script-value.ts'
import { ScriptInstant } from './script-time.ts'

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Java's `Date`: a point of time that scripts may move. */
export class ScriptJavaDate extends ScriptObject {
  millis: number

  constructor(millis: number) {
    super()
    this.millis = millis
  }

  get className(): string {
    return 'java.util.Date'
  }

  override get isJsonText(): boolean {
    return true
  }

  /** How answers show it. */
  override get jsonText(): string {
    return new ScriptInstant(this.millis).jsonText
  }

  override toText(): string {
    const date = new Date(this.millis)
    const two = (number: number): string => String(number).padStart(2, '0')
    const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(':')
    return `${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${two(date.getUTCDate())} ${time} UTC ${date.getUTCFullYear()}`
  }

  override isEqual(other: unknown): boolean {
    return other instanceof ScriptJavaDate && other.millis === this.millis
  }

  override compare(other: unknown): number | undefined {
    return other instanceof ScriptJavaDate ? Math.sign(this.millis - other.millis) : undefined
  }

  override hash(): number {
    return longHash(BigInt(this.millis))
  }

  override key(): unknown {
    return `\0J${this.millis}`
  }
}

/** What scripts may do with a `Date`. */
export const JAVA_DATE_CLASS: ClassDefinition = {
  name: 'Date',
  javaName: 'java.util.Date',
  constructors: {
    '()': () => new ScriptJavaDate(Date.now()),
    '(long)': (millis: bigint) => new ScriptJavaDate(Number(millis)),
  },
  methods: {
    'boolean after(Date)': (self: ScriptJavaDate, other: ScriptJavaDate) => self.millis > other.millis,
    'boolean before(Date)': (self: ScriptJavaDate, other: ScriptJavaDate) => self.millis < other.millis,
    'def clone()': (self: ScriptJavaDate) => new ScriptJavaDate(self.millis),
    'int compareTo(Date)': (self: ScriptJavaDate, other: ScriptJavaDate) => Math.sign(self.millis - other.millis),
    'long getTime()': (self: ScriptJavaDate) => BigInt(self.millis),
    'void setTime(long)': (self: ScriptJavaDate, millis: bigint) => {
      self.millis = Number(millis)
    },
  },
  statics: { 'Date from(Instant)': (instant: ScriptInstant) => new ScriptJavaDate(instant.millis) },
}
