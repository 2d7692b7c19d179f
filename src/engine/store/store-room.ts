import { closeSync, fstatSync, openSync, write } from 'node:fs'

const STEP_BYTES = 2 ** 20
const ZEROS = Buffer.alloc(STEP_BYTES)
/** Pages that a commit needs in any case: of the tables' list and of free pages. */
const LEAST_SPARE_PAGES = 16

/**
 * Makes an LMDB file longer before LMDB does, which it does not live through everywhere: what it notes of a page that could not be
 * written is longer than the memory it takes for it. Zeros that are written from here and cannot be fail like any other write.
 */
export class StoreRoom {
  readonly #file: number

  constructor(path: string) {
    this.#file = openSync(path, 'r+')
  }

  /**
   * Settles when the file has room for a commit; none may be under way.
   *
   * @param pages     in use
   * @param bytes     what the commit's values take
   * @param changes   how many they are
   * @throws {Error} when the disk takes nothing
   */
  async make(pages: { readonly last: number; readonly bytes: number }, bytes: number, changes: number): Promise<void> {
    // Each change may fall on another page, of which there are no more than these; those that lead to them are some more.
    const spare = LEAST_SPARE_PAGES + Math.ceil(1.1 * Math.min(changes, pages.last))
    const end = (pages.last + 1 + spare) * pages.bytes + Math.ceil(bytes * 1.5)
    // Asked each time: a commit that took more pages than expected has made the file longer by itself.
    let length = fstatSync(this.#file).size
    // Where it is long enough its last byte, which no page has, is written again: to see whether it can be.
    if (end < length) return this.#write(length - 1, 1)
    while (length <= end) {
      const size = STEP_BYTES - (length % STEP_BYTES)
      await this.#write(length, size)
      length += size
    }
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
