import type { TokenBuffer } from '../token-buffer.ts'
import { type EmittedToken, ExpandingFilter } from './expanding-filter.ts'

/** Options, named as the settings'. */
export interface WordDelimiterOptions {
  readonly generateWordParts: boolean
  readonly generateNumberParts: boolean
  readonly catenateWords: boolean
  readonly catenateNumbers: boolean
  readonly catenateAll: boolean
  readonly splitOnCaseChange: boolean
  readonly preserveOriginal: boolean
  readonly splitOnNumerics: boolean
  readonly stemEnglishPossessive: boolean
  readonly protectedWords: ReadonlySet<string>
}

interface Part {
  readonly start: number
  readonly end: number
  readonly digits: boolean
}

/** Splits words at case changes, digits and punctuation, and joins the parts again as asked (Lucene's WordDelimiterFilter). */
export function wordDelimiterFilter(options: WordDelimiterOptions): ExpandingFilter {
  return new ExpandingFilter((tokens, i) => expand(tokens, i, options))
}

function expand(tokens: TokenBuffer, index: number, o: WordDelimiterOptions): readonly EmittedToken[] | undefined {
  const term = tokens.terms[index] as string
  if (o.protectedWords.has(term)) return undefined
  const parts = split(term, o)
  if (parts.length === 1 && parts[0]?.start === 0 && parts[0].end === term.length) return undefined
  const tokenStart = tokens.startOffsets[index] as number
  const tokenEnd = tokens.endOffsets[index] as number
  // Offsets inside the token are known only while the term is the text it covers.
  const exact = tokenEnd - tokenStart === term.length
  const place = (start: number, end: number) =>
    exact ? { start: tokenStart + start, end: tokenStart + end } : { start: tokenStart, end: tokenEnd }
  const out: EmittedToken[] = []
  if (o.preserveOriginal) out.push({ term })
  const runs = runsOf(parts)
  let position = 0
  let emittedAt = -1
  const emit = (text: string, start: number, end: number) => {
    const increment =
      out.length === 0
        ? undefined
        : emittedAt < 0 && o.preserveOriginal
          ? 0
          : position > emittedAt
            ? position - Math.max(emittedAt, 0)
            : 0
    out.push({ term: text, ...place(start, end), ...(increment === undefined ? {} : { positionIncrement: increment }) })
    emittedAt = position
  }
  for (const run of runs) {
    const digits = (run[0] as Part).digits
    const first = position
    if (digits ? o.generateNumberParts : o.generateWordParts) {
      for (const part of run) {
        emit(term.slice(part.start, part.end), part.start, part.end)
        position++
      }
    }
    if (run.length > 1 && (digits ? o.catenateNumbers : o.catenateWords)) {
      const saved = position
      position = saved > first ? saved - 1 : first
      emit(run.map((p) => term.slice(p.start, p.end)).join(''), (run[0] as Part).start, (run.at(-1) as Part).end)
      position = Math.max(saved, first + 1)
    } else if (run.length === 1 && position === first && (digits ? o.catenateNumbers : o.catenateWords)) {
      emit(term.slice((run[0] as Part).start, (run[0] as Part).end), (run[0] as Part).start, (run[0] as Part).end)
      position++
    }
  }
  if (o.catenateAll && parts.length > 1) {
    position = Math.max(0, position - 1)
    emit(parts.map((p) => term.slice(p.start, p.end)).join(''), (parts[0] as Part).start, (parts.at(-1) as Part).end)
  }
  return out
}

function runsOf(parts: readonly Part[]): Part[][] {
  const runs: Part[][] = []
  for (const part of parts) {
    const last = runs.at(-1)
    if (last !== undefined && (last[0] as Part).digits === part.digits) last.push(part)
    else runs.push([part])
  }
  return runs
}

function split(term: string, o: WordDelimiterOptions): Part[] {
  const parts: Part[] = []
  const kind = (i: number): 'lower' | 'upper' | 'digit' | 'other' => {
    const c = term[i] as string
    if (/\p{Nd}/u.test(c)) return 'digit'
    if (/\p{Lu}/u.test(c)) return 'upper'
    return /[\p{L}\p{M}]|[\ud800-\udfff]/u.test(c) ? 'lower' : 'other'
  }
  let i = 0
  while (i < term.length) {
    if (kind(i) === 'other') {
      i++
      continue
    }
    const start = i
    let before = kind(i++)
    for (; i < term.length; i++) {
      const now = kind(i)
      if (now === 'other') break
      const digitEdge = (now === 'digit') !== (before === 'digit')
      if (digitEdge && o.splitOnNumerics) break
      if (o.splitOnCaseChange && before === 'lower' && now === 'upper') break
      before = now
    }
    parts.push({ start, end: i, digits: /^\p{Nd}+$/u.test(term.slice(start, i)) })
    if (o.stemEnglishPossessive && /^['’]s(?![\p{L}\p{N}])/iu.test(term.slice(i))) i += 2
  }
  return parts
}
