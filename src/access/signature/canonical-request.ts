import { awsEncode } from './aws-encode.ts'

/** SHA-256 of nothing, in hexadecimal: the payload hash of a request without a body. */
export const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** The one algorithm of Signature Version 4 there is. */
export const ALGORITHM = 'AWS4-HMAC-SHA256'

/**
 * The canonical URI: `.`, `..` and empty segments resolved, then every segment encoded once more (a `%` of the wire
 * becomes `%25`). A final slash stays.
 *
 * @param rawPath  as on the wire, without the query
 * @source         AWS, «Create a signed AWS API request», the rule for every service but S3
 */
export function canonicalUri(rawPath: string): string {
  if (isCanonical(rawPath)) return rawPath
  const resolved: string[] = []
  const segments = rawPath.split('/')
  for (const segment of segments) {
    if (segment === '' || segment === '.') continue
    if (segment === '..') resolved.pop()
    else resolved.push(awsEncode(segment))
  }
  if (resolved.length === 0) return '/'
  const last = segments[segments.length - 1]
  return `/${resolved.join('/')}${last === '' || last === '.' || last === '..' ? '/' : ''}`
}

/** Most paths are: `/books/_doc/1`. */
function isCanonical(rawPath: string): boolean {
  return /^\/[A-Za-z0-9\-._~/]*$/.test(rawPath) && !rawPath.includes('//') && !rawPath.includes('/.')
}

/**
 * A header value as it is signed: trimmed, runs of blanks (and the breaks of a folded line) as one.
 */
export function canonicalHeaderValue(value: string): string {
  // Blanks of HTTP alone: bytes of UTF-8 reach us one by one, and 0xa0 among them would be white space elsewhere.
  let afterBlank = true
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    if (code > BLANK) afterBlank = false
    else if (afterBlank || code !== BLANK) return value.replace(/[ \t\r\n]+/g, ' ').replace(/^ | $/g, '')
    else afterBlank = true
  }
  return afterBlank ? value.slice(0, -1) : value
}

const BLANK = 0x20

/** The text whose hash is signed. */
export function canonicalRequest(parts: {
  readonly method: string
  readonly uri: string
  readonly query: string
  /** `name:value\n` of every signed header, sorted by name. */
  readonly headers: string
  /** Names joined by `;`. */
  readonly signedHeaders: string
  readonly payloadHash: string
}): string {
  return `${parts.method}\n${parts.uri}\n${parts.query}\n${parts.headers}\n${parts.signedHeaders}\n${parts.payloadHash}`
}

/** The text the signing key is applied to. `scope` is `<day>/<region>/<service>/aws4_request`. */
export function stringToSign(date: string, scope: string, canonicalRequestHash: string): string {
  return `${ALGORITHM}\n${date}\n${scope}\n${canonicalRequestHash}`
}

/** `20260115T120000Z`. */
export function amzDate(date: Date): string {
  return date.toISOString().replace(/[-:]|\.\d+/g, '')
}
