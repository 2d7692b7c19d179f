import type { EngineVersion } from '../../engine/engine-version.ts'
import type { IndexSearcher, StoredDocument } from '../../engine/index/index-searcher.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { shardOf } from '../../engine/metadata/shard-routing.ts'
import type { QueryLimits } from '../../engine/search/queries/create-query.ts'
import type { Query } from '../../engine/search/queries/query.ts'
import type { Slice } from '../../engine/search/slice-documents.ts'
import type { Json } from '../json/json-writer.ts'

/** The indices of a search as they were when it began. Release it. */
export interface SearchView {
  readonly indices: readonly IndexMetadata[]
  readonly searchers: readonly IndexSearcher[]
  /** Names of the indices that an expression of the body leads to, whether they are searched or not. @throws {ServiceError} as for those of the path */
  named(expression: string): ReadonlySet<string>
  /** Limits a query to what path, aliases and preference let it see. */
  limit(query: Query): Query
  /** The same limits one by one, as the real servers tell of them. @param searcher  the one of the index */
  limits(searcher: number): QueryLimits
  /** Shards that `routing` and `preference` lead to; indices that are searched as a whole are not listed. */
  readonly routedShards: ReadonlyMap<IndexMetadata, readonly number[]>
  /** Shards that are searched, by index. */
  readonly shardCounts: readonly number[]
  /** `_shards` of the answer. */
  readonly shards: SearchedShards
  /** Whether others are searched beside it: then what cannot be shown is another's fault than what cannot be searched. */
  readonly isPart?: boolean
  release(): void
}

const EVERYTHING: Query = { kind: 'match_all' }

/** What a view lets any query see; undefined: everything. */
export function limitOf(view: SearchView): Query | undefined {
  const limit = view.limit(EVERYTHING)
  return limit === EVERYTHING ? undefined : limit
}

/** The shard that a document is in, by index of its searcher. */
export type DocumentShard = (searcher: number, document: StoredDocument) => number

/** As the real servers number the shards of a view's indices. */
export function shardOfDocuments({ indices }: SearchView, engineVersion: EngineVersion): DocumentShard {
  return (searcher, { id, routing }) => shardOf(indices[searcher] as IndexMetadata, engineVersion, routing ?? id)
}

/** A slice of what a view shows, as a search takes it. */
export function sliceOf(view: SearchView, slice: Omit<Slice, 'shards'> | undefined): { readonly slice?: Slice } {
  if (slice === undefined) return {}
  return { slice: { ...slice, shards: view.indices.map((index) => view.routedShards.get(index)) } }
}

/** `_shards` of an answer. */
export interface SearchedShards {
  readonly [member: string]: Json
  readonly total: number
  readonly successful: number
  readonly skipped: number
  readonly failed: number
}

/** A bool query of the clauses given. */
export function bool(clauses: {
  readonly must?: readonly Query[]
  readonly should?: readonly Query[]
  readonly filter?: readonly Query[]
  readonly ofIndex?: string
}): Query {
  return { kind: 'bool', must: [], should: [], filter: [], mustNot: [], adjustPureNegative: true, ...clauses }
}
