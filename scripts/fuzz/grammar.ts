import type { Random } from './random.ts'

/** A field that can be asked about: a leaf of a mapping or one of its sub-fields. */
export interface Field {
  readonly path: string
  readonly type: string
  readonly format?: string
  /** The nested object it lies in. */
  readonly nested?: string
}

/** What is known where a part of a request is made up. */
export interface Context {
  readonly random: Random
  /** Without types: any but Elasticsearch 6.8. */
  readonly typeless: boolean
  /** Of a server that lacks its modules: most analyzers, scripts, processors, joins. */
  readonly bare: boolean
  /** Types of fields, and queries by the same names, that the real server does not know. */
  readonly lacking: readonly string[]
  /** Every other field is of this type. */
  readonly type?: string
  /** The nested objects whose fields are mostly asked for. */
  readonly nested?: string | undefined
  readonly index: string
  readonly fields: readonly Field[]
  /** What both servers hold. */
  readonly documents: readonly Json[]
  /** How often something is wrong on purpose, 0 to 1. */
  readonly wrong: number
  readonly depth: number
}

// biome-ignore lint/suspicious/noExplicitAny: made-up JSON has no shape to speak of
export type Json = any

/**
 * How to make up a piece of JSON: the piece itself, where a function stands for what it makes of the context (again a
 * rule). A member named `x?` is there three times in ten, one that comes to undefined never.
 */
export type Rule =
  | Made
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | readonly Rule[]
  | { readonly [member: string]: Rule }

/** A rule that depends on the context. */
export type Made = (c: Context) => Rule

/** Makes up what a rule tells. */
export function make(c: Context, rule: Rule): Json {
  if (typeof rule === 'function') return make(c, rule(c))
  if (Array.isArray(rule)) return rule.map((item: Rule) => make(c, item))
  if (typeof rule !== 'object' || rule === null) return rule
  const made: Record<string, Json> = {}
  for (const [name, member] of Object.entries(rule)) {
    if (name.endsWith('?') && !c.random.chance(0.3)) continue
    const value = make(c, member)
    if (value !== undefined) made[name.replace(/\?$/, '')] = value
  }
  return made
}

export const oneOf =
  (...rules: readonly Rule[]): Made =>
  (c) =>
    c.random.pick(rules)

/** The first, or now and then one of the others, which a server should refuse. */
export const orWrong =
  (right: Rule, ...wrong: readonly Rule[]): Made =>
  (c) =>
    c.random.chance(c.wrong) ? c.random.pick(wrong) : right

export const maybe =
  (share: number, rule: Rule): Made =>
  (c) =>
    c.random.chance(share) ? rule : undefined

export const whole =
  (low: number, high: number): Made =>
  (c) =>
    c.random.whole(low, high)

/** A list of so many. */
export const some =
  (low: number, high: number, rule: Rule): Made =>
  (c) =>
    Array.from({ length: c.random.whole(low, high) }, () => make(c, rule))

/** One or a list of some. */
export const oneOrSome = (rule: Rule): Made => oneOf(rule, some(1, 3, rule))

/** One of the table's rules, as often as its number says, under its name: `{ match: … }`. */
export const named =
  (table: Readonly<Record<string, readonly [often: number, rule: Rule]>>): Made =>
  (c) => {
    const rows = Object.entries(table)
    let left = c.random.next() * rows.reduce((sum, [, [often]]) => sum + often, 0)
    for (const [name, [often, rule]] of rows) {
      left -= often
      if (left < 0) return { [name]: rule }
    }
    return undefined
  }

/** The rows of a table that the real server knows. */
export const known = <T>(c: Context, table: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(table).filter(([name]) => !c.lacking.includes(name)))

/** The members of several objects in one. */
export const together =
  (...rules: readonly Rule[]): Made =>
  (c) =>
    Object.assign({}, ...rules.map((rule) => make(c, rule)))

/** A rule one level further in; `leaf` from the third on, so that things end. */
export const deeper =
  (rule: Rule, leaf: Rule = rule): Made =>
  (c) =>
    make({ ...c, depth: c.depth + 1 }, c.depth < 2 ? rule : leaf)

const NUMBERS = 'long integer short byte double float half_float scaled_float token_count unsigned_long'.split(' ')

/** A field, mostly of one of the types (`number` and `range` stand for all of theirs), now and then any. */
export const field =
  (...types: readonly string[]): ((c: Context) => Field) =>
  (c) => {
    const fits = (f: Field): boolean =>
      types.includes(f.type) ||
      (types.includes('text') && (f.type === 'search_as_you_type' || f.type === 'match_only_text')) ||
      (types.includes('keyword') && (f.type === 'flat_object' || f.type === 'wildcard')) ||
      (types.includes('date') && f.type === 'date_nanos') ||
      (types.includes('number') && NUMBERS.includes(f.type)) ||
      (types.includes('range') && f.type.endsWith('_range'))
    const own = c.nested === undefined || c.random.chance(0.3) ? [] : c.fields.filter((f) => f.nested === c.nested)
    const fitting = own.some(fits) ? own.filter(fits) : c.fields.filter(fits)
    if (c.random.chance(c.wrong)) return { path: c.random.pick(ODD_FIELDS), type: 'keyword' }
    return c.random.pick(fitting.length > 0 && c.random.chance(0.95) ? fitting : c.fields)
  }
const ODD_FIELDS = 'missing _id _index _type _source _routing _field_names _seq_no _version dyn1 f*'.split(' ')

/** The path of a field. */
export const path =
  (...types: readonly string[]): Made =>
  (c) =>
    field(...types)(c).path

/** `{ path: … }` for a field. */
export const on =
  (types: readonly string[], body: (f: Field) => Rule): Made =>
  (c) => {
    const f = field(...types)(c)
    return { [f.path]: body(f) }
  }
