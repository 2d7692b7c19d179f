import type { TermDictionary } from '../../index/segment-reader.ts'
import { infixTerms } from './infix-terms.ts'
import { prefixTerms } from './prefix-terms.ts'

const ANY = Symbol('*')
const ONE = Symbol('?')
type Part = string | typeof ANY | typeof ONE

/** Ordinals of the terms a pattern with `*` and `?` describes, ascending; `\` takes the next character as it is. */
export function wildcardTerms(terms: TermDictionary, pattern: string): ArrayLike<number> {
  const parts = parseWildcard(pattern)
  const [first, second, third] = parts
  if (first === undefined) return span(terms, new Uint8Array(0), (length) => length === 0)
  const literals = parts.filter((part): part is string => typeof part === 'string')
  if (typeof first === 'string') {
    if (parts.length === 2 && second === ANY) return span(terms, Buffer.from(first), () => true)
    return span(terms, Buffer.from(first), (_, ordinal) => matchesParts(parts, terms.termText(ordinal)))
  }
  if (literals.length === 0) {
    if (parts.length === 1 && first === ANY) return span(terms, new Uint8Array(0), () => true)
    return span(terms, new Uint8Array(0), (_, ordinal) => matchesParts(parts, terms.termText(ordinal)))
  }
  const longest = literals.reduce((a, b) => (b.length > a.length ? b : a))
  const candidates = infixTerms(terms, Buffer.from(longest))
  if (parts.length === 3 && first === ANY && third === ANY) return candidates
  const found: number[] = []
  for (let i = 0; i < candidates.length; i++) {
    const ordinal = candidates[i] as number
    if (matchesParts(parts, terms.termText(ordinal))) found.push(ordinal)
  }
  return found
}

/** Whether a text fits a pattern with `*` and `?`; `\` takes the next character as it is. */
export function wildcardTest(pattern: string): (text: string) => boolean {
  const parts = parseWildcard(pattern)
  return (text) => matchesParts(parts, text)
}

function span(terms: TermDictionary, prefix: Uint8Array, keep: (length: number, ordinal: number) => boolean): number[] {
  const { from, to } = prefixTerms(terms, prefix)
  const found: number[] = []
  for (let ordinal = from; ordinal < to; ordinal++) {
    const length = (terms.termOffsets[ordinal + 1] as number) - (terms.termOffsets[ordinal] as number)
    if (keep(length, ordinal)) found.push(ordinal)
  }
  return found
}

function parseWildcard(written: string): Part[] {
  // As terms have it, which are UTF-8.
  const pattern = written.toWellFormed()
  const parts: Part[] = []
  let literal = ''
  const flush = () => {
    if (literal !== '') parts.push(literal)
    literal = ''
  }
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i] as string
    if (c === '*') {
      flush()
      if (parts.at(-1) !== ANY) parts.push(ANY)
    } else if (c === '?') {
      flush()
      parts.push(ONE)
    } else if (c === '\\' && i + 1 < pattern.length) literal += pattern[++i]
    else literal += c
  }
  flush()
  return parts
}

/** Greedy with one way back: time grows with pattern × text, however many stars there are. */
function matchesParts(parts: readonly Part[], text: string): boolean {
  let p = 0
  let at = 0
  let starPart = -1
  let starAt = 0
  for (;;) {
    const part = parts[p]
    if (part === ANY) {
      starPart = p++
      starAt = at
      if (p === parts.length) return true
      continue
    }
    if (part === undefined && at === text.length) return true
    const width =
      part === ONE ? codeUnits(text, at) : typeof part === 'string' && text.startsWith(part, at) ? part.length : 0
    if (width > 0) {
      at += width
      p++
      continue
    }
    if (starPart < 0 || starAt >= text.length) return false
    starAt += codeUnits(text, starAt)
    at = starAt
    p = starPart + 1
  }
}

function codeUnits(text: string, at: number): number {
  if (at >= text.length) return 0
  return (text.codePointAt(at) as number) > 0xffff ? 2 : 1
}
