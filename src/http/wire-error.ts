/** An error `http/` itself answers with: a request that is none, or breaks a limit. */
export class WireError extends Error {
  override readonly name = 'WireError'
  readonly status: number
  /** JSON text. */
  readonly body: string

  constructor(status: number, body: string, reason: string) {
    super(reason)
    this.status = status
    this.body = body
  }

  /** An error in the real server's form. `cause` becomes `caused_by`. */
  static of(
    status: number,
    type: string,
    reason: string,
    more: Readonly<Record<string, unknown>> & {
      readonly cause?: { readonly type: string; readonly reason: string }
    } = {},
  ): WireError {
    const { cause, ...metadata } = more
    const error = { type, reason, ...metadata }
    const body = { root_cause: [error], ...error, ...(cause === undefined ? {} : { caused_by: cause }) }
    return new WireError(status, JSON.stringify({ error: body, status }), reason)
  }

  /** An error whose `error` member is a plain string, as routing answers. */
  static plain(status: number, reason: string): WireError {
    return new WireError(status, JSON.stringify({ error: reason, status }), reason)
  }

  /** An error in the domain edge's form, `{"Message": …}`. */
  static edge(status: number, reason: string): WireError {
    return new WireError(status, JSON.stringify({ Message: reason }), reason)
  }
}
