/** The parts of a request a signature covers. */
export interface SignedRequest {
  readonly method: string
  readonly rawPath: string
  readonly rawQuery: string
  /** Names and values by turns, as received. */
  readonly rawHeaders: readonly string[]
}
