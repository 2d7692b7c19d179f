import { runsScript } from '../script/script-mark.ts'
import { type BitSet, emptyBits, fullBits, intersection } from './bit-set.ts'
import { DocSetBulkScorer } from './constant-score.ts'
import { bitsDocSet, type DocSet, docSetBits } from './doc-set.ts'
import { cachedDocSet, collect, keptDocSet, usedDocSet } from './filter-cache.ts'
import type { Leaf } from './leaf.ts'
import type { BatchSink, BulkScorer, Scorer } from './scorer.ts'
import { TermScorer } from './term-scorer.ts'
import type { WeighedClause } from './weighed-clause.ts'
import type { Weight } from './weight.ts'
import { ScorerWindowSource, TermWindowSource, WindowBulkScorer, type WindowSource } from './window-bulk-scorer.ts'

/** The parts of a boolean weight that its fast ways need. */
export interface BooleanParts {
  readonly needsScores: boolean
  readonly minimumShouldMatch: number
  /** What tells the filters and excluded clauses, all together, from others. */
  readonly acceptKey: string
  /** False: none of them runs a script. */
  readonly mayRunScripts: boolean
  of(occur: 'must' | 'filter' | 'should' | 'must_not'): WeighedClause[]
}

/**
 * The fast way through a boolean query, where it has one: what is scored goes in bulk, everything that only filters or
 * excludes becomes one set of bits that the bulk scorer is told to accept. Undefined: document by document.
 */
export function booleanBulkScorer(
  parts: BooleanParts,
  leaf: Leaf,
): { readonly bulk: BulkScorer | undefined } | undefined {
  const must = parts.of('must')
  const should = parts.of('should')
  const filter = parts.of('filter')
  const least = parts.minimumShouldMatch
  if (runsScripts(parts)) return undefined
  if (must.length > 1 || (should.length > 0 && (must.length > 0 || (filter.length > 0 && least === 0))))
    return undefined
  if (should.length === 0 && least > 0) return { bulk: undefined }
  const [scored] = must
  const alone = should.length === 1 && least <= 1 ? should[0]?.weight.bulkScorer(leaf) : undefined
  let bulk: BulkScorer | undefined
  let cost = Number.POSITIVE_INFINITY
  if (scored !== undefined) {
    bulk = scored.weight.bulkScorer(leaf)
    if (bulk === undefined) return { bulk: undefined }
    if (bulk.cost !== undefined) cost = bulk.cost
    else if (filter.length > 0) return undefined
  } else if (alone?.cost !== undefined) {
    bulk = alone
    cost = alone.cost
  } else if (should.length > 0) {
    const sources = windowSources(should, leaf, parts.needsScores)
    if (sources.length < Math.max(1, least)) return { bulk: undefined }
    bulk = new WindowBulkScorer(sources, Math.max(1, least), parts.needsScores)
    cost = bulk.cost as number
  }
  const accepted = acceptedSet(parts, leaf, cost)
  if (accepted === 'expensive') return undefined
  if (accepted === 'none') return { bulk: undefined }
  if (bulk === undefined) {
    return {
      bulk: new DocSetBulkScorer(accepted ?? { kind: 'all', count: leaf.segment.maxDoc }, 0),
    }
  }
  return {
    bulk: accepted === undefined ? bulk : new AcceptingBulkScorer(bulk, docSetBits(accepted, leaf.segment.maxDoc)),
  }
}

/** Scripts are asked last, of documents that match all else. */
export function runsScripts(parts: BooleanParts): boolean {
  if (!parts.mayRunScripts) return false
  const clauses = [...parts.of('must'), ...parts.of('should')]
  return runsScript(parts.acceptKey) || clauses.some(({ key }) => runsScript(key))
}

/** What fills windows with the matches of optional clauses. */
export function windowSources(clauses: readonly WeighedClause[], leaf: Leaf, needsScores: boolean): WindowSource[] {
  return clauses.flatMap(({ weight }) => {
    const own = weight.windowSource(leaf)
    if (own !== undefined) return own
    const scorer = weight.scorer(leaf)
    if (scorer === undefined) return []
    return windowSource(scorer, needsScores)
  })
}

/** What fills windows with a scorer's matches: a term's postings by the block, others one by one. */
export function windowSource(scorer: Scorer, needsScores: boolean): WindowSource {
  return scorer instanceof TermScorer
    ? new TermWindowSource(scorer.postings, needsScores ? scorer.similarity : undefined, scorer.norms)
    : new ScorerWindowSource(scorer, needsScores)
}

/** What filters let through; `expensive` where a filter is much rarer than what is scored, so that it should lead. */
export function acceptedSet(parts: BooleanParts, leaf: Leaf, cost: number): DocSet | undefined | 'expensive' | 'none' {
  const filter = parts.of('filter')
  const mustNot = parts.of('must_not')
  if (filter.length === 0 && mustNot.length === 0) return undefined
  const kept = usedDocSet(parts.acceptKey, leaf)
  if (kept !== undefined) return kept.count === 0 ? 'none' : kept
  const wanted: DocSet[] = []
  for (const clause of filter) {
    const set = setOf(clause, leaf, cost)
    if (set === 'expensive') return set
    if (set.count === 0) return 'none'
    if (set.count * 16 < cost && cost !== Number.POSITIVE_INFINITY) return 'expensive'
    wanted.push(set)
  }
  const [only] = wanted
  if (wanted.length === 1 && only !== undefined && mustNot.length === 0) return only
  return keptDocSet(parts.acceptKey, leaf, () => bitsDocSet(joinedBits(wanted, mustNot, leaf)))
}

function joinedBits(wanted: readonly DocSet[], mustNot: readonly WeighedClause[], leaf: Leaf): BitSet {
  const { maxDoc } = leaf.segment
  const bits = wanted.length === 0 ? fullBits(maxDoc) : emptyBits(maxDoc)
  for (const [i, set] of wanted.entries()) {
    const own = docSetBits(set, maxDoc)
    if (i === 0) bits.set(own)
    else for (let w = 0; w < bits.length; w++) bits[w] = (bits[w] as number) & (own[w] as number)
  }
  for (const clause of mustNot) {
    const set = setOf(clause, leaf, Number.POSITIVE_INFINITY) as DocSet
    const own = docSetBits(set, maxDoc)
    for (let w = 0; w < bits.length; w++) bits[w] = (bits[w] as number) & ~(own[w] as number)
  }
  return bits
}

/** A filter's documents: kept ones, or collected now where that costs no more than the rest of the query. */
function setOf({ key, weight }: WeighedClause, leaf: Leaf, cost: number): DocSet | 'expensive' {
  const kept = cachedDocSet(key, weight, leaf)
  if (kept !== undefined) return kept
  if (cost !== Number.POSITIVE_INFINITY && filterCost(weight, leaf) > cost * 4) return 'expensive'
  return collect(weight, leaf)
}

function filterCost(weight: Weight, leaf: Leaf): number {
  const count = weight.count(leaf)
  return count >= 0 ? count : leaf.segment.maxDoc / 8
}

/** A bulk scorer over what a set of bits lets through. */
class AcceptingBulkScorer implements BulkScorer {
  readonly cost: number
  readonly #bulk: BulkScorer
  readonly #bits: Uint32Array

  constructor(bulk: BulkScorer, bits: Uint32Array) {
    this.cost = bulk.cost ?? bits.length << 5
    this.#bulk = bulk
    this.#bits = bits
  }

  score(sink: BatchSink, accept: Uint32Array | undefined, floor?: () => number): void {
    this.#bulk.score(sink, intersection(this.#bits, accept), floor)
  }
}
