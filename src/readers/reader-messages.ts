import type { MessagePort } from 'node:worker_threads'
import type { Config } from '../config.ts'
import type { GetCounts, ReplicaOptions } from '../engine/replica/replica-engine.ts'
import type { EdgeRequest } from '../http/edge-routes.ts'
import type { TlsMaterial } from '../http/local-authority.ts'
import type { SearchCountsTaken } from '../rest/statistics/search-counters.ts'

/** What a reader thread starts with (`workerData`). */
export interface ReaderSetup {
  readonly config: Config
  readonly publishAddress: string
  readonly replica: ReplicaOptions & { readonly news: MessagePort }
  /** Duplicate of the listening socket's file descriptor, the thread's own. */
  readonly listenFd: number
  readonly tls: TlsMaterial | undefined
  readonly ticketKeys: Buffer | undefined
  /** `HttpServer.inFlight` of the writer's. */
  readonly inFlight: SharedArrayBuffer
  /** {@link ThreadBoard.shared}. */
  readonly board: SharedArrayBuffer
  /** Its place on the board. */
  readonly place: number
}

/** A request that only the writer can answer: as much of it as its door and its backend ask for. */
export interface ForwardedRequest {
  readonly method: string
  /** Path and query as received. */
  readonly rawTarget: string
  /** Names and values by turns, as received. */
  readonly rawHeaders: readonly string[]
  /** Without what signs the request. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Decoded parameters. */
  readonly query: ReadonlyMap<string, string>
  readonly sourceIp: string
  readonly body: Uint8Array
  /** Of the body as received. */
  readonly bodySha256: string
}

/** An answer on its way to the thread that has the client. */
export type ForwardedAnswer =
  | {
      readonly kind: 'response'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly body: string | Uint8Array
    }
  | {
      readonly kind: 'denial'
      readonly status: number
      /** JSON text. */
      readonly body: string
      readonly reason: string
      readonly fields: Readonly<Record<string, unknown>>
    }
  | { readonly kind: 'failure'; readonly message: string }

/** From the writer to a reader. */
export type ToReader =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: ForwardedAnswer }
  | { readonly kind: 'tls'; readonly tls: TlsMaterial }
  | { readonly kind: 'count'; readonly id: number }
  | { readonly kind: 'close'; readonly graceMs: number }

/** From a reader to the writer. */
export type FromReader =
  | { readonly kind: 'ready' }
  | { readonly kind: 'request'; readonly id: number; readonly request: ForwardedRequest }
  | { readonly kind: 'edge'; readonly id: number; readonly request: EdgeRequest }
  /** The client has hung up. */
  | { readonly kind: 'aborted'; readonly id: number }
  | {
      readonly kind: 'counts'
      readonly id: number
      readonly searches: SearchCountsTaken
      readonly gets: ReadonlyMap<string, GetCounts>
    }
  | {
      readonly kind: 'log'
      readonly level: 'debug' | 'info' | 'warn' | 'error'
      readonly fields: object
      readonly message: string
    }
