import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileProblem } from '../../file-problem.ts'
import { makeFolder } from '../../make-folder.ts'
import { syncNames } from '../../sync-names.ts'
import { writeWhole } from '../../write-whole.ts'

/* A sealed secret, base64:
 *   OFFSET  SIZE  DESCRIPTION
 *        0    12  nonce
 *       12    16  authentication tag
 *       28     …  AES-256-GCM of the text; the name it is filed under is authenticated with it
 */

const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

/** The key's file, mode 0600. */
export const SECRET_KEY_FILE = 'secret.key'

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`cannot read ${path}: ${fileProblem(error)}`, { cause: error })
  }
}

/** Encrypts secrets at rest with a key beside the data. */
export class SecretBox {
  readonly #key: Buffer

  private constructor(key: Buffer) {
    this.#key = key
  }

  /** Opens the key of a folder, making it at the first time. @throws {Error} when it is damaged */
  static open(folder: string): SecretBox {
    makeFolder(folder, 0o700)
    const path = join(folder, SECRET_KEY_FILE)
    if (!existsSync(path)) {
      // Written whole under another name, then linked: two processes that start at once agree on one key.
      const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
      writeWhole(temporary, `${randomBytes(KEY_BYTES).toString('base64')}\n`, 0o600)
      try {
        linkSync(temporary, path)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      } finally {
        rmSync(temporary)
      }
      // Before anything is sealed with it.
      syncNames(folder)
    }
    const key = Buffer.from(textOf(path).trim(), 'base64')
    if (key.length !== KEY_BYTES)
      throw new Error(
        `${path} is damaged: it holds no key. Restore it from a copy, or remove ${folder} to begin with new identities`,
      )
    return new SecretBox(key)
  }

  /** @param name  what the secret belongs to: it opens under no other */
  seal(name: string, secret: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(name))
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
  }

  /** False when {@link open} would throw. */
  opens(name: string, sealed: string): boolean {
    try {
      this.open(name, sealed)
      return true
    } catch {
      return false
    }
  }

  /** @throws {Error} when it was sealed under another name, with another key, or is damaged */
  open(name: string, sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(name))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  }
}
