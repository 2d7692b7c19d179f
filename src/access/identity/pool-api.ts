import { fileProblem, systemCode } from '../../file-problem.ts'
import { type IdentityPool, PoolError } from './identity-pool.ts'

/** A request to the pool: paths below `/-/pool/`. */
export interface PoolRequest {
  readonly method: string
  readonly path: string
  readonly body: Buffer
  readonly sourceIp: string
}

/** Its answer. */
export interface PoolResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Answers the pool's three calls, all `POST` with JSON, in the shape of the cloud's identity service:
 *
 * - `/-/pool/sign-up`  `{Username, Password}` → `{UserConfirmed, IdentityId}`
 * - `/-/pool/sign-in`  `{Username, Password}` → `{IdentityId, Credentials: {AccessKeyId, SecretKey, SessionToken, Expiration}}`
 *   (`Expiration` in seconds since 1970)
 * - `/-/pool/sign-out` `{SessionToken, Everywhere?}` → `{}`
 *
 * Errors are `{__type, message}`.
 */
export async function answerPool(pool: IdentityPool, request: PoolRequest): Promise<PoolResponse> {
  try {
    if (request.method !== 'POST') throw new PoolError(405, 'MethodNotAllowedException', 'Only POST is allowed')
    const call = request.path.slice(request.path.lastIndexOf('/') + 1)
    const form = readForm(request.body)
    const text = (name: string): string => {
      const value = form[name]
      if (typeof value !== 'string' || value === '') {
        throw new PoolError(400, 'InvalidParameterException', `${name} is required`)
      }
      return value
    }
    switch (call) {
      case 'sign-up': {
        const { confirmed, identityId } = await pool.signUp(text('Username'), text('Password'), request.sourceIp)
        return json(200, { UserConfirmed: confirmed, IdentityId: identityId })
      }
      case 'sign-in': {
        const { session, identityId } = await pool.signIn(text('Username'), text('Password'), request.sourceIp)
        return json(200, {
          IdentityId: identityId,
          Credentials: {
            AccessKeyId: session.accessKeyId,
            SecretKey: session.secretAccessKey,
            SessionToken: session.sessionToken,
            Expiration: Math.floor(session.expiresAtMs / 1000),
          },
        })
      }
      case 'sign-out':
        pool.signOut(text('SessionToken'), form['Everywhere'] === true)
        return json(200, {})
      default:
        throw new PoolError(404, 'UnknownOperationException', `The pool has no call [${call}]`)
    }
  } catch (error) {
    if (error instanceof PoolError) return json(error.status, { __type: error.type, message: error.message })
    if (!/^E[A-Z]+$/.test(systemCode(error) ?? '')) throw error
    const message = `Nothing can be changed now: ${fileProblem(error)}`
    return json(503, { __type: 'ServiceUnavailableException', message })
  }
}

function readForm(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString())
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Answered below.
  }
  throw new PoolError(400, 'SerializationException', 'The body must be a JSON object')
}

function json(status: number, value: unknown): PoolResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(value),
  }
}
