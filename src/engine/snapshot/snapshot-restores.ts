import { ServiceError } from '../../errors.ts'
import type { IndexMetadata } from '../metadata/index-metadata.ts'
import { checkShardLimit, shardsOf } from '../metadata/shard-limit.ts'
import { type GlobalState, restoreGlobalState } from './global-state.ts'
import type { IndexManifest } from './index-manifest.ts'
import { restoreIndex } from './index-restore.ts'
import { RateLimit } from './rate-limit.ts'
import type { Repository } from './repository.ts'
import { unreadable } from './repository-registry.ts'
import { checkTarget, restoredMetadata, restoreFault, snapshotGone } from './restore-plan.ts'
import type { RestoreOutcome, RestoreRequest, RestoreTarget, ShardRecovery } from './restore-request.ts'
import { restoredSettings } from './restored-settings.ts'
import type { SnapshotBases } from './snapshot-bases.ts'
import type { IndexRestoration, SnapshotHost } from './snapshot-host.ts'
import type { SnapshotRecord } from './snapshot-record.ts'

/** An index to restore, read and checked. */
interface PlannedIndex {
  readonly target: RestoreTarget
  readonly manifest: IndexManifest
  readonly metadata: IndexMetadata
}

/** Restores under way, and how the indices that are there came of them. */
export class SnapshotRestores {
  readonly #host: SnapshotHost
  readonly #bases: SnapshotBases
  /** Of shards that were restored; one that is opened anew is recovered from what there is. */
  readonly #recoveries = new WeakMap<object, ShardRecovery>()
  /** Names that are being restored to. */
  readonly #names = new Set<string>()
  /** Locations that are read, and by how many restores. */
  readonly #reading = new Map<string, number>()
  readonly #working = new Set<Promise<unknown>>()
  #closing = false

  constructor(host: SnapshotHost, bases: SnapshotBases) {
    this.#host = host
    this.#bases = bases
  }

  recovery(index: string): ShardRecovery | undefined {
    const shard = this.#host.shard(index)
    return shard && this.#recoveries.get(shard)
  }

  isRestoring(index: string): boolean {
    return this.#names.has(index)
  }

  /** True while something is restored from a repository at a location. */
  isReading(location: string): boolean {
    return this.#reading.has(location)
  }

  /** Checks what is asked for, has its aliases judged, and begins. @throws {ServiceError}, and what `judge` throws */
  async begin(
    request: RestoreRequest,
    record: SnapshotRecord,
    targets: readonly RestoreTarget[],
    { repository, judge }: { repository: Repository; judge: (aliases: ReadonlySet<string>) => void },
  ): Promise<{ readonly done: Promise<RestoreOutcome> }> {
    const refuse = (reason: string) => restoreFault(request.repository, record, reason)
    if (this.#closing) throw refuse('the domain stops')
    const { indices, version } = this.#host
    // What may not be changed is told before it is looked at what is there.
    if (targets.length > 0) restoredSettings({}, request, version, refuse)
    for (const target of targets) checkTarget(target, indices, version, refuse)
    if (request.includeGlobalState && record.globalState === undefined)
      throw refuse('cannot restore global state since the snapshot was created without global state')
    const taken = targets.find(({ name }) => this.#names.has(name))
    if (taken !== undefined) throw refuse(`cannot restore index [${taken.name}] because it is being restored`)
    const release = this.#hold(repository.settings.location, targets)
    let planned: PlannedIndex[]
    let state: GlobalState | undefined
    try {
      // It may have been deleted before its location was held.
      const { snapshots } = await repository.list()
      if (!snapshots.some(({ uuid }) => uuid === record.uuid)) throw snapshotGone(request.repository, record.name)
      planned = []
      for (const target of targets) {
        const manifest = await repository.readManifest(target.source.manifest)
        const metadata = restoredMetadata(target, manifest, request, this.#host, refuse)
        checkShardLimit(shardsOf(metadata.settings), this.#host, target.name)
        planned.push({ target, manifest, metadata })
      }
      if (request.includeGlobalState && record.globalState !== undefined)
        state = (await repository.readState(record.globalState)) as GlobalState
    } catch (error) {
      release()
      throw this.#failed(request, record, error)
    }
    try {
      judge(new Set(planned.flatMap(({ metadata }) => Object.keys(metadata.aliases))))
    } catch (denial) {
      release()
      throw denial
    }
    const done = this.#restore(request, record, planned, state, repository)
      .catch((error: unknown) => {
        throw this.#failed(request, record, error)
      })
      .finally(() => {
        release()
        this.#working.delete(done)
      })
    this.#working.add(done)
    return { done }
  }

  async #restore(
    request: RestoreRequest,
    record: SnapshotRecord,
    planned: readonly PlannedIndex[],
    state: GlobalState | undefined,
    repository: Repository,
  ): Promise<RestoreOutcome> {
    const rate = new RateLimit(repository.settings.maxRestoreBytesPerSecond)
    const checkStop = () => {
      if (this.#closing) throw new Error('the domain stops')
    }
    const restored: IndexRestoration[] = []
    const recoveries: (readonly [index: string, ShardRecovery])[] = []
    try {
      // Their names are taken from now on.
      for (const { metadata } of planned) restored.push(await this.#host.beginRestore(metadata))
      for (const [i, { target, manifest, metadata }] of planned.entries()) {
        const startedAt = Date.now()
        await restoreIndex({ repository, manifest, rate, checkStop }, restored[i] as IndexRestoration)
        const { files, bytes, name } = target.source
        const from = { repository: request.repository, snapshot: record.name, engineVersion: record.engineVersion }
        const recovery = { ...from, index: name, files, bytes, startedAt, tookMs: Date.now() - startedAt }
        recoveries.push([metadata.name, recovery])
      }
      await this.#host.publish(restored, state && (() => restoreGlobalState(this.#host, state)))
    } catch (error) {
      for (const restoration of restored) await restoration.abandon().catch(() => {})
      throw error
    }
    for (const [index, recovery] of recoveries) {
      // It may have been closed or deleted meanwhile.
      const shard = this.#host.shard(index)
      if (shard !== undefined) this.#recoveries.set(shard, recovery)
    }
    await this.#rememberBases(repository, planned, restored)
    const indices = planned.map(({ target }) => target.name)
    this.#host.log('info', { repository: request.repository, snapshot: record.name, indices }, 'snapshot restored')
    return { indices, shards: planned.reduce((sum, { target }) => sum + target.source.shards, 0) }
  }

  /** The next snapshot of a restored index uses what it was restored from. */
  async #rememberBases(
    repository: Repository,
    planned: readonly PlannedIndex[],
    restored: readonly IndexRestoration[],
  ): Promise<void> {
    try {
      for (const [i, { number }] of restored.entries())
        await this.#bases.add(repository, number, (planned[i] as PlannedIndex).target.source.manifest)
    } catch (error) {
      this.#host.log('warn', { error: (error as Error).message }, 'the next snapshot will store restored indices anew')
    }
  }

  /** Keeps names and a location for a restore. @returns what gives them back */
  #hold(location: string, targets: readonly RestoreTarget[]): () => void {
    for (const { name } of targets) this.#names.add(name)
    this.#reading.set(location, (this.#reading.get(location) ?? 0) + 1)
    return () => {
      for (const { name } of targets) this.#names.delete(name)
      const readers = (this.#reading.get(location) ?? 1) - 1
      if (readers === 0) this.#reading.delete(location)
      else this.#reading.set(location, readers)
    }
  }

  #failed(request: RestoreRequest, record: SnapshotRecord, error: unknown): ServiceError {
    const { message } = error as Error
    const fields = { repository: request.repository, snapshot: record.name, error: message }
    if (error instanceof ServiceError) {
      this.#host.log('warn', fields, 'snapshot not restored')
      return error
    }
    this.#host.log('error', fields, 'snapshot not restored')
    const fault = restoreFault(request.repository, record, `failed to restore snapshot: ${message}`)
    const cause = unreadable(request.repository, error)
    return new ServiceError('snapshot_restore_exception', fault.reason, { status: 500, cause })
  }

  /** Gives up what is under way, and settles when it is over. */
  async close(): Promise<void> {
    this.#closing = true
    await Promise.allSettled(this.#working)
  }
}
