import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/* A stored password: `scrypt$<log2 N>$<r>$<p>$<salt base64>$<hash base64>` */

const LOG_N = 15
const R = 8
const P = 1
const HASH_BYTES = 32

/**
 * Hashes passwords, one after the other: each takes a thread of the pool for a tenth of a second, and with all of them taken by people
 * who sign in nothing could be written meanwhile.
 */
export class PasswordHasher {
  #waiting = 0
  #last: Promise<unknown> = Promise.resolve()

  /** Passwords that are not hashed yet. */
  get waiting(): number {
    return this.#waiting
  }

  /** Hashes a password for keeping. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(16)
    const hash = await this.#derive(password, salt, LOG_N, R, P)
    return `scrypt$${LOG_N}$${R}$${P}$${salt.toString('base64')}$${hash.toString('base64')}`
  }

  /**
   * Does a password fit? With no stored hash (nobody of that name) the same work is done, and the answer is no.
   */
  async verify(password: string, stored: string | undefined): Promise<boolean> {
    const [, logN, r, p, salt, hash] = (stored ?? '').split('$')
    const expected = Buffer.from(hash ?? '', 'base64')
    const actual = await this.#derive(
      password,
      Buffer.from(salt ?? 'AAAAAAAAAAAAAAAAAAAAAA==', 'base64'),
      Number(logN ?? LOG_N),
      Number(r ?? R),
      Number(p ?? P),
    )
    return stored !== undefined && expected.length === actual.length && timingSafeEqual(expected, actual)
  }

  #derive(...options: Parameters<typeof derive>): Promise<Buffer> {
    this.#waiting++
    const derived = this.#last.then(() => derive(...options)).finally(() => this.#waiting--)
    this.#last = derived.catch(() => {})
    return derived
  }
}

function derive(password: string, salt: Buffer, logN: number, r: number, p: number): Promise<Buffer> {
  const options = { N: 2 ** logN, r, p, maxmem: 256 * 1024 * 1024 }
  return new Promise((resolve, reject) => {
    // NFC, so that one password typed on two systems is one.
    scrypt(password.normalize('NFC'), salt, HASH_BYTES, options, (error, hash) => {
      if (error === null) resolve(hash)
      else reject(error)
    })
  })
}
