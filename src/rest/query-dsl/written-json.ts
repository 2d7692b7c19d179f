import { javaDouble, javaFloat } from '../../engine/java/java-number-text.ts'
import { isObject } from '../../is-object.ts'

/** What a query or a part of it is written as. */
export type Json = { readonly [name: string]: unknown }

/** Thrown over what is not written. */
export const UNWRITTEN = Symbol('unwritten')

/** A number with a point, however whole it is. */
export class Float {
  readonly value: number
  constructor(value: unknown) {
    this.value = Number(value)
  }
}

/** A double with a point, however whole it is. */
export class Double extends Float {}

/** What is known only where it is printed. */
export class Deferred {
  readonly value: unknown
  constructor(value: unknown) {
    this.value = value
  }
}

/** JSON as Jackson's pretty printer lays it out. */
export function printJson(value: unknown, resolve: (value: unknown) => unknown, indent = ''): string {
  if (value instanceof Double) return number(javaDouble(value.value))
  if (value instanceof Float) return number(javaFloat(value.value))
  if (value instanceof Deferred) return printJson(resolve(value.value), resolve, indent)
  const further = `${indent}  `
  if (Array.isArray(value)) {
    if (value.length === 0) return '[ ]'
    return `[\n${value.map((item) => further + printJson(item, resolve, further)).join(',\n')}\n${indent}]`
  }
  if (isObject(value)) {
    const members = Object.entries(value).map(
      ([name, member]) => `${further}${quoted(name)} : ${printJson(member, resolve, further)}`,
    )
    return members.length === 0 ? '{ }' : `{\n${members.join(',\n')}\n${indent}}`
  }
  if (typeof value === 'number') {
    // Whole numbers of more digits are bigints.
    const isWhole = Number.isSafeInteger(value) && !Object.is(value, -0)
    return isWhole ? String(value) : number(javaDouble(value))
  }
  return typeof value === 'string' ? quoted(value) : String(value)
}

/** What is no number of JSON's stands in quotes. */
const number = (text: string): string => (/\d/.test(text) ? text : quoted(text))

/** Characters beyond the first plane are written as the two units they are made of. */
function quoted(value: string): string {
  const units = (pair: string): string =>
    [...pair.split('')].map((unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase()}`).join('')
  return JSON.stringify(value).replace(/[\ud800-\udbff][\udc00-\udfff]/g, units)
}
