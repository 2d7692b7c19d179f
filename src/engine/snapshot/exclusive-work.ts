import { ServiceError } from '../../errors.ts'
import { type DataLock, lockDataDirectory } from '../store/data-lock.ts'

/** Changes repositories one piece of work at a time, in this process and among those that share a folder. */
export class ExclusiveWork {
  #last: Promise<unknown> = Promise.resolve()
  #count = 0

  /** True while something is being done or waits. */
  get isBusy(): boolean {
    return this.#count > 0
  }

  /** Settles when all that was begun is over. */
  async idle(): Promise<void> {
    while (this.#count > 0) await this.#last
  }

  /**
   * Does work when all that came before is over.
   *
   * @param what      `repository:snapshot`, for messages
   * @param location  the folder that is written
   * @throws {ServiceError} concurrent_snapshot_execution_exception when another process writes there
   */
  run<T>(what: string, location: string, work: () => Promise<T>): Promise<T> {
    this.#count++
    const done = this.#last.then(async () => {
      const lock = await this.#lock(what, location)
      try {
        return await work()
      } finally {
        lock.release()
      }
    })
    this.#last = done.then(
      () => this.#count--,
      () => this.#count--,
    )
    return done
  }

  async #lock(what: string, location: string): Promise<DataLock> {
    try {
      return await lockDataDirectory(location)
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException
      if (code !== undefined) throw error
      throw new ServiceError(
        'concurrent_snapshot_execution_exception',
        `[${what}] another process works in the repository: ${message}`,
      )
    }
  }
}
