/** Something that cannot be done to users, roles and keys as they are. */
export class IdentityError extends Error {
  override readonly name: string = 'IdentityError'
}

/** A name or path that nothing can have. */
export class InvalidNameError extends IdentityError {
  override readonly name = 'InvalidNameError'
}

/** IAM's rule for names of users and roles. */
export const IDENTITY_NAME = /^[\w+=,.@-]{1,64}$/
/** {@link IDENTITY_NAME} in words. */
export const IDENTITY_NAME_RULE = '1 to 64 letters, digits and + = , . @ _ -'

/** @throws {InvalidNameError} for a name that {@link IDENTITY_NAME} does not take */
export function checkIdentityName(kind: string, name: string): void {
  if (!IDENTITY_NAME.test(name)) {
    throw new InvalidNameError(`[${name}] cannot name a ${kind}: ${IDENTITY_NAME_RULE}`)
  }
}

/** IAM's rule for paths: `/` or `/staff/`. @throws {InvalidNameError} */
export function checkIdentityPath(path: string): void {
  if (!/^\/(?:[\w+=,.@-]+\/)*$/.test(path) || path.length > 512) {
    throw new InvalidNameError(`[${path}] is no path: it begins and ends with /`)
  }
}
