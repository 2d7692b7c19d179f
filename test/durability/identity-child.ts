/**
 * Changes the identities of a data directory as the commands do, one change for every message `{call, args}`; answers each with
 * `{result}` or `{error}` once it was carried out. Ends with its parent.
 *
 *   node --import tsx test/durability/identity-child.ts <data directory>
 */
import { Identities } from '../../src/access/identity/identities.ts'
import { IdentityPool } from '../../src/access/identity/identity-pool.ts'
import { openIdentities } from '../../src/access/identity/open-identities.ts'

const { store, box } = openIdentities(process.argv[2] as string)
const identities = new Identities(store, box, store.domain?.account ?? '')
const options = { region: '', signUp: 'closed', roleName: '', sessionSeconds: 0, now: Date.now } as const
const pool = new IdentityPool(store, identities, options)

const CALLS = {
  addUser: (name: string) => identities.addUser(name).name,
  removeUser: (name: string) => identities.removeUser(name),
  addRole: (name: string) => identities.addRole(name).name,
  removeRole: (name: string) => identities.removeRole(name),
  addKey: (user: string) => identities.addKey(user),
  removeKey: (id: string) => identities.removeKey(id),
  rotateKey: (id: string) => identities.rotateKey(id),
  enableKey: (id: string) => identities.setKeyActive(id, true),
  disableKey: (id: string) => identities.setKeyActive(id, false),
  assume: (roleName: string) =>
    identities.openSession({ roleName, sessionName: 'soak', durationSeconds: 3600, nowMs: Date.now() }),
  confirm: (name: string) => pool.setPerson(name, { confirmed: true }),
  enable: (name: string) => pool.setPerson(name, { enabled: true }),
  disable: (name: string) => pool.setPerson(name, { enabled: false }),
  removePerson: (name: string) => pool.removePerson(name),
  list: () => ({
    users: [...store.list('user')].map(({ name }) => name),
    roles: [...store.list('role')].map(({ name }) => name),
    people: [...store.list('person')].map(({ name, enabled }) => [name, enabled]),
    damaged: store.damaged().map(({ message }) => message),
  }),
} as const

/** What an {@link IdentityAdmin} can be told to do. */
export type IdentityCall = keyof typeof CALLS

process.on('message', ({ call, args }: { call: IdentityCall; args: string[] }) => {
  try {
    const act = CALLS[call] as (...args: string[]) => unknown
    process.send?.({ result: act(...args) ?? null })
  } catch (error) {
    process.send?.({ error: String(error) })
  }
})
process.on('disconnect', () => process.exit())
