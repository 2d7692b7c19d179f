import { ServiceError } from '../../errors.ts'
import { systemMessage } from '../../file-problem.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import { newUuid } from '../metadata/create-index-settings.ts'
import { indexNotFound } from '../metadata/missing-index.ts'
import { ExclusiveWork } from './exclusive-work.ts'
import type { Repository } from './repository.ts'
import { RepositoryRegistry, unreadable } from './repository-registry.ts'
import type { RepositoryMetadata } from './repository-settings.ts'
import { RepositoryUses } from './repository-uses.ts'
import { snapshotGone } from './restore-plan.ts'
import type { RestoreOutcome, RestoreRequest, RestoreTarget, ShardRecovery } from './restore-request.ts'
import { type CreateSnapshotRequest, RunningSnapshot } from './running-snapshot.ts'
import { selectIndices } from './select-indices.ts'
import { SnapshotBases } from './snapshot-bases.ts'
import type { SnapshotHost } from './snapshot-host.ts'
import { invalidSnapshotName, snapshotMissing, validateSnapshotName } from './snapshot-name.ts'
import type { SnapshotRecord } from './snapshot-record.ts'
import { SnapshotRestores } from './snapshot-restores.ts'
import type { Begun, CloneRequest, Snapshots } from './snapshots.ts'
import { SnapshotAbortedError, takeSnapshot } from './take-snapshot.ts'

/** {@link Snapshots} over folders. */
export class SnapshotService implements Snapshots {
  readonly #host: SnapshotHost
  readonly #registry: RepositoryRegistry
  readonly #bases: SnapshotBases
  readonly #restores: SnapshotRestores
  readonly #work = new ExclusiveWork()
  readonly #uses = new RepositoryUses()
  readonly #running = new Set<RunningSnapshot>()
  /** Locations of which snapshots are being deleted. */
  readonly #deleting = new Set<string>()
  #closing = false

  /** @param roots  `path.repo`: absolute folders that repositories must lie in */
  constructor(host: SnapshotHost, roots: readonly string[]) {
    this.#host = host
    this.#registry = new RepositoryRegistry(host, roots)
    this.#bases = new SnapshotBases(host)
    this.#restores = new SnapshotRestores(host, this.#bases)
  }

  /** Registered repositories by name. */
  get repositories(): readonly (readonly [name: string, RepositoryMetadata])[] {
    return this.#registry.all()
  }

  /** Snapshots under way, oldest first. */
  running(repository?: string): readonly RunningSnapshot[] {
    return [...this.#running].filter(({ request }) => repository === undefined || request.repository === repository)
  }

  recovery(index: string): ShardRecovery | undefined {
    return this.#restores.recovery(index)
  }

  isRestoring(index: string): boolean {
    return this.#restores.isRestoring(index)
  }

  sharing(name: string, metadata: RepositoryMetadata): readonly string[] {
    return this.#registry.sharing(name, metadata)
  }

  /** Registers a repository. @throws {ServiceError} repository_exception, repository_verification_exception, illegal_state_exception */
  putRepository(name: string, metadata: RepositoryMetadata, verify: boolean): Promise<void> {
    return this.#uses.changing([name], () => this.#registry.put(name, metadata, verify))
  }

  /** Forgets repositories; what is in them stays. @throws {ServiceError} repository_missing_exception, illegal_state_exception */
  async deleteRepositories(names: readonly string[]): Promise<void> {
    await this.#uses.changing(names, async () => {
      for (const name of names) this.#registry.metadata(name)
      await Promise.all(names.map((name) => this.#registry.delete(name)))
    })
  }

  /** Sees that a repository can be written and read. @throws {ServiceError} repository_verification_exception, … */
  verify(name: string): Promise<void> {
    return this.#registry.verify(name)
  }

  /** Removes what no snapshot leads to. @throws {ServiceError} repository_exception */
  cleanup(name: string): Promise<{ readonly files: number; readonly bytes: number }> {
    return this.#uses.using(name, async () => {
      const repository = await this.#registry.openToWrite(name, 'cannot run cleanup on readonly repository')
      try {
        return await this.#work.run(`${name}:_cleanup`, repository.settings.location, () => repository.sweep())
      } catch (error) {
        throw unreadable(name, error)
      }
    })
  }

  /**
   * Finished snapshots of a repository, oldest first.
   *
   * @param ignoreDamaged  leave out what cannot be read; otherwise it is an error
   * @throws {ServiceError} repository_missing_exception, repository_exception
   */
  async list(name: string, ignoreDamaged: boolean): Promise<readonly SnapshotRecord[]> {
    const repository = await this.#registry.open(name)
    try {
      const { snapshots, damaged } = await repository.list()
      for (const error of damaged) {
        if (!ignoreDamaged) throw error
        this.#host.log('error', { repository: name, error: error.message }, 'a snapshot cannot be read')
      }
      return snapshots
    } catch (error) {
      throw unreadable(name, error)
    }
  }

  /**
   * Begins a snapshot. When this settles, its name is taken and the work waits for its turn.
   *
   * @throws {ServiceError} invalid_snapshot_name_exception, repository_missing_exception, repository_exception,
   *   concurrent_snapshot_execution_exception
   */
  async create(request: CreateSnapshotRequest): Promise<Begun<SnapshotRecord>> {
    validateSnapshotName(request.repository, request.name)
    return this.#uses.beginning(request.repository, () => this.#begin(request))
  }

  async #begin(request: CreateSnapshotRequest): Promise<Begun<SnapshotRecord>> {
    const { repository: repositoryName, name } = request
    const repository = await this.#registry.openToWrite(
      repositoryName,
      'cannot create snapshot in a readonly repository',
    )
    await this.#checkFree(repositoryName, name, repository)
    // From here to its being under way nothing can come in between.
    this.#checkNotRunning(repositoryName, name)
    this.#checkIdle(repositoryName, name, ' a snapshot is already running')
    const gone = request.indices.find((index) => !this.#host.indices.has(index))
    if (gone !== undefined && !request.partial) throw indexNotFound(gone, this.#host.version)
    const running = new RunningSnapshot(request, this.#host.version)
    this.#running.add(running)
    const done = this.#work
      .run(`${repositoryName}:${name}`, repository.settings.location, () => this.#take(running, repository))
      .catch((error: Error) => {
        throw this.#failed(running, error)
      })
      .finally(() => this.#running.delete(running))
    running.over = done.then(
      () => {},
      () => {},
    )
    return { done }
  }

  async #take(running: RunningSnapshot, repository: Repository): Promise<SnapshotRecord> {
    try {
      if (running.aborted) throw new SnapshotAbortedError()
      // What came before may have been a clone of this name.
      const { snapshots } = await repository.list()
      const { request } = running
      if (snapshots.some((snapshot) => snapshot.name === request.name))
        throw invalidSnapshotName(request.repository, request.name, 'snapshot with the same name already exists')
      const record = await takeSnapshot(running, repository, this.#host, this.#bases)
      const { name, repository: repositoryName } = running.request
      const fields = { repository: repositoryName, snapshot: name, state: record.state, files: running.files }
      this.#host.log('info', fields, 'snapshot made')
      return record
    } catch (error) {
      await this.#sweepQuietly(running.request.repository, repository)
      throw error
    }
  }

  #failed({ request, uuid }: RunningSnapshot, error: Error): ServiceError {
    const fields = { repository: request.repository, snapshot: request.name, error: error.message }
    // Who deletes one under way wants it so.
    this.#host.log(error instanceof SnapshotAbortedError ? 'warn' : 'error', fields, 'snapshot not made')
    if (error instanceof ServiceError) return error
    const name = `[${request.repository}:${request.name}/${uuid}]`
    return new ServiceError(
      'snapshot_exception',
      `${name} failed to update snapshot in repository: ${systemMessage(error)}`,
      {
        status: 500,
      },
    )
  }

  /**
   * Deletes snapshots; those under way are given up. What only they stood on is removed.
   *
   * @param names  6.8 takes one name; later versions patterns too
   * @throws {ServiceError} snapshot_missing_exception, repository_exception, concurrent_snapshot_execution_exception
   */
  delete(repositoryName: string, names: readonly string[]): Promise<void> {
    return this.#uses.using(repositoryName, () => this.#delete(repositoryName, names))
  }

  async #delete(repositoryName: string, names: readonly string[]): Promise<void> {
    const repository = await this.#registry.openToWrite(
      repositoryName,
      'cannot delete snapshot from a readonly repository',
    )
    const what = `${repositoryName}:${names.join(',')}`
    const takesPatterns = this.#host.version !== 'Elasticsearch_6.8'
    const isNamed = ({ name }: { readonly name: string }): boolean =>
      names.some((n) => n === name || (takesPatterns && matchWildcard(n, name)))
    const running = this.running(repositoryName).filter(({ request }) => isNamed(request))
    if (running.length === 0)
      this.#checkIdle(repositoryName, names.join(','), 'another snapshot is currently running cannot delete')
    for (const snapshot of running) snapshot.aborted = true
    await Promise.all(running.map(({ over }) => over))
    await this.#work.run(what, repository.settings.location, async () => {
      if (this.#restores.isReading(repository.settings.location)) {
        throw new ServiceError(
          'concurrent_snapshot_execution_exception',
          `[${what}] cannot delete snapshot during a restore`,
        )
      }
      this.#deleting.add(repository.settings.location)
      try {
        const snapshots = await this.list(repositoryName, true)
        for (const name of names) {
          if (name.includes('*') && takesPatterns) continue
          const isThere = snapshots.some((s) => s.name === name) || running.some((r) => r.request.name === name)
          if (!isThere) throw snapshotMissing(repositoryName, name)
        }
        const uuids = snapshots.filter(isNamed).map(({ uuid }) => uuid)
        await repository.removeSnapshots(uuids)
      } catch (error) {
        throw unreadable(repositoryName, error)
      } finally {
        this.#deleting.delete(repository.settings.location)
      }
      await this.#sweepQuietly(repositoryName, repository)
    })
  }

  /** What is left lying about costs space and nothing else: the next time it is swept again. */
  async #sweepQuietly(name: string, repository: Repository): Promise<void> {
    try {
      await repository.sweep()
    } catch (error) {
      const { message } = error as Error
      this.#host.log('warn', { repository: name, error: message }, 'files that no snapshot needs could not be removed')
    }
  }

  /** Copies a snapshot, or some of its indices, within a repository. @throws {ServiceError} as the other calls do */
  async clone(request: CloneRequest): Promise<void> {
    validateSnapshotName(request.repository, request.target)
    await this.#uses.using(request.repository, () => this.#clone(request))
  }

  async #clone(request: CloneRequest): Promise<void> {
    const { repository: repositoryName, source, target } = request
    const repository = await this.#registry.openToWrite(
      repositoryName,
      'cannot create snapshot in a readonly repository',
    )
    await this.#checkFree(repositoryName, target, repository)
    await this.#work.run(`${repositoryName}:${target}`, repository.settings.location, async () => {
      const startedAt = Date.now()
      const snapshots = await this.list(repositoryName, true)
      const record = snapshots.find(({ name }) => name === source)
      if (record === undefined) throw snapshotMissing(repositoryName, source)
      await this.#checkFree(repositoryName, target, repository)
      const available = record.indices.map(({ name }) => name)
      const options = { ignoreUnavailable: request.ignoreUnavailable, version: this.#host.version }
      const selected = new Set(selectIndices(available, request.indices, options))
      if (selected.size === 0) throw nothingToClone(request, record)
      // As in the real server a clone is of indices alone.
      const { globalState: _, metadata: __, failures: ___, dataStreams: ____, ...rest } = record
      try {
        await repository.putSnapshot({
          ...rest,
          ...(record.globalState === undefined ? {} : { globalState: record.globalState }),
          name: target,
          uuid: newUuid(),
          state: 'SUCCESS',
          isClone: true,
          metadata: {},
          failures: [],
          startedAt,
          endedAt: Date.now(),
          indices: record.indices
            .filter(({ name }) => selected.has(name))
            .map((index) => ({ ...index, newFiles: 0, newBytes: 0 })),
        })
      } catch (error) {
        throw unreadable(repositoryName, error)
      }
    })
  }

  /**
   * The snapshot a restore is to read.
   *
   * @throws {ServiceError} snapshot_restore_exception, repository_missing_exception
   */
  async toRestore(repositoryName: string, name: string): Promise<SnapshotRecord> {
    const snapshots = await this.list(repositoryName, true)
    const record = snapshots.find((snapshot) => snapshot.name === name)
    if (record !== undefined) return record
    // One that cannot be read may be the one that is asked for.
    await this.list(repositoryName, false)
    throw snapshotGone(repositoryName, name)
  }

  /**
   * Begins to restore indices. When this settles, it has been seen that they can be, and the work has begun.
   *
   * @param targets  of restore-plan.ts
   * @param judge    throws when what is restored may not have these aliases
   * @throws {ServiceError} snapshot_restore_exception, invalid_index_name_exception, …
   */
  restore(
    request: RestoreRequest,
    record: SnapshotRecord,
    targets: readonly RestoreTarget[],
    judge: (aliases: ReadonlySet<string>) => void = () => {},
  ): Promise<Begun<RestoreOutcome>> {
    return this.#uses.beginning(request.repository, () => this.#beginRestore(request, record, targets, judge))
  }

  async #beginRestore(
    request: RestoreRequest,
    record: SnapshotRecord,
    targets: readonly RestoreTarget[],
    judge: (aliases: ReadonlySet<string>) => void,
  ): Promise<Begun<RestoreOutcome>> {
    const repository = await this.#registry.open(request.repository)
    if (this.#deleting.has(repository.settings.location)) {
      const reason = 'cannot restore a snapshot while a snapshot deletion is in-progress'
      throw new ServiceError(
        'concurrent_snapshot_execution_exception',
        `[${request.repository}:${record.name}/${record.uuid}] ${reason}`,
      )
    }
    return this.#restores.begin(request, record, targets, { repository, judge })
  }

  /** Gives up what is under way, and settles when it is over. */
  async close(): Promise<void> {
    this.#closing = true
    for (const running of this.#running) running.aborted = true
    await Promise.all([this.#work.idle(), this.#restores.close()])
  }

  async #checkFree(repositoryName: string, name: string, repository: Repository): Promise<void> {
    const taken = await repository.list().catch((error: Error) => {
      throw unreadable(repositoryName, error)
    })
    if (taken.snapshots.some((snapshot) => snapshot.name === name))
      throw invalidSnapshotName(repositoryName, name, 'snapshot with the same name already exists')
    this.#checkNotRunning(repositoryName, name)
  }

  #checkNotRunning(repositoryName: string, name: string): void {
    if (this.running(repositoryName).some(({ request }) => request.name === name))
      throw invalidSnapshotName(repositoryName, name, 'snapshot with the same name is already in-progress')
  }

  /** 6.8 does one thing at a time; later versions wait. */
  #checkIdle(repository: string, name: string, complaint: string): void {
    if (this.#closing)
      throw new ServiceError('snapshot_exception', `[${repository}:${name}] the domain stops`, { status: 503 })
    if (this.#host.version !== 'Elasticsearch_6.8' || !this.#work.isBusy) return
    throw new ServiceError('concurrent_snapshot_execution_exception', `[${repository}:${name}] ${complaint}`)
  }
}

function nothingToClone({ repository, indices }: CloneRequest, { name, uuid }: SnapshotRecord): ServiceError {
  const reason = `No indices in the source snapshot [${name}/${uuid}] matched requested pattern [${indices.join(', ')}]`
  return new ServiceError('snapshot_exception', `[${repository}:${name}/${uuid}] ${reason}`)
}
