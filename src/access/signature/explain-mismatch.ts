import { decodeLoosely } from '../../decode-loosely.ts'
import { awsEncode } from './aws-encode.ts'
import { canonicalQuery } from './canonical-query.ts'
import { canonicalRequest, canonicalUri, EMPTY_SHA256, stringToSign } from './canonical-request.ts'
import { nodeHash } from './node-hash.ts'
import type { SignatureClaim } from './signature-claim.ts'
import type { SignedRequest } from './signed-request.ts'

/** Why a signature did not verify, as far as can be told. */
export interface MismatchExplanation {
  readonly canonical: string
  readonly toSign: string
  /** What the client did, where a known mistake gives exactly the signature it sent. */
  readonly hint: { readonly text: string; readonly canonical?: string | undefined } | undefined
}

/**
 * Looks for the known mistake that explains a signature: each is tried, and the one that yields the signature sent is
 * what the client did. Says nothing of the key, and not the signature that was expected.
 */
export function explainMismatch(
  request: SignedRequest,
  claim: SignatureClaim,
  payloadHash: string,
  tools: {
    readonly headers: (host?: string) => string
    /** Is this the canonical request the sent signature belongs to? */
    readonly holds: (canonical: string) => boolean
  },
): MismatchExplanation {
  const parts = {
    method: request.method,
    uri: canonicalUri(request.rawPath),
    query: canonicalQuery(request.rawQuery, 'strict', claim.form === 'query' ? ['X-Amz-Signature'] : []),
    headers: tools.headers(),
    signedHeaders: claim.signedHeadersText,
    payloadHash,
  }
  const canonical = canonicalRequest(parts)
  const toSign = stringToSign(claim.date, claim.scope, nodeHash.sha256Hex(canonical))
  const decodedPath = decodeLoosely(request.rawPath)
  const mistakes: readonly (readonly [string, Partial<typeof parts>])[] = [
    [
      'The client left empty and dot segments in the path it signed (the signer of aws-sdk-go does).',
      { uri: request.rawPath.split('/').map(awsEncode).join('/') },
    ],
    [
      'The client signed the path without encoding it again (curl --aws-sigv4 does: curl issue 7559).',
      { uri: request.rawPath },
    ],
    [
      'The client signed the path encoded once, as for S3; other services have it encoded a second time.',
      { uri: decodedPath.split('/').map(awsEncode).join('/') },
    ],
    ['The client signed the decoded path.', { uri: decodedPath }],
    [
      'The client left * un-encoded in the path it signed (it is %2A there).',
      { uri: parts.uri.replaceAll('%2A', '*') },
    ],
    ['The client left commas un-encoded in the path it signed.', { uri: parts.uri.replaceAll('%2C', ',') }],
    ['The client signed the query unsorted, as it stands.', { query: request.rawQuery }],
    ['The client signed no query.', { query: '' }],
    ['The client signed an empty body, or the body was changed on its way.', { payloadHash: EMPTY_SHA256 }],
    ['The client signed UNSIGNED-PAYLOAD, which is for S3 alone.', { payloadHash: 'UNSIGNED-PAYLOAD' }],
    ['The method was changed on its way (HEAD signed as GET).', { method: request.method === 'HEAD' ? 'GET' : 'HEAD' }],
    ...[443, 80, 9200, 9243, 9443].map(
      (port) =>
        [
          `The client signed a Host with port ${port}, and sent it without.`,
          { headers: tools.headers(`${bareHost(tools.headers())}:${port}`) },
        ] as const,
    ),
  ]
  for (const [text, change] of mistakes) {
    const variant = canonicalRequest({ ...parts, ...change })
    if (tools.holds(variant)) return { canonical, toSign, hint: { text, canonical: variant } }
  }
  return { canonical, toSign, hint: guess(request, claim) }
}

/** What is likely when no known mistake fits. */
function guess(request: SignedRequest, claim: SignatureClaim): { text: string } {
  const names = new Set<string>()
  for (let i = 0; i < request.rawHeaders.length; i += 2) names.add((request.rawHeaders[i] as string).toLowerCase())
  const missing = claim.signedHeaders.filter((name) => !names.has(name))
  if (missing.length > 0) return { text: `Signed headers that did not arrive: ${missing.join(', ')}.` }
  const touchy = claim.signedHeaders.filter((name) => /^(connection|accept-encoding|via|x-forwarded-)/.test(name))
  if (touchy.length > 0) return { text: `A proxy may have changed signed headers: ${touchy.join(', ')}.` }
  return { text: 'No known mistake of a client gives this signature: the secret key is probably another one.' }
}

function bareHost(headers: string): string {
  return (/(?:^|\n)host:([^\n]*)/.exec(headers)?.[1] ?? '').replace(/:\d+$/, '')
}
