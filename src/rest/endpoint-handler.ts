import type { Engine, EngineLog } from '../engine/engine.ts'
import type { WireStats } from '../wire-stats.ts'
import type { PitContexts } from './contexts/pit-contexts.ts'
import type { ScrollContexts } from './contexts/scroll-contexts.ts'
import type { EndpointRequest, EndpointResponse } from './rest-request.ts'
import type { StateVersion } from './state-version.ts'
import type { DiskUse } from './statistics/disk-operations.ts'
import type { RequestCounts } from './statistics/request-counts.ts'
import type { SearchCounters } from './statistics/search-counters.ts'
import type { Trips } from './statistics/trips.ts'
import type { TaskRegistry } from './tasks/task-registry.ts'

/** What the threads of a pool do (`_nodes/stats/thread_pool`). */
export interface ThreadPoolStats {
  readonly threads: number
  /** Threads at work. */
  readonly active: number
  /** Requests that wait for a thread. */
  readonly queue: number
  /** Requests answered. */
  readonly completed: number
}

/** What endpoints work with. */
export interface RestContext {
  readonly engine: Engine
  readonly log: EngineLog
  readonly scrolls: ScrollContexts
  /** Undefined in a search thread. */
  readonly pits: PitContexts | undefined
  readonly searches: SearchCounters
  /** Requests that this thread was given. */
  readonly requests: RequestCounts
  readonly tasks: TaskRegistry
  /** `host:port` that clients reach the domain at (`_nodes/http`). */
  readonly publishAddress: () => string
  readonly wire: () => WireStats
  readonly trips: Trips
  readonly disk: DiskUse
  readonly startedAt: number
  readonly clusterName: string
  /** Folder that holds everything. */
  readonly dataDir: string
  /** `rest.action.multi.allow_explicit_index`: may items of `_bulk`, `_mget` and `_msearch` name their index? */
  readonly allowExplicitIndex: boolean
  /** Threads that search beside the first. */
  readonly searchPool: () => ThreadPoolStats
  /** Of the cluster's state. */
  readonly stateVersion: StateVersion
  /** Identity of this run of the process. */
  readonly ephemeralId: string
}

/** Answers one endpoint. */
export type EndpointHandler = (
  request: EndpointRequest,
  context: RestContext,
) => Promise<EndpointResponse> | EndpointResponse
