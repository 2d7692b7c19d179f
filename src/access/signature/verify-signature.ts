import { EXPIRED_TOKEN, INVALID_TOKEN, MISMATCH, signatureDenial } from '../access-messages.ts'
import type { AccessKey, FindAccessKey } from '../identity/access-key.ts'
import { canonicalQuery, QUERY_READINGS, type QueryReading } from './canonical-query.ts'
import { amzDate, canonicalHeaderValue, canonicalRequest, canonicalUri, stringToSign } from './canonical-request.ts'
import { explainMismatch } from './explain-mismatch.ts'
import { HmacSha256 } from './hmac-sha256.ts'
import { nodeHash } from './node-hash.ts'
import { type SignatureClaim, SignatureClaimReader } from './signature-claim.ts'
import type { SignedRequest } from './signed-request.ts'

/** How strictly signatures are read. */
export interface VerifierOptions {
  readonly region: string
  /** `es`. */
  readonly service: string
  /** True: the specification's canonical query and the received Host only. */
  readonly strict: boolean
  /** True: refusals show the canonical request. */
  readonly explain: boolean
  /** Names the domain is also reached by, tried for the signed Host when the received one does not verify. */
  readonly endpoints: readonly string[]
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** A claim that held as far as can be told without the body. */
export interface PendingVerification {
  readonly claim: SignatureClaim
  /**
   * Verifies the signature itself.
   *
   * @param payloadHash  SHA-256 of the body as received, hexadecimal
   * @throws {AccessDenial}
   */
  finish(payloadHash: string): VerifiedSignature
}

/** A signature that holds. */
export interface VerifiedSignature {
  /** Whose key it is. */
  readonly key: AccessKey
  /** How the client reads queries, for the log. */
  readonly reading: QueryReading
}

/** Five minutes either way, as the service's own message says. */
const WINDOW_MS = 300_000

/** At most this many derived keys are remembered; a day has one per access key. */
const MAX_SIGNING_KEYS = 1000

/** Verifies SigV4 signatures over requests exactly as received. */
export class SignatureVerifier {
  readonly #options: VerifierOptions
  readonly #findKey: FindAccessKey
  readonly #claims = new SignatureClaimReader()
  /** By access key and day. Dropped when identities change ({@link forgetKeys}). */
  #signingKeys = new Map<string, HmacSha256>()
  /** The one last used: most often the next one too. */
  #last: { readonly accessKeyId: string; readonly day: string; readonly key: HmacSha256 } | undefined

  constructor(options: VerifierOptions, findKey: FindAccessKey) {
    this.#options = options
    this.#findKey = findKey
  }

  /**
   * Checks all of a signature that does not need the body: form, scope, date, and that there is such a key. That an
   * unknown key is told sooner than a wrong signature gives nothing away: the service's own answers tell them apart, and
   * nobody without a key can make the domain take in and hash a large body.
   *
   * @returns undefined for a request that is not signed
   * @throws {AccessDenial}
   */
  begin(request: SignedRequest): PendingVerification | undefined {
    const claim = this.#claims.read((name) => headerValue(request.rawHeaders, name), request.rawQuery)
    if (claim === undefined) return undefined
    this.#checkScope(claim)
    this.#checkDate(claim)
    const { accessKeyId } = claim
    this.#knownKey(accessKeyId)
    // Asked again: while a body comes, which may take as long as its sender likes, a key may be taken back.
    return { claim, finish: (payloadHash) => this.#finish(request, claim, payloadHash, this.#knownKey(accessKeyId)) }
  }

  /** Forgets derived keys, after identities changed. */
  forgetKeys(): void {
    this.#signingKeys = new Map()
    this.#last = undefined
  }

  #knownKey(accessKeyId: string): AccessKey {
    const key = this.#findKey(accessKeyId)
    if (key === undefined) throw signatureDenial(INVALID_TOKEN, 'unknown access key', { accessKeyId })
    return key
  }

  #checkScope(claim: SignatureClaim): void {
    const { region, service } = this.#options
    if (claim.service !== service) {
      throw signatureDenial(`Credential should be scoped to correct service: '${service}'. `, 'wrong service', {
        accessKeyId: claim.accessKeyId,
        scope: claim.scope,
      })
    }
    if (claim.region !== region) {
      throw signatureDenial(`Credential should be scoped to a valid region, not '${claim.region}'. `, 'wrong region', {
        accessKeyId: claim.accessKeyId,
        scope: claim.scope,
        expected: region,
      })
    }
  }

  #checkDate(claim: SignatureClaim): void {
    const now = this.#options.now()
    const { dateMs, date, accessKeyId } = claim
    const holdsMs = claim.expiresSeconds === undefined ? WINDOW_MS : claim.expiresSeconds * 1000
    if (now > dateMs + holdsMs) {
      const earliest = amzDate(new Date(now - holdsMs))
      const span = claim.expiresSeconds === undefined ? '5 min.' : `${claim.expiresSeconds} sec.`
      throw signatureDenial(
        `Signature expired: ${date} is now earlier than ${earliest} (${amzDate(new Date(now))} - ${span})`,
        'signature expired',
        { accessKeyId, behindMs: now - dateMs },
      )
    }
    if (now < dateMs - WINDOW_MS) {
      const latest = amzDate(new Date(now + WINDOW_MS))
      throw signatureDenial(
        `Signature not yet current: ${date} is still later than ${latest} (${amzDate(new Date(now))} + 5 min.)`,
        'signature not yet current',
        { accessKeyId, aheadMs: dateMs - now },
      )
    }
  }

  #finish(request: SignedRequest, claim: SignatureClaim, payloadHash: string, key: AccessKey): VerifiedSignature {
    const { accessKeyId } = claim
    const contentHash = headerValue(request.rawHeaders, 'x-amz-content-sha256')
    if (contentHash !== undefined && contentHash !== payloadHash) {
      throw signatureDenial(
        "The provided 'x-amz-content-sha256' header does not match what was computed.",
        'x-amz-content-sha256 does not fit the body',
        { accessKeyId, sent: contentHash.slice(0, 64) },
      )
    }
    const reading = this.#verifiedReading(request, claim, payloadHash, key)
    if (reading === undefined) throw this.#mismatch(request, claim, payloadHash, key)
    this.#checkToken(claim, key)
    return { key, reading }
  }

  /** The reading under which the signature holds. Others than the first are tried only when that fails. */
  #verifiedReading(
    request: SignedRequest,
    claim: SignatureClaim,
    payloadHash: string,
    key: AccessKey,
  ): QueryReading | undefined {
    const signingKey = this.#signingKey(key, claim)
    const { rawHeaders, rawQuery, method } = request
    const without = claim.form === 'query' ? ['X-Amz-Signature'] : []
    const uri = canonicalUri(request.rawPath)
    const holds = (query: string, headers: string): boolean => {
      const { signedHeadersText: signedHeaders } = claim
      const text = canonicalRequest({ method, uri, query, headers, signedHeaders, payloadHash })
      return sameText(claim.signature, signingKey.hex(stringToSign(claim.date, claim.scope, hashOfWire(text))))
    }
    const headers = canonicalHeaders(rawHeaders, claim.signedHeaders)
    const strictQuery = canonicalQuery(rawQuery, 'strict', without)
    if (holds(strictQuery, headers)) return 'strict'
    // Some signers add the token after signing: its own check follows, so that it need not be signed.
    if (claim.form === 'query' && claim.token !== undefined) {
      if (holds(canonicalQuery(rawQuery, 'strict', [...without, 'X-Amz-Security-Token']), headers)) return 'strict'
    }
    if (this.#options.strict) return undefined
    const hosts = [headers, ...this.#otherHosts(rawHeaders, claim)]
    const tried = new Set([`${strictQuery}\n${headers}`])
    for (const reading of QUERY_READINGS) {
      const query = canonicalQuery(rawQuery, reading, without)
      for (const variant of hosts) {
        const text = `${query}\n${variant}`
        if (tried.has(text)) continue
        tried.add(text)
        if (holds(query, variant)) return reading
      }
    }
    return undefined
  }

  /** The signed headers with Host as old clients or a tunnel may have signed it: without its port, or the domain's own name. */
  #otherHosts(rawHeaders: readonly string[], claim: SignatureClaim): string[] {
    const host = headerValue(rawHeaders, 'host') ?? ''
    const bare = host.replace(/:\d+$/, '')
    return [bare, ...this.#options.endpoints]
      .filter((name) => name !== host && name !== '')
      .map((name) => canonicalHeaders(rawHeaders, claim.signedHeaders, name))
  }

  #checkToken(claim: SignatureClaim, key: AccessKey): void {
    const { accessKeyId, token } = claim
    if (key.tokenHash === undefined ? token !== undefined : token === undefined || !tokenFits(token, key.tokenHash)) {
      throw signatureDenial(INVALID_TOKEN, 'session token does not belong to the key', { accessKeyId })
    }
    if (key.expiresAtMs !== undefined && this.#options.now() >= key.expiresAtMs) {
      throw signatureDenial(EXPIRED_TOKEN, 'session expired', { accessKeyId })
    }
  }

  #mismatch(request: SignedRequest, claim: SignatureClaim, payloadHash: string, key: AccessKey): Error {
    const signingKey = this.#signingKey(key, claim)
    const {
      canonical: whole,
      toSign,
      hint,
    } = explainMismatch(request, claim, payloadHash, {
      headers: (host) => canonicalHeaders(request.rawHeaders, claim.signedHeaders, host),
      holds: (text) => {
        return sameText(claim.signature, signingKey.hex(stringToSign(claim.date, claim.scope, hashOfWire(text))))
      },
    })
    // Clients log what they are answered.
    const canonical = withoutToken(whole)
    const shown =
      `\n\nThe Canonical String for this request should have been\n'${canonical}'` +
      `\n\nThe String-to-Sign should have been\n'${toSign}'\n`
    const said = hint === undefined ? '' : `\n${hint.text}\n`
    const asSigned =
      hint?.canonical === undefined
        ? ''
        : `\nThe Canonical String that was signed is\n'${withoutToken(hint.canonical)}'\n`
    return signatureDenial(
      this.#options.explain ? MISMATCH + shown + asSigned + said : MISMATCH,
      'signature does not match',
      {
        accessKeyId: claim.accessKeyId,
        canonical,
        ...(hint === undefined ? {} : { hint: hint.text }),
      },
    )
  }

  #signingKey(key: AccessKey, claim: SignatureClaim): HmacSha256 {
    const { accessKeyId } = key
    const { day } = claim
    if (this.#last?.accessKeyId === accessKeyId && this.#last.day === day) return this.#last.key
    const name = `${accessKeyId}/${day}`
    const known = this.#signingKeys.get(name)
    if (known !== undefined) {
      this.#last = { accessKeyId, day, key: known }
      return known
    }
    if (this.#signingKeys.size >= MAX_SIGNING_KEYS) this.#signingKeys.clear()
    let derived: Buffer = nodeHash.hmacSha256(`AWS4${key.secretAccessKey}`, day)
    for (const part of [claim.region, claim.service, 'aws4_request']) derived = nodeHash.hmacSha256(derived, part)
    const signingKey = new HmacSha256(derived)
    this.#signingKeys.set(name, signingKey)
    return signingKey
  }
}

/** A canonical request as it may be shown. */
function withoutToken(canonical: string): string {
  return canonical.replace(/(x-amz-security-token[:=])[^\n&]*/gi, '$1…')
}

/** SHA-256 of a text of the wire: what node reads off it has a character for every byte. */
function hashOfWire(text: string): string {
  return nodeHash.sha256Hex(NOT_ASCII.test(text) ? Buffer.from(text, 'latin1') : text)
}

const NOT_ASCII = /[^\0-\x7f]/

/**
 * Compares hexadecimal SHA-256 texts in constant time; that a text has another length is no secret. Character by character
 * without an early end: timingSafeEqual would take two buffers to be filled first, which costs more than the hashing.
 */
function sameText(given: string, expected: string): boolean {
  if (given.length !== expected.length) return false
  let difference = 0
  for (let i = 0; i < expected.length; i++) difference |= given.charCodeAt(i) ^ expected.charCodeAt(i)
  return difference === 0
}

function tokenFits(token: string, hash: string): boolean {
  return sameText(nodeHash.sha256Hex(token), hash)
}

/** A header's values by its lower-cased name, each as `read` has it, joined by `,`; undefined when it was not sent. */
function headerValue(
  rawHeaders: readonly string[],
  name: string,
  read?: (value: string) => string,
): string | undefined {
  let value: string | undefined
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const candidate = rawHeaders[i] as string
    if (candidate.length !== name.length || (candidate !== name && candidate.toLowerCase() !== name)) continue
    const sent = rawHeaders[i + 1] as string
    const text = read === undefined ? sent : read(sent)
    value = value === undefined ? text : `${value},${text}`
  }
  return value
}

/** `name:value\n` of every signed header, in the order listed; a missing one is empty and will not verify. */
function canonicalHeaders(rawHeaders: readonly string[], names: readonly string[], host?: string): string {
  let text = ''
  for (const name of names) {
    const value =
      host !== undefined && name === 'host' ? host : (headerValue(rawHeaders, name, canonicalHeaderValue) ?? '')
    text += `${name}:${value}\n`
  }
  return text
}
