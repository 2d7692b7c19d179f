import { BooleanWeight } from './lucene/boolean-weight.ts'
import { ConstantScoreQuery } from './lucene/constant-score-query.ts'
import type { Leaf } from './lucene/leaf.ts'
import { MadeSetQuery } from './lucene/made-set-query.ts'
import { MatchAllDocsQuery } from './lucene/match-all-docs-query.ts'
import { MatchNoDocsQuery } from './lucene/match-no-docs-query.ts'
import { PointRangeQuery } from './lucene/point-range-query.ts'
import { TermQuery } from './lucene/term-query.ts'
import { ToldSetQuery } from './lucene/told-set-query.ts'
import type { Weight } from './lucene/weight.ts'

/**
 * Number of a segment's matches where Lucene 9 knows it without a visit (its `Weight.count`): a search for the number alone is told it,
 * however soon it ends.
 *
 * @returns -1: it does not know
 */
export function knownCountOf(weight: Weight, leaf: Leaf): number {
  // Nested documents count among those of a segment, but not among its matches.
  return leaf.segment.rootDocs === undefined ? knownCount(weight, leaf) : -1
}

function knownCount(weight: Weight, leaf: Leaf): number {
  const { query } = weight
  if (query instanceof MatchAllDocsQuery) return leaf.segment.numDocs
  if (query instanceof MatchNoDocsQuery) return 0
  if (weight instanceof BooleanWeight) return countOfClauses(weight, leaf)
  return leaf.segment.liveDocs === undefined && isCounted(query) ? weight.count(leaf) : -1
}

function isCounted(query: Weight['query']): boolean {
  if (query instanceof ConstantScoreQuery) return isCounted(query.query)
  if (query instanceof ToldSetQuery) return isCounted(query.query)
  if (query instanceof MadeSetQuery) return query.profiledAs === 'DocValuesFieldExistsQuery'
  return query instanceof TermQuery || query instanceof PointRangeQuery
}

/** Of clauses one alone may match some documents and not others. */
function countOfClauses(weight: BooleanWeight, leaf: Leaf): number {
  const all = leaf.segment.numDocs
  const required = [...weight.of('must'), ...weight.of('filter')]
  const excluded = weight.of('must_not')
  const isDisjunction = required.length === 0 && excluded.length === 0 && weight.minimumShouldMatch <= 1
  const isConjunction = required.length > 0 && weight.minimumShouldMatch === 0
  if (!isDisjunction && !isConjunction) return -1
  const found = isConjunction ? countOfAll(required, leaf, all) : countOfAny(weight.of('should'), leaf, all)
  if (found === 0) return 0
  const without = countOfAny(excluded, leaf, all)
  if (without <= 0) return without === 0 ? found : -1
  if (without === all) return 0
  return found === all ? all - without : -1
}

interface Clause {
  readonly weight: Weight
}

function countOfAll(clauses: readonly Clause[], leaf: Leaf, all: number): number {
  let found = all
  for (const { weight } of clauses) {
    const count = knownCount(weight, leaf)
    if (count <= 0) return count
    if (count === all) continue
    if (found !== all) return -1
    found = count
  }
  return found
}

function countOfAny(clauses: readonly Clause[], leaf: Leaf, all: number): number {
  let found = 0
  let isKnown = true
  for (const { weight } of clauses) {
    const count = knownCount(weight, leaf)
    if (count === all) return all
    if (count === 0) continue
    if (count < 0 || found > 0) isKnown = false
    else found = count
  }
  return isKnown ? found : -1
}
