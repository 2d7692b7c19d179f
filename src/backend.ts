import type { Readable } from 'node:stream'

/** Tells whether the client of a request has hung up. */
export interface AbortFlag {
  readonly aborted: boolean
  /** Called when it does, for whoever cannot look. */
  onAbort?: (() => void) | undefined
  /** A search that goes on beyond this time (as `performance.now()` tells it, ms) is given up, to be made in another thread. */
  until?: number
  /** It was given up so: who hands it on need look for an `OverrunError` only then. */
  isGivenUp?: boolean
}

/**
 * A request past the door: read whole within limits, its body inflated, its caller known and allowed.
 */
export interface BackendRequest {
  /** Upper-case method. */
  readonly method: string
  /** The path as the access policy judged it: decoded once, normalised once, split at `/`; no empty segments. */
  readonly segments: readonly string[]
  /** The path and query exactly as received, for messages that quote the URI. */
  readonly rawTarget: string
  /** Query parameters, decoded; a later duplicate wins, a key without `=` has the value `''`. */
  readonly query: ReadonlyMap<string, string>
  /** Headers, lower-cased names. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The body after any gunzip; empty when there was none. */
  readonly body: Buffer
  /** Aborted when the client hangs up. Not an AbortSignal, whose making costs more than reading most requests. */
  readonly signal: AbortFlag
  /** Who calls, an ARN or `anonymous`: for what only its maker may go on with. Absent: nobody asks. */
  readonly caller?: string
  /**
   * Judges indices named elsewhere than in the path (bodies, expanded wildcards, aliases, scroll owners).
   *
   * @param indices  concrete names the handler is about to touch
   * @param api      the path below the index the act amounts to (`_search`, `_bulk`, `_doc`, `` for the index itself)
   * @param method   the method it amounts to; the request's own when absent
   * @throws {Error} the access layer's denial, which only `http/` renders: handlers let it pass
   */
  authorize(indices: readonly string[], api: string, method?: string): void
  /**
   * Judges what names no indices one could ask about: allowed is who may do it with everything of the domain, whatever it
   * is called and whether it is there yet.
   *
   * @param method  the method it amounts to; the request's own when absent
   * @param prefix  only names that begin so
   * @throws {Error} the access layer's denial
   */
  authorizeDomain(method?: string, prefix?: string): void
}

/** The first of a header's values, of which several came one a line. */
export const firstValue = ({ headers }: BackendRequest, name: string): string | undefined =>
  headers[name]?.split('\n', 1)[0]

/** An answer: `body` is sent as it is; content-length is added where it is known. */
export interface BackendResponse {
  readonly status: number
  /** A header of several values is sent as several lines. */
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: string | Buffer | readonly Buffer[] | Readable
}

/** The bytes of a body that is no stream. */
export function bytesOf(body: string | Buffer | readonly Buffer[]): Buffer {
  if (typeof body === 'string') return Buffer.from(body)
  return Buffer.isBuffer(body) ? body : Buffer.concat(body)
}

/** What stands behind the door: the embedded engine (`rest/`) or a cluster (`cluster/`). */
export interface Backend {
  /** Answers a request; never rejects but for an access denial thrown by `authorize`, or what belongs to another thread. */
  handle(request: BackendRequest): Promise<BackendResponse>
  /** Finishes what is under way and makes everything acknowledged durable. */
  close(): Promise<void>
}
