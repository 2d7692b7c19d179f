import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { Option } from 'commander'
import { Identities } from '../access/identity/identities.ts'
import { IdentityError } from '../access/identity/identity-names.ts'
import type { DomainRecord } from '../access/identity/identity-records.ts'
import type { IdentityStore } from '../access/identity/identity-store.ts'
import { openIdentities } from '../access/identity/open-identities.ts'
import { RevisionInForce } from '../access/identity/revision-in-force.ts'
import { checkIdentities } from '../check-identities.ts'
import { OPTIONS } from '../config.ts'
import { fileProblem } from '../file-problem.ts'

/** A domain's data directory opened by a command; a running domain takes changes over. */
export interface DataDirectory {
  readonly path: string
  readonly domain: DomainRecord
  readonly store: IdentityStore
  readonly identities: Identities
}

/** Flag of every command that works on a data directory. */
export function dataOption(): Option {
  // Not by commander's own `env`: as for `serve`, an empty variable says nothing.
  return new Option('--data <dir>', "the domain's data directory (CHAJA_DATA)").default(
    process.env['CHAJA_DATA'] || OPTIONS.data.schema.parse(undefined),
  )
}

/** Flag of every command that prints what a data directory holds. */
export function jsonOption(): Option {
  return new Option('--json', 'print JSON lines (the default when stdout is no terminal)')
}

/** How long a running domain may take to take over what was changed. */
const IN_FORCE_MS = 3_000

/**
 * Opens a data directory for one action. The directory may be in use by a running domain: when this settles, that has taken over what was
 * changed.
 *
 * @throws {IdentityError} when no domain was ever started in it
 */
export async function withDataDirectory<T>(path: string, action: (data: DataDirectory) => T | Promise<T>): Promise<T> {
  try {
    accessSync(join(path, 'access', 'identities.mdb'), constants.R_OK | constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ENOTDIR')
      throw new IdentityError(`cannot use ${path}: ${fileProblem(error)}: it is for who runs the domain`)
    throw new IdentityError(`no domain in ${path}: start it once with chaja serve --data ${path}`)
  }
  checkIdentities(path, true)
  const { store, box } = openIdentities(path)
  try {
    const { domain } = store
    if (domain === undefined) throw new IdentityError(`the domain in ${path} was never ready: start it once`)
    const identities = new Identities(store, box, domain.account)
    const before = store.revision
    const result = await action({ path, domain, store, identities })
    const isInForce =
      store.revision === before || (await new RevisionInForce(store.folder).reached(store.revision, IN_FORCE_MS))
    if (!isInForce)
      process.stderr.write('chaja: the running domain has not taken the change over yet; its log may say why\n')
    return result
  } finally {
    await store.close()
  }
}
