import { least } from '../../../algorithms/long-lists.ts'
import { NO_MORE_DOCS, type PostingsCursor } from '../../../index/segment-reader.ts'
import { ConjunctionIterator } from '../conjunction-scorer.ts'
import { ConstantScorer } from '../constant-score.ts'
import { DisjunctionIterator } from '../disjunction-iterator.ts'
import { type Explanation, explainMatch, explainNoMatch } from '../explanation.ts'
import type { Leaf } from '../leaf.ts'
import { LuceneQuery } from '../lucene-query.ts'
import type { DocIterator, Scorer, TwoPhase } from '../scorer.ts'
import type { SearchContext } from '../search-context.ts'
import { Weight } from '../weight.ts'
import {
  eitherOf,
  type Interval,
  type IntervalRelation,
  inAnyOrder,
  inBlock,
  inOrder,
  related,
  repeated,
} from './interval-lists.ts'

/** Where intervals come from. */
export type IntervalNode =
  | { readonly kind: 'term'; readonly field: string; readonly term: string }
  | { readonly kind: 'none' }
  /** With the pattern that it stands for, if it does. */
  | { readonly kind: 'or'; readonly parts: readonly IntervalNode[]; readonly pattern?: string }
  | { readonly kind: 'block' | 'ordered' | 'unordered'; readonly parts: readonly IntervalNode[] }
  | { readonly kind: 'repeated'; readonly part: IntervalNode; readonly count: number }
  | { readonly kind: 'max_gaps'; readonly part: IntervalNode; readonly gaps: number }
  /** The positions before that a removed word stood on belong to it. */
  | { readonly kind: 'extended'; readonly part: IntervalNode; readonly before: number }
  | {
      readonly kind: 'related'
      readonly part: IntervalNode
      readonly relation: IntervalRelation
      readonly other: IntervalNode
    }
  | {
      readonly kind: 'scripted'
      readonly part: IntervalNode
      /** Its text, or its name. */
      readonly script: string
      readonly takes: (interval: Interval) => boolean
    }

/** Documents with intervals of a field, scored by how many there are and how narrow (Lucene's IntervalQuery). */
export class IntervalQuery extends LuceneQuery {
  readonly field: string
  readonly source: IntervalNode

  constructor(field: string, source: IntervalNode) {
    super()
    this.field = field
    this.source = source
  }

  toString(): string {
    return `${this.field}:${textOf(this.source)}`
  }

  override get key(): string {
    return `IntervalQuery:${this.field}:${JSON.stringify(this.source)}`
  }

  createWeight(_context: SearchContext, boost: number, needsScores: boolean): Weight {
    return new IntervalWeight(this, boost, needsScores)
  }
}

function textOf(node: IntervalNode): string {
  switch (node.kind) {
    case 'term':
      return node.term
    case 'none':
      return 'no_match'
    case 'or':
      return node.pattern === undefined ? `or(${node.parts.map(textOf).join(',')})` : `MultiTerm(${node.pattern})`
    case 'block':
    case 'ordered':
    case 'unordered':
      return `${node.kind.toUpperCase()}(${node.parts.map(textOf).join(',')})`
    case 'repeated':
      return `UNORDERED(${Array.from({ length: node.count }, () => textOf(node.part)).join(',')})`
    case 'max_gaps':
      return `MAXGAPS/${node.gaps}(${textOf(node.part)})`
    case 'extended':
      return `EXTEND(${textOf(node.part)},${node.before},0)`
    case 'scripted':
      return `FILTER(${node.script})(${textOf(node.part)})`
    case 'related':
      return relatedText(node.relation, textOf(node.part), textOf(node.other))
  }
}

function relatedText(relation: IntervalRelation, part: string, other: string): string {
  switch (relation) {
    case 'after':
      return `CONTAINED_BY(${part},EXTEND(FOLLOWING(${other}),0,2147483647))`
    case 'before':
      return `CONTAINED_BY(${part},EXTEND(PRECEDING(${other}),2147483647,0))`
    case 'not_overlapping':
      return `NON_OVERLAPPING(${part},${other})`
    default:
      return `${relation.toUpperCase()}(${part},${other})`
  }
}

/** The narrowest that an interval can be. */
export function minExtent(node: IntervalNode): number {
  switch (node.kind) {
    case 'term':
      return 1
    case 'none':
      return 0
    case 'or':
      return node.parts.length === 0 ? 1 : least(node.parts.map(minExtent))
    case 'block':
    case 'ordered':
    case 'unordered':
      return node.parts.reduce((sum, part) => sum + minExtent(part), 0)
    case 'extended':
      return minExtent(node.part) + node.before
    case 'repeated':
    case 'max_gaps':
    case 'related':
    case 'scripted':
      return minExtent(node.part)
  }
}

/** Intervals of one segment, document by document. */
interface OpenSource {
  /** Documents that may have any. */
  readonly iterator: DocIterator
  /** Those of the document that the iterator is on. */
  intervals(): readonly Interval[]
}

const NOTHING: readonly Interval[] = []

function openSource(node: IntervalNode, leaf: Leaf): OpenSource | undefined {
  switch (node.kind) {
    case 'none':
      return undefined
    case 'term': {
      const terms = leaf.segment.field(node.field)?.terms
      const ordinal = terms?.find(Buffer.from(node.term)) ?? -1
      return terms === undefined || ordinal < 0 ? undefined : termSource(terms.postings(ordinal))
    }
    case 'or': {
      const parts = node.parts.map((part) => openSource(part, leaf)).filter((part) => part !== undefined)
      const [only] = parts
      if (only === undefined) return undefined
      const iterator =
        parts.length === 1
          ? only.iterator
          : new DisjunctionIterator(parts.map((part) => new ConstantScorer(part.iterator, 0)))
      const listOf = (part: OpenSource) => (part.iterator.doc === iterator.doc ? part.intervals() : NOTHING)
      return { iterator, intervals: () => eitherOf(parts.map(listOf)) }
    }
    case 'block':
    case 'ordered':
    case 'unordered': {
      const parts: OpenSource[] = []
      for (const part of node.parts) {
        const open = openSource(part, leaf)
        if (open === undefined) return undefined
        parts.push(open)
      }
      const join = node.kind === 'block' ? inBlock : node.kind === 'ordered' ? inOrder : inAnyOrder
      const iterator = new ConjunctionIterator(parts.map((part) => part.iterator))
      return { iterator, intervals: () => join(parts.map((part) => part.intervals())) }
    }
    case 'repeated':
      return changed(node.part, leaf, (list) => repeated(list, node.count))
    case 'max_gaps':
      return changed(node.part, leaf, (list) => list.filter(({ gaps }) => gaps <= node.gaps))
    case 'scripted':
      return changed(node.part, leaf, (list) => list.filter(node.takes))
    case 'extended':
      return changed(node.part, leaf, (list) =>
        list.map((interval) => ({ ...interval, start: Math.max(0, interval.start - node.before) })),
      )
    case 'related': {
      const other = openSource(node.other, leaf)
      const part = openSource(node.part, leaf)
      if (part === undefined || (other === undefined && !node.relation.startsWith('not_'))) return undefined
      const { iterator } = part
      const others = (): readonly Interval[] => {
        if (other === undefined) return NOTHING
        if (other.iterator.doc < iterator.doc) other.iterator.advance(iterator.doc)
        return other.iterator.doc === iterator.doc ? other.intervals() : NOTHING
      }
      return { iterator, intervals: () => related(part.intervals(), node.relation, others()) }
    }
  }
}

function changed(
  node: IntervalNode,
  leaf: Leaf,
  change: (list: readonly Interval[]) => readonly Interval[],
): OpenSource | undefined {
  const part = openSource(node, leaf)
  return part === undefined ? undefined : { iterator: part.iterator, intervals: () => change(part.intervals()) }
}

function termSource(postings: PostingsCursor): OpenSource {
  return {
    iterator: postings,
    intervals() {
      const positions = postings.positions()
      const found: Interval[] = []
      for (let i = 0; i < postings.freq; i++) {
        const start = positions[i] as number
        found.push({ start, end: start, gaps: 0 })
      }
      return found
    },
  }
}

class IntervalWeight extends Weight {
  readonly #query: IntervalQuery
  readonly #boost: number

  constructor(query: IntervalQuery, boost: number, needsScores: boolean) {
    super(query, needsScores)
    this.#query = query
    this.#boost = boost
  }

  scorer(leaf: Leaf): IntervalScorer | undefined {
    const source = openSource(this.#query.source, leaf)
    return source === undefined ? undefined : new IntervalScorer(source, minExtent(this.#query.source), this.#boost)
  }

  explain(leaf: Leaf, doc: number): Explanation {
    const scorer = this.scorer(leaf)
    if (scorer === undefined || scorer.advance(doc) !== doc) return explainNoMatch('no matching intervals')
    const score = scorer.score()
    return explainMatch(score, `Saturation function on interval frequency, computed as w * S / (S + k) from:`, [
      explainMatch(this.#boost, 'w, weight of this function'),
      explainMatch(1, 'k, pivot feature value that would give a score contribution equal to w/2'),
      explainMatch(scorer.freq, `S, the sloppy frequency of the interval query ${this.#query}`),
    ])
  }
}

class IntervalScorer implements Scorer {
  readonly cost: number
  readonly twoPhase: TwoPhase
  /** 1 / (1 + positions too many), summed over all intervals, a 32-bit float. */
  freq = 0
  readonly #source: OpenSource
  readonly #minExtent: number
  readonly #boost: number

  constructor(source: OpenSource, least: number, boost: number) {
    this.#source = source
    this.#minExtent = least
    this.#boost = boost
    this.cost = source.iterator.cost
    this.twoPhase = { approximation: source.iterator, matches: () => this.#matches() }
  }

  get doc(): number {
    return this.#source.iterator.doc
  }
  nextDoc(): number {
    return this.#confirm(this.#source.iterator.nextDoc())
  }
  advance(target: number): number {
    return this.#confirm(this.#source.iterator.advance(target))
  }
  // weight · (1 - 1 / (1 + freq)), each step a float
  score(): number {
    const { fround } = Math
    return fround(this.#boost * fround(1 - fround(1 / fround(1 + this.freq))))
  }

  #confirm(doc: number): number {
    let found = doc
    while (found !== NO_MORE_DOCS && !this.#matches()) found = this.#source.iterator.nextDoc()
    return found
  }

  #matches(): boolean {
    this.freq = 0
    for (const { start, end } of this.#source.intervals()) {
      this.freq = Math.fround(this.freq + 1 / Math.max(end - start + 1 - this.#minExtent + 1, 1))
    }
    return this.freq > 0
  }
}
