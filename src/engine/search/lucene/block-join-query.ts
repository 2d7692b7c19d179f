import { NO_MORE_DOCS } from '../../index/segment-reader.ts'
import { type BitSet, emptyBits, hasBit, nextBit, setBit } from './bit-set.ts'
import { bitsDocSet } from './doc-set.ts'
import { type Explanation, explainMatch, explainNoMatch } from './explanation.ts'
import { keptDocSet } from './filter-cache.ts'
import type { Leaf } from './leaf.ts'
import { LuceneQuery } from './lucene-query.ts'
import type { DocIterator, Scorer, TwoPhase } from './scorer.ts'
import type { SearchContext } from './search-context.ts'
import { Weight } from './weight.ts'

/** How the scores of a parent's matching children become the parent's. */
export type ChildScoreMode = 'avg' | 'sum' | 'min' | 'max' | 'none'

/** Where children and their parents are: nested paths; a parent without one is a root document. */
export interface BlockJoin {
  readonly childPath: string
  readonly parentPath: string | undefined
  readonly scoreMode: ChildScoreMode
}

/** Parents of the nested documents that a query finds (ToParentBlockJoinQuery). */
export class BlockJoinQuery extends LuceneQuery {
  readonly child: LuceneQuery
  readonly join: BlockJoin
  readonly #told: LuceneQuery

  /** @param told  the query for children as the real server runs it, which may filter what is never looked at here */
  constructor(child: LuceneQuery, join: BlockJoin, told = child) {
    super()
    this.child = child
    this.join = join
    this.#told = told
  }

  toString(): string {
    return `ToParentBlockJoinQuery (${this.#told})`
  }

  override get key(): string {
    const { childPath, parentPath, scoreMode } = this.join
    return `BlockJoinQuery:${childPath}:${parentPath ?? ''}:${scoreMode}:${this.child.key}`
  }

  override rewrite(context: SearchContext): LuceneQuery {
    const child = this.child.rewrite(context)
    const told = this.#told === this.child ? child : this.#told.rewrite(context)
    return child === this.child && told === this.#told ? this : new BlockJoinQuery(child, this.join, told)
  }

  createWeight(context: SearchContext, boost: number, needsScores: boolean): Weight {
    const scored = needsScores && this.join.scoreMode !== 'none'
    // Lucene asks the query itself, past its profiler.
    const child = this.child.createWeight(context, boost, scored)
    const told = (): Weight => (this.#told === this.child ? child : this.#told.createWeight(context, boost, scored))
    return new BlockJoinWeight(this, child, { needsScores, isLucene9: context.isLucene9, told })
  }
}

/** Documents of a nested path in a segment, as bits. */
export function nestedDocs({ segment, ord, docBase }: Leaf, path: string): BitSet {
  const set = keptDocSet(`nested path:${path}`, { segment, ord, docBase }, () => {
    const bits = emptyBits(segment.maxDoc)
    for (let doc = 0; doc < segment.maxDoc; doc++) if (segment.nestedPath(doc) === path) setBit(bits, doc)
    return bitsDocSet(bits)
  })
  return set.kind === 'bits' ? set.bits : emptyBits(segment.maxDoc)
}

class BlockJoinWeight extends Weight {
  readonly #child: Weight
  readonly #join: BlockJoin
  readonly #isLucene9: boolean
  readonly #told: () => Weight

  constructor(
    query: BlockJoinQuery,
    child: Weight,
    {
      needsScores,
      isLucene9,
      told,
    }: { readonly needsScores: boolean; readonly isLucene9: boolean; readonly told: () => Weight },
  ) {
    super(query, needsScores)
    this.#child = child
    this.#join = query.join
    this.#isLucene9 = isLucene9
    this.#told = told
  }

  scorer(leaf: Leaf): BlockJoinScorer | undefined {
    const { rootDocs } = leaf.segment
    // Without nested documents there is nothing to join.
    if (rootDocs === undefined) return undefined
    const { childPath, parentPath, scoreMode } = this.#join
    const child = this.#child.scorer(leaf)
    if (child === undefined) return undefined
    const parents = parentPath === undefined ? rootDocs : nestedDocs(leaf, parentPath)
    return new BlockJoinScorer(child, nestedDocs(leaf, childPath), parents, scoreMode)
  }

  explain(leaf: Leaf, doc: number): Explanation {
    const scorer = this.scorer(leaf)
    if (scorer === undefined || scorer.advance(doc) !== doc) return explainNoMatch('Not a match')
    const score = scorer.score()
    const { first, children } = scorer.matches()
    const weight = this.#told()
    const told = children.map((child) => weight.explain(leaf, child)).filter(({ match }) => match)
    const mode = this.#join.scoreMode
    const takesLeast = mode === 'min' && this.#isLucene9
    const shown = told.reduce((one, next) =>
      (takesLeast ? next.value < one.value : next.value > one.value) ? next : one,
    )
    const why = this.#isLucene9 ? `using score mode ${MODE_NAMES[mode]}` : 'best match:'
    const range = `${leaf.docBase + first} to ${leaf.docBase + doc - 1}`
    return explainMatch(score, `Score based on ${told.length} child docs in range from ${range}, ${why}`, [shown])
  }
}

/** Modes as Lucene 9 writes them. */
const MODE_NAMES: Readonly<Record<ChildScoreMode, string>> = {
  avg: 'Avg',
  sum: 'Total',
  min: 'Min',
  max: 'Max',
  none: 'None',
}

class BlockJoinScorer implements Scorer {
  readonly cost: number
  readonly twoPhase: undefined
  doc = -1
  readonly #child: Scorer
  readonly #childIterator: DocIterator
  readonly #check: TwoPhase | undefined
  readonly #children: BitSet
  readonly #parents: BitSet
  readonly #mode: ChildScoreMode
  #score = 0

  constructor(child: Scorer, children: BitSet, parents: BitSet, mode: ChildScoreMode) {
    this.#child = child
    this.#check = child.twoPhase
    this.#childIterator = child.twoPhase?.approximation ?? child
    this.#children = children
    this.#parents = parents
    this.#mode = mode
    this.cost = child.cost
  }

  nextDoc(): number {
    return this.#join(this.#childIterator.doc < 0 ? this.#childIterator.nextDoc() : this.#childIterator.doc)
  }

  advance(target: number): number {
    // A child of the target or a later parent stands after the parent before it.
    let before = target - 1
    while (before >= 0 && !hasBit(this.#parents, before)) before--
    const from = before + 1
    const at = this.#childIterator.doc
    const doc = this.#join(at < from ? this.#childIterator.advance(from) : at)
    return doc < target ? this.advance(target) : doc
  }

  score(): number {
    return this.#score
  }

  /** Of the current parent: its block's first document, and the children in it that may match. */
  matches(): { readonly first: number; readonly children: readonly number[] } {
    const children: number[] = []
    let first = this.doc
    while (first > 0 && !hasBit(this.#parents, first - 1)) first--
    for (let child = first; child < this.doc; child++) if (hasBit(this.#children, child)) children.push(child)
    return { first, children }
  }

  /** From a child on: finds the next matching one, its parent, and all its matching siblings. */
  #join(start: number): number {
    const children = this.#childIterator
    let child = start
    while (child !== NO_MORE_DOCS && !this.#matches(child)) child = children.nextDoc()
    if (child === NO_MORE_DOCS) {
      this.doc = NO_MORE_DOCS
      return NO_MORE_DOCS
    }
    const parent = nextBit(this.#parents, child)
    const mode = this.#mode
    let score = mode === 'none' ? 0 : this.#child.score()
    let count = 0
    for (;;) {
      count++
      do child = children.nextDoc()
      while (child < parent && !this.#matches(child))
      if (child >= parent) break
      if (mode === 'none') continue
      const next = this.#child.score()
      if (mode === 'min') score = Math.min(score, next)
      else if (mode === 'max') score = Math.max(score, next)
      else score += next
    }
    if (mode === 'avg') score /= count
    this.#score = Math.fround(score)
    this.doc = parent
    return parent
  }

  #matches(child: number): boolean {
    return hasBit(this.#children, child) && (this.#check === undefined || this.#check.matches())
  }
}
