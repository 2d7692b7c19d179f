import { ServiceError } from '../../errors.ts'
import type { EngineLog, IndexStats } from '../engine.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexMapping } from '../mapping/index-mapping.ts'
import type { ParsedDocument } from '../mapping/parsed-document.ts'
import type { DocumentRecord } from '../store/document-record.ts'
import type { IdEntry, LmdbStore } from '../store/lmdb-store.ts'
import { autoId } from './auto-id.ts'
import type { DeferredAnalysis } from './deferred-analysis.ts'
import type {
  DeleteOperation,
  DocumentOperation,
  IndexOperation,
  UpdateOperation,
  WriteResult,
} from './document-operation.ts'
import type { IndexSearcher, StoredDocument } from './index-searcher.ts'
import { decodeLiveDocs, deletedSince, encodeLiveDocs, liveCount, withoutDocuments } from './live-docs.ts'
import { mergeDocument } from './merge-document.ts'
import { chooseMerge } from './merge-policy.ts'
import { parseSource } from './parse-source.ts'
import { RecordGarbage } from './record-garbage.ts'
import { SegmentBuffer } from './segment-buffer.ts'
import { SegmentBuilder } from './segment-builder.ts'
import type { SegmentFiles } from './segment-files.ts'
import type { SegmentThread } from './segment-thread.ts'
import { ShardCounters } from './shard-counters.ts'
import { putManifest, readManifest, type ShardManifest } from './shard-manifest.ts'
import { type HeldView, ShardView } from './shard-view.ts'
import { LiveSegment, StoredSegment } from './stored-segment.ts'
import { readForUpdate, writeUpdated } from './update-source.ts'
import { nextVersion } from './version-check.ts'

/** Tokens and values of a segment that is built again. */
const REBUILT_TOKENS = 4_000_000
/** Documents written since the last manifest from which on one is made: what a start after a crash replays. */
const FLUSH_DOCS = 50_000
/** Quiet time after which what is in memory is made a file. */
const FLUSH_AFTER_MS = 5_000
/** How long a deleted document's version is known (`index.gc_deletes`). */
const GC_DELETES_MS = 60_000

/** What a shard is opened with. */
export interface ShardOptions {
  readonly store: LmdbStore
  /** Prefix of the index' keys in the store; never used again for another index. */
  readonly indexNumber: number
  readonly indexUuid: string
  readonly files: SegmentFiles
  /** Joins segments. */
  readonly merges: SegmentThread
  /** Inverts documents and lays segments out; another thread, so that no merge holds up a refresh. */
  readonly builds: SegmentThread
  /** How that thread can analyze; undefined: documents are analyzed before their writes are answered. */
  readonly analysis: DeferredAnalysis | undefined
  readonly engineVersion: EngineVersion
  readonly log: EngineLog
  readonly mapping: IndexMapping
  readonly indexName: string
  /** The index' settings as they are now, flat. */
  readonly settings: () => Readonly<Record<string, unknown>>
  /** Called with the new mapping when a document brought fields: to be queued in the store before the document is. */
  readonly onMappingUpdate: (mapping: IndexMapping) => void
  /** Called when searches see other segments than before. */
  readonly onView: () => void
}

/** A delete; `at` is when, in ms since 1970 (after a restart: when it was read again). */
interface Tombstone {
  readonly seqNo: number
  readonly type: string
  readonly id: string
  readonly at: number
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
  #buffer: SegmentBuffer
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
  /** Counts the changes of what a view taken now would hold. */
  #generation = 0
  readonly #garbage: RecordGarbage
  #tombstones: Tombstone[] = []
  /** Deletes that are in segments and whose ids are still known, oldest first. */
  #forgettable: Tombstone[] = []
  readonly #refreshWaiters: (() => void)[] = []
  #flushTimer: NodeJS.Timeout | undefined
  #forgetTimer: NodeJS.Timeout | undefined
  #flushing: Promise<void> | undefined
  /** A refresh that is laying its segment out in another thread. */
  #refreshing: Promise<void> | undefined
  #merging: Promise<boolean> | undefined
  #closed = false
  readonly #counters = new ShardCounters()

  constructor(options: ShardOptions) {
    this.#o = options
    this.mapping = options.mapping
    this.#buffer = this.#newBuffer()
    this.#garbage = new RecordGarbage(options.store, options.indexNumber)
  }

  /** Loads the segments the manifest names, builds again those that are damaged, and replays what came after. */
  open(): void {
    const { store, indexNumber, files, log, indexName } = this.#o
    const manifest = readManifest(store, indexNumber)
    this.#maxSeqNo = Math.max(manifest?.maxSeqNo ?? -1, store.maxSeqNo(indexNumber))
    this.#nextSegment = manifest?.nextSegment ?? 0
    const checkpoint = manifest?.checkpoint ?? -1
    for (const part of manifest?.segments ?? []) {
      try {
        const liveDocs = part.liveDocs === undefined ? undefined : decodeLiveDocs(part.liveDocs)
        this.#segments.push(new LiveSegment(part.name, files.read(part.name), liveDocs))
        this.#onDisk.add(part.name)
      } catch (error) {
        log(
          'warn',
          { index: indexName, file: files.path(part.name), error: (error as Error).message },
          'segment is damaged or missing, building it again from the store',
        )
        this.#segments.push(...this.#buildAgain(part.minSeqNo, part.maxSeqNo + 1))
      }
    }
    const stray = files.keepOnly(this.#onDisk)
    for (const file of stray) log('info', { index: indexName, file }, 'removed a segment file that no manifest names')
    this.#garbage.flushed(checkpoint)
    this.#garbage.addUnseen(manifest?.garbage ?? [])
    const lost = manifest === undefined && stray.length > 0
    if (lost || !this.#replay(checkpoint + 1)) {
      log(
        'warn',
        { index: indexName },
        lost
          ? 'the list of segments is missing, building all of them again from the store'
          : 'the segments do not fit the store, building all of them again from it',
      )
      this.#onDisk.clear()
      this.#buffer = this.#newBuffer()
      this.#deletedSeqNos = []
      this.#tombstones = []
      this.#segments = this.#buildAgain(0, this.#maxSeqNo + 1, (seqNo, { tombstone, type, id }) => {
        if (tombstone) this.#tombstones.push({ seqNo, type, id, at: Date.now() })
        else this.#garbage.addUnseen([seqNo])
      })
      this.#show([], [], this.#maxSeqNo)
    }
    this.#flushedSeqNo = checkpoint
    if (this.#maxSeqNo > checkpoint || this.#segments.some((s) => !this.#onDisk.has(s.name))) this.#scheduleFlush()
  }

  /** Makes segments of the live records in a range of sequence numbers; `onDead` is told of the others. */
  #buildAgain(
    from: number,
    to: number,
    onDead: (seqNo: number, record: DocumentRecord) => void = () => {},
  ): LiveSegment[] {
    const segments: LiveSegment[] = []
    const { store, indexNumber } = this.#o
    let builder = new SegmentBuilder()
    for (const [seqNo, record] of store.documents(indexNumber, from, to)) {
      // A record that was replaced or deleted since is no longer what its id names.
      if (record.tombstone || store.getId(indexNumber, record.type, record.id)?.seqNo !== seqNo) {
        onDead(seqNo, record)
        continue
      }
      this.#addStored(builder, seqNo, record)
      if (builder.tokenCount < REBUILT_TOKENS) continue
      segments.push(this.#segmentOf(builder))
      builder = new SegmentBuilder()
    }
    if (builder.maxDoc > 0) segments.push(this.#segmentOf(builder))
    return segments
  }

  /**
   * Applies what is in the store and not yet in a segment.
   *
   * @returns false when a record replaced one that is neither here nor in a segment: what that one replaced is unknown
   */
  #replay(from: number): boolean {
    const { store, indexNumber } = this.#o
    const seen = new Set<number>()
    let builder = new SegmentBuilder()
    const show = () => {
      const deleted = this.#deletedSeqNos
      this.#deletedSeqNos = []
      this.#show(builder.maxDoc > 0 ? [this.#segmentOf(builder)] : [], deleted, this.#maxSeqNo)
      builder = new SegmentBuilder()
    }
    for (const [seqNo, record] of store.documents(indexNumber, from, this.#maxSeqNo + 1)) {
      seen.add(seqNo)
      const { replacedSeqNo } = record
      if (replacedSeqNo >= from && !seen.has(replacedSeqNo)) return false
      if (replacedSeqNo >= 0) this.#deletedSeqNos.push(replacedSeqNo)
      if (record.tombstone) this.#tombstones.push({ seqNo, type: record.type, id: record.id, at: Date.now() })
      else this.#addStored(builder, seqNo, record)
      if (builder.tokenCount > REBUILT_TOKENS) show()
    }
    show()
    return true
  }

  /** Adds a record to a segment; one that its mapping refuses now is kept without its fields rather than lost. */
  #addStored(builder: SegmentBuilder, seqNo: number, record: DocumentRecord): void {
    const { type, id } = record
    const source = record.source ?? Buffer.from('{}')
    try {
      const parsed = this.mapping.parse(type, id, parseSource(source), source)
      this.#updateMapping(type, parsed)
      builder.add(seqNo, type, parsed)
    } catch (error) {
      this.#o.log(
        'error',
        { index: this.#o.indexName, type, id, error: (error as Error).message },
        'a stored document can not be indexed, it is found by id only',
      )
      if (builder.has(seqNo)) return
      const documents = [{ nestedPath: undefined, fields: [], fieldNames: [] }]
      builder.add(seqNo, type, { documents, mappingUpdate: undefined })
    }
  }

  /**
   * Applies operations from `from` on in order, until `deadline` (`performance.now()`); at least one. Their results are
   * true once {@link LmdbStore.durable} settles, and not before.
   */
  apply(operations: readonly DocumentOperation[], from: number, deadline: number): WriteResult[] {
    const started = performance.now()
    const results: WriteResult[] = []
    let now = started
    for (let i = from; i < operations.length && (i === from || now < deadline); i++) {
      results.push(this.#applyOne(operations[i] as DocumentOperation))
      now = performance.now()
    }
    this.#counters.indexTimeMs += now - started
    this.#buffer.ship()
    if (this.#buffer.isFull) {
      this.refresh().catch((error: Error) => {
        if (!this.#closed) this.#o.log('error', { index: this.#o.indexName, error: error.message }, 'refresh failed')
      })
    }
    this.#scheduleFlush(this.#maxSeqNo - this.#flushedSeqNo > FLUSH_DOCS ? 0 : FLUSH_AFTER_MS)
    return results
  }

  /**
   * Settles when there is room for more: at once, but when the thread that inverts is far behind, or a whole buffer waits
   * while another is being laid out.
   */
  async room(): Promise<void> {
    for (let room = this.#buffer.room(); room !== undefined; room = this.#buffer.room()) await room
    while (this.#refreshing !== undefined && this.#buffer.isFull) await this.#refreshing
  }

  /** True once it has let go of its files. */
  get closed(): boolean {
    return this.#closed
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
    // An id that was made just now is nobody else's.
    const current = operation.id === undefined ? undefined : this.entry(type, id)
    const version = nextVersion(operation, id, current, this.#o.engineVersion)
    const seqNo = this.#maxSeqNo + 1
    if (this.#buffer.addSource(seqNo, type, operation.source, this.mapping)) this.#maxSeqNo = seqNo
    else {
      const parsed = this.mapping.parse(type, id, parseSource(operation.source), operation.source)
      this.#updateMapping(type, parsed)
      this.#maxSeqNo = seqNo
      try {
        this.#buffer.add(seqNo, type, parsed)
      } catch (error) {
        // As in the real server the number is used up; what is half in the buffer goes with the next refresh.
        this.#deletedSeqNos.push(seqNo)
        throw error
      }
    }
    const exists = current !== undefined && !current.deleted
    this.#put(seqNo, type, id, version, operation.routing, operation.source, current, false)
    this.#counters.indexed(type)
    return { ok: true, result: exists ? 'updated' : 'created', type, id, version, seqNo, primaryTerm: 1 }
  }

  #delete(operation: DeleteOperation, id: string): WriteResult {
    const { type } = operation
    const current = this.entry(type, id)
    const version = nextVersion(operation, id, current, this.#o.engineVersion)
    const exists = current !== undefined && !current.deleted
    const seqNo = ++this.#maxSeqNo
    this.#put(seqNo, type, id, version, operation.routing, undefined, current, true)
    this.#tombstones.push({ seqNo, type, id, at: Date.now() })
    this.#counters.deleted(type)
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
      const source = writeUpdated(upsert)
      return { ...(write(source, 'create') as WriteResult & { ok: true }), source }
    }
    if (operation.ifSeqNo !== undefined || operation.version !== undefined)
      nextVersion(operation, id, entry, this.#o.engineVersion)
    if (!this.mapping.sourceEnabled(type)) {
      const name = this.#o.engineVersion === 'Elasticsearch_6.8' ? `[${type}][${id}]` : `[${id}]`
      throw new ServiceError('document_source_missing_exception', `${name}: document source missing`)
    }
    const before = record.source ?? Buffer.from('{}')
    const { merged, changed } = mergeDocument(readForUpdate(before), operation.doc ?? {})
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
    const source = writeUpdated(merged)
    const kept = routing ?? record.routing
    const result = this.#index(
      { kind: 'index', type, id, source, versionType: 'internal', ...(kept === undefined ? {} : { routing: kept }) },
      id,
    )
    return { ...(result as WriteResult & { ok: true }), source }
  }

  #updateMapping(type: string, { mappingUpdate }: ParsedDocument): void {
    if (mappingUpdate !== undefined) this.mapping = this.mapping.merge(mappingUpdate.type, mappingUpdate.mapping)
    else if (!this.mapping.types.includes(type)) this.mapping = this.mapping.merge(type, {})
    else return
    this.#o.onMappingUpdate(this.mapping)
  }

  #put(
    seqNo: number,
    type: string,
    id: string,
    version: number,
    routing: string | undefined,
    source: Buffer | undefined,
    current: IdEntry | undefined,
    tombstone: boolean,
  ): void {
    const { store, indexNumber } = this.#o
    // A delete's number too: an older view finds its way from write to write back to the one it shows.
    const replacedSeqNo = current?.seqNo ?? -1
    const record: DocumentRecord = { type, id, routing, version, primaryTerm: 1, replacedSeqNo, tombstone, source }
    const entry: IdEntry = { seqNo, version, primaryTerm: 1, deleted: tombstone }
    store.putDocument(indexNumber, seqNo, record)
    store.putId(indexNumber, type, id, entry)
    this.#uncommitted.set(idKey(type, id), { seqNo, entry })
    this.#uncommittedRecords.set(seqNo, record)
    if (replacedSeqNo >= 0) this.#deletedSeqNos.push(replacedSeqNo)
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

  /** The segments searches see now, whose records are kept until they are released. */
  holdView(): HeldView {
    return { segments: this.#segments, release: this.#garbage.hold(this.#generation, () => this.#generation) }
  }

  /** A view of what was refreshed last. */
  searcher(): IndexSearcher {
    const { segments, release } = this.holdView()
    const shard = {
      indexName: this.#o.indexName,
      indexUuid: this.#o.indexUuid,
      settings: this.#o.settings,
      mapping: this.mapping,
      record: (seqNo: number) => this.record(seqNo),
      entry: (type: string, id: string) => this.entry(type, id),
    }
    return new ShardView(shard, segments, release)
  }

  /** True when a refresh would change what a search sees. */
  get dirty(): boolean {
    return !this.#buffer.isEmpty || this.#deletedSeqNos.length > 0
  }

  /** Makes what was written until now visible to searches. */
  async refresh(): Promise<void> {
    // Several that ask while one is under way share the next one.
    while (this.#refreshing !== undefined) await this.#refreshing
    if (!this.#buffer.isSmall) {
      this.#refreshing = this.#refreshElsewhere().finally(() => {
        this.#refreshing = undefined
      })
      return this.#refreshing
    }
    if (this.dirty) this.#refreshSync()
    else this.#counters.refreshTotal++
    this.#tellWaiters(this.#refreshWaiters.splice(0))
  }

  /** Settles with the next refresh. */
  async nextRefresh(): Promise<void> {
    if (this.dirty) await new Promise<void>((resolve) => this.#refreshWaiters.push(resolve))
    else await this.#refreshing
  }

  #tellWaiters(waiters: readonly (() => void)[]): void {
    for (const resolve of waiters) resolve()
  }

  #refreshSync(): void {
    const started = performance.now()
    const { buffer, deleted, upTo } = this.#takeBuffer()
    this.#show(buffer.isEmpty ? [] : [this.#newSegment(buffer.finishHere())], deleted, upTo)
    this.#counters.refreshTimeMs += performance.now() - started
  }

  /** A refresh whose segment is made in another thread; writes go on into a new buffer. */
  async #refreshElsewhere(): Promise<void> {
    const started = performance.now()
    const waiters = this.#refreshWaiters.splice(0)
    const from = this.#refreshedSeqNo + 1
    const { buffer, deleted, upTo } = this.#takeBuffer()
    try {
      const added = await this.#finishElsewhere(buffer, from, upTo)
      if (this.#closed) return
      this.#show(added, deleted, upTo)
      this.#counters.refreshTimeMs += performance.now() - started
    } finally {
      this.#tellWaiters(waiters)
    }
  }

  async #finishElsewhere(buffer: SegmentBuffer, from: number, upTo: number): Promise<LiveSegment[]> {
    try {
      return [this.#newSegment(await buffer.finish())]
    } catch (error) {
      if (this.#closed) return []
      this.#o.log(
        'error',
        { index: this.#o.indexName, error: (error as Error).message },
        'a segment could not be made of what is in memory, making it of the store',
      )
      await this.#o.store.durable()
      return this.#buildAgain(from, upTo + 1)
    }
  }

  #newBuffer(): SegmentBuffer {
    return new SegmentBuffer(this.#o.builds, this.#o.analysis)
  }

  #takeBuffer(): { buffer: SegmentBuffer; deleted: number[]; upTo: number } {
    const taken = { buffer: this.#buffer, deleted: this.#deletedSeqNos, upTo: this.#maxSeqNo }
    this.#buffer = this.#newBuffer()
    this.#deletedSeqNos = []
    return taken
  }

  #show(added: readonly LiveSegment[], deleted: readonly number[], upTo: number): void {
    this.#segments = withoutDocuments([...this.#segments, ...added], deleted)
    this.#refreshedSeqNo = upTo
    this.#generation++
    this.#garbage.add(this.#generation, deleted)
    this.#garbage.collect(this.#generation)
    this.#counters.refreshTotal++
    this.#o.onView()
    this.#mergeInBackground()
  }

  #segmentOf(builder: SegmentBuilder): LiveSegment {
    return this.#newSegment(builder.finish())
  }

  #newSegment(bytes: SharedArrayBuffer): LiveSegment {
    return new LiveSegment(this.#newName(), new StoredSegment(bytes, { trusted: true }), undefined)
  }

  #newName(): string {
    return `_${(this.#nextSegment++).toString(36)}`
  }

  #scheduleFlush(afterMs = FLUSH_AFTER_MS): void {
    if (this.#closed || (this.#flushTimer !== undefined && afterMs > 0)) return
    clearTimeout(this.#flushTimer)
    this.#flushTimer = setTimeout(() => {
      this.#flushTimer = undefined
      if (this.#o.store.failure !== undefined) return this.#scheduleFlush()
      this.flush().catch((error: Error) => {
        if (this.#closed) return
        this.#o.log('error', { index: this.#o.indexName, error: error.message }, 'flush failed, it will be tried again')
        this.#scheduleFlush()
      })
    }, afterMs)
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
    if (this.dirty || this.#refreshing !== undefined) await this.refresh()
    if (this.#closed) return
    const segments = this.#segments
    const checkpoint = this.#refreshedSeqNo
    const nextSegment = this.#nextSegment
    const garbage = this.#garbage.all()
    const tombstones = this.#tombstones.filter((t) => t.seqNo <= checkpoint)
    for (const segment of segments) {
      if (this.#onDisk.has(segment.name)) continue
      await files.write(segment.name, segment.stored)
      if (this.#closed) return
      this.#onDisk.add(segment.name)
    }
    const manifest: ShardManifest = {
      segments: segments.map(({ name, stored, liveDocs }) => ({
        name,
        minSeqNo: stored.directory.minSeqNo,
        maxSeqNo: stored.directory.maxSeqNo,
        ...(liveDocs === undefined ? {} : { liveDocs: encodeLiveDocs(liveDocs) }),
      })),
      checkpoint,
      maxSeqNo: checkpoint,
      nextSegment,
      garbage: [...garbage, ...tombstones.map((t) => t.seqNo)],
    }
    putManifest(store, indexNumber, manifest)
    await store.durable()
    if (this.#closed) return
    this.#flushedSeqNo = checkpoint
    this.#counters.flushTotal++
    // Only now may the files, records and tombstones of before go: a crash until here starts from the old manifest.
    const named = new Set([...segments, ...this.#segments].map((s) => s.name))
    for (const name of this.#onDisk) if (!named.has(name)) this.#onDisk.delete(name)
    files.keepOnly(this.#onDisk)
    this.#tombstones = this.#tombstones.filter((t) => t.seqNo > checkpoint)
    this.#forgettable.push(...tombstones)
    this.#garbage.flushed(checkpoint)
    this.#garbage.add(
      this.#generation,
      tombstones.map((t) => t.seqNo),
    )
    this.#garbage.collect(this.#generation)
    this.#forgetDeletes()
  }

  /** Forgets the versions of documents that were deleted a while ago, as `index.gc_deletes` does. */
  #forgetDeletes(): void {
    const { store, indexNumber } = this.#o
    const before = Date.now() - GC_DELETES_MS
    while (this.#forgettable.length > 0 && (this.#forgettable[0] as Tombstone).at < before) {
      const { seqNo, type, id } = this.#forgettable.shift() as Tombstone
      if (this.entry(type, id)?.seqNo === seqNo && store.failure === undefined) store.removeId(indexNumber, type, id)
    }
    clearTimeout(this.#forgetTimer)
    if (this.#forgettable.length === 0 || this.#closed) return
    this.#forgetTimer = setTimeout(() => this.#forgetDeletes(), GC_DELETES_MS)
    this.#forgetTimer.unref()
  }

  #mergeInBackground(): void {
    if (this.#merging !== undefined || this.#closed) return
    const choice = chooseMerge(this.#segments.map((s) => ({ maxDoc: s.maxDoc, numDocs: liveCount(s) })))
    if (choice === undefined) return
    this.#startMerge(this.#segments.slice(choice.from, choice.from + choice.count)).catch((error: Error) => {
      if (!this.#closed) this.#o.log('error', { index: this.#o.indexName, error: error.message }, 'merge failed')
    })
  }

  /** Merges segments; only one merge is under way at a time, so that none works on segments that another replaces. */
  #startMerge(sources: readonly LiveSegment[]): Promise<void> {
    const merge = this.#merge(sources)
    const done = () => {
      this.#merging = undefined
      return true
    }
    this.#merging = merge.then(done, () => !done())
    void this.#merging.then((succeeded) => {
      // A merge that failed is not tried again at once: the next refresh does.
      if (succeeded) this.#mergeInBackground()
    })
    return merge
  }

  /** Joins neighbouring segments; what is deleted meanwhile is deleted in the new one too. */
  async #merge(sources: readonly LiveSegment[]): Promise<void> {
    const started = performance.now()
    const bytes = await this.#o.merges.merge(sources)
    if (this.#closed) return
    const from = this.#segments.findIndex((s) => s.name === sources[0]?.name)
    const current = this.#segments.slice(from, from + sources.length)
    if (from < 0 || current.some((s, i) => s.name !== sources[i]?.name)) {
      throw new Error('the segments of a merge were replaced under it')
    }
    let merged: LiveSegment[] = []
    if (bytes !== undefined) {
      merged = withoutDocuments([this.#newSegment(bytes)], deletedSince(sources, current))
    }
    this.#segments = [...this.#segments.slice(0, from), ...merged, ...this.#segments.slice(from + sources.length)]
    this.#generation++
    this.#o.onView()
    this.#counters.merged(sources, performance.now() - started)
    this.#scheduleFlush()
  }

  /** Joins segments until at most so many are left, or those with deletions only. */
  async forceMerge(options: {
    readonly maxNumSegments: number | undefined
    readonly onlyExpungeDeletes: boolean
  }): Promise<void> {
    await this.refresh()
    const most = options.maxNumSegments ?? 1
    const hasDeletes = (s: LiveSegment) => liveCount(s) < s.maxDoc
    const choose = (): readonly LiveSegment[] => {
      const segments = this.#segments
      if (options.onlyExpungeDeletes) return segments.filter(hasDeletes).slice(0, 1)
      if (segments.length > most) return segments.slice(0, segments.length - most + 1)
      return most === 1 ? segments.filter(hasDeletes) : []
    }
    for (;;) {
      while (this.#merging !== undefined) await this.#merging
      const sources = choose()
      if (sources.length === 0 || this.#closed) break
      await this.#startMerge(sources)
    }
    if (!this.#closed) await this.flush()
  }

  stats(): IndexStats {
    return this.#counters.stats(this.#segments, this.#onDisk, this.#maxSeqNo)
  }

  /** Flushes and lets go. */
  async close(): Promise<void> {
    if (this.#closed) return
    try {
      // A flush under way may have begun before the last writes.
      await this.#flushing
      await this.flush()
    } finally {
      this.abandon()
    }
  }

  /** Lets go without writing anything (the index is being deleted). */
  abandon(): void {
    this.#closed = true
    this.#buffer.discard()
    this.#o.files.close()
    this.#garbage.close()
    clearTimeout(this.#flushTimer)
    clearTimeout(this.#forgetTimer)
    this.#tellWaiters(this.#refreshWaiters.splice(0))
  }
}

const idKey = (type: string, id: string): string => `${type}\0${id}`

function pickCas(operation: UpdateOperation) {
  const { ifSeqNo, ifPrimaryTerm } = operation
  return { ...(ifSeqNo === undefined ? {} : { ifSeqNo }), ...(ifPrimaryTerm === undefined ? {} : { ifPrimaryTerm }) }
}
