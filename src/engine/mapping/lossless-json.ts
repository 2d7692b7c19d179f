import { setOwn } from '../../set-own.ts'

/** A JSON number whose digits say more than its value: `1.0`, `1e3`, `0.10`. */
export class JsonNumber {
  readonly text: string
  readonly value: number

  constructor(text: string) {
    this.text = text
    this.value = Number(text)
  }

  toString(): string {
    return this.text
  }
}

/** Whether digits are those of a whole number, as `-0` and 20 of them are. */
export const isWholeText = (text: string): boolean => /^-?\d+$/.test(text)

/** Whether a value of JSON holds any. */
export function holdsDigits(value: unknown): boolean {
  if (value instanceof JsonNumber) return true
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsDigits)
}

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** Objects and arrays in one another that are read; deeper ones are refused long before by the mapping's own limit. */
const MAX_DEPTH = 2000

/**
 * True when some number of a JSON text could read otherwise than JavaScript prints its value or Java (`1.0`, `1e3`, `0.0001`, 20 digits).
 * May be true without reason (texts are looked through too), never false without.
 */
export function hasUnusualNumbers(json: string): boolean {
  return /\d[eE][+-]?\d|\.\d*0(?!\d)|\d{16}|[\d.]{17}|-0(?![.\d])|0\.000|\d{8}\./.test(json)
}

/** True when some number of a JSON text has an exponent; may be true without reason, never false without. */
export function mayHaveExponents(json: string): boolean {
  return /\d[eE][+-]?\d/.test(json)
}

/** The same JSON value with whole numbers beyond 2^53 as bigints and `-0.0` as its text, where the text itself is not at hand. */
export function withBigInts(value: unknown): unknown {
  if (Object.is(value, -0)) return new JsonNumber('-0.0')
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value
  if (Array.isArray(value)) return value.map(withBigInts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withBigInts(member)]))
}

/**
 * Reads JSON that is known to be well formed without losing a digit: whole numbers beyond 2^53 become bigints, numbers
 * that JavaScript would print differently become {@link JsonNumber}; all else is as `JSON.parse` has it.
 *
 * Ten times slower than that and recursive: for single documents of limited depth, where the digits matter.
 */
export function parseLosslessJson(text: string): unknown {
  // Behind a byte order mark, where there is one.
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  let depth = 0

  const skipBlanks = (): void => {
    while (at < text.length && text.charCodeAt(at) <= 0x20) at++
  }

  const readString = (): string => {
    const start = at
    for (at++; text.charCodeAt(at) !== 0x22; at++) if (text.charCodeAt(at) === 0x5c) at++
    at++
    return JSON.parse(text.slice(start, at)) as string
  }

  const readNumber = (): unknown => {
    NUMBER.lastIndex = at
    const digits = NUMBER.exec(text)?.[0]
    if (digits === undefined) throw new SyntaxError(`not JSON at ${at}`)
    at += digits.length
    const value = Number(digits)
    const isWhole = isWholeText(digits) && digits !== '-0'
    if (isWhole && !Number.isSafeInteger(value)) return BigInt(digits)
    // JavaScript prints large whole numbers as `1e+21`, too.
    const isPlain = String(value) === digits && isWhole === Number.isInteger(value)
    return isPlain ? value : new JsonNumber(digits)
  }

  const readValue = (): unknown => {
    if (++depth > MAX_DEPTH) throw new RangeError(`JSON is nested deeper than ${MAX_DEPTH}`)
    const value = readAnyValue()
    depth--
    return value
  }

  const readAnyValue = (): unknown => {
    skipBlanks()
    switch (text.charCodeAt(at)) {
      case 0x7b: {
        const object: Record<string, unknown> = {}
        at++
        for (skipBlanks(); text.charCodeAt(at) !== 0x7d; skipBlanks()) {
          const key = readString()
          skipBlanks()
          at++
          const value = readValue()
          setOwn(object, key, value)
          skipBlanks()
          if (text.charCodeAt(at) === 0x2c) at++
          skipBlanks()
        }
        at++
        return object
      }
      case 0x5b: {
        const array: unknown[] = []
        at++
        for (skipBlanks(); text.charCodeAt(at) !== 0x5d; skipBlanks()) {
          array.push(readValue())
          skipBlanks()
          if (text.charCodeAt(at) === 0x2c) at++
        }
        at++
        return array
      }
      case 0x22:
        return readString()
      case 0x74:
        at += 4
        return true
      case 0x66:
        at += 5
        return false
      case 0x6e:
        at += 4
        return null
      default:
        return readNumber()
    }
  }

  return readValue()
}
