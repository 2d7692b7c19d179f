import { chmodSync, existsSync, realpathSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { ClientError } from '../client/client-error.ts'
import { syncNames } from '../sync-names.ts'
import { unwritable } from './checkpoint.ts'

/** A file in the making, `<name>.part`: it gets its name when it is whole, so that half of it is never taken for all. */
export class PartFile {
  /** Of what is written. */
  readonly path: string
  readonly #whole: string

  /**
   * @param whole  the name it gets; what has it now stays until then
   * @throws {ClientError} kind `configuration` where something else than a file has the name
   */
  constructor(whole: string) {
    const isThere = existsSync(whole)
    // A link stays one.
    this.#whole = isThere ? realpathSync(whole) : whole
    if (isThere && !statSync(this.#whole).isFile()) throw new ClientError('configuration', `${whole} is no file`)
    this.path = `${this.#whole}.part`
  }

  /** Gives it its name. @throws {ClientError} kind `response` */
  finish(): void {
    try {
      if (existsSync(this.#whole)) chmodSync(this.path, statSync(this.#whole).mode)
      renameSync(this.path, this.#whole)
      syncNames(dirname(this.#whole))
    } catch (cause) {
      throw unwritable(this.#whole, cause)
    }
  }
}
