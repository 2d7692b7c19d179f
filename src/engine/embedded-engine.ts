import { join, resolve } from 'node:path'
import { ServiceError } from '../errors.ts'
import { makeFolder } from '../make-folder.ts'
import { reloadableAnalyzers } from './analysis/korean/reloadable-analyzers.ts'
import type {
  AliasAction,
  CreateIndexRequest,
  Engine,
  EngineLog,
  EngineOptions,
  ForcedMerge,
  IndexStats,
  IndexTemplate,
  StoredQueryCheck,
} from './engine.ts'
import type { EngineVersion } from './engine-version.ts'
import type { DocumentOperation, WriteResult } from './index/document-operation.ts'
import type { DocumentPage, IndexSearcher, StoredDocument } from './index/index-searcher.ts'
import type { IndexShard } from './index/index-shard.ts'
import { WorkSlices } from './index/work-slices.ts'
import { IndexChanges } from './indices/index-changes.ts'
import { IndexRemovals } from './indices/index-removals.ts'
import { IndexRestores } from './indices/index-restores.ts'
import { limitedSearcher } from './indices/limited-searcher.ts'
import { mappingsOf, OpenIndices } from './indices/open-indices.ts'
import { SegmentExchange } from './indices/segment-exchange.ts'
import { WriteGate } from './indices/write-gate.ts'
import type { IndexMapping } from './mapping/index-mapping.ts'
import { setClusterSetting } from './metadata/cluster-settings.ts'
import { newUuid } from './metadata/create-index-settings.ts'
import type { FlatSettings, IndexMetadata } from './metadata/index-metadata.ts'
import { indexNotFound } from './metadata/missing-index.ts'
import { USUAL_REFRESH_INTERVAL } from './metadata/refresh-interval.ts'
import { ReplicaFeed } from './replica/replica-feed.ts'
import type { ReplicaNews } from './replica/replica-news.ts'
import type { SnapshotHost } from './snapshot/snapshot-host.ts'
import { SnapshotService } from './snapshot/snapshot-service.ts'
import { DamagedEntries, DamagedEntry } from './store/damaged-entries.ts'
import { type DataLock, lockDataDirectory } from './store/data-lock.ts'
import type { StoredRecord } from './store/document-record.ts'
import { StoredExtras } from './store/extra-store.ts'
import { LmdbStore, STORE_FILE } from './store/lmdb-store.ts'
import type { Lz4Dictionary } from './store/lz4-dictionary.ts'
import type { LearnedDictionary } from './store/source-dictionaries.ts'
import { StoreDamagedError } from './store/store-check.ts'
import { storedNode, storedSettings, tellReplayed } from './stored-node.ts'

/**
 * Opens the engine on a data directory.
 *
 * @param beforeWrite  called before each write to disk (tests of failing disks)
 * @param freeBytes    instead of the disk's (tests of full disks)
 * @throws {Error} when another process has it open, or a newer version wrote it
 */
export async function openEngine(
  options: EngineOptions,
  beforeWrite?: () => void,
  freeBytes?: () => number,
): Promise<EmbeddedEngine> {
  makeFolder(options.dataDir)
  const lock = await lockDataDirectory(options.dataDir)
  try {
    return new EmbeddedEngine(
      options,
      lock,
      new LmdbStore(options.dataDir, {
        ...(beforeWrite === undefined ? {} : { beforeWrite }),
        ...(freeBytes === undefined ? {} : { freeBytes }),
      }),
    )
  } catch (error) {
    lock.release()
    // What is wrong with an entry of the store does not say whose store it is.
    if (error instanceof ServiceError && error.type === 'corrupt_index_exception') {
      const told = `${join(options.dataDir, STORE_FILE)} is damaged: ${error.reason}; nothing was changed. Restore the data directory from a copy, or begin with another one and restore a snapshot`
      throw new Error(told, { cause: error })
    }
    throw error
  }
}

const TEMPLATE_PREFIX = 'template/'

/** {@link Engine} over LMDB and segments in one process. */
export class EmbeddedEngine implements Engine {
  readonly version: EngineVersion
  readonly dataDir: string
  readonly clusterUuid: string
  readonly nodeId: string
  readonly extras: StoredExtras
  readonly snapshots: SnapshotService
  readonly segments: SegmentExchange
  readonly #log: EngineLog
  readonly #lock: DataLock
  readonly #store: LmdbStore
  readonly #slices = new WorkSlices()
  readonly #gate: WriteGate
  readonly #removals: IndexRemovals
  readonly #indices: OpenIndices
  readonly #restores: IndexRestores
  readonly #changes: IndexChanges
  readonly #templates = new Map<string, IndexTemplate>()
  /** Templates, and what is stored by names of its own. */
  readonly #damaged = new DamagedEntries()
  #persistentSettings: FlatSettings = {}
  #transientSettings: FlatSettings = {}
  /** Of threads that read along. */
  readonly #feeds = new Set<ReplicaFeed>()

  constructor(options: EngineOptions, lock: DataLock, store: LmdbStore) {
    this.version = options.engineVersion
    this.dataDir = options.dataDir
    this.#log = options.log
    this.#lock = lock
    this.#store = store
    tellReplayed(store, options.log)
    this.#removals = new IndexRemovals(store, options.log)
    this.#indices = new OpenIndices({
      version: options.engineVersion,
      dataDir: options.dataDir,
      log: options.log,
      store,
      removals: this.#removals,
      feeds: this.#feeds,
      cluster: this,
    })
    this.segments = new SegmentExchange(this.#indices)
    this.#gate = new WriteGate({
      store,
      dataDir: options.dataDir,
      version: options.engineVersion,
      log: options.log,
      onFailure: () => this.#load(),
      // Restores that were cut short, and what could not be removed meanwhile.
      onRecovery: () => this.#removals.resume(),
    })
    const stored = storedNode(store, options.log)
    const node = stored ?? { clusterUuid: newUuid(), nodeId: newUuid() }
    if (stored === undefined) store.putMetadata('node', node)
    this.clusterUuid = node.clusterUuid
    this.nodeId = node.nodeId
    store.onCommit = () => {
      for (const feed of this.#feeds) feed.committed(store.isBehind)
    }
    store.onReopen = async () => {
      this.#gate.reopens()
      await Promise.all([...this.#feeds].map((feed) => feed.detach()))
    }
    this.extras = new StoredExtras(store, this.#damaged, () => this.#gate.committed())
    this.#restores = new IndexRestores({
      version: options.engineVersion,
      indices: this.#indices,
      removals: this.#removals,
      gate: this.#gate,
      slices: this.#slices,
    })
    const roots = (options.repositoryPaths ?? []).filter((path) => path !== '').map((path) => resolve(path))
    const host = this.#snapshotHost()
    this.snapshots = new SnapshotService(host, roots)
    this.#changes = new IndexChanges({
      host,
      indices: this.#indices,
      restores: this.#restores,
      gate: this.#gate,
      snapshots: this.snapshots,
    })
    // Deletions that a crash cut short.
    this.#removals.resume()
    this.#load()
    this.#indices.removeStrayFolders()
    this.#gate.notice()
    store.onDamage = () => this.#gate.notice()
  }

  /** Makes everything in memory what the store says. */
  #load(): void {
    const store = this.#store
    this.#damaged.clear()
    this.extras.load()
    this.#persistentSettings = storedSettings(store, this.#log)
    this.#templates.clear()
    for (const [, value] of store.metadata(TEMPLATE_PREFIX)) {
      if (value instanceof DamagedEntry) this.#damaged.note(value)
      else this.#templates.set((value as IndexTemplate).name, value as IndexTemplate)
    }
    for (const reason of this.#damaged.reasons()) this.#log('error', { file: join(store.folder, STORE_FILE) }, reason)
    this.#indices.load()
    for (const feed of this.#feeds) this.#tellAll(feed)
  }

  /** Tells a replica in another thread all there is, and from then on what changes. @param post  how it is told */
  feed(post: (news: ReplicaNews) => void): ReplicaFeed {
    const feed = new ReplicaFeed(post, () => this.#feeds.delete(feed))
    this.#feeds.add(feed)
    this.#tellAll(feed)
    return feed
  }

  #tellAll(feed: ReplicaFeed): void {
    feed.reset()
    feed.settings(this.#persistentSettings, this.#transientSettings)
    this.#indices.tellAll(feed)
  }

  get indices(): ReadonlyMap<string, IndexMetadata> {
    return this.#indices.metadata
  }
  get templates(): ReadonlyMap<string, IndexTemplate> {
    this.#damaged.expectAllWhole(TEMPLATE_PREFIX)
    return this.#templates
  }
  get persistentSettings(): FlatSettings {
    return this.#persistentSettings
  }
  get transientSettings(): FlatSettings {
    return this.#transientSettings
  }

  createIndex(name: string, request: CreateIndexRequest): Promise<IndexMetadata> {
    return this.#changes.create(name, request)
  }

  copyIndex(source: string, target: string, request: CreateIndexRequest): Promise<IndexMetadata> {
    return this.#changes.copy(source, target, request)
  }

  deleteIndices(names: readonly string[]): Promise<void> {
    return this.#changes.remove(names)
  }

  openIndices(names: readonly string[]): Promise<void> {
    return this.#changes.open(names)
  }

  closeIndices(names: readonly string[]): Promise<void> {
    return this.#changes.close(names)
  }

  putMapping(...change: Parameters<Engine['putMapping']>): Promise<void> {
    return this.#changes.putMapping(...change)
  }

  updateSettings(...change: Parameters<Engine['updateSettings']>): Promise<void> {
    return this.#changes.updateSettings(...change)
  }

  updateAliases(actions: readonly AliasAction[]): Promise<void> {
    return this.#changes.updateAliases(actions)
  }

  whenRestored(name: string): Promise<void> | undefined {
    return this.#restores.whenOver(name)
  }

  reopenedAt(name: string): number | undefined {
    return this.#indices.find(name)?.reopenedAt
  }

  reloadSearchAnalyzers(name: string): readonly string[] {
    const index = this.#indices.get(name)
    const names = reloadableAnalyzers(index.metadata.settings)
    if (index.shard === undefined || names.length === 0) return []
    index.shard.mapping = this.#indices.createMapping(index.metadata.settings, mappingsOf(index.shard.mapping))
    for (const feed of this.#feeds) feed.analyzers(name)
    return names
  }

  #snapshotHost(): SnapshotHost {
    const engine = this
    return {
      version: this.version,
      log: this.#log,
      slices: this.#slices,
      extras: this.extras,
      indices: this.indices,
      get templates() {
        return engine.templates
      },
      get persistentSettings() {
        return engine.#persistentSettings
      },
      get transientSettings() {
        return engine.#transientSettings
      },
      indexNumber: (name) => this.#indices.get(name).number,
      shard: (name) => this.#indices.find(name)?.shard,
      maxSeqNo: (name) => this.#indices.maxSeqNo(this.#indices.get(name)) ?? -1,
      committed: async () => {
        // A moment reads those that wait out of the records.
        await this.#store.writeIds()
        // What is undamaged of a store can be saved.
        const isDamaged = this.#store.failure?.cause instanceof StoreDamagedError
        if (!isDamaged || !this.#store.hasAll) await this.#gate.committed()
      },
      moment: () => this.#store.moment(),
      checkOpens: (metadata) => void this.#indices.createMapping(metadata.settings, metadata.mappings),
      putTemplate: (template) => this.putTemplate(template),
      putClusterSettings: (persistent, transient) => this.putClusterSettings(persistent, transient),
      beginRestore: (metadata) => this.#restores.begin(metadata),
      publish: (restorations, alongside) => this.#restores.publish(restorations, alongside),
    }
  }

  /**
   * Waits until what was written so far can be read from the store's tables, by its id too, or that cannot be.
   *
   * @returns undefined: it can be already
   */
  caughtUp(): Promise<void> | undefined {
    const store = this.#store
    if (!store.isBehind) return undefined
    return store
      .committed()
      .catch(() => {})
      .then(() => store.writeIds())
  }

  async putTemplate(template: IndexTemplate): Promise<void> {
    this.#gate.check()
    this.#templates.set(template.name, template)
    this.#damaged.forget(TEMPLATE_PREFIX + template.name)
    this.#store.putMetadata(TEMPLATE_PREFIX + template.name, template)
    await this.#gate.committed()
  }

  async deleteTemplate(name: string): Promise<void> {
    this.#gate.check()
    this.#templates.delete(name)
    this.#store.removeMetadata(TEMPLATE_PREFIX + name)
    await this.#gate.committed()
  }

  isDamaged(entry: string): boolean {
    return this.#damaged.find(entry) !== undefined
  }

  async removeDamaged(entry: string): Promise<boolean> {
    if (!this.isDamaged(entry)) return false
    this.#gate.check()
    const damaged = this.#damaged.forget(entry)
    if (damaged !== undefined) this.#store.removeEntry(damaged.key)
    await this.#gate.committed()
    return true
  }

  async putClusterSettings(persistent: FlatSettings, transient: FlatSettings): Promise<void> {
    this.#gate.check()
    const intervalBefore = setClusterSetting(USUAL_REFRESH_INTERVAL, this)
    this.#persistentSettings = persistent
    this.#transientSettings = transient
    if (setClusterSetting(USUAL_REFRESH_INTERVAL, this) !== intervalBefore) this.#indices.rescheduleRefreshes()
    for (const feed of this.#feeds) feed.settings(persistent, transient)
    this.#store.putMetadata('settings', persistent)
    await this.#gate.committed()
  }

  mapping(name: string): IndexMapping {
    return this.#indices.mapping(this.#indices.get(name))
  }

  async write(
    name: string,
    operations: readonly DocumentOperation[],
    refresh: boolean | 'wait_for',
  ): Promise<readonly WriteResult[]> {
    const shard = this.#indices.shard(name)
    const { number } = this.#indices.get(name)
    this.#gate.check(name)
    const results: WriteResult[] = []
    for (;;) {
      const applied = shard.apply(operations, results.length, this.#slices.deadline())
      for (const result of applied.results) results.push(result)
      if (results.length === operations.length) break
      const committed = this.#store.whenCommitted()
      await applied.reading
      await this.#slices.next()
      await shard.room()
      this.#gate.check(name)
      if (this.#indices.find(name)?.shard === shard) continue
      // Closed, deleted or loaded again meanwhile: what was applied so far stands or fell with it.
      await this.#gate.written(committed, name)
      // One of the name that was made meanwhile is another.
      if (this.#indices.get(name).number !== number) throw indexNotFound(name, this.version)
      return [...results, ...(await this.write(name, operations.slice(results.length), refresh))]
    }
    const committed = this.#store.whenCommitted()
    await this.#gate.logged(name)
    void committed.then(
      () => shard.committed(results),
      () => {},
    )
    for (const feed of this.#feeds) feed.written(this.#store.isBehind)
    if (refresh !== false) this.#hurry()
    if (refresh === true) await this.#inShard(name, (current) => current.refresh())
    else if (refresh === 'wait_for') {
      const next = shard.nextRefresh()
      // Without a refresh of its own the index would never show the write.
      const index = this.#indices.find(name)
      if (index !== undefined && this.#indices.refreshIntervalMs(index) === undefined)
        await this.#inShard(name, (current) => current.refresh())
      await this.#gate.written(next, name)
    }
    return results
  }

  get(
    name: string,
    type: string | undefined,
    id: string,
    options: { readonly realtime: boolean; readonly isAside?: boolean },
  ): StoredDocument | undefined {
    return this.#indices.shard(name).get(type, id, options)
  }

  async documentsAfter(name: string, after: number, limit: number, to?: number): Promise<DocumentPage> {
    if (this.#store.failure === undefined) await this.#gate.committed(name)
    return this.#indices.shard(name).records.documentsAfter(after, limit, to)
  }

  async recordsAfter(name: string, after: number, limit: number, to?: number): Promise<DocumentPage<StoredRecord>> {
    if (this.#store.failure === undefined) await this.#gate.committed(name)
    return this.#indices.shard(name).records.recordsAfter(after, limit, to)
  }

  maxSeqNo(name: string): number {
    return this.#indices.shard(name).maxSeqNo
  }

  dictionary(name: string): Lz4Dictionary | undefined {
    return this.#indices.shard(name).records.dictionary()
  }

  async adoptDictionary(name: string, learned: LearnedDictionary): Promise<boolean> {
    this.#gate.check(name)
    const isThere = this.#indices.shard(name).records.adoptDictionary(learned)
    await this.#gate.logged(name)
    return isThere
  }

  async refresh(name: string): Promise<void> {
    this.#hurry()
    this.#indices.shard(name)
    await this.#inShard(name, (shard) => shard.refresh())
  }

  /**
   * Does something with the shard of an index; again where a failing disk has put another in its place meanwhile, not at all where
   * it has none any more.
   *
   * @throws {ServiceError} as {@link WriteGate.written}
   */
  async #inShard(name: string, work: (shard: IndexShard) => Promise<void>): Promise<void> {
    for (let shard = this.#indices.find(name)?.shard; shard !== undefined; shard = this.#indices.find(name)?.shard) {
      await this.#gate.written(work(shard), name)
      if (!shard.closed) return
    }
  }

  /** Searches in other threads see records once they are in the tables: who asks for a refresh is about to search. */
  #hurry(): void {
    if (this.#store.isBehind) this.#store.committed().catch(() => {})
  }

  async flush(name: string): Promise<void> {
    this.#indices.shard(name)
    await this.#inShard(name, (shard) => shard.flush())
    // A failing disk takes a shard's files from it.
    this.#gate.check(name)
  }

  async forceMerge(name: string, wanted: ForcedMerge): Promise<void> {
    this.#indices.shard(name)
    await this.#inShard(name, (shard) => shard.forceMerge(wanted))
    this.#gate.check(name)
  }

  searcher(name: string): IndexSearcher {
    return limitedSearcher(this.#indices.shard(name).searcher(), this)
  }

  endedStats(): IndexStats {
    return this.#indices.endedStats()
  }

  stats(name: string): IndexStats {
    return this.#indices.shard(name).stats()
  }

  async close(): Promise<void> {
    await this.snapshots.close()
    this.#gate.close()
    await this.#removals.close()
    await this.#indices.closeAll()
    await this.#store.close()
    this.#lock.release()
  }

  checkStoredQueries(check: StoredQueryCheck): void {
    this.#indices.checkStoredQueries(check)
  }
}
