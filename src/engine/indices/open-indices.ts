import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ServiceError } from '../../errors.ts'
import { LONGEST_TIMER_MS } from '../../longest-timer.ts'
import { exportLoadedDictionaries } from '../analysis/korean/dictionaries.ts'
import type { EngineLog, IndexStats, StoredQueryCheck } from '../engine.ts'
import type { EngineVersion } from '../engine-version.ts'
import { fileFault } from '../file-fault.ts'
import { type DeferredAnalysis, deferredAnalysis } from '../index/deferred-analysis.ts'
import { DocumentThread } from '../index/document-thread.ts'
import type { PortableMapping } from '../index/document-thread-worker.ts'
import { IndexShard, type ShardOptions } from '../index/index-shard.ts'
import { SegmentFiles } from '../index/segment-files.ts'
import { SegmentThread } from '../index/segment-thread.ts'
import { ShardCounters } from '../index/shard-counters.ts'
import { putEmptyManifest, readManifest } from '../index/shard-manifest.ts'
import type { IndexMapping } from '../mapping/index-mapping.ts'
import { DEFAULT_TYPE } from '../mapping/merge-defaults.ts'
import type { MappingListener } from '../mapping/types/parameter.ts'
import type { ClusterSettings } from '../metadata/cluster-settings.ts'
import type { FlatSettings, IndexMetadata } from '../metadata/index-metadata.ts'
import { lostMetadata } from '../metadata/lost-metadata.ts'
import { indexClosed, indexNotFound, noShardAvailable } from '../metadata/missing-index.ts'
import { refreshIntervalMs } from '../metadata/refresh-interval.ts'
import type { ReplicaFeed } from '../replica/replica-feed.ts'
import { DamagedEntry } from '../store/damaged-entries.ts'
import type { LmdbStore } from '../store/lmdb-store.ts'
import type { IndexRemovals } from './index-removals.ts'
import { openMapping } from './open-mapping.ts'

/** An index' metadata as the store keeps it: with the number its documents are filed under. */
interface StoredIndex {
  readonly number: number
  readonly metadata: IndexMetadata
}

/** An index that is there; closed ones have no shard. */
export interface OpenIndex {
  readonly number: number
  metadata: IndexMetadata
  shard: IndexShard | undefined
  refreshTimer: NodeJS.Timeout | undefined
  /** When its shard was opened after it had been closed; ms since 1970. */
  reopenedAt?: number
  /** Settles when the last shard has let go of the files. */
  closing?: Promise<void> | undefined
  /** Key of its entry in the store where that is damaged: neither its number nor its folder is known. */
  readonly damagedEntry?: Buffer
}

const INDEX_PREFIX = 'index/'
const NEXT_NUMBER = 'nextIndexNumber'
/** No index has it. */
const UNKNOWN = 0

/** What indices are opened with. */
export interface OpenIndicesOptions {
  readonly version: EngineVersion
  readonly dataDir: string
  readonly log: EngineLog
  readonly store: LmdbStore
  readonly removals: IndexRemovals
  /** Of threads that read along: told of every change. */
  readonly feeds: ReadonlySet<ReplicaFeed>
  readonly cluster: ClusterSettings
}

/**
 * The indices of an engine: by name, with their metadata in the store and their shards. Changes are queued; whoever makes one
 * waits for the commit.
 */
export class OpenIndices {
  readonly #o: OpenIndicesOptions
  readonly #merges = new SegmentThread()
  readonly #builds = new SegmentThread()
  readonly #documents = new DocumentThread()
  readonly #byName = new Map<string, OpenIndex>()
  /** What shards did that were let go of. */
  readonly #ended = new ShardCounters()
  /** Being restored: nobody sees them yet. */
  readonly #hidden = new Set<OpenIndex>()
  readonly #metadata = new Map<string, IndexMetadata>()
  #storedQueryCheck: StoredQueryCheck | undefined
  #nextNumber = 1

  constructor(options: OpenIndicesOptions) {
    this.#o = options
    mkdirSync(join(options.dataDir, 'indices'), { recursive: true })
  }

  /** By name; closed ones too. */
  get metadata(): ReadonlyMap<string, IndexMetadata> {
    return this.#metadata
  }

  /** Makes everything in memory what the store says. */
  load(): void {
    const { store } = this.#o
    // All of it before anything is let go of: it may be that nothing can be read.
    const stored = [...store.metadata(INDEX_PREFIX)]
    this.#nextNumber = Math.max(this.#nextNumber, this.#readNextNumber())
    for (const index of [...this.#byName.values(), ...this.#hidden]) this.close(index)?.abandon()
    this.#hidden.clear()
    this.#byName.clear()
    this.#metadata.clear()
    for (const [, value] of stored) if (!(value instanceof DamagedEntry)) this.#addStored(value as StoredIndex)
    for (const [, value] of stored) if (value instanceof DamagedEntry) this.#addLost(value)
  }

  #addStored({ number, metadata }: StoredIndex): void {
    const index: OpenIndex = { number, metadata, shard: undefined, refreshTimer: undefined }
    this.#metadata.set(metadata.name, metadata)
    this.#byName.set(metadata.name, index)
    if (metadata.state === 'open') this.#openIfPossible(index)
  }

  /** One that cannot be opened (a file of its analyzers is missing, its records are damaged) keeps none from the others. */
  #openIfPossible(index: OpenIndex): void {
    try {
      this.open(index)
    } catch (error) {
      const { name } = index.metadata
      const { message } = error as Error
      this.#o.log('error', { index: name, error: message }, 'an index cannot be opened, it is unavailable')
      const reason =
        error instanceof ServiceError ? error.reason : 'it cannot be opened, the log of the domain tells why'
      index.metadata = { ...index.metadata, unavailable: { reason, isMetadataLost: false } }
      this.#metadata.set(name, index.metadata)
    }
  }

  /** An index of which there is a damaged entry: it is there, nobody can use it, and nothing of it is touched. */
  #addLost(damage: DamagedEntry): void {
    const metadata = lostMetadata(
      { reason: damage.error.reason, remains: damage.remains },
      damage.name.slice(INDEX_PREFIX.length),
      this.#metadata,
    )
    this.#o.log(
      'error',
      { index: metadata.name, error: damage.error.reason },
      'an index cannot be read, it is unavailable',
    )
    this.#metadata.set(metadata.name, metadata)
    const index: OpenIndex = {
      number: UNKNOWN,
      metadata,
      shard: undefined,
      refreshTimer: undefined,
      damagedEntry: damage.key,
    }
    this.#byName.set(metadata.name, index)
  }

  /** Number of the next index. Where the entry that says so is damaged, one behind all that anything is left of. */
  #readNextNumber(): number {
    const { store, log } = this.#o
    const stored = store.metadataOr(NEXT_NUMBER, ({ reason }) => {
      log('error', { error: reason }, 'the number of the next index is found out anew')
      return Math.max(0, ...store.indexNumbers()) + 1
    })
    return (stored as number | undefined) ?? 1
  }

  /** Removes the files of indices that are no more (a crash between an index' removal and its files'). */
  removeStrayFolders(): void {
    // Whose folder is whose is not known then.
    if (this.#hasLost()) return
    const folder = join(this.#o.dataDir, 'indices')
    const known = new Set([...this.#metadata.values()].map((m) => m.uuid))
    for (const name of readdirSync(folder)) {
      if (!known.has(name)) this.#removeFolder(join(folder, name), {})
    }
  }

  /** What cannot be removed costs space and nothing else: it is a stray, and goes with a later start. @param whose  for the log */
  #removeFolder(folder: string, whose: { readonly index?: string }): void {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch (error) {
      this.#o.log('warn', { ...whose, error: (error as Error).message }, 'files of a removed index stay for now')
    }
  }

  /** Tells a replica of all of them. */
  tellAll(feed: ReplicaFeed): void {
    for (const { number, metadata, shard } of this.#byName.values()) {
      feed.index(number, metadata)
      if (shard !== undefined) feed.view(metadata.name, shard.holdView())
    }
  }

  find(name: string): OpenIndex | undefined {
    return this.#byName.get(name)
  }

  /** @throws {ServiceError} index_not_found_exception */
  get(name: string): OpenIndex {
    const index = this.#byName.get(name)
    if (index !== undefined) return index
    throw indexNotFound(name, this.#o.version)
  }

  /** One whose metadata can be changed. @throws {ServiceError} index_not_found_exception, no_shard_available_action_exception */
  changeable(name: string): OpenIndex {
    const index = this.get(name)
    if (index.metadata.unavailable?.isMetadataLost === true) throw noShardAvailable(index.metadata)
    return index
  }

  /** @throws {ServiceError} index_not_found_exception, index_closed_exception, no_shard_available_action_exception */
  shard(name: string): IndexShard {
    const index = this.get(name)
    if (index.shard !== undefined) return index.shard
    throw index.metadata.unavailable === undefined ? indexClosed(index.metadata) : noShardAvailable(index.metadata)
  }

  /** Numbers up to here have been given to an index' writes; undefined: only its records may tell. */
  maxSeqNo({ number, shard }: OpenIndex): number | undefined {
    return shard?.maxSeqNo ?? readManifest(this.#o.store, number)?.maxSeqNo
  }

  /** Metadata of an index whose documents are inverted otherwise from now on. */
  invertedAnew(index: OpenIndex): Pick<IndexMetadata, 'invertedSince'> {
    return { invertedSince: 1 + (this.maxSeqNo(index) ?? this.#o.store.maxSeqNo(index.number)) }
  }

  /**
   * A new index, with a number of its own; not yet among the others.
   *
   * @throws {ServiceError} cluster_block_exception, file_system_exception where its files have no place
   */
  make(metadata: IndexMetadata): OpenIndex {
    try {
      new SegmentFiles(this.#folder(metadata)).make()
    } catch (error) {
      throw fileFault(error, this.#o.version, metadata.name)
    }
    const index: OpenIndex = { number: this.#nextNumber++, metadata, shard: undefined, refreshTimer: undefined }
    this.#o.store.putMetadata(NEXT_NUMBER, this.#nextNumber)
    putEmptyManifest(this.#o.store, index.number)
    return index
  }

  /** Puts a new index among the others, and into the store. */
  add(index: OpenIndex): void {
    this.#byName.set(index.metadata.name, index)
    this.save(index, index.metadata)
  }

  /** Keeps a new index from being seen, and from the store, until it is shown. */
  hide(index: OpenIndex): void {
    this.#hidden.add(index)
  }

  get hidden(): ReadonlySet<OpenIndex> {
    return this.#hidden
  }

  /** Hides an index no longer; answers false when it was not hidden. */
  unhide(index: OpenIndex): boolean {
    return this.#hidden.delete(index)
  }

  /** Puts an index that was hidden among the others, its searches included. */
  show(index: OpenIndex): void {
    this.unhide(index)
    this.add(index)
    this.#tellView(index)
    this.scheduleRefresh(index)
  }

  /** Gives an index other metadata, in the store too. */
  save(index: OpenIndex, metadata: IndexMetadata): void {
    index.metadata = metadata
    if (this.#hidden.has(index)) return
    this.#metadata.set(metadata.name, metadata)
    const { unavailable: _, ...stored } = metadata
    this.#o.store.putMetadata(INDEX_PREFIX + metadata.name, {
      number: index.number,
      metadata: stored,
    } satisfies StoredIndex)
    for (const feed of this.#o.feeds) feed.index(index.number, metadata)
  }

  /** There is no such index from now on, and its name is free; on disk with the next commit. */
  takeAway(index: OpenIndex): void {
    const { name } = index.metadata
    this.close(index)?.abandon()
    this.#byName.delete(name)
    this.#metadata.delete(name)
    for (const feed of this.#o.feeds) feed.removed(name)
    if (index.damagedEntry !== undefined) {
      this.#o.store.removeEntry(index.damagedEntry)
      if (!this.#hasLost()) this.#announceStray()
      return
    }
    // Named as removed before anything of it is, so that a crash in between cannot leave half an index.
    this.#o.removals.announce(index.number)
    this.#o.store.removeMetadata(INDEX_PREFIX + name)
  }

  #hasLost(): boolean {
    for (const { damagedEntry } of this.#byName.values()) if (damagedEntry !== undefined) return true
    return false
  }

  /** Once the last index is removed whose number is not known, what no index knows was theirs: it goes with the next start, as its files do. */
  #announceStray(): void {
    const known = new Set([...this.#byName.values(), ...this.#hidden].map(({ number }) => number))
    for (const number of this.#o.store.indexNumbers()) if (!known.has(number)) this.#o.removals.announce(number)
  }

  /** Removes what is left of one that was taken away, or never shown. */
  async discard(index: OpenIndex): Promise<void> {
    await index.closing
    if (index.damagedEntry !== undefined) return
    this.#removeFolder(this.#folder(index.metadata), { index: index.metadata.name })
    this.#o.removals.remove(index.number)
  }

  /** @throws {ServiceError} no_shard_available_action_exception when it is not known, or cannot be made */
  mapping(index: OpenIndex): IndexMapping {
    if (index.metadata.unavailable !== undefined) throw noShardAvailable(index.metadata)
    return index.shard?.mapping ?? this.createMapping(index.metadata.settings, index.metadata.mappings)
  }

  /**
   * @param isNew  false: of an index that is there already
   * @throws {ServiceError} when it cannot be made of these
   */
  createMapping(
    settings: FlatSettings,
    mappings: IndexMetadata['mappings'],
    isNew = false,
    heard?: MappingListener,
  ): IndexMapping {
    const { dataDir, version: engineVersion } = this.#o
    return openMapping({ settings, mappings }, { dataDir, engineVersion, isStored: !isNew, heard })
  }

  /** Opens an index' shard. @param given  its mapping, if that is made already */
  open(index: OpenIndex, given?: IndexMapping): void {
    const { metadata, number } = index
    const { store, version, log } = this.#o
    const mapping = given ?? this.createMapping(metadata.settings, metadata.mappings)
    const analysis = deferredAnalysis(metadata.settings, mapping.analyzers, version)
    const shard = new IndexShard({
      store,
      indexNumber: number,
      indexUuid: metadata.uuid,
      files: new SegmentFiles(this.#folder(metadata)),
      merges: this.#merges,
      builds: this.#builds,
      engineVersion: version,
      log,
      mapping,
      analysis,
      ...(analysis === undefined ? {} : { readElsewhere: this.#readElsewhere(index, analysis) }),
      indexName: metadata.name,
      settings: () => index.metadata.settings,
      checkStoredQuery: (json, current) =>
        this.#storedQueryCheck?.(json, { indexName: metadata.name, indexUuid: metadata.uuid, mapping: current }),
      onMappingUpdate: (updated) => this.save(index, { ...index.metadata, mappings: mappingsOf(updated) }),
      onView: () => this.#tellView(index),
    })
    try {
      shard.open()
    } catch (error) {
      shard.abandon()
      throw error
    }
    index.shard = shard
    this.#tellView(index)
    this.scheduleRefresh(index)
  }

  /** Takes documents of an index apart in another thread. */
  #readElsewhere(index: OpenIndex, analysis: DeferredAnalysis): NonNullable<ShardOptions['readElsewhere']> {
    const portable = (mapping: IndexMapping): PortableMapping => ({
      analysis,
      dictionaries: exportLoadedDictionaries(),
      engineVersion: this.#o.version,
      settings: index.metadata.settings,
      mappings: mappingsOf(mapping),
    })
    return (document, mapping) => this.#documents.read({ ...document, mapping, portable: () => portable(mapping) })
  }

  #tellView(index: OpenIndex): void {
    const { metadata, shard } = index
    if (shard === undefined || this.#hidden.has(index)) return
    for (const feed of this.#o.feeds) feed.view(metadata.name, shard.holdView())
  }

  /** What shards did that were let go of since. */
  endedStats(): IndexStats {
    return this.#ended.stats([], () => 0, new Set(), -1, { operations: 0, sizeBytes: 0 })
  }

  /** Takes an index' shard from it, for the caller to close or abandon. */
  close(index: OpenIndex): IndexShard | undefined {
    clearTimeout(index.refreshTimer)
    const shard = index.shard
    index.shard = undefined
    if (shard !== undefined) this.#ended.add(shard.counters)
    return shard
  }

  /** Refreshes at the index' own interval, and only when there is something to show. */
  scheduleRefresh(index: OpenIndex): void {
    clearTimeout(index.refreshTimer)
    const intervalMs = this.refreshIntervalMs(index)
    if (intervalMs === undefined) return
    index.refreshTimer = setTimeout(() => {
      const { shard } = index
      const refreshed = shard?.dirty && !shard.isAwaiting ? shard.refresh() : Promise.resolve()
      refreshed
        .catch((error: Error) => {
          if (shard?.closed) return
          this.#o.log('error', { index: index.metadata.name, error: error.message }, 'refresh failed')
        })
        .finally(() => {
          if (index.shard !== undefined && index.shard === shard) this.scheduleRefresh(index)
        })
    }, intervalMs)
    index.refreshTimer.unref()
  }

  /** The same for all that are open, where the cluster's settings changed. */
  rescheduleRefreshes(): void {
    for (const index of this.#byName.values()) if (index.shard !== undefined) this.scheduleRefresh(index)
  }

  /** Milliseconds; undefined when an index is not refreshed by itself. */
  refreshIntervalMs(index: OpenIndex): number | undefined {
    const intervalMs = refreshIntervalMs(index.metadata.settings, this.#o.cluster, this.#o.version)
    return intervalMs < 0 ? undefined : Math.min(Math.max(intervalMs, 10), LONGEST_TIMER_MS)
  }

  /** Sets who looks at queries that are to be stored. */
  checkStoredQueries(check: StoredQueryCheck): void {
    this.#storedQueryCheck = check
  }

  /** Writes what is not in files yet, and ends the threads. */
  async closeAll(): Promise<void> {
    for (const index of this.#byName.values()) {
      try {
        await this.close(index)?.close()
      } catch (error) {
        this.#o.log('error', { index: index.metadata.name, error: (error as Error).message }, 'flush failed at the end')
      }
    }
    await Promise.all([this.#merges.close(), this.#builds.close(), this.#documents.close()])
  }

  #folder({ uuid }: IndexMetadata): string {
    return join(this.#o.dataDir, 'indices', uuid)
  }
}

/** A mapping as metadata has it. */
export function mappingsOf(mapping: IndexMapping): IndexMetadata['mappings'] {
  const defaults = mapping.mapping(DEFAULT_TYPE)
  return {
    ...Object.fromEntries(mapping.types.map((type) => [type, mapping.mapping(type) ?? {}])),
    ...(defaults === undefined ? {} : { [DEFAULT_TYPE]: defaults }),
  }
}
