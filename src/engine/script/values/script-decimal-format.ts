import { ServiceError } from '../../../errors.ts'
import { DecimalFormat } from '../../java/decimal-format.ts'
import { divided, MODES } from '../api/rounding.ts'
import { fault } from '../script-fault.ts'
import type { ClassDefinition } from './script-class.ts'
import type { ScriptEnum } from './script-enum.ts'
import { ScriptLocale } from './script-locale.ts'
import { ScriptObject } from './script-object.ts'
import { doubleBox, type ScriptValue } from './script-value.ts'

/** Java's DecimalFormatSymbols: what stands for points, commas and minus signs. */
class ScriptSymbols extends ScriptObject {
  point: string
  group: string

  constructor(locale: ScriptLocale | null) {
    super()
    const parts = locale === null ? undefined : locale.numberParts()
    this.point = parts?.point ?? '.'
    this.group = parts?.group ?? ','
  }

  get className(): string {
    return 'java.text.DecimalFormatSymbols'
  }
}

/** Digits that a format writes: the least and the most on each side of the point. */
interface Digits {
  leastWhole: number
  leastFraction: number
  mostFraction: number
  group: number
}

/** Java's DecimalFormat. */
class ScriptNumberFormat extends ScriptObject {
  readonly symbols: ScriptSymbols
  mode = 'HALF_EVEN'
  #pattern: string
  #format: DecimalFormat
  #digits: Digits | undefined

  /** @throws {ScriptFault} illegal_argument_exception for a malformed pattern */
  constructor(pattern: string, symbols: ScriptSymbols) {
    super()
    this.symbols = symbols
    this.#pattern = pattern
    this.#format = formatOf(pattern)
  }

  get className(): string {
    return 'java.text.DecimalFormat'
  }

  set pattern(pattern: string) {
    this.#pattern = pattern
    this.#format = formatOf(pattern)
    this.#digits = undefined
  }

  /** How many digits it writes, as its pattern says or as a script has set them since. */
  get digits(): Digits {
    if (this.#digits === undefined) {
      const [, whole = '', fraction = ''] = DIGITS.exec(this.#pattern) ?? []
      this.#digits = {
        leastWhole: whole.replaceAll(/[^0]/g, '').length,
        leastFraction: fraction.replaceAll(/[^0]/g, '').length,
        mostFraction: fraction.length,
        group: whole.includes(',') ? whole.length - whole.lastIndexOf(',') - 1 : 0,
      }
    }
    return this.#digits
  }

  /** Has other digits written. */
  change(changed: Partial<Digits>): void {
    const digits = { ...this.digits, ...changed }
    const whole = '0'.repeat(digits.leastWhole).padStart(digits.group + 1, '#')
    const grouped = digits.group === 0 ? whole : whole.replace(new RegExp(`(?=.{${digits.group}}$)`), ',')
    const fraction = '0'.repeat(digits.leastFraction).padEnd(digits.mostFraction, '#')
    const shown = fraction === '' ? grouped : `${grouped}.${fraction}`
    this.#pattern = this.#pattern
      .split(';')
      .map((half) => half.replace(DIGITS, shown))
      .join(';')
    this.#format = formatOf(this.#pattern)
    this.#digits = digits
  }

  format(value: number | bigint): string {
    const { point, group } = this.symbols
    const text = this.#format.format(this.#rounded(value))
    if (point === '.' && group === ',') return text
    return text.replaceAll(/[.,](?=\d)/g, (mark) => (mark === '.' ? point : group))
  }

  /** A number as another mode than the usual one rounds it. */
  #rounded(value: number | bigint): number | bigint {
    if (this.mode === 'HALF_EVEN' || typeof value === 'bigint' || !Number.isFinite(value)) return value
    const places = Math.min(60, this.digits.mostFraction + (this.#pattern.includes('%') ? 2 : 0))
    const exact = BigInt(value.toFixed(100).replace('.', ''))
    return Number(divided(exact, 10n ** BigInt(100 - places), this.mode)) / 10 ** places
  }

  /** @throws {ScriptFault} parse_exception where the text does not begin with a number */
  parse(text: string): ScriptValue {
    const { point, group } = this.symbols
    const plain = text.replaceAll(group, ',').replaceAll(point, '.')
    try {
      const value = this.#format.parse(plain)
      return Number.isInteger(value) && !Object.is(value, -0) ? BigInt(value) : doubleBox(value)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      throw fault('java.text.ParseException', `Unparseable number: "${text}"`)
    }
  }

  get shownPattern(): string {
    return this.#pattern.replace(/^(['#0,]*?)0/, (start) => (start.startsWith('#') ? start : `#${start}`))
  }
}

/** Digits of a pattern, before and after the point. */
const DIGITS = /([#,0]+)(?:\.([0#]*))?/

function formatOf(pattern: string): DecimalFormat {
  try {
    return new DecimalFormat(pattern)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw fault('IllegalArgumentException', error.reason)
  }
}

function numberIn(value: unknown): number | bigint {
  const number = typeof value === 'object' && value !== null && 'value' in value ? value.value : value
  if (typeof number === 'number' || typeof number === 'bigint') return number
  throw fault('IllegalArgumentException', 'Cannot format given Object as a Number')
}

const ROOT = new ScriptLocale('')

/** A format of a locale by its pattern. */
function localFormat(pattern: string) {
  return (locale: unknown): ScriptNumberFormat =>
    new ScriptNumberFormat(pattern, new ScriptSymbols(locale instanceof ScriptLocale ? locale : ROOT))
}

function integerFormat(locale: unknown): ScriptNumberFormat {
  return localFormat('#,##0')(locale)
}

/** Money as a locale's country writes it. */
function currencyFormat(locale: unknown): ScriptNumberFormat {
  const of = locale instanceof ScriptLocale ? locale : ROOT
  return new ScriptNumberFormat(of.currencyPattern(), new ScriptSymbols(of))
}

const counted = (set: (count: number) => Partial<Digits>) => (self: ScriptNumberFormat, count: number) =>
  self.change(set(Math.max(0, Math.min(340, count))))

/** `java.text.NumberFormat` and its kin. */
export const NUMBER_FORMAT_CLASSES: readonly ClassDefinition[] = [
  {
    name: 'NumberFormat',
    javaName: 'java.text.NumberFormat',
    methods: {
      'String format(Object)': (self: ScriptNumberFormat, value: unknown) => self.format(numberIn(value)),
      'Number parse(String)': (self: ScriptNumberFormat, text: string) => self.parse(text),
      'int getMaximumFractionDigits()': (self: ScriptNumberFormat) => self.digits.mostFraction,
      'int getMinimumFractionDigits()': (self: ScriptNumberFormat) => self.digits.leastFraction,
      'int getMinimumIntegerDigits()': (self: ScriptNumberFormat) => self.digits.leastWhole,
      'RoundingMode getRoundingMode()': (self: ScriptNumberFormat) => MODES.find(({ name }) => name === self.mode),
      'boolean isGroupingUsed()': (self: ScriptNumberFormat) => self.digits.group > 0,
      'void setGroupingUsed(boolean)': (self: ScriptNumberFormat, isUsed: boolean) =>
        self.change({ group: isUsed ? self.digits.group || 3 : 0 }),
      'void setMaximumFractionDigits(int)': (self: ScriptNumberFormat, count: number) => {
        const mostFraction = Math.max(0, Math.min(340, count))
        self.change({ mostFraction, leastFraction: Math.min(mostFraction, self.digits.leastFraction) })
      },
      'void setMinimumFractionDigits(int)': (self: ScriptNumberFormat, count: number) => {
        const leastFraction = Math.max(0, Math.min(340, count))
        self.change({ leastFraction, mostFraction: Math.max(leastFraction, self.digits.mostFraction) })
      },
      'void setMinimumIntegerDigits(int)': counted((leastWhole) => ({ leastWhole })),
      'void setMaximumIntegerDigits(int)': () => undefined,
      'void setParseIntegerOnly(boolean)': () => undefined,
      'void setRoundingMode(RoundingMode)': (self: ScriptNumberFormat, { name }: ScriptEnum) => {
        self.mode = name
      },
    },
    statics: {
      'NumberFormat getInstance()': localFormat('#,##0.###'),
      'NumberFormat getInstance(Locale)': localFormat('#,##0.###'),
      'NumberFormat getNumberInstance()': localFormat('#,##0.###'),
      'NumberFormat getNumberInstance(Locale)': localFormat('#,##0.###'),
      'NumberFormat getIntegerInstance()': integerFormat,
      'NumberFormat getIntegerInstance(Locale)': integerFormat,
      'NumberFormat getPercentInstance()': localFormat('#,##0%'),
      'NumberFormat getPercentInstance(Locale)': (locale: ScriptLocale) => localFormat(locale.percentPattern())(locale),
      'NumberFormat getCurrencyInstance()': currencyFormat,
      'NumberFormat getCurrencyInstance(Locale)': currencyFormat,
    },
  },
  {
    name: 'DecimalFormat',
    javaName: 'java.text.DecimalFormat',
    parents: ['NumberFormat'],
    methods: {
      'String format(long)': (self: ScriptNumberFormat, value: bigint) => self.format(value),
      'String format(double)': (self: ScriptNumberFormat, value: number) => self.format(value),
      'String format(Object)': (self: ScriptNumberFormat, value: unknown) => self.format(numberIn(value)),
      'void applyPattern(String)': (self: ScriptNumberFormat, pattern: string) => {
        self.pattern = pattern
      },
      'String toPattern()': (self: ScriptNumberFormat) => self.shownPattern,
      'int getGroupingSize()': (self: ScriptNumberFormat) => self.digits.group,
      'void setGroupingSize(int)': (self: ScriptNumberFormat, group: number) => self.change({ group }),
      'DecimalFormatSymbols getDecimalFormatSymbols()': (self: ScriptNumberFormat) => self.symbols,
    },
    constructors: {
      '()': () => new ScriptNumberFormat('#,##0.###', new ScriptSymbols(ROOT)),
      '(String)': (pattern: string) => new ScriptNumberFormat(pattern, new ScriptSymbols(ROOT)),
      '(String,DecimalFormatSymbols)': (pattern: string, symbols: ScriptSymbols) =>
        new ScriptNumberFormat(pattern, symbols),
    },
  },
  {
    name: 'DecimalFormatSymbols',
    javaName: 'java.text.DecimalFormatSymbols',
    constructors: {
      '()': () => new ScriptSymbols(ROOT),
      '(Locale)': (locale: ScriptLocale | null) => new ScriptSymbols(locale),
    },
    methods: {
      'char getDecimalSeparator()': (self: ScriptSymbols) => self.point.charCodeAt(0),
      'char getGroupingSeparator()': (self: ScriptSymbols) => self.group.charCodeAt(0),
      'void setDecimalSeparator(char)': (self: ScriptSymbols, unit: number) => {
        self.point = String.fromCharCode(unit)
      },
      'void setGroupingSeparator(char)': (self: ScriptSymbols, unit: number) => {
        self.group = String.fromCharCode(unit)
      },
    },
    statics: {
      'DecimalFormatSymbols getInstance()': () => new ScriptSymbols(ROOT),
      'DecimalFormatSymbols getInstance(Locale)': (locale: ScriptLocale | null) => new ScriptSymbols(locale),
    },
  },
]
