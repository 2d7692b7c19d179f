import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { IdentityStore } from './identity-store.ts'
import { SECRET_KEY_FILE, SecretBox } from './secret-box.ts'

/** What a secret of no worth is filed under, by which a key is known. */
const PROBE = 'meta/sealed'

/**
 * Opens the identities of a data directory and the key that their secrets are sealed with.
 *
 * @throws {Error} when one is damaged or missing, or they do not belong together
 */
export function openIdentities(dataDir: string): { readonly store: IdentityStore; readonly box: SecretBox } {
  const folder = join(dataDir, 'access')
  const store = new IdentityStore(dataDir)
  try {
    return { store, box: openBox(folder, store) }
  } catch (error) {
    store.close()
    throw error
  }
}

function openBox(folder: string, store: IdentityStore): SecretBox {
  const path = join(folder, SECRET_KEY_FILE)
  const { sealed } = store
  // Stores of format 1 have secrets alone.
  const secrets: (readonly [name: string, sealed: string])[] =
    sealed === undefined
      ? [...store.list('key'), ...store.list('session')].map(({ accessKeyId, secret }) => [accessKeyId, secret])
      : [[PROBE, sealed]]
  const isNeeded = secrets.length > 0
  if (isNeeded && !existsSync(path)) throw new Error(`${path} is missing: ${remedy(store)}`)
  const box = SecretBox.open(folder)
  if (isNeeded && !secrets.some(([name, secret]) => box.opens(name, secret)))
    throw new Error(`${path} is not the key that the secrets in ${store.path} are sealed with: ${remedy(store)}`)
  if (sealed === undefined) store.sealed = box.seal(PROBE, '')
  return box
}

const remedy = ({ folder }: IdentityStore): string =>
  `restore it from a copy, or remove ${folder} to begin with new identities`
