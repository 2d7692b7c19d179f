import { closeSync, fstatSync, openSync, write } from 'node:fs'

const STEP_BYTES = 2 ** 20
const ZEROS = Buffer.alloc(STEP_BYTES)

/**
 * Makes an LMDB file longer before LMDB does, which it does not live through everywhere: what it notes of a page that could not be
 * written is longer than the memory it takes for it. Zeros that are written from here and cannot be fail like any other write.
 */
export class StoreRoom {
  readonly #file: number
  #isLookedAt = false

  constructor(path: string) {
    this.#file = openSync(path, 'r+')
  }

  /**
   * Settles when the file has room for a commit; none may be under way.
   *
   * @param pages  in use
   * @param bytes  by which the commit may make the file longer
   * @throws {Error} when the disk takes nothing
   */
  async make(pages: { readonly last: number; readonly bytes: number }, bytes: number): Promise<void> {
    const used = (pages.last + 1) * pages.bytes
    const end = used + Math.ceil(bytes)
    // Asked each time: a commit that took more pages than expected has made the file longer by itself.
    const { size: length, blocks } = fstatSync(this.#file)
    // Of a copy that was made without its zeros the disk has less than its length.
    if (!this.#isLookedAt && blocks * 512 < length) await this.#writeAll(used, length)
    this.#isLookedAt = true
    // Where it is long enough its last byte, which no page has, is written again: to see whether it can be.
    if (end < length) return this.#write(length - 1, 1)
    await this.#writeAll(length, end + 1)
  }

  /** Writes zeros, up to the end of a step. */
  async #writeAll(from: number, to: number): Promise<void> {
    for (let at = from; at < to; at += STEP_BYTES - (at % STEP_BYTES))
      await this.#write(at, STEP_BYTES - (at % STEP_BYTES))
  }

  close(): void {
    closeSync(this.#file)
  }

  #write(at: number, size: number): Promise<void> {
    return new Promise((resolve, reject) => {
      write(this.#file, ZEROS, 0, size, at, (error, written) => {
        if (error !== null) reject(error)
        else if (written < size) this.#write(at + written, size - written).then(resolve, reject)
        else resolve()
      })
    })
  }
}
