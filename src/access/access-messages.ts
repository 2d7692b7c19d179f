import { AccessDenial } from './access-denial.ts'

/** Letters as ids of keys have them; in a secret key some are small. */
const KEY_ID = /^[0-9A-Z]+$/

/** Real wording of the signature errors. Authentication failures say `message`, the policy's say `Message`. */

/** A signature that cannot stand; `fault` is the log's short name of what failed. */
export function signatureDenial(
  message: string,
  fault: string,
  fields: Readonly<Record<string, unknown>> = {},
): AccessDenial {
  const { accessKeyId } = fields
  // Who takes one for the other sends the secret where the id belongs: not into the log.
  const isKeyId = accessKeyId === undefined || KEY_ID.test(String(accessKeyId))
  return new AccessDenial(403, { message }, `signature: ${fault}`, {
    fault,
    ...fields,
    ...(isKeyId ? {} : { accessKeyId: '…' }),
  })
}

/** The signature is not the one the request should have. */
export const MISMATCH =
  'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key ' +
  'and signing method. Consult the service documentation for details.'

/** Unknown access key, a token that does not belong to the key, or a key switched off. */
export const INVALID_TOKEN = 'The security token included in the request is invalid'

/** Temporary credentials whose time is over. */
export const EXPIRED_TOKEN = 'The security token included in the request is expired'
