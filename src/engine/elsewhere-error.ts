/** Thrown by a replica asked for what only the engine it follows can do or knows: the whole request belongs there. */
export class ElsewhereError extends Error {
  override readonly name: string = 'ElsewhereError'
}

/** Thrown through a search that has held up its thread too long: it is made again in one that nobody else waits for. */
export class OverrunError extends ElsewhereError {
  override readonly name = 'OverrunError'

  /** @param signal  of the search, which is marked as given up */
  constructor(message: string, signal?: { isGivenUp?: boolean }) {
    super(message)
    if (signal !== undefined) signal.isGivenUp = true
  }
}
