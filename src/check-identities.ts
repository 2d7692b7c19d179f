import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { checkDescriptors } from './engine/store/check-descriptors.ts'
import { checkSmallStore } from './engine/store/store-check.ts'

/** What a first start makes after the identities. */
const MADE_LATER = ['secret.key', 'admin.json', 'revision']

/**
 * Looks at what identities are kept in before it is opened: LMDB ends the process where it follows a damaged page.
 *
 * @param isShared  a domain may be running
 * @throws {Error} when it is damaged, or gone: new identities and a policy that lets them do everything would take its place
 */
export function checkIdentities(dataDir: string, isShared: boolean): void {
  checkDescriptors(dataDir)
  const folder = join(dataDir, 'access')
  const path = join(folder, 'identities.mdb')
  const isEmpty = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0
  if (isEmpty && MADE_LATER.some((file) => existsSync(join(folder, file))))
    throw new Error(
      `${path} is missing or empty, though there were identities: nothing was changed. Restore it from a copy, or remove ` +
        `${folder} to begin with new ones`,
    )
  checkSmallStore(path, isShared)
}
