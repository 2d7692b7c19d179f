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
  /** SHA-256 of the body as received, in hexadecimal; where nothing is signed it may be missing (`''`). */
  readonly bodySha256: string
}

/** A request past the door. A class, so that what most handlers never ask for (the headers as an object) is made on demand. */
export class WireRequest implements BackendRequest {
  readonly method: string
  readonly segments: readonly string[]
  readonly rawTarget: string
  readonly query: ReadonlyMap<string, string>
  readonly body: Buffer
  readonly bodySha256: string
  readonly #message: IncomingMessage
  readonly #entry: Entry
  readonly signal: AbortFlag & { aborted: boolean } = { aborted: false }
  /** Called when the client hangs up, for whoever cannot look at `signal`. */
  onAbort: (() => void) | undefined

  constructor(parts: WireRequestParts) {
    this.method = parts.message.method as string
    this.rawTarget = parts.message.url as string
    this.segments = parts.segments
    this.query = parts.query
    this.body = parts.body
    this.bodySha256 = parts.bodySha256
    this.#message = parts.message
    this.#entry = parts.entry
  }

  get headers(): Readonly<Record<string, string | undefined>> {
    // Arrays come of set-cookie alone, which no request carries in earnest.
    return this.#message.headers as Readonly<Record<string, string | undefined>>
  }

  /** Names and values by turns, as received, with what signs the request: for the door alone. */
  get rawHeaders(): readonly string[] {
    return this.#message.rawHeaders
  }

  /** Of the peer, or of the client a trusted proxy names. */
  get sourceIp(): string {
    return this.#entry.sourceIp
  }

  authorize(indices: readonly string[], api: string, method?: string): void {
    this.#entry.authorize(indices, api, method)
  }

  /** Tells the backend that nobody waits for the answer any more. */
  abort(): void {
    this.signal.aborted = true
    this.onAbort?.()
    this.signal.onAbort?.()
  }
}
