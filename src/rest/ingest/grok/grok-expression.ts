import { inJavaHashOrder } from '../../../engine/java/java-hash-order.ts'
import type { PatternBank } from './pattern-bank.ts'

/** Why a grok expression cannot be read. */
export class GrokSyntaxError extends Error {}

const REFERENCE = /%\{(?<name>(?<pattern>[A-z0-9]+)(?::(?<field>[\p{Alphabetic}\p{M}\p{Nd}@[\]_:.-]+))?)(?:=[^{}]+)?\}/u
/** Longest expression that references may grow into. */
const MAX_LENGTH = 1_000_000

/**
 * An expression with its references (`%{NAME}`, `%{NAME:field}`, `%{NAME:field:type}`) put in: one that names a field becomes
 * a group of the name `NAME:field:type`.
 *
 * @throws {GrokSyntaxError} for a pattern that is not in the bank, or that has no end
 */
export function expandGrok(expression: string, bank: PatternBank): string {
  let done = ''
  let rest = expression
  for (;;) {
    const found = REFERENCE.exec(rest)
    if (found === null) return done + rest
    const { name, pattern, field } = found.groups as { name: string; pattern: string; field: string | undefined }
    const body = bank.get(pattern)
    if (body === undefined)
      throw new GrokSyntaxError(`Unable to find pattern [${pattern}] in Grok's pattern dictionary`)
    if (namesItself(body, pattern)) throw new GrokSyntaxError(`circular reference in pattern back [${pattern}]`)
    done += rest.slice(0, found.index)
    const part = field === undefined ? `(?:${body})` : `(?<${name}>${body})`
    rest = part + rest.slice(found.index + found[0].length)
    if (done.length + rest.length > MAX_LENGTH) throw new GrokSyntaxError('too big pattern')
  }
}

/** Steps that may be taken to find out whether patterns name one another in a circle. */
const MAX_STEPS = 200_000

/** Refuses patterns that name one another in a circle, in the words of the real server. @throws {GrokSyntaxError} */
export function forbidCircles(bank: PatternBank): void {
  const names = inJavaHashOrder([...bank.keys()])
  for (const name of names) {
    const pattern = bank.get(name) as string
    if (namesItself(pattern, name)) throw new GrokSyntaxError(`circular reference in pattern [${name}][${pattern}]`)
  }
  let steps = 0
  for (const name of names) {
    const path: string[] = []
    const visit = (pattern: string | undefined): void => {
      if (++steps > MAX_STEPS || path.length > 1000)
        throw new GrokSyntaxError(`pattern [${pattern}] has circular references to other pattern definitions`)
      if (pattern === undefined) {
        throw new GrokSyntaxError('Cannot invoke "String.contains(java.lang.CharSequence)" because "pattern" is null')
      }
      if (namesItself(pattern, name)) throw circle(name, pattern, path)
      for (let at = pattern.indexOf('%{'); at >= 0; at = pattern.indexOf('%{', at + 1)) {
        const end = pattern.slice(at + 2).search(/[}:]/)
        if (end < 0)
          throw new GrokSyntaxError(`pattern [${pattern}] has circular references to other pattern definitions`)
        const other = pattern.slice(at + 2, at + 2 + end)
        // As in the real server, names stay in the path when it goes on elsewhere.
        path.push(other)
        visit(bank.get(other))
      }
    }
    visit(bank.get(name))
  }
}

function circle(name: string, pattern: string, path: string[]): GrokSyntaxError {
  const last = path.pop()
  if (last === undefined) return new GrokSyntaxError(`circular reference in pattern [${name}][${pattern}]`)
  const via = path.length === 0 ? '' : ` via patterns [${path.join('=>')}]`
  return new GrokSyntaxError(`circular reference in pattern [${last}][${pattern}] back to pattern [${name}]${via}`)
}

function namesItself(pattern: string, name: string): boolean {
  return pattern.includes(`%{${name}}`) || pattern.includes(`%{${name}:`)
}
