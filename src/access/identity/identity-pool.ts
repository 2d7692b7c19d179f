import { randomUUID } from 'node:crypto'
import { networkOf } from '../policy/ip-range.ts'
import { DamagedIdentityError } from './damaged-identity.ts'
import type { Identities, IssuedSession } from './identities.ts'
import { IdentityError } from './identity-names.ts'
import type { PersonRecord } from './identity-records.ts'
import type { IdentityStore } from './identity-store.ts'
import { PasswordHasher } from './password-hash.ts'
import { RateLimiter } from './rate-limiter.ts'

/** How a pool takes people in. */
export interface PoolOptions {
  readonly region: string
  /** `confirm`: whoever signs up waits for the admin. `closed`: only the admin adds people. */
  readonly signUp: 'open' | 'confirm' | 'closed'
  /** Role of everybody signed in. */
  readonly roleName: string
  readonly sessionSeconds: number
  readonly now: () => number
  /** Called when sessions ended before their time. */
  readonly onRevoked?: () => void
  /** Called when somebody could not sign in for it. */
  readonly onDamaged?: (error: DamagedIdentityError) => void
}

/** A refusal of the pool, in the cloud's words. */
export class PoolError extends Error {
  override readonly name = 'PoolError'
  readonly status: number
  /** `NotAuthorizedException`, … */
  readonly type: string

  constructor(status: number, type: string, message: string) {
    super(message)
    this.status = status
    this.type = type
  }
}

const MIN_PASSWORD_LENGTH = 8
const MAX_PASSWORD_LENGTH = 256
/** Names of people. A session is named after its person: the same characters as the cloud allows in session names. */
export const PERSON_NAME = /^[\w+=,.@-]{2,64}$/
/** {@link PERSON_NAME} in words. */
export const PERSON_NAME_RULE = '2 to 64 letters, digits and + = , . @ _ -'
/** More people do not wait for their passwords to be looked at: the last one would for half a minute. */
const MAX_WAITING = 300
const QUARTER_HOUR_MS = 15 * 60_000

/**
 * The identity pool: people sign up and in with a password, and get temporary credentials of one role.
 *
 * Unknown names and wrong passwords take the same time and get the same answer.
 */
export class IdentityPool {
  readonly #store: IdentityStore
  readonly #identities: Identities
  readonly #options: PoolOptions
  readonly #signUps: RateLimiter
  readonly #signInsByPeer: RateLimiter
  readonly #signInsByName: RateLimiter
  readonly #passwords = new PasswordHasher()

  constructor(store: IdentityStore, identities: Identities, options: PoolOptions) {
    this.#store = store
    this.#identities = identities
    this.#options = options
    this.#signUps = new RateLimiter(20, 60 * 60_000)
    this.#signInsByPeer = new RateLimiter(100, QUARTER_HOUR_MS)
    this.#signInsByName = new RateLimiter(10, QUARTER_HOUR_MS)
  }

  get #isBusy(): boolean {
    return this.#passwords.waiting >= MAX_WAITING
  }

  /** Takes somebody in. @returns whether they can sign in at once @throws {PoolError} */
  async signUp(name: string, password: string, peer: string): Promise<{ identityId: string; confirmed: boolean }> {
    const { signUp } = this.#options
    if (signUp === 'closed')
      throw new PoolError(400, 'NotAuthorizedException', 'SignUp is not permitted for this user pool')
    if (this.#isBusy || !this.#signUps.take(networkOf(peer))) throw tooMany()
    const person = await this.addPerson(name, password, signUp === 'open')
    return { identityId: person.identityId, confirmed: person.confirmed }
  }

  /** Adds a person, as the admin does. @throws {PoolError} */
  async addPerson(name: string, password: string, confirmed: boolean): Promise<PersonRecord> {
    if (!PERSON_NAME.test(name)) {
      throw new PoolError(400, 'InvalidParameterException', `Username must be ${PERSON_NAME_RULE}`)
    }
    checkPassword(password)
    const record: PersonRecord = {
      name,
      passwordHash: await this.#passwords.hash(password),
      identityId: `${this.#options.region}:${randomUUID()}`,
      confirmed,
      enabled: true,
      createdAt: new Date(this.#options.now()).toISOString(),
    }
    if (!this.#store.put('person', name, record, true)) {
      throw new PoolError(400, 'UsernameExistsException', 'User already exists')
    }
    return record
  }

  /** Temporary credentials for somebody with the right password. @throws {PoolError} */
  async signIn(name: string, password: string, peer: string): Promise<{ session: IssuedSession; identityId: string }> {
    if (this.#isBusy || !this.#signInsByPeer.take(networkOf(peer))) throw tooMany()
    // Nobody is called otherwise: such a name is not worth remembering.
    const isName = PERSON_NAME.test(name)
    if (isName && !this.#signInsByName.take(name)) throw tooMany()
    const passwordHash = isName ? this.#personOf(name)?.passwordHash : undefined
    const fits = await this.#passwords.verify(password.slice(0, MAX_PASSWORD_LENGTH + 1), passwordHash)
    // They may have been shut out, removed or given another password meanwhile, and by a command even now.
    return this.#store.atomically(() => {
      const person = fits ? this.#personOf(name) : undefined
      if (person?.passwordHash !== passwordHash || person === undefined || !person.enabled) {
        throw new PoolError(400, 'NotAuthorizedException', 'Incorrect username or password.')
      }
      if (!person.confirmed) throw new PoolError(400, 'UserNotConfirmedException', 'User is not confirmed.')
      if (!this.#store.has('role', this.#options.roleName)) {
        const message = 'Invalid identity pool configuration. Check assigned IAM roles for this pool.'
        throw new PoolError(400, 'InvalidIdentityPoolConfigurationException', message)
      }
      this.#signInsByName.reset(name)
      const session = this.#identities.openSession({
        roleName: this.#options.roleName,
        sessionName: name,
        durationSeconds: this.#options.sessionSeconds,
        person: name,
        nowMs: this.#options.now(),
      })
      return { session, identityId: person.identityId }
    })
  }

  /** Somebody whose record is damaged signs in no more than somebody unknown. */
  #personOf(name: string): PersonRecord | undefined {
    try {
      return this.#store.get('person', name)
    } catch (error) {
      if (!(error instanceof DamagedIdentityError)) throw error
      this.#options.onDamaged?.(error)
      return undefined
    }
  }

  /** Ends the session a token belongs to; with `everywhere`, all of its person's. An unknown token ends nothing. */
  signOut(sessionToken: string, everywhere: boolean): void {
    const session = this.#identities.closeSession(sessionToken)
    if (session === undefined) return
    const { person } = session
    if (everywhere && person !== undefined) this.#identities.closeSessions((other) => other.person === person)
    this.#options.onRevoked?.()
  }

  /** Lets somebody in who signed up, or shuts them out; shutting out ends their sessions. @throws {IdentityError} */
  setPerson(name: string, change: Partial<Pick<PersonRecord, 'confirmed' | 'enabled'>>): void {
    this.#store.atomically(() => {
      const person = this.#store.get('person', name)
      if (person === undefined) throw new IdentityError(`nobody called [${name}] in the pool`)
      this.#store.put('person', name, { ...person, ...change })
      if (change.enabled === false) this.#identities.closeSessions((session) => session.person === name)
    })
  }

  /** Gives a new password and ends the person's sessions. @throws {IdentityError | PoolError} */
  async setPassword(name: string, password: string): Promise<void> {
    checkPassword(password)
    const passwordHash = await this.#passwords.hash(password)
    this.#store.atomically(() => {
      const person = this.#store.get('person', name)
      if (person === undefined) throw new IdentityError(`nobody called [${name}] in the pool`)
      this.#store.put('person', name, { ...person, passwordHash })
      this.#identities.closeSessions((session) => session.person === name)
    })
  }

  /** Removes a person and ends their sessions. @throws {IdentityError} */
  removePerson(name: string): void {
    this.#store.atomically(() => {
      if (!this.#store.remove('person', name)) throw new IdentityError(`nobody called [${name}] in the pool`)
      this.#identities.closeSessions((session) => session.person === name)
    })
  }
}

function checkPassword(password: string): void {
  if (password.length < MIN_PASSWORD_LENGTH || password.length > MAX_PASSWORD_LENGTH) {
    throw new PoolError(
      400,
      'InvalidPasswordException',
      `Password must be ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters long`,
    )
  }
}

function tooMany(): PoolError {
  return new PoolError(429, 'TooManyRequestsException', 'Too many attempts, please try again later.')
}
