import type { ServiceError } from '../../errors.ts'
import type { DocsCollector } from './docs-collector.ts'
import type { StatisticsInstead } from './lucene/similarity/gathered-statistics.ts'
import type { SearchProfile } from './profile/search-profile.ts'
import type { Query } from './queries/query.ts'
import type { SearchScript } from './script/search-script.ts'
import type { SearchSignal, SearchWatch } from './search-watch.ts'
import type { Slice, Stretch } from './slice-documents.ts'

/** One sort key. */
export type SortKey =
  | { readonly kind: 'score'; readonly order: 'asc' | 'desc' }
  | { readonly kind: 'doc'; readonly order: 'asc' | 'desc' }
  | {
      readonly kind: 'field'
      readonly field: string
      readonly order: 'asc' | 'desc'
      readonly missing: '_first' | '_last' | string | number | bigint
      readonly mode?: 'min' | 'max' | 'sum' | 'avg' | 'median'
      readonly unmappedType?: string
      readonly nested?: NestedSort
      readonly numericType?: 'long' | 'double' | 'date' | 'date_nanos'
    }
  | ScriptSortKey
  | {
      readonly kind: 'geo_distance'
      readonly field: string
      readonly points: readonly { readonly lat: number; readonly lon: number }[]
      readonly order: 'asc' | 'desc'
      /** Meters in a unit of the values. */
      readonly unitMeters: number
      readonly isPlane: boolean
      readonly mode?: 'min' | 'max' | 'avg' | 'median'
      readonly ignoreUnmapped: boolean
      readonly nested?: NestedSort
      /** What is wrong with the points; an index that has the field says so. */
      readonly fault?: ServiceError
    }

/** A sort by what a script gives. */
export interface ScriptSortKey {
  readonly kind: 'script'
  readonly script: SearchScript
  readonly type: 'number' | 'string'
  readonly order: 'asc' | 'desc'
  readonly mode?: 'min' | 'max' | 'sum' | 'avg' | 'median'
  readonly nested?: NestedSort
  /** Told of each run of the script. */
  readonly watch?: SearchWatch
}

/** Nested objects whose values a document is sorted by. */
export interface NestedSort {
  /** Undefined: the document itself, as if there were no `nested`. */
  readonly path: string | undefined
  /** Which of them count. */
  readonly filter?: Query
  /** How many objects with a value count, the first ones. */
  readonly maxChildren: number
  /** Objects within these. */
  readonly nested?: NestedSort
}

/** A search over documents: what to match, which hits to bring back. Fetching of sources and fields is `rest/`'s affair. */
export interface SearchRequest {
  /** Measures the search. */
  readonly profile?: SearchProfile
  readonly query: Query
  /** Applied to hits after aggregations saw everything (`post_filter`). */
  readonly postFilter?: Query
  readonly from: number
  readonly size: number
  /** Empty: by score. */
  readonly sort: readonly SortKey[]
  readonly searchAfter?: readonly (string | number | bigint | boolean | null)[]
  /** Only what stands behind this place among the hits of the same search is found. */
  readonly behind?: Behind
  /** Scores even when sorted by something else (`track_scores`). */
  readonly trackScores: boolean
  /** true: exact; a number: exact up to there; false: not counted. */
  readonly trackTotalHits: boolean | number
  readonly minScore?: number
  readonly terminateAfter?: number
  readonly timeoutMs?: number
  readonly rescore?: readonly RescoreStage[]
  readonly collapse?: { readonly field: string }
  readonly slice?: Slice
  /** Only documents of these numbers, among all of all indices, are looked at; undefined: all. */
  readonly stretch?: Stretch
  /** What terms are scored by in the place of each index' own statistics. */
  readonly statistics?: StatisticsInstead
  /** What scores are multiplied with, by searcher (`indices_boost`); absent: nothing. */
  readonly indexBoosts?: readonly number[]
  /** Aggregations and the like, shown every match. */
  readonly collectors: readonly DocsCollector[]
  /** Says whether somebody still waits for the answer. */
  readonly signal?: SearchSignal
}

/** A place among the hits of a search. */
export interface Behind {
  /** Number among all documents of all searchers; of equal hits those of larger numbers come behind. */
  readonly doc: number
  readonly score: number
  /** Undefined where hits are sorted by score alone. */
  readonly sortValues: ScoredHit['sortValues'] | undefined
}

/** Scores the best `windowSize` hits anew, by a second query beside the first. */
export interface RescoreStage {
  readonly windowSize: number
  readonly query: Query
  readonly queryWeight: number
  readonly rescoreQueryWeight: number
  readonly scoreMode: 'total' | 'multiply' | 'avg' | 'max' | 'min'
}

/** A document found. */
export interface ScoredHit {
  /** Index into the searchers given. */
  readonly searcher: number
  /** Index into that searcher's segments. */
  readonly segment: number
  readonly doc: number
  /** NaN when not scored. */
  readonly score: number
  /** Sort values as the answer shows them; absent when sorted by score alone. */
  readonly sortValues?: readonly (string | number | bigint | boolean | null)[]
  /** Names of the `_name`d queries that matched. */
  readonly matchedQueries?: readonly string[]
  readonly collapseValue?: string | number | bigint | null
  /** Stages of {@link SearchRequest.rescore} whose window it was in. */
  readonly rescoredBy?: RescoreStage[]
}

/** What a search found. */
export interface SearchResult {
  readonly hits: readonly ScoredHit[]
  readonly total: { readonly value: number; readonly relation: 'eq' | 'gte' } | undefined
  /** NaN when no hit was scored. */
  readonly maxScore: number
  readonly terminatedEarly: boolean | undefined
  readonly timedOut: boolean
}
