import type { IncomingMessage } from 'node:http'
import type { Entry } from '../access/door.ts'
import type { AbortFlag, BackendRequest } from '../backend.ts'

/** What is known of a request when it goes to the backend. */
export interface WireRequestParts {
  readonly message: IncomingMessage
  readonly segments: readonly string[]
  readonly query: ReadonlyMap<string, string>
  readonly body: Buffer
  readonly entry: Entry
}

/** A request past the door. A class, so that what most handlers never ask for (the headers as an object) is made on demand. */
export class WireRequest implements BackendRequest {
  readonly method: string
  readonly segments: readonly string[]
  readonly rawTarget: string
  readonly query: ReadonlyMap<string, string>
  readonly body: Buffer
  readonly #message: IncomingMessage
  readonly #entry: Entry
  readonly signal: AbortFlag & { aborted: boolean } = {
    aborted: false,
    onAbort: undefined,
    until: Number.POSITIVE_INFINITY,
  }

  constructor(parts: WireRequestParts) {
    this.method = parts.message.method as string
    this.rawTarget = parts.message.url as string
    this.segments = parts.segments
    this.query = parts.query
    this.body = parts.body
    this.#message = parts.message
    this.#entry = parts.entry
  }

  get headers(): Readonly<Record<string, string | undefined>> {
    // Arrays come of set-cookie alone, which no request carries in earnest.
    return this.#message.headers as Readonly<Record<string, string | undefined>>
  }

  get caller(): string {
    return this.#entry.caller.arn
  }

  authorize(indices: readonly string[], api: string, method?: string): void {
    this.#entry.authorize(indices, api, method)
  }

  authorizeDomain(method?: string, prefix?: string): void {
    this.#entry.authorizeDomain(method, prefix)
  }

  /** Tells the backend that nobody waits for the answer any more. */
  abort(): void {
    this.signal.aborted = true
    this.signal.onAbort?.()
  }
}
