import { ServiceError } from '../../errors.ts'
import type { TermDictionary } from '../index/segment-reader.ts'

/** Ordinals of the terms that begin with a prefix: a range. */
export function prefixOrdinals(terms: TermDictionary, prefix: Uint8Array): { readonly from: number; readonly to: number } {
  const from = terms.ceiling(prefix)
  let end: Uint8Array | undefined
  for (let i = prefix.length - 1; i >= 0 && end === undefined; i--) {
    if (prefix[i] === 0xff) continue
    end = prefix.slice(0, i + 1)
    end[i] = (end[i] as number) + 1
  }
  return { from, to: end === undefined ? terms.size : terms.ceiling(end) }
}

/** Ordinals of the terms a pattern with `*` and `?` describes; `\` takes the next character as it is. */
export function wildcardOrdinals(terms: TermDictionary, pattern: string): number[] {
  const parts = parseWildcard(pattern)
  const literalPrefix = parts[0] !== undefined && typeof parts[0] === 'string' ? parts[0] : ''
  const [only, middle, last] = parts
  if (parts.length === 3 && only === ANY && typeof middle === 'string' && last === ANY) return infixOrdinals(terms, Buffer.from(middle))
  const { from, to } = literalPrefix === '' ? { from: 0, to: terms.size } : prefixOrdinals(terms, Buffer.from(literalPrefix))
  const out: number[] = []
  for (let ordinal = from; ordinal < to; ordinal++) if (matchesParts(parts, terms.termText(ordinal))) out.push(ordinal)
  return out
}

/**
 * Ordinals of the terms that contain a text: one native search over all terms' bytes, which stand one behind the other.
 * A find that reaches over a term's end is none.
 */
export function infixOrdinals(terms: TermDictionary, text: Buffer): number[] {
  const bytes = Buffer.from(terms.termBytes.buffer, terms.termBytes.byteOffset, terms.termBytes.byteLength)
  const offsets = terms.termOffsets
  const out: number[] = []
  let ordinal = 0
  for (let at = bytes.indexOf(text, 0); at !== -1; ) {
    ordinal = termAt(offsets, at, ordinal, terms.size)
    const end = offsets[ordinal + 1] as number
    if (at + text.length <= end) {
      out.push(ordinal)
      // One find a term is enough.
      at = bytes.indexOf(text, end)
    } else at = bytes.indexOf(text, at + 1)
  }
  return out
}

function termAt(offsets: Uint32Array, byte: number, low: number, size: number): number {
  let high = size - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((offsets[middle] as number) <= byte) low = middle
    else high = middle - 1
  }
  return low
}

const ANY = Symbol('*')
const ONE = Symbol('?')
type Part = string | typeof ANY | typeof ONE

function parseWildcard(pattern: string): Part[] {
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
    const width = part === ONE ? codeUnits(text, at) : typeof part === 'string' && text.startsWith(part, at) ? part.length : 0
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

/** Ordinals of the terms a regular expression describes as a whole. @throws {ServiceError} when it does not compile */
export function regexpOrdinals(terms: TermDictionary, pattern: string): number[] {
  let compiled: RegExp
  try {
    compiled = new RegExp(`^(?:${luceneRegexp(pattern)})$`, 'su')
  } catch {
    throw new ServiceError('illegal_argument_exception', `the regular expression [${pattern.slice(0, 100)}] cannot be parsed`)
  }
  const prefix = /^[\p{L}\p{N}_ -]*/u.exec(pattern)?.[0] ?? ''
  const safe = /[|?*{]/.test(pattern[prefix.length] ?? '') ? (pattern.includes('|') ? '' : prefix.slice(0, -1)) : pattern.includes('|') ? '' : prefix
  const { from, to } = safe === '' ? { from: 0, to: terms.size } : prefixOrdinals(terms, Buffer.from(safe))
  const out: number[] = []
  for (let ordinal = from; ordinal < to; ordinal++) if (compiled.test(terms.termText(ordinal))) out.push(ordinal)
  return out
}

/** Lucene's syntax as JavaScript's: `@` any string, `#` nothing, `~`, `<`, `&` and `"` are refused or quoted. */
function luceneRegexp(pattern: string): string {
  let out = ''
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i] as string
    if (c === '\\') {
      const next = pattern[++i] ?? '\\'
      out += /[\p{L}\p{N}]/u.test(next) ? next : `\\${next}`.replace(/\\([^\^$\\.*+?()[\]{}|/-])/, '$1')
    } else if (c === '@') out += '.*'
    else if (c === '~' || c === '<' || c === '&') {
      throw new ServiceError('illegal_argument_exception', `operator [${c}] of regular expressions is not supported by this domain`)
    } else if (c === '"') {
      const end = pattern.indexOf('"', i + 1)
      if (end < 0) throw new ServiceError('illegal_argument_exception', `expected '"' at position ${pattern.length}`)
      out += pattern.slice(i + 1, end).replace(/[\^$\\.*+?()[\]{}|]/g, '\\$&')
      i = end
    } else if (c === '^' || c === '$') out += `\\${c}`
    else out += c
  }
  return out
}

/** A term near another: how many edits away. */
export interface FuzzyTerm {
  readonly text: string
  readonly edits: number
}

/** Terms within some edits of a text (Damerau's with transpositions), sharing a prefix with it. */
export function fuzzyTerms(terms: TermDictionary, text: string, maxEdits: number, prefixLength: number, transpositions: boolean): FuzzyTerm[] {
  const wanted = Array.from(text, (c) => c.codePointAt(0) as number)
  const prefix = Array.from(text).slice(0, prefixLength).join('')
  const { from, to } = prefix === '' ? { from: 0, to: terms.size } : prefixOrdinals(terms, Buffer.from(prefix))
  const out: FuzzyTerm[] = []
  const { termOffsets } = terms
  for (let ordinal = from; ordinal < to; ordinal++) {
    // Lengths in bytes bound lengths in characters: most terms are told without reading them.
    const bytes = (termOffsets[ordinal + 1] as number) - (termOffsets[ordinal] as number)
    if (bytes < wanted.length - maxEdits || bytes > (wanted.length + maxEdits) * 4) continue
    const candidate = terms.termText(ordinal)
    if (candidate.length < wanted.length - maxEdits || candidate.length > (wanted.length + maxEdits) * 2) continue
    const edits = boundedEdits(wanted, candidate, maxEdits, transpositions)
    if (edits <= maxEdits) out.push({ text: candidate, edits })
  }
  return out
}

/** Optimal string alignment distance, or something larger than `max`. */
function boundedEdits(a: readonly number[], text: string, max: number, transpositions: boolean): number {
  const b = Array.from(text, (c) => c.codePointAt(0) as number)
  if (Math.abs(a.length - b.length) > max) return max + 1
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let value = Math.min((previous[j] as number) + 1, (current[j - 1] as number) + 1, (previous[j - 1] as number) + cost)
      if (transpositions && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) value = Math.min(value, (before[j - 2] as number) + 1)
      current[j] = value
      if (value < least) least = value
    }
    if (least > max) return max + 1
    before = previous
    previous = current
  }
  return previous[b.length] as number
}
