import { ServiceError } from '../errors.ts'
import type { EngineLog } from './engine.ts'
import type { EngineVersion } from './engine-version.ts'
import { CommitFailedError } from './store/commit-queue.ts'
import { freeBytes } from './store/disk-space.ts'
import type { LmdbStore } from './store/lmdb-store.ts'
import { StoreDamagedError } from './store/store-check.ts'

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
  /** A commit has failed: what is in memory has to become what the disk has. */
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

  /** Settles with what the store says of a write. @throws {ServiceError} as {@link check} */
  async written(writing: Promise<void>, index: string | undefined): Promise<void> {
    try {
      await writing
    } catch (error) {
      if (!(error instanceof CommitFailedError)) throw error
      this.#failed(error)
      throw this.#blocked(index)
    }
  }

  close(): void {
    clearTimeout(this.#recovery)
  }

  #blocked(index: string | undefined): ServiceError {
    const isSix = this.#o.version === 'Elasticsearch_6.8'
    const full = this.#diskFull
    // The real server's blocks: 12 is the flood stage's, 5 the one of an index that only reads.
    const status = isSix || !full ? 403 : 429
    const block = full
      ? isSix
        ? 'FORBIDDEN/12/index read-only / allow delete (api)'
        : 'TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block'
      : 'FORBIDDEN/5/index read-only (api)'
    const scope = index === undefined || isSix ? '' : `index [${index}] `
    return new ServiceError('cluster_block_exception', `${scope}blocked by: [${block}];`, { status })
  }

  #failed(error: CommitFailedError): void {
    if (this.#recovery !== undefined) return
    const { dataDir, log, onFailure } = this.#o
    // A write that was cut short for want of space is an «input/output error» to lmdb.
    const isDamaged = error.cause instanceof StoreDamagedError
    this.#diskFull = !isDamaged && (isDiskFull(error) || (freeBytes(dataDir) ?? SPACE_TO_RECOVER) < SPACE_TO_RECOVER)
    log('error', { error: (error.cause as Error).message }, this.#reason(error))
    onFailure()
    // A failed sync is never tried again as if it were good: only a full disk is known to leave things as they were.
    if (this.#diskFull) this.#recoverLater()
    else this.#recovery = setTimeout(() => {}, 0)
  }

  #reason({ cause }: CommitFailedError): string {
    if (cause instanceof StoreDamagedError) return 'the store is damaged, writes are refused until it is restored'
    return this.#diskFull
      ? 'the disk is full, writes are refused until there is space'
      : 'a commit to disk failed, writes are refused until the domain is started again'
  }

  #recoverLater(): void {
    const { store, dataDir, log, onRecovery } = this.#o
    this.#recovery = setTimeout(async () => {
      if ((freeBytes(dataDir) ?? 0) >= SPACE_TO_RECOVER && (await store.recover())) {
        this.#recovery = undefined
        log('info', {}, 'there is space on the disk again, writes are taken')
        onRecovery()
      } else this.#recoverLater()
    }, RECOVERY_INTERVAL_MS)
    this.#recovery.unref()
  }
}

function isDiskFull(error: CommitFailedError): boolean {
  const { code } = (error.cause ?? {}) as { code?: unknown }
  // lmdb names errors by their number.
  return code === 28 || code === 'ENOSPC'
}
