/** A name that cannot be one. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError'
}

/** IAM's rule for names of users and roles. */
export const IDENTITY_NAME = /^[\w+=,.@-]{1,64}$/

/** @throws {IdentityError} for a name that {@link IDENTITY_NAME} does not take */
export function checkIdentityName(kind: string, name: string): void {
  if (!IDENTITY_NAME.test(name)) {
    throw new IdentityError(`[${name}] cannot name a ${kind}: 1 to 64 letters, digits and + = , . @ _ -`)
  }
}

/** IAM's rule for paths: `/` or `/staff/`. @throws {IdentityError} */
export function checkIdentityPath(path: string): void {
  if (!/^\/(?:[\w+=,.@-]+\/)*$/.test(path) || path.length > 512) {
    throw new IdentityError(`[${path}] is no path: it begins and ends with /`)
  }
}
