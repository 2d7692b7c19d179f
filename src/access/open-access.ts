import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../write-whole.ts'
import { AccessDoor } from './access-door.ts'
import { Identities } from './identity/identities.ts'
import { IdentityPool } from './identity/identity-pool.ts'
import type { IdentityStore } from './identity/identity-store.ts'
import { openIdentities } from './identity/open-identities.ts'
import { RevisionInForce } from './identity/revision-in-force.ts'
import { PolicySource } from './policy/policy-source.ts'
import { policyFromTemplate } from './policy/policy-templates.ts'

/** How the access side of a domain is set up. */
export interface AccessOptions {
  readonly dataDir: string
  readonly domainName: string
  readonly region: string
  readonly account: string
  /** Serve unsigned callers, everything. */
  readonly open: boolean
  readonly policyFile: string | undefined
  readonly policyCompat: 'chaja' | 'aws'
  readonly errorWording: '2017' | '2019' | '2022'
  readonly strictSigV4: boolean
  readonly explain: boolean
  readonly endpoints: readonly string[]
  readonly poolSignUp: 'open' | 'confirm' | 'closed'
  readonly poolRole: string
  readonly poolSessionSeconds: number
  readonly log: (
    level: 'debug' | 'info' | 'warn' | 'error',
    fields: Readonly<Record<string, unknown>>,
    message: string,
  ) => void
}

/** The access side of a running domain. */
export interface Access {
  readonly door: AccessDoor
  readonly pool: IdentityPool
  readonly store: IdentityStore
  /** True when this start made the administrator. */
  readonly isFirstStart: boolean
  close(): Promise<void>
}

/** Key file of the administrator, beside the data, mode 0600. */
const ADMIN_KEY_FILE = join('access', 'admin.json')

/** Name of the administrator made at the first start. */
export const ADMIN_NAME = 'admin'

/** How often changes by commands and to the policy file are looked for. */
const POLL_MS = 250

/** How often sessions that are over are removed. */
const PURGE_MS = 10 * 60_000
/** Expired sessions stay for so long: a clock that is set forward, and back again, must not end those that are not. */
const KEPT_EXPIRED_MS = 2 * 24 * 60 * 60_000

/** The domain's ARN. */
export function domainArn(domain: {
  readonly region: string
  readonly account: string
  readonly name: string
}): string {
  return `arn:aws:es:${domain.region}:${domain.account}:domain/${domain.name}`
}

/**
 * Opens identities and policy of a data directory, and makes the administrator at the first start.
 *
 * @throws {PolicyError} for a policy that is not valid
 * @throws {Error} when what is kept is damaged in a way that could let somebody in
 */
export function openAccess(options: AccessOptions): Access {
  const { store, box } = openIdentities(options.dataDir)
  try {
    return accessOf(options, store, new Identities(store, box, options.account))
  } catch (error) {
    store.close()
    throw error
  }
}

function accessOf(options: AccessOptions, store: IdentityStore, identities: Identities): Access {
  const { dataDir, region, account, log } = options
  for (const { message } of store.damaged()) log('error', { file: store.path }, message)
  const arn = domainArn({ region, account, name: options.domainName })
  const isFirstStart = makeAdmin(store, identities, dataDir, arn)
  if (!store.has('role', options.poolRole)) identities.addRole(options.poolRole)
  const source = options.open
    ? new PolicySource(undefined, () => OPEN_POLICY)
    : new PolicySource(options.policyFile, () => store.policy)
  if (options.open) log('warn', {}, 'open: unsigned requests are served, all of them')
  const door = new AccessDoor({
    verifier: {
      region,
      service: 'es',
      strict: options.strictSigV4,
      explain: options.explain,
      endpoints: options.endpoints,
      now: Date.now,
    },
    judge: {
      domainArn: arn,
      domainName: options.domainName,
      region,
      compat: options.policyCompat,
      wording: options.errorWording,
      explain: options.explain,
      now: Date.now,
    },
    identities,
    policy: () => source.current,
  })
  const pool = new IdentityPool(store, identities, {
    region,
    signUp: options.poolSignUp,
    roleName: options.poolRole,
    sessionSeconds: options.poolSessionSeconds,
    now: Date.now,
    // At once: what commands change may wait for the next look at the store, a sign-out may not.
    onRevoked: () => door.forget(),
    onDamaged: ({ message }) => log('error', { file: store.path }, message),
  })

  const inForce = new RevisionInForce(store.folder)
  let revision = store.revision
  source.reload()
  inForce.tell(revision)
  let failure: string | undefined
  const poll = setInterval(() => {
    try {
      const current = store.revision
      if (current !== revision) {
        revision = current
        door.forget()
      }
      if (source.reload()) log('info', {}, 'access policy changed')
      inForce.tell(revision)
      failure = undefined
    } catch (error) {
      const { message } = error as Error
      if (message !== failure)
        log('error', { error: message }, 'changed identities or policy are not taken, the old ones stay')
      failure = message
    }
  }, POLL_MS)
  const purge = setInterval(() => {
    const now = Date.now()
    try {
      identities.closeSessions((session) => session.expiresAtMs <= now - KEPT_EXPIRED_MS)
    } catch (error) {
      log('warn', { error: (error as Error).message }, 'sessions that are over stay for now')
    }
  }, PURGE_MS)
  poll.unref()
  purge.unref()

  return {
    door,
    pool,
    store,
    isFirstStart,
    async close() {
      clearInterval(poll)
      inForce.forget()
      clearInterval(purge)
      await store.close()
    },
  }
}

const OPEN_POLICY = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: '*', Action: 'es:*', Resource: '*' }],
})

/** Makes the administrator, its key file and a policy that lets it do everything, where there is none yet. */
function makeAdmin(store: IdentityStore, identities: Identities, dataDir: string, arn: string): boolean {
  if (store.hasPolicy) return false
  const admin = store.get('user', ADMIN_NAME) ?? identities.addUser(ADMIN_NAME)
  writeAdminKey(dataDir, identities.addKey(ADMIN_NAME))
  const values = { userArn: identities.userArn(admin), roleArn: undefined, domainArn: arn, sourceIps: [] }
  // Last, so that a start that broke off before begins again.
  store.policy = JSON.stringify(policyFromTemplate('full-access', values), null, 2)
  return true
}

/** Writes the administrator's key pair where `chaja env` finds it. */
export function writeAdminKey(
  dataDir: string,
  key: { readonly accessKeyId: string; readonly secretAccessKey: string },
): void {
  writeWhole(join(dataDir, ADMIN_KEY_FILE), `${JSON.stringify(key, null, 2)}\n`, 0o600)
}

/** The administrator's key pair; undefined when the file is not there, or damaged. */
export function readAdminKey(dataDir: string): { accessKeyId: string; secretAccessKey: string } | undefined {
  const path = join(dataDir, ADMIN_KEY_FILE)
  if (!existsSync(path)) return undefined
  try {
    const { accessKeyId, secretAccessKey } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
    return typeof accessKeyId === 'string' && typeof secretAccessKey === 'string'
      ? { accessKeyId, secretAccessKey }
      : undefined
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}
