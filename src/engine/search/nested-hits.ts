import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import { hasBit } from './lucene/bit-set.ts'
import { nestedDocs } from './lucene/block-join-query.ts'
import type { Explanation } from './lucene/explanation.ts'
import type { Leaf } from './lucene/leaf.ts'
import type { Scorer } from './lucene/scorer.ts'
import { SearchContext } from './lucene/search-context.ts'
import { createNestedQuery } from './queries/create-query.ts'
import type { NestedQuery } from './queries/query.ts'

/** A nested object that matches. */
export interface NestedHit {
  readonly doc: number
  readonly score: number
  /** Place among the objects of its path in the root document, from 0. */
  readonly offset: number
}

/** Finds the objects of a nested query that match. */
export interface NestedHits {
  /** Those within one document, the best first. That is a root document, or with a path an object of it. */
  find(segmentIndex: number, parent: number, parentPath?: string): NestedHit[]
  /** Why an object has its score. */
  explain(segmentIndex: number, doc: number): Explanation
}

/** The objects of a nested query, wherever they are. @throws {ServiceError} as a search with the query would */
export function nestedHits(
  query: NestedQuery,
  searcher: IndexSearcher,
  options: { readonly engineVersion: EngineVersion; readonly now: number },
): NestedHits {
  const context = new SearchContext(searcher, options)
  const weight = createNestedQuery(query.query, query.path, context).createWeight(context, 1, true)
  const explain: NestedHits['explain'] = (segmentIndex, doc) =>
    weight.explain(context.leaves[segmentIndex] as Leaf, doc)
  // Documents are mostly asked about as they lie in the index: one cursor goes through all of them.
  let open: { readonly leaf: Leaf; readonly scorer: Scorer | undefined; from: number } | undefined
  const scorerFrom = (leaf: Leaf, first: number, end: number): Scorer | undefined => {
    if (open?.leaf !== leaf || first < open.from) open = { leaf, scorer: weight.scorer(leaf), from: first }
    open.from = end
    return open.scorer
  }
  const find: NestedHits['find'] = (segmentIndex, parent, parentPath) => {
    const leaf = context.leaves[segmentIndex] as Leaf
    const { rootDocs } = leaf.segment
    if (rootDocs === undefined) return []
    const children = nestedDocs(leaf, query.path)
    const siblings = parentPath === undefined ? undefined : nestedDocs(leaf, parentPath)
    let first = parent
    while (first > 0 && !hasBit(rootDocs, first - 1) && !(siblings !== undefined && hasBit(siblings, first - 1)))
      first--
    const scorer = scorerFrom(leaf, first, parent)
    if (scorer === undefined) return []
    const iterator = scorer.twoPhase?.approximation ?? scorer
    const hits: NestedHit[] = []
    let offset = 0
    for (let doc = first; doc < parent; doc++) {
      if (!hasBit(children, doc)) continue
      if (iterator.doc < doc) iterator.advance(doc)
      if (iterator.doc === doc && (scorer.twoPhase?.matches() ?? true))
        hits.push({ doc, score: scorer.score(), offset })
      offset++
    }
    return hits.sort((a, b) => b.score - a.score || a.doc - b.doc)
  }
  return { find, explain }
}
