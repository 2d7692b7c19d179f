import { signRequest } from '../access/signature/sign-request.ts'
import { webCryptoHash } from '../access/signature/web-crypto-hash.ts'
import type { WireRequest } from './connection.ts'
import type { Credentials } from './credentials.ts'

/** Headers that a browser or a proxy may set or change on the way: sent, but not signed. */
const UNSIGNED = new Set(['accept-encoding', 'accept', 'connection', 'content-length', 'user-agent'])

/**
 * Signs a request for its way over the wire, with the domain's own canonicalisation; hashes come from WebCrypto, which Node
 * and browsers both have.
 */
export async function signWireRequest(
  request: WireRequest,
  options: { readonly credentials: Credentials; readonly region: string; readonly service: string; readonly now: Date },
): Promise<WireRequest> {
  const toSign: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers)) if (!UNSIGNED.has(name)) toSign[name] = value
  const signed = await signRequest(
    { method: request.method, target: request.target, headers: toSign, body: request.body },
    options.credentials,
    {
      region: options.region,
      service: options.service,
      date: options.now,
      hash: webCryptoHash,
    },
  )
  return { ...request, headers: { ...request.headers, ...signed } }
}
