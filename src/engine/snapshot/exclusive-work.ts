import { join } from 'node:path'
import { ServiceError } from '../../errors.ts'
import { systemMessage } from '../../file-problem.ts'
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
   * @throws {ServiceError} concurrent_snapshot_execution_exception when another process writes there, repository_exception
   *   when the folder is gone
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
      // Not the folder itself: that may be a data directory, which has a lock of its own.
      return await lockDataDirectory(join(location, 'snapshots'), join(location, 'snapshots.lock'))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== undefined)
        throw new ServiceError('repository_exception', `[${what}] ${systemMessage(error)}`, { status: 500 })
      throw new ServiceError(
        'concurrent_snapshot_execution_exception',
        `[${what}] another process works in the repository`,
      )
    }
  }
}
