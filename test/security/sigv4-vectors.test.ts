import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AccessKey } from '../../src/access/identity/access-key.ts'
import { canonicalQuery } from '../../src/access/signature/canonical-query.ts'
import { nodeHash } from '../../src/access/signature/node-hash.ts'
import { signRequest } from '../../src/access/signature/sign-request.ts'
import { parseAmzDate } from '../../src/access/signature/signature-claim.ts'
import { SignatureVerifier } from '../../src/access/signature/verify-signature.ts'

/** A signed request as the vector files have it. */
interface WireRequest {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

interface Vector {
  readonly name: string
  readonly form: 'header' | 'query'
  readonly request: WireRequest
  readonly credentials: {
    readonly accessKeyId: string
    readonly secretAccessKey: string
    readonly sessionToken?: string
  }
  readonly date: string
  readonly region: string
  readonly service: string
  readonly options?: { readonly normalizePath: boolean; readonly signBody: boolean }
  readonly expected: {
    readonly signature: string
    readonly canonicalRequest: string
    readonly signedRequest: WireRequest
  }
}

interface Check {
  readonly name: string
  readonly signedRequest: WireRequest
  readonly authorizationRepeat?: { readonly prefix: string; readonly unit: string; readonly times: number }
  readonly now: string
  readonly expect: 'accept' | 'reject' | 'anonymous'
  readonly orExpect?: string
  readonly why: string
}

const folder = join(import.meta.dirname, '../../../shared/security')
const available = existsSync(folder)
if (!available) console.log('skipped: SigV4 vectors need ../shared/security')

function read(file: string) {
  return available ? JSON.parse(readFileSync(join(folder, file), 'utf8')) : { vectors: [], checks: [], keys: [] }
}

const suite = read('sigv4-vectors.json') as { vectors: Vector[] }
const es = read('sigv4-es-vectors.json') as {
  vectors: Vector[]
  checks: Check[]
  keys: { accessKeyId: string; secretAccessKey: string; sessionToken?: string }[]
}

function keyOf(keys: { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined }): AccessKey {
  return {
    accessKeyId: keys.accessKeyId,
    secretAccessKey: keys.secretAccessKey,
    caller: { kind: 'user', arn: 'arn:aws:iam::111122223333:user/x' },
    tokenHash: keys.sessionToken === undefined ? undefined : nodeHash.sha256Hex(keys.sessionToken),
    expiresAtMs: undefined,
  }
}

/** `accept`, `anonymous`, or the refusal's message. */
function verify(
  request: WireRequest,
  keys: readonly AccessKey[],
  options: { region: string; service: string; nowMs: number; strict: boolean; explain?: boolean },
): string {
  const verifier = new SignatureVerifier(
    { ...options, explain: options.explain ?? false, endpoints: [], now: () => options.nowMs },
    (id) => keys.find((key) => key.accessKeyId === id),
  )
  const at = request.target.indexOf('?')
  try {
    const pending = verifier.begin({
      method: request.method,
      rawPath: at < 0 ? request.target : request.target.slice(0, at),
      rawQuery: at < 0 ? '' : request.target.slice(at + 1),
      rawHeaders: request.headers.flat(),
    })
    if (pending === undefined) return 'anonymous'
    pending.finish(nodeHash.sha256Hex(request.body))
    return 'accept'
  } catch (error) {
    return (error as Error).message
  }
}

describe.skipIf(!available)('the AWS signing test suite', () => {
  for (const vector of suite.vectors) {
    // The unnormalised cases hold S3's rule, which is not that of es: they must not verify here.
    const own = vector.options?.normalizePath !== false || vector.name.includes('get-space-unnormalized')
    it(`${own ? 'accepts' : 'refuses the S3 form of'} ${vector.name}`, () => {
      const { region, service } = vector
      const options = { region, service, nowMs: parseAmzDate(vector.date), strict: true }
      const answer = verify(vector.expected.signedRequest, [keyOf(vector.credentials)], options)
      if (own) expect(answer).toBe('accept')
      else expect(answer).toBe('signature: signature does not match')
    })
  }
})

describe.skipIf(!available)('vectors for service es', () => {
  for (const vector of es.vectors) {
    it(`accepts ${vector.name}`, () => {
      const { region, service } = vector
      const options = { region, service, nowMs: parseAmzDate(vector.date), strict: true }
      expect(verify(vector.expected.signedRequest, [keyOf(vector.credentials)], options)).toBe('accept')
    })
  }
})

describe.skipIf(!available)('requests a verifier must tell apart', () => {
  const keys = es.keys.map(keyOf)
  for (const check of es.checks) {
    it(`${check.expect}s «${check.name}»: ${check.why}`, () => {
      const repeat = check.authorizationRepeat
      const headers = check.signedRequest.headers.map(([name, value]): [string, string] => [
        name,
        value === '@repeat' && repeat !== undefined ? repeat.prefix + repeat.unit.repeat(repeat.times) : value,
      ])
      for (const strict of [true, false]) {
        for (const explain of [true, false]) {
          const options = { region: 'us-east-1', service: 'es', nowMs: Date.parse(check.now), strict, explain }
          const answer = verify({ ...check.signedRequest, headers }, keys, options)
          if (check.expect === 'reject') expect(answer).not.toMatch(/^(accept|anonymous)$/)
          else expect(answer).toBe(check.expect)
        }
      }
    })
  }
})

describe('the readings of a query', () => {
  const key = keyOf({ accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret' })

  it.each([
    ['plus-as-space', 'q=a+b'],
    ['raw', 'q=a,b&x=f:x*'],
    ['form', 'q=a%20b'],
  ] as const)('takes a query signed as %s unless it is strict', async (reading, query) => {
    // A signer that canonicalises so: what it would sign is the strict form of another wire query.
    const canonical = canonicalQuery(query, reading)
    const date = new Date('2026-01-15T12:00:00Z')
    const { createHash, createHmac } = await import('node:crypto')
    const text = `GET\n/_search\n${canonical}\nhost:h\nx-amz-date:20260115T120000Z\n\nhost;x-amz-date\n${nodeHash.sha256Hex('')}`
    const scope = '20260115/us-east-1/es/aws4_request'
    let signingKey: Buffer | string = 'AWS4secret'
    for (const part of scope.split('/')) signingKey = createHmac('sha256', signingKey).update(part).digest()
    const hash = createHash('sha256').update(text).digest('hex')
    const signature = createHmac('sha256', signingKey)
      .update(`AWS4-HMAC-SHA256\n20260115T120000Z\n${scope}\n${hash}`)
      .digest('hex')
    const request: WireRequest = {
      method: 'GET',
      target: `/_search?${query}`,
      headers: [
        ['Host', 'h'],
        ['X-Amz-Date', '20260115T120000Z'],
        [
          'Authorization',
          `AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/${scope}, SignedHeaders=host;x-amz-date, Signature=${signature}`,
        ],
      ],
      body: '',
    }
    const options = { region: 'us-east-1', service: 'es', nowMs: date.getTime() }
    expect(verify(request, [key], { ...options, strict: false })).toBe('accept')
    expect(verify(request, [key], { ...options, strict: true })).not.toBe('accept')
  })

  it('refuses a replay outside five minutes and takes one inside', async () => {
    const date = new Date('2026-01-15T12:00:00Z')
    const signed = await signRequest(
      { method: 'GET', target: '/a/_doc/1', headers: { host: 'h' } },
      { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret' },
      { region: 'us-east-1', date, hash: nodeHash },
    )
    const request = { method: 'GET', target: '/a/_doc/1', headers: Object.entries(signed), body: '' }
    const at = (ms: number) =>
      verify(request, [key], { region: 'us-east-1', service: 'es', nowMs: date.getTime() + ms, strict: true })
    expect(at(300_000)).toBe('accept')
    expect(at(-300_000)).toBe('accept')
    expect(at(300_001)).toBe('signature: signature expired')
    expect(at(-300_001)).toBe('signature: signature not yet current')
  })
})
