import { randomBytes, randomInt } from 'node:crypto'
import { parsePolicy } from '../policy/parse-policy.ts'
import type { PolicyDocument } from '../policy/policy-document.ts'
import { nodeHash } from '../signature/node-hash.ts'
import type { AccessKey } from './access-key.ts'
import type { Caller } from './caller.ts'
import { DamagedIdentityError } from './damaged-identity.ts'
import { checkIdentityName, checkIdentityPath, IdentityError } from './identity-names.ts'
import type { KeyRecord, RoleRecord, SessionRecord, UserRecord } from './identity-records.ts'
import type { IdentityStore } from './identity-store.ts'
import type { SecretBox } from './secret-box.ts'

/** A key pair as it is shown, once. */
export interface IssuedKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Temporary credentials as they are shown, once. */
export interface IssuedSession extends IssuedKey {
  readonly sessionToken: string
  readonly expiresAtMs: number
}

/** `AKIA` or `ASIA`, and sixteen more. */
const KEY_ID_LENGTH = 20
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Users, roles, keys and sessions: who there is, and what belongs to whom. */
export class Identities {
  readonly #store: IdentityStore
  readonly #box: SecretBox
  readonly #account: string

  constructor(store: IdentityStore, box: SecretBox, account: string) {
    this.#store = store
    this.#box = box
    this.#account = account
  }

  userArn(user: Pick<UserRecord, 'name' | 'path'>): string {
    return `arn:aws:iam::${this.#account}:user${user.path}${user.name}`
  }

  roleArn(role: Pick<RoleRecord, 'name' | 'path'>): string {
    return `arn:aws:iam::${this.#account}:role${role.path}${role.name}`
  }

  /** @throws {IdentityError} for a name that is taken or cannot be one */
  addUser(name: string, path = '/'): UserRecord {
    checkIdentityName('user', name)
    checkIdentityPath(path)
    const record = { name, path, createdAt: new Date().toISOString(), policies: {} }
    if (!this.#store.put('user', name, record, true)) throw new IdentityError(`user [${name}] exists already`)
    return record
  }

  /** Removes a user with all its keys. @throws {IdentityError} when there is none */
  removeUser(name: string): void {
    this.#store.atomically(() => {
      if (!this.#store.remove('user', name)) throw new IdentityError(`no user [${name}]`)
      const keys = [...this.#store.list('key')].filter((key) => key.userName === name)
      this.#store.removeAll(
        'key',
        keys.map((key) => key.accessKeyId),
      )
    })
  }

  /** @throws {IdentityError} */
  addRole(name: string, path = '/'): RoleRecord {
    checkIdentityName('role', name)
    checkIdentityPath(path)
    const record = { name, path, createdAt: new Date().toISOString(), policies: {} }
    if (!this.#store.put('role', name, record, true)) throw new IdentityError(`role [${name}] exists already`)
    return record
  }

  /** Removes a role and ends its sessions. @throws {IdentityError} */
  removeRole(name: string): void {
    this.#store.atomically(() => {
      if (!this.#store.remove('role', name)) throw new IdentityError(`no role [${name}]`)
      this.closeSessions((session) => session.roleName === name)
    })
  }

  /** Attaches an identity policy, or with `text` undefined takes it off. @throws {IdentityError | PolicyError} */
  attachPolicy(kind: 'user' | 'role', name: string, policyName: string, text: string | undefined): void {
    this.#store.atomically(() => {
      const record = this.#store.get(kind, name)
      if (record === undefined) throw new IdentityError(`no ${kind} [${name}]`)
      checkIdentityName('policy', policyName)
      const policies = { ...record.policies }
      if (text === undefined) {
        if (!Object.hasOwn(policies, policyName))
          throw new IdentityError(`${kind} [${name}] has no policy [${policyName}]`)
        delete policies[policyName]
      } else {
        parsePolicy(text, 'identity')
        policies[policyName] = text
      }
      this.#store.put(kind, name, { ...record, policies })
    })
  }

  /** Makes a key pair for a user. The secret is not shown again. @throws {IdentityError} */
  addKey(userName: string): IssuedKey {
    const issued = newKey('AKIA')
    const record: KeyRecord = {
      accessKeyId: issued.accessKeyId,
      userName,
      secret: this.#box.seal(issued.accessKeyId, issued.secretAccessKey),
      active: true,
      createdAt: new Date().toISOString(),
    }
    this.#store.atomically(() => {
      if (this.#store.get('user', userName) === undefined) throw new IdentityError(`no user [${userName}]`)
      this.#store.put('key', record.accessKeyId, record)
    })
    return issued
  }

  /** Switches a key on or off. @throws {IdentityError} */
  setKeyActive(accessKeyId: string, active: boolean): void {
    this.#store.atomically(() => {
      const record = this.#store.get('key', accessKeyId)
      if (record === undefined) throw new IdentityError(`no access key [${accessKeyId}]`)
      this.#store.put('key', accessKeyId, { ...record, active })
    })
  }

  /** @throws {IdentityError} */
  removeKey(accessKeyId: string): void {
    if (!this.#store.remove('key', accessKeyId)) throw new IdentityError(`no access key [${accessKeyId}]`)
  }

  /** Replaces a key by a new one of the same user; the old one ends at once. @throws {IdentityError} */
  rotateKey(accessKeyId: string): IssuedKey {
    return this.#store.atomically(() => {
      const record = this.#store.get('key', accessKeyId)
      if (record === undefined) throw new IdentityError(`no access key [${accessKeyId}]`)
      const issued = this.addKey(record.userName)
      this.removeKey(accessKeyId)
      return issued
    })
  }

  /** Temporary credentials of a role. @throws {IdentityError} when there is no such role */
  openSession(options: {
    readonly roleName: string
    readonly sessionName: string
    readonly durationSeconds: number
    readonly person?: string
    readonly nowMs: number
  }): IssuedSession {
    const issued = newKey('ASIA')
    // Begins with the key it goes with, so that its session is found by it.
    const sessionToken = `${issued.accessKeyId}${randomBytes(96).toString('base64')}`
    const expiresAtMs = options.nowMs + options.durationSeconds * 1000
    const record: SessionRecord = {
      accessKeyId: issued.accessKeyId,
      roleName: options.roleName,
      sessionName: options.sessionName,
      secret: this.#box.seal(issued.accessKeyId, issued.secretAccessKey),
      tokenHash: nodeHash.sha256Hex(sessionToken),
      expiresAtMs,
      person: options.person,
    }
    // A role that is removed meanwhile would leave it to the next of its name.
    this.#store.atomically(() => {
      if (this.#store.get('role', options.roleName) === undefined)
        throw new IdentityError(`no role [${options.roleName}]`)
      this.#store.putSession(record)
    })
    return { ...issued, sessionToken, expiresAtMs }
  }

  /** Ends the session of a token. @returns undefined when there is none @throws {DamagedIdentityError} */
  closeSession(sessionToken: string): SessionRecord | undefined {
    const session = this.#store.get('session', sessionToken.slice(0, KEY_ID_LENGTH))
    if (session?.tokenHash !== nodeHash.sha256Hex(sessionToken)) return undefined
    this.#store.remove('session', session.accessKeyId)
    return session
  }

  /** Ends sessions that fit, and damaged ones, which let nobody in. */
  closeSessions(fits: (session: SessionRecord) => boolean): void {
    const ended = [...this.#store.entries('session')].filter(
      ([, session]) => session instanceof DamagedIdentityError || fits(session),
    )
    this.#store.removeAll(
      'session',
      ended.map(([accessKeyId]) => accessKeyId),
    )
  }

  /**
   * The key with its secret; undefined when it is unknown, switched off, or its bearer is gone.
   *
   * @throws {DamagedIdentityError} when that, or whose it is, cannot be read
   */
  findKey(accessKeyId: string): AccessKey | undefined {
    // Anything else is no id of ours, whatever it may mean to an object.
    if (!/^A[KS]IA[A-Z0-9]{12,124}$/.test(accessKeyId)) return undefined
    const key = this.#store.get('key', accessKeyId)
    if (key !== undefined) {
      const user = this.#store.get('user', key.userName)
      if (!key.active || user === undefined) return undefined
      const caller: Caller = { kind: 'user', arn: this.userArn(user), accessKeyId, userId: idOf('AIDA', user) }
      const secretAccessKey = this.#box.open(accessKeyId, key.secret)
      return { accessKeyId, secretAccessKey, caller, tokenHash: undefined, expiresAtMs: undefined }
    }
    const session = this.#store.get('session', accessKeyId)
    const role = session === undefined ? undefined : this.#store.get('role', session.roleName)
    if (session === undefined || role === undefined) return undefined
    const caller: Caller = {
      kind: 'role',
      arn: `arn:aws:sts::${this.#account}:assumed-role/${role.name}/${session.sessionName}`,
      roleArn: this.roleArn(role),
      accessKeyId,
      userId: `${idOf('AROA', role)}:${session.sessionName}`,
    }
    const secretAccessKey = this.#box.open(accessKeyId, session.secret)
    return { accessKeyId, secretAccessKey, caller, tokenHash: session.tokenHash, expiresAtMs: session.expiresAtMs }
  }

  /** Policies attached to a caller's user or role. @throws {DamagedIdentityError} */
  policiesOf(caller: Caller): readonly PolicyDocument[] {
    const name = (caller.roleArn ?? caller.arn).split('/').at(-1) ?? ''
    const record =
      caller.kind === 'user'
        ? this.#store.get('user', name)
        : caller.kind === 'role'
          ? this.#store.get('role', name)
          : undefined
    return record === undefined ? [] : Object.values(record.policies).map((text) => parsePolicy(text, 'identity'))
  }
}

function newKey(prefix: 'AKIA' | 'ASIA'): IssuedKey {
  let id: string = prefix
  for (let i = 0; i < 16; i++) id += BASE32[randomInt(32)]
  return { accessKeyId: id, secretAccessKey: randomBytes(30).toString('base64') }
}

/** The stable unique id the cloud gives users and roles: here derived from name and time of making. */
function idOf(prefix: string, record: { readonly name: string; readonly createdAt: string }): string {
  return `${prefix}${nodeHash.sha256Hex(`${record.name}\n${record.createdAt}`).slice(0, 16).toUpperCase()}`
}
