import { NO_MORE_DOCS } from '../index/segment-reader.ts'
import {
  ContainmentSpans,
  FilteredSpans,
  GapSpans,
  NO_MORE_POSITIONS,
  OrderedNearSpans,
  OrSpans,
  type Spans,
  spansWithout,
  UnorderedNearSpans,
} from '../search/lucene/positions/spans.ts'
import type { DocIterator } from '../search/lucene/scorer.ts'
import type { Phrase, PhrasePart, SpanTree } from './phrase.ts'

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
  const spans = phrase.spans === undefined ? openParts(phrase, words) : open(phrase.spans, words)
  const { within } = phrase
  return spans === undefined || within === undefined ? spans : firstOf(spans, within)
}

const firstOf = (spans: Spans, end: number): Spans =>
  new FilteredSpans(spans, (one) => (one.start >= end ? 'no more' : one.end <= end ? 'yes' : 'no'))

/** Undefined: the text has none of it. */
function open(tree: SpanTree, words: Words): Spans | undefined {
  switch (tree.kind) {
    case 'words':
      return words.open(tree.part)
    case 'gap':
      return new GapSpans(tree.width, new OneDocument())
    case 'or':
      return either(tree.clauses.map((clause) => open(clause, words)))
    case 'near': {
      const clauses = all(tree.clauses.map((clause) => open(clause, words)))
      if (clauses === undefined || clauses.length < 2) return clauses?.[0]
      return tree.inOrder ? new OrderedNearSpans(clauses, tree.slop) : new UnorderedNearSpans(clauses, tree.slop)
    }
    case 'first': {
      const match = open(tree.match, words)
      return match === undefined ? undefined : firstOf(match, tree.end)
    }
    case 'not': {
      const include = open(tree.include, words)
      const exclude = include === undefined ? undefined : open(tree.exclude, words)
      return include === undefined || exclude === undefined
        ? include
        : spansWithout(include, exclude, tree.pre, tree.post)
    }
    case 'big':
    case 'little': {
      const both = all([open(tree.big, words), open(tree.little, words)])
      return both === undefined ? undefined : new ContainmentSpans(both[0] as Spans, both[1] as Spans, tree.kind)
    }
  }
}

/** Gaps count as so much slop more, wherever it is used. */
function openParts({ parts, slop, isBegun }: Phrase, words: Words): Spans | undefined {
  const found = all(parts.map((part) => words.open(part)))
  if (found === undefined || found.length < 2) return found?.[0]
  const [first, last] = [parts[0], parts.at(-1)] as [PhrasePart, PhrasePart]
  // Of several words at a place the places are counted from the very first, words or none.
  const isMultiple = isBegun === undefined && parts.some(({ terms }) => terms === undefined || terms.length > 1)
  const from = isMultiple ? 0 : first.position
  const gaps = Math.max(0, last.position - from - parts.length + 1)
  return slop === 0 ? new OrderedNearSpans(found, gaps) : new UnorderedNearSpans(found, slop + gaps)
}

function either(spans: readonly (Spans | undefined)[]): Spans | undefined {
  const some = spans.filter((one) => one !== undefined)
  return some.length < 2 ? some[0] : new OrSpans(some)
}

function all(spans: readonly (Spans | undefined)[]): Spans[] | undefined {
  const some = spans.filter((one) => one !== undefined)
  return some.length < spans.length ? undefined : some
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
