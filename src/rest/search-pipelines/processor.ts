import type { ProcessorConfig } from '../ingest/processor-config.ts'
import type { Json } from '../json/json-writer.ts'
import type { QueryContext } from '../query-dsl/query-reader.ts'
import type { SearchBody } from '../search/search-body.ts'

/** What a search carries from one processor to the other, by name. */
export type SearchState = Map<string, number> & {
  /** Field by whose values its hits were collapsed. */
  collapsedBy?: string
}

/** What of a search may be changed on its way to the shards. */
export interface PipedRequest extends Pick<SearchBody, 'query' | 'hasQuery'> {
  /** What was said of it; -1: nothing. */
  readonly size: number
  readonly members: PipedMembers
  /** The query as it is told, where it is told what becomes of it; `json` undefined: there is none. */
  readonly told?: { readonly json: Json | undefined } | undefined
}

/** Further members that scripts may change; those of nothing said are absent. */
export interface PipedMembers {
  readonly from?: number
  readonly explain?: boolean
  readonly version?: boolean
  readonly seq_no_primary_term?: boolean
  readonly track_scores?: boolean
  readonly track_total_hits?: number
  readonly min_score?: number
  readonly terminate_after?: number
  readonly profile?: boolean
}

/** A hit as it is answered, numbers with their digits. */
export type PipedHit = Record<string, unknown>

/** Changes a search. @throws {ServiceError} */
export type RequestProcessor = (request: PipedRequest, state: SearchState, queries: QueryContext) => PipedRequest

/** Changes what was found. @throws {ServiceError} */
export type ResponseProcessor = (hits: readonly PipedHit[], state: SearchState) => readonly PipedHit[]

/** Makes a processor of its configuration. @throws {ServiceError} parse_exception, illegal_argument_exception */
export type ProcessorFactory<T> = (config: ProcessorConfig, queries: QueryContext) => T
