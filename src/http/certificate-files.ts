import { readFileSync, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { isPair, type TlsMaterial } from './local-authority.ts'

/** A certificate and key of one's own, read again when the files change. */
export class CertificateFiles {
  readonly #certFile: string
  readonly #keyFile: string
  #stamp = ''

  constructor(certFile: string, keyFile: string) {
    this.#certFile = certFile
    this.#keyFile = keyFile
  }

  /**
   * Reads the files when they are new.
   *
   * @returns undefined when nothing changed
   * @throws {Error} when they cannot be read, or do not belong together
   */
  read(): TlsMaterial | undefined {
    const stamp = [this.#certFile, this.#keyFile].map((file) => {
      const { mtimeMs, size, ino } = statSync(file)
      return `${mtimeMs} ${size} ${ino}`
    })
    if (stamp.join() === this.#stamp) return undefined
    const [cert, key] = [readFileSync(this.#certFile), readFileSync(this.#keyFile)]
    // Refuses a key that is not the certificate's: halfway through a renewal both are read again a moment later. As bytes,
    // since a text that is empty is taken for none.
    createSecureContext({ cert, key })
    if (!isPair({ cert: cert.toString(), key: key.toString() }))
      throw new Error(`the key is not the certificate's, or damaged`)
    this.#stamp = stamp.join()
    return { cert: cert.toString(), key: key.toString() }
  }
}
