import { greatest } from '../../algorithms/long-lists.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import type { Leaf } from '../lucene/leaf.ts'
import type { Behind, SearchRequest, SortKey } from '../search-request.ts'
import type { SegmentSort, SortValue } from './segment-sort.ts'
import { sortReader } from './sort-values.ts'
import { groupReader, TopCollapsed } from './top-collapsed.ts'
import { TopScores } from './top-scores.ts'
import { TopSorted } from './top-sorted.ts'

/** Takes a batch of a segment's matches; does not keep the arrays. */
export type RankBatch = (docs: Int32Array, scores: Float32Array, count: number) => void

/** A document ranked: its number among all documents of all searchers, and what it was ranked by. */
export interface Ranked {
  readonly doc: number
  readonly score: number
  readonly values?: readonly SortValue[]
  readonly group?: SortValue
}

/** Keeps the best of the matches it is shown. */
export interface Ranking {
  /** Opens an index; answers how its segments are taken. `base` is the number of its first document. */
  open(searcher: IndexSearcher, isLucene7: boolean, base: number): (leaf: Leaf) => RankBatch
  /** The best so far, best first, from a rank on. */
  sorted(from: number): readonly Ranked[]
  /** Best score seen; NaN when nothing was scored. */
  readonly maxScore: number
}

/** By score, best first. */
export class ScoreRanking implements Ranking {
  readonly top: TopScores

  /** @param from  the first rank that will be asked for */
  constructor(size: number, from: number) {
    this.top = new TopScores(size, from)
  }

  open(_searcher: IndexSearcher, _isLucene7: boolean, base: number): (leaf: Leaf) => RankBatch {
    const { top } = this
    return ({ docBase }) =>
      (docs, scores, count) =>
        top.addAll(docs, scores, count, base + docBase)
  }

  sorted(from: number): readonly Ranked[] {
    return this.top.sorted(from)
  }

  get maxScore(): number {
    return this.top.best
  }
}

/** By score, best first, of what stands behind a hit. */
export class ScoresBehind implements Ranking {
  readonly #best: ScoreRanking
  readonly #behind: Behind

  constructor(size: number, behind: Behind) {
    this.#best = new ScoreRanking(size, 0)
    this.#behind = behind
  }

  open(searcher: IndexSearcher, isLucene7: boolean, base: number): (leaf: Leaf) => RankBatch {
    const open = this.#best.open(searcher, isLucene7, base)
    const { score: most, doc: last } = this.#behind
    let keptDocs = new Int32Array(0)
    let keptScores = new Float32Array(0)
    return (leaf) => {
      const rank = open(leaf)
      const lastHere = last - base - leaf.docBase
      return (docs, scores, count) => {
        if (keptDocs.length < count) {
          keptDocs = new Int32Array(count)
          keptScores = new Float32Array(count)
        }
        let kept = 0
        for (let i = 0; i < count; i++) {
          const doc = docs[i] as number
          const score = scores[i] as number
          if (score > most || (score === most && doc <= lastHere)) continue
          keptDocs[kept] = doc
          keptScores[kept++] = score
        }
        rank(keptDocs, keptScores, kept)
      }
    }
  }

  sorted(from: number): readonly Ranked[] {
    return this.#best.sorted(from)
  }

  get maxScore(): number {
    return this.#best.maxScore
  }
}

/** The best of each index, one index after the other. */
export class RankingByIndex implements Ranking {
  readonly #make: () => Ranking
  readonly #rankings: Ranking[] = []

  constructor(make: () => Ranking) {
    this.#make = make
  }

  open(searcher: IndexSearcher, isLucene7: boolean, base: number): (leaf: Leaf) => RankBatch {
    const ranking = this.#make()
    this.#rankings.push(ranking)
    return ranking.open(searcher, isLucene7, base)
  }

  sorted(from: number): readonly Ranked[] {
    return this.#rankings.flatMap((ranking) => ranking.sorted(from))
  }

  get maxScore(): number {
    const scored = this.#rankings.map((ranking) => ranking.maxScore).filter((score) => !Number.isNaN(score))
    return scored.length === 0 ? Number.NaN : greatest(scored)
  }
}

/** By sort keys. */
export class SortRanking implements Ranking {
  maxScore = Number.NaN
  readonly #top: TopSorted
  readonly #request: SearchRequest
  readonly #scored: boolean

  constructor(size: number, request: SearchRequest, scored: boolean) {
    const { sort, searchAfter, behind } = request
    this.#top = new TopSorted(size, sort, behind?.sortValues ?? searchAfter, behind?.doc)
    this.#request = request
    this.#scored = scored
  }

  open(searcher: IndexSearcher, isLucene7: boolean, base: number): (leaf: Leaf) => RankBatch {
    const readers = this.#request.sort.map((key) => sortReader(key, searcher, isLucene7))
    return (leaf) => {
      const sorts = readers.map((read) => read(leaf))
      return (docs, scores, count) => {
        // Sorted by something else the best score is not looked for, unless scores are asked for.
        if (this.#request.trackScores) this.maxScore = largest(this.maxScore, scores, count)
        this.#top.addAll(docs, scores, count, base + leaf.docBase, sorts)
      }
    }
  }

  sorted(from: number): readonly Ranked[] {
    const found = this.#top.sorted(from)
    return this.#scored ? found : found.map(({ doc, values }) => ({ doc, score: Number.NaN, values }))
  }
}

/** Whether the best scores come first, be it said or not. */
export function isByScore(sort: readonly SortKey[]): boolean {
  const [first, second] = sort
  return first === undefined || (second === undefined && first.kind === 'score' && first.order === 'desc')
}

/** The best of each group only. */
export class CollapseRanking implements Ranking {
  maxScore = Number.NaN
  readonly #top: TopCollapsed
  readonly #field: string
  readonly #request: SearchRequest
  readonly #scored: boolean
  /** 6.x forgets the scores of groups that are sorted by something else. */
  #isLucene7 = false

  constructor(size: number, request: SearchRequest, field: string, scored: boolean) {
    this.#top = new TopCollapsed(request.sort, request.size === 0 ? 0 : size)
    this.#field = field
    this.#request = request
    this.#scored = scored
  }

  open(searcher: IndexSearcher, isLucene7: boolean, base: number): (leaf: Leaf) => RankBatch {
    const readers = this.#request.sort.map((key) => sortReader(key, searcher, isLucene7))
    const groupOf = groupReader(this.#field, searcher, isLucene7)
    this.#isLucene7 = isLucene7
    // 7.10 does not look for the best score of groups.
    const tracksBest = searcher.mapping.engineVersion !== 'Elasticsearch_7.10'
    return (leaf) => {
      const sorts: SegmentSort[] = readers.map((read) => read(leaf))
      const groups = groupOf(leaf)
      return (docs, scores, count) => {
        if (tracksBest && this.#scored && (isByScore(this.#request.sort) || this.#request.trackScores))
          this.maxScore = largest(this.maxScore, scores, count)
        this.#top.addAll(docs, scores, count, base + leaf.docBase, sorts, groups)
      }
    }
  }

  sorted(from: number): readonly Ranked[] {
    const { sort } = this.#request
    const bySort = sort.length > 0
    const readsScore = sort.some(({ kind }) => kind === 'score')
    // By the score alone, either way, is no sorting.
    const showsValues = bySort && !(sort.length === 1 && readsScore)
    return this.#top.sorted(from).map(({ doc, score, values, group }) => ({
      doc,
      score: this.#scored && (!bySort || readsScore || !this.#isLucene7) ? score : Number.NaN,
      group,
      ...(showsValues ? { values } : {}),
    }))
  }
}

function largest(before: number, scores: Float32Array, count: number): number {
  let max = before
  for (let i = 0; i < count; i++) if (!((scores[i] as number) <= max)) max = scores[i] as number
  return max
}
