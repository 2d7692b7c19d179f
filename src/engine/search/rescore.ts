import type { IndexSearcher } from '../index/index-searcher.ts'
import type { Leaf } from './lucene/leaf.ts'
import { SearchContext, type SearchOptions } from './lucene/search-context.ts'
import { createQuery } from './queries/create-query.ts'
import { unquoted } from './queries/query-context.ts'
import type { RescoreStage, ScoredHit } from './search-request.ts'

const fround = Math.fround

/** Hits between two looks at whether the search may go on. */
const TURN = 64

/**
 * Scores the best hits of each index anew with a second query and ranks them again; hits beyond the window only have
 * their own weight. Equal hits stand in the order of their documents.
 *
 * @param hits  best first
 */
export function rescore(
  hits: readonly ScoredHit[],
  searchers: readonly IndexSearcher[],
  stages: readonly RescoreStage[],
  options: SearchOptions,
): readonly ScoredHit[] {
  let ranked = hits
  for (const stage of stages)
    ranked = searchers.flatMap((searcher, i) =>
      rescoreIndex(
        ranked.filter((hit) => hit.searcher === i),
        searcher,
        stage,
        options,
      ),
    )
  return [...ranked].sort((a, b) => b.score - a.score || inOrder(a, b))
}

function rescoreIndex(
  hits: readonly ScoredHit[],
  searcher: IndexSearcher,
  stage: RescoreStage,
  options: SearchOptions,
): ScoredHit[] {
  const context = new SearchContext(searcher, options)
  const weight = unquoted(() => createQuery(stage.query, context)).createWeight(context, 1, true)
  const queryWeight = fround(stage.queryWeight)
  const rescoreWeight = fround(stage.rescoreQueryWeight)
  const rescored = hits.map((hit, rank) => {
    if (rank % TURN === 0) options.watch?.requireClient()
    const first = fround(hit.score * queryWeight)
    if (rank >= stage.windowSize) return { ...hit, score: first }
    const scorer = weight.scorer(context.leaves[hit.segment] as Leaf)
    const matches = scorer !== undefined && scorer.advance(hit.doc) === hit.doc
    const score = matches ? combine(first, fround(scorer.score() * rescoreWeight), stage.scoreMode) : first
    const rescoredBy = hit.rescoredBy ?? []
    rescoredBy.push(stage)
    return { rescoredBy, ...hit, score }
  })
  return rescored.sort((a, b) => b.score - a.score || inOrder(a, b))
}

/** The score of a document that both queries found. */
export function combine(first: number, second: number, mode: RescoreStage['scoreMode']): number {
  switch (mode) {
    case 'total':
      return fround(first + second)
    case 'multiply':
      return fround(first * second)
    case 'avg':
      return fround(fround(first + second) / 2)
    case 'max':
      return Math.max(first, second)
    case 'min':
      return Math.min(first, second)
  }
}

const inOrder = (a: ScoredHit, b: ScoredHit): number =>
  a.searcher - b.searcher || a.segment - b.segment || a.doc - b.doc
