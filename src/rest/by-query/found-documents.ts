import { Breather } from '../../breather.ts'
import type { IndexSearcher, StoredDocument } from '../../engine/index/index-searcher.ts'
import type { SegmentReader } from '../../engine/index/segment-reader.ts'
import type { IndexMapping } from '../../engine/mapping/index-mapping.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import type { DocsCollector } from '../../engine/search/docs-collector.ts'
import type { Query } from '../../engine/search/queries/query.ts'
import { searchDocuments } from '../../engine/search/search-documents.ts'
import type { Stretch } from '../../engine/search/slice-documents.ts'
import type { EndpointRequest } from '../rest-request.ts'
import type { ScriptedWrite } from '../script/by-query-script.ts'
import type { SearchBody } from '../search/search-body.ts'
import { type SearchView, sliceOf } from '../search/search-view.ts'

/** A document that matched, as it was when the call began. */
export interface MatchedDocument {
  readonly index: IndexMetadata
  readonly mapping: IndexMapping
  readonly document: StoredDocument
  /** What the call's script wants done with it, where there is one. */
  readonly scripted?: ScriptedWrite
}

/** Matches of a view, read a batch at a time. */
export interface FoundDocuments {
  readonly total: number
  /**
   * A batch is the next so many matches, or as many of them as `most` then allows; where that is none, there are no more.
   */
  batches(size: number, most: () => number): Generator<readonly MatchedDocument[]>
}

/** One part of several; every document is in exactly one. */
export interface Slice {
  readonly id: number
  readonly max: number
}

interface Place {
  readonly searcher: number
  readonly segment: number
  readonly docs: readonly number[]
}

/** Documents that are looked at first, before it is known what one of them takes. */
const FIRST_STRETCH = 256

/** Stretches that take so long, in ms, become no longer: others are served between them. */
const LONG_STRETCH_MS = 25

/** Finds what a call goes through. Places are kept (a number each), documents are read when their batch comes. */
export async function findDocuments(
  view: SearchView,
  search: SearchBody,
  request: EndpointRequest,
  options: { readonly limit: number | undefined; readonly slice: Slice | undefined },
): Promise<FoundDocuments> {
  const limit = options.limit ?? Number.MAX_SAFE_INTEGER
  const slice = options.slice === undefined ? search.slice : { ...options.slice, field: '_id' }
  const places: Place[] = []
  const collector = search.sort.length === 0 ? new PlaceCollector(view.searchers, places) : undefined
  const find = (stretch?: Stretch) =>
    searchDocuments(
      view.searchers,
      {
        query: view.limit(filteredQuery(search)),
        from: 0,
        size: collector === undefined ? limit : 0,
        sort: search.sort,
        trackScores: false,
        trackTotalHits: true,
        ...(search.minScore === undefined ? {} : { minScore: search.minScore }),
        ...(search.terminateAfter === undefined ? {} : { terminateAfter: search.terminateAfter }),
        ...(search.timeoutMs === undefined ? {} : { timeoutMs: search.timeoutMs }),
        ...sliceOf(view, slice),
        collectors: collector === undefined ? [] : [collector],
        ...(stretch === undefined ? {} : { stretch }),
      },
      request.dialect.engineVersion,
    )
  const isWhole = collector === undefined || search.terminateAfter !== undefined || search.timeoutMs !== undefined
  if (!isWhole) await inStretches(view.searchers, find)
  else for (const hit of find().hits) places.push({ searcher: hit.searcher, segment: hit.segment, docs: [hit.doc] })
  const found = places.reduce((sum, place) => sum + place.docs.length, 0)
  return { total: Math.min(found, limit), batches: (size, most) => batchesOf(view, places, size, most) }
}

/** What documents have to match: nothing but hits is asked for, so that a filter of hits is one of documents. */
function filteredQuery({ query, postFilter }: SearchBody): Query {
  if (postFilter === undefined) return query
  return { kind: 'bool', must: [query], filter: [postFilter], should: [], mustNot: [], adjustPureNegative: true }
}

/**
 * Searches stretch by stretch of documents. They are made longer as long as they take little time, or what they take is not
 * for their documents.
 */
async function inStretches(searchers: readonly IndexSearcher[], find: (stretch: Stretch) => unknown): Promise<void> {
  const end = searchers.reduce((sum, { maxDoc }) => sum + maxDoc, 0)
  const breather = new Breather()
  let length = FIRST_STRETCH
  let isGrowing = true
  let before = Number.POSITIVE_INFINITY
  let from = 0
  // Once at least: what is wrong with a query is told without documents, too.
  do {
    const started = performance.now()
    const to = Math.min(from + length, end)
    find({ from, to })
    from = to
    const ms = performance.now() - started
    isGrowing &&= ms < LONG_STRETCH_MS || ms < before * 1.5
    before = ms
    if (isGrowing) length *= 2
    await breather.turn()
  } while (from < end)
}

function* batchesOf(
  view: SearchView,
  places: readonly Place[],
  size: number,
  most: () => number,
): Generator<readonly MatchedDocument[]> {
  let batch: MatchedDocument[] = []
  let seen = 0
  let room = most()
  for (const place of places) {
    const searcher = view.searchers[place.searcher] as IndexSearcher
    const segment = searcher.segments[place.segment] as SegmentReader
    const index = view.indices[place.searcher] as IndexMetadata
    for (const doc of place.docs) {
      if (batch.length < room)
        batch.push({ index, mapping: searcher.mapping, document: searcher.document(segment, doc) })
      if (++seen < size) continue
      yield batch
      batch = []
      seen = 0
      room = most()
      if (room <= 0) return
    }
  }
  if (batch.length > 0) yield batch
}

/** Notes where matches are, index by index. */
class PlaceCollector implements DocsCollector {
  readonly needsScores = false
  readonly #searchers: readonly IndexSearcher[]
  readonly #places: Place[]

  constructor(searchers: readonly IndexSearcher[], places: Place[]) {
    this.#searchers = searchers
    this.#places = places
  }

  segment(reader: SegmentReader): (doc: number) => void {
    const docs: number[] = []
    const searcher = this.#searchers.findIndex((s) => s.segments.includes(reader))
    const segment = (this.#searchers[searcher] as IndexSearcher).segments.indexOf(reader)
    this.#places.push({ searcher, segment, docs })
    return (doc) => docs.push(doc)
  }
}
