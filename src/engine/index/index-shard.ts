import { ServiceError } from '../../errors.ts'
import type { EngineLog, IndexStats } from '../engine.ts'
import type { EngineVersion } from '../engine-version.ts'
import { IGNORED_FIELD } from '../mapping/ignored-field.ts'
import type { IndexMapping } from '../mapping/index-mapping.ts'
import type { FlatSettings } from '../metadata/index-metadata.ts'
import { indexSettingMs } from '../metadata/index-settings.ts'
import { CommitFailedError } from '../store/commit-queue.ts'
import type { DocumentRecord, StoredRecord } from '../store/document-record.ts'
import type { LmdbStore } from '../store/lmdb-store.ts'
import type { Lz4Dictionary } from '../store/lz4-dictionary.ts'
import type { LearnedDictionary } from '../store/source-dictionaries.ts'
import { ArrivingSegment, type WriteBuffer } from './arriving-segment.ts'
import type { DeferredAnalysis } from './deferred-analysis.ts'
import type { DocumentOperation, WriteResult } from './document-operation.ts'
import { type DocumentOrder, documentOrder } from './document-order.ts'
import type { ThreadOutcome } from './document-thread.ts'
import { segmentsDropped } from './dropped-segments.ts'
import type { DocumentPage, IndexSearcher, StoredDocument } from './index-searcher.ts'
import { IndexWriter, type LargeDocument } from './index-writer.ts'
import { KnownDeletes } from './known-deletes.ts'
import { decodeLiveDocs, deletedSince, encodeLiveDocs, liveCount, withoutDocuments } from './live-docs.ts'
import { chooseForcedMerge, chooseMerge, chooseQuietMerge } from './merge-policy.ts'
import { RecordGarbage } from './record-garbage.ts'
import { RecordIndexer } from './record-indexer.ts'
import { RecordSizes } from './record-sizes.ts'
import { SegmentBuffer } from './segment-buffer.ts'
import { OutdatedSegmentError, segmentChecksum } from './segment-file.ts'
import type { SegmentFiles } from './segment-files.ts'
import { type SegmentThread, SegmentThreadError } from './segment-thread.ts'
import { ShardCounters } from './shard-counters.ts'
import { putManifest, readManifest, type ShardManifest } from './shard-manifest.ts'
import { ShardRecords } from './shard-records.ts'
import { type HeldView, ShardView } from './shard-view.ts'
import { SlowWrites } from './slow-writes.ts'
import { LiveSegment, StoredSegment } from './stored-segment.ts'

/** Documents written since the last manifest from which on one is made: what a start after a crash replays. */
const FLUSH_DOCS = 50_000
/** Quiet time after which what is in memory is made a file. */
const FLUSH_AFTER_MS = 5_000
/** Quiet time after that, after which small segments are joined. */
const JOIN_AFTER_MS = 5_000

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
  readonly settings: () => FlatSettings
  /** As of {@link IndexWriterOptions}; not given without `analysis`. */
  readonly readElsewhere?: (document: LargeDocument, mapping: IndexMapping) => Promise<ThreadOutcome>
  /** As of {@link IndexWriterOptions}. */
  readonly checkStoredQuery?: (json: string, mapping: IndexMapping) => void
  /** Called with the new mapping when a document brought fields: to be queued in the store before the document is. */
  readonly onMappingUpdate: (mapping: IndexMapping) => void
  /** Called when searches see other segments than before. */
  readonly onView: () => void
}

/** What became of writes so far. */
export interface AppliedWrites {
  readonly results: readonly WriteResult[]
  /** Settles when the next of them, which another thread reads, can be applied; undefined: at once. */
  readonly reading: Promise<void> | undefined
}

/**
 * An index' documents: writes go to the store and to a buffer, a refresh makes a segment of the buffer, a flush makes
 * the segments files, a merge joins them. (An index is one shard here, whatever `number_of_shards` says.)
 */
export class IndexShard {
  readonly #o: ShardOptions
  readonly #records: ShardRecords
  readonly #recordSizes: RecordSizes
  readonly #deletes: KnownDeletes
  readonly #writer: IndexWriter
  readonly #indexer: RecordIndexer
  /** What documents are ordered by within a segment; undefined: their writes. */
  readonly #order: DocumentOrder | undefined
  #segments: LiveSegment[] = []
  readonly #onDisk = new Set<string>()
  /** Everything up to here is in segments. */
  #refreshedSeqNo = -1
  #flushedSeqNo = -1
  /** Bytes of the writes from the flush of `since` on up to `to`. */
  #measured = { since: -1, to: -1, sizeBytes: 0 }
  #nextSegment = 0
  /** Counts the changes of what a view taken now would hold. */
  #generation = 0
  readonly #garbage: RecordGarbage
  readonly #refreshWaiters: (() => void)[] = []
  #flushTimer: NodeJS.Timeout | undefined
  #quietTimer: NodeJS.Timeout | undefined
  #flushing: Promise<void> | undefined
  /** The flush behind the one under way. */
  #nextFlush: Promise<void> | undefined
  /** A refresh that is laying its segment out in another thread. */
  #refreshing: Promise<void> | undefined
  /** What a refresh that failed had taken of replaced and deleted documents: what was written is to be read from the store. */
  #unshown: readonly number[] | undefined
  #merging: Promise<boolean> | undefined
  /** Names of the segments that it joins. */
  #mergeSources: ReadonlySet<string> = new Set()
  #closed = false
  readonly #slowWrites: SlowWrites
  /** What it has done. */
  readonly counters = new ShardCounters()

  constructor(options: ShardOptions) {
    this.#o = options
    const { store, indexNumber } = options
    this.#slowWrites = new SlowWrites(options)
    this.#order = documentOrder(options.settings(), options.mapping)
    this.#records = new ShardRecords(store, indexNumber)
    this.#recordSizes = new RecordSizes((seqNo) => this.#records.sizeBytes(seqNo))
    this.#garbage = new RecordGarbage(store, indexNumber)
    const keptMs = () => indexSettingMs(options.settings(), 'index.gc_deletes', options.engineVersion)
    this.#deletes = new KnownDeletes(store, indexNumber, this.#records, keptMs, (seqNos) => {
      this.#garbage.add(this.#generation, seqNos)
      this.#garbage.collect(this.#generation)
    })
    this.#writer = new IndexWriter({
      ...options,
      isAppendOnly: options.settings()['index.append_only.enabled'] === 'true',
      records: this.#records,
      deletes: this.#deletes,
      counters: this.counters,
      newBuffer: () => this.#newBuffer(),
    })
    this.#indexer = new RecordIndexer({ ...options, order: this.#order }, this.#writer)
  }

  get mapping(): IndexMapping {
    return this.#writer.mapping
  }
  set mapping(mapping: IndexMapping) {
    this.#writer.mapping = mapping
  }

  /** Loads the segments the manifest names, builds again those that are damaged, and replays what came after. */
  open(): void {
    const { store, indexNumber, files, log, indexName } = this.#o
    const manifest = readManifest(store, indexNumber)
    const lastRecord = store.maxSeqNo(indexNumber)
    if (lastRecord < 0) this.#records.beginEmpty()
    this.#writer.maxSeqNo = Math.max(manifest?.maxSeqNo ?? -1, lastRecord)
    this.#nextSegment = manifest?.nextSegment ?? 0
    const checkpoint = manifest?.checkpoint ?? -1
    for (const part of manifest?.segments ?? []) {
      try {
        const liveDocs = part.liveDocs === undefined ? undefined : decodeLiveDocs(part.liveDocs)
        const stored = files.read(part.name, part.checksum)
        if (stored.directory.order !== (this.#order && JSON.stringify(this.#order)))
          throw new OutdatedSegmentError('its documents are not in the order of index.sort')
        this.#segments.push(new LiveSegment(part.name, stored, liveDocs))
        this.#onDisk.add(part.name)
      } catch (error) {
        const isOutdated = error instanceof OutdatedSegmentError
        log(
          isOutdated ? 'info' : 'warn',
          { index: indexName, file: files.path(part.name), error: (error as Error).message },
          `segment is ${isOutdated ? 'of an earlier version' : 'damaged or missing'}, building it again from the store`,
        )
        this.#segments.push(...this.#buildAgain(part.minSeqNo, part.maxSeqNo + 1))
      }
    }
    const stray = files.keepOnly(this.#onDisk)
    for (const file of stray) log('info', { index: indexName, file }, 'removed a segment file that no manifest names')
    this.#garbage.flushed(checkpoint)
    this.#garbage.addUnseen(manifest?.garbage ?? [])
    this.#deletes.resume(manifest?.deletes ?? [])
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
      this.#deletes.clear()
      this.#segments = this.#buildAgain(0, this.#writer.maxSeqNo + 1, (seqNo, { tombstone }) => {
        if (tombstone) this.#deletes.add(seqNo)
        else this.#garbage.addUnseen([seqNo])
      })
      this.#show([], [], this.#writer.maxSeqNo)
    }
    this.#flushedSeqNo = checkpoint
    if (this.#writer.maxSeqNo > checkpoint || this.#segments.some((s) => !this.#onDisk.has(s.name)))
      this.#scheduleFlush()
  }

  /** Makes segments of the live records in a range of sequence numbers; `onDead` is told of the others. */
  #buildAgain(from: number, to: number, onDead?: (seqNo: number, record: DocumentRecord) => void): LiveSegment[] {
    return [...this.#indexer.segments(from, to, onDead)].map((bytes) => this.#newSegment(bytes))
  }

  /** Applies what is in the store and not yet in a segment. @returns false where that cannot be told any more */
  #replay(from: number): boolean {
    return this.#indexer.replay(
      from,
      (bytes, deleted) => {
        this.#show(bytes === undefined ? [] : [this.#newSegment(bytes)], deleted, this.#writer.maxSeqNo)
      },
      (seqNo) => this.#deletes.add(seqNo),
    )
  }

  /**
   * Applies operations from `from` on in order, until `deadline` (`performance.now()`); at least one, unless that is
   * still to be read. Their results are true once {@link LmdbStore.logged} settles, and not before.
   */
  apply(operations: readonly DocumentOperation[], from: number, deadline: number): AppliedWrites {
    const started = performance.now()
    const results: WriteResult[] = []
    let reading: Promise<void> | undefined
    let now = started
    let deletingMs = 0
    const slow = this.#slowWrites.watched()
    for (let i = from; i < operations.length && (i === from || now < deadline); i++) {
      const operation = operations[i] as DocumentOperation
      const applied = this.#writer.apply(operation)
      if (applied instanceof Promise) reading = applied
      else results.push(applied)
      const before = now
      now = performance.now()
      if (operation.kind === 'delete') deletingMs += now - before
      slow?.applied(operation, applied, before, now)
      if (reading !== undefined) break
    }
    this.counters.deleteTimeMs += deletingMs
    this.counters.indexTimeMs += now - started - deletingMs
    this.#writer.buffer.ship()
    if (this.#writer.buffer.isFull) {
      this.refresh().catch((error: Error) => {
        if (!this.#closed) this.#o.log('error', { index: this.#o.indexName, error: error.message }, 'refresh failed')
      })
    }
    const isDue = this.#writer.maxSeqNo - this.#flushedSeqNo > FLUSH_DOCS && !this.isAwaiting
    this.#scheduleFlush(isDue ? 0 : FLUSH_AFTER_MS)
    return { results, reading }
  }

  /**
   * Takes over writes that were made elsewhere, from `from` on, until `deadline`; at least one. In order of their numbers,
   * which are greater than any here. Durable as {@link apply}'s.
   *
   * @returns how many
   */
  applyRestored(writes: readonly (readonly [seqNo: number, DocumentRecord])[], from: number, deadline: number): number {
    let done = 0
    for (let i = from; i < writes.length && (i === from || performance.now() < deadline); i++, done++) {
      const [seqNo, record] = writes[i] as (typeof writes)[number]
      const error = this.#writer.restore(seqNo, record)
      if (error === undefined) continue
      const { type, id } = record
      const fields = { index: this.#o.indexName, type, id, error: error.message }
      this.#o.log('error', fields, 'a restored document can not be indexed, it is found by id only')
    }
    this.#writer.buffer.ship()
    if (this.#writer.buffer.isFull) {
      this.refresh().catch((error: Error) => {
        if (!this.#closed) this.#o.log('error', { index: this.#o.indexName, error: error.message }, 'refresh failed')
      })
    }
    return done
  }

  /** What {@link applyRestored} took over is on disk. */
  committedRestored(writes: readonly (readonly [seqNo: number, DocumentRecord])[]): void {
    for (const [seqNo, { type, id }] of writes) this.#records.committed(type, id, seqNo)
  }

  /** After the last of what is restored: shows it, numbers on from where the index was, and makes it files. */
  async finishRestore(maxSeqNo: number): Promise<void> {
    await this.refresh()
    this.#writer.maxSeqNo = Math.max(this.#writer.maxSeqNo, maxSeqNo)
    this.#refreshedSeqNo = this.#writer.maxSeqNo
    await this.flush()
  }

  /**
   * Settles when there is room for more: at once, but when the thread that inverts is far behind, or a whole buffer waits
   * while another is being laid out.
   */
  async room(): Promise<void> {
    for (let room = this.#writer.buffer.room(); room !== undefined; room = this.#writer.buffer.room()) await room
    while (this.#refreshing !== undefined && this.#writer.buffer.isFull) await this.#refreshing.catch(ignore)
  }

  /** True once it has let go of its files. */
  get closed(): boolean {
    return this.#closed
  }

  /** What was applied up to a sequence number is on disk. */
  committed(results: readonly WriteResult[]): void {
    for (const result of results) if (result.ok) this.#records.committed(result.type, result.id, result.seqNo)
  }

  get maxSeqNo(): number {
    return this.#writer.maxSeqNo
  }

  /** {@link Engine.get}. */
  get(
    type: string | undefined,
    id: string,
    options: { readonly realtime: boolean; readonly isAside?: boolean },
  ): StoredDocument | undefined {
    const started = performance.now()
    const document = options.realtime
      ? this.#records.document(type === undefined ? this.mapping.types : [type], id)
      : this.#getRefreshed(type, id)
    if (options.isAside !== true) this.counters.got(document !== undefined, performance.now() - started)
    if (document === undefined || !this.mapping.ignoresMalformed || !this.#isWhole(document.seqNo)) return document
    return Object.assign(document, { isWhole: true })
  }

  /** {@link Engine.documentsAfter}. */
  documentsAfter(after: number, limit: number, to?: number): DocumentPage {
    return this.#records.documentsAfter(after, limit, to)
  }

  /** {@link Engine.recordsAfter}. */
  recordsAfter(after: number, limit: number, to?: number): DocumentPage<StoredRecord> {
    return this.#records.recordsAfter(after, limit, to)
  }

  /** {@link Engine.dictionary}. */
  dictionary(): Lz4Dictionary | undefined {
    return this.#records.dictionary()
  }

  /** Takes over a dictionary; false where there is another. */
  adoptDictionary(learned: LearnedDictionary): boolean {
    return this.#records.adoptDictionary(learned)
  }

  /** Whether documents are inverted by what settings and mappings say alone ({@link DeferredAnalysis}). */
  get defersAnalysis(): boolean {
    return this.#o.analysis !== undefined
  }

  /** Segments that searches see now. */
  get segments(): readonly LiveSegment[] {
    return this.#segments
  }

  /** A segment without what is deleted of it; undefined: there is none of the name any more, or nothing is left of it. */
  async segmentBytes(name: string): Promise<SharedArrayBuffer | undefined> {
    const segment = this.#segments.find((s) => s.name === name)
    if (segment === undefined || liveCount(segment) === segment.maxDoc) return segment?.stored.bytes
    return this.#o.merges.merge([segment], this.#order)
  }

  /** Takes the documents that are written next for those of a segment; where it is not to be used, they are inverted as any. */
  async expect(segment: ArrivingSegment): Promise<void> {
    const { analysis, log, indexName } = this.#o
    try {
      await this.refresh()
      const { mapping } = this
      const { maxSeqNo } = this.#writer
      await segment.begin(maxSeqNo + 1, mapping, this.#order && JSON.stringify(this.#order))
      const isSame = mapping === this.mapping && maxSeqNo === this.#writer.maxSeqNo && !this.dirty
      if (analysis !== undefined && isSame && !this.#closed) {
        this.#writer.expect(segment)
        this.#scheduleFlush()
        return
      }
    } catch (error) {
      log('info', { index: indexName, error: (error as Error).message }, 'a segment that came cannot be used')
    }
    segment.discard()
  }

  /** True while documents are on their way that are in a segment already: to show those that came would be to make one of them. */
  get isAwaiting(): boolean {
    const { buffer } = this.#writer
    return buffer instanceof ArrivingSegment && buffer.isAwaited
  }

  /** Whether the segment of a document tells that no value was passed over as malformed: to find that out again is to parse its source. */
  #isWhole(seqNo: number): boolean {
    for (let at = this.#segments.length - 1; at >= 0; at--) {
      const segment = this.#segments[at] as LiveSegment
      const doc = segment.stored.docOfSeqNo(seqNo)
      if (doc < 0) continue
      const field = segment.field(IGNORED_FIELD.path)
      if (field === undefined) return true
      const { docValues: column } = field
      if (column === undefined) return false
      const { present, offsets } = column
      if (offsets !== undefined) return offsets[doc] === offsets[doc + 1]
      return present !== undefined && ((present[doc >>> 5] as number) & (1 << (doc & 31))) === 0
    }
    return false
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
      isClosed: () => this.#closed,
      record: (seqNo: number) => this.#records.record(seqNo),
      name: (seqNo: number) => this.#records.name(seqNo),
      entry: (type: string, id: string) => this.#records.entry(type, id),
    }
    return new ShardView(shard, segments, release)
  }

  /** True when a refresh would change what a search sees. */
  get dirty(): boolean {
    return this.#writer.isDirty || this.#unshown !== undefined
  }

  /** Makes what was written until now visible to searches; nothing once it has let go of its files. */
  async refresh(): Promise<void> {
    // Several that ask while one is under way share the next one. (Whether it fails is its own affair.)
    while (this.#refreshing !== undefined) await this.#refreshing.catch(ignore)
    if (this.#closed) return
    if (this.#unshown !== undefined || !this.#writer.buffer.isSmall) {
      this.#refreshing = this.#refreshElsewhere().finally(() => {
        this.#refreshing = undefined
      })
      return this.#refreshing
    }
    if (this.dirty) this.#refreshSync()
    else this.counters.refreshTotal++
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
    const { buffer, deleted, upTo } = this.#writer.take()
    this.#show(buffer.isEmpty ? [] : [this.#newSegment(buffer.finishHere())], deleted, upTo)
    this.counters.refreshTimeMs += performance.now() - started
  }

  /** A refresh whose segment is made in another thread; writes go on into a new buffer. */
  async #refreshElsewhere(): Promise<void> {
    const started = performance.now()
    const waiters = this.#refreshWaiters.splice(0)
    const { buffer, upTo, ...taken } = this.#writer.take()
    const deleted = [...(this.#unshown ?? []), ...taken.deleted]
    try {
      const added = await this.#finishElsewhere(buffer, upTo)
      if (this.#closed) return
      this.#unshown = undefined
      this.#show(added, deleted, upTo)
      this.counters.refreshTimeMs += performance.now() - started
    } catch (error) {
      this.#unshown = deleted
      throw error
    } finally {
      this.#tellWaiters(waiters)
    }
  }

  async #finishElsewhere(buffer: WriteBuffer, upTo: number): Promise<LiveSegment[]> {
    if (this.#unshown === undefined) {
      try {
        if (buffer instanceof ArrivingSegment && !buffer.isWhole(upTo, this.mapping))
          return await this.#buildElsewhere(this.#refreshedSeqNo + 1, upTo + 1)
        return [this.#newSegment(await buffer.finish())]
      } catch (error) {
        if (this.#closed) return []
        this.#o.log(
          'error',
          { index: this.#o.indexName, error: (error as Error).message },
          'a segment could not be made of what is in memory, making it of the store',
        )
      }
    } else buffer.discard()
    await this.#o.store.committed()
    return this.#closed ? [] : this.#buildAgain(this.#refreshedSeqNo + 1, upTo + 1)
  }

  /** {@link #buildAgain} in another thread. */
  async #buildElsewhere(from: number, to: number): Promise<LiveSegment[]> {
    await this.#o.store.committed()
    const built: LiveSegment[] = []
    for await (const bytes of this.#indexer.segmentsElsewhere(from, to, () => this.#newBuffer())) {
      if (this.#closed) return []
      built.push(this.#newSegment(bytes))
    }
    return built
  }

  #newBuffer(): SegmentBuffer {
    const { builds, analysis } = this.#o
    return new SegmentBuffer(builds, analysis, this.#order)
  }

  #show(added: readonly LiveSegment[], deleted: readonly number[], upTo: number): void {
    this.#segments = this.#withoutEmpty(withoutDocuments([...this.#segments, ...added], deleted))
    this.#refreshedSeqNo = upTo
    this.#generation++
    this.#garbage.add(this.#generation, deleted)
    this.#garbage.collect(this.#generation)
    this.counters.refreshTotal++
    this.#o.onView()
    this.#mergeInBackground()
  }

  /**
   * Without segments of which every document is deleted, as Lucene keeps none: scores count what is in them. Soft
   * deletes keep them. A merge drops those it is at itself.
   */
  #withoutEmpty(segments: readonly LiveSegment[]): LiveSegment[] {
    const { engineVersion, settings } = this.#o
    const isSoft = settings()['index.soft_deletes.enabled'] ?? engineVersion !== 'Elasticsearch_6.8'
    if (String(isSoft) === 'true') return [...segments]
    return segments.filter((segment) => {
      const isKept = segment.liveDocs === undefined || liveCount(segment) > 0 || this.#mergeSources.has(segment.name)
      if (!isKept) segmentsDropped(segment.stored.sizeBytes)
      return isKept
    })
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
      if (this.#o.store.failure !== undefined || this.isAwaiting) return this.#scheduleFlush()
      this.flush().catch((error: Error) => {
        if (this.#closed) return
        this.#o.log('error', { index: this.#o.indexName, error: error.message }, 'flush failed, it will be tried again')
        this.#scheduleFlush()
      })
    }, afterMs)
    this.#flushTimer.unref()
  }

  /** Makes what was written until now files, and the manifest name them; nothing once it has let go of its files. */
  flush(): Promise<void> {
    if (this.#flushing === undefined) {
      this.#flushing = this.#whileOpen(this.#flush()).finally(() => {
        this.#flushing = undefined
      })
      return this.#flushing
    }
    // One under way may have begun before the last writes: several that ask meanwhile share the next. (Whether it fails is its own affair.)
    this.#nextFlush ??= this.#flushing.catch(ignore).then(() => {
      this.#nextFlush = undefined
      return this.flush()
    })
    return this.#nextFlush
  }

  /** What fails because its files were let go of meanwhile has nothing to do any more. */
  async #whileOpen(work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      if (!this.#closed || error instanceof CommitFailedError) throw error
    }
  }

  async #flush(): Promise<void> {
    const { store, indexNumber, indexName, files, log } = this.#o
    const started = performance.now()
    clearTimeout(this.#flushTimer)
    this.#flushTimer = undefined
    if (this.dirty || this.#refreshing !== undefined) await this.refresh()
    if (this.#closed) return
    const segments = this.#segments
    const checkpoint = this.#refreshedSeqNo
    const nextSegment = this.#nextSegment
    const garbage = this.#garbage.all()
    const deletes = this.#deletes.upTo(checkpoint)
    if (!files.isThere) {
      if (this.#onDisk.size > 0)
        log(
          'warn',
          { index: indexName, folder: files.folder },
          'the files of an index were taken away, they are made again',
        )
      files.make()
      this.#onDisk.clear()
    }
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
        checksum: segmentChecksum(stored.bytes),
        ...(liveDocs === undefined ? {} : { liveDocs: encodeLiveDocs(liveDocs) }),
      })),
      checkpoint,
      maxSeqNo: checkpoint,
      nextSegment,
      garbage,
      deletes,
    }
    putManifest(store, indexNumber, manifest)
    await store.committed()
    if (this.#closed) return
    this.#flushedSeqNo = checkpoint
    this.counters.flushTotal++
    this.counters.flushTimeMs += performance.now() - started
    // Only now may the files, records and tombstones of before go: a crash until here starts from the old manifest.
    const named = new Set([...segments, ...this.#segments].map((s) => s.name))
    for (const name of this.#onDisk) if (!named.has(name)) this.#onDisk.delete(name)
    files.keepOnly(this.#onDisk)
    this.#garbage.flushed(checkpoint)
    this.#garbage.collect(this.#generation)
    this.#deletes.flushed(checkpoint)
    this.#joinWhenQuiet()
  }

  /** Joins small segments once nothing more is written. */
  #joinWhenQuiet(): void {
    clearTimeout(this.#quietTimer)
    const { maxSeqNo } = this.#writer
    this.#quietTimer = setTimeout(() => {
      if (this.#closed || this.#merging !== undefined || this.#writer.maxSeqNo !== maxSeqNo) return
      const choice = chooseQuietMerge(this.#segments.map(({ stored }) => stored.sizeBytes))
      if (choice !== undefined) this.#mergeChosen(choice)
    }, JOIN_AFTER_MS)
    this.#quietTimer.unref()
  }

  #mergeInBackground(): void {
    if (this.#merging !== undefined || this.#closed) return
    const choice = chooseMerge(
      this.#segments.map((s) => ({ maxDoc: s.maxDoc, numDocs: liveCount(s), sizeBytes: s.stored.sizeBytes })),
    )
    if (choice !== undefined) this.#mergeChosen(choice)
  }

  #mergeChosen({ from, count }: { readonly from: number; readonly count: number }): void {
    this.#startMerge(this.#segments.slice(from, from + count)).catch((error: Error) => {
      if (!this.#closed) this.#o.log('error', { index: this.#o.indexName, error: error.message }, 'merge failed')
    })
  }

  /** Merges segments; only one merge is under way at a time, so that none works on segments that another replaces. */
  #startMerge(sources: readonly LiveSegment[]): Promise<void> {
    this.#mergeSources = new Set(sources.map(({ name }) => name))
    const merge = this.#merge(sources)
    const done = () => {
      this.#merging = undefined
      this.#mergeSources = new Set()
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
    const bytes = await this.#o.merges.merge(sources, this.#order)
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
    segmentsDropped(sources.reduce((sum, { stored }) => sum + stored.sizeBytes, 0))
    this.counters.merged(sources, performance.now() - started)
    this.#scheduleFlush()
  }

  /**
   * Joins segments until at most so many are left (or as few as may be joined), or those with deletions only.
   *
   * @param options  fewer than one segment: no more than are joined anyway
   * @throws {ServiceError} exception where the thread cannot join them
   */
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
      if (most < 1) return []
      const sizes = segments.map(({ stored }) => stored.sizeBytes)
      const { from, count } = chooseForcedMerge(sizes, most) ?? { from: 0, count: 0 }
      if (count > 0) return segments.slice(from, from + count)
      return most === 1 ? segments.filter(hasDeletes).slice(0, 1) : []
    }
    for (;;) {
      while (this.#merging !== undefined) await this.#merging
      const sources = choose()
      if (sources.length === 0 || this.#closed) break
      await this.#whileOpen(this.#startMerge(sources)).catch((error: Error) => {
        if (error instanceof SegmentThreadError)
          throw new ServiceError('exception', `segments could not be joined: ${error.message}`)
        throw error
      })
    }
    if (!this.#closed) await this.flush()
  }

  stats(): IndexStats {
    const { maxSeqNo } = this.#writer
    const recordBytes = ({ stored }: LiveSegment) => this.#recordSizes.of(stored)
    return this.counters.stats(this.#segments, recordBytes, this.#onDisk, maxSeqNo, this.#unflushed(maxSeqNo))
  }

  /** Writes that a start would have to replay, and their bytes; counted once each. */
  #unflushed(maxSeqNo: number): IndexStats['unflushed'] {
    let { since, to, sizeBytes } = this.#measured
    if (since !== this.#flushedSeqNo) {
      since = this.#flushedSeqNo
      to = since
      sizeBytes = 0
    }
    for (; to < maxSeqNo; to++) {
      const record = this.#records.record(to + 1)
      if (record !== undefined) sizeBytes += record.id.length + record.type.length + (record.source?.length ?? 0)
    }
    this.#measured = { since, to, sizeBytes }
    return { operations: Math.max(0, maxSeqNo - since), sizeBytes }
  }

  /** Flushes and lets go. */
  async close(): Promise<void> {
    if (this.#closed) return
    try {
      await this.flush()
    } finally {
      this.abandon()
    }
  }

  /** Lets go without writing anything (the index is being deleted). */
  abandon(): void {
    this.#closed = true
    segmentsDropped(this.#segments.reduce((sum, { stored }) => sum + stored.sizeBytes, 0))
    this.#writer.buffer.discard()
    this.#o.files.close()
    this.#garbage.close()
    clearTimeout(this.#flushTimer)
    clearTimeout(this.#quietTimer)
    this.#deletes.close()
    this.#tellWaiters(this.#refreshWaiters.splice(0))
  }
}

function ignore(): void {}
