import { type CharacterSet, namedSet } from './character-set.ts'
import type { PatternReader } from './pattern-reader.ts'
import { PatternSyntaxError } from './pattern-syntax-error.ts'

const CONTROLS: Readonly<Record<string, number>> = { t: 9, v: 11, n: 10, r: 13, b: 8, f: 12, a: 7, e: 27 }

/** Reads `p{Name}`, `p{^Name}` or `P{Name}`, the backslash being read. @throws {PatternSyntaxError} */
export function readProperty(reader: PatternReader): CharacterSet {
  const found = /^([pP])\{(\^?)([^}]*)\}/.exec(reader.rest(0))
  if (found === null) throw new PatternSyntaxError('invalid character property name {p}')
  const [all, letter, caret, name] = found as unknown as [string, string, string, string]
  const set = namedSet(name)
  if (set === undefined) throw new PatternSyntaxError(`invalid character property name <${caret}${name}>`)
  reader.skip(all.length)
  return (letter === 'P') === (caret === '^') ? set : set.not()
}

/** Reads what stands for a single character after a backslash: `n`, `x41`, `x{d55c}`, `101`, `cA`, or the character itself. */
export function readEscapedPoint(reader: PatternReader): number {
  if (reader.isAtEnd) throw new PatternSyntaxError('end pattern at escape')
  const rest = reader.rest(0)
  const wide = /^x\{([0-9a-fA-F]{1,8})\}/.exec(rest)
  if (wide !== null) return taken(reader, wide[0], Number.parseInt(wide[1] as string, 16))
  const narrow = /^x([0-9a-fA-F]{0,2})/.exec(rest)
  if (narrow !== null) return taken(reader, narrow[0], Number.parseInt(`0${narrow[1]}`, 16))
  const octal = /^[0-7]{1,3}/.exec(rest)
  if (octal !== null) return taken(reader, octal[0], Number.parseInt(octal[0], 8) & 0xff)
  const control = /^(?:c|C-)([\s\S])/.exec(rest)
  if (control !== null) {
    const [all, letter] = control as unknown as [string, string]
    return taken(reader, all, letter === '?' ? 0x7f : letter.charCodeAt(0) & 0x9f)
  }
  const letter = reader.peek()
  if (Object.hasOwn(CONTROLS, letter)) return taken(reader, letter, CONTROLS[letter] as number)
  return reader.next()
}

function taken(reader: PatternReader, text: string, point: number): number {
  reader.skip(text.length)
  if (point > 0x10ffff) throw new PatternSyntaxError('too big wide-char value')
  return point
}
