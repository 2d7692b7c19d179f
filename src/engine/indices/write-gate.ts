import type { ServiceError } from '../../errors.ts'
import type { EngineLog } from '../engine.ts'
import type { EngineVersion } from '../engine-version.ts'
import { fileFault, isOfFullDisk, writeBlock } from '../file-fault.ts'
import { CommitFailedError } from '../store/commit-queue.ts'
import { freeBytes } from '../store/disk-space.ts'
import type { LmdbStore } from '../store/lmdb-store.ts'
import { StoreDamagedError } from '../store/store-check.ts'

/** How often a full disk is looked at. */
const RECOVERY_INTERVAL_MS = 1_000
/** Free bytes from which on a full disk is no longer full. */
const SPACE_TO_RECOVER = 20 * 2 ** 20

/** What a gate guards, and who is told. */
export interface WriteGateOptions {
  readonly store: LmdbStore
  readonly dataDir: string
  readonly version: EngineVersion
  readonly log: EngineLog
  /** A commit has failed: what is in memory has to become what the disk has. What it throws has it called again later. */
  readonly onFailure: () => void
  /** Writes are taken again. */
  readonly onRecovery: () => void
}

/**
 * Whether the store takes writes. What was not committed never was: after a failure reads go on from what the disk has, and
 * writes are refused; after a full disk, until there is space.
 */
export class WriteGate {
  readonly #o: WriteGateOptions
  #recovery: NodeJS.Timeout | undefined
  #diskFull = false
  /** Writes may be taken again once the disk does. */
  #mayRecover = false
  /** The last that was told of. */
  #failure: CommitFailedError | undefined
  /** What is in memory is not what the disk has, or threads that read along have let go of the store. */
  #isStale = false
  /** While it is tried to write again. */
  #recovering: Promise<boolean> | undefined

  constructor(options: WriteGateOptions) {
    this.#o = options
  }

  /**
   * @param index  the one to be written, for the reason
   * @throws {ServiceError} cluster_block_exception while nothing can be written to disk
   */
  check(index?: string): void {
    this.notice()
    if (this.#o.store.failure !== undefined) throw this.#blocked(index)
  }

  /** Sees to it that a failure is told of, though nobody writes. */
  notice(): void {
    const { failure } = this.#o.store
    if (failure !== undefined) this.#failed(failure)
  }

  /** Settles when what was queued is in the store's tables, on disk. @throws {ServiceError} as {@link check} */
  committed(index?: string): Promise<void> {
    return this.written(this.#o.store.committed(), index)
  }

  /** Settles when what was queued is on disk, in the tables or in the log. @throws {ServiceError} as {@link check} */
  logged(index?: string): Promise<void> {
    return this.written(this.#o.store.logged(), index)
  }

  /**
   * Asked before an index is removed, which a full disk is no reason against: it is what makes space.
   *
   * @returns undefined: it may be removed at once; else it may once this settles
   * @throws {ServiceError} as {@link check}
   */
  checkRemoval(index: string): Promise<void> | undefined {
    this.notice()
    const { store } = this.#o
    // Nothing is said of space: there is none for anything else.
    if (this.#diskFull && store.failure !== undefined) return this.#recover().then(() => this.check(index))
    this.check(index)
    return undefined
  }

  /**
   * Settles with what the store, or the disk that has the segments, says of a write.
   *
   * @throws {ServiceError} as {@link check}, file_system_exception
   */
  async written(writing: Promise<void>, index: string | undefined): Promise<void> {
    try {
      await writing
    } catch (error) {
      if (!(error instanceof CommitFailedError)) {
        const fault = fileFault(error, this.#o.version, index)
        if (fault !== error)
          this.#o.log('error', { index, error: (error as Error).message }, 'a file cannot be written')
        throw fault
      }
      this.#failed(error)
      throw this.#blocked(index)
    }
  }

  /** The store is about to be opened anew: whoever reads along must be told all again. */
  reopens(): void {
    this.#isStale = true
  }

  close(): void {
    clearTimeout(this.#recovery)
  }

  #blocked(index: string | undefined): ServiceError {
    return writeBlock(this.#o.version, this.#diskFull ? 'full' : 'failed', index)
  }

  #failed(error: CommitFailedError): void {
    if (error === this.#failure) return
    this.#failure = error
    const { dataDir, log } = this.#o
    const isKnownFull = this.#recovery !== undefined
    // A write that was cut short for want of space is an «input/output error» to lmdb.
    const isDamaged = error.cause instanceof StoreDamagedError
    this.#diskFull =
      !isDamaged && (isOfFullDisk(error.cause) || (freeBytes(dataDir) ?? SPACE_TO_RECOVER) < SPACE_TO_RECOVER)
    this.#mayRecover = !isDamaged && (error.cause as { code?: unknown }).code !== 'ENOENT'
    if (!isKnownFull || !this.#diskFull) log('error', { error: (error.cause as Error).message }, this.#reason(error))
    this.#isStale = true
    this.#reload()
    clearTimeout(this.#recovery)
    this.#recovery = undefined
    if (this.#mayRecover) this.#recoverLater()
  }

  #reason({ cause }: CommitFailedError): string {
    if (cause instanceof StoreDamagedError) return 'the store is damaged, writes are refused until it is restored'
    if (this.#diskFull) return 'the disk is full, writes are refused until there is space'
    return `a commit to disk failed, writes are refused until ${this.#mayRecover ? 'one succeeds' : 'the domain is started again'}`
  }

  /** Makes what is in memory what the disk has, once that can be read. @returns false: it cannot be yet */
  #reload(): boolean {
    const { store, log, onFailure } = this.#o
    if (!this.#isStale) return true
    if (store.isBroken) return false
    try {
      onFailure()
      this.#isStale = false
    } catch (error) {
      log('error', { error: (error as Error).message }, 'what the disk has cannot be read, it is tried again')
    }
    return !this.#isStale
  }

  /** @returns true when writes are taken again: what is in memory is what the disk has by then */
  #recover(): Promise<boolean> {
    this.#recovering ??= this.#tryToRecover().finally(() => {
      this.#recovering = undefined
    })
    return this.#recovering
  }

  async #tryToRecover(): Promise<boolean> {
    const { store } = this.#o
    if (!(await store.reopen()) || !this.#reload()) return false
    const isThere = await store.recover()
    // Where it failed again the store may have been opened anew.
    return this.#reload() && isThere
  }

  #recoverLater(): void {
    const { dataDir } = this.#o
    const timer = setTimeout(async () => {
      const isThere = (freeBytes(dataDir) ?? 0) >= SPACE_TO_RECOVER && (await this.#recover())
      // Something else may have failed meanwhile.
      if (this.#recovery !== timer) return
      if (isThere) this.#recovered()
      else this.#recoverLater()
    }, RECOVERY_INTERVAL_MS)
    this.#recovery = timer.unref()
  }

  #recovered(): void {
    this.#recovery = undefined
    const why = this.#diskFull ? 'there is space on the disk again' : 'the disk can be written again'
    this.#o.log('info', {}, `${why}, writes are taken`)
    this.#o.onRecovery()
  }
}
