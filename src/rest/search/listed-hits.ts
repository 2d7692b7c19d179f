import type { ScoredHit } from '../../engine/search/search-request.ts'
import type { ScrolledHits } from './scrolled-hits.ts'

type SortValues = NonNullable<ScoredHit['sortValues']>[number][]

/** A scroll's matches that were all found at once: kept as numbers, since there may be millions. */
export class ListedHits implements ScrolledHits {
  count: number
  asked = 0
  /** Searcher, segment and document of each. */
  #places: Int32Array
  #scores: Float64Array
  /** One after the other; absent when they are sorted by score alone. */
  #values: SortValues | undefined
  readonly #width: number

  constructor(hits: readonly ScoredHit[]) {
    const count = hits.length
    const width = hits[0]?.sortValues?.length ?? 0
    const places = new Int32Array(count * 3)
    const scores = new Float64Array(count)
    const values: SortValues = new Array(count * width)
    for (let i = 0; i < count; i++) {
      const { searcher, segment, doc, score, sortValues } = hits[i] as ScoredHit
      places[3 * i] = searcher
      places[3 * i + 1] = segment
      places[3 * i + 2] = doc
      scores[i] = score
      for (let key = 0; key < width; key++) values[i * width + key] = sortValues?.[key] ?? null
    }
    this.count = count
    this.#width = width
    this.#places = places
    this.#scores = scores
    this.#values = hits[0]?.sortValues === undefined ? undefined : values
  }

  next(size: number): readonly ScoredHit[] {
    const { asked } = this
    this.asked += size
    const hits: ScoredHit[] = []
    for (let i = asked; i < this.asked && i < this.count; i++) hits.push(this.#hit(i))
    return hits
  }

  leaveOut(isThere: readonly boolean[]): void {
    const before = this.asked
    let shown = 0
    const kept: ScoredHit[] = []
    for (let i = 0; i < this.count; i++) {
      const hit = this.#hit(i)
      if (isThere[hit.searcher] !== true) continue
      if (i < before) shown++
      kept.push(hit)
    }
    const packed = new ListedHits(kept)
    this.count = packed.count
    this.asked = shown
    this.#places = packed.#places
    this.#scores = packed.#scores
    this.#values = packed.#values
  }

  #hit(i: number): ScoredHit {
    const places = this.#places
    const searcher = places[3 * i] as number
    const segment = places[3 * i + 1] as number
    const doc = places[3 * i + 2] as number
    const score = this.#scores[i] as number
    if (this.#values === undefined) return { searcher, segment, doc, score }
    const width = this.#width
    return { searcher, segment, doc, score, sortValues: this.#values.slice(i * width, (i + 1) * width) }
  }
}
