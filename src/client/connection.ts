/** A request about to go on the wire, signed or not. */
export interface WireRequest {
  /** Upper-case. */
  readonly method: string
  /** Path and query, percent-encoded, as signed. */
  readonly target: string
  /** Lower-cased names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | undefined
}

/** An answer read to its end. */
export interface WireResponse {
  readonly status: number
  /** Lower-cased names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/**
 * What carries requests to one host. Node's is over node:https (`NodeConnection`), a browser's over `fetch`.
 */
export interface Connection {
  /**
   * Sends a request and reads the answer.
   *
   * @throws {ClientError} kind `connection` or `timeout`, never for a status
   */
  send(
    request: WireRequest,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<WireResponse>
  close(): void
}
