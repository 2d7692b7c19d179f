import type { Caller } from './identity/caller.ts'
import type { CanonicalPath } from './signature/canonical-path.ts'

/** What the door has to know of a request before its body is there. */
export interface DoorRequest {
  /** Upper-case. */
  readonly method: string
  /** As received, before `?`. */
  readonly rawPath: string
  /** As received, behind `?`; `''` when there is none. */
  readonly rawQuery: string
  readonly path: CanonicalPath
  /** Names and values by turns, as received. */
  readonly rawHeaders: readonly string[]
  /** Of the peer, or of the client a trusted proxy names. */
  readonly sourceIp: string
  /** Over TLS. */
  readonly secure: boolean
}

/** A request on its way in. */
export interface Entry {
  readonly caller: Caller
  /** Who and how, for the access log. */
  readonly logFields: Readonly<Record<string, unknown>>
  /** The key it says it is signed with; undefined when nothing is signed: the body need not be hashed. */
  readonly claimedKey: string | undefined
  /**
   * Verifies the signature over the body and judges the path; to be called once, before anything is done with the body.
   *
   * @param payloadHash  SHA-256 of the body as received, in hexadecimal; ignored when nothing is signed
   * @throws {AccessDenial}
   */
  enter(payloadHash: string): void
  /** `BackendRequest.authorize`. @throws {AccessDenial} */
  authorize(indices: readonly string[], api: string, method?: string): void
  /** `BackendRequest.authorizeDomain`. @throws {AccessDenial} */
  authorizeDomain(method?: string, prefix?: string): void
}

/** Who is calling, and may they? The one thing `http/` knows of `access/`. */
export interface Door {
  /**
   * Reads who calls. What can be refused without the body is refused here: a malformed or outdated signature, an unknown
   * key, an unsigned caller the policy does not let in.
   *
   * @throws {AccessDenial}
   */
  admit(request: DoorRequest): Entry
}
