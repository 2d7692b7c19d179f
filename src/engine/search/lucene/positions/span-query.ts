import { compareTexts } from '../../../algorithms/text-order.ts'
import { NO_MORE_DOCS } from '../../../index/segment-reader.ts'
import { faultInQueryPhase } from '../../query-phase.ts'
import { docSetIterator } from '../doc-set.ts'
import type { Explanation } from '../explanation.ts'
import type { Leaf } from '../leaf.ts'
import { LuceneQuery } from '../lucene-query.ts'
import type { Scorer, TwoPhase } from '../scorer.ts'
import type { SearchContext } from '../search-context.ts'
import type { SimilarityWeight } from '../similarity/term-similarity.ts'
import { Weight } from '../weight.ts'
import { explainFrequency, spanSimilarity } from './phrase-frequency.ts'
import {
  ContainmentSpans,
  FilteredSpans,
  GapSpans,
  NO_MORE_POSITIONS,
  OrderedNearSpans,
  OrSpans,
  type Spans,
  spansWithout,
  TermSpans,
  UnorderedNearSpans,
} from './spans.ts'

/** What a span query is made of. */
export type SpanNode =
  /** `isUnplaced`: a word of a field that the real server keeps no positions of. */
  | { readonly kind: 'term'; readonly field: string; readonly term: string; readonly isUnplaced?: boolean }
  | { readonly kind: 'gap'; readonly field: string; readonly width: number }
  | { readonly kind: 'or'; readonly field: string; readonly clauses: readonly SpanNode[] }
  | {
      readonly kind: 'near'
      readonly field: string
      readonly clauses: readonly SpanNode[]
      readonly slop: number
      readonly inOrder: boolean
    }
  | {
      readonly kind: 'not'
      readonly field: string
      readonly include: SpanNode
      readonly exclude: SpanNode
      readonly pre: number
      readonly post: number
    }
  | { readonly kind: 'first'; readonly field: string; readonly match: SpanNode; readonly end: number }
  | {
      readonly kind: 'containing' | 'within'
      readonly field: string
      readonly big: SpanNode
      readonly little: SpanNode
    }
  | { readonly kind: 'masking'; readonly field: string; readonly query: SpanNode }

const LUCENE_NAMES: Readonly<Record<SpanNode['kind'], string>> = {
  containing: 'SpanContainingQuery',
  first: 'SpanFirstQuery',
  gap: 'SpanGapQuery',
  masking: 'FieldMaskingSpanQuery',
  near: 'SpanNearQuery',
  not: 'SpanNotQuery',
  or: 'SpanOrQuery',
  term: 'SpanTermQuery',
  within: 'SpanWithinQuery',
}

/** Documents where words stand as a span query wants them (Lucene's SpanQuery and its kin). */
export class SpanQuery extends LuceneQuery {
  readonly root: SpanNode

  constructor(root: SpanNode) {
    super()
    this.root = root
  }

  get field(): string {
    return this.root.field
  }

  toString(): string {
    return textOf(this.root)
  }

  override get profiledAs(): string {
    return LUCENE_NAMES[this.root.kind]
  }

  override get key(): string {
    return `SpanQuery:${JSON.stringify(this.root)}`
  }

  createWeight(context: SearchContext, boost: number, needsScores: boolean): Weight {
    return new SpanWeight(this, context, boost, needsScores)
  }
}

/** Lucene's toString. */
function textOf(node: SpanNode): string {
  const list = (nodes: readonly SpanNode[]): string => nodes.map(textOf).join(', ')
  switch (node.kind) {
    case 'term':
      return `${node.field}:${node.term}`
    case 'gap':
      // By the field that texts leave out, which is none.
      return `SpanGap(:${node.width})`
    case 'or':
      return `spanOr([${list(node.clauses)}])`
    case 'near':
      return `spanNear([${list(node.clauses)}], ${node.slop}, ${node.inOrder})`
    case 'not':
      return `spanNot(${textOf(node.include)}, ${textOf(node.exclude)}, ${node.pre}, ${node.post})`
    case 'first':
      return `spanFirst(${textOf(node.match)}, ${node.end})`
    case 'containing':
      return `SpanContaining(${textOf(node.big)}, ${textOf(node.little)})`
    case 'within':
      return `SpanWithin(${textOf(node.big)}, ${textOf(node.little)})`
    case 'masking':
      return `mask(${textOf(node.query)}) as ${node.field}`
  }
}

/** Terms whose rarity counts: those that must not be there do not, except for the outermost of Lucene 7. */
function* countedTerms(root: SpanNode, isLucene7: boolean): Iterable<FieldTerm> {
  yield* termsOf(root)
  if (isLucene7 && root.kind === 'not') yield* termsOf(root.exclude)
}

interface FieldTerm {
  readonly field: string
  readonly term: string
}

function* termsOf(node: SpanNode): Iterable<FieldTerm> {
  switch (node.kind) {
    case 'term':
      yield node
      return
    case 'gap':
      return
    case 'or':
    case 'near':
      for (const clause of node.clauses) yield* termsOf(clause)
      return
    case 'not':
      yield* termsOf(node.include)
      return
    case 'first':
      yield* termsOf(node.match)
      return
    case 'containing':
    case 'within':
      yield* termsOf(node.big)
      yield* termsOf(node.little)
      return
    case 'masking':
      yield* termsOf(node.query)
  }
}

/** Opens a node's spans in a segment; undefined: there are none. */
function openSpans(node: SpanNode, leaf: Leaf): Spans | undefined {
  switch (node.kind) {
    case 'term': {
      const terms = leaf.segment.field(node.field)?.terms
      const ordinal = terms?.find(Buffer.from(node.term)) ?? -1
      if (terms === undefined || ordinal < 0) return undefined
      if (!terms.hasPositions || node.isUnplaced) {
        throw faultInQueryPhase(
          'illegal_state_exception',
          `field "${node.field}" was indexed without position data; cannot run SpanTermQuery (term=${node.term})`,
        )
      }
      return new TermSpans(terms.postings(ordinal))
    }
    case 'gap':
      return new GapSpans(node.width, docSetIterator({ kind: 'all', count: leaf.segment.maxDoc }))
    case 'or': {
      const open = node.clauses.map((clause) => openSpans(clause, leaf)).filter((spans) => spans !== undefined)
      return open.length <= 1 ? open[0] : new OrSpans(open)
    }
    case 'near': {
      const open: Spans[] = []
      for (const clause of node.clauses) {
        const spans = openSpans(clause, leaf)
        if (spans === undefined) return undefined
        open.push(spans)
      }
      return node.inOrder ? new OrderedNearSpans(open, node.slop) : new UnorderedNearSpans(open, node.slop)
    }
    case 'not': {
      const include = openSpans(node.include, leaf)
      const exclude = include === undefined ? undefined : openSpans(node.exclude, leaf)
      return include === undefined || exclude === undefined
        ? include
        : spansWithout(include, exclude, node.pre, node.post)
    }
    case 'first': {
      const match = openSpans(node.match, leaf)
      const { end } = node
      if (match === undefined) return undefined
      return new FilteredSpans(match, (spans) => (spans.start >= end ? 'no more' : spans.end <= end ? 'yes' : 'no'))
    }
    case 'containing':
    case 'within': {
      const big = openSpans(node.big, leaf)
      const little = big === undefined ? undefined : openSpans(node.little, leaf)
      if (big === undefined || little === undefined) return undefined
      return new ContainmentSpans(big, little, node.kind === 'containing' ? 'big' : 'little')
    }
    case 'masking':
      return openSpans(node.query, leaf)
  }
}

class SpanWeight extends Weight {
  readonly #query: SpanQuery
  readonly #similarity: SimilarityWeight | undefined
  readonly #isLucene7: boolean

  constructor(query: SpanQuery, context: SearchContext, boost: number, needsScores: boolean) {
    super(query, needsScores)
    this.#query = query
    this.#isLucene7 = context.isLucene7
    if (!needsScores) return
    const terms = new Map(
      [...countedTerms(query.root, context.isLucene7)].map((term) => [`${term.field} ${term.term}`, term]),
    )
    const sorted = [...terms.values()].sort((a, b) => compareTexts(`${a.field} ${a.term}`, `${b.field} ${b.term}`))
    this.#similarity = spanSimilarity(context, query.field, boost, sorted)
  }

  scorer(leaf: Leaf): SpanScorer | undefined {
    const spans = openSpans(this.#query.root, leaf)
    const norms = leaf.segment.field(this.#query.field)?.norms
    return spans === undefined ? undefined : new SpanScorer(spans, this.#similarity, norms, this.#isLucene7)
  }

  explain(leaf: Leaf, doc: number): Explanation {
    const of = { query: this.query, field: this.#query.field, similarity: this.#similarity }
    return explainFrequency(of, this.scorer(leaf), leaf, doc)
  }
}

class SpanScorer implements Scorer {
  readonly cost: number
  readonly twoPhase: TwoPhase
  /** 1 / (1 + width), summed over all spans of the current document, a 32-bit float; known once it was scored. */
  freq = 0
  readonly #spans: Spans
  readonly #similarity: SimilarityWeight | undefined
  readonly #norms: Uint8Array | undefined
  readonly #isLucene7: boolean
  #scoredDoc = -1

  constructor(
    spans: Spans,
    similarity: SimilarityWeight | undefined,
    norms: Uint8Array | undefined,
    isLucene7: boolean,
  ) {
    this.#spans = spans
    this.#isLucene7 = isLucene7
    this.#similarity = similarity
    this.#norms = norms
    this.cost = spans.iterator.cost
    this.twoPhase = { approximation: spans.iterator, matches: () => this.#matches() }
  }

  get doc(): number {
    return this.#spans.iterator.doc
  }
  nextDoc(): number {
    return this.#confirm(this.#spans.iterator.nextDoc())
  }
  advance(target: number): number {
    return this.#confirm(this.#spans.iterator.advance(target))
  }

  score(): number {
    if (this.#similarity === undefined) return 0
    const { doc } = this
    if (this.#scoredDoc !== doc) {
      this.#scoredDoc = doc
      this.freq = 0
      do {
        const part = 1 / (1 + this.#spans.width)
        // From Lucene 8 on the sum alone is a float, not what is added.
        this.freq = Math.fround(this.freq + (this.#isLucene7 ? Math.fround(part) : part))
      } while (this.#spans.next() !== NO_MORE_POSITIONS)
    }
    return this.#similarity.score(this.freq, this.#norms === undefined ? -1 : (this.#norms[doc] as number))
  }

  #confirm(doc: number): number {
    let found = doc
    while (found !== NO_MORE_DOCS && !this.#matches()) found = this.#spans.iterator.nextDoc()
    return found
  }

  #matches(): boolean {
    this.#scoredDoc = -1
    this.#spans.reset()
    return this.#spans.next() !== NO_MORE_POSITIONS
  }
}
