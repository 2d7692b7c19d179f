import type { Dialect } from '../dialects/dialect.ts'

/** Where a hit or an object of one lies. */
interface Place {
  readonly searcher?: number
  readonly segment?: number
  readonly doc: number
}

/** Ranks of hits in the order in which the real servers fetch them: 6.x the best first, later ones as they lie in the index. */
export function fetchOrder(hits: readonly Place[], { typed }: Dialect): readonly number[] {
  const ranks = [...hits.keys()]
  if (typed) return ranks
  return ranks.sort((a, b) => comparePlaces(hits[a] as Place, hits[b] as Place))
}

/** Takes hits one by one in that order; what comes of them is in theirs. */
export function inFetchOrder<H extends Place, T>(hits: readonly H[], dialect: Dialect, take: (hit: H) => T): T[] {
  const taken: T[] = new Array(hits.length)
  for (const rank of fetchOrder(hits, dialect)) taken[rank] = take(hits[rank] as H)
  return taken
}

function comparePlaces(a: Place, b: Place): number {
  return (a.searcher ?? 0) - (b.searcher ?? 0) || (a.segment ?? 0) - (b.segment ?? 0) || a.doc - b.doc
}
