import type { MessagePort } from 'node:worker_threads'
import type { BackendResponse } from '../backend.ts'
import type { ReplicaOptions } from '../engine/replica/replica-engine.ts'
import type { ScriptCounts } from '../engine/script/script-counts.ts'
import type { RestOptions } from '../rest/rest-backend.ts'
import type { SearchCountsTaken } from '../rest/statistics/search-counters.ts'
import type { Trips } from '../rest/statistics/trips.ts'
import type { Question } from './remote-judge.ts'

/** What a search thread starts with (`workerData`). */
export interface ThreadSetup {
  readonly rest: Pick<RestOptions, 'clusterName' | 'dataDir'> & { readonly allowExplicitIndex: boolean }
  /** Where clients reach the domain: faults of shards name it. */
  readonly publishAddress: string
  readonly replica: ReplicaOptions & { readonly news: MessagePort }
  /** {@link AbortBoard}. */
  readonly aborts: SharedArrayBuffer
  /** {@link Verdicts}. */
  readonly verdicts: SharedArrayBuffer
}

/** A request that was let in, with what the REST layer asks of it. */
export interface HandedRequest {
  readonly method: string
  readonly segments: readonly string[]
  readonly rawTarget: string
  readonly query: ReadonlyMap<string, string>
  /** Those that {@link PASSED_HEADERS} names. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
  /** Whether all that was written before it can be read from the store's tables. */
  readonly isCaughtUp: boolean
}

/** Headers that the REST layer looks at. */
export const PASSED_HEADERS = ['accept', 'content-type', 'x-opaque-id'] as const

/** To a search thread. */
export type ToThread =
  | { readonly kind: 'request'; readonly id: number; readonly request: HandedRequest }
  /** Asks for what it has counted. */
  | { readonly kind: 'count'; readonly id: number }
  | { readonly kind: 'close' }

/** From a search thread. */
export type FromThread =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'answer'
      readonly id: number
      /** Of the thread's time. */
      readonly ms: number
      readonly status: number
      readonly headers: BackendResponse['headers']
      readonly body: string | Uint8Array
    }
  /** Asks whether the caller of a request may, and waits for it. */
  | ({ readonly kind: 'judge'; readonly id: number } & Question)
  /** The request has to be answered by the first thread. */
  | { readonly kind: 'elsewhere'; readonly id: number }
  | {
      readonly kind: 'counts'
      readonly id: number
      readonly searches: SearchCountsTaken
      readonly scripts: ScriptCounts
      readonly trips: ReturnType<Trips['take']>
    }
  | {
      readonly kind: 'log'
      readonly level: 'debug' | 'info' | 'warn' | 'error'
      readonly fields: object
      readonly message: string
    }
