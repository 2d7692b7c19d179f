import { NO_MORE_DOCS } from '../index/segment-reader.ts'
import type { DocIterator } from '../search/lucene/scorer.ts'
import {
  FilteredSpans,
  GapSpans,
  NO_MORE_POSITIONS,
  OrderedNearSpans,
  OrSpans,
  type Spans,
  UnorderedNearSpans,
} from '../search/lucene/spans.ts'
import type { Phrase, PhrasePart } from './highlight-terms.ts'

/** A place of a text where a phrase stands. */
export interface PhraseSpan {
  readonly start: number
  /** Position behind its last. */
  readonly end: number
  /** Indices of the tokens that it was found by. */
  readonly tokens: readonly number[]
}

interface PlacedTerm {
  readonly term: string
  readonly position: number
}

/**
 * Where a phrase stands in a text, as Lucene's highlighters look for it: they make spans of it that are walked as a search walks
 * them, so that of several words at a place one may count and not another.
 */
export function phraseSpans(tokens: readonly PlacedTerm[], phrase: Phrase): PhraseSpan[] {
  const spans = openPhrase(phrase, new Words(tokens))
  if (spans === undefined || spans.iterator.nextDoc() === NO_MORE_DOCS) return []
  const found: PhraseSpan[] = []
  spans.reset()
  while (spans.next() !== NO_MORE_POSITIONS) {
    const of: number[] = []
    spans.collect((word) => of.push((word as WordSpans).token))
    found.push({ start: spans.start, end: spans.end, tokens: of })
  }
  return found
}

function openPhrase(phrase: Phrase, words: Words): Spans | undefined {
  const spans = phrase.stretches === undefined ? openParts(phrase, words) : openStretches(phrase.stretches, words)
  const { within } = phrase
  if (spans === undefined || within === undefined) return spans
  return new FilteredSpans(spans, ({ start, end }) => (start >= within ? 'no more' : end <= within ? 'yes' : 'no'))
}

/** Gaps count as so much slop more, wherever it is used. */
function openParts({ parts, slop, isBegun }: Phrase, words: Words): Spans | undefined {
  const open = all(parts.map((part) => words.open(part)))
  if (open === undefined || open.length < 2) return open?.[0]
  const [first, last] = [parts[0], parts.at(-1)] as [PhrasePart, PhrasePart]
  // Of several words at a place the places are counted from the very first, words or none.
  const isMultiple = isBegun === undefined && parts.some(({ terms }) => terms === undefined || terms.length > 1)
  const from = isMultiple ? 0 : first.position
  const gaps = Math.max(0, last.position - from - parts.length + 1)
  return slop === 0 ? new OrderedNearSpans(open, gaps) : new UnorderedNearSpans(open, slop + gaps)
}

function openStretches(stretches: NonNullable<Phrase['stretches']>, words: Words): Spans | undefined {
  return near(stretches.map((ways) => either(ways.map((way) => openWay(way, words)))))
}

function openWay(way: readonly PhrasePart[], words: Words): Spans | undefined {
  const open: (Spans | undefined)[] = []
  let next = 0
  for (const part of way) {
    if (part.position > next) open.push(new GapSpans(part.position - next, new OneDocument()))
    next = part.position + 1
    open.push(words.open(part))
  }
  return near(open)
}

function near(spans: readonly (Spans | undefined)[]): Spans | undefined {
  const open = all(spans)
  return open === undefined || open.length < 2 ? open?.[0] : new OrderedNearSpans(open, 0)
}

function either(spans: readonly (Spans | undefined)[]): Spans | undefined {
  const open = spans.filter((one) => one !== undefined)
  return open.length < 2 ? open[0] : new OrSpans(open)
}

function all(spans: readonly (Spans | undefined)[]): Spans[] | undefined {
  const open = spans.filter((one) => one !== undefined)
  return open.length < spans.length ? undefined : open
}

/** The words of a text by what they are. */
class Words {
  readonly #tokens: readonly PlacedTerm[]
  readonly #byTerm = new Map<string, number[]>()

  constructor(tokens: readonly PlacedTerm[]) {
    this.#tokens = tokens
    for (const [i, { term }] of tokens.entries()) {
      const known = this.#byTerm.get(term)
      if (known === undefined) this.#byTerm.set(term, [i])
      else known.push(i)
    }
  }

  /** Undefined: the text has none of what may stand there. */
  open({ terms, accepts }: PhrasePart): Spans | undefined {
    const found = terms ?? [...this.#byTerm.keys()].filter((term) => accepts(term)).sort()
    return either(
      found.map((term) => {
        const indices = this.#byTerm.get(term)
        return indices === undefined ? undefined : new WordSpans(this.#tokens, indices)
      }),
    )
  }
}

/** The places of a word in a text. */
class WordSpans implements Spans {
  readonly iterator = new OneDocument()
  readonly width = 0
  start = -1
  readonly #tokens: readonly PlacedTerm[]
  readonly #indices: readonly number[]
  #at = -1

  constructor(tokens: readonly PlacedTerm[], indices: readonly number[]) {
    this.#tokens = tokens
    this.#indices = indices
  }

  get end(): number {
    return this.start === -1 || this.start === NO_MORE_POSITIONS ? this.start : this.start + 1
  }

  /** Index of the token that it stands on. */
  get token(): number {
    return this.#indices[this.#at] as number
  }

  reset(): void {
    this.#at = -1
    this.start = -1
  }

  next(): number {
    const token = this.#indices[++this.#at]
    this.start = token === undefined ? NO_MORE_POSITIONS : (this.#tokens[token] as PlacedTerm).position
    return this.start
  }

  collect(leaf: (spans: Spans) => void): void {
    leaf(this)
  }
}

/** A text is the one document that it is looked for in. */
class OneDocument implements DocIterator {
  readonly cost = 1
  doc = -1

  nextDoc(): number {
    this.doc = this.doc === -1 ? 0 : NO_MORE_DOCS
    return this.doc
  }

  advance(): number {
    return this.nextDoc()
  }
}
