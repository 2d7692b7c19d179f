/** Keys a request is signed with. */
export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
  /** When temporary keys end; absent for long-term ones. */
  readonly expiration?: Date | undefined
}

/**
 * Answers credentials that are valid now; asked before each request.
 *
 * @param expired  those it answered before, when the server says that they have ended
 */
export type CredentialProvider = (expired?: Credentials) => Promise<Credentials>

/** How long before their end temporary credentials are replaced. */
const REFRESH_BEFORE_MS = 5 * 60_000
/** How often that is tried while the old ones still hold. */
const REFRESH_EVERY_MS = 10_000

/**
 * Remembers what a provider answers until shortly before it expires; concurrent callers share one refresh.
 * When a refresh fails while the old credentials still hold, the old ones go on being used.
 */
export function cachedCredentials(provider: CredentialProvider, now: () => number = Date.now): CredentialProvider {
  let current: Credentials | undefined
  let refreshing: Promise<Credentials> | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  return async (expired) => {
    const endsAt = current?.expiration?.getTime() ?? Number.POSITIVE_INFINITY
    const ended = current === undefined || current === expired || now() >= endsAt
    if (current !== undefined && !ended && now() < Math.max(endsAt - REFRESH_BEFORE_MS, askedAt + REFRESH_EVERY_MS))
      return current
    refreshing ??= provider().finally(() => {
      refreshing = undefined
      askedAt = now()
    })
    try {
      current = await refreshing
    } catch (error) {
      if (ended) throw error
    }
    return current as Credentials
  }
}
