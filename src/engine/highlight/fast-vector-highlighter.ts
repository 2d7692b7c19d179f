import type { Analyzer } from '../analysis/analyzer.ts'
import { illegalInQueryPhase } from '../search/query-phase.ts'
import type { BreakIterator } from './break-iterator.ts'
import type { HighlightTerms, Pattern } from './highlight-terms.ts'
import { type Token, tokensOf } from './matched-tokens.ts'
import type { Phrase } from './phrase.ts'
import { sentenceBreaks } from './sentence-breaks.ts'
import { wordBreaks } from './word-breaks.ts'

/** How the fast vector highlighter cuts and marks. */
export interface VectorFormat {
  /** Tags take turns by the query's terms. */
  readonly preTags: readonly string[]
  readonly postTags: readonly string[]
  readonly encode: (text: string) => string
  /** UTF-16 units. */
  readonly fragmentSize: number
  /** 0: all values, whole. */
  readonly numberOfFragments: number
  readonly noMatchSize: number
  readonly byScore: boolean
  /** Characters between a fragment's border and its first match at least; undefined: 6. */
  readonly fragmentOffset: number | undefined
  /** What a fragment may be extended to. */
  readonly boundary: 'chars' | 'sentence' | 'word'
  readonly boundaryChars: string
  readonly boundaryMaxScan: number
  readonly phraseLimit: number
}

/** A stretch of the text to be marked. */
interface Offsets {
  start: number
  end: number
}

/** An occurrence of a term or phrase of the query. */
interface Occurrence {
  readonly offsets: Offsets[]
  /** Which of the query's terms and phrases it is. */
  readonly number: number
  readonly weight: number
}

interface Fragment {
  readonly start: number
  readonly end: number
  readonly occurrences: readonly Occurrence[]
  /** What the occurrences weigh. */
  readonly score: number
}

const MARGIN = 6

/** A field in whose tokens the terms of the query are looked for. */
export interface VectorField {
  readonly values: readonly string[]
  readonly analyzer: Analyzer
  readonly wanted: HighlightTerms
}

/**
 * Fragments of a field's values as Lucene's FastVectorHighlighter cuts them.
 *
 * @param fields    the field itself, or those that are to count for it (`matched_fields`)
 * @param areNamed  whether these were named, one or more: what overlaps or touches is then marked as one
 * @throws {ServiceError} illegal_argument_exception
 */
export function highlightVectors(
  values: readonly string[],
  fields: readonly VectorField[],
  format: VectorFormat,
  areNamed: boolean,
): string[] {
  const all = fields.flatMap((field) => occurrences(field.values, field.analyzer, field.wanted, format.phraseLimit))
  const found = areNamed ? merged(all) : all
  const whole = format.numberOfFragments === 0
  let fragments = whole ? wholeText(found) : cutFragments(found, format)
  if (fragments.length === 0) {
    if (format.noMatchSize === 0) return []
    fragments = [{ start: 0, end: format.noMatchSize, occurrences: [], score: 0 }]
  } else {
    if (values.length > 1) fragments = fragments.flatMap((fragment) => byValue(fragment, values))
    fragments.sort((a, b) => a.start - b.start)
    if (format.byScore && !whole) fragments.sort((a, b) => b.score - a.score)
  }
  const most = whole ? fragments.length : format.numberOfFragments
  const source = new FragmentSource(values, format)
  return fragments.slice(0, most).map((fragment) => mark(fragment, source, format))
}

/** Terms and phrases of the query in the order of the text; what overlaps an earlier one is left out. */
function occurrences(
  values: readonly string[],
  analyzer: Analyzer,
  wanted: HighlightTerms,
  limit: number,
): Occurrence[] {
  const tokens = allTokens(values, analyzer).filter(
    ({ term }) =>
      wanted.terms.has(term) ||
      wanted.patterns.some(({ accepts }) => accepts(term)) ||
      wanted.phrases.some(({ parts }) => parts.some(({ accepts }) => accepts(term))),
  )
  const found: Occurrence[] = []
  for (let i = 0; i < tokens.length && found.length < limit; i++) {
    const phrase = longestPhrase(tokens, i, wanted)
    if (phrase !== undefined) {
      const { length } = phrase.parts
      const offsets = joined(tokens.slice(i, i + length))
      const [first] = offsets
      const before = found.at(-1)?.offsets.at(-1)
      if (first !== undefined && (before === undefined || before.end <= first.start))
        found.push({ offsets, number: wanted.numbers.get(phrase) ?? 0, weight: phrase.weight })
      i += length - 1
      continue
    }
    const token = tokens[i] as Token
    let part: string | Pattern = token.term
    let weight = wanted.terms.get(token.term)
    if (weight === undefined) {
      const pattern = wanted.patterns.find(({ accepts }) => accepts(token.term))
      if (pattern === undefined) continue
      part = pattern
      weight = pattern.weight(token.term)
    }
    const number = wanted.numbers.get(part) ?? 0
    const before = found.at(-1)?.offsets.at(-1)
    if (before === undefined || before.end <= token.start)
      found.push({ offsets: [{ start: token.start, end: token.end }], number, weight })
  }
  return found
}

/** Occurrences in the fields named, those that overlap or touch as one. */
function merged(all: readonly Occurrence[]): Occurrence[] {
  const sorted = [...all].sort((a, b) => startOf(a) - startOf(b) || endOf(a) - endOf(b))
  const out: Occurrence[] = []
  let run: Occurrence[] = []
  let end = -1
  const finish = (): void => {
    const [first] = run
    if (first === undefined) return
    out.push(run.length === 1 ? first : { ...first, offsets: mergedOffsets(run), weight: weightOf(run) })
  }
  for (const occurrence of sorted) {
    if (run.length > 0 && startOf(occurrence) <= end) {
      run.push(occurrence)
      end = Math.max(end, endOf(occurrence))
      continue
    }
    finish()
    run = [occurrence]
    end = endOf(occurrence)
  }
  finish()
  return out
}

function mergedOffsets(run: readonly Occurrence[]): Offsets[] {
  const sorted = run.flatMap(({ offsets }) => offsets).sort((a, b) => a.start - b.start || a.end - b.end)
  const out: Offsets[] = []
  for (const { start, end } of sorted) {
    const last = out.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else out.push({ start, end })
  }
  return out
}

function allTokens(values: readonly string[], analyzer: Analyzer): Token[] {
  const all: Token[] = []
  let base = 0
  let position = 0
  for (const value of values) {
    for (const token of tokensOf(value, analyzer)) {
      all.push({
        ...token,
        position: position + token.position,
        start: base + token.start,
        end: base + token.end,
      })
    }
    base += value.length + 1
    position = (all.at(-1)?.position ?? 0) + 1 + analyzer.positionIncrementGap
  }
  return all.sort((a, b) => a.position - b.position)
}

function longestPhrase(tokens: readonly Token[], from: number, wanted: HighlightTerms): Phrase | undefined {
  let best: Phrase | undefined
  for (const phrase of wanted.phrases) {
    const { parts, slop } = phrase
    if (best !== undefined && best.parts.length >= parts.length) continue
    const isHere = parts.every(({ accepts }, k) => {
      const token = tokens[from + k]
      if (token === undefined || !accepts(token.term)) return false
      const gap = k === 0 ? 0 : token.position - (tokens[from + k - 1] as Token).position - 1
      return Math.abs(gap) <= slop
    })
    if (isHere) best = phrase
  }
  return best
}

/** Stretches of a phrase: words next to each other are one. */
function joined(tokens: readonly Token[]): Offsets[] {
  const offsets: Offsets[] = []
  let position = Number.NaN
  for (const token of tokens) {
    const last = offsets.at(-1)
    if (last !== undefined && token.position - position === 1) last.end = token.end
    else offsets.push({ start: token.start, end: token.end })
    position = token.position
  }
  return offsets
}

const startOf = ({ offsets }: Occurrence): number => (offsets[0] as Offsets).start
const endOf = ({ offsets }: Occurrence): number => (offsets.at(-1) as Offsets).end
const weightOf = (all: readonly Occurrence[]): number => all.reduce((sum, { weight }) => Math.fround(sum + weight), 0)

function wholeText(found: readonly Occurrence[]): Fragment[] {
  return found.length === 0 ? [] : [{ start: 0, end: 0x7fffffff, occurrences: found, score: weightOf(found) }]
}

/** Each fragment begins with the first occurrence behind the one before and takes in those that fit, centred. */
function cutFragments(found: readonly Occurrence[], { fragmentSize, fragmentOffset }: VectorFormat): Fragment[] {
  const margin = fragmentOffset ?? MARGIN
  const least = Math.max(1, margin * 3)
  if (fragmentSize < least) {
    const reason = `fragCharSize(${fragmentSize}) is too small. It must be ${least} or higher.`
    throw illegalInQueryPhase(reason)
  }
  const fragments: Fragment[] = []
  let border = 0
  for (let i = 0; i < found.length; ) {
    const first = found[i] as Occurrence
    const start = startOf(first)
    if (start < border) {
      i++
      continue
    }
    let end = endOf(first)
    const spanStart = Math.max(start - margin, border)
    const spanEnd = Math.max(end, spanStart + fragmentSize)
    const taken: Occurrence[] = []
    for (; i < found.length && (found[i] === first || endOf(found[i] as Occurrence) <= spanEnd); i++) {
      const occurrence = found[i] as Occurrence
      end = endOf(occurrence)
      if (occurrence.offsets.length <= 1 || end - start <= fragmentSize) taken.push(occurrence)
    }
    if (taken.length === 0) continue
    const length = end - start
    const from = Math.max(border, start - Math.max(0, Math.trunc((fragmentSize - length) / 2)))
    border = from + Math.max(length, fragmentSize)
    fragments.push({ start: from, end: border, occurrences: taken, score: weightOf(taken) })
  }
  return fragments
}

/** A fragment over several values, value by value. */
function byValue(fragment: Fragment, values: readonly string[]): Fragment[] {
  const out: Fragment[] = []
  let rest: readonly Occurrence[] = fragment.occurrences
  let valueEnd = 0
  for (const value of values) {
    if (value === '') {
      valueEnd++
      continue
    }
    const valueStart = valueEnd
    valueEnd += value.length + 1
    const isInside = (at: number): boolean => at >= valueStart && at <= valueEnd
    if (isInside(fragment.start) && isInside(fragment.end)) {
      out.push(fragment)
      break
    }
    const [first] = rest
    if (first === undefined) break
    if (fragment.start >= valueEnd || startOf(first) >= valueEnd) continue
    const start = fragment.start > valueStart && fragment.start < valueEnd ? fragment.start : valueStart
    const end = fragment.end > valueStart && fragment.end < valueEnd ? fragment.end : valueEnd
    const own: Occurrence[] = []
    for (const occurrence of rest) {
      const inside = occurrence.offsets
        .filter((part) => part.start < valueEnd)
        .map((part) => ({ start: Math.max(part.start, valueStart), end: Math.min(part.end, valueEnd - 1) }))
      if (inside.length > 0) own.push({ ...occurrence, offsets: inside })
    }
    rest = rest
      .map((occurrence) => ({ ...occurrence, offsets: occurrence.offsets.filter((part) => part.end >= valueEnd) }))
      .filter(({ offsets }) => offsets.length > 0)
    out.push({ start, end, occurrences: own, score: weightOf(own) })
  }
  return out
}

/** The values as one text, read only as far as the fragments so far needed it: where it ends, a fragment does. */
class FragmentSource {
  readonly #values: readonly string[]
  readonly #format: VectorFormat
  #buffer = ''
  #next = 0

  constructor(values: readonly string[], format: VectorFormat) {
    this.#values = values
    this.#format = format
  }

  /** The text of a fragment, extended to boundaries, and where it begins. */
  read({ start, end }: Fragment): { readonly text: string; readonly from: number } {
    while (this.#buffer.length < end && this.#next < this.#values.length)
      this.#buffer += `${this.#values[this.#next++]} `
    const length = this.#buffer.length - 1
    const to = length < end ? length : this.#endAfter(end)
    const from = this.#startBefore(start)
    return { text: this.#buffer.slice(from, Math.max(from, to)), from }
  }

  #startBefore(start: number): number {
    const buffer = this.#buffer
    if (start > buffer.length || start < 1) return start
    const breaks = this.#breaks(buffer.slice(0, start))
    if (breaks !== undefined) return Math.max(0, breaks.preceding(start))
    let offset = start
    for (let count = this.#format.boundaryMaxScan; offset > 0 && count > 0; count--, offset--) {
      if (this.#format.boundaryChars.includes(buffer[offset - 1] as string)) return offset
    }
    return offset === 0 ? 0 : start
  }

  #endAfter(start: number): number {
    const buffer = this.#buffer
    if (start > buffer.length || start < 0) return start
    const breaks = this.#breaks(buffer.slice(start))
    if (breaks !== undefined) return start + Math.max(0, breaks.following(0))
    let offset = start
    for (let count = this.#format.boundaryMaxScan; offset < buffer.length && count > 0; count--, offset++) {
      if (this.#format.boundaryChars.includes(buffer[offset] as string)) return offset
    }
    return start
  }

  #breaks(text: string): BreakIterator | undefined {
    const { boundary } = this.#format
    if (boundary === 'chars') return undefined
    return boundary === 'sentence' ? sentenceBreaks(text) : wordBreaks(text)
  }
}

function mark(fragment: Fragment, source: FragmentSource, { preTags, postTags, encode }: VectorFormat): string {
  const { text, from } = source.read(fragment)
  let out = ''
  let at = 0
  for (const { offsets, number } of fragment.occurrences) {
    const pre = preTags[number % preTags.length] as string
    const post = postTags[number % postTags.length] as string
    for (const { start, end } of offsets) {
      out += encode(text.slice(at, start - from)) + pre + encode(text.slice(start - from, end - from)) + post
      at = end - from
    }
  }
  return out + encode(text.slice(at))
}
