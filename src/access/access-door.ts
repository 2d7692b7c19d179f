import { AccessDenial } from './access-denial.ts'
import { INVALID_TOKEN, signatureDenial } from './access-messages.ts'
import type { Door, DoorRequest, Entry } from './door.ts'
import type { AccessKey } from './identity/access-key.ts'
import { ANONYMOUS, type Caller } from './identity/caller.ts'
import { DamagedIdentityError } from './identity/damaged-identity.ts'
import type { Identities } from './identity/identities.ts'
import type { PolicySet } from './policy/evaluate-policy.ts'
import type { JudgedRequest } from './policy/policy-context.ts'
import type { PolicyDocument } from './policy/policy-document.ts'
import { type JudgeOptions, PolicyJudge } from './policy/policy-judge.ts'
import type { QueryReading } from './signature/canonical-query.ts'
import { type PendingVerification, SignatureVerifier, type VerifierOptions } from './signature/verify-signature.ts'

/** What the door is made of. */
export interface AccessDoorOptions {
  readonly verifier: VerifierOptions
  readonly judge: JudgeOptions
  readonly identities: Identities
  /** The access policy in force, asked at every request. */
  readonly policy: () => PolicyDocument
}

/** At most this many keys are remembered. */
const MAX_REMEMBERED = 10_000

/** The door of a domain: verifies signatures against its identities, then asks its policies. */
export class AccessDoor implements Door {
  readonly #options: AccessDoorOptions
  readonly #verifier: SignatureVerifier
  readonly #judge: PolicyJudge
  #keys = new Map<string, AccessKey>()
  #identityPolicies = new Map<string, readonly PolicyDocument[]>()

  constructor(options: AccessDoorOptions) {
    this.#options = options
    this.#verifier = new SignatureVerifier(options.verifier, (id) => this.#findKey(id))
    this.#judge = new PolicyJudge(options.judge, (caller) => this.#policiesFor(caller))
  }

  /** Forgets keys and policies remembered, after identities changed. */
  forget(): void {
    this.#keys = new Map()
    this.#identityPolicies = new Map()
    this.#verifier.forgetKeys()
  }

  admit(request: DoorRequest): Entry {
    const pending = this.#verifier.begin(request)
    if (pending !== undefined) {
      if (request.path.hasDotSegments) {
        throw new AccessDenial(
          400,
          { message: 'A signed path must not hold . or .. segments: what is signed would not be what is served.' },
          'path: . or .. segments in a signed path',
        )
      }
      return new DoorEntry(request, pending, this.#judge, this.#options.judge.compat)
    }
    const entry = new DoorEntry(request, undefined, this.#judge, this.#options.judge.compat)
    // Nothing of an unsigned request is left to verify: it is judged before its body is read.
    entry.judgePath()
    return entry
  }

  #findKey(accessKeyId: string): AccessKey | undefined {
    const known = this.#keys.get(accessKeyId)
    if (known !== undefined) return known
    const found = readable(accessKeyId, () => this.#options.identities.findKey(accessKeyId))
    if (found === undefined) return undefined
    if (this.#keys.size >= MAX_REMEMBERED) this.#keys.clear()
    this.#keys.set(accessKeyId, found)
    return found
  }

  #policiesFor(caller: Caller): PolicySet {
    const resource = this.#options.policy()
    if (caller.kind === 'anonymous') return { resource, identity: [] }
    const bearer = caller.roleArn ?? caller.arn
    let identity = this.#identityPolicies.get(bearer)
    if (identity === undefined) {
      identity = readable(caller.accessKeyId, () => this.#options.identities.policiesOf(caller))
      this.#identityPolicies.set(bearer, identity)
    }
    return { resource, identity }
  }
}

/** Whoever is known by a damaged record is not known. */
function readable<T>(accessKeyId: string | undefined, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof DamagedIdentityError)) throw error
    throw signatureDenial(INVALID_TOKEN, error.message, { accessKeyId })
  }
}

class DoorEntry implements Entry, JudgedRequest {
  readonly #request: DoorRequest
  readonly #pending: PendingVerification | undefined
  readonly #judge: PolicyJudge
  readonly #compat: 'chaja' | 'aws'
  #caller: Caller = ANONYMOUS
  #reading: QueryReading | undefined
  /** Paths already let through, so that a bulk of a thousand items asks once an index. */
  #allowed: Set<string> | undefined

  constructor(
    request: DoorRequest,
    pending: PendingVerification | undefined,
    judge: PolicyJudge,
    compat: 'chaja' | 'aws',
  ) {
    this.#request = request
    this.#pending = pending
    this.#judge = judge
    this.#compat = compat
  }

  get caller(): Caller {
    return this.#caller
  }

  get logFields(): Readonly<Record<string, unknown>> {
    const { arn, accessKeyId } = this.#caller
    return this.#reading === undefined ? { caller: arn } : { caller: arn, accessKeyId, queryReading: this.#reading }
  }

  get claimedKey(): string | undefined {
    return this.#pending?.claim.accessKeyId
  }

  get method(): string {
    return this.#request.method
  }

  get sourceIp(): string {
    return this.#request.sourceIp
  }

  get secure(): boolean {
    return this.#request.secure
  }

  get userAgent(): string | undefined {
    return header(this.#request.rawHeaders, 'user-agent')
  }

  get referer(): string | undefined {
    return header(this.#request.rawHeaders, 'referer')
  }

  enter(payloadHash: string): void {
    if (this.#pending === undefined) return
    const { key, reading } = this.#pending.finish(payloadHash)
    this.#caller = key.caller
    this.#reading = reading
    this.judgePath()
  }

  judgePath(): void {
    // OPTIONS tells which methods a path has and touches no data; there is no action for it.
    if (this.method === 'OPTIONS') return
    const { path } = this.#request
    this.#judge.judge(this, path.resource)
    if (path.guardedResource !== undefined) this.#judge.judge(this, path.guardedResource)
  }

  authorize(indices: readonly string[], api: string, method: string = this.method): void {
    if (this.#compat === 'aws') return
    for (const index of indices) {
      // The path that names this one index was judged as a whole.
      if (method === this.method && index === this.#request.path.segments[0]) continue
      const resource = api === '' ? index : `${index}/${api}`
      const asked = `${method} ${resource}`
      if (this.#allowed?.has(asked) === true) continue
      this.#judge.judge(this, resource, method)
      this.#allowed ??= new Set()
      this.#allowed.add(asked)
    }
  }

  authorizeDomain(method: string = this.method, prefix = ''): void {
    if (this.#compat !== 'aws') this.#judge.judgeDomain(this, method, prefix)
  }
}

function header(rawHeaders: readonly string[], name: string): string | undefined {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if ((rawHeaders[i] as string).toLowerCase() === name) return rawHeaders[i + 1]
  }
  return undefined
}
