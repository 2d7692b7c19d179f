import { civilTime, dayOfWeek, daysOfDate, isoWeek } from '../../mapping/dates/civil-time.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import type { IndexMapping } from '../../mapping/index-mapping.ts'
import type { Frame } from '../../script/compile/frame.ts'
import { asScriptFault } from '../../script/script-fault.ts'
import { ScriptDate } from '../../script/time/script-date.ts'
import { BigInteger } from '../../script/values/script-json.ts'
import { Box, type ScriptValue } from '../../script/values/script-value.ts'
import { checkDocField } from '../script/doc-column.ts'
import type { DocLookup } from '../script/doc-lookup.ts'
import { ScriptGeoPoint } from '../script/script-geo-point.ts'
import type { NumberOf } from './evaluate-expression.ts'

/** Why a variable stands for nothing. */
export class LinkFault extends Error {
  readonly type: 'parse_exception' | 'illegal_argument_exception'
  /** Where in the variable's name. */
  readonly at: number

  constructor(type: LinkFault['type'], message: string, at = 0) {
    super(message)
    this.type = type
    this.at = at
  }
}

/** One number of a document's values of a field, which are sorted; not asked where there are none, that is 0 (but for counts). */
type Choice = (values: readonly number[]) => number

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const least: Choice = (values) => values[0] as number

const median: Choice = (values) => {
  const half = values.length >> 1
  if (values.length % 2 === 1) return values[half] as number
  return ((values[half - 1] as number) + (values[half] as number)) / 2
}

const NUMBER_METHODS: Readonly<Record<string, Choice>> = {
  getValue: least,
  min: least,
  max: (values) => values.at(-1) as number,
  avg: (values) => sum(values) / values.length,
  median,
  sum,
}

type Clock = (time: ReturnType<typeof civilTime>) => number

const daysOf: Clock = ({ year, month, day }) => daysOfDate(year, month, day)
const yearOfEra: Clock = ({ year }) => (year > 0 ? year : 1 - year)

/** Parts of `date`, as variables; as methods they are called `getYear()`. */
const DATE_PARTS = {
  centuryOfEra: (time) => Math.floor(yearOfEra(time) / 100),
  dayOfMonth: ({ day }) => day,
  dayOfWeek: (time) => dayOfWeek(daysOf(time)),
  dayOfYear: (time) => daysOf(time) - daysOfDate(time.year, 1, 1) + 1,
  era: ({ year }) => (year > 0 ? 1 : 0),
  hourOfDay: ({ millisOfDay }) => Math.floor(millisOfDay / 3_600_000),
  millisOfDay: ({ millisOfDay }) => millisOfDay,
  millisOfSecond: ({ millisOfDay }) => millisOfDay % 1000,
  minuteOfDay: ({ millisOfDay }) => Math.floor(millisOfDay / 60_000),
  minuteOfHour: ({ millisOfDay }) => Math.floor(millisOfDay / 60_000) % 60,
  monthOfYear: ({ month }) => month,
  secondOfDay: ({ millisOfDay }) => Math.floor(millisOfDay / 1000),
  secondOfMinute: ({ millisOfDay }) => Math.floor(millisOfDay / 1000) % 60,
  weekOfWeekyear: (time) => isoWeek(daysOf(time)).week,
  weekyear: (time) => isoWeek(daysOf(time)).weekyear,
  year: ({ year }) => year,
  yearOfCentury: (time) => yearOfEra(time) % 100,
  yearOfEra,
} as const satisfies Readonly<Record<string, Clock>>

/** Parts of dates as their fields have them, months from 0. */
const DATE_METHODS: Readonly<Record<string, Clock>> = {
  getYear: DATE_PARTS.year,
  getMonth: ({ month }) => month - 1,
  getDayOfMonth: DATE_PARTS.dayOfMonth,
  getHourOfDay: DATE_PARTS.hourOfDay,
  getMinutes: DATE_PARTS.minuteOfHour,
  getSeconds: DATE_PARTS.secondOfMinute,
}

/** A variable taken apart: `doc`, `['n']`, `.min()`. */
interface Part {
  readonly kind: 'text' | 'index' | 'member' | 'method'
  readonly text: string
}

function partsOf(name: string): readonly Part[] {
  const parts: Part[] = []
  for (const [, text, index, method, member] of name.matchAll(
    /\['((?:\\['\\]|[^'\\])*)'\]|\[(\d+)\]|\.?([_$a-zA-Z0-9]+)\(\)|\.?([_$a-zA-Z0-9]+)/g,
  )) {
    if (text !== undefined) parts.push({ kind: 'text', text: text.replace(/\\(['\\])/g, '$1') })
    else if (index !== undefined) parts.push({ kind: 'index', text: index })
    else if (method !== undefined) parts.push({ kind: 'method', text: method })
    else parts.push({ kind: 'member', text: member as string })
  }
  return parts
}

/**
 * How a variable of a document is read: `doc['n'].value`, `doc['t'].date.year`, `doc['p'].lat`.
 *
 * @param slot  where the document stands in frames
 * @throws {LinkFault}
 * @source org.elasticsearch.script.expression.ExpressionScriptEngine, as servers answer
 */
export function documentVariable(name: string, mapping: IndexMapping, isLucene7: boolean, slot: number): NumberOf {
  const [first, field, member, last, ...more] = partsOf(name)
  if (first?.text !== 'doc') throw new LinkFault('parse_exception', `Unknown variable [${first?.text}]`)
  if (field?.kind !== 'text') {
    throw new LinkFault('parse_exception', "Variable 'doc' must be used with a specific field like: doc['myfield']", 3)
  }
  const isOfDate = last !== undefined && more.length === 0 && member?.text === 'date' && last.kind !== 'text'
  if (last !== undefined && !isOfDate) {
    throw illegal(
      `Variable [${name}] does not follow an allowed format of either doc['field'] or doc['field'].method()`,
    )
  }
  if (member !== undefined && member.kind !== 'member' && member.kind !== 'method') {
    throw illegal(
      'Only member variables or member methods may be accessed on a field when not accessing the field directly',
    )
  }
  const asked = (isOfDate ? last : member) ?? { kind: 'member', text: 'value' }
  const path = field.text
  const kind = kindOf(path, mapping, isLucene7)
  const values = valuesOf(path, slot)
  if (kind === 'point') return pointMember(path, asked, values)
  const choose = (choice: Choice): NumberOf => {
    return (frame) => {
      const found = values(frame)
      return found.length === 0 ? 0 : choice(found.map(numberOf))
    }
  }
  const part = (clock: Clock): NumberOf => choose((found) => clock(civilTime(least(found))))
  const isDate = kind === 'date'
  const table = asked.kind === 'method' ? 'method' : 'variable'
  const unknown = illegal(
    `Member ${table} [${asked.text}] does not exist for ${isDate ? (isOfDate ? 'date object on' : 'date') : 'numeric'} field [${path}].`,
  )
  if (isDate && isOfDate) {
    const named = asked.kind === 'member' ? asked.text : partOfGetter(asked.text)
    if (named === undefined || !Object.hasOwn(DATE_PARTS, named)) throw unknown
    return part(DATE_PARTS[named as keyof typeof DATE_PARTS])
  }
  if (asked.kind === 'member') {
    if (asked.text === 'value') return firstOf(path, slot, values)
    if (asked.text === 'empty') return (frame) => (values(frame).length === 0 ? 1 : 0)
    if (asked.text === 'length') return (frame) => values(frame).length
    throw unknown
  }
  if (asked.text === 'isEmpty') return (frame) => (values(frame).length === 0 ? 1 : 0)
  if (asked.text === 'size' || asked.text === 'count') return (frame) => values(frame).length
  if (Object.hasOwn(NUMBER_METHODS, asked.text)) return choose(NUMBER_METHODS[asked.text] as Choice)
  if (isDate && Object.hasOwn(DATE_METHODS, asked.text)) return part(DATE_METHODS[asked.text] as Clock)
  throw unknown
}

const illegal = (message: string): LinkFault => new LinkFault('illegal_argument_exception', message)

/** `getDayOfWeek` as `dayOfWeek`. */
function partOfGetter(name: string): string | undefined {
  return /^get[A-Z]/.test(name) ? `${name[3]?.toLowerCase()}${name.slice(4)}` : undefined
}

type Values = (frame: Frame) => readonly ScriptValue[]

const valuesOf =
  (path: string, slot: number): Values =>
  (frame) => {
    const lookup = frame.slots[slot] as DocLookup
    return lookup.column(path).read(lookup.doc)
  }

/** The first value, without a box where the column has it so. */
function firstOf(path: string, slot: number, values: Values): NumberOf {
  return (frame) => {
    const lookup = frame.slots[slot] as DocLookup
    const { numbers } = lookup.column(path)
    if (numbers !== undefined) {
      const number = numbers.read(lookup.doc)
      return Number.isNaN(number) ? 0 : number
    }
    const [first] = values(frame)
    return first === undefined ? 0 : numberOf(first)
  }
}

function numberOf(value: ScriptValue): number {
  if (typeof value === 'number') return value
  if (value instanceof Box) return value.value
  if (value instanceof ScriptDate) return value.millis
  return Number(value instanceof BigInteger ? value.value : value)
}

function pointMember(path: string, { kind, text }: Part, values: Values): NumberOf {
  const isMethod = kind === 'method'
  const at = (read: (point: ScriptGeoPoint) => number): NumberOf => {
    return (frame) => {
      const [point] = values(frame)
      return point instanceof ScriptGeoPoint ? read(point) : 0
    }
  }
  if (text === (isMethod ? 'getLat' : 'lat')) return at(({ lat }) => lat)
  if (text === (isMethod ? 'getLon' : 'lon')) return at(({ lon }) => lon)
  // The real servers have it the wrong way round.
  if (text === (isMethod ? 'isEmpty' : 'empty')) return at(() => 1)
  throw illegal(`Member ${isMethod ? 'method' : 'variable'} [${text}] does not exist for geo field [${path}].`)
}

/** What a field has to offer. @throws {LinkFault} */
function kindOf(path: string, mapping: IndexMapping, isLucene7: boolean): 'number' | 'date' | 'point' {
  const mustBeNumeric = new LinkFault('parse_exception', `Field [${path}] must be numeric, date, or geopoint`, 5)
  let field: FieldMapping | undefined
  try {
    const known = checkDocField(path, mapping, isLucene7)
    if (known === '_seq_no') return 'number'
    if (typeof known === 'string') throw mustBeNumeric
    field = known
  } catch (error) {
    const fault = asScriptFault(error)
    if (fault === undefined) throw error
    // Later versions can load what is in ranges.
    if (!isLucene7 && mapping.field(path)?.kind === 'range') throw mustBeNumeric
    throw illegal(fault.throwable.message as string)
  }
  if (field === undefined) throw new LinkFault('parse_exception', `Field [${path}] does not exist in mappings`, 5)
  if (field.kind === 'date') return 'date'
  if (field.kind === 'geo_point') return 'point'
  if (field.kind === 'number' || field.kind === 'boolean') return 'number'
  throw mustBeNumeric
}
