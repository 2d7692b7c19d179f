import { type IpRange, parseIp, parseIpRange, rangeContains } from './ip-range.ts'
import { type ContextLookup, PolicyText } from './policy-text.ts'

/** One key of one operator of a `Condition`. */
export interface PolicyCondition {
  /** `ForAnyValue:StringEqualsIfExists`, as written. */
  readonly operator: string
  /** As written; compared without case. */
  readonly key: string
  readonly values: readonly string[]
  /**
   * Does the request meet it? A policy value with a variable that has no value equals nothing, and so would be unequal to
   * everything: a negated operator then fails closed, in an Allow by not holding, in a Deny by holding.
   */
  holds(lookup: ContextLookup, effect: 'Allow' | 'Deny'): boolean
}

/** Compares one value of the request with one of the policy. */
interface Comparison {
  /** The base operator of a negated one: `StringNotEquals` is not `StringEquals`. */
  readonly negated: boolean
  /**
   * Undefined for a policy value that is none of its kind; the test answers undefined when a variable has no value, or one of
   * the two is none of its kind.
   */
  readonly prepare: (value: string, version2012: boolean) => ValueTest | undefined
}

type ValueTest = (actual: string, lookup: ContextLookup) => boolean | undefined

const OPERATORS: ReadonlyMap<string, Comparison> = new Map(
  Object.entries({
    StringEquals: text((actual, expected) => actual === expected),
    StringEqualsIgnoreCase: text((actual, expected) => actual.toLowerCase() === expected.toLowerCase()),
    StringLike: like((glob, actual) => glob(actual)),
    NumericEquals: number((actual, expected) => actual === expected),
    NumericLessThan: number((actual, expected) => actual < expected),
    NumericLessThanEquals: number((actual, expected) => actual <= expected),
    NumericGreaterThan: number((actual, expected) => actual > expected),
    NumericGreaterThanEquals: number((actual, expected) => actual >= expected),
    DateEquals: date((actual, expected) => actual === expected),
    DateLessThan: date((actual, expected) => actual < expected),
    DateLessThanEquals: date((actual, expected) => actual <= expected),
    DateGreaterThan: date((actual, expected) => actual > expected),
    DateGreaterThanEquals: date((actual, expected) => actual >= expected),
    Bool: bool(),
    BinaryEquals: text((actual, expected) => actual === expected),
    IpAddress: ip(),
    ArnEquals: arn(),
    ArnLike: arn(),
    StringNotEquals: not(text((actual, expected) => actual === expected)),
    StringNotEqualsIgnoreCase: not(text((actual, expected) => actual.toLowerCase() === expected.toLowerCase())),
    StringNotLike: not(like((glob, actual) => glob(actual))),
    NumericNotEquals: not(number((actual, expected) => actual === expected)),
    DateNotEquals: not(date((actual, expected) => actual === expected)),
    NotIpAddress: not(ip()),
    ArnNotEquals: not(arn()),
    ArnNotLike: not(arn()),
  }),
)

/**
 * Compiles one operator and key of a `Condition`.
 *
 * A key the request lacks: meets negated operators, `…IfExists` and `ForAllValues:`, and no other.
 * @throws {Error} for an unknown operator or a value that is none of the operator's kind
 */
export function compileCondition(
  operator: string,
  key: string,
  values: readonly string[],
  version2012: boolean,
): PolicyCondition {
  const match = /^(?:(ForAnyValue|ForAllValues):)?(\w+?)(IfExists)?$/.exec(operator)
  const [, quantifier, base = '', ifExists] = match ?? []
  const name = key.toLowerCase()
  if (base === 'Null') {
    if (quantifier !== undefined || ifExists !== undefined) throw new Error(`unknown condition operator ${operator}`)
    const wanted = values.map((value) => value.toLowerCase())
    if (wanted.some((value) => value !== 'true' && value !== 'false')) throw new Error('Null takes true or false')
    return { operator, key, values, holds: (lookup) => wanted.includes(String(lookup(name) === undefined)) }
  }
  const comparison = OPERATORS.get(base)
  if (match === null || comparison === undefined) throw new Error(`unknown condition operator ${operator}`)
  const tests = values.map((value) => {
    const test = comparison.prepare(value, version2012)
    if (test === undefined) throw new Error(`${JSON.stringify(value)} is no value for ${base}`)
    return test
  })
  const { negated } = comparison
  const meets = (actual: string, lookup: ContextLookup, effect: 'Allow' | 'Deny') => {
    let hasUnknown = false
    for (const test of tests) {
      const equal = test(actual, lookup)
      if (equal === true) return !negated
      if (equal === undefined) hasUnknown = true
    }
    return negated && !(hasUnknown && effect === 'Allow')
  }
  return {
    operator,
    key,
    values,
    holds(lookup, effect) {
      const actual = lookup(name)
      if (actual === undefined || actual.length === 0) {
        if (ifExists !== undefined || quantifier === 'ForAllValues') return true
        return quantifier === undefined && negated
      }
      return quantifier === 'ForAnyValue'
        ? actual.some((value) => meets(value, lookup, effect))
        : actual.every((value) => meets(value, lookup, effect))
    },
  }
}

function not(comparison: Comparison): Comparison {
  return { ...comparison, negated: true }
}

function text(compare: (actual: string, expected: string) => boolean): Comparison {
  return {
    negated: false,
    prepare(value, version2012) {
      const template = new PolicyText(value, version2012)
      return (actual, lookup) => {
        const expected = template.text(lookup)
        return expected === undefined ? undefined : compare(actual, expected)
      }
    },
  }
}

function like(compare: (glob: (text: string) => boolean, actual: string) => boolean): Comparison {
  return {
    negated: false,
    prepare(value, version2012) {
      const template = new PolicyText(value, version2012)
      return (actual, lookup) => {
        const glob = template.glob(lookup)
        return glob === undefined ? undefined : compare((candidate) => glob.matches(candidate), actual)
      }
    },
  }
}

/** ARNs compare part by part, so that a `*` does not reach over a colon; the sixth part is the rest. */
function arn(): Comparison {
  return {
    negated: false,
    prepare(value, version2012) {
      const parts = splitArn(value).map((part) => new PolicyText(part, version2012))
      if (value !== '*' && (parts.length !== 6 || !value.startsWith('arn:'))) return undefined
      return (actual, lookup) => {
        if (value === '*') return true
        const actualParts = splitArn(actual)
        const globs = parts.map((part) => part.glob(lookup))
        if (globs.includes(undefined)) return undefined
        return actualParts.length === 6 && globs.every((glob, i) => glob?.matches(actualParts[i] as string) === true)
      }
    },
  }
}

/** Splits at the first five colons outside `${…}`. */
function splitArn(value: string): string[] {
  const parts: string[] = []
  let start = 0
  for (let i = 0; i < value.length && parts.length < 5; i++) {
    if (value.startsWith('${', i)) i = Math.max(value.indexOf('}', i), i)
    else if (value[i] === ':') {
      parts.push(value.slice(start, i))
      start = i + 1
    }
  }
  parts.push(value.slice(start))
  return parts
}

function number(compare: (actual: number, expected: number) => boolean): Comparison {
  return typed((value) => (/^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined), compare)
}

function date(compare: (actual: number, expected: number) => boolean): Comparison {
  return typed(parseDate, compare)
}

function bool(): Comparison {
  const read = (value: string) => {
    const lower = value.toLowerCase()
    return lower === 'true' ? true : lower === 'false' ? false : undefined
  }
  return typed(read, (actual, expected) => actual === expected)
}

function ip(): Comparison {
  return {
    negated: false,
    prepare(value, version2012) {
      const compare = (actual: string, range: IpRange | undefined) => {
        const address = parseIp(actual)
        return address === undefined || range === undefined ? undefined : rangeContains(range, address)
      }
      const template = new PolicyText(value, version2012)
      if (template.hasVariables) {
        return (actual, lookup) => {
          const text = template.text(lookup)
          return text === undefined ? undefined : compare(actual, parseIpRange(text))
        }
      }
      const range = parseIpRange(value)
      return range === undefined ? undefined : (actual) => compare(actual, range)
    },
  }
}

function typed<T>(read: (value: string) => T | undefined, compare: (actual: T, expected: T) => boolean): Comparison {
  return {
    negated: false,
    prepare(value, version2012) {
      const template = new PolicyText(value, version2012)
      const fixed = template.hasVariables ? undefined : read(value)
      if (!template.hasVariables && fixed === undefined) return undefined
      return (actual, lookup) => {
        const text = fixed === undefined ? template.text(lookup) : ''
        if (text === undefined) return undefined
        const expected = fixed ?? read(text)
        const found = read(actual)
        return expected === undefined || found === undefined ? undefined : compare(found, expected)
      }
    },
  }
}

/** ISO 8601 (`2026-01-15`, `2026-01-15T12:00:00Z`) or seconds since 1970, in milliseconds. */
function parseDate(value: string): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(value) && value.length !== 4) return Number(value) * 1000
  if (!/^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?)?)?$/.test(value))
    return undefined
  const ms = Date.parse(/T/.test(value) && !/(?:Z|[+-]\d\d:?\d\d)$/.test(value) ? `${value}Z` : value)
  return Number.isNaN(ms) ? undefined : ms
}
