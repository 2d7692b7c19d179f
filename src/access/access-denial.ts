/**
 * A refusal at the domain's edge: of a signature (`message`) or by the policy (`Message`), in the real service's words.
 * `http/` sends it; nothing between may swallow it.
 */
export class AccessDenial extends Error {
  override readonly name = 'AccessDenial'
  readonly status: number
  /** JSON text to answer with. */
  readonly body: string
  /** For the log: what exactly failed; holds no secret and no expected signature. */
  readonly fields: Readonly<Record<string, unknown>>

  constructor(
    status: number,
    body: Readonly<Record<string, unknown>>,
    reason: string,
    fields: Readonly<Record<string, unknown>> = {},
  ) {
    super(reason)
    this.status = status
    this.body = JSON.stringify(body)
    this.fields = fields
  }
}
