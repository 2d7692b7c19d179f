import { join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
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
import { readManifest } from './index/shard-manifest.ts'
import { WorkSlices } from './index/work-slices.ts'
import { checkIndexSort } from './indices/check-index-sort.ts'
import { IndexRemovals } from './indices/index-removals.ts'
import { IndexRestores } from './indices/index-restores.ts'
import { limitedSearcher } from './indices/limited-searcher.ts'
import { mappingsOf, type OpenIndex, OpenIndices } from './indices/open-indices.ts'
import { SegmentExchange } from './indices/segment-exchange.ts'
import { templatedContents } from './indices/templated-contents.ts'
import { WriteGate } from './indices/write-gate.ts'
import type { IndexMapping } from './mapping/index-mapping.ts'
import { checkSimilaritySettings } from './mapping/similarity.ts'
import type { MappingListener } from './mapping/types/parameter.ts'
import { checkActiveShards } from './metadata/check-active-shards.ts'
import { setClusterSetting } from './metadata/cluster-settings.ts'
import { createIndexSettings, newUuid } from './metadata/create-index-settings.ts'
import { checkStreamNames } from './metadata/data-streams.ts'
import { expandReplicas } from './metadata/expand-replicas.ts'
import {
  type AliasMetadata,
  type FlatSettings,
  type IndexMetadata,
  isServed,
  VERIFIED_BEFORE_CLOSE,
} from './metadata/index-metadata.ts'
import { mergeSettings, validateSettingsUpdate } from './metadata/index-settings.ts'
import { isOfInverting } from './metadata/inverting-settings.ts'
import { indexNotFound } from './metadata/missing-index.ts'
import { checkRefreshInterval, USUAL_REFRESH_INTERVAL } from './metadata/refresh-interval.ts'
import { checkWriteIndices } from './metadata/resolve-alias.ts'
import { checkShardLimit, shardsOf } from './metadata/shard-limit.ts'
import { checkOwnAliases, validateAlias } from './metadata/validate-alias.ts'
import { validateNewIndexName } from './metadata/validate-name.ts'
import { ReplicaFeed } from './replica/replica-feed.ts'
import type { ReplicaNews } from './replica/replica-news.ts'
import { checkScriptedSimilarities } from './search/lucene/similarity/scripted-similarity.ts'
import { checkIndicesNotTaken } from './snapshot/check-not-taken.ts'
import { copyRecords } from './snapshot/copy-records.ts'
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

function closedSettings(settings: FlatSettings, version: EngineVersion): FlatSettings {
  return version === 'Elasticsearch_6.8' ? settings : { ...settings, [VERIFIED_BEFORE_CLOSE]: 'true' }
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
    this.snapshots = new SnapshotService(this.#snapshotHost(), roots)
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

  async createIndex(name: string, request: CreateIndexRequest): Promise<IndexMetadata> {
    const { metadata, mapping } = this.#newIndex(name, request)
    const index = this.#indices.make(metadata)
    this.#indices.add(index)
    this.#indices.open(index, mapping)
    const removed = this.#changeAliases(request.alongside ?? [])
    await this.#gate.committed()
    for (const other of removed) await this.#indices.discard(other)
    return metadata
  }

  async copyIndex(source: string, target: string, request: CreateIndexRequest): Promise<IndexMetadata> {
    const { number: indexNumber, metadata: ofSource } = this.#indices.changeable(source)
    const { metadata } = this.#newIndex(target, request)
    const restoration = await this.#restores.begin(metadata)
    try {
      const host = this.#snapshotHost()
      await host.committed()
      // Its records go with it.
      if (this.#indices.get(source).number !== indexNumber) throw indexNotFound(source, this.version)
      const maxSeqNo = host.maxSeqNo(source)
      const moment = host.moment()
      const checkStop = () => this.#gate.check(target)
      const records = { moment, indexNumber, metadata: ofSource, slices: this.#slices, checkStop }
      await copyRecords(records, maxSeqNo, restoration).finally(() => moment.release())
      await this.#restores.publish([restoration])
    } catch (error) {
      await restoration.abandon()
      throw error
    }
    return metadata
  }

  /** @throws {ServiceError} invalid_alias_name_exception for the name of an index that is being restored */
  #checkNotRestored(alias: string): void {
    if (this.#restores.whenOver(alias) !== undefined)
      validateAlias(alias, undefined, this.#restores.taken, this.version)
  }

  whenRestored(name: string): Promise<void> | undefined {
    return this.#restores.whenOver(name)
  }

  /** What an index that is asked for will be. @throws {ServiceError} as {@link createIndex} */
  #newIndex(name: string, request: CreateIndexRequest): { metadata: IndexMetadata; mapping: IndexMapping } {
    this.#gate.check()
    const { taken } = this.#restores
    validateNewIndexName(name, taken, this.version)
    const merged =
      request.origin !== undefined ? request : templatedContents(name, request, this.templates.values(), this.extras)
    const indexUuid = newUuid()
    const creationDate = Date.now()
    const settings = createIndexSettings(merged.settings, {
      name: request.providedName ?? name,
      uuid: indexUuid,
      creationDate,
      engineVersion: this.version,
      replicas: setClusterSetting('cluster.default_number_of_replicas', this),
      origin: request.origin,
    })
    checkRefreshInterval(merged.settings, this)
    checkShardLimit(shardsOf(settings), this, name)
    checkSimilaritySettings(settings, this.version)
    checkScriptedSimilarities(settings, this.version)
    const mapping = this.#indices.createMapping(settings, merged.mappings, true, request.heard)
    checkIndexSort(settings, mapping)
    request.check?.()
    const metadata: IndexMetadata = {
      name,
      uuid: indexUuid,
      creationDate,
      settings,
      mappings: mappingsOf(mapping),
      aliases: merged.aliases,
      state: 'open',
      invertedSince: 0,
      ...(request.dataStream === undefined ? {} : { dataStream: request.dataStream }),
    }
    checkOwnAliases(metadata, this.version)
    checkStreamNames(metadata, this.indices)
    for (const [alias, { isWriteIndex }] of Object.entries(metadata.aliases)) {
      this.#checkNotRestored(alias)
      if (isWriteIndex === true) checkWriteIndices(alias, new Map(this.indices).set(name, metadata))
    }
    return { metadata, mapping }
  }

  async deleteIndices(names: readonly string[]): Promise<void> {
    const asked = names.map((name) => this.#indices.get(name))
    if (asked.length === 0) return
    const room = this.#gate.checkRemoval(names[0] as string)
    if (room !== undefined) await room
    // One of the name that was made meanwhile is another.
    const indices = asked.map(({ metadata: { name }, number }) => {
      const index = this.#indices.get(name)
      if (index.number !== number) throw indexNotFound(name, this.version)
      return index
    })
    this.#checkNotTaken(indices, 'delete')
    for (const index of indices) this.#indices.takeAway(index)
    await this.#gate.committed()
    for (const index of indices) await this.#indices.discard(index)
  }

  async openIndices(names: readonly string[]): Promise<void> {
    const closed = names.map((name) => this.#indices.changeable(name)).filter(({ metadata }) => !isServed(metadata))
    if (closed.length === 0) return
    this.#gate.check(closed[0]?.metadata.name)
    while (closed.some(({ closing }) => closing !== undefined)) await Promise.all(closed.map(({ closing }) => closing))
    // Opened by another, or removed, meanwhile.
    const indices = closed.filter(
      (index) => index.shard === undefined && this.#indices.find(index.metadata.name) === index,
    )
    const mappings = indices.map(({ metadata }) => this.#indices.createMapping(metadata.settings, metadata.mappings))
    const before = indices.map(({ metadata }) => metadata)
    try {
      for (const [i, index] of indices.entries()) {
        const { unavailable: _why, ...metadata } = index.metadata
        const { [VERIFIED_BEFORE_CLOSE]: _, ...settings } = metadata.settings
        this.#indices.save(index, { ...metadata, settings, state: 'open' })
        this.#indices.open(index, mappings[i])
      }
    } catch (error) {
      for (const [i, index] of indices.entries()) {
        this.#indices.close(index)?.abandon()
        this.#indices.save(index, before[i] as IndexMetadata)
      }
      throw error
    }
    await this.#gate.committed()
  }

  async closeIndices(names: readonly string[]): Promise<void> {
    const indices = names
      .map((name) => this.#indices.changeable(name))
      .filter(({ metadata }) => metadata.state === 'open')
    const name = indices[0]?.metadata.name
    if (name === undefined) return
    this.#gate.check(name)
    this.#checkNotTaken(indices, 'close')
    // Their files are written one after another.
    let closing: Promise<void> | undefined
    for (const index of indices) {
      const shard = this.#indices.close(index)
      const { unavailable: _, ...metadata } = index.metadata
      const settings = closedSettings(metadata.settings, this.version)
      this.#indices.save(index, { ...metadata, settings, state: 'close' })
      closing = this.#letGo(index, shard, closing)
      index.closing = closing
    }
    await closing
    await this.#gate.committed(name)
  }

  /** Closes the shard that an index had. @param before  settles when it may begin */
  async #letGo(index: OpenIndex, shard: IndexShard | undefined, before: Promise<void> | undefined): Promise<void> {
    await before
    try {
      await shard?.close()
    } catch (error) {
      // What it could not flush is in the store, and is replayed when it is opened.
      const { message } = error as Error
      this.#log(
        'error',
        { index: index.metadata.name, error: message },
        'an index could not be flushed when it was closed',
      )
    }
    index.closing = undefined
  }

  async putMapping(
    types: ReadonlyMap<string, string>,
    mapping: Readonly<Record<string, unknown>>,
    heard?: MappingListener,
  ): Promise<void> {
    // All of them take it or none does.
    const merged = Array.from(types, ([name, type]) => {
      const index = this.#indices.changeable(name)
      this.#gate.check(name)
      const before = this.#indices.mapping(index)
      return [index, before, before.merge(type, mapping, heard)] as const
    })
    for (const [index, before, own] of merged) {
      const mappings = mappingsOf(own)
      const since = isDeepStrictEqual(mappings, mappingsOf(before)) ? {} : this.#invertedAnew(index)
      if (index.shard !== undefined) index.shard.mapping = own
      this.#indices.save(index, { ...index.metadata, mappings, ...since })
    }
    await this.#gate.committed()
  }

  /** Metadata of an index whose documents are inverted otherwise from now on. */
  #invertedAnew({ shard, number }: OpenIndex): Pick<IndexMetadata, 'invertedSince'> {
    const maxSeqNo = shard?.maxSeqNo ?? readManifest(this.#store, number)?.maxSeqNo
    return { invertedSince: 1 + (maxSeqNo ?? this.#store.maxSeqNo(number)) }
  }

  reloadSearchAnalyzers(name: string): readonly string[] {
    const index = this.#indices.get(name)
    const names = reloadableAnalyzers(index.metadata.settings)
    if (index.shard === undefined || names.length === 0) return []
    index.shard.mapping = this.#indices.createMapping(index.metadata.settings, mappingsOf(index.shard.mapping))
    for (const feed of this.#feeds) feed.analyzers(name)
    return names
  }

  async updateSettings(
    names: readonly string[],
    changes: FlatSettings,
    options: { readonly preserveExisting: boolean },
  ): Promise<void> {
    // All of them take it or none does.
    const indices = names.map((name) => {
      const index = this.#indices.changeable(name)
      this.#gate.check(name)
      return index
    })
    validateSettingsUpdate(
      changes,
      indices.map(({ metadata }) => metadata),
      this.version,
    )
    checkRefreshInterval(changes, this)
    const changed = indices.map((index) => {
      const settings = expandReplicas(mergeSettings(index.metadata.settings, changes, options))
      checkActiveShards(settings)
      // A closed index must open again.
      if (index.metadata.state === 'close') this.#indices.createMapping(settings, index.metadata.mappings)
      return [index, settings, index.shard?.mapping.withSettings(settings)] as const
    })
    for (const [index, settings, mapping] of changed) {
      const since = Object.keys(changes).some(isOfInverting) ? this.#invertedAnew(index) : {}
      this.#indices.save(index, { ...index.metadata, settings, ...since })
      if (index.shard === undefined || mapping === undefined) continue
      index.shard.mapping = mapping
      this.#indices.scheduleRefresh(index)
    }
    await this.#gate.committed()
  }

  async updateAliases(actions: readonly AliasAction[]): Promise<void> {
    this.#gate.check()
    const removed = this.#changeAliases(actions)
    await this.#gate.committed()
    for (const index of removed) await this.#indices.discard(index)
  }

  /** Answers the indices that are taken away, to be discarded once that is on disk. */
  #changeAliases(actions: readonly AliasAction[]): ReadonlySet<OpenIndex> {
    const changed = new Map<string, Record<string, AliasMetadata>>()
    const removed = new Set<OpenIndex>()
    for (const action of actions) {
      const index = this.#indices.get(action.index)
      if (action.kind === 'remove_index') {
        removed.add(index)
        continue
      }
      const { metadata } = this.#indices.changeable(action.index)
      const aliases = changed.get(action.index) ?? { ...metadata.aliases }
      if (action.kind === 'add') this.#checkNotRestored(action.alias)
      if (action.kind === 'add') aliases[action.alias] = action.metadata
      else delete aliases[action.alias]
      changed.set(action.index, aliases)
    }
    this.#checkNotTaken([...removed], 'delete')
    for (const [name, aliases] of changed) {
      const index = this.#indices.get(name)
      this.#indices.save(index, { ...index.metadata, aliases })
    }
    for (const index of removed) this.#indices.takeAway(index)
    return removed
  }

  #checkNotTaken(indices: readonly OpenIndex[], change: 'delete' | 'close'): void {
    const all = indices.map(({ metadata }) => metadata)
    checkIndicesNotTaken(this.snapshots.running(), all, change)
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
      maxSeqNo: (name) => {
        const { number, shard } = this.#indices.get(name)
        return shard?.maxSeqNo ?? readManifest(this.#store, number)?.maxSeqNo ?? -1
      },
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

/** Undefined: there is none yet, or a damaged one, in place of which another does. */
function storedNode(store: LmdbStore, log: EngineLog): { clusterUuid: string; nodeId: string } | undefined {
  return storedOr('node', undefined, store, log) as { clusterUuid: string; nodeId: string } | undefined
}

/** Settings that cannot be read may have kept something from being changed: until others are put, nothing can be. */
function storedSettings(store: LmdbStore, log: EngineLog): FlatSettings {
  const stored = storedOr('settings', { 'cluster.blocks.read_only': 'true' }, store, log)
  return (stored as FlatSettings | undefined) ?? {}
}

/** An entry of the store, or what stands for a damaged one. */
function storedOr(name: string, otherwise: unknown, store: LmdbStore, log: EngineLog): unknown {
  return store.metadataOr(name, ({ reason }) => {
    log('error', { file: join(store.folder, STORE_FILE), instead: otherwise }, reason)
    return otherwise
  })
}

/** Logs what a crash had left in the store's log. */
function tellReplayed({ replayed: { groups, gap, torn }, failure, folder }: LmdbStore, log: EngineLog): void {
  const place = failure === undefined ? 'are in the store now' : 'stay there'
  if (groups > 0) log('info', { groups }, `writes that a crash had left in the log ${place}`)
  const files = [join(folder, 'wal.0'), join(folder, 'wal.1')]
  if (gap)
    log(
      'error',
      { files },
      'the write-ahead log is damaged or missing: acknowledged writes that it had are lost, restore what was written last',
    )
  if (torn)
    log(
      'warn',
      { files },
      'the last write in the write-ahead log is not whole: it was cut off before it was acknowledged, or damaged since',
    )
}
