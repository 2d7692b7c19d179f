/** A command line that cannot be carried out as it stands: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
