import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { reloadableAnalyzers } from './analysis/korean/reloadable-analyzers.ts'
import type {
  AliasAction,
  CreateIndexRequest,
  Engine,
  EngineLog,
  EngineOptions,
  IndexStats,
  IndexTemplate,
  StoredQueryCheck,
} from './engine.ts'
import type { EngineVersion } from './engine-version.ts'
import { StoredExtras } from './extra-store.ts'
import { deferredAnalysis } from './index/deferred-analysis.ts'
import type { DocumentOperation, WriteResult } from './index/document-operation.ts'
import type { DocumentPage, IndexSearcher, StoredDocument } from './index/index-searcher.ts'
import { IndexShard } from './index/index-shard.ts'
import { SegmentFiles } from './index/segment-files.ts'
import { SegmentThread } from './index/segment-thread.ts'
import { readManifest } from './index/shard-manifest.ts'
import { WorkSlices } from './index/work-slices.ts'
import { IndexRemovals } from './index-removals.ts'
import { limitedSearcher } from './limited-searcher.ts'
import type { IndexMapping } from './mapping/index-mapping.ts'
import { checkActiveShards } from './metadata/check-active-shards.ts'
import { createIndexSettings, newUuid } from './metadata/create-index-settings.ts'
import { expandReplicas } from './metadata/expand-replicas.ts'
import type { AliasMetadata, FlatSettings, IndexMetadata } from './metadata/index-metadata.ts'
import { indexSettingMs, mergeSettings, validateSettingsUpdate } from './metadata/index-settings.ts'
import { indexClosed, indexNotFound } from './metadata/missing-index.ts'
import { validateNewIndexName } from './metadata/validate-name.ts'
import { openMapping } from './open-mapping.ts'
import { ReplicaFeed } from './replica/replica-feed.ts'
import type { ReplicaNews } from './replica/replica-news.ts'
import { RestoringIndex } from './snapshot/restoring-index.ts'
import type { IndexRestoration, SnapshotHost } from './snapshot/snapshot-host.ts'
import { SnapshotService } from './snapshot/snapshot-service.ts'
import { type DataLock, lockDataDirectory } from './store/data-lock.ts'
import { LmdbStore } from './store/lmdb-store.ts'
import { templatedContents } from './templated-contents.ts'
import { WriteGate } from './write-gate.ts'

/** An index' metadata as the store keeps it: with the number its documents are filed under. */
interface StoredIndex {
  readonly number: number
  readonly metadata: IndexMetadata
}

/** An index that is there; closed ones have no shard. */
interface OpenIndex {
  readonly number: number
  metadata: IndexMetadata
  shard: IndexShard | undefined
  refreshTimer: NodeJS.Timeout | undefined
  /** Settles when the last shard has let go of the files. */
  closing?: Promise<void> | undefined
}

/**
 * Opens the engine on a data directory.
 *
 * @param beforeWrite  called before each write to disk (tests of failing disks)
 * @throws {Error} when another process has it open, or a newer version wrote it
 */
export async function openEngine(options: EngineOptions, beforeWrite?: () => void): Promise<EmbeddedEngine> {
  mkdirSync(options.dataDir, { recursive: true })
  const lock = await lockDataDirectory(options.dataDir)
  try {
    return new EmbeddedEngine(
      options,
      lock,
      new LmdbStore(options.dataDir, beforeWrite === undefined ? {} : { beforeWrite }),
    )
  } catch (error) {
    lock.release()
    throw error
  }
}

/** {@link Engine} over LMDB and segments in one process. */
export class EmbeddedEngine implements Engine {
  readonly version: EngineVersion
  readonly clusterUuid: string
  readonly nodeId: string
  readonly extras: StoredExtras
  readonly snapshots: SnapshotService
  readonly #dataDir: string
  readonly #log: EngineLog
  readonly #lock: DataLock
  readonly #store: LmdbStore
  readonly #merges = new SegmentThread()
  readonly #builds = new SegmentThread()
  readonly #slices = new WorkSlices()
  readonly #gate: WriteGate
  readonly #removals: IndexRemovals
  readonly #indices = new Map<string, OpenIndex>()
  /** Being restored: nobody sees them yet. */
  readonly #hidden = new Set<OpenIndex>()
  readonly #metadata = new Map<string, IndexMetadata>()
  #storedQueryCheck: StoredQueryCheck | undefined
  readonly #templates = new Map<string, IndexTemplate>()
  #persistentSettings: FlatSettings = {}
  #transientSettings: FlatSettings = {}
  #nextNumber = 1
  /** Of threads that read along. */
  readonly #feeds = new Set<ReplicaFeed>()

  constructor(options: EngineOptions, lock: DataLock, store: LmdbStore) {
    this.version = options.engineVersion
    this.#dataDir = options.dataDir
    this.#log = options.log
    this.#lock = lock
    this.#store = store
    tellReplayed(store, options.log)
    this.#removals = new IndexRemovals(store, options.log)
    this.#gate = new WriteGate({
      store,
      dataDir: options.dataDir,
      version: options.engineVersion,
      log: options.log,
      onFailure: () => this.#load(),
      // Restores that were cut short, and what could not be removed meanwhile.
      onRecovery: () => this.#removals.resume(),
    })
    const node = (store.getMetadata('node') as { clusterUuid: string; nodeId: string } | undefined) ?? {
      clusterUuid: newUuid(),
      nodeId: newUuid(),
    }
    if (store.getMetadata('node') === undefined) store.putMetadata('node', node)
    mkdirSync(join(options.dataDir, 'indices'), { recursive: true })
    this.clusterUuid = node.clusterUuid
    this.nodeId = node.nodeId
    store.onCommit = () => {
      for (const feed of this.#feeds) feed.committed(store.isBehind)
    }
    this.extras = new StoredExtras(store, () => this.#gate.committed())
    const roots = (options.repositoryPaths ?? []).filter((path) => path !== '').map((path) => resolve(path))
    this.snapshots = new SnapshotService(this.#snapshotHost(), roots)
    // Deletions that a crash cut short.
    this.#removals.resume()
    this.#load()
    this.#removeStrayFolders()
  }

  /** Makes everything in memory what the store says. */
  #load(): void {
    const store = this.#store
    this.extras.load()
    this.#persistentSettings = (store.getMetadata('settings') as FlatSettings | undefined) ?? {}
    this.#nextNumber = Math.max(this.#nextNumber, (store.getMetadata('nextIndexNumber') as number | undefined) ?? 1)
    this.#templates.clear()
    for (const [, value] of store.metadata('template/'))
      this.#templates.set((value as IndexTemplate).name, value as IndexTemplate)
    for (const index of [...this.#indices.values(), ...this.#hidden]) this.#closeShard(index)?.abandon()
    this.#hidden.clear()
    this.#indices.clear()
    this.#metadata.clear()
    for (const [, value] of store.metadata('index/')) {
      const { number, metadata } = value as StoredIndex
      this.#metadata.set(metadata.name, metadata)
      const index: OpenIndex = { number, metadata, shard: undefined, refreshTimer: undefined }
      this.#indices.set(metadata.name, index)
      if (metadata.state === 'open') this.#openOrClose(index)
    }
    for (const feed of this.#feeds) this.#tellAll(feed)
  }

  /** One that cannot be opened (a file of its analyzers is missing, its records are damaged) keeps none from the others. */
  #openOrClose(index: OpenIndex): void {
    try {
      this.#openShard(index)
    } catch (error) {
      const { name } = index.metadata
      this.#log(
        'error',
        { index: name, error: (error as Error).message },
        'an index cannot be opened, it counts as closed',
      )
      index.metadata = { ...index.metadata, state: 'close' }
      this.#metadata.set(name, index.metadata)
    }
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
    for (const { number, metadata, shard } of this.#indices.values()) {
      feed.index(number, metadata)
      if (shard !== undefined) feed.view(metadata.name, shard.holdView())
    }
  }

  /** Removes the files of indices that are no more (a crash between an index' removal and its files'). */
  #removeStrayFolders(): void {
    const folder = join(this.#dataDir, 'indices')
    const known = new Set([...this.#metadata.values()].map((m) => m.uuid))
    for (const name of readdirSync(folder)) {
      if (!known.has(name)) rmSync(join(folder, name), { recursive: true, force: true })
    }
  }

  get indices(): ReadonlyMap<string, IndexMetadata> {
    return this.#metadata
  }
  get templates(): ReadonlyMap<string, IndexTemplate> {
    return this.#templates
  }
  get persistentSettings(): FlatSettings {
    return this.#persistentSettings
  }
  get transientSettings(): FlatSettings {
    return this.#transientSettings
  }

  async createIndex(name: string, request: CreateIndexRequest): Promise<IndexMetadata> {
    this.#gate.check()
    validateNewIndexName(name, this.#metadata, this.version)
    const merged = request.withoutTemplates
      ? request
      : templatedContents(name, request, this.#templates.values(), this.extras)
    const indexUuid = newUuid()
    const creationDate = Date.now()
    const settings = createIndexSettings(merged.settings, {
      name: request.providedName ?? name,
      uuid: indexUuid,
      creationDate,
      engineVersion: this.version,
    })
    const mapping = this.#createMapping(settings, merged.mappings)
    const metadata: IndexMetadata = {
      name,
      uuid: indexUuid,
      creationDate,
      settings,
      mappings: mappingsOf(mapping),
      aliases: merged.aliases,
      state: 'open',
    }
    const index: OpenIndex = { number: this.#nextNumber++, metadata, shard: undefined, refreshTimer: undefined }
    this.#store.putMetadata('nextIndexNumber', this.#nextNumber)
    this.#indices.set(name, index)
    this.#save(index, metadata)
    this.#openShard(index, mapping)
    await this.#gate.committed()
    return metadata
  }

  async deleteIndex(name: string): Promise<void> {
    const index = this.#get(name)
    this.#gate.check(name)
    this.#takeAway(index)
    await this.#gate.committed()
    await this.#discard(index)
  }

  /** There is no such index from now on, and its name is free; on disk with the next commit. */
  #takeAway(index: OpenIndex): void {
    const { name } = index.metadata
    this.#closeShard(index)?.abandon()
    this.#indices.delete(name)
    this.#metadata.delete(name)
    for (const feed of this.#feeds) feed.removed(name)
    // Named as removed before anything of it is, so that a crash in between cannot leave half an index.
    this.#removals.announce(index.number)
    this.#store.removeMetadata(`index/${name}`)
  }

  /** Removes what is left of one that was taken away. */
  async #discard(index: OpenIndex): Promise<void> {
    await index.closing
    this.#files(index).remove()
    this.#removals.remove(index.number)
  }

  async openIndex(name: string): Promise<void> {
    const index = this.#get(name)
    if (index.metadata.state === 'open') return
    this.#gate.check(name)
    await index.closing
    if (index.shard !== undefined || this.#indices.get(name) !== index) return
    const mapping = this.#mappingOf(index)
    this.#save(index, { ...index.metadata, state: 'open' })
    this.#openShard(index, mapping)
    await this.#gate.committed()
  }

  async closeIndex(name: string): Promise<void> {
    const index = this.#get(name)
    if (index.metadata.state === 'close') return
    this.#gate.check(name)
    const shard = this.#closeShard(index)
    this.#save(index, { ...index.metadata, state: 'close' })
    index.closing = shard?.close().catch((error: Error) => {
      // What it could not flush is in the store, and is replayed when it is opened.
      this.#log('error', { index: name, error: error.message }, 'an index could not be flushed when it was closed')
    })
    await index.closing
    await this.#gate.committed(name)
  }

  async putMapping(name: string, type: string, mapping: Readonly<Record<string, unknown>>): Promise<void> {
    const index = this.#get(name)
    this.#gate.check(name)
    const merged = this.#mappingOf(index).merge(type, mapping)
    if (index.shard !== undefined) index.shard.mapping = merged
    this.#save(index, { ...index.metadata, mappings: mappingsOf(merged) })
    await this.#gate.committed()
  }

  reloadSearchAnalyzers(name: string): readonly string[] {
    const index = this.#get(name)
    const names = reloadableAnalyzers(index.metadata.settings)
    if (index.shard === undefined || names.length === 0) return []
    index.shard.mapping = this.#createMapping(index.metadata.settings, mappingsOf(index.shard.mapping))
    for (const feed of this.#feeds) feed.analyzers(name)
    return names
  }

  async updateSettings(
    name: string,
    changes: FlatSettings,
    options: { readonly preserveExisting: boolean },
  ): Promise<void> {
    const index = this.#get(name)
    this.#gate.check(name)
    validateSettingsUpdate(changes, [index.metadata], this.version)
    const settings = expandReplicas(mergeSettings(index.metadata.settings, changes, options))
    checkActiveShards(settings)
    // A closed index must open again.
    if (index.metadata.state === 'close') this.#createMapping(settings, index.metadata.mappings)
    this.#save(index, { ...index.metadata, settings })
    if (index.shard !== undefined) {
      index.shard.mapping = index.shard.mapping.withSettings(settings)
      this.#scheduleRefresh(index)
    }
    await this.#gate.committed()
  }

  async updateAliases(actions: readonly AliasAction[]): Promise<void> {
    this.#gate.check()
    const changed = new Map<string, Record<string, AliasMetadata>>()
    const removed = new Set<OpenIndex>()
    for (const action of actions) {
      const index = this.#get(action.index)
      if (action.kind === 'remove_index') {
        removed.add(index)
        continue
      }
      const aliases = changed.get(action.index) ?? { ...index.metadata.aliases }
      if (action.kind === 'add') aliases[action.alias] = action.metadata
      else delete aliases[action.alias]
      changed.set(action.index, aliases)
    }
    for (const [name, aliases] of changed) {
      const index = this.#get(name)
      this.#save(index, { ...index.metadata, aliases })
    }
    for (const index of removed) this.#takeAway(index)
    await this.#gate.committed()
    for (const index of removed) await this.#discard(index)
  }

  #snapshotHost(): SnapshotHost {
    const engine = this
    return {
      version: this.version,
      log: this.#log,
      slices: this.#slices,
      extras: this.extras,
      indices: this.#metadata,
      templates: this.#templates,
      get persistentSettings() {
        return engine.#persistentSettings
      },
      get transientSettings() {
        return engine.#transientSettings
      },
      indexNumber: (name) => this.#get(name).number,
      maxSeqNo: (name) => {
        const { number, shard } = this.#get(name)
        return shard?.maxSeqNo ?? readManifest(this.#store, number)?.maxSeqNo ?? -1
      },
      committed: () => this.#gate.committed(),
      moment: () => this.#store.moment(),
      checkOpens: (metadata) => void this.#createMapping(metadata.settings, metadata.mappings),
      putTemplate: (template) => this.putTemplate(template),
      putClusterSettings: (persistent, transient) => this.putClusterSettings(persistent, transient),
      beginRestore: (metadata) => this.#beginRestore(metadata),
      publish: (restorations) => this.#publish(restorations),
    }
  }

  async #beginRestore(metadata: IndexMetadata): Promise<IndexRestoration> {
    this.#gate.check()
    const index: OpenIndex = { number: this.#nextNumber++, metadata, shard: undefined, refreshTimer: undefined }
    this.#store.putMetadata('nextIndexNumber', this.#nextNumber)
    // Until it is published it counts as removed: a start after a crash leaves nothing of it.
    this.#removals.announce(index.number)
    await this.#gate.committed()
    this.#hidden.add(index)
    this.#openShard(index)
    return new RestoringIndex({
      number: index.number,
      metadata: () => index.metadata,
      shard: index.shard as unknown as IndexShard,
      slices: this.#slices,
      checkWritable: () => this.#gate.check(metadata.name),
      committed: () => this.#gate.committed(metadata.name),
      abandon: async () => {
        if (!this.#hidden.delete(index)) return
        this.#closeShard(index)?.abandon()
        this.#files(index).remove()
        this.#removals.remove(index.number)
      },
    })
  }

  async #publish(restorations: readonly IndexRestoration[]): Promise<void> {
    await Promise.all(restorations.map(({ metadata }) => this.#indices.get(metadata.name)?.closing))
    this.#gate.check()
    const numbers = new Set(restorations.map(({ number }) => number))
    const indices = [...this.#hidden].filter(({ number }) => numbers.has(number))
    if (indices.length !== numbers.size) throw new Error('an index was closed while it was being restored')
    const others = new Map(this.#metadata)
    for (const { metadata } of indices)
      if (this.#metadata.get(metadata.name)?.state === 'close') others.delete(metadata.name)
    for (const { metadata } of indices) validateNewIndexName(metadata.name, others, this.version)
    const replaced: OpenIndex[] = []
    for (const index of indices) {
      const { name } = index.metadata
      const before = this.#indices.get(name)
      if (before !== undefined) {
        replaced.push(before)
        this.#takeAway(before)
      }
      this.#hidden.delete(index)
      this.#removals.revoke(index.number)
      this.#indices.set(name, index)
      this.#save(index, index.metadata)
      this.#tellView(index)
      this.#scheduleRefresh(index)
    }
    await this.#gate.committed()
    for (const index of replaced) await this.#discard(index)
  }

  async putTemplate(template: IndexTemplate): Promise<void> {
    this.#gate.check()
    this.#templates.set(template.name, template)
    this.#store.putMetadata(`template/${template.name}`, template)
    await this.#gate.committed()
  }

  async deleteTemplate(name: string): Promise<void> {
    this.#gate.check()
    this.#templates.delete(name)
    this.#store.removeMetadata(`template/${name}`)
    await this.#gate.committed()
  }

  async putClusterSettings(persistent: FlatSettings, transient: FlatSettings): Promise<void> {
    this.#gate.check()
    this.#persistentSettings = persistent
    this.#transientSettings = transient
    for (const feed of this.#feeds) feed.settings(persistent, transient)
    this.#store.putMetadata('settings', persistent)
    await this.#gate.committed()
  }

  mapping(name: string): IndexMapping {
    return this.#mappingOf(this.#get(name))
  }

  async write(
    name: string,
    operations: readonly DocumentOperation[],
    refresh: boolean | 'wait_for',
  ): Promise<readonly WriteResult[]> {
    const shard = this.#shard(name)
    this.#gate.check(name)
    const results: WriteResult[] = []
    for (;;) {
      for (const result of shard.apply(operations, results.length, this.#slices.deadline())) results.push(result)
      if (results.length === operations.length) break
      const committed = this.#store.whenCommitted()
      await this.#slices.next()
      await shard.room()
      this.#gate.check(name)
      // Closed, deleted or loaded again meanwhile: what was applied so far stands or fell with it.
      if (shard.closed) await this.#gate.written(committed, name)
      if (this.#shard(name) !== shard)
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
    if (refresh === true) await shard.refresh()
    else if (refresh === 'wait_for') {
      const next = shard.nextRefresh()
      // Without a refresh of its own the index would never show the write.
      if (this.#refreshIntervalMs(this.#get(name)) === undefined) await shard.refresh()
      await next
    }
    return results
  }

  get(
    name: string,
    type: string | undefined,
    id: string,
    options: { readonly realtime: boolean },
  ): StoredDocument | undefined {
    return this.#shard(name).get(type, id, options)
  }

  async documentsAfter(name: string, after: number, limit: number): Promise<DocumentPage> {
    if (this.#store.failure === undefined) await this.#gate.committed(name)
    return this.#shard(name).documentsAfter(after, limit)
  }

  async refresh(name: string): Promise<void> {
    this.#hurry()
    await this.#shard(name).refresh()
  }

  /** Searches in other threads see records once they are in the tables: who asks for a refresh is about to search. */
  #hurry(): void {
    if (this.#store.isBehind) this.#store.committed().catch(() => {})
  }

  async flush(name: string): Promise<void> {
    await this.#shard(name).flush()
  }

  async forceMerge(
    name: string,
    options: { readonly maxNumSegments: number | undefined; readonly onlyExpungeDeletes: boolean },
  ): Promise<void> {
    await this.#shard(name).forceMerge(options)
  }

  searcher(name: string): IndexSearcher {
    return limitedSearcher(this.#shard(name).searcher(), this)
  }

  stats(name: string): IndexStats {
    return this.#shard(name).stats()
  }

  async close(): Promise<void> {
    await this.snapshots.close()
    this.#gate.close()
    await this.#removals.close()
    for (const index of this.#indices.values()) {
      try {
        await this.#closeShard(index)?.close()
      } catch (error) {
        this.#log('error', { index: index.metadata.name, error: (error as Error).message }, 'flush failed at the end')
      }
    }
    await Promise.all([this.#merges.close(), this.#builds.close()])
    await this.#store.close()
    this.#lock.release()
  }

  #get(name: string): OpenIndex {
    const index = this.#indices.get(name)
    if (index !== undefined) return index
    throw indexNotFound(name, this.version)
  }

  #shard(name: string): IndexShard {
    const index = this.#get(name)
    if (index.shard !== undefined) return index.shard
    throw indexClosed(index.metadata)
  }

  checkStoredQueries(check: StoredQueryCheck): void {
    this.#storedQueryCheck = check
  }

  #mappingOf(index: OpenIndex): IndexMapping {
    return index.shard?.mapping ?? this.#createMapping(index.metadata.settings, index.metadata.mappings)
  }

  #createMapping(settings: FlatSettings, mappings: IndexMetadata['mappings']): IndexMapping {
    return openMapping({ settings, mappings }, { dataDir: this.#dataDir, engineVersion: this.version })
  }

  #openShard(index: OpenIndex, given?: IndexMapping): void {
    const { metadata, number } = index
    const mapping = given ?? this.#createMapping(metadata.settings, metadata.mappings)
    const shard = new IndexShard({
      store: this.#store,
      indexNumber: number,
      indexUuid: metadata.uuid,
      files: this.#files(index),
      merges: this.#merges,
      builds: this.#builds,
      engineVersion: this.version,
      log: this.#log,
      mapping,
      analysis: deferredAnalysis(metadata.settings, mapping.analyzers, this.version),
      indexName: metadata.name,
      settings: () => index.metadata.settings,
      checkStoredQuery: (json, current) =>
        this.#storedQueryCheck?.(json, { indexName: metadata.name, indexUuid: metadata.uuid, mapping: current }),
      onMappingUpdate: (updated) => this.#save(index, { ...index.metadata, mappings: mappingsOf(updated) }),
      onView: () => this.#tellView(index),
    })
    shard.open()
    index.shard = shard
    this.#tellView(index)
    this.#scheduleRefresh(index)
  }

  #tellView(index: OpenIndex): void {
    const { metadata, shard } = index
    if (shard === undefined || this.#hidden.has(index)) return
    for (const feed of this.#feeds) feed.view(metadata.name, shard.holdView())
  }

  #closeShard(index: OpenIndex): IndexShard | undefined {
    clearTimeout(index.refreshTimer)
    const shard = index.shard
    index.shard = undefined
    return shard
  }

  /** Refreshes at the index' own interval, and only when there is something to show. */
  #scheduleRefresh(index: OpenIndex): void {
    clearTimeout(index.refreshTimer)
    const intervalMs = this.#refreshIntervalMs(index)
    if (intervalMs === undefined) return
    index.refreshTimer = setTimeout(() => {
      const { shard } = index
      const refreshed = shard?.dirty ? shard.refresh() : Promise.resolve()
      refreshed
        .catch((error: Error) => {
          if (!shard?.closed) this.#log('error', { index: index.metadata.name, error: error.message }, 'refresh failed')
        })
        .finally(() => {
          if (index.shard !== undefined && index.shard === shard) this.#scheduleRefresh(index)
        })
    }, intervalMs)
    index.refreshTimer.unref()
  }

  #refreshIntervalMs(index: OpenIndex): number | undefined {
    const intervalMs = indexSettingMs(index.metadata.settings, 'index.refresh_interval', this.version)
    return intervalMs < 0 ? undefined : Math.max(intervalMs, 10)
  }

  #save(index: OpenIndex, metadata: IndexMetadata): void {
    index.metadata = metadata
    if (this.#hidden.has(index)) return
    this.#metadata.set(metadata.name, metadata)
    this.#store.putMetadata(`index/${metadata.name}`, { number: index.number, metadata } satisfies StoredIndex)
    for (const feed of this.#feeds) feed.index(index.number, metadata)
  }

  #files(index: OpenIndex): SegmentFiles {
    return new SegmentFiles(join(this.#dataDir, 'indices', index.metadata.uuid))
  }
}

/** Logs what a crash had left in the store's log. */
function tellReplayed({ replayed: { groups, gap } }: LmdbStore, log: EngineLog): void {
  if (groups > 0) log('info', { groups }, 'writes that a crash had left in the log are in the store now')
  if (gap) log('error', {}, 'the write-ahead log is damaged: what it had behind the damage is lost')
}

function mappingsOf(mapping: IndexMapping): IndexMetadata['mappings'] {
  return Object.fromEntries(mapping.types.map((type) => [type, mapping.mapping(type) ?? {}]))
}
