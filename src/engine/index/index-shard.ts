import { ServiceError } from '../../errors.ts'
import type { EngineLog, IndexStats } from '../engine.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexMapping } from '../mapping/index-mapping.ts'
import type { ParsedDocument } from '../mapping/parsed-document.ts'
import type { DocumentRecord } from '../store/document-record.ts'
import type { IdEntry, LmdbStore } from '../store/lmdb-store.ts'
import { autoId } from './auto-id.ts'
import type {
  DeleteOperation,
  DocumentOperation,
  IndexOperation,
  UpdateOperation,
  WriteResult,
} from './document-operation.ts'
import type { IndexSearcher, StoredDocument } from './index-searcher.ts'
import { mergeDocument } from './merge-document.ts'
import { chooseMerge } from './merge-policy.ts'
import type { MergeScheduler } from './merge-scheduler.ts'
import { parseSource } from './parse-source.ts'
import { SegmentBuilder } from './segment-builder.ts'
import type { SegmentFiles } from './segment-files.ts'
import { ShardView } from './shard-view.ts'
import { LiveSegment, StoredSegment } from './stored-segment.ts'
import { nextVersion } from './version-check.ts'

/** Tokens and values buffered before a segment is made of them without being asked. */
const BUFFER_TOKENS = 12_000_000
/** Documents written since the last manifest from which on one is made: what a start after a crash replays. */
const FLUSH_DOCS = 50_000
/** Quiet time after which what is in memory is made a file. */
const FLUSH_AFTER_MS = 5_000

/** What a shard is opened with. */
export interface ShardOptions {
  readonly store: LmdbStore
  /** Prefix of the index' keys in the store; never used again for another index. */
  readonly indexNumber: number
  readonly indexUuid: string
  readonly files: SegmentFiles
  readonly merges: MergeScheduler
  readonly engineVersion: EngineVersion
  readonly log: EngineLog
  readonly mapping: IndexMapping
  readonly indexName: string
  /** Called with the new mapping when a document brought fields: to be queued in the store before the document is. */
  readonly onMappingUpdate: (mapping: IndexMapping) => void
}

/** What of a shard's segments is on disk; kept in the store, so that it changes as one with a commit. */
interface Manifest {
  readonly segments: readonly {
    readonly name: string
    readonly minSeqNo: number
    readonly maxSeqNo: number
    readonly liveDocs?: string
  }[]
  /** Writes up to here are in the segments. */
  readonly checkpoint: number
  readonly maxSeqNo: number
  readonly nextSegment: number
  /** Records that no view of a later start can need. */
  readonly garbage: readonly number[]
}

/**
 * An index' documents: writes go to the store and to a buffer, a refresh makes a segment of the buffer, a flush makes
 * the segments files, a merge joins them. (An index is one shard here, whatever `number_of_shards` says.)
 */
export class IndexShard {
  mapping: IndexMapping
  readonly #o: ShardOptions
  #segments: LiveSegment[] = []
  readonly #onDisk = new Set<string>()
  #builder = new SegmentBuilder()
  /** Replaced or deleted since the last refresh, in a segment or in the buffer. */
  #deletedSeqNos: number[] = []
  #maxSeqNo = -1
  /** Everything up to here is in segments. */
  #refreshedSeqNo = -1
  #flushedSeqNo = -1
  #nextSegment = 0
  /** Writes that the store may not have committed yet, by type and id. */
  readonly #uncommitted = new Map<string, { readonly seqNo: number; readonly entry: IdEntry }>()
  readonly #uncommittedRecords = new Map<number, DocumentRecord>()
  /** Open views by the generation of their segments, and records to remove once older views are gone. */
  #generation = 0
  readonly #views = new Map<number, number>()
  #garbage: { readonly generation: number; readonly seqNos: readonly number[] }[] = []
  #tombstones: { readonly seqNo: number; readonly type: string; readonly id: string }[] = []
  #refreshWaiters: (() => void)[] = []
  #flushTimer: NodeJS.Timeout | undefined
  #flushing: Promise<void> | undefined
  #merging: Promise<void> | undefined
  #closed = false
  #failure: ServiceError | undefined
  readonly #counters = {
    indexTotal: 0,
    indexTimeMs: 0,
    indexFailed: 0,
    deleteTotal: 0,
    noopUpdateTotal: 0,
    getTotal: 0,
    getExists: 0,
    refreshTotal: 0,
    refreshTimeMs: 0,
    flushTotal: 0,
    mergeTotal: 0,
    mergeDocs: 0,
    mergeBytes: 0,
    mergeTimeMs: 0,
  }
  readonly #byType = new Map<string, { indexTotal: number; deleteTotal: number }>()

  constructor(options: ShardOptions) {
    this.#o = options
    this.mapping = options.mapping
  }

  /** Loads the segments the manifest names, builds again those that are damaged, and replays what came after. */
  open(): void {
    const { store, indexNumber, files, log, indexName } = this.#o
    const manifest = store.getMetadata(`manifest/${indexNumber}`) as Manifest | undefined
    this.#maxSeqNo = Math.max(manifest?.maxSeqNo ?? -1, store.maxSeqNo(indexNumber))
    this.#nextSegment = manifest?.nextSegment ?? 0
    const checkpoint = manifest?.checkpoint ?? -1
    for (const part of manifest?.segments ?? []) {
      try {
        const liveDocs = part.liveDocs === undefined ? undefined : wordsOf(part.liveDocs)
        this.#segments.push(new LiveSegment(part.name, files.read(part.name), liveDocs))
        this.#onDisk.add(part.name)
      } catch (error) {
        log(
          'warn',
          { index: indexName, file: files.path(part.name), error: (error as Error).message },
          'segment is damaged or missing, building it again from the store',
        )
        const rebuilt = this.#build(part.minSeqNo, part.maxSeqNo + 1)
        if (rebuilt !== undefined) this.#segments.push(rebuilt)
        this.#scheduleFlush()
      }
    }
    files.keepOnly(this.#onDisk)
    for (const seqNo of manifest?.garbage ?? []) store.removeDocument(indexNumber, seqNo)
    this.#replay(checkpoint + 1)
    this.#flushedSeqNo = checkpoint
    this.#refreshSync()
    if (this.#maxSeqNo > checkpoint) this.#scheduleFlush()
  }

  /** A segment of the live records in a range of sequence numbers. */
  #build(from: number, to: number): LiveSegment | undefined {
    const { store, indexNumber } = this.#o
    const builder = new SegmentBuilder()
    for (const [seqNo, record] of store.documents(indexNumber, from, to)) {
      // A record that was replaced or deleted since is no longer what its id names.
      if (record.tombstone || store.getId(indexNumber, record.type, record.id)?.seqNo !== seqNo) continue
      builder.add(seqNo, record.type, this.#parseStored(record))
    }
    return builder.maxDoc === 0 ? undefined : this.#segmentOf(builder)
  }

  #replay(from: number): void {
    const { store, indexNumber } = this.#o
    for (const [seqNo, record] of store.documents(indexNumber, from, this.#maxSeqNo + 1)) {
      if (record.replacedSeqNo >= 0) this.#deletedSeqNos.push(record.replacedSeqNo)
      if (record.tombstone) this.#tombstones.push({ seqNo, type: record.type, id: record.id })
      else this.#builder.add(seqNo, record.type, this.#parseStored(record))
      if (this.#builder.tokenCount > BUFFER_TOKENS) this.#refreshSync()
    }
  }

  #parseStored(record: DocumentRecord): ParsedDocument {
    const source = record.source ?? Buffer.from('{}')
    return this.mapping.parse(record.type, record.id, parseSource(source), source)
  }

  /**
   * Applies operations in order. Their results are true once {@link LmdbStore.durable} settles, and not before.
   *
   * @throws {ServiceError} cluster_block_exception after a commit failed
   */
  apply(operations: readonly DocumentOperation[]): WriteResult[] {
    if (this.#failure !== undefined) throw this.#failure
    const started = performance.now()
    const results = operations.map((operation) => this.#applyOne(operation))
    this.#counters.indexTimeMs += performance.now() - started
    if (this.#builder.tokenCount > BUFFER_TOKENS) this.#refreshSync()
    if (this.#maxSeqNo - this.#flushedSeqNo > FLUSH_DOCS) void this.flush()
    else this.#scheduleFlush()
    return results
  }

  /** What was applied up to a sequence number is on disk. */
  committed(results: readonly WriteResult[]): void {
    for (const result of results) {
      if (!result.ok) continue
      const key = idKey(result.type, result.id)
      if (this.#uncommitted.get(key)?.seqNo === result.seqNo) this.#uncommitted.delete(key)
      this.#uncommittedRecords.delete(result.seqNo)
    }
  }

  /** A commit failed: nothing more is taken until the domain is started again. */
  failed(error: Error): ServiceError {
    this.#failure ??= new ServiceError(
      'cluster_block_exception',
      `blocked by: [FORBIDDEN/5/index read-only (api)]; a commit to disk failed: ${error.message}`,
      { index: this.#o.indexName },
    )
    this.#o.log(
      'error',
      { index: this.#o.indexName, error: error.message },
      'a commit to disk failed, index is read-only until restart',
    )
    return this.#failure
  }

  get maxSeqNo(): number {
    return this.#maxSeqNo
  }

  #applyOne(operation: DocumentOperation): WriteResult {
    const id = operation.id ?? autoId()
    try {
      switch (operation.kind) {
        case 'index':
        case 'create':
          return this.#index(operation, id)
        case 'delete':
          return this.#delete(operation, id)
        case 'update':
          return this.#update(operation)
      }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      this.#counters.indexFailed++
      return { ok: false, type: operation.type, id, error }
    }
  }

  #index(operation: IndexOperation, id: string): WriteResult {
    const { type } = operation
    const current = this.entry(type, id)
    const version = nextVersion(operation, id, current, this.#o.engineVersion)
    const parsed = this.mapping.parse(type, id, parseSource(operation.source), operation.source)
    if (parsed.mappingUpdate !== undefined) {
      this.mapping = this.mapping.merge(parsed.mappingUpdate.type, parsed.mappingUpdate.mapping)
      this.#o.onMappingUpdate(this.mapping)
    } else if (!this.mapping.types.includes(type)) {
      this.mapping = this.mapping.merge(type, {})
      this.#o.onMappingUpdate(this.mapping)
    }
    const exists = current !== undefined && !current.deleted
    const seqNo = this.#put(type, id, version, operation.routing, operation.source, current, false)
    this.#builder.add(seqNo, type, parsed)
    this.#counters.indexTotal++
    this.#typeCounter(type).indexTotal++
    return { ok: true, result: exists ? 'updated' : 'created', type, id, version, seqNo, primaryTerm: 1 }
  }

  #delete(operation: DeleteOperation, id: string): WriteResult {
    const { type } = operation
    const current = this.entry(type, id)
    const version = nextVersion(operation, id, current, this.#o.engineVersion)
    const exists = current !== undefined && !current.deleted
    const seqNo = this.#put(type, id, version, operation.routing, undefined, current, true)
    this.#tombstones.push({ seqNo, type, id })
    this.#counters.deleteTotal++
    this.#typeCounter(type).deleteTotal++
    return { ok: true, result: exists ? 'deleted' : 'not_found', type, id, version, seqNo, primaryTerm: 1 }
  }

  #update(operation: UpdateOperation): WriteResult {
    const { type, id, routing } = operation
    const entry = this.entry(type, id)
    const record = entry === undefined || entry.deleted ? undefined : this.record(entry.seqNo)
    const write = (source: Buffer, kind: 'index' | 'create') =>
      this.#index(
        {
          kind,
          type,
          id,
          source,
          versionType: 'internal',
          ...pickCas(operation),
          ...(routing === undefined ? {} : { routing }),
        },
        id,
      )
    if (record === undefined || entry === undefined) {
      const upsert = operation.upsert ?? (operation.docAsUpsert ? operation.doc : undefined)
      if (upsert === undefined) {
        const name = this.#o.engineVersion === 'Elasticsearch_6.8' ? `[${type}][${id}]` : `[${id}]`
        throw new ServiceError('document_missing_exception', `${name}: document missing`, {
          index: this.#o.indexName,
          metadata: { shard: '0' },
        })
      }
      const source = stringify(upsert)
      return { ...(write(source, 'create') as WriteResult & { ok: true }), source }
    }
    if (operation.ifSeqNo !== undefined || operation.version !== undefined)
      nextVersion(operation, id, entry, this.#o.engineVersion)
    if (!this.mapping.sourceEnabled(type)) {
      const name = this.#o.engineVersion === 'Elasticsearch_6.8' ? `[${type}][${id}]` : `[${id}]`
      throw new ServiceError('document_source_missing_exception', `${name}: document source missing`)
    }
    const before = record.source ?? Buffer.from('{}')
    const { merged, changed } = mergeDocument(parseSource(before), operation.doc ?? {})
    if (operation.detectNoop && !changed) {
      this.#counters.noopUpdateTotal++
      return {
        ok: true,
        result: 'noop',
        type,
        id,
        version: entry.version,
        seqNo: entry.seqNo,
        primaryTerm: entry.primaryTerm,
        source: before,
      }
    }
    const source = stringify(merged)
    const kept = routing ?? record.routing
    const result = this.#index(
      { kind: 'index', type, id, source, versionType: 'internal', ...(kept === undefined ? {} : { routing: kept }) },
      id,
    )
    return { ...(result as WriteResult & { ok: true }), source }
  }

  #put(
    type: string,
    id: string,
    version: number,
    routing: string | undefined,
    source: Buffer | undefined,
    current: IdEntry | undefined,
    tombstone: boolean,
  ): number {
    const { store, indexNumber } = this.#o
    const seqNo = ++this.#maxSeqNo
    const replacedSeqNo = current === undefined || current.deleted ? -1 : current.seqNo
    const record: DocumentRecord = { type, id, routing, version, primaryTerm: 1, replacedSeqNo, tombstone, source }
    const entry: IdEntry = { seqNo, version, primaryTerm: 1, deleted: tombstone }
    store.putDocument(indexNumber, seqNo, record)
    store.putId(indexNumber, type, id, entry)
    this.#uncommitted.set(idKey(type, id), { seqNo, entry })
    this.#uncommittedRecords.set(seqNo, record)
    if (replacedSeqNo >= 0) this.#deletedSeqNos.push(replacedSeqNo)
    return seqNo
  }

  #typeCounter(type: string): { indexTotal: number; deleteTotal: number } {
    let counter = this.#byType.get(type)
    if (counter === undefined) {
      counter = { indexTotal: 0, deleteTotal: 0 }
      this.#byType.set(type, counter)
    }
    return counter
  }

  /** The last write of an id, committed or not. */
  entry(type: string, id: string): IdEntry | undefined {
    return this.#uncommitted.get(idKey(type, id))?.entry ?? this.#o.store.getId(this.#o.indexNumber, type, id)
  }

  /** The record at a sequence number, committed or not. */
  record(seqNo: number): DocumentRecord | undefined {
    return this.#uncommittedRecords.get(seqNo) ?? this.#o.store.getDocument(this.#o.indexNumber, seqNo)
  }

  get(type: string | undefined, id: string, options: { readonly realtime: boolean }): StoredDocument | undefined {
    this.#counters.getTotal++
    const document = options.realtime ? this.#getRealtime(type, id) : this.#getRefreshed(type, id)
    if (document !== undefined) this.#counters.getExists++
    return document
  }

  #getRealtime(type: string | undefined, id: string): StoredDocument | undefined {
    for (const t of type === undefined ? this.mapping.types : [type]) {
      const entry = this.entry(t, id)
      const record = entry === undefined || entry.deleted ? undefined : this.record(entry.seqNo)
      if (entry !== undefined && record !== undefined) {
        return {
          type: t,
          id,
          routing: record.routing,
          version: entry.version,
          seqNo: entry.seqNo,
          primaryTerm: entry.primaryTerm,
          source: record.source,
        }
      }
    }
    return undefined
  }

  #getRefreshed(type: string | undefined, id: string): StoredDocument | undefined {
    const view = this.searcher()
    try {
      const [place] = view.locate(type, id)
      return place === undefined ? undefined : view.document(view.segments[place.segment] as LiveSegment, place.doc)
    } finally {
      view.release()
    }
  }

  /** A view of what was refreshed last. */
  searcher(): IndexSearcher {
    const generation = this.#generation
    this.#views.set(generation, (this.#views.get(generation) ?? 0) + 1)
    const shard = {
      indexName: this.#o.indexName,
      indexUuid: this.#o.indexUuid,
      mapping: this.mapping,
      record: (seqNo: number) => this.record(seqNo),
      entry: (type: string, id: string) => this.entry(type, id),
    }
    return new ShardView(shard, this.#segments, () => {
      const left = (this.#views.get(generation) ?? 1) - 1
      if (left > 0) this.#views.set(generation, left)
      else this.#views.delete(generation)
      this.#collectGarbage()
    })
  }

  /** True when a refresh would change what a search sees. */
  get dirty(): boolean {
    return this.#builder.maxDoc > 0 || this.#deletedSeqNos.length > 0
  }

  refresh(): void {
    if (this.dirty) this.#refreshSync()
    else this.#counters.refreshTotal++
    const waiters = this.#refreshWaiters
    this.#refreshWaiters = []
    for (const resolve of waiters) resolve()
  }

  /** Settles with the next refresh. */
  nextRefresh(): Promise<void> {
    if (!this.dirty) return Promise.resolve()
    return new Promise((resolve) => this.#refreshWaiters.push(resolve))
  }

  #refreshSync(): void {
    const started = performance.now()
    const deleted = this.#deletedSeqNos
    this.#deletedSeqNos = []
    let segments = this.#segments
    if (this.#builder.maxDoc > 0) {
      const builder = this.#builder
      this.#builder = new SegmentBuilder()
      segments = [...segments, this.#segmentOf(builder)]
    }
    this.#segments = withoutDocuments(segments, deleted)
    this.#refreshedSeqNo = this.#maxSeqNo
    this.#generation++
    if (deleted.length > 0) this.#garbage.push({ generation: this.#generation, seqNos: deleted })
    this.#collectGarbage()
    this.#counters.refreshTotal++
    this.#counters.refreshTimeMs += performance.now() - started
    this.#mergeInBackground()
  }

  #segmentOf(builder: SegmentBuilder): LiveSegment {
    return new LiveSegment(`_${(this.#nextSegment++).toString(36)}`, new StoredSegment(builder.finish()), undefined)
  }

  /** Removes records that no open view can reach any more. */
  #collectGarbage(): void {
    const oldest = Math.min(...this.#views.keys(), this.#generation)
    while (this.#garbage.length > 0 && (this.#garbage[0] as { generation: number }).generation <= oldest) {
      for (const seqNo of this.#garbage.shift()?.seqNos ?? []) this.#o.store.removeDocument(this.#o.indexNumber, seqNo)
    }
  }

  #scheduleFlush(): void {
    if (this.#flushTimer !== undefined || this.#closed) return
    this.#flushTimer = setTimeout(() => {
      this.#flushTimer = undefined
      this.flush().catch((error: Error) =>
        this.#o.log('error', { index: this.#o.indexName, error: error.message }, 'flush failed'),
      )
    }, FLUSH_AFTER_MS)
    this.#flushTimer.unref()
  }

  /** Makes what is in memory files, and the manifest name them. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = undefined
    })
    return this.#flushing
  }

  async #flush(): Promise<void> {
    const { store, indexNumber, files } = this.#o
    clearTimeout(this.#flushTimer)
    this.#flushTimer = undefined
    if (this.dirty) this.#refreshSync()
    const segments = this.#segments
    const checkpoint = this.#refreshedSeqNo
    const tombstones = this.#tombstones.filter((t) => t.seqNo <= checkpoint)
    for (const segment of segments) {
      if (this.#onDisk.has(segment.name)) continue
      await files.write(segment.name, segment.stored)
      this.#onDisk.add(segment.name)
    }
    const manifest: Manifest = {
      segments: segments.map((s) => ({
        name: s.name,
        minSeqNo: s.stored.directory.minSeqNo,
        maxSeqNo: s.stored.directory.maxSeqNo,
        ...(s.liveDocs === undefined
          ? {}
          : {
              liveDocs: Buffer.from(s.liveDocs.buffer, s.liveDocs.byteOffset, s.liveDocs.byteLength).toString('base64'),
            }),
      })),
      checkpoint,
      maxSeqNo: checkpoint,
      nextSegment: this.#nextSegment,
      garbage: this.#garbage.flatMap((g) => g.seqNos),
    }
    store.putMetadata(`manifest/${indexNumber}`, manifest)
    await store.durable()
    this.#flushedSeqNo = checkpoint
    this.#counters.flushTotal++
    // Only now may the files and tombstones of before go: a crash until here starts from the old manifest.
    const named = new Set([...segments, ...this.#segments].map((s) => s.name))
    for (const name of this.#onDisk) if (!named.has(name)) this.#onDisk.delete(name)
    files.keepOnly(this.#onDisk)
    if (tombstones.length > 0) {
      this.#tombstones = this.#tombstones.filter((t) => t.seqNo > checkpoint)
      this.#garbage.push({ generation: this.#generation, seqNos: tombstones.map((t) => t.seqNo) })
      this.#collectGarbage()
    }
  }

  #mergeInBackground(): void {
    if (this.#merging !== undefined || this.#closed) return
    const choice = chooseMerge(this.#segments.map((s) => ({ maxDoc: s.maxDoc, numDocs: liveCount(s) })))
    if (choice === undefined) return
    this.#merging = this.#merge(this.#segments.slice(choice.from, choice.from + choice.count))
      .catch((error: Error) => {
        if (!this.#closed) this.#o.log('error', { index: this.#o.indexName, error: error.message }, 'merge failed')
      })
      .finally(() => {
        this.#merging = undefined
        if (!this.#closed) this.#mergeInBackground()
      })
  }

  /** Joins neighbouring segments; what is deleted meanwhile is deleted in the new one too. */
  async #merge(sources: readonly LiveSegment[]): Promise<void> {
    const started = performance.now()
    const bytes = await this.#o.merges.merge(sources)
    if (this.#closed) return
    const names = new Set(sources.map((s) => s.name))
    const from = this.#segments.findIndex((s) => names.has(s.name))
    const current = this.#segments.slice(from, from + sources.length)
    let merged: LiveSegment[] = []
    if (bytes !== undefined) {
      const segment = new LiveSegment(`_${(this.#nextSegment++).toString(36)}`, new StoredSegment(bytes), undefined)
      merged = withoutDocuments([segment], deletedSince(sources, current))
    }
    this.#segments = [...this.#segments.slice(0, from), ...merged, ...this.#segments.slice(from + sources.length)]
    this.#generation++
    this.#counters.mergeTotal++
    this.#counters.mergeDocs += sources.reduce((sum, s) => sum + s.maxDoc, 0)
    this.#counters.mergeBytes += sources.reduce((sum, s) => sum + s.stored.sizeBytes, 0)
    this.#counters.mergeTimeMs += performance.now() - started
    this.#scheduleFlush()
  }

  /** Joins segments until at most so many are left, or those with deletions only. */
  async forceMerge(options: {
    readonly maxNumSegments: number | undefined
    readonly onlyExpungeDeletes: boolean
  }): Promise<void> {
    await this.#merging
    if (this.dirty) this.#refreshSync()
    await this.#merging
    if (options.onlyExpungeDeletes) {
      for (const segment of this.#segments) if (liveCount(segment) < segment.maxDoc) await this.#merge([segment])
      return
    }
    const most = options.maxNumSegments ?? 1
    while (
      this.#segments.length > most ||
      (this.#segments.length === 1 &&
        most === 1 &&
        liveCount(this.#segments[0] as LiveSegment) < (this.#segments[0] as LiveSegment).maxDoc)
    ) {
      await this.#merge(this.#segments.slice(0, Math.max(1, this.#segments.length - most + 1)))
    }
    await this.flush()
  }

  stats(): IndexStats {
    const c = this.#counters
    const segments = this.#segments
    return {
      docs: {
        count: segments.reduce((sum, s) => sum + s.numDocs, 0),
        deleted: segments.reduce((sum, s) => sum + s.maxDoc - liveCount(s), 0),
      },
      storeSizeBytes: segments.reduce((sum, s) => sum + s.stored.sizeBytes, 0),
      indexing: {
        indexTotal: c.indexTotal,
        indexTimeMs: Math.round(c.indexTimeMs),
        indexFailed: c.indexFailed,
        deleteTotal: c.deleteTotal,
        noopUpdateTotal: c.noopUpdateTotal,
        byType: Object.fromEntries(this.#byType),
      },
      get: { total: c.getTotal, existsTotal: c.getExists, missingTotal: c.getTotal - c.getExists },
      refresh: { total: c.refreshTotal, timeMs: Math.round(c.refreshTimeMs) },
      flush: { total: c.flushTotal },
      merges: { total: c.mergeTotal, docs: c.mergeDocs, sizeBytes: c.mergeBytes, timeMs: Math.round(c.mergeTimeMs) },
      segments: segments.map((s) => ({
        name: s.name,
        generation: Number.parseInt(s.name.slice(1), 36),
        numDocs: liveCount(s),
        deletedDocs: s.maxDoc - liveCount(s),
        sizeBytes: s.stored.sizeBytes,
        memoryBytes: s.stored.sizeBytes,
        committed: this.#onDisk.has(s.name),
      })),
      maxSeqNo: this.#maxSeqNo,
      localCheckpoint: this.#maxSeqNo,
    }
  }

  /** Flushes and lets go. */
  async close(): Promise<void> {
    if (this.#closed) return
    await this.flush()
    this.abandon()
  }

  /** Lets go without writing anything (the index is being deleted). */
  abandon(): void {
    this.#closed = true
    clearTimeout(this.#flushTimer)
    for (const resolve of this.#refreshWaiters) resolve()
    this.#refreshWaiters = []
  }
}

const idKey = (type: string, id: string): string => `${type}\0${id}`

function stringify(document: Readonly<Record<string, unknown>>): Buffer {
  // JSON.stringify knows no bigint: marked strings are unquoted again.
  const text = JSON.stringify(document, (_key, value: unknown) =>
    typeof value === 'bigint' ? `\u0000bigint:${value}` : value,
  )
  return Buffer.from(text.replace(/"\\u0000bigint:(-?\d+)"/g, '$1'))
}

function pickCas(operation: UpdateOperation) {
  const { ifSeqNo, ifPrimaryTerm } = operation
  return { ...(ifSeqNo === undefined ? {} : { ifSeqNo }), ...(ifPrimaryTerm === undefined ? {} : { ifPrimaryTerm }) }
}

function withoutDocuments(segments: readonly LiveSegment[], seqNos: readonly number[]): LiveSegment[] {
  if (seqNos.length === 0) return [...segments]
  return segments.map((segment) => {
    const docs: number[] = []
    for (const seqNo of seqNos) {
      const doc = segment.stored.docOfSeqNo(seqNo)
      if (doc >= 0) docs.push(doc)
    }
    return docs.length === 0 ? segment : segment.without(docs)
  })
}

/** Sequence numbers of root documents that are alive in `before` and not in `now` (the same segments, later). */
function deletedSince(before: readonly LiveSegment[], now: readonly LiveSegment[]): number[] {
  const seqNos: number[] = []
  for (const [i, old] of before.entries()) {
    const current = now[i] as LiveSegment
    if (current.liveDocs === old.liveDocs) continue
    for (let doc = 0; doc < old.maxDoc; doc++) {
      const bit = 1 << (doc & 31)
      const alive = old.liveDocs === undefined || ((old.liveDocs[doc >>> 5] as number) & bit) !== 0
      if (alive && ((current.liveDocs?.[doc >>> 5] ?? -1) & bit) === 0) seqNos.push(old.seqNo(doc))
    }
  }
  return seqNos
}

/** Live documents, nested ones included. */
function liveCount(segment: LiveSegment): number {
  if (segment.liveDocs === undefined) return segment.maxDoc
  let count = 0
  const whole = segment.maxDoc >>> 5
  for (let i = 0; i < whole; i++) count += bitCount(segment.liveDocs[i] as number)
  const rest = segment.maxDoc & 31
  if (rest > 0) count += bitCount((segment.liveDocs[whole] as number) & ((1 << rest) - 1))
  return count
}

function bitCount(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555)
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return (((n + (n >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}

function wordsOf(base64: string): Uint32Array {
  const bytes = Buffer.from(base64, 'base64')
  const words = new Uint32Array(bytes.length >>> 2)
  new Uint8Array(words.buffer).set(bytes)
  return words
}
