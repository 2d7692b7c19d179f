import { awsEncode } from './aws-encode.ts'
import { canonicalQuery } from './canonical-query.ts'
import {
  ALGORITHM,
  amzDate,
  canonicalHeaderValue,
  canonicalRequest,
  canonicalUri,
  EMPTY_SHA256,
  stringToSign,
} from './canonical-request.ts'
import type { SigningHash } from './signing-hash.ts'

/** Keys to sign with. */
export interface SigningCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of temporary credentials; sent and signed as `x-amz-security-token`. */
  readonly sessionToken?: string | undefined
}

/** A request to be signed. */
export interface RequestToSign {
  /** Upper-case. */
  readonly method: string
  /** Path and query exactly as they will go on the wire. */
  readonly target: string
  /** `host` must be among them; every one given is signed. Names in any case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string | undefined
}

/** For whom and when a signature is made. */
export interface SigningOptions {
  readonly region: string
  /** `es` for a domain. */
  readonly service?: string | undefined
  /** Now, when absent. */
  readonly date?: Date | undefined
  readonly hash: SigningHash
}

/**
 * Signs a request in the header form of Signature Version 4.
 *
 * @returns the headers to send: those given (names lower-cased) with `x-amz-date`, `x-amz-security-token` where there is
 *          a token, and `authorization`
 */
export async function signRequest(
  request: RequestToSign,
  credentials: SigningCredentials,
  options: SigningOptions,
): Promise<Record<string, string>> {
  const date = amzDate(options.date ?? new Date())
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers)) headers[name.toLowerCase()] = value
  headers['x-amz-date'] = date
  if (credentials.sessionToken !== undefined) headers['x-amz-security-token'] = credentials.sessionToken
  const { path, query } = splitTarget(request.target)
  const { scope, signature, signedHeaders } = await signatureOf({
    method: request.method,
    path,
    query,
    headers,
    payloadHash: isEmpty(request.body) ? EMPTY_SHA256 : await options.hash.sha256Hex(request.body),
    date,
    credentials,
    options,
  })
  headers['authorization'] =
    `${ALGORITHM} Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`
  return headers
}

/**
 * Signs a request in the query form: a URL that carries its own signature. The body must be empty.
 *
 * @param expiresSeconds  how long it holds, at most 604,800
 * @returns the target to request
 */
export async function presignRequest(
  request: RequestToSign,
  credentials: SigningCredentials,
  options: SigningOptions & { readonly expiresSeconds: number },
): Promise<string> {
  const date = amzDate(options.date ?? new Date())
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers)) headers[name.toLowerCase()] = value
  const { path, query } = splitTarget(request.target)
  const scope = scopeOf(date, options)
  const parameters = [
    ...(query === '' ? [] : [query]),
    `X-Amz-Algorithm=${ALGORITHM}`,
    `X-Amz-Credential=${awsEncode(`${credentials.accessKeyId}/${scope}`)}`,
    `X-Amz-Date=${date}`,
    `X-Amz-Expires=${options.expiresSeconds}`,
    ...(credentials.sessionToken === undefined ? [] : [`X-Amz-Security-Token=${awsEncode(credentials.sessionToken)}`]),
    `X-Amz-SignedHeaders=${awsEncode(Object.keys(headers).sort().join(';'))}`,
  ].join('&')
  const { signature } = await signatureOf({
    method: request.method,
    path,
    query: parameters,
    headers,
    payloadHash: EMPTY_SHA256,
    date,
    credentials,
    options,
  })
  return `${path}?${parameters}&X-Amz-Signature=${signature}`
}

/** The key signatures of one day, region and service are made with. */
async function signingKey(
  secretAccessKey: string,
  day: string,
  region: string,
  service: string,
  hash: SigningHash,
): Promise<Uint8Array> {
  const ofDay = await hash.hmacSha256(`AWS4${secretAccessKey}`, day)
  const ofRegion = await hash.hmacSha256(ofDay, region)
  const ofService = await hash.hmacSha256(ofRegion, service)
  return await hash.hmacSha256(ofService, 'aws4_request')
}

async function signatureOf(parts: {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly payloadHash: string
  readonly date: string
  readonly credentials: SigningCredentials
  readonly options: SigningOptions
}): Promise<{ scope: string; signature: string; signedHeaders: string }> {
  const { date, options, credentials } = parts
  const names = Object.keys(parts.headers).sort()
  const signedHeaders = names.join(';')
  const text = canonicalRequest({
    method: parts.method,
    uri: canonicalUri(parts.path),
    query: canonicalQuery(parts.query),
    headers: names.map((name) => `${name}:${canonicalHeaderValue(parts.headers[name] as string)}\n`).join(''),
    signedHeaders,
    payloadHash: parts.payloadHash,
  })
  const scope = scopeOf(date, options)
  const key = await signingKey(
    credentials.secretAccessKey,
    date.slice(0, 8),
    options.region,
    options.service ?? 'es',
    options.hash,
  )
  const signature = await options.hash.hmacSha256(key, stringToSign(date, scope, await options.hash.sha256Hex(text)))
  let hex = ''
  for (const byte of signature) hex += byte.toString(16).padStart(2, '0')
  return { scope, signature: hex, signedHeaders }
}

function scopeOf(date: string, options: SigningOptions): string {
  return `${date.slice(0, 8)}/${options.region}/${options.service ?? 'es'}/aws4_request`
}

function splitTarget(target: string): { path: string; query: string } {
  const at = target.indexOf('?')
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at + 1) }
}

function isEmpty(body: Uint8Array | string | undefined): body is undefined {
  return body === undefined || body.length === 0
}
