import { ServiceError } from '../../errors.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import type { SegmentReader } from '../index/segment-reader.ts'
import { type CompiledQuery, compileQuery } from './compile-query.ts'
import { type Matches, scoreAt } from './matches.ts'
import type { ScoredHit, SearchRequest, SearchResult } from './search-request.ts'
import { compareSortValues, type SortValue, sortReader } from './sort-values.ts'

interface Candidate {
  readonly searcher: number
  readonly segment: number
  readonly doc: number
  readonly score: number
  readonly sort: readonly SortValue[] | undefined
}

/**
 * Finds, ranks and counts. Equal hits stand in the order of their indices and documents.
 *
 * @throws {ServiceError} for queries and sorts that an index cannot answer
 */
export function searchDocuments(searchers: readonly IndexSearcher[], request: SearchRequest, engineVersion: EngineVersion, now = Date.now()): SearchResult {
  const byScore = request.sort.length === 0 || (request.sort.length === 1 && request.sort[0]?.kind === 'score' && request.sort[0].order === 'desc')
  const wanted = request.from + request.size
  const top = new TopHits(wanted, byScore ? byScoreThenDoc : bySortThenDoc(request))
  const started = performance.now()
  let total = 0
  let maxScore = Number.NaN
  let timedOut = false
  for (const [searcherIndex, searcher] of searchers.entries()) {
    const context = { searcher, engineVersion, now }
    const query = compileQuery(request.query, context)
    const post = request.postFilter === undefined ? undefined : compileQuery(request.postFilter, context)
    const sort = byScore ? undefined : request.sort.map((key) => sortReader(key, searcher, engineVersion))
    for (const [segmentIndex, segment] of searcher.segments.entries()) {
      if (request.timeoutMs !== undefined && performance.now() - started > request.timeoutMs) {
        timedOut = true
        break
      }
      request.signal?.throwIfAborted()
      const matches = query(segment, segmentIndex)
      const allowed = post === undefined ? undefined : new Set(post(segment, segmentIndex).docs)
      const collectors = request.collectors.map((c) => c.segment(segment, searcher.docBases[segmentIndex] as number))
      const readers = sort?.map((s) => s(segment))
      const { docs } = matches
      for (let i = 0; i < docs.length; i++) {
        const doc = docs[i] as number
        if (!isLiveRoot(segment, doc)) continue
        const score = scoreAt(matches, i)
        if (request.minScore !== undefined && score < request.minScore) continue
        for (const collect of collectors) collect(doc, score)
        if (allowed !== undefined && !allowed.has(doc)) continue
        total++
        if (wanted === 0) continue
        if (byScore) {
          if (!(score <= maxScore)) maxScore = score
          if (top.full && score <= top.worstScore) continue
          top.add({ searcher: searcherIndex, segment: segmentIndex, doc, score, sort: undefined })
        } else {
          if (request.trackScores && !(score <= maxScore)) maxScore = score
          const values = (readers as NonNullable<typeof readers>).map((read) => read(doc, score))
          if (request.searchAfter !== undefined && compareToAfter(values, request) <= 0) continue
          top.add({ searcher: searcherIndex, segment: segmentIndex, doc, score, sort: values })
        }
      }
    }
  }
  const candidates = top.sorted().slice(request.from)
  return {
    hits: candidates.map((c) => toHit(c, request, byScore)),
    total: totalOf(total, request.trackTotalHits),
    maxScore,
    terminatedEarly: undefined,
    timedOut,
  }
}

/** Counts matches without ranking them. */
export function countDocuments(searchers: readonly IndexSearcher[], query: SearchRequest['query'], engineVersion: EngineVersion, now = Date.now()): number {
  let count = 0
  for (const searcher of searchers) {
    const compiled: CompiledQuery = compileQuery(query, { searcher, engineVersion, now })
    for (const [i, segment] of searcher.segments.entries()) count += countLive(segment, compiled(segment, i))
  }
  return count
}

function countLive(segment: SegmentReader, matches: Matches): number {
  if (segment.liveDocs === undefined && segment.rootDocs === undefined) return matches.docs.length
  let count = 0
  for (const doc of matches.docs) if (isLiveRoot(segment, doc)) count++
  return count
}

function isLiveRoot(segment: SegmentReader, doc: number): boolean {
  const bit = 1 << (doc & 31)
  const { liveDocs, rootDocs } = segment
  return (liveDocs === undefined || ((liveDocs[doc >>> 5] as number) & bit) !== 0) && (rootDocs === undefined || ((rootDocs[doc >>> 5] as number) & bit) !== 0)
}

function totalOf(total: number, track: boolean | number): SearchResult['total'] {
  if (track === false) return undefined
  if (track !== true && total > track) return { value: track, relation: 'gte' }
  return { value: total, relation: 'eq' }
}

function toHit(c: Candidate, request: SearchRequest, byScore: boolean): ScoredHit {
  const scored = byScore || request.trackScores || request.sort.some((k) => k.kind === 'score')
  return {
    searcher: c.searcher,
    segment: c.segment,
    doc: c.doc,
    score: scored ? c.score : Number.NaN,
    ...(c.sort === undefined ? {} : { sortValues: c.sort }),
  }
}

function byScoreThenDoc(a: Candidate, b: Candidate): number {
  return b.score - a.score || inOrder(a, b)
}

function bySortThenDoc(request: SearchRequest): (a: Candidate, b: Candidate) => number {
  const { sort } = request
  return (a, b) => {
    for (let i = 0; i < sort.length; i++) {
      const key = sort[i] as (typeof sort)[number]
      const order = compareSortValues((a.sort as SortValue[])[i] as SortValue, (b.sort as SortValue[])[i] as SortValue, key)
      if (order !== 0) return order
    }
    return inOrder(a, b)
  }
}

const inOrder = (a: Candidate, b: Candidate): number => a.searcher - b.searcher || a.segment - b.segment || a.doc - b.doc

function compareToAfter(values: readonly SortValue[], request: SearchRequest): number {
  const after = request.searchAfter as readonly SortValue[]
  if (after.length !== request.sort.length) {
    throw new ServiceError('illegal_argument_exception', `search_after has ${after.length} value(s) but sort has ${request.sort.length}.`, { inQueryPhase: true })
  }
  for (let i = 0; i < after.length; i++) {
    const key = request.sort[i] as (typeof request.sort)[number]
    const order = compareSortValues(values[i] as SortValue, after[i] as SortValue, key)
    if (order !== 0) return order
  }
  return 0
}

/** The best so many candidates: a heap whose root is the worst of them. */
class TopHits {
  readonly #size: number
  readonly #compare: (a: Candidate, b: Candidate) => number
  readonly #heap: Candidate[] = []

  constructor(size: number, compare: (a: Candidate, b: Candidate) => number) {
    this.#size = size
    this.#compare = compare
  }

  get full(): boolean {
    return this.#heap.length >= this.#size
  }

  get worstScore(): number {
    return (this.#heap[0] as Candidate).score
  }

  add(candidate: Candidate): void {
    const heap = this.#heap
    if (heap.length < this.#size) {
      heap.push(candidate)
      this.#up(heap.length - 1)
    } else if (this.#size > 0 && this.#compare(candidate, heap[0] as Candidate) < 0) {
      heap[0] = candidate
      this.#down()
    }
  }

  sorted(): Candidate[] {
    return this.#heap.sort(this.#compare)
  }

  #up(start: number): void {
    const heap = this.#heap
    let i = start
    while (i > 0) {
      const parent = (i - 1) >>> 1
      if (this.#compare(heap[i] as Candidate, heap[parent] as Candidate) <= 0) return
      ;[heap[i], heap[parent]] = [heap[parent] as Candidate, heap[i] as Candidate]
      i = parent
    }
  }

  #down(): void {
    const heap = this.#heap
    let i = 0
    for (;;) {
      const left = 2 * i + 1
      if (left >= heap.length) return
      const right = left + 1
      const worse = right < heap.length && this.#compare(heap[right] as Candidate, heap[left] as Candidate) > 0 ? right : left
      if (this.#compare(heap[worse] as Candidate, heap[i] as Candidate) <= 0) return
      ;[heap[i], heap[worse]] = [heap[worse] as Candidate, heap[i] as Candidate]
      i = worse
    }
  }
}
