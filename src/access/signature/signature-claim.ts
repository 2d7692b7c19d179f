import { decodeLoosely } from '../../decode-loosely.ts'
import { signatureDenial } from '../access-messages.ts'
import { ALGORITHM } from './canonical-request.ts'

/** What a request says of its signature, well-formed but not verified. */
export interface SignatureClaim {
  readonly form: 'header' | 'query'
  readonly accessKeyId: string
  readonly day: string
  readonly region: string
  readonly service: string
  /** `day/region/service/aws4_request`. */
  readonly scope: string
  /** Lower-cased names in the order given, `host` among them. */
  readonly signedHeaders: readonly string[]
  readonly signedHeadersText: string
  readonly signature: string
  /** `20260115T120000Z`. */
  readonly date: string
  readonly dateMs: number
  /** How long a presigned request holds; undefined in the header form. */
  readonly expiresSeconds: number | undefined
  readonly token: string | undefined
}

/** What a client says anew with every request but for the signature and the moment: read once. */
type CredentialScope = Pick<
  SignatureClaim,
  'accessKeyId' | 'day' | 'region' | 'service' | 'scope' | 'signedHeaders' | 'signedHeadersText'
>

/** At most this many are remembered. */
const MAX_SCOPES = 1000

/** Reads signatures. An object, since clients send the same credential and list of headers a thousand times over. */
export class SignatureClaimReader {
  /** By what stands before the signature in the Authorization header. */
  readonly #scopes = new Map<string, CredentialScope>()
  /** The one last read and its text: comparing the beginning is cheaper than looking a long text up. */
  #prefix = ''
  #scope: CredentialScope | undefined
  #date = ''
  #dateMs = Number.NaN

  /** {@link readSignatureClaim}. @throws {AccessDenial} */
  read(header: (name: string) => string | undefined, rawQuery: string): SignatureClaim | undefined {
    const authorization = header('authorization')
    const date = authorization === undefined ? undefined : header('x-amz-date')
    if (authorization === undefined || date === undefined) return readSignatureClaim(header, rawQuery)
    const prefixLength = authorization.length - SIGNATURE_LENGTH
    const known = this.#find(authorization, prefixLength)
    if (known === undefined || rawQuery.includes('X-Amz-') || !date.startsWith(known.day)) {
      const claim = readSignatureClaim(header, rawQuery)
      if (claim?.form === 'header') this.#remember(authorization.slice(0, prefixLength), claim)
      return claim
    }
    if (date !== this.#date) {
      this.#dateMs = parseAmzDate(date)
      this.#date = date
    }
    if (Number.isNaN(this.#dateMs)) return readSignatureClaim(header, rawQuery)
    return {
      form: 'header',
      accessKeyId: known.accessKeyId,
      day: known.day,
      region: known.region,
      service: known.service,
      scope: known.scope,
      signedHeaders: known.signedHeaders,
      signedHeadersText: known.signedHeadersText,
      signature: authorization.slice(prefixLength),
      date,
      dateMs: this.#dateMs,
      expiresSeconds: undefined,
      token: header('x-amz-security-token'),
    }
  }

  #find(authorization: string, prefixLength: number): CredentialScope | undefined {
    const prefix = authorization.slice(0, Math.max(prefixLength, 0))
    if (prefix === this.#prefix) return this.#scope
    const known = this.#scopes.get(prefix)
    if (known !== undefined) {
      this.#prefix = prefix
      this.#scope = known
    }
    return known
  }

  #remember(prefix: string, claim: SignatureClaim): void {
    // Only what has the usual form, so that nothing in it is overlooked the next time.
    if (prefix.length > MAX_REMEMBERED_LENGTH || !USUAL_FORM.test(prefix)) return
    if (this.#scopes.size >= MAX_SCOPES) this.#scopes.clear()
    this.#scopes.set(prefix, claim)
  }
}

/** In hexadecimal. */
const SIGNATURE_LENGTH = 64
/** What stands before the signature when that comes last, as every signer has it. */
const USUAL_FORM = /^AWS4-HMAC-SHA256 Credential=[\w/-]+, SignedHeaders=[a-z0-9;-]+, Signature=$/
const MAX_REMEMBERED_LENGTH = 1024

/** Longer ones are refused unread. */
const MAX_AUTHORIZATION_LENGTH = 8192

/** A presigned request holds this long when it does not say (aws4 does not, for es). */
const DEFAULT_EXPIRES_SECONDS = 300

/** A week, the specification's longest. */
const MAX_EXPIRES_SECONDS = 604_800

/**
 * Reads the signature of a request, in its header or query form.
 *
 * @param header  value of a header by its lower-cased name; several are joined by `,`
 * @returns       undefined when the request is not signed
 * @throws {AccessDenial} in the real service's words when what is there is no signature
 */
export function readSignatureClaim(
  header: (name: string) => string | undefined,
  rawQuery: string,
): SignatureClaim | undefined {
  const authorization = header('authorization')
  const query = rawQuery.includes('X-Amz-') ? presignParameters(rawQuery) : undefined
  const presigned = query !== undefined && (query.has('X-Amz-Signature') || query.has('X-Amz-Algorithm'))
  if (authorization === undefined) return presigned ? fromQuery(query) : undefined
  if (presigned) {
    throw signatureDenial(
      'Only one authentication mechanism allowed: the X-Amz-Algorithm query parameter or the Authorization header.',
      'header and query signature together',
    )
  }
  return fromHeader(authorization, header)
}

function fromHeader(authorization: string, header: (name: string) => string | undefined): SignatureClaim {
  if (authorization.length > MAX_AUTHORIZATION_LENGTH) {
    throw signatureDenial('Authorization header is too long.', 'authorization header too long')
  }
  const blank = authorization.indexOf(' ')
  const algorithm = blank < 0 ? authorization : authorization.slice(0, blank)
  let credential: string | undefined
  let signedHeaders: string | undefined
  let signature: string | undefined
  for (const part of blank < 0 ? [] : authorization.slice(blank + 1).split(',')) {
    const text = part.trim()
    const at = text.indexOf('=')
    if (at < 0) {
      throw signatureDenial(
        `'${text}' not a valid key=value pair (missing equal-sign) in Authorization header: '${authorization}'.`,
        'authorization is no AWS signature',
      )
    }
    const name = text.slice(0, at)
    const value = text.slice(at + 1)
    if (name === 'Credential') credential = value
    else if (name === 'SignedHeaders') signedHeaders = value
    else if (name === 'Signature') signature = value
  }
  const date = header('x-amz-date') ?? dateOfHeader(header('date'))
  if (!credential || !signedHeaders || !signature || date === undefined) {
    const missing: string[] = []
    if (!credential) missing.push("Authorization header requires 'Credential' parameter.")
    if (!signature) missing.push("Authorization header requires 'Signature' parameter.")
    if (!signedHeaders) missing.push("Authorization header requires 'SignedHeaders' parameter.")
    if (date === undefined) {
      missing.push("Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header.")
    }
    throw signatureDenial(`${missing.join(' ')} Authorization=${authorization}`, 'incomplete authorization header')
  }
  if (algorithm !== ALGORITHM) {
    throw signatureDenial(`Unsupported AWS 'algorithm': '${algorithm}'.`, 'unsupported algorithm')
  }
  return claim({
    form: 'header',
    credential,
    signedHeaders,
    signature,
    date,
    expiresSeconds: undefined,
    token: header('x-amz-security-token'),
  })
}

function fromQuery(query: ReadonlyMap<string, string>): SignatureClaim {
  const algorithm = query.get('X-Amz-Algorithm')
  const credential = query.get('X-Amz-Credential')
  const signedHeaders = query.get('X-Amz-SignedHeaders')
  const signature = query.get('X-Amz-Signature')
  const date = query.get('X-Amz-Date')
  const missing = [
    ...(algorithm ? [] : ['X-Amz-Algorithm']),
    ...(credential ? [] : ['X-Amz-Credential']),
    ...(signature ? [] : ['X-Amz-Signature']),
    ...(signedHeaders ? [] : ['X-Amz-SignedHeaders']),
    ...(date ? [] : ['X-Amz-Date']),
  ]
  if (!algorithm || !credential || !signedHeaders || !signature || !date) {
    const text = missing.map((name) => `AWS query-string parameters must include '${name}'.`).join(' ')
    throw signatureDenial(`${text} Re-examine the query-string parameters.`, 'incomplete query signature')
  }
  if (algorithm !== ALGORITHM) {
    throw signatureDenial(`Unsupported AWS 'algorithm': '${algorithm}'.`, 'unsupported algorithm')
  }
  const expires = query.get('X-Amz-Expires')
  const expiresSeconds = expires === undefined ? DEFAULT_EXPIRES_SECONDS : Number(expires)
  if (expires !== undefined && !(/^\d{1,6}$/.test(expires) && expiresSeconds <= MAX_EXPIRES_SECONDS)) {
    throw signatureDenial(
      `X-Amz-Expires must be a number of seconds from 0 to ${MAX_EXPIRES_SECONDS}.`,
      'X-Amz-Expires out of range',
    )
  }
  const token = query.get('X-Amz-Security-Token')
  return claim({ form: 'query', credential, signedHeaders, signature, date, expiresSeconds, token })
}

function claim(parts: {
  readonly form: 'header' | 'query'
  readonly credential: string
  readonly signedHeaders: string
  readonly signature: string
  readonly date: string
  readonly expiresSeconds: number | undefined
  readonly token: string | undefined
}): SignatureClaim {
  const { credential, date } = parts
  const elements = credential.split('/')
  const [accessKeyId, day, region, service, terminator] = elements
  if (elements.length !== 5 || !accessKeyId || !day || !region || !service || !terminator) {
    throw signatureDenial(
      `Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '${credential}'`,
      'malformed credential',
    )
  }
  const dateMs = parseAmzDate(date)
  if (Number.isNaN(dateMs)) {
    throw signatureDenial(
      `Date must be in ISO-8601 'basic format'. Got '${date}'. See http://en.wikipedia.org/wiki/ISO_8601`,
      'malformed date',
    )
  }
  if (day !== date.slice(0, 8)) {
    throw signatureDenial(
      `Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '${day}' != ` +
        `'${date.slice(0, 8)}', from '${date}'.`,
      'day of the scope differs from the date',
    )
  }
  if (terminator !== 'aws4_request') {
    throw signatureDenial(
      `Credential should be scoped with a valid terminator: 'aws4_request', not '${terminator}'. `,
      'wrong terminator',
    )
  }
  const signedHeaders = parts.signedHeaders.split(';')
  if (!signedHeaders.includes('host')) {
    throw signatureDenial(
      "'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.",
      'host is not signed',
    )
  }
  return {
    form: parts.form,
    accessKeyId,
    day,
    region,
    service,
    scope: credential.slice(accessKeyId.length + 1),
    signedHeaders,
    signedHeadersText: parts.signedHeaders,
    signature: parts.signature,
    date,
    dateMs,
    expiresSeconds: parts.expiresSeconds,
    token: parts.token,
  }
}

/** Milliseconds of `20260115T120000Z`; NaN for anything else, a month 13 included. */
export function parseAmzDate(text: string): number {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text)
  if (match === null) return Number.NaN
  const [, year, month, day, hour, minute, second] = match
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

/** The same instant of a `Date` header (RFC 9110, or already basic ISO 8601) in the form signatures use. */
function dateOfHeader(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  if (/^\d{8}T\d{6}Z$/.test(value)) return value
  const ms = Date.parse(value)
  return Number.isNaN(ms) ? value : new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')
}

/** The `X-Amz-…` parameters, decoded; the first of a name counts, a second one spoils it. */
function presignParameters(rawQuery: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const pair of rawQuery.split('&')) {
    if (!pair.startsWith('X-Amz-')) continue
    const at = pair.indexOf('=')
    const name = at < 0 ? pair : pair.slice(0, at)
    // With a broken escape it will not verify.
    const value = at < 0 ? '' : decodeLoosely(pair.slice(at + 1))
    if (found.has(name)) throw signatureDenial(`Duplicate query parameter '${name}'.`, 'query parameter twice')
    found.set(name, value)
  }
  return found
}
