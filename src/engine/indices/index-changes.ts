import { isDeepStrictEqual } from 'node:util'
import type { AliasAction, CreateIndexRequest, Engine } from '../engine.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexShard } from '../index/index-shard.ts'
import type { IndexMapping } from '../mapping/index-mapping.ts'
import { checkSimilaritySettings } from '../mapping/similarity.ts'
import type { MappingListener } from '../mapping/types/parameter.ts'
import { checkActiveShards } from '../metadata/check-active-shards.ts'
import { setClusterSetting } from '../metadata/cluster-settings.ts'
import { createIndexSettings, newUuid } from '../metadata/create-index-settings.ts'
import { checkStreamNames } from '../metadata/data-streams.ts'
import { expandReplicas } from '../metadata/expand-replicas.ts'
import {
  type AliasMetadata,
  type FlatSettings,
  type IndexMetadata,
  isServed,
  VERIFIED_BEFORE_CLOSE,
} from '../metadata/index-metadata.ts'
import { mergeSettings, validateSettingsUpdate } from '../metadata/index-settings.ts'
import { isOfInverting } from '../metadata/inverting-settings.ts'
import { indexNotFound } from '../metadata/missing-index.ts'
import { checkRefreshInterval } from '../metadata/refresh-interval.ts'
import { checkWriteIndices } from '../metadata/resolve-alias.ts'
import { checkShardLimit, shardsOf } from '../metadata/shard-limit.ts'
import { checkOwnAliases, validateAlias } from '../metadata/validate-alias.ts'
import { validateNewIndexName } from '../metadata/validate-name.ts'
import { checkScriptedSimilarities } from '../search/lucene/similarity/scripted-similarity.ts'
import { checkIndicesNotTaken } from '../snapshot/check-not-taken.ts'
import { copyRecords } from '../snapshot/copy-records.ts'
import type { SnapshotHost } from '../snapshot/snapshot-host.ts'
import type { Snapshots } from '../snapshot/snapshots.ts'
import { checkIndexSort } from './check-index-sort.ts'
import type { IndexRestores } from './index-restores.ts'
import { mappingsOf, type OpenIndex, type OpenIndices } from './open-indices.ts'
import { templatedContents } from './templated-contents.ts'
import type { WriteGate } from './write-gate.ts'

/** What indices are changed with. */
export interface IndexChangesOptions {
  /** What they are part of. */
  readonly host: SnapshotHost
  readonly indices: OpenIndices
  readonly restores: IndexRestores
  readonly gate: WriteGate
  /** Those under way hold the indices they take. */
  readonly snapshots: Pick<Snapshots, 'running'>
}

/** Makes indices, removes, opens and closes them, and changes their mappings, settings and aliases; each is on disk when it settles. */
export class IndexChanges {
  readonly #host: SnapshotHost
  readonly #indices: OpenIndices
  readonly #restores: IndexRestores
  readonly #gate: WriteGate
  readonly #snapshots: IndexChangesOptions['snapshots']

  constructor({ host, indices, restores, gate, snapshots }: IndexChangesOptions) {
    this.#host = host
    this.#indices = indices
    this.#restores = restores
    this.#gate = gate
    this.#snapshots = snapshots
  }

  /** {@link Engine.createIndex} */
  async create(name: string, request: CreateIndexRequest): Promise<IndexMetadata> {
    const { metadata, mapping } = this.#newIndex(name, request)
    const index = this.#indices.make(metadata)
    this.#indices.add(index)
    this.#indices.open(index, mapping)
    const removed = this.#changeAliases(request.alongside ?? [])
    await this.#gate.committed()
    for (const other of removed) await this.#indices.discard(other)
    return metadata
  }

  /** {@link Engine.copyIndex} */
  async copy(source: string, target: string, request: CreateIndexRequest): Promise<IndexMetadata> {
    const { number: indexNumber, metadata: ofSource } = this.#indices.changeable(source)
    const { metadata } = this.#newIndex(target, request)
    const restoration = await this.#restores.begin(metadata)
    try {
      const host = this.#host
      await host.committed()
      // Its records go with it.
      if (this.#indices.get(source).number !== indexNumber) throw indexNotFound(source, this.#host.version)
      const maxSeqNo = host.maxSeqNo(source)
      const moment = host.moment()
      const checkStop = () => this.#gate.check(target)
      const records = { moment, indexNumber, metadata: ofSource, slices: host.slices, checkStop }
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
      validateAlias(alias, undefined, this.#restores.taken, this.#host.version)
  }

  /** What an index that is asked for will be. @throws {ServiceError} as {@link create} */
  #newIndex(name: string, request: CreateIndexRequest): { metadata: IndexMetadata; mapping: IndexMapping } {
    this.#gate.check()
    const { taken } = this.#restores
    validateNewIndexName(name, taken, this.#host.version)
    const merged =
      request.origin !== undefined
        ? request
        : templatedContents(name, request, this.#host.templates.values(), this.#host.extras)
    const indexUuid = newUuid()
    const creationDate = Date.now()
    const settings = createIndexSettings(merged.settings, {
      name: request.providedName ?? name,
      uuid: indexUuid,
      creationDate,
      engineVersion: this.#host.version,
      replicas: setClusterSetting('cluster.default_number_of_replicas', this.#host),
      origin: request.origin,
    })
    checkRefreshInterval(merged.settings, this.#host)
    checkShardLimit(shardsOf(settings), this.#host, name)
    checkSimilaritySettings(settings, this.#host.version)
    checkScriptedSimilarities(settings, this.#host.version)
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
    checkOwnAliases(metadata, this.#host.version)
    checkStreamNames(metadata, this.#host.indices)
    for (const [alias, { isWriteIndex }] of Object.entries(metadata.aliases)) {
      this.#checkNotRestored(alias)
      if (isWriteIndex === true) checkWriteIndices(alias, new Map(this.#host.indices).set(name, metadata))
    }
    return { metadata, mapping }
  }

  /** {@link Engine.deleteIndices} */
  async remove(names: readonly string[]): Promise<void> {
    const asked = names.map((name) => this.#indices.get(name))
    if (asked.length === 0) return
    const room = this.#gate.checkRemoval(names[0] as string)
    if (room !== undefined) await room
    // One of the name that was made meanwhile is another.
    const indices = asked.map(({ metadata: { name }, number }) => {
      const index = this.#indices.get(name)
      if (index.number !== number) throw indexNotFound(name, this.#host.version)
      return index
    })
    this.#checkNotTaken(indices, 'delete')
    for (const index of indices) this.#indices.takeAway(index)
    await this.#gate.committed()
    for (const index of indices) await this.#indices.discard(index)
  }

  /** {@link Engine.openIndices} */
  async open(names: readonly string[]): Promise<void> {
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
        index.reopenedAt = Date.now()
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

  /** {@link Engine.closeIndices} */
  async close(names: readonly string[]): Promise<void> {
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
      const settings = closedSettings(metadata.settings, this.#host.version)
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
      this.#host.log(
        'error',
        { index: index.metadata.name, error: message },
        'an index could not be flushed when it was closed',
      )
    }
    index.closing = undefined
  }

  /** {@link Engine.putMapping} */
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
      const since = isDeepStrictEqual(mappings, mappingsOf(before)) ? {} : this.#indices.invertedAnew(index)
      if (index.shard !== undefined) index.shard.mapping = own
      this.#indices.save(index, { ...index.metadata, mappings, ...since })
    }
    await this.#gate.committed()
  }

  /** {@link Engine.updateSettings} */
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
      this.#host.version,
    )
    checkRefreshInterval(changes, this.#host)
    const changed = indices.map((index) => {
      const settings = expandReplicas(mergeSettings(index.metadata.settings, changes, options))
      checkActiveShards(settings)
      // A closed index must open again.
      if (index.metadata.state === 'close') this.#indices.createMapping(settings, index.metadata.mappings)
      return [index, settings, index.shard?.mapping.withSettings(settings)] as const
    })
    for (const [index, settings, mapping] of changed) {
      const since = Object.keys(changes).some(isOfInverting) ? this.#indices.invertedAnew(index) : {}
      this.#indices.save(index, { ...index.metadata, settings, ...since })
      if (index.shard === undefined || mapping === undefined) continue
      index.shard.mapping = mapping
      this.#indices.scheduleRefresh(index)
    }
    await this.#gate.committed()
  }

  /** {@link Engine.updateAliases} */
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
    checkIndicesNotTaken(this.#snapshots.running(), all, change)
  }
}

function closedSettings(settings: FlatSettings, version: EngineVersion): FlatSettings {
  return version === 'Elasticsearch_6.8' ? settings : { ...settings, [VERIFIED_BEFORE_CLOSE]: 'true' }
}
