/** Thrown by a replica asked for what only the engine it follows can do or knows: the whole request belongs there. */
export class ElsewhereError extends Error {
  override readonly name = 'ElsewhereError'
}
